/** The times of a race, without a screen: when each quarter of a frame was full, by the server's clock. */
import { t } from "../i18n.ts";
import type { GameEvent } from "../net/open.ts";

/** Milliseconds that "Go!" is seen. */
const GO = 900;

/** What a countdown shows so many milliseconds before the start: 3, 2, 1, 0 for "Go!"; null once it is over. */
export function countOf(left: number): number | null {
  return left > -GO ? Math.max(0, Math.ceil(left / 1000)) : null;
}

/** Milliseconds until it shows something else. */
export const untilNext = (left: number): number => (left > 0 ? left - 1000 * (Math.ceil(left / 1000) - 1) : left + GO);

/** What happened at a moment of the server's time. */
export interface Dated {
  at?: number;
  events: readonly GameEvent[];
}

export interface Split {
  /** Dominoes in the frame. */
  count: number;
  /** Milliseconds after the start at which so many lay there for the first time; null: never. */
  time: number | null;
  /** Which of the moments that was. */
  place: number | null;
}

export interface ReachedSplit extends Split {
  time: number;
}

/** How one player ran: the splits at each quarter, and the most dominoes that lay there. */
export interface Run {
  splits: Split[];
  most: Split;
}

/** Dominoes at which a quarter, half, three quarters and all of a frame are full. */
export const quarters = (total: number): number[] => [1, 2, 3, 4].map((part) => Math.ceil((total * part) / 4));

/** The runs of all players of a race that began at a moment, with frames for so many dominoes. */
export function runsOf(moments: readonly Dated[], players: number, total: number, began: number): Run[] {
  return Array.from({ length: players }, (_, seat) => {
    let count = 0;
    let most: Split = { count: 0, time: null, place: null };
    const splits = quarters(total).map((wanted): Split => ({ count: wanted, time: null, place: null }));
    moments.forEach(({ at, events }, place) => {
      for (const { event, player } of events) {
        if (player !== seat) continue;
        if (event === "taken_out") count--;
        if (event !== "framed") continue;
        count++;
        if (count <= most.count) continue;
        most = { count, time: at === undefined ? null : Math.max(0, at - began), place };
        const split = splits.find((one) => one.count === count);
        if (split) Object.assign(split, most);
      }
    });
    return { splits, most };
  });
}

/** The time for the whole frame, if it was filled. */
export const timeOf = ({ splits }: Run): number | null => splits.at(-1)?.time ?? null;

/** The last split that was passed. */
export const lastSplit = ({ splits }: Run): ReachedSplit | null =>
  splits.filter((split): split is ReachedSplit => split.time !== null).at(-1) ?? null;

/** 0:42.3, 12:05.0 or 1:02:03.4. */
export function timeInFigures(milliseconds: number): string {
  const tenths = Math.floor(Math.max(0, milliseconds) / 100);
  const [seconds, minutes, hours] = [
    Math.floor(tenths / 10) % 60,
    Math.floor(tenths / 600) % 60,
    Math.floor(tenths / 36_000),
  ];
  const two = (n: number) => String(n).padStart(2, "0");
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}.${tenths % 10}`;
}

/** How much slower, or faster: +0:03.2, −0:01.0. */
export const difference = (milliseconds: number): string =>
  (milliseconds < 0 ? "−" : "+") + timeInFigures(Math.abs(milliseconds));

/** The name of a quarter, from 0. */
export const splitName = (number: number): string => ["¼", "½", "¾"][number] ?? t("split_full");
