/** Opens the dialog with the games of this device. */
import { useSignal } from "@preact/signals";
import { speakAlso, t } from "../i18n.ts";
import { loadLazily } from "./lazy.tsx";

const DeviceGames = loadLazily<{ onClose(): void; damaged?: string | undefined }>(async () => {
  const [{ DeviceGames }] = await Promise.all([import("../panels/device-games.tsx"), speakAlso("device")]);
  return DeviceGames;
});

/** `damaged`: the id of a table that was just refused. */
export function DeviceGamesButton({ damaged }: { damaged?: string }) {
  const open = useSignal(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => (open.value = true)}>
        {t("device_games")} …
      </button>
      {open.value && <DeviceGames damaged={damaged} onClose={() => (open.value = false)} />}
    </>
  );
}
