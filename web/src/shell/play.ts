/** Plays sounds, as far as they are wanted. Most players want none, so the speaker is loaded when it is used. */
import { settings } from "../state/settings.ts";
import type { Sound } from "../state/sounds.ts";

export const loadSpeaker = () => import("./sound.ts");

/** Let it be heard and felt. */
export function play(which: Sound): void {
  const [isHeard, isFelt] = [settings.sound.peek(), settings.vibration.peek()];
  if (!isHeard && !isFelt) return;
  void loadSpeaker().then(
    ({ sound, vibrate }) => {
      if (isHeard) sound(which);
      if (isFelt) vibrate(which);
    },
    () => undefined, // Without a connection, it is quiet.
  );
}
