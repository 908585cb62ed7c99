/** The offer to play on this device: the engine hosts the table in the browser, without a server. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { t } from "../i18n.ts";

export function DeviceSwitch({ wanted }: { wanted: Signal<boolean> }) {
  const note = useId();
  return (
    <div>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={wanted.value}
          aria-describedby={note}
          onChange={(event) => (wanted.value = event.currentTarget.checked)}
        />
        <span>{t("device_switch")}</span>
      </label>
      <p class="note" id={note}>
        {t("device_switch_note")}
      </p>
    </div>
  );
}
