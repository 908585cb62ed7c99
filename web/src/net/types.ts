/** What the server tells, as docs/protocol.md says it. */
export interface SeatInfo {
  name: string;
  program: string | null;
  free: boolean;
  /** Its player has left the game: a program plays. */
  away: boolean;
  /** The others let the program play, because its player was absent. */
  replaced: boolean;
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
  /** Whose dominoes a player sees. */
  hands: "own" | "open";
  /** Seconds until the others may let a program play for an absent player; 0: never. */
  absence: number;
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
  /** The seat that may send guests away; null once the game has begun. */
  host: number | null;
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
  /** The dominoes of everybody, where hands are open. */
  hands?: string[][];
  /** What one's own seats may do, by their number; not in races, nor in games by others. */
  may?: Record<string, May>;
}

/** A laying, with what it would earn in the classic game where the host lets that be told. */
export interface Offered extends Partial<Earned> {
  laying: string;
  disc_points?: number;
  group_points?: number;
  points?: number;
}

/** What a seat may do now. */
export interface May {
  /** Other than layings. */
  moves: Move[];
  /** These layings are legal moves; if not, they can be tried. */
  lays: boolean;
  layings: Record<string, Offered[]>;
}

export type Greeting = "hello" | "well_played" | "thanks" | "oops" | "thinking" | "good_game";

/** Whether the player of a seat is there; null: it is a program's, or free. */
export interface SeatCompany {
  state: "here" | "away" | "left" | null;
  /** Since when somebody is away. */
  since?: number;
  /** From when on the others may let a program play. */
  replace?: number;
}

/** What comes besides the table, and is kept nowhere. */
export type SocialMessage =
  | { type: "company"; seats: SeatCompany[]; spectators: number }
  | { type: "greeting"; seat: number; greeting: Greeting }
  | { type: "reminder"; seat: number; by: number };

export type FromServer =
  | TableMessage
  | SocialMessage
  | { type: "accepted"; id: string; version: number }
  | { type: "refused"; id?: string; code: string; message: string }
  | { type: "legal"; id: string; version: number; moves: Move[] }
  | { type: "removed" }
  | { type: "done"; id: string; reached?: boolean }
  | { type: "pong"; id: string; now: number; version: number };
