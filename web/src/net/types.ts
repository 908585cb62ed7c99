/** What the server tells, as docs/protocol.md says it. */
export interface SeatInfo {
  name: string;
  program: string | null;
  free: boolean;
  away: boolean;
  /** How often the solver has helped, in a race. */
  hints: number;
}

export interface Clock {
  kind: "none" | "turn" | "bank";
  seconds: number;
  increment: number;
}

/** What everybody knows of a table. */
export interface Summary {
  id: string;
  game: string;
  options: Options;
  phase: "waiting" | "playing" | "over";
  visibility: "public" | "private";
  spectators: "none" | "public" | "all";
  pace: number;
  /** What may be shown before a laying is made. */
  aids: "all" | "places" | "none";
  /** Whether the solver helps in a race. */
  hints: "yes" | "alone" | "no";
  seats: SeatInfo[];
  clock: Clock;
  commitment: string;
  seed?: string;
  /** When a race begins for all, by the server's clock. */
  begins: number | null;
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

/** An event has its kind as `event`; its other fields depend on it, and stand with the game that has it. */
export interface GameEvent {
  event: string;
  player?: number;
  [field: string]: unknown;
}

export interface Laid extends GameEvent {
  event: "laid";
  player: number;
  laying: string;
  earned: Earned;
  charge: number;
  scores: boolean;
}

export const isLaid = (event: GameEvent): event is Laid => event.event === "laid";

export interface Move {
  player: number;
  move: string;
  [field: string]: unknown;
}

/** What one player, or a spectator, sees: what games of turns have in common. More stands with each game. */
export interface View {
  game: string;
  viewer: number | null;
  options: Options;
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
}

/** What may be a number, or something that a game by somebody else calls so. */
export const numberOr = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** What was agreed on; which options there are depends on the game. */
export interface Options {
  /** The name of a set of dominoes, or a set of one's own. */
  set?: unknown;
  target?: number;
  [name: string]: unknown;
}

/** By the number of a seat, or `spectator`. */
export type Views<V extends View = View> = Record<string, V>;

export interface TableMessage<V extends View = View> {
  type: "table";
  version: number;
  now: number;
  /** When the table came to this version. */
  at?: number;
  table: Summary;
  yours: number[];
  views: Views<V>;
  events: GameEvent[];
}

export type FromServer =
  | TableMessage
  | { type: "accepted"; id: string; version: number }
  | { type: "refused"; id?: string; code: string; message: string }
  | { type: "legal"; id: string; version: number; moves: Move[] }
  | { type: "pong"; id: string; now: number };
