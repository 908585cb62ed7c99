/** Challenges over HTTP (docs/protocol.md). */
import { ask, path, type Turn } from "./api.ts";
import type { Options } from "./open.ts";
import type { Clock, Earned } from "./protocol.ts";

export interface Challenge {
  id: string;
  game: string;
  options: Options;
  /** The program in each seat; null where one plays oneself. */
  seats: (string | null)[];
  seat: number;
  clock: Clock;
  /** The fingerprint of the bag. */
  commitment: string;
  attempts: { name: string | null; phase: "playing" | "over" | "removed"; original: boolean; yours: boolean }[];
  /** That of one's own attempt. */
  table: string | null;
  /** The id to share, if it is another one: that of a device contains a result to beat. */
  shared?: string;
}

export interface ComparedTurn {
  layings: string[];
  parts: { earned: Earned; charge: number }[];
  points: number;
  /** Points since the turn before that no turn earned: payments, ... */
  others: number;
  total: number;
  best: Turn | null;
  lost: number;
  /** A bot played it for the player. */
  stand_in: boolean;
}

export interface PlayedAttempt {
  name: string;
  score: number;
  scores: number[];
  won: boolean;
  own: boolean;
  turns: ComparedTurn[];
  /** The same after the last turn. */
  rest: number;
}

/** Everybody who has finished, the best first. */
export interface Comparison {
  seed: string;
  /** Without a table: a result that a link has brought. */
  attempts: { table: string | null; original: boolean; played: PlayedAttempt }[];
  playing: number;
  removed: number;
}

const place = (id: string) => `/challenges/${encodeURIComponent(id)}`;

export const challenges = {
  make: (table: string, token: string) => ask<{ id: string }>(`${path(table)}/challenge`, { method: "POST", token }),
  look: (id: string, token: string | null) => ask<Challenge>(place(id), { token }),
  begin: (id: string, token: string, name: string) =>
    ask<{ table: string; seat: number }>(`${place(id)}/attempts`, { body: { name }, token }),
  compare: (id: string, token: string) => ask<Comparison>(`${place(id)}/comparison`, { token }),
};
