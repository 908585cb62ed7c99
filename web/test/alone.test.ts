/** Without a server the client answers itself, exactly as Python does (scripts/write_alone_cases.py). */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import raw from "./alone.json";
import { engine } from "../src/alone/engine.ts";
import { sendFinds } from "../src/alone/finds.ts";
import { legal } from "../src/alone/legal.ts";
import { verdict } from "../src/alone/verdict.ts";
import { keepWeek, PAUSE, problemOf } from "../src/alone/week.ts";
import { PROBLEMS } from "../src/data.ts";
import { applyMove, start } from "../src/games/alone.ts";
import { RULES } from "../src/games/rules.ts";
import { api, ask, type Created, type Scored } from "../src/net/api.ts";
import { Refused } from "../src/net/backend.ts";
import { isOffline } from "../src/net/server-backend.ts";
import { localBackend } from "../src/net/backends.ts";
import { problems, type Solved, type Verdict } from "../src/net/problems.ts";
import type { Solutions } from "../src/net/study.ts";
import type { GameEvent, Move } from "../src/net/open.ts";
import type { FromServer, RaceView } from "../src/net/protocol.ts";
import { gradeOf, addDays, today } from "../src/problems/days.ts";
import { countMe } from "../src/problems/found.ts";
import { full, recall, remember } from "../src/state/storage.ts";
import { Session } from "../src/state/session.ts";

const CASES = raw as unknown as {
  legal: { position: string; tile: string; legal: Scored[] }[];
  judged: { problem: Solved; tries: [string[], Verdict | string][] }[];
  races: {
    game: string;
    begun: RaceView & { piles?: number[] };
    moves: [Move, GameEvent[] | string][];
    view: RaceView;
  }[];
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
  localBackend.load = async () => engine;
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

test("a race of one player goes as in Python, move by move", async () => {
  for (const { game, begun, moves, view } of CASES.races) {
    const rules = (await RULES[game]!()).default;
    let state = start(game, rules, begun.options, 0);
    assert.deepEqual(plain({ ...state, ...(begun.piles && { piles: begun.piles }) }), begun);
    for (const [move, expected] of moves) {
      const step = codeOr(() => applyMove(rules, state, move));
      assert.deepEqual(
        plain(typeof step === "string" ? step : step.events),
        expected,
        `${game} ${JSON.stringify(move)}`,
      );
      if (typeof step !== "string") state = step.view;
    }
    assert.deepEqual(plain(state), view);
  }
});

test("a small frame is filled, and whether it can be is exact", async () => {
  const frames = CASES.judged.map(({ problem }) => problem).filter(({ kind }) => kind === "frame");
  for (const problem of frames) {
    const { frame, tiles, position, solution } = problem;
    const question = { width: frame![0], height: frame![1], tiles, faces: "both", count: 1, seed: "0", set: "120" };
    const fill = async (laid: string[]) =>
      (await engine.answer("/solve", { body: { ...question, position: laid.join(" ") } })) as Solutions;
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
    assert.equal(
      await engine.answer("/solve", { body: { ...question, tiles: tiles.slice(1), position: "" } }),
      undefined,
      "a matter for the server",
    );
    remember("week", { version: PROBLEMS.version, problems: [problem] });
    assert.deepEqual(await fill(position), { solutions: [solution], complete: true, nodes: 0 });
  }
  const [small] = frames;
  const [width, height] = small!.frame!;
  const other = small!.solution[0]!.replace(/[+-]/, (side) => (side === "+" ? "-" : "+"));
  const answer = (await engine.answer("/solve", {
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
    const made = await api.create({ game: "arlequin", seats: [null] });
    assert.equal((await api.fetch(made.id)).table.game, "arlequin", "as long as the page is open");
  } finally {
    localStorage.setItem = setItem;
  }
});

// -- tables --------------------------------------------------------------------------------------------

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

test("only races of one player are set up here, and only without a server", async () => {
  for (const table of [
    { game: "classic", seats: [null] },
    { game: "puzzle", seats: [null, null] },
    { game: "puzzle", seats: ["greedy"] },
  ]) {
    await assert.rejects(api.create(table), { code: "offline" });
  }
  await assert.rejects(api.create({ game: "puzzle", seats: [null], options: { width: 3, height: 3 } }), {
    code: "bad_frame",
  });
  server = () => ({ id: "abc", token: "x", seats: [0], table: {} });
  assert.equal((await api.create({ game: "puzzle", seats: [null] })).id, "abc");
});

test("a race is played at a table of this browser, and is there again after it was closed", async () => {
  const { id }: Created = await api.create({ game: "puzzle", seats: [null], host: "Ann" });
  const session = new Session<RaceView & { held: (string | null)[] }>(id);
  await settle();
  assert.equal(session.store.connection.value, "online");
  assert.deepEqual(
    [session.table.value!.phase, session.table.value!.seats[0]!.name, session.yours.value],
    ["playing", "Ann", [0]],
  );
  assert.equal(await session.move({ move: "take", tile: "PRYGB" }), false, "not before the start");
  assert.equal(session.notice.value!.code, "too_early");
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 4000 });
  assert.equal(await session.move({ move: "take", tile: "PRYGB" }), true);
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
  assert.equal(await session.move({ move: "lay", laying: "PRYGB+0@0,0" }), true);
  assert.deepEqual(session.view.value!.frames, [["PRYGB+0@0,0"]]);
  assert.deepEqual(
    session.store.log.value.flatMap(({ events }) => events.map(({ event }) => event)),
    ["took", "framed"],
  );
  session.close();
  const again = new Session<RaceView>(id);
  await settle();
  assert.deepEqual(again.view.value!.frames, [["PRYGB+0@0,0"]]);
  assert.deepEqual(again.store.log.value.length, 2);
  assert.equal(await again.move({ move: "give_up" }), true);
  const replay = await ask<{ steps: { view: RaceView }[]; outcome: { reason: string } }>(`/tables/${id}/replay`);
  assert.deepEqual(
    [replay.steps.length, replay.outcome.reason, replay.steps.at(-1)!.view.viewer],
    [3, "given_up", null],
  );
  again.close();
});

test("a move that comes twice is made once, and a table that is gone is unknown", async () => {
  const { id } = await api.create({ game: "arlequin", seats: [null], options: { piles: [1] } });
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 4000 });
  const received: FromServer[] = [];
  const table = await engine.open(id, (message) => received.push(message));
  for (let i = 0; i < 2; i++) table.receive({ type: "move", id: "a", move: { player: 0, move: "give_up" } });
  assert.deepEqual(
    received.map(({ type }) => type),
    ["table", "accepted", "accepted"],
  );
  const session = new Session("here-nothing");
  await settle();
  assert.equal(session.store.refusal.value?.code, "unknown_table");
  session.close();
});

test("a time that was agreed on runs out", async () => {
  const begun = {
    game: "puzzle",
    options: { width: 4, height: 4, minutes: 1, set: "120" },
    name: "Ann",
    chance: 0,
    moves: [],
  };
  remember("here", { "here-late": { ...begun, begins: Date.now() - 61_000 } });
  const { table, views } = await api.fetch("here-late");
  assert.equal(table.phase, "over");
  assert.equal(Object.values(views)[0]!.outcome!.reason, "time");
});
