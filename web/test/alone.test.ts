/** Without a server the client answers itself, exactly as Python does (scripts/write_alone_cases.py). */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import raw from "./alone.json";
import { answerAlone } from "../src/alone/answers.ts";
import { sendFinds } from "../src/alone/finds.ts";
import { legal } from "../src/alone/legal.ts";
import { verdict } from "../src/alone/verdict.ts";
import { keepWeek, PAUSE, problemOf } from "../src/alone/week.ts";
import { PROBLEMS } from "../src/data.ts";
import { startTable } from "../src/lobby/start.ts";
import { api, ask, type Scored } from "../src/net/api.ts";
import { Refused } from "../src/net/backend.ts";
import { listOwnTables } from "../src/net/own-tables.ts";
import { isOffline } from "../src/net/server-backend.ts";
import { problems, type Solved, type Verdict } from "../src/net/problems.ts";
import type { Solutions } from "../src/net/study.ts";
import { gradeOf, addDays, today } from "../src/problems/days.ts";
import { countMe } from "../src/problems/found.ts";
import { full, recall, remember } from "../src/state/storage.ts";
import { Session } from "../src/state/session.ts";

const CASES = raw as unknown as {
  legal: { position: string; tile: string; legal: Scored[] }[];
  judged: { problem: Solved; tries: [string[], Verdict | string][] }[];
};

/** What the server answers; null: there is none. */
let server: ((path: string, body: any) => unknown) | null = null;
let asked: string[] = [];
let refused: (body: any) => string | null = () => null;

beforeEach(() => {
  localStorage.clear();
  server = null;
  asked = [];
  refused = () => null;
  isOffline.value = full.value = false;
  PAUSE.between = 0;
  globalThis.fetch = (async (path: string, { body }: { body?: string } = {}) => {
    asked.push(path);
    if (!server) throw new TypeError("Failed to fetch");
    const code = refused(body && JSON.parse(body));
    if (code) return { ok: false, status: 422, json: async () => ({ code, message: "" }) };
    return { ok: true, status: 200, json: async () => server!(path, body && JSON.parse(body)) };
  }) as unknown as typeof fetch;
});

afterEach(() => mock.timers.reset());

/** The refusal, or what comes out. */
function codeOr<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.code;
  }
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
const byText = (all: Scored[]) => [...all].sort((one, other) => (one.laying < other.laying ? -1 : 1));

test("what may be laid, and what it earns, is what Python says", () => {
  for (const { position, tile, legal: expected } of CASES.legal) {
    const found = legal({ position, tiles: [tile], set: "120" })[tile]!;
    assert.deepEqual(plain(byText(found)), byText(expected));
    assert.deepEqual(
      found.map(({ points }) => points),
      found.map(({ points }) => points).sort((a, b) => b - a),
      "the best first",
    );
  }
});

test("an attempt at a problem is worth what Python says", () => {
  for (const { problem, tries } of CASES.judged) {
    for (const [layings, expected] of tries) {
      const found = codeOr(() => verdict(problem, layings));
      if (typeof expected === "string") assert.equal(typeof found, "string", `${layings} is refused: ${expected}`);
      else assert.deepEqual(plain(found), expected);
    }
  }
});

test("a small frame is filled, and whether it can be is exact", async () => {
  const frames = CASES.judged.map(({ problem }) => problem).filter(({ kind }) => kind === "frame");
  for (const problem of frames) {
    const { frame, tiles, position, solution } = problem;
    const question = { width: frame![0], height: frame![1], tiles, faces: "both", count: 1, seed: "0", set: "120" };
    const fill = async (laid: string[]) =>
      (await answerAlone("/solve", { body: { ...question, position: laid.join(" ") } })) as Solutions;
    // With half of them laid; the whole of the largest is too much without the solution at hand.
    const half = [...new Set([...position, ...solution.slice(0, Math.ceil(solution.length / 2))])];
    const { solutions } = await fill(half);
    assert.equal(
      verdict(
        problem,
        solutions[0]!.filter((one) => !position.includes(one)),
      ).solved,
      true,
    );
    await assert.rejects(
      answerAlone("/solve", { body: { ...question, tiles: tiles.slice(1), position: "" } }),
      { code: "offline" },
      "a matter for the server, or for the engine",
    );
    remember("week", { version: PROBLEMS.version, problems: [problem] });
    assert.deepEqual(await fill(position), { solutions: [solution], complete: true, nodes: 0 });
  }
  const [small] = frames;
  const [width, height] = small!.frame!;
  const other = small!.solution[0]!.replace(/[+-]/, (side) => (side === "+" ? "-" : "+"));
  const answer = (await answerAlone("/solve", {
    body: { width, height, tiles: small!.tiles, position: other, faces: "both", set: "120" },
  })) as Solutions;
  assert.deepEqual([answer.solutions, answer.complete], [[], true], "with its other face up, it cannot be done");
});

// -- the week ----------------------------------------------------------------------------------------

const solved = (kind: "turn" | "frame", date: string): Solved => ({
  ...CASES.judged.find((one) => one.problem.kind === kind)!.problem,
  seed: date,
  date,
});

test("a week ahead is kept, once, and forgotten when it is over", async () => {
  server = (path) => {
    const { kind = "turn", date } = Object.fromEntries(new URLSearchParams(path.split("?")[1]));
    return solved(kind as "turn", date!);
  };
  remember("week", { version: PROBLEMS.version, problems: [solved("turn", addDays(today(), -5))] });
  await keepWeek(new AbortController().signal);
  assert.equal(asked.length, 16);
  await keepWeek(new AbortController().signal);
  assert.equal(asked.length, 16);
  assert.equal(problemOf({ kind: "turn", date: addDays(today(), -5) }), null);
  server = null;
  const request = { kind: "frame", date: addDays(today(), 7) } as const;
  const problem = await problems.fetch(request);
  assert.equal(problem.seed, request.date);
  assert.equal("solution" in problem, false, "no one sees it by chance");
  assert.deepEqual(
    await problems.solution({ kind: "frame", grade: problem.grade, seed: problem.seed }),
    solved("frame", request.date),
  );
  assert.equal(isOffline.value, true);
  await assert.rejects(problems.fetch({ kind: "turn", date: addDays(today(), 9) }), { code: "offline" });
  remember("week", { version: PROBLEMS.version - 1, problems: recall<any>("week", null).problems });
  assert.equal(problemOf(request), null, "of another version");
});

test("what was found without a server is counted once it is back, and another day's is not sent again", async () => {
  const [first, second] = [addDays(today(), -1), today()];
  for (const [date, layings] of [
    [first, "a"],
    [second, "b"],
    [first, "c"],
  ] as const)
    countMe({ ...solved("turn", date), grade: gradeOf(date) }, [layings]);
  await settle();
  countMe({ ...solved("turn", addDays(today(), -2)), grade: gradeOf(addDays(today(), -2)) }, ["d"]);
  await settle();
  await sendFinds();
  assert.equal(recall<unknown[]>("finds", []).length, 2, "nothing is lost while there is no server");
  const sent: any[] = [];
  server = (_, body) => {
    sent.push(body);
    return { count: 1 };
  };
  refused = (body) => (body?.date === second ? "another_day" : null);
  await sendFinds();
  await sendFinds();
  assert.deepEqual(
    sent.map(({ date, layings }) => date + layings[0]),
    [`${first}a`],
  );
  assert.equal(
    asked.filter((path) => path === "/api/problem/found").length,
    3 + 1 + 2,
    "what is refused for good is not sent again",
  );
  assert.deepEqual(recall("finds", []), []);
});

test("a full storage keeps what counts before what can be fetched again, and else the page goes on", async () => {
  remember("week", { version: PROBLEMS.version, problems: [] });
  const { setItem } = localStorage;
  let room = 1;
  localStorage.setItem = (name: string, text: string) => {
    if (name !== "dalapapa.week" && localStorage.getItem("dalapapa.week"))
      throw new DOMException("", "QuotaExceededError");
    if (!room) throw new DOMException("", "QuotaExceededError");
    setItem(name, text);
  };
  try {
    assert.equal(remember("x", 1), true);
    assert.equal(recall("week", null), null);
    assert.equal(full.value, false);
    room = 0;
    assert.equal(remember("y", 1), false);
    assert.equal(full.value, true);
  } finally {
    localStorage.setItem = setItem;
  }
});

// -- tables --------------------------------------------------------------------------------------------

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

test("without a server and without the engine, a new game is refused with what would help", async () => {
  await assert.rejects(startTable({ game: "classic", seats: [null, null], host: "Ann" }), { code: "offline" });
  await assert.rejects(api.best("", ["RRRRR"], 1, "120"), { code: "offline" });
  await assert.rejects(startTable({ game: "puzzle", seats: [null], host: "Ann" }), { code: "needs_engine" });
  server = () => ({ id: "abc", token: "x", seats: [0], table: {} });
  assert.equal((await api.create({ game: "puzzle", seats: [null] })).id, "abc");
});

test("a table that an older edition hosted without the engine is listed as ended, and says why", async () => {
  server = () => [{ id: "abc", state: "here" }];
  assert.deepEqual(
    await listOwnTables([
      { id: "here-a", token: "t" },
      { id: "abc", token: "u" },
    ]),
    [
      { id: "here-a", state: "removed", refusal: "retired_table" },
      { id: "abc", state: "here" },
    ],
  );
  const session = new Session("here-a");
  await settle();
  assert.equal(session.store.refusal.value?.code, "retired_table");
  session.close();
  await assert.rejects(ask("/tables/here-a/replay"), { code: "retired_table" });
});
