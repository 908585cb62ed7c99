/** Sounds on and off, in the header of a table: modest, but to be found. */
import { t } from "../i18n.ts";
import { loadSpeaker } from "../shell/play.ts";
import { settings } from "../state/settings.ts";
import { Icon } from "../ui/icon.tsx";

export function SoundSwitch() {
  const on = settings.sound.value;
  const label = t("setting_sound");
  return (
    <button
      type="button"
      class="tool sound-switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      title={label}
      onClick={() => {
        settings.sound.value = !on;
        if (!on)
          void loadSpeaker().then(
            ({ sound }) => sound("closed"),
            () => undefined,
          );
      }}
    >
      <Icon name={on ? "sound" : "mute"} />
    </button>
  );
}
