/** Sounds on and off, in the header of a table: modest, but to be found. */
import { t } from "../i18n.ts";
import { sound } from "../shell/sound.ts";
import { settings } from "../state/settings.ts";

export function SoundSwitch() {
  const on = settings.sound.value;
  const label = t("setting_sound");
  return (
    <button type="button" class="tool sound-switch" role="switch" aria-checked={on} aria-label={label} title={label}
      onClick={() => {
        settings.sound.value = !on;
        if (!on) sound("closed");
      }}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 9.500H7.500L12 5.500V18.500L7.500 14.500H4Z" />
        {on ? <path d="M15 9Q17 12 15 15M17.500 6.500Q21.500 12 17.500 17.500" /> : <path d="M15.500 9.500L20.500 14.500M20.500 9.500L15.500 14.500" />}
      </svg>
    </button>
  );
}
