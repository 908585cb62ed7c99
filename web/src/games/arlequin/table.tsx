/** The table of Arlequin: everybody fills their own frame from their own pile. */
import { useEffect } from "preact/hooks";
import { SET_120 } from "../../data.ts";
import { t } from "../../i18n.ts";
import type { TableProps } from "../../state/session.ts";
import { type RaceParts, RaceTable } from "../../tables/frame-table.tsx";
import type { ArlequinView } from "./game.ts";
import { FrameTurn } from "./frame-turn.tsx";
import { itemAt } from "../../values.ts";

const PARTS: RaceParts<ArlequinView> = {
  pool(session, seat) {
    const view = session.requireView();
    const laid = new Set(itemAt(view.frames, seat).map((text) => text.split(/[+-]/, 1)[0]));
    const pile = SET_120.tiles.filter((tile) => tile.pile === view.piles[seat] && !laid.has(tile.name));
    return { tiles: pile.map(({ name }) => name) };
  },
  poolName: () => t("the_pile"),
  sortable: true,
  isRead: true,
  take(session, tile, side) {
    if (session.picked.value?.tile === tile && session.placer.hand.value[0] === tile) session.pick(null);
    else session.pick(tile, side);
    return session.placer.hand.value[0] === tile;
  },
  putBack: (session) => session.pick(null),
  takeOut(session, { tile, side }) {
    // It goes to the pile (rules 6); who takes it out has it at hand.
    void session.move({ move: "take_out", tile });
    session.pick(tile, side);
  },
  Tools: FrameTurn,
  status: (holding) => (holding ? t("arlequin_holding") : t("arlequin_empty")),
};

export default function ArlequinTable({ session }: TableProps<ArlequinView>) {
  useEffect(() => {
    session.lying.value = innerWidth > innerHeight;
  }, [session]);
  return <RaceTable session={session} parts={PARTS} />;
}
