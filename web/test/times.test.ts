/** Races: the countdown, the times at each quarter of a frame, and personal bests. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { GameEvent } from "../src/net/open.ts";
import { gameOf } from "../src/games/general.ts";
import { bestOf, type Course, keepRun } from "../src/state/bests.ts";
import {
  countOf,
  difference,
  lastSplit,
  quarters,
  runsOf,
  timeInFigures,
  timeOf,
  untilNext,
} from "../src/state/times.ts";
import { helps } from "../src/tables/own-run.ts";
import "./surroundings.ts";

const BEGAN = 1_000_000;

/** A race of moments `[seconds, player, event]`. */
const race = (...moments: [number, number, string][]) =>
  moments.map(([seconds, player, event]) => ({ at: BEGAN + 1000 * seconds, events: [{ event, player } as GameEvent] }));

/** A player who lays a domino of eight every so many seconds. */
const full = (seconds: number, player = 0) =>
  race(...Array.from({ length: 8 }, (_, i): [number, number, string] => [seconds * (i + 1), player, "framed"]));

test("a countdown shows 3, 2, 1, for a moment that it goes, and then nothing", () => {
  assert.deepEqual([3000, 2001, 2000, 1001, 1000, 1, 0, -899, -900].map(countOf), [3, 3, 2, 2, 1, 1, 0, 0, null]);
  let left = 2600;
  const shown: (number | null)[] = [];
  while (countOf(left) !== null) {
    shown.push(countOf(left));
    assert.ok(untilNext(left) > 0);
    left -= untilNext(left);
  }
  assert.deepEqual(shown, [3, 2, 1, 0]);
  assert.equal(countOf(-Infinity), null, "a game without a start to wait for");
});

test("splits are the quarters of a frame, also where it has no fourth part", () => {
  assert.deepEqual(quarters(8), [2, 4, 6, 8]);
  assert.deepEqual(quarters(40), [10, 20, 30, 40]);
  assert.deepEqual(quarters(9), [3, 5, 7, 9]);
});

test("a split is the first time that so many dominoes lie there, from the start for everybody", () => {
  const [ann, bob] = runsOf(
    race(
      [5, 0, "framed"],
      [8, 1, "framed"],
      [9, 0, "framed"],
      [10, 0, "taken_out"],
      [12, 0, "framed"],
      [15, 0, "framed"],
      [16, 0, "framed"],
      [20, 1, "gave_up"],
    ),
    2,
    8,
    BEGAN,
  );
  assert.deepEqual(
    ann!.splits.map(({ time }) => time),
    [9000, 16_000, null, null],
  );
  assert.deepEqual(
    ann!.splits.map(({ place }) => place),
    [2, 6, null, null],
  );
  assert.deepEqual(ann!.most, { count: 4, time: 16_000, place: 6 });
  assert.equal(timeOf(ann!), null);
  assert.equal(lastSplit(ann!)?.count, 4);
  assert.deepEqual(bob!.most, { count: 1, time: 8000, place: 1 });
  assert.equal(lastSplit(bob!), null);
});

test("times are read in minutes, seconds and tenths", () => {
  assert.deepEqual([0, 42_390, 65_000, 3_723_400, -5].map(timeInFigures), [
    "0:00.0",
    "0:42.3",
    "1:05.0",
    "1:02:03.4",
    "0:00.0",
  ]);
  assert.deepEqual([3200, -1000, 0].map(difference), ["+0:03.2", "−0:01.0", "+0:00.0"]);
});

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    value: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
  });
});

const PUZZLE: Course = { game: "puzzle", course: "4x4 120", helped: false };
const run = (seconds: number) => runsOf(full(seconds), 1, 8, BEGAN)[0]!;

test("a personal best is the quickest full frame, and a table counts once", () => {
  assert.equal(bestOf(PUZZLE), null);
  const first = keepRun(PUZZLE, run(10), "one");
  assert.deepEqual(first, { time: 80_000, splits: [20_000, 40_000, 60_000, 80_000], table: "one" });
  assert.deepEqual(keepRun(PUZZLE, run(10), "one"), first, "shown again after a reload, and not twice");
  assert.equal(keepRun(PUZZLE, run(11), "two")?.table, "one");
  assert.deepEqual([keepRun(PUZZLE, run(9), "three")?.time, bestOf(PUZZLE)?.before?.time], [72_000, 80_000]);
});

test("only what is alike is compared, and only full frames count", () => {
  keepRun(PUZZLE, run(10), "one");
  for (const other of [{ helped: true }, { course: "6x4 120" }, { game: "arlequin" }])
    assert.equal(bestOf({ ...PUZZLE, ...other }), null);
  assert.equal(keepRun({ ...PUZZLE, helped: true }, runsOf(full(1).slice(0, 7), 1, 8, BEGAN)[0]!, "two"), null);
  assert.equal(keepRun({ ...PUZZLE, course: null }, run(1), "three"), null);
});

test("the solver helps where that was agreed on, and one player alone by default", () => {
  const table = (hints: "yes" | "alone" | "no", players: number) => ({ hints, seats: Array(players).fill({}) });
  assert.deepEqual([table("alone", 1), table("alone", 2), table("yes", 2), table("no", 1)].map(helps), [
    true,
    false,
    true,
    false,
  ]);
});

test("the course of a race is its frame and its dominoes, not the time that was allowed", () => {
  const { course } = gameOf("puzzle").race!;
  assert.equal(course({ width: 4, height: 4, minutes: 5, set: "120" }), course({}));
  assert.notEqual(course({ width: 6, height: 4 }), course({}));
  assert.equal(course({ set: { name: "mine" } }), null, "a set of one's own");
  const arlequin = gameOf("arlequin").race!;
  assert.equal(arlequin.course({ piles: [3] }), arlequin.course({}));
});
