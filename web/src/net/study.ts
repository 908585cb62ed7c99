/** Questions that need no table: replays, frames to fill, pages of the rules (docs/protocol.md). */
import type { GameName } from "../data.ts";
import { ask, type Turn } from "./api.ts";
import type { GameEvent, Move, Outcome, View } from "./types.ts";

/** The game after a move, as a spectator sees it, and all hands. */
export interface Moment {
  events: GameEvent[];
  view: Omit<View, "options">;
  hands: string[][] | null;
  /** What was done; the beginning has none. */
  move?: Move;
  cause?: "player" | "program" | "time";
  at?: number;
}

/** A turn, or a round of Alex: positions `first` to `last` belong to it. */
export interface ReplayTurn {
  player: number | null;
  first: number;
  last: number;
  points: number;
  /** Alex: what was announced. */
  announced?: number;
  best: Turn | null;
}

export interface ReplayDocument {
  game: GameName;
  options: Record<string, any>;
  players: { name: string; program?: string }[];
  start: Moment;
  steps: Moment[];
  turns: ReplayTurn[];
  outcome: Outcome | null;
}

export interface FrameQuestion {
  width: number;
  height: number;
  tiles: string[];
  position: string;
  faces: "both" | "recto";
  count: number;
  seed: string;
  set: string;
}

export interface Solutions {
  solutions: string[][];
  /** Final: as many as asked for, or all there are, perhaps none. */
  complete: boolean;
  nodes: number;
}

/** What a figure of the rules shows; which parts there are depends on the figure. */
export interface Figure {
  set?: string;
  position: string;
  laying?: string | null;
  turn?: string[];
  frame?: [number, number];
  tiles?: string[];
  /** A text on the group with this disc, or on this domino. */
  labels?: Record<string, [number, number] | string>;
  /** Colours and sizes of the groups that the laying, or the turn, closes. */
  closes?: [string, number][];
  closed_sizes?: number[] | null;
  joins?: { colour: string };
}

export interface RulesPage {
  text: string;
  figures: Record<string, Figure>;
}

const table = (id: string) => `/tables/${encodeURIComponent(id)}`;

export const study = {
  replay: (id: string, token: string | null) => ask<ReplayDocument>(`${table(id)}/replay`, { token }),
  record: (id: string, token: string | null) => ask<unknown>(`${table(id)}/record`, { token }),
  verify: (record: unknown) => ask<ReplayDocument>("/replay", { body: record }),
  solve: (frame: FrameQuestion, signal?: AbortSignal) => ask<Solutions>("/solve", { body: frame, signal }),
  rules: (game: string, language: string) => ask<RulesPage>(`/rules/${encodeURIComponent(game)}?language=${language}`),
};
