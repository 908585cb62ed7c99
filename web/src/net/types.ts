/** What the server tells, as docs/protocol.md says it. */
import type { GameName } from "../data.ts";

export interface SeatInfo {
  name: string;
  program: string | null;
  free: boolean;
  away: boolean;
}

export interface Clock {
  kind: "none" | "turn" | "bank";
  seconds: number;
  increment: number;
}

/** What everybody knows of a table. */
export interface Summary {
  id: string;
  game: GameName;
  options: Record<string, unknown>;
  phase: "waiting" | "playing" | "over";
  visibility: "public" | "private";
  spectators: "none" | "public" | "all";
  pace: number;
  /** What may be shown before a laying is made. */
  aids: "all" | "places" | "none";
  seats: SeatInfo[];
  clock: Clock;
  commitment: string;
  seed?: string;
  deadline: number | null;
  timer: number | null;
  time_left?: number[];
  time_runs_for?: number | null;
  rematch: string | null;
}

export interface Earned {
  contacts: number;
  groups: { colour: string; size: number }[];
}

export interface Outcome {
  scores: number[];
  winners: number[];
  reason: string;
}

/** An event has its kind as `event`; its other fields depend on it. */
export interface GameEvent {
  event: string;
  player?: number;
  [field: string]: any;
}

export interface Laid extends GameEvent {
  event: "laid";
  player: number;
  laying: string;
  earned: Earned;
  charge: number;
  scores: boolean;
}

export interface Move {
  player: number;
  move: string;
  [field: string]: unknown;
}

/** What one player, or a spectator, sees; which fields there are depends on the game. */
export interface View {
  game: GameName;
  viewer: number | null;
  options: Record<string, any>;
  phase: string;
  can_undo: boolean;
  outcome: Outcome | null;
  table?: string;
  bag_count?: number;
  hand?: string[];
  hand_counts?: number[];
  active?: number;
  scores?: number[];
  turn?: Laid[];
  last_round?: boolean;
  /** Auction */
  bidding?: { bid: number; holder: number; asked: number; out: number[] } | null;
  auctioned?: boolean;
  declined?: number[];
  /** Conquest */
  marks?: { player: number; disc: [number, number] }[];
  marks_left?: number[];
  marked?: boolean;
  /** Gone */
  again?: boolean;
  /** Puzzle, Arlequin */
  frames?: string[][];
  given_up?: number[];
  middle?: string[];
  held?: (string | null)[];
  piles?: number[];
  /** Alex */
  mistakes?: number[];
  round?: number;
  drawn?: string[];
  sitting_out?: number[];
  announcements?: { player: number; points: number }[];
  passed?: number[];
  failed?: number[];
  shower?: number | null;
  /** 72 */
  dealer?: number;
  tokens?: number[];
  reserve?: number;
  markers_left?: number[];
  markers?: { player: number; disc: [number, number] }[];
  laid?: Laid | null;
  premium?: number | null;
  last_turns?: number | null;
}

/** By the number of a seat, or `spectator`. */
export type Views = Record<string, View>;

export interface TableMessage {
  type: "table";
  version: number;
  now: number;
  table: Summary;
  yours: number[];
  views: Views;
  events: GameEvent[];
}

export type FromServer =
  | TableMessage
  | { type: "accepted"; id: string; version: number }
  | { type: "refused"; id?: string; code: string; message: string }
  | { type: "legal"; id: string; version: number; moves: Move[] }
  | { type: "pong"; id: string; now: number };
