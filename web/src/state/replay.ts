/**
 * A game that is over, without a screen: its positions, its score curves, and what each turn left
 * on the table. Position 0 is the beginning, position n is what lies there after the n-th move.
 */
import { type Laying, parseLaying } from "../geometry.ts";
import type { Game } from "../games/game.ts";
import { gameOf } from "../games/general.ts";
import type { Moment, ReplayDocument, ReplayTurn } from "../net/study.ts";
import type { RaceView, View } from "../net/protocol.ts";
import { tileSet } from "../data.ts";
import { nameSeat } from "./cast.ts";
import { lastTurn } from "./session.ts";
import type { LogEntry } from "./table-store.ts";
import type { Frame } from "./placement.ts";
import { frameFor, framesFor, countNeeded } from "./races.ts";
import type { Standing } from "./standing.ts";
import { type Run, runsOf } from "./times.ts";
import { itemAt, requireValue } from "../values.ts";

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

  constructor(readonly document: ReplayDocument) {
    this.moments = [document.start, ...document.steps];
    this.turns = document.turns.map((turn, i) => ({
      ...turn,
      number: i + 1,
      points: turn.announced ?? turn.points, // What was announced is scored.
      missed: Math.max(0, turn.lost),
    }));
  }

  get game(): Game {
    return gameOf(this.document.game);
  }

  get names(): string[] {
    return this.document.players.map(nameSeat).map(({ name }) => name);
  }

  get last(): number {
    return this.moments.length - 1;
  }

  readonly set = () => tileSet(this.document.options.set ?? this.game.set);

  /** The name of the set for questions; null for a set of one's own, which no question takes. */
  get setName(): string | null {
    const { set = this.game.set } = this.document.options;
    return typeof set === "string" ? set : null;
  }

  at(position: number): Moment {
    return itemAt(this.moments, Math.min(this.last, Math.max(0, position)));
  }

  /** What a spectator sees at a position. */
  view(position: number): View {
    return { ...this.at(position).view, options: this.document.options };
  }

  /** The same of a race. */
  raceView(position: number): RaceView | null {
    return this.game.race && (this.view(position) as RaceView);
  }

  /** What each player has at a position, in what the game counts. */
  counts(position: number): number[] {
    const { scores, hand_counts } = this.at(position).view;
    return (
      this.raceView(position)?.frames.map((frame) => frame.length)
      ?? (this.game.measure === "left" ? hand_counts : scores)
      ?? []
    );
  }

  /** Whether the count of a player ever changed. */
  get eventful(): boolean {
    const first = this.counts(0);
    return this.moments.some((_, position) => this.counts(position).some((count, seat) => count !== first[seat]));
  }

  /** How it stands for the player to move, in a game that the coach advises on. */
  standing(position: number): Standing | undefined {
    return this.game.standing(this.view(position));
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
    return this.game.underWay(this.view(position)).map(({ laying }) => parseLaying(laying));
  }

  /** What happened, move by move. */
  get log(): LogEntry[] {
    return this.moments.map(({ events }, version) => ({ version, events }));
  }

  /** Layings of the turn that was finished last. */
  lastTurn(position: number): Laying[] {
    return lastTurn(this.log.slice(0, position + 1), this.view(position)).map(parseLaying);
  }

  /** The turn that a position belongs to, if the game's turns are known. */
  turnAt(position: number): TurnSummary | null {
    return this.turns.find(({ first, last }) => first <= position && position <= last) ?? null;
  }

  /** The position where the turn before, or after, begins: what Page Up and Page Down go to. */
  turnFrom(position: number, step: 1 | -1): number {
    const starts = this.#turnStarts();
    if (step > 0) return starts.find((start) => start > position) ?? this.last;
    return starts.filter((start) => start < position).at(-1) ?? 0;
  }

  #turnStarts(): number[] {
    if (this.turns.length) return this.turns.map(({ first }) => first);
    return this.moments.flatMap(({ events }, i) =>
      events.some(({ event }) => event === "turn_ended" || event === "passed" || event === "framed" || event === "laid")
        ? [i]
        : [],
    );
  }

  /**
   * What a bot has played for a person: so many of all turns; or null if it has not. Games without known turns count
   * none.
   */
  standIn(seat: number): { count: number; all: number } | null {
    const isPerson = !this.document.players[seat]?.program;
    const isBots = ({ move, cause = "player" }: Moment) => move?.player === seat && cause !== "player";
    if (!isPerson || !this.moments.some((moment) => isBots(moment) && moment.move?.move !== "end")) return null;
    const own = this.turns.filter(({ player }) => player === seat);
    return { count: own.filter(({ stand_in }) => stand_in).length, all: own.length };
  }

  /** How a player did, compared with the best turns; what a bot has played instead does not count. */
  player(seat: number): PlayerSummary {
    const own = this.turns.filter(({ player, stand_in }) => player === seat && !stand_in);
    return {
      turns: own.length,
      perfect: own.filter(({ missed }) => missed === 0).length,
      missed: own.reduce((sum, { missed }) => sum + missed, 0),
      finest:
        this.game.unit !== "points"
          ? null
          : own.reduce<TurnSummary | null>((best, turn) => (turn.points > (best?.points ?? 0) ? turn : best), null),
    };
  }

  /** The times of all players of a race; null where its beginning is unknown: in a record. */
  runs(): Run[] | null {
    const { begins, options } = this.document;
    if (!this.game.race || begins === undefined) return null;
    return runsOf(this.moments, this.names.length, countNeeded(itemAt(this.game.race.frames(options, []), 0)), begins);
  }

  /** Milliseconds from the start of a race to a position. */
  timeAt(position: number): number | null {
    const [{ begins }, { at }] = [this.document, this.at(position)];
    return begins === undefined || at === undefined ? null : at - begins;
  }

  /** The frame of a race; one that may lie either way lies as its player has begun it. */
  frame(position: number, seat: number): Frame {
    const race = requireValue(this.game.race, "a race");
    const laidAt = (at: number) =>
      itemAt(requireValue(this.raceView(at), "the view of a race").frames, seat).map(parseLaying);
    const [now, last] = [laidAt(position), laidAt(this.last)];
    return frameFor(framesFor(race.frames(this.document.options, now), now), last.concat(now));
  }
}
