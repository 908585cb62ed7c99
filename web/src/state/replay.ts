/**
 * A game that is over, without a screen: its positions, its score curves, and what each turn left
 * on the table. Position 0 is the beginning, position n is what lies there after the n-th move.
 */
import { type Laying, parseLaying } from "../geometry.ts";
import type { Moment, ReplayDocument, ReplayTurn } from "../net/study.ts";
import { tileSet } from "../data.ts";
import { lastTurn, named } from "./session.ts";
import type { Frame } from "./placer.ts";
import type { Standing } from "./standing.ts";

/** What a game counts: points, dominoes left in hand, or dominoes in a frame. */
export type Measure = "points" | "left" | "framed";

/** What the turns of a game are counted in. */
export type Unit = "points" | "discs" | "cells";

export interface TurnSummary extends ReplayTurn {
  /** From 1. */
  number: number;
  /** How much less than the best turn would have brought. */
  missed: number;
}

export interface PlayerSummary {
  turns: number;
  /** Turns that could not have been better. */
  perfect: number;
  missed: number;
  /** The turn with the most points, where points are counted. */
  finest: TurnSummary | null;
}

export class Replay {
  readonly moments: Moment[];
  readonly turns: TurnSummary[];
  readonly measure: Measure;

  constructor(readonly document: ReplayDocument) {
    this.moments = [document.start, ...document.steps];
    this.measure = document.start.view.frames ? "framed" : document.start.view.scores ? "points" : "left";
    this.turns = document.turns.map((turn, i) => ({
      ...turn,
      number: i + 1,
      points: turn.announced ?? turn.points, // In Alex, what was announced is scored.
      missed: Math.max(0, turn.lost),
    }));
  }

  get names(): string[] {
    return this.document.players.map(named).map(({ name }) => name);
  }

  get unit(): Unit {
    return this.document.game === "gone" ? "discs" : this.document.game === "72" ? "cells" : "points";
  }

  get last(): number {
    return this.moments.length - 1;
  }

  readonly set = () => tileSet(this.document.options.set ?? (this.document.game === "72" ? "72" : "120"));

  /** The name of the set for questions; null for a set of one's own, which no question takes. */
  get setName(): string | null {
    const { set } = this.document.options;
    return set === undefined ? (this.document.game === "72" ? "72" : "120") : typeof set === "string" ? set : null;
  }

  at(position: number): Moment {
    return this.moments[Math.min(this.last, Math.max(0, position))]!;
  }

  /** What each player has at a position, in what the game counts. */
  counts(position: number): number[] {
    const { view } = this.at(position);
    return view.scores ?? view.frames?.map((frame) => frame.length) ?? view.hand_counts ?? [];
  }

  /** Whether anybody's count ever changed. */
  get eventful(): boolean {
    const first = this.counts(0);
    return this.moments.some((_, position) => this.counts(position).some((count, seat) => count !== first[seat]));
  }

  /** How a classic game stands for whoever is to move; nothing of other games, which the coach does not advise on. */
  standing(position: number): Standing | undefined {
    const { view } = this.at(position);
    const { game, options } = this.document;
    if (game !== "classic" || view.active === undefined || !view.scores) return undefined;
    const { active, scores } = view;
    const ahead = scores.map((_, i) => scores[(active + i) % scores.length]!);
    return { scores: ahead, target: options.target, began: (options.first - active + scores.length) % scores.length };
  }

  /** For each player, the count at every position. */
  curves(): number[][] {
    return this.names.map((_, seat) => this.moments.map((_moment, position) => this.counts(position)[seat] ?? 0));
  }

  layings(position: number): Laying[] {
    return (this.at(position).view.table ?? "").split(/\s+/).filter(Boolean).map(parseLaying);
  }

  /** Layings of the turn under way. */
  staged(position: number): Laying[] {
    const { turn, laid } = this.at(position).view;
    return [...(turn ?? []), ...(laid ? [laid] : [])].map((event) => parseLaying(event.laying));
  }

  /** Layings of the turn that was finished last. */
  lastTurn(position: number): Laying[] {
    const log = this.moments.slice(0, position + 1).map(({ events }, version) => ({ version, events }));
    const { view } = this.at(position);
    return lastTurn(log, { ...view, options: {} }).map(parseLaying);
  }

  /** The turn that a position belongs to, if the game's turns are known. */
  turnAt(position: number): TurnSummary | null {
    return this.turns.find(({ first, last }) => first <= position && position <= last) ?? null;
  }

  /** The position where the turn before, or after, begins: what Page Up and Page Down go to. */
  turnFrom(position: number, step: 1 | -1): number {
    const starts = this.turnStarts();
    if (step > 0) return starts.find((start) => start > position) ?? this.last;
    return starts.filter((start) => start < position).at(-1) ?? 0;
  }

  private turnStarts(): number[] {
    if (this.turns.length) return this.turns.map(({ first }) => first);
    return this.moments.flatMap(({ events }, i) =>
      events.some(({ event }) => event === "turn_ended" || event === "passed" || event === "framed" || event === "laid") ? [i] : [],
    );
  }

  /** How a player did, compared with the best turns. */
  player(seat: number): PlayerSummary {
    const own = this.turns.filter(({ player }) => player === seat);
    return {
      turns: own.length,
      perfect: own.filter(({ missed }) => missed === 0).length,
      missed: own.reduce((sum, { missed }) => sum + missed, 0),
      finest: this.unit !== "points" ? null : own.reduce<TurnSummary | null>((best, turn) => (turn.points > (best?.points ?? 0) ? turn : best), null),
    };
  }

  /** The frame of a race; Arlequin's lies as its player has begun it. */
  frame(position: number, seat: number): Frame {
    const { game, options } = this.document;
    if (game === "puzzle") return { width: options.width ?? 4, height: options.height ?? 4 };
    const layings = (this.moments[this.last]!.view.frames?.[seat] ?? []).concat(this.at(position).view.frames?.[seat] ?? []);
    return framedBy(layings.map(parseLaying));
  }
}

/** Arlequin's frame: upright, unless something lies where only the other one reaches. */
export function framedBy(layings: readonly Laying[]): Frame {
  const lying = layings.some(({ x, rotation }) => x + (rotation === 0 ? 1 : 0) >= 8);
  return lying ? { width: 10, height: 8 } : { width: 8, height: 10 };
}
