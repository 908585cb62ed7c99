/** What a `Placer` chooses from: dominoes, where they may go, and what lies there. */
import type { TileSet } from "../data.ts";
import { type GameWords, USUAL_WORDS } from "../games/game.ts";
import type { Laying, Side } from "../geometry.ts";
import type { Scored } from "../net/api.ts";

/** A legal laying, with what it earns where that may be shown. */
export interface Candidate {
  laying: Laying;
  scored?: Scored;
  /** What it makes, where that brings something else than points (Gone, 72). */
  makes?: Scored;
}

export interface Frame {
  width: number;
  height: number;
  /** Where its box begins; 0 if missing. */
  left?: number;
  top?: number;
  /** The cells of a figure that is no rectangle, by `key`. */
  cells?: ReadonlySet<string>;
  /** Those of each place in which it may lie, if there are several. */
  places?: readonly ReadonlySet<string>[];
  /** The dominoes that fill it, if not those of its box. */
  needed?: number;
}

export interface Placement {
  set: TileSet | null;
  frame: Frame | null;
  /** What the game calls what a laying makes. */
  words: GameWords;
  /** The dominoes that may be taken, in the order in which they are shown. */
  hand: readonly string[];
  /** In a race, the domino that is in hand without being chosen from one, and the face that is up. */
  held: { tile: string; side: Side } | null;
  /** What lies on the table. */
  layings: readonly Laying[];
  /** Legal layings by domino; of a domino that is missing, they are not known yet. */
  candidates: ReadonlyMap<string, readonly Candidate[]>;
  /** What a laying costs before it earns anything: the 4 of a turn's second domino (rules 1). */
  charge: number;
}

export const NO_PLACEMENT: Placement = {
  set: null,
  frame: null,
  words: USUAL_WORDS,
  hand: [],
  held: null,
  layings: [],
  candidates: new Map(),
  charge: 0,
};
