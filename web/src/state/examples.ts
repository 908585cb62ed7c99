/** What the pages for studying begin with (found by `scripts/find_studies.py`). */
import raw from "./examples.json";

/** Positions with a hand whose best turn lays both dominoes. */
export const TURNS: readonly { position: string; hand: string[] }[] = raw.turns;

/** A frame with a few dominoes laid by hand, and one way to fill it. */
export const FRAME: { width: number; height: number; pile: number; position: string; solution: string[] } = raw.frame;
