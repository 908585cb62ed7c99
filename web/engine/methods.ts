/** What a page may ask the engine: the arguments and answers of `src/dalapapa/edition/methods.py`. */

export interface Move {
  player: number | null;
  move: string;
  [field: string]: unknown;
}

/** All that a game depends on. The page keeps it, and sends it with each question. */
export interface GameLog {
  game: string;
  players: string[];
  seed: string;
  options?: Record<string, unknown>;
  moves?: Move[];
}

export interface NewGame {
  game: string;
  players: string[];
  options?: Record<string, unknown>;
  seed?: string;
}

export interface Turned {
  log: GameLog;
  events: Array<{ event: string; [field: string]: unknown }>;
  to_act: number[];
  timer: number | null;
  outcome: { scores: number[]; winners: number[]; reason: string } | null;
}

export interface Legal {
  laying: string;
  points: number;
  contacts: number;
  [part: string]: unknown;
}

export interface Frame {
  width?: number;
  height?: number;
  pile?: number;
  tiles?: string[];
  position?: string;
  set?: "120" | "72";
  faces?: string;
  count?: number;
  seed?: string;
  seconds?: number;
}

export interface Problem {
  kind: "turn" | "frame";
  grade: number;
  seed: string;
  date: string | null;
  position: string[];
  frame: [number, number] | null;
  tiles: string[];
  solution?: string[];
  points?: number;
  gap?: number;
}

/** A table of this device and its log, as its host stores them (`src/dalapapa/edition/device/messages.py`). */
export interface TableAndLog {
  table: unknown;
  log: unknown[];
}

export interface Methods {
  describe: {
    asks: Record<string, never>;
    answers: { version: string; compiled: boolean; games: Record<string, string[]> };
  };
  legal: { asks: { tiles: string[]; position?: string; set?: "120" | "72" }; answers: Record<string, Legal[]> };
  best: {
    asks: { hand: string[]; position?: string; set?: "120" | "72"; top?: number };
    answers: Array<{ layings: string[]; points: number } | null>;
  };
  solve: { asks: Frame; answers: { solutions: string[][]; complete: boolean; nodes: number } };
  problem: {
    asks: { kind?: "turn" | "frame"; date?: string; seed?: string; grade?: number; solution?: boolean };
    answers: Problem;
  };
  begin: { asks: NewGame; answers: Turned };
  play: { asks: { log: GameLog; move: Move }; answers: Turned };
  view: {
    asks: { log: GameLog; seat?: number | null; tile?: string };
    answers: { view: Record<string, unknown>; legal: Move[] | null };
  };
  choose: { asks: { log: GameLog; seat: number; bot: string }; answers: Move };
  simulate: { asks: NewGame & { seconds?: number }; answers: string };
  record: { asks: { log: GameLog }; answers: string };
  verify: { asks: { record: string }; answers: Record<string, unknown> };
  review: { asks: { record: string; language?: string; seconds?: number }; answers: Record<string, unknown> };
  /** Sessions with prompts, as the documentation shows them: the last one with what it prints now. */
  run_examples: { asks: { sessions: string[] }; answers: string };
  /** The server's answer to a request to its HTTP API (docs/http-api.md), for some paths below `/api`. */
  request: { asks: { path: string; query?: Record<string, string>; body?: unknown }; answers: unknown };
  think: { asks: TableAndLog & { seat: number; bot: string }; answers: Move };
  hint: {
    asks: TableAndLog & { seat: number; width?: number | null; seconds?: number };
    answers: { possible: boolean | null; laying: string | null; width: number | null };
  };
  review_table: { asks: TableAndLog & { language?: string }; answers: Record<string, unknown> };
  compare_table: { asks: TableAndLog & { seat: number }; answers: Record<string, unknown> | null };
}
