/** Questions that need no table: replays, frames to fill, pages of the rules (docs/protocol.md). */
import type { Disc, Side } from "../geometry.ts";
import { ask, path, type Turn } from "./api.ts";
import type { GameEvent, Move, Options } from "./open.ts";
import type { Outcome, View } from "./protocol.ts";

/** The game after a move, as a spectator sees it, and all hands. */
export interface Moment {
  events: GameEvent[];
  view: Omit<View, "options">;
  hands: string[][] | null;
  /** Whose turn it is. */
  acting: number[];
  /** What was done; the beginning has none. */
  move?: Move;
  cause?: "player" | "program" | "time";
  at?: number;
}

/** A turn, a round of Alex, a laying of Gone or 72: positions `first` to `last` belong to it. */
export interface ReplayTurn {
  player: number | null;
  first: number;
  last: number;
  layings: string[];
  /** In Gone the discs, in 72 the cells that were closed. */
  points: number;
  /** How much less than the best one, as far as that matters. */
  lost: number;
  /** Alex: what was announced. */
  announced?: number;
  /** A bot played it for a person: it counts for no one. */
  stand_in?: boolean;
  best: Turn | null;
}

export interface ReplayDocument {
  game: string;
  options: Options;
  players: { name: string; program?: string }[];
  /** Of a race at a table: when it began, and how often the solver has helped each player. */
  begins?: number;
  hints?: number[];
  start: Moment;
  steps: Moment[];
  turns: ReplayTurn[];
  outcome: Outcome | null;
}

/** A number: exact, or the mean of samples with its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
  samples: number;
  exact: boolean;
}

export interface ReviewTurn extends ReplayTurn {
  number: number;
  /** Of its player to win after it (classic). */
  chance: Estimate | null;
  better: (Turn & { chance: Estimate | null }) | null;
  lost_chance: Estimate | null;
  /** Why something else would have been better, in the language asked for. */
  why: string;
}

/** A game that is over as the coach sees it (docs/coach.md). */
export interface ReviewDocument {
  game: string;
  language: string;
  unit: "points" | "discs" | "cells" | "moves";
  /** What the curve shows: chances to win, or how full the frames are. */
  measure: "chance" | "full";
  players: {
    name: string;
    turns: number;
    best_turns: number;
    lost: number;
    pace?: { framed: number; needed: number; moves: number; taken_out: number };
  }[];
  curve: { position: number; chances: Estimate[] }[];
  turns: ReviewTurn[];
  /** The numbers of the turns with the biggest chances missed. */
  missed: number[];
  winners: number[];
}

export interface CoachQuestion {
  position: string;
  hand: string[];
  set: string;
  /** In the order of play, from the player who moves first. */
  scores: number[];
  target: number;
  began: number;
  language: string;
}

/** One of the best turns: what it leaves, and why it is good or not so good. */
export interface CoachTurn extends Turn {
  leaves: {
    /** What an unseen domino earns on average. */
    mean: number;
    reply: { points: number; laying: string; tiles: string[] } | null;
    kept: string | null;
    kept_points: number;
    next: Estimate;
  };
  chance: Estimate;
  why: string;
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
  /** How many half-discs of the laying meet another colour: it is forbidden. */
  clashes?: number;
  /** Discs of a single domino to point at, on either face, as it lies flat on cell 0,0. */
  outline?: Record<Side, Disc[]>;
}

export interface RulesPage {
  text: string;
  figures: Record<string, Figure>;
}

export const study = {
  replay: (id: string, token: string | null) => ask<ReplayDocument>(`${path(id)}/replay`, { token }),
  record: (id: string, token: string | null) => ask<unknown>(`${path(id)}/record`, { token }),
  verify: (record: unknown) => ask<ReplayDocument>("/replay", { body: record }),
  review: (id: string, token: string | null, language: string, signal?: AbortSignal) =>
    ask<ReviewDocument>(`${path(id)}/review?language=${language}`, { token, signal }),
  reviewRecord: (record: unknown, language: string, signal?: AbortSignal) =>
    ask<ReviewDocument>(`/review?language=${language}`, { body: record, signal }),
  coach: (question: CoachQuestion, signal?: AbortSignal) =>
    ask<{ turns: CoachTurn[] }>("/coach", { body: question, signal }),
  solve: (frame: FrameQuestion, signal?: AbortSignal) => ask<Solutions>("/solve", { body: frame, signal }),
  rules: (game: string, language: string, signal?: AbortSignal) =>
    ask<RulesPage>(`/rules/${encodeURIComponent(game)}?language=${language}`, { signal }),
};
