/** Gone (rules 4): who first has no domino left. */
import type { View } from "../../net/protocol.ts";
import type { GameParts } from "../game.ts";

export interface GoneView extends View {
  active: number;
  hand_counts: number[];
  again: boolean;
}

/** At the end the dominoes dance, before the result covers them. */
const PARTY = 8000;

export default {
  measure: "left",
  asked: ["ages"],
  unit: "discs",
  preview: "discs",
  // Here it is the price of a single disc.
  quiet: [],
  unannounced: [],
  pause: () => PARTY,
} satisfies GameParts<GoneView>;
