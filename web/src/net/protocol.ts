/**
 * The messages of a table's socket. Written by scripts/write_protocol_types.py: change
 * src/dalapapa/hosting/protocol.py instead.
 */
import type { GameEvent, Move, Options } from "./open.ts";

/** The first message: the tokens of the client's seats (none for a spectator). */
export interface Hello {
  type: "hello";
  tokens?: string[];
  with?: string[];
}

/** A move. The same id is never carried out twice. */
export interface Play {
  type: "move";
  id: string;
  move: Move;
  version?: number;
}

/** Ask for the legal moves of one of your seats; with `tile`, the layings of a domino. */
export interface Legal {
  type: "legal";
  id: string;
  seat: number;
  tile?: string;
}

/** Ask for the server's time. */
export interface Ping {
  type: "ping";
  id: string;
}

/** Send a greeting from one of your seats to everyone at the table. */
export interface Greet {
  type: "greet";
  id: string;
  seat: number;
  greeting: Greeting;
}

/** Remind a player whom the table waits for. */
export interface Remind {
  type: "remind";
  id: string;
  seat: number;
}

export type FromClient = Hello | Play | Legal | Ping | Greet | Remind;

/** A table as a viewer may see it. */
export interface TableMessage<V extends View = View> {
  type: "table";
  version: number;
  now: number;
  at: number;
  table: TableSummary;
  yours: number[];
  views: Record<string, V>;
  acting: number[];
  invited: number[];
  events: GameEvent[];
  may?: Record<string, May>;
  hands?: string[][];
}

/** A table as all viewers may see it; with the seed once the game is over. */
export interface TableSummary {
  id: string;
  game: string;
  options: Options;
  phase: "waiting" | "playing" | "over";
  visibility: "public" | "private";
  spectators: "none" | "public" | "all";
  pace: number;
  aids: "all" | "places" | "none";
  hands: "own" | "open";
  absence: number;
  countdown: number;
  hints: "yes" | "alone" | "no";
  seats: SeatSummary[];
  clock: Clock;
  commitment: string;
  begins: number | null;
  deadline: number | null;
  timer: number | null;
  rematch: string | null;
  host: number | null;
  capabilities: Capability[];
  ends?: number;
  time_runs_for?: number | null;
  time_left?: number[];
  seed?: string;
}

/** A seat as all viewers may see it. */
export interface SeatSummary {
  name: string;
  program: string | null;
  free: boolean;
  away: boolean;
  replaced: boolean;
  hints: number;
}

/** The time that players have in games with turns. */
export interface Clock {
  kind: "none" | "turn" | "bank";
  seconds: number;
  increment: number;
}

/** What one viewer sees of a state. This class has the fields of all games. */
export interface View {
  game: string;
  viewer: number | null;
  options: Options;
  phase: string;
  can_undo: boolean;
  outcome: Outcome | null;
  // Of games in turns on a common table.
  table?: string;
  bag_count?: number;
  hand?: string[];
  hand_counts?: number[];
  active?: number;
  scores?: number[];
  turn?: Laid[];
  last_round?: boolean;
}

/** How a game ended. Several winners share the victory. */
export interface Outcome {
  scores: number[];
  winners: number[];
  reason: string;
}

/** A domino was laid. Where it does not score (a setup, Gone), `earned` only has the discs. */
export interface Laid extends GameEvent {
  event: "laid";
  player: number;
  laying: string;
  earned: Earned;
  charge: number;
  scores: boolean;
}

/** The points of one laid domino, before any charge. */
export interface Earned {
  contacts: number;
  groups: ClosedGroup[];
}

/** A group that a laying has just closed: one point for each of its discs. */
export interface ClosedGroup {
  colour: string;
  size: number;
}

/** What a seat may do now. */
export interface May {
  moves: Move[];
  lays: boolean;
  layings: Record<string, OfferedLaying[]>;
  hand: string[];
  can_try: boolean;
  charge: number;
  aids?: boolean;
}

/** A laying of `May`; with what it would earn where the table allows to show that. */
export interface OfferedLaying {
  laying: string;
  contacts?: number;
  disc_points?: number;
  groups?: ClosedGroup[];
  group_points?: number;
  points?: number;
}

/** Who is connected: for clients that have asked for `company` in their hello. */
export interface PresenceMessage {
  type: "company";
  seats: SeatPresence[];
  spectators: number;
}

/** Whether the player of a seat is connected; null: it is free, or for a bot. */
export interface SeatPresence {
  state: "here" | "away" | "left" | null;
  since?: number;
  replace?: number;
}

/** A player greets everyone at the table. */
export interface GreetingMessage {
  type: "greeting";
  seat: number;
  greeting: Greeting;
}

/** A player reminds another one that the table waits. */
export interface ReminderMessage {
  type: "reminder";
  seat: number;
  by: number;
}

/** A move was carried out; it is durable. */
export interface Accepted {
  type: "accepted";
  id: string;
  version: number;
}

/** A request was refused, or with no `id`, the connection. */
export interface RefusedMessage {
  type: "refused";
  code: string;
  message: string;
  values?: Record<string, number | string>;
  id?: string;
}

/** The answer to `legal`. */
export interface LegalMoves {
  type: "legal";
  id: string;
  version: number;
  moves: Move[];
}

/** A greeting or a reminder was sent; `reached`: a page of the player was open. */
export interface Done {
  type: "done";
  id: string;
  reached?: boolean;
}

/** The answer to `ping`. */
export interface Pong {
  type: "pong";
  id: string;
  now: number;
  version: number;
}

/** The host has sent this guest away. */
export interface RemovedMessage {
  type: "removed";
}

export type FromServer =
  | TableMessage
  | PresenceMessage
  | GreetingMessage
  | ReminderMessage
  | Accepted
  | RefusedMessage
  | LegalMoves
  | Done
  | Pong
  | RemovedMessage;

/** What one viewer sees: everything. */
export interface RaceView extends View {
  frames: string[][];
  given_up: number[];
}

/** The texts of a game in one language. */
export interface GameTexts {
  title?: string;
  description?: string;
  moves?: Record<string, MoveTexts>;
  events?: Record<string, string>;
  options?: Record<string, OptionTexts>;
}

/** A kind of move: its button, and the list of its legal moves if there are several. */
export interface MoveTexts {
  label: string;
  help?: string;
  variant?: string;
}

/** An option in the form of a new table. */
export interface OptionTexts {
  label: string;
  help?: string;
  choices?: Record<string, string>;
}

export type Greeting = "hello" | "well_played" | "thanks" | "oops" | "thinking" | "good_game";

export type Capability = "share" | "review" | "verify" | "delete" | "move" | "linked_challenge";
