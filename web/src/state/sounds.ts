/** Which sound belongs to what has happened, without a screen or a speaker. */
import type { Game } from "../games/game.ts";
import { parseLaying } from "../geometry.ts";
import { type GameEvent, isLaid } from "../net/open.ts";
import type { RaceView, View } from "../net/protocol.ts";
import { earnedPoints } from "../words.ts";
import { frameFor, countNeeded } from "./races.ts";
import { itemAt } from "../values.ts";

/** From the quietest news to the loudest. */
export type Sound = "laid" | "closed" | "big" | "nearly" | "turn" | "time" | "reminder" | "count" | "go";

/** Points of a turn that are worth a fanfare. */
const BIG = 12;
/** Dominoes that a rival lacks when everybody should look up. */
const NEARLY = 1;

/** What just happened at a table. */
export interface News {
  game: Game;
  events: readonly GameEvent[];
  /** What is seen now, and the seat that looks; null for a spectator. */
  view: View | null;
  seat: number | null;
}

/** The sounds of a message: what was laid, and who is nearly there; the strongest of a kind. */
export function soundsOf({ game, events, view, seat }: News): Sound[] {
  const sounds: Sound[] = [];
  const laid = events.filter(isLaid);
  // What dominoes earn is heard where points are counted; elsewhere a laying is a laying.
  const closes = laid.some(({ earned }) => game.preview !== "discs" && earned.groups.length > 0);
  const turn = view && laid.some(({ scores }) => scores) ? game.underWay(view).filter(({ scores }) => scores) : [];
  const points = turn.reduce((sum, { earned, charge }) => sum + earnedPoints(earned) - charge, 0);
  if (points >= BIG) sounds.push("big");
  else if (closes) sounds.push("closed");
  else if (laid.length || events.some(({ event }) => event === "framed")) sounds.push("laid");
  const movers = new Set(
    events.filter((event) => isLaid(event) || event.event === "framed").map(({ player }) => player!),
  );
  if (view && !view.outcome && [...movers].some((player) => player !== seat && missing(game, view, player) === NEARLY))
    sounds.push("nearly");
  return sounds;
}

/** How many dominoes a player has still to lay, in games that are won so. */
function missing(game: Game, view: View, seat: number): number | null {
  if (!game.race) return game.measure === "left" ? (view.hand_counts?.[seat] ?? null) : null;
  const layings = itemAt((view as RaceView).frames, seat).map(parseLaying);
  return countNeeded(frameFor(game.race.frames(view.options, layings), layings)) - layings.length;
}

/** Seconds left at which time is heard to run out. */
export const LAST_SECONDS = [10, 5, 4, 3, 2, 1];

/** Whether time is heard between two looks at the clock, in milliseconds that were left. */
export function ticks(before: number, now: number): boolean {
  return LAST_SECONDS.some((second) => before > 1000 * second && now <= 1000 * second && now > 0);
}

/** For fingers: what is felt with a sound, in milliseconds on and off. */
export const FELT: Readonly<Record<Sound, readonly number[]>> = {
  laid: [12],
  closed: [20, 40, 20],
  big: [30, 40, 60],
  nearly: [40, 60, 40],
  turn: [60, 80, 60],
  time: [15],
  reminder: [40, 50, 40, 50, 40],
  count: [15],
  go: [60],
};
