/** How strong the bots are: `scripts/write_web_data.py` writes the figures. */
import raw from "./ladder.json";

/** How strong the levels are in a game, as measured (docs/ladder.md). */
export interface Measured {
  /** How many each pair has played, and the seconds for a turn. */
  games: number;
  seconds: number;
  /** The level that the others are compared with. */
  anchor: string;
  /** `wins`: of the games against the anchor, 0 to 1; null for itself, and for levels too far away to meet it. */
  levels: Record<string, { elo: number; wins: number | null }>;
}

export const LADDER = raw as unknown as Readonly<Record<string, Measured>>;
