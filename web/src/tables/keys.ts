/** The whole table by keyboard: what each key does is on the page behind `?`. */
import { signal } from "@preact/signals";
import type { Camera } from "../board/camera.ts";
import type { Game } from "../games/game.ts";
import type { Laying } from "../geometry.ts";
import { usePlacingKeys } from "../panels/placing-keys.ts";
import { isSteadyKey } from "../shell/commit.tsx";
import type { Session } from "../state/session.ts";
import { announce } from "../state/voice.ts";
import { focusFirst, focusIn } from "../ui/focus.ts";
import { useTableParts } from "../ui/table-parts.ts";

export const helpOpen = signal(false);
/** The table in words is read. */
export const wordsOpen = signal(false);

/** What the keys need of a table: a session has it, and so has the lesson. */
export type Keyed = Pick<Session, "placer" | "may" | "move"> & {
  readonly view: { readonly value: { can_undo: boolean } | null };
  /** Of whose keys some make moves. */
  readonly game?: { readonly value: Pick<Game, "keys"> };
};

/** The moves of keys that every table has. */
const MOVES: Record<string, string> = { ENTER: "end", E: "end", P: "pass" };

/** `standing`: how it stands, for ears; also announced where a key can do nothing. */
export function usePlacerKeys(
  session: Keyed,
  commit: (laying: Laying) => void,
  camera: Camera,
  standing: () => string = () => "",
): void {
  const { layingsList } = useTableParts();
  const announceStanding = () => {
    const text = standing();
    if (text) announce(text, "chosen");
  };
  usePlacingKeys(
    session.placer,
    commit,
    (key) => {
      const upper = key.toUpperCase();
      const move = MOVES[upper] ?? session.game?.value.keys.find(({ keys }) => keys.includes(upper))?.move;
      if (move) {
        if (!session.may(move)) announceStanding();
        else if (isSteadyKey(move)) void session.move({ move });
      } else if (upper === "U") {
        if (!session.view.value?.can_undo) announceStanding();
        else if (isSteadyKey("undo")) void session.move({ move: "undo" });
      } else if (upper === "S") announceStanding();
      else if (upper === "W") wordsOpen.value = true;
      else if (upper === "L") openList(layingsList.current);
      else if (key === "+" || key === "-") camera.zoom(key === "+" ? 1.25 : 0.8);
      else if (key === "0") camera.fit();
      else if (upper === "T") camera.turnTable();
      else if (/^[bm]$/i.test(key)) focusFirst([":is(.game-panel, .turn-buttons) [data-first]"]);
      else if (key === "?") helpOpen.value = true;
      else return false;
      return true;
    },
    () => camera.turned.peek(),
  );
}

/** To the first of all possible places. */
function openList(list: HTMLDetailsElement | null): void {
  if (!list) return;
  list.open = true;
  focusIn(list, ["button", "summary"]);
}
