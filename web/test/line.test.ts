/** A player can go on with any line: messages are lost, refused, late and doubled, in any order. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { SET_120 } from "../src/data.ts";
import { centre, type Disc, halves, key, parseLaying, parsePosition, printLaying } from "../src/geometry.ts";
import { findClosedGroups } from "../src/state/groups.ts";
import { Session } from "../src/state/session.ts";
import { settings } from "../src/state/settings.ts";
import { CASES } from "./cases.ts";
import { FakeSocket, may, message } from "./fake-socket.ts";

const LAYING = "ZBGRY+0@2,0";
const PLACES = { ZBGRY: [LAYING, "ZBGRY-1@0,1"], PGBYR: ["PGBYR+0@2,0"] };
const END = { player: 0, move: "end" };

let session: Session;
let asked: string[] = [];

const settle = async () => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
  FakeSocket.all = [];
  asked = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(Math, "random", () => 0.5);
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    return { ok: true, json: async () => [] };
  }) as unknown as typeof fetch;
  settings.points.value = true;
  session = new Session("abc");
  FakeSocket.last.accept();
});

afterEach(() => {
  session.close();
  mock.restoreAll();
});

const deliver = async (received: object) => {
  FakeSocket.last.deliver(received);
  await settle();
};
const mine = (version: number, view: object = {}, moves: (typeof END)[] = []) => ({
  ...message(version, view),
  ...may(PLACES, moves),
});
const LAID = {
  table: `DRYGB+0@0,0 ${LAYING}`,
  hand: ["PGBYR"],
  turn: [{ event: "laid", player: 0, laying: LAYING }],
  can_undo: true,
};
const laid = (version: number) => ({ ...message(version, LAID), ...may({ PGBYR: ["PGBYR+0@4,0"] }, [END]) });
const theirs = (version: number) => ({ ...message(version, { active: 1 }), ...may(PLACES, [], false) });

const sent = () => FakeSocket.last.sent.filter(({ type }) => type === "move");
const places = () => [...session.placer.candidates.value.values()].flat().map(({ laying }) => printLaying(laying));

test("with the table comes what may be done, and nothing is asked", async () => {
  await deliver(mine(1, {}, [END]));
  assert.deepEqual(places(), [LAYING, "ZBGRY-1@0,1", "PGBYR+0@2,0"]);
  assert.equal(session.placer.candidates.value.get("ZBGRY")![0]!.scored!.points, 1);
  assert.ok(session.may("end"));
  assert.deepEqual(
    FakeSocket.last.sent.map(({ type }) => type),
    ["hello"],
  );
  assert.ok(!asked.includes("/api/legal"));
});

test("off turn layings can be tried; on turn, with nothing that may be laid, none is shown", async () => {
  await deliver(theirs(1));
  assert.equal(places().length, 3);
  assert.ok(!session.may("end"));
  await deliver({ ...message(2), ...may(PLACES, [END], false) });
  assert.deepEqual(places(), []);
});

test("a host without points sends none", async () => {
  const one = mine(1);
  one.table.aids = "places";
  one.may![0]!.layings = { ZBGRY: [{ laying: LAYING }] };
  await deliver(one);
  assert.deepEqual(session.placer.candidates.value.get("ZBGRY"), [{ laying: parseLaying(LAYING) }]);
});

test("the groups that a laying closes are found here, and are those of the server", async () => {
  let closing = 0;
  for (const { position, groups } of CASES) {
    const all = parsePosition(position);
    for (const laying of all) {
      const own = new Set([centre(laying), ...halves(laying, SET_120).map(({ disc }) => disc)].map(key));
      const wanted = groups.filter(({ closed, discs }) => closed && discs.some((disc) => own.has(key(disc))));
      const inWords = (found: readonly { colour: string; discs: readonly Disc[] }[]) =>
        found.map(({ colour, discs }) => `${colour} ${discs.map(key).sort().join(" ")}`).sort();
      assert.deepEqual(inWords(findClosedGroups(laying, all, SET_120)), inWords(wanted));
      closing += wanted.length;
    }
  }
  assert.ok(closing > 20);
});

test("a laying is seen as sent at once, and nothing else moves until it is answered", async () => {
  await deliver(mine(1));
  session.placer.show(parseLaying(LAYING));
  const done = session.lay(parseLaying(LAYING));
  assert.deepEqual(session.sent.value.map(printLaying), [LAYING]);
  assert.deepEqual(session.placer.hand.value, ["PGBYR"]);
  assert.equal(session.placer.ghost.value, null);
  assert.deepEqual(session.view.value!.scores, [0, 0]);
  assert.equal(session.queue.isBusy.value, true);
  // A second click or key does nothing.
  assert.equal(await session.lay(parseLaying(LAYING)), false);
  assert.equal(await session.move({ move: "end" }), false);
  assert.equal(sent().length, 1);
  await deliver(laid(2));
  assert.deepEqual(session.sent.value, [], "now it lies there");
  assert.deepEqual(places(), ["PGBYR+0@4,0"], "and the second domino's places came with it");
  await deliver({ type: "accepted", id: sent()[0].id, version: 2 });
  assert.equal(await done, true);
  assert.equal(session.queue.isBusy.value, false);
});

test("a refused laying goes back to the hand, with the reason", async () => {
  await deliver(mine(1));
  const done = session.lay(parseLaying(LAYING));
  await deliver({ type: "refused", id: sent()[0].id, code: "clash", message: "Clash." });
  assert.equal(await done, false);
  assert.deepEqual([session.sent.value, session.queue.isBusy.value], [[], false]);
  assert.deepEqual(session.placer.hand.value, ["ZBGRY", "PGBYR"]);
  assert.equal(places().length, 3);
  assert.equal(session.notice.value?.code, "clash");
});

test("when the message about a laying is lost, it stays as sent until the next one arrives", async () => {
  await deliver(mine(1));
  const done = session.lay(parseLaying(LAYING));
  await deliver({ type: "accepted", id: sent()[0].id, version: 2 });
  assert.deepEqual(session.sent.value.map(printLaying), [LAYING]);
  mock.timers.tick(250);
  FakeSocket.last.accept();
  await deliver(laid(2));
  assert.equal(await done, true);
  assert.deepEqual([session.sent.value, session.queue.isBusy.value], [[], false]);
  assert.ok(session.may("end"));
});

test("when the answer is lost, the move is sent again, and counts once", async () => {
  await deliver(mine(1));
  const done = session.lay(parseLaying(LAYING));
  await deliver(laid(2));
  assert.equal(session.queue.isBusy.value, true);
  mock.timers.tick(3_000);
  assert.equal(session.store.isLate.value, true);
  assert.equal(sent().length, 2);
  assert.equal(sent()[0].id, sent()[1].id);
  await deliver({ type: "accepted", id: sent()[0].id, version: 2 });
  assert.equal(await done, true);
  assert.deepEqual([session.store.isLate.value, session.queue.isBusy.value], [false, false]);
});

test("news that come twice happen once; news from before are forgotten", async () => {
  await deliver(mine(1));
  const passed = { events: [{ event: "passed", player: 1 }] };
  await deliver({ ...mine(2), ...passed });
  await deliver({ ...mine(2), ...passed });
  assert.deepEqual(
    session.store.log.value.map(({ version }) => version),
    [2],
  );
  assert.deepEqual(session.store.message.value!.events, []);
  await deliver(theirs(1));
  assert.equal(session.myTurn.value, true);
  assert.equal(session.store.message.value!.version, 2);
});

test("what was said about a turn goes when the turn changes", async () => {
  await deliver(mine(1));
  void session.move({ move: "end" });
  await deliver({ type: "refused", id: sent()[0].id, code: "must_lay", message: "Lay a domino first." });
  assert.equal(session.notice.value?.code, "must_lay");
  await deliver(mine(2));
  assert.equal(session.notice.value?.code, "must_lay", "the same turn");
  await deliver(theirs(3));
  assert.equal(session.notice.value, null);
});

test("a refusal of a turn that is over is not shown", async () => {
  await deliver(mine(1));
  void session.move({ move: "end" });
  await deliver(theirs(2));
  await deliver({ type: "refused", id: sent()[0].id, code: "not_your_turn", message: "It is not your turn." });
  assert.equal(session.notice.value, null);
  assert.equal(session.queue.isBusy.value, false);
});

test("the client asks for the history until it comes, and says so", async () => {
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    if (asked.length < 3) throw new Error("offline");
    return { ok: true, json: async () => [{ version: 4, events: [{ event: "passed", player: 1 }] }] };
  }) as unknown as typeof fetch;
  await deliver(mine(5));
  assert.deepEqual([asked.length, session.store.isLate.value], [1, true]);
  mock.timers.tick(500);
  await settle();
  assert.deepEqual([asked.length, session.store.isLate.value], [2, true]);
  mock.timers.tick(1_000);
  await settle();
  assert.deepEqual([asked.length, session.store.isLate.value], [3, false]);
  assert.deepEqual(
    session.store.log.value.map(({ version }) => version),
    [4],
  );
});

test("a history that is refused is not asked for again", async () => {
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    return { ok: false, status: 403, json: async () => ({ code: "forbidden", message: "No." }) };
  }) as unknown as typeof fetch;
  await deliver(mine(5));
  mock.timers.tick(60_000);
  await settle();
  assert.deepEqual([asked.length, session.store.isLate.value], [1, false]);
});

test("a game by another author is asked, again and again if necessary", async () => {
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    if (path !== "/api/legal") return { ok: true, json: async () => [] };
    if (asked.filter((one) => one === path).length < 2)
      return { ok: false, status: 429, json: async () => ({ code: "too_fast", message: "Wait." }) };
    return { ok: true, json: async () => ({ ZBGRY: [{ laying: LAYING }], PGBYR: [] }) };
  }) as unknown as typeof fetch;
  await deliver({ ...message(1, { game: "three" }), may: {} });
  const question = FakeSocket.last.sent.at(-1);
  assert.equal(question.type, "legal");
  assert.equal(session.store.isLate.value, true);
  mock.timers.tick(500);
  await settle();
  await deliver({
    type: "legal",
    id: question.id,
    version: 1,
    moves: [{ player: 0, move: "lay", laying: LAYING }, END],
  });
  assert.deepEqual(places(), [LAYING]);
  assert.deepEqual([session.may("end"), session.store.isLate.value], [true, false]);
});
