/** How the game looks and behaves in this browser. */
import { isStatic } from "../base.ts";
import { type Signal, useSignal } from "@preact/signals";
import { FacePicture } from "../board/domino.tsx";
import { PALETTES, SET_120, SHAPES } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { hasEngine } from "../net/device-backend.ts";
import { DeviceGamesButton } from "./device-games-button.tsx";
import { Radios } from "./radios.tsx";
import { settings, SURFACES } from "../state/settings.ts";
import { mayNotify, canNotify } from "./calling.ts";
import { Dialog } from "./dialog.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { sound, canVibrate } from "./sound.ts";
import { AnnouncedText } from "./announced-text.tsx";

export function SettingsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t("settings")} onClose={onClose}>
      <label class="field-row">
        <span>{t("language")}</span>
        <LanguageChoice />
      </label>
      <div class="row cloth centred sample">
        <FacePicture tile="DRYGB" side="+" set={SET_120} label={t("sample")} />
        <FacePicture tile="ZBGRY" side="-" set={SET_120} label={t("sample")} />
      </div>
      <Choices name="palette" of={Object.keys(PALETTES)} setting={settings.palette as Signal<string>} />
      <Choices name="shape" of={Object.keys(SHAPES)} setting={settings.shape as Signal<string>} />
      <Switch name="symbols" setting={settings.symbols} />
      <Choices name="pieces" of={["black", "white"]} setting={settings.pieces as Signal<string>} />
      <Choices name="table" of={SURFACES} setting={settings.table as Signal<string>} />
      <Choices name="theme" of={["auto", "light", "dark"]} setting={settings.theme as Signal<string>} />
      <hr />
      <Switch name="places" setting={settings.places} />
      <Switch name="points" setting={settings.points} />
      <Switch name="oneTap" setting={settings.oneTap} />
      <Switch name="greetings" setting={settings.greetings} />
      {hasEngine() && (
        <>
          <hr />
          {!isStatic && <Choices name="where" of={["server", "device"]} setting={settings.where as Signal<string>} />}
          <DeviceGamesButton />
        </>
      )}
      <hr />
      <Sounds />
    </Dialog>
  );
}

/** Sounds, vibration and notifications: each only for players who switch it on. */
function Sounds() {
  const denied = useSignal(false);
  const notify = async (wanted: boolean) => {
    settings.notify.value = wanted && (await mayNotify());
    denied.value = wanted && !settings.notify.value;
  };
  return (
    <>
      <Switch name="sound" setting={settings.sound} />
      <label class="field-row volume">
        <span>{t("setting_volume")}</span>
        <input
          type="range"
          min={0.1}
          max={1}
          step={0.1}
          value={settings.volume.value}
          disabled={!settings.sound.value}
          onChange={(event) => {
            settings.volume.value = Number(event.currentTarget.value);
            sound("closed");
          }}
        />
      </label>
      {canVibrate() && <Switch name="vibration" setting={settings.vibration} />}
      {canNotify() && (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={settings.notify.value}
            onChange={(event) => void notify(event.currentTarget.checked)}
          />
          <span>{t("setting_notify")}</span>
        </label>
      )}
      {denied.value && (
        <AnnouncedText class="notice" manner="urgent">
          {t("notify_denied")}
        </AnnouncedText>
      )}
    </>
  );
}

function Choices({ name, of, setting }: { name: string; of: readonly string[]; setting: Signal<string> }) {
  return (
    <Radios
      legend={tt(`setting_${name}`)}
      name={`setting-${name}`}
      of={of}
      value={setting.value}
      word={(choice) => tt(`${name}_${choice.replace("-", "_")}`)}
      onChoose={(choice) => (setting.value = choice)}
    />
  );
}

export function Switch({ name, setting }: { name: string; setting: Signal<boolean> }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={setting.value}
        onChange={(event) => (setting.value = event.currentTarget.checked)}
      />
      <span>{tt(`setting_${name}`)}</span>
    </label>
  );
}
