/** Arlequin for one player without a server (rules 6): the twin of arlequin/rules.py. */
import { SET_120 } from "../../data.ts";
import { parseLaying } from "../../geometry.ts";
import { insideFrame } from "../../state/layout.ts";
import { framesFor } from "../../state/races.ts";
import { type AloneRules, layingOf, PLAYER, refuse, takeOut } from "../alone.ts";
import arlequin, { type ArlequinView } from "./game.ts";
import { itemAt } from "../../values.ts";

const FRAMES = arlequin.race.frames({});
const PILES = 3;

export default {
  begin({ piles }, _, chance) {
    const chosen = Array.isArray(piles) ? piles.map(Number) : [];
    if (chosen.length > 1) refuse("bad_piles");
    return { piles: chosen.length ? chosen : [1 + (chance % PILES)] };
  },
  // Upright or lying, as the player likes, until only one of them holds what lies there.
  inside: (_, layings) => {
    const frames = framesFor(FRAMES, layings).map(insideFrame);
    return (cell) => frames.some((isInside) => isInside(cell));
  },
  dominoes: () => (FRAMES[0]!.width * FRAMES[0]!.height) / 2,
  act(view, move, framed) {
    switch (move.move) {
      case "lay": {
        const laying = layingOf(move);
        if (itemAt(view.frames, PLAYER).some((one) => parseLaying(one).tile === laying.tile)) refuse("already_laid");
        if (!SET_120.has(laying.tile) || SET_120.get(laying.tile).pile !== view.piles[PLAYER]) refuse("not_in_hand");
        return framed(laying);
      }
      case "take_out":
        return takeOut(view, move.tile);
      default:
        return refuse("malformed_move");
    }
  },
} satisfies AloneRules<ArlequinView>;
