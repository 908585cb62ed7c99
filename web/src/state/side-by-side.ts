/** The turns of one player of a game that is over, as plain data: to be compared with those of others. */
import { type Earned, isLaid } from "../net/types.ts";
import type { Replay } from "./replay.ts";

export interface PlayedTurn {
  layings: readonly string[];
  /** What each laying earned, and what it cost; nothing where layings earn nothing by themselves. */
  parts: readonly { earned: Earned; charge: number }[];
  points: number;
  /** After the turn. */
  total: number;
}

export interface Side {
  name: string;
  turns: readonly PlayedTurn[];
}

/** What the player in a seat has played, called by a name. */
export function sideOf(replay: Replay, seat: number, name = replay.names[seat]!): Side {
  const turns = replay.turns.filter(({ player }) => player === seat).map(({ first, last, layings, points }) => ({
    layings,
    parts: replay.moments.slice(first + 1, last + 2).flatMap(({ events }) => events.filter(isLaid))
      .filter(({ player, scores }) => player === seat && scores)
      .map(({ earned, charge }) => ({ earned, charge })),
    points,
    total: replay.counts(last + 1)[seat] ?? 0,
  }));
  return { name, turns };
}
