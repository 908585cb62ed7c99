/** The classic game (rules 1). */
import type { View } from "../../net/protocol.ts";
import type { GameParts } from "../game.ts";
import { itemAt } from "../../values.ts";

export interface ClassicView extends View {
  options: View["options"] & { target: number; first: number };
}

export const CLASSIC: GameParts = { preview: "points" };

export default {
  ...CLASSIC,
  standing({ active, scores, options: { target, first } }) {
    if (active === undefined || !scores) return undefined;
    const ahead = scores.map((_, i) => itemAt(scores, (active + i) % scores.length));
    return { scores: ahead, target, began: (first - active + scores.length) % scores.length };
  },
} satisfies GameParts<ClassicView>;
