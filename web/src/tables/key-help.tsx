/** What each key does: a dialog that is loaded when it is opened first. */
import type { GameKey } from "../games/game.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { helpOpen } from "./keys.ts";

const KeyDialog = loadLazily(() => import("./key-dialog.tsx").then(({ KeyDialog }) => KeyDialog));

/** `keys`: what the game adds. */
export function KeyHelp({ keys }: { keys?: readonly GameKey[] }) {
  return helpOpen.value ? <KeyDialog keys={keys} onClose={() => (helpOpen.value = false)} /> : null;
}
