import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { parseLaying, printLaying } from "../src/geometry.ts";
import { speak } from "../src/i18n.ts";
import type { Problem } from "../src/net/problems.ts";
import {
  recallBegunFrame,
  isFuture,
  dayInWords,
  dayOf,
  gradeOf,
  keepBegunFrame,
  keepResult,
  addDays,
  problemLink,
  readRequest,
  recallResult,
  isDaySolved,
  streak,
  today,
  weekday,
} from "../src/problems/days.ts";
import { FrameTask } from "../src/problems/frame-task.ts";
import { addressOf, outcomeOf, resultText } from "../src/problems/in-words.ts";
import { statistics } from "../src/problems/statistics.ts";
import { TurnTask } from "../src/problems/turn-task.ts";

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

let answers: (path: string, body: any) => unknown;
let refused: string | null = null;

beforeEach(() => {
  localStorage.clear();
  refused = null;
  globalThis.fetch = (async (path: string, { body }: any) => {
    if (refused)
      return { ok: false, status: 422, statusText: "", json: async () => ({ code: refused, message: "No." }) };
    return { ok: true, json: async () => answers(path, body && JSON.parse(body)) };
  }) as unknown as typeof fetch;
});

// -- days ------------------------------------------------------------------------------------------

test("days are counted over the ends of months, years and summer time", () => {
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(addDays("2028-02-28", 1), "2028-02-29");
  for (let day = "2026-01-01", n = 0; n < 800; n++) {
    const next = addDays(day, 1);
    assert.equal(addDays(next, -1), day);
    assert.equal(weekday(next), (weekday(day) + 1) % 7);
    day = next;
  }
  assert.equal(weekday("2026-11-16"), 0);
  assert.deepEqual(["2026-11-16", "2026-11-20", "2026-11-22"].map(gradeOf), [1, 3, 5]);
  assert.deepEqual([addDays("0099-12-31", 1), gradeOf("0001-01-01"), gradeOf("9999-12-31")], ["0100-01-01", 1, 3]);
  assert.equal(addDays("2011-12-29", 1), "2011-12-30", "which Samoa never had");
  assert.equal(dayInWords("2026-11-16"), "November 16, 2026");
  for (const wrong of ["", "2026-02-30", "2026-13-01", "2026-11-99", "2026-1-1", "x", "2026-11-15T00"])
    assert.equal(dayOf(wrong), null);
});

test("an address says which problem, and without one it is today's", () => {
  assert.deepEqual(readRequest(""), { kind: "turn", date: today() });
  assert.deepEqual(readRequest("?date=2026-11-16"), { kind: "turn", date: "2026-11-16" });
  assert.deepEqual(readRequest("?kind=frame&grade=2&seed=a%26b"), { kind: "frame", seed: "a&b", grade: 2 });
  assert.deepEqual(readRequest("?kind=chess&grade=many&seed=x"), { kind: "turn", seed: "x" });
  for (const request of [
    { kind: "turn", date: "2026-11-16" },
    { kind: "frame", seed: "a&b =", grade: 4 },
  ] as const) {
    assert.deepEqual(readRequest(problemLink(request).slice("/problem".length)), request);
  }
});

test("days to come are not there yet", () => {
  assert.equal(isFuture(addDays(today(), 1)), true);
  assert.equal(isFuture(today()), false);
  assert.equal(isFuture("2999-02-30"), false, "there is no such day: the server says so");
});

test("days in a row end with today, or with yesterday while today is to do", () => {
  const solve = (date: string) => keepResult("turn", gradeOf(date), date, { tries: 1, hints: 0, solved: true });
  assert.equal(streak("2026-11-16"), 0);
  for (const date of ["2026-11-12", "2026-11-14", "2026-11-15"]) solve(date);
  assert.equal(streak("2026-11-15"), 2);
  assert.equal(streak("2026-11-16"), 2);
  assert.equal(streak("2026-11-17"), 0);
  solve("2026-11-13");
  assert.equal(streak("2026-11-16"), 4);
  keepResult("turn", 1, "2026-11-16", { tries: 3, hints: 0, solved: false });
  assert.equal(isDaySolved("2026-11-16"), false);
  assert.equal(isDaySolved("2026-11-15", "frame"), false);
});

test("what was solved once stays as it was; old ones are forgotten", () => {
  keepResult("turn", 1, "x", { tries: 1, hints: 0, solved: true });
  keepResult("turn", 1, "x", { tries: 9, hints: 3, solved: false });
  assert.deepEqual(recallResult("turn", 1, "x"), { tries: 1, hints: 0, solved: true });
  for (let n = 0; n < 900; n++) keepResult("frame", 1, `s${n}`, { tries: 1, hints: 0, solved: true });
  assert.equal(recallResult("turn", 1, "x"), null);
  assert.ok(recallResult("frame", 1, "s899"));
});

test("results are counted by what was found, and days in a row by the calendar", () => {
  assert.deepEqual(statistics(), { solved: 0, atOnce: 0, longest: 0, byGrade: [0, 0, 0, 0, 0] });
  const found = { tries: 1, hints: 0, solved: true };
  for (const day of ["2026-11-02", "2026-10-30", "2026-10-31", "2026-11-01", "2026-11-05"])
    keepResult("turn", gradeOf(day), day, found);
  keepResult("turn", 5, "2026-11-03", found); // Not as hard as that day's own: no day in a row.
  keepResult("turn", 2, "a b", { ...found, tries: 3 });
  keepResult("turn", 2, "c", { ...found, hints: 1 });
  keepResult("frame", 2, "2026-11-03", found);
  keepResult("turn", 1, "d", { tries: 0, hints: 0, solved: false, shown: true });
  const { solved, atOnce, longest, byGrade } = statistics();
  assert.deepEqual([solved, atOnce, longest], [9, 6, 4]);
  assert.equal(
    byGrade.reduce((sum, count) => sum + count),
    solved,
  );
  assert.equal(
    byGrade[1],
    ["2026-11-02", "2026-10-30", "2026-10-31", "2026-11-01", "2026-11-05"].filter((day) => gradeOf(day) === 2).length
      + 3,
  );
});

test("a shared result does not contain the solution", async () => {
  await speak("en");
  const day = today();
  const problem: Problem = {
    kind: "turn",
    grade: gradeOf(day),
    seed: day,
    date: day,
    position: ["DRBGY+0@0,0"],
    frame: null,
    tiles: ["DBGYR", "ZBGYR"],
  };
  const result = { tries: 1, hints: 0, solved: true };
  keepResult("turn", problem.grade, day, result);
  const stars = "●".repeat(problem.grade) + "○".repeat(5 - problem.grade);
  assert.equal(resultText(problem, result), `Dalapapa ${dayInWords(day, "short")} ${stars} ✓ found on the first try`);
  for (const back of [1, 2]) keepResult("turn", gradeOf(addDays(day, -back)), addDays(day, -back), result);
  assert.match(resultText(problem, result), /found on the first try, 3 days in a row$/);
  const practice: Problem = { ...problem, date: null, seed: "ab", grade: 4 };
  assert.equal(
    resultText(practice, { tries: 3, hints: 2, solved: true }),
    "Dalapapa Problem ab ●●●●○ ✓ found on try 3, with 2 hints",
  );
  assert.equal(outcomeOf("frame", { tries: 1, hints: 0 }), "solved");
  assert.match(
    resultText({ ...problem, kind: "frame", frame: [3, 2] }, result),
    /^Dalapapa Frame of the day .* solved$/,
  );
  assert.equal(addressOf(problem), `${location.origin}/problem?date=${day}`);
  assert.equal(addressOf(practice), `${location.origin}/problem?seed=ab&grade=4`);
});

// -- a turn ----------------------------------------------------------------------------------------

const TURN: Problem = {
  kind: "turn",
  grade: 2,
  seed: "x",
  date: null,
  position: ["PRYGB+0@0,0"],
  frame: null,
  tiles: ["BYRGB", "DRYGB"],
};
const FIRST = "BYRGB+0@0,-1";
const SECOND = "DRYGB-2@1,1";

/** A server that knows one laying of each domino. */
function turnServer(path: string, body: any): unknown {
  if (path.includes("/legal"))
    return Object.fromEntries(
      body.tiles.map((tile: string) => [tile, [{ laying: tile === "BYRGB" ? FIRST : SECOND, points: 9 }]]),
    );
  if (path.includes("solution")) return { ...TURN, solution: [FIRST, SECOND], points: 7 };
  const points = body.layings.length === 2 ? 7 : 5;
  return { solved: points === 7, parts: [], charge: 4 * (body.layings.length - 1), points, more: 7 - points };
}

test("a turn is laid, judged, gone on with, and solved", async () => {
  answers = turnServer;
  const task = new TurnTask(TURN);
  await settle();
  assert.deepEqual(task.placer.hand.value, TURN.tiles);
  assert.equal(task.placer.candidates.value.get("BYRGB")![0]!.scored, undefined, "what it would earn is not sent");
  assert.equal(task.may("end"), false);
  task.lay(parseLaying(FIRST));
  await settle();
  assert.equal(task.placer.charge.value, 4);
  assert.equal(await task.move({ move: "end" }), true);
  assert.equal(task.verdict.value!.more, 2);
  assert.equal(task.may("end"), false, "the same turn is not judged twice");
  task.lay(parseLaying(SECOND));
  await settle();
  assert.equal(task.verdict.value, null);
  await task.move({ move: "end" });
  await settle();
  assert.equal(task.end.value, "solved");
  assert.deepEqual(recallResult("turn", 2, "x"), { tries: 2, hints: 0, solved: true });
  assert.deepEqual(task.placer.hand.value, []);
  assert.equal(await task.move({ move: "undo" }), false);
  task.close();
});

test("who presses twice has tried once", async () => {
  answers = turnServer;
  const task = new TurnTask(TURN);
  await settle();
  task.lay(parseLaying(FIRST));
  await Promise.all([task.move({ move: "end" }), task.move({ move: "end" })]);
  assert.equal(task.tries.value, 1);
  task.close();
});

test("the order of places does not reveal points, and hints survive a reload", async () => {
  const [low, high] = ["BYRGB+0@0,-1", "BYRGB+0@0,1"];
  answers = (path, body) =>
    path.includes("/legal")
      ? {
          BYRGB: [
            { laying: high, points: 9 },
            { laying: low, points: 1 },
          ],
        }
      : turnServer(path, body);
  const task = new TurnTask(TURN);
  await settle();
  assert.deepEqual(
    task.placer.candidates.value.get("BYRGB")!.map(({ laying }) => printLaying(laying)),
    [low, high],
  );
  await task.hint();
  await task.hint();
  task.close();
  const again = new TurnTask(TURN);
  await settle();
  assert.equal(again.hints.value, 2);
  again.close();
});

test("hints say how much, then which, then where, and then the next one", async () => {
  answers = turnServer;
  const task = new TurnTask(TURN);
  await settle();
  await task.hint();
  assert.equal(task.placer.tile.value, null);
  await task.hint();
  assert.deepEqual([task.placer.tile.value, task.placer.side.value, task.placer.ghost.value], ["BYRGB", "+", null]);
  assert.equal(task.hinted(), "domino");
  task.placer.take("DRYGB", "-");
  assert.equal(task.hinted(), null, "no hint named that one");
  await task.hint();
  assert.equal(printLaying(task.placer.ghost.value!.laying), FIRST);
  assert.equal(task.hinted(), "place");
  task.lay(parseLaying(FIRST));
  await settle();
  assert.equal(task.hinted(), null);
  await task.hint();
  assert.equal(printLaying(task.placer.ghost.value!.laying), SECOND);
  // From a wrong way, a hint goes back to the beginning.
  task.again();
  await settle();
  task.lay(parseLaying(SECOND));
  await settle();
  await task.hint();
  assert.deepEqual(task.laid.value, []);
  assert.equal(printLaying(task.placer.ghost.value!.laying), FIRST);
  task.close();
});

test("a solution that was shown is not solved; a refusal is shown and changes nothing", async () => {
  answers = turnServer;
  const task = new TurnTask(TURN);
  await settle();
  task.lay(parseLaying(FIRST));
  await settle();
  refused = "busy";
  await task.move({ move: "end" });
  assert.equal(task.trouble.value?.code, "busy");
  assert.equal(task.tries.value, 0);
  refused = null;
  await task.show();
  assert.deepEqual(task.laid.value.map(printLaying), [FIRST, SECOND]);
  assert.deepEqual([task.end.value, task.trouble.value], ["shown", null]);
  task.close();
  // A player who lays it on a later visit has done it, and not found it.
  const again = new TurnTask(TURN);
  await settle();
  for (const laying of [FIRST, SECOND]) again.lay(parseLaying(laying));
  await again.move({ move: "end" });
  assert.deepEqual([again.end.value, again.seen, recallResult("turn", 2, "x")?.solved], ["solved", true, false]);
  again.close();
});

// -- a frame ---------------------------------------------------------------------------------------

const FRAME: Problem = {
  kind: "frame",
  grade: 1,
  seed: "x",
  date: null,
  position: ["PRYGB+0@0,0"],
  frame: [2, 2],
  tiles: ["PRYGB", "PRBGY"],
};
let task: FrameTask | null = null;
afterEach(() => task?.close());

test("a frame is filled from the stock; what is given stays; the server says that it is solved", async () => {
  const asked: any[] = [];
  answers = (path, body) => {
    asked.push([path, body]);
    return { solved: true };
  };
  task = new FrameTask(FRAME);
  assert.deepEqual(task.stock, ["PRBGY"]);
  task.take("PRBGY", "+");
  const places = task.placer.candidates.value.get("PRBGY")!;
  assert.ok(places.length > 0 && places.every(({ laying }) => laying.y === 1), "only what is free");
  task.takeOut(task.given[0]!);
  assert.equal(task.layings.value.length, 1);
  task.lay(places[0]!.laying);
  assert.equal(task.held.value, null);
  await settle();
  assert.deepEqual(asked, [
    ["/api/problem/check", { kind: "frame", grade: 1, seed: "x", layings: [printLaying(places[0]!.laying)] }],
  ]);
  assert.equal(task.end.value, "solved");
  assert.equal(recallResult("frame", 1, "x")?.solved, true);
  assert.equal(await task.move({ move: "undo" }), false);
});

test("a frame that was shown is not solved when it is filled afterwards", async () => {
  task = new FrameTask(FRAME);
  task.take("PRBGY", "+");
  const { laying } = task.placer.candidates.value.get("PRBGY")![0]!;
  answers = (path) =>
    path.includes("check") ? { solved: true } : { ...FRAME, solution: [...FRAME.position, printLaying(laying)] };
  await task.show();
  assert.equal(task.end.value, "shown");
  task.close();
  task = new FrameTask(FRAME);
  assert.deepEqual(task.laid.value, []);
  task.lay(laying);
  await settle();
  assert.deepEqual([task.end.value, task.seen, recallResult("frame", 1, "x")?.solved], ["solved", true, false]);
});

test("what was laid comes out again and into the hand, and a hint says when it cannot be", async () => {
  answers = () => ({ solutions: [], complete: true, nodes: 3 });
  task = new FrameTask({ ...FRAME, tiles: [...FRAME.tiles, "PRBYG", "PRGBY"], frame: [4, 2] });
  task.take("PRBGY", "-");
  const [{ laying }] = task.placer.candidates.value.get("PRBGY")! as any;
  task.lay(laying);
  await task.hint();
  assert.deepEqual([task.lastHint.value, task.hints.value], ["impossible", 1]);
  task.takeOut(laying);
  assert.deepEqual([task.held.value, task.laid.value, task.lastHint.value], ["PRBGY", [], null]);
  task.putBack();
  assert.deepEqual([task.held.value, task.placer.tile.value], [null, null]);
  answers = () => ({ solutions: [["PRYGB+0@0,0", printLaying(laying)]], complete: true, nodes: 3 });
  await task.hint();
  assert.equal(task.lastHint.value, "possible");
  assert.equal(printLaying(task.placer.ghost.value!.laying), printLaying(laying));
});

test("a frame that is begun lies there again, as far as it fits, until it is solved or shown", async () => {
  const wide: Problem = { ...FRAME, tiles: [...FRAME.tiles, "PRBYG", "PRGBY"], frame: [4, 2] };
  answers = (path) => (path.includes("check") ? { solved: true } : { solutions: [], complete: true, nodes: 3 });
  task = new FrameTask(wide);
  task.take("PRBGY", "+");
  const [{ laying }] = task.placer.candidates.value.get("PRBGY")! as any;
  task.lay(laying);
  await task.hint();
  const begun = { laid: [printLaying(laying)], hints: 1 };
  assert.deepEqual(recallBegunFrame(1, "x"), begun);
  task.close();
  task = new FrameTask(wide);
  assert.deepEqual([task.laid.value.map(printLaying), task.hints.value, task.held.value], [begun.laid, 1, null]);
  task.close();
  // Layings that another version or another program stored are not laid.
  keepBegunFrame(1, "x", { laid: [...begun.laid, ...begun.laid, "nonsense", "PRBYG+0@9,9", "PRYGB+0@2,0"], hints: 2 });
  task = new FrameTask(wide);
  assert.deepEqual(task.laid.value.map(printLaying), begun.laid);
  task.clear();
  assert.deepEqual(recallBegunFrame(1, "x"), { laid: [], hints: 2 });
  await task.move({ move: "undo" });
  assert.deepEqual(task.laid.value.map(printLaying), begun.laid, "a slip of the finger costs nothing");
  await task.move({ move: "undo" });
  assert.deepEqual([task.laid.value, await task.move({ move: "undo" })], [[], false]);
  task.close();
  // One that was full, but not judged, is judged.
  keepBegunFrame(1, "x", { laid: [], hints: 2 });
  const full = new FrameTask(FRAME);
  full.take("PRBGY", "+");
  const last = printLaying(full.placer.candidates.value.get("PRBGY")![0]!.laying);
  full.close();
  keepBegunFrame(1, "x", { laid: [last], hints: 2 });
  task = new FrameTask(FRAME);
  await settle();
  assert.deepEqual([task.end.value, recallBegunFrame(1, "x")], ["solved", null]);
  assert.deepEqual(recallResult("frame", 1, "x"), { tries: 1, hints: 2, solved: true });
});
