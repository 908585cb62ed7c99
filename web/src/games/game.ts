/**
 * What shared modules ask of a game, without a screen. A folder here is a game: `game.ts` says where it
 * differs from the general game of turns (`general.ts`), `card.tsx` how it is offered, `table.tsx` how it is
 * played, `texts/` its words. `games.mjs` writes the index of the folders.
 */
import type { TileSet } from "../data.ts";
import type { Disc, Laying } from "../geometry.ts";
import type { TextName, Values } from "../i18n.ts";
import type { GameEvent, Move, Options } from "../net/open.ts";
import type { Laid, RaceView, View } from "../net/protocol.ts";
import type { Frame } from "../state/placement.ts";
import type { Standing } from "../state/standing.ts";

/** What a game counts: points, dominoes left in hand, or dominoes in a frame. */
export type Measure = "points" | "left" | "framed";

/** What the turns of a game are counted in. */
export type Unit = "points" | "discs" | "cells";

/** What the rules of a game call what layings make. */
export interface GameWords {
  /** So many new discs. */
  discs: TextName;
  /** Groups of one colour closed, with their sizes. */
  closes: TextName;
  /** How large a group is. */
  size: TextName;
  /** The groups that can be marked. */
  markable: TextName;
}

export const USUAL_WORDS: GameWords = {
  discs: "said_discs",
  closes: "said_closes",
  size: "said_discs",
  markable: "mark_list",
};

export interface Game<V extends View = View> {
  measure: Measure;
  unit: Unit;
  /** The set that is meant where the options name none. */
  set: string;
  /** All act at once: there is no clock for turns, and no hand to cover. */
  atOnce: boolean;
  /** What a turn is elsewhere is a round of all here. */
  inRounds: boolean;
  /** What is shown of a laying beforehand: its classic points; the discs and groups it makes, or the discs alone. */
  preview: "points" | "makes" | "discs" | null;
  /** What it calls discs and groups. */
  words: GameWords;
  /** Players who have said that they do not act out of turn. */
  declined(view: V): readonly number[];
  /** The layings of the turn under way. */
  underWay(view: V): Laid[];
  /** The events with which a turn is over, and those with which one begins, where that is said. */
  turnEnds: readonly string[];
  turnBegins: readonly string[];
  /** Events of others that belong to a turn nevertheless. */
  shared: readonly string[];
  /** What is undone by which event. */
  undoes: Readonly<Record<string, string>>;
  /** How its events read in the log. */
  eventSentences: EventSentences;
  /** How all other events read; null where they are left out. */
  otherSentence: EventSentence | null;
  /** Events that everybody sees anyway. */
  quiet: readonly string[];
  /** Events that are not announced: what is to be done then says it. */
  unannounced: readonly string[];
  /** Keys that only this game has. */
  keys: readonly GameKey[];
  /** Time to see the last move before the result covers it, in milliseconds. */
  pause(events: readonly GameEvent[]): number;
  /** Pieces on discs of the table. */
  /** Options that are asked together with the players, before all others. */
  asked: readonly string[];
  marks(view: V): readonly Mark[];
  /** The colour of a player's markers, if it is not that of the seat. */
  markerOf(view: V, seat: number): MarkerPaint | undefined;
  /** The dominoes that lie open for all. */
  drawn(view: V): readonly string[];
  /** In a replay, what a player has besides a score. */
  goods(view: V, seat: number): string | null;
  /** How it stands for the player to move, where the coach advises. */
  standing(view: V): Standing | undefined;
  /** How frames are filled; null where all share one table. */
  race: Race | null;
}

/** What a folder says of its game; the rest is as in the general game of turns. */
export type GameParts<V extends View = View> = Partial<Game<V>>;

export type MarkerPaint = "black" | "brown" | "beige" | "orange";

export interface Mark {
  player: number;
  disc: Disc;
}

export interface GameKey {
  /** As they are shown. */
  keys: string[];
  text: TextName;
  /** The move that the key makes, where that is all. */
  move?: string;
}

/** To what is to be said or chosen, beside the hand. */
export const PANEL_KEYS: GameKey = { keys: ["B", "M"], text: "key_panel" };

/** A move under way: the server has not confirmed it yet. */
export interface Sent {
  readonly move: Move;
  /** In a race, the domino that was in hand. */
  readonly held: string | null;
}

/** A game in which everybody fills a frame. */
export interface Race<V extends RaceView = RaceView> {
  /** The frames that a player with these layings may fill, the usual one first. */
  frames(options: Options, layings: readonly Laying[]): readonly Frame[];
  /** The domino in hand, given the one that this player has pointed at. */
  held(view: V, seat: number, picked: string | null, layings: readonly Laying[], set: TileSet): string | null;
  /** The dominoes that a frame can be filled with, those that lie there included. */
  stock(view: V, seat: number, set: TileSet): string[];
  /** What makes times comparable: the size of the frame and the dominoes; null where no other race has them. */
  course(options: Options): string | null;
  /** The pile that a player fills the frame from. */
  pile?(view: V, seat: number): number | undefined;
  /** What a player sees who has made a move that the server has not answered yet; the same once it has. */
  after(view: V, sent: Sent): V;
  /** In a replay, what a player has in hand; undefined where there is no hand. */
  inHand?(view: V, seat: number): string | null;
}

/** Says a text with the name of the event's player. */
export type Say = (text: TextName, values?: Values) => string;

/** One line for an event, `among` those of the same move; null: not worth one. */
export type EventSentence<E = GameEvent> = (
  event: E & GameEvent,
  say: Say,
  names: readonly string[],
  among: readonly GameEvent[],
) => string | null;

export type EventSentences = Readonly<Record<string, EventSentence<never>>>;

/** Sentences by the kinds of events, with the fields that each kind has. */
export function eventSentences<Events>(all: { [Kind in keyof Events]: EventSentence<Events[Kind]> }): EventSentences {
  return all as EventSentences;
}
