/** The offer to play on this device: the engine hosts the table in the browser, without a server. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { OURS } from "../data.ts";
import { t } from "../i18n.ts";
import { engineFolder } from "../net/device-backend.ts";

/** The engine has our games, and needs a safe origin: there, only one tab at a time writes its tables. */
export const canPlayOnDevice = (game: string): boolean =>
  engineFolder() !== undefined
  && OURS.some(({ name }) => name === game)
  && "locks" in navigator
  && "indexedDB" in globalThis
  && "WebAssembly" in globalThis;

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
