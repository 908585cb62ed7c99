/** No greetings at this table. */
import { t } from "../i18n.ts";
import type { TableProps } from "../state/session.ts";
import { settings } from "../state/settings.ts";

export function MuteSwitch({ session }: TableProps) {
  const { presence } = session;
  if (!settings.greetings.value) return null;
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={presence.muted.value}
        onChange={(event) => presence.mute(event.currentTarget.checked)}
      />
      <span>{t("greet_mute")}</span>
    </label>
  );
}
