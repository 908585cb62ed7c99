/** The table of Puzzle: everybody takes from one middle. */
import { t } from "../../i18n.ts";
import type { Session, TableProps } from "../../state/session.ts";
import { type RaceParts, RaceTable } from "../../tables/frame-table.tsx";
import type { PuzzleView } from "./game.ts";

const findOwnHeld = (session: Session<PuzzleView>): string | null => {
  const seat = session.seat.value;
  return seat === null ? null : (session.view.value?.held[seat] ?? null);
};

const PARTS: RaceParts<PuzzleView> = {
  pool(session) {
    const middle = new Set(session.requireView().middle);
    const tiles = names(session);
    return { tiles, gone: new Set(tiles.filter((tile) => !middle.has(tile))) };
  },
  poolName: () => t("the_middle"),
  take(session, tile, side) {
    const now = findOwnHeld(session);
    session.picked.value = { tile, side };
    if (now === tile) return true;
    // One domino at a time: who wants another one puts the first one back, in the same breath.
    if (now !== null) void session.move({ move: "put_back" });
    return session.move({ move: "take", tile });
  },
  putBack(session) {
    void session.move({ move: "put_back" });
  },
  takeOut(session, { tile, side }) {
    if (findOwnHeld(session) !== null) void session.move({ move: "put_back" });
    session.picked.value = { tile, side };
    void session.move({ move: "take_out", tile });
  },
  status: (holding) => (holding ? t("puzzle_holding") : t("puzzle_empty")),
};

/** Every domino of the set, always in the same place. */
const remembered = new WeakMap<object, string[]>();
function names(session: Session<PuzzleView>): string[] {
  const set = session.set.value;
  let found = remembered.get(set);
  if (!found) remembered.set(set, (found = set.tiles.map(({ name }) => name)));
  return found;
}

export default function PuzzleTable({ session }: TableProps<PuzzleView>) {
  return <RaceTable session={session} parts={PARTS} />;
}
