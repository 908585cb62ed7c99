import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { parseLaying, printLaying } from "../src/geometry.ts";
import type { View } from "../src/net/protocol.ts";
import { lastTurn, Session } from "../src/state/session.ts";
import type { LogEntry } from "../src/state/table-store.ts";
import { keepToken, tokenOf } from "../src/state/storage.ts";
import { FakeSocket, message, scored } from "./fake-socket.ts";

/** What the server was asked by HTTP, and what it answers. */
let asked: { path: string; body: any; token: string | null }[] = [];
let answers: Record<string, unknown> = {};
let session: Session;

const LEGAL = { ZBGRY: [scored("ZBGRY+0@2,0"), scored("ZBGRY-1@0,1")], PGBYR: [] };

/** The moves that the server lists besides layings. */
let others: { player: number; move: string }[] = [];
let answered = new Set<string>();

/** Everything that was asked has been answered. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    for (const { id } of legalAsked().filter((question) => !answered.has(question.id))) {
      answered.add(id);
      const layings = Object.values(answers["/api/legal"] as typeof LEGAL).flat();
      const moves = [...layings.map(({ laying }) => ({ player: 0, move: "lay", laying })), ...others];
      FakeSocket.last.deliver({ type: "legal", id, version: session.store.message.value!.version, moves });
    }
  }
}

beforeEach(() => {
  FakeSocket.all = [];
  asked = [];
  others = [];
  answered = new Set();
  answers = { "/api/legal": LEGAL, "/api/tables/abc/history": [] };
  localStorage.clear();
  keepToken("abc", "TOKEN", "classic");
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async (path: string, { body, headers }: any) => {
    asked.push({ path, body: body && JSON.parse(body), token: headers.authorization ?? null });
    return { ok: true, json: async () => answers[path] };
  }) as unknown as typeof fetch;
  session = new Session("abc");
  FakeSocket.last.accept();
});

afterEach(() => session.close());

async function deliver(one: ReturnType<typeof message>): Promise<void> {
  FakeSocket.last.deliver(one);
  await settle();
}

const legalAsked = () => FakeSocket.last.sent.filter(({ type }) => type === "legal");

test("says hello with the token that this browser keeps", () => {
  assert.deepEqual(FakeSocket.last.sent, [{ type: "hello", tokens: ["TOKEN"], with: ["moves", "company"] }]);
});

test("the page shows what the server sends", async () => {
  assert.equal(session.table.value, null);
  await deliver(message(1));
  assert.equal(session.store.connection.value, "online");
  assert.equal(session.seat.value, 0);
  assert.equal(session.myTurn.value, true);
  assert.deepEqual(session.layings.value.map(printLaying), ["DRYGB+0@0,0"]);
  assert.deepEqual(session.placer.hand.value, ["ZBGRY", "PGBYR"]);
  const found = session.placer.candidates.value.get("ZBGRY")!;
  assert.deepEqual(
    found.map(({ laying }) => printLaying(laying)),
    ["ZBGRY+0@2,0", "ZBGRY-1@0,1"],
  );
  assert.equal(found[0]!.scored!.points, 1);
});

test("a laying lies on the table when the server has confirmed it; before, it is marked as sent", async () => {
  await deliver(message(1));
  session.placer.show(parseLaying("ZBGRY+0@2,0"));
  const done = session.lay(parseLaying("ZBGRY+0@2,0"));
  await settle();
  assert.equal(session.layings.value.length, 1);
  assert.deepEqual(session.sent.value.map(printLaying), ["ZBGRY+0@2,0"]);
  assert.deepEqual(session.placer.hand.value, ["PGBYR"]);
  assert.equal(session.queue.isBusy.value, true);
  const { id, move } = FakeSocket.last.sent.at(-1);
  assert.deepEqual(move, { move: "lay", laying: "ZBGRY+0@2,0", player: 0 });
  await deliver(message(2, { table: "DRYGB+0@0,0 ZBGRY+0@2,0", hand: ["PGBYR"] }));
  await deliver({ type: "accepted", id, version: 2 } as never);
  assert.equal(await done, true);
  assert.equal(session.layings.value.length, 2);
  assert.equal(session.queue.isBusy.value, false);
  assert.equal(session.placer.tile.value, null);
});

test("a refusal becomes a notice, and changes nothing", async () => {
  await deliver(message(1));
  const done = session.move({ move: "end" });
  await deliver({
    type: "refused",
    id: FakeSocket.last.sent.at(-1).id,
    code: "must_lay",
    message: "Lay a domino first.",
  } as never);
  assert.equal(await done, false);
  assert.deepEqual(session.notice.value, { text: "Lay a domino first.", code: "must_lay", values: {} });
  assert.equal(session.layings.value.length, 1);
});

test("where the table message has no legal moves, they are asked for one's own turn, and known at this version only", async () => {
  others = [{ player: 0, move: "pass" }];
  await deliver(message(1));
  const [question] = legalAsked();
  assert.equal(question.seat, 0);
  assert.equal(session.may("pass"), true);
  assert.equal(session.may("end"), false);
  await deliver(message(2, { active: 1 }));
  assert.equal(session.may("pass"), false);
  assert.equal(legalAsked().length, 1);
});

test("at a table without aids no points are asked for, and what the server lists is enough", async () => {
  const { table } = message(1);
  await deliver(message(1, {}, { table: { ...table, aids: "none" } }));
  assert.ok(!asked.some(({ path }) => path === "/api/legal"));
  const found = session.placer.candidates.value.get("ZBGRY")!;
  assert.deepEqual(
    found.map(({ laying }) => printLaying(laying)),
    ["ZBGRY+0@2,0", "ZBGRY-1@0,1"],
  );
  assert.equal(found[0]!.scored, undefined);
});

test("where there are too many moves for one list, each domino is asked about", async () => {
  FakeSocket.last.deliver(message(1));
  await new Promise((resolve) => setImmediate(resolve));
  const [question] = legalAsked();
  answered.add(question.id);
  FakeSocket.last.deliver({ type: "refused", id: question.id, code: "too_many_moves", message: "Too many." });
  await settle();
  assert.deepEqual(
    legalAsked().map(({ tile }) => tile),
    [undefined, "ZBGRY", "PGBYR"],
  );
  assert.equal(session.placer.candidates.value.get("ZBGRY")!.length, 2);
});

test("off turn one may try a laying; it stays prepared while it is legal", async () => {
  await deliver(message(1, { active: 1 }));
  session.placer.show(parseLaying("ZBGRY+0@2,0"));
  await deliver(message(2, { table: "DRYGB+0@0,0 BGRYB+0@-2,0" }));
  assert.equal(printLaying(session.placer.ghost.value!.laying), "ZBGRY+0@2,0");
  assert.equal(session.notice.value, null);
});

test("the page says when a prepared laying is not legal any more", async () => {
  await deliver(message(1, { active: 1 }));
  session.placer.show(parseLaying("ZBGRY+0@2,0"));
  answers["/api/legal"] = { ...LEGAL, ZBGRY: [] };
  await deliver(message(2, { table: "DRYGB+0@0,0 BGRYB+0@2,0" }));
  assert.equal(session.placer.ghost.value, null);
  assert.equal(session.notice.value?.code, "unprepared");
});

test("the log goes on version by version; after a gap all of it is asked for", async () => {
  answers["/api/tables/abc/history"] = [{ version: 2, events: [{ event: "passed", player: 1 }] }];
  await deliver(message(3));
  assert.deepEqual(
    session.store.log.value.map(({ version }) => version),
    [2],
  );
  await deliver(message(4, {}, { events: [{ event: "passed", player: 0 }] }));
  assert.deepEqual(
    session.store.log.value.map(({ version }) => version),
    [2, 4],
  );
  answers["/api/tables/abc/history"] = [2, 4, 6, 7].map((version) => ({
    version,
    events: [{ event: "passed", player: 0 }],
  }));
  await deliver(message(7));
  assert.deepEqual(
    session.store.log.value.map(({ version }) => version),
    [2, 4, 6, 7],
  );
  assert.ok(asked.filter(({ path }) => path.endsWith("/history")).every(({ token }) => token === "Bearer TOKEN"));
});

test("a spectator sees, asks nothing and may do nothing", async () => {
  await deliver(
    message(1, {}, { yours: [], views: { spectator: { ...message(1).views[0]!, viewer: null, hand: [] } } }),
  );
  assert.equal(session.seat.value, null);
  assert.equal(session.myTurn.value, false);
  assert.equal(await session.move({ move: "end" }), false);
  assert.deepEqual(legalAsked(), []);
  assert.ok(!asked.some(({ path }) => path === "/api/legal"));
});

test("a view with secrets is covered until its owner uncovers it, at a shared screen", async () => {
  const shared = (version: number, active: number) => {
    const one = message(version, { active });
    return { ...one, yours: [0, 1], views: { 0: one.views[0]!, 1: { ...one.views[0]!, viewer: 1, hand: ["BGRYB"] } } };
  };
  await deliver(shared(1, 0));
  assert.equal(session.covered.value, true);
  assert.deepEqual(session.placer.hand.value, []);
  assert.ok(!asked.some(({ path }) => path === "/api/legal"), "what is covered is not even asked about");
  session.uncovered.value = 0;
  await settle();
  assert.equal(session.covered.value, false);
  assert.deepEqual(session.placer.hand.value, ["ZBGRY", "PGBYR"]);
  await deliver(shared(2, 1));
  assert.equal(session.seat.value, 1);
  assert.equal(session.covered.value, true);
  assert.deepEqual(session.placer.hand.value, []);
});

test("who is away does not act; a program does", async () => {
  const one = message(1);
  one.table.seats[0]!.away = true;
  await deliver(one);
  assert.equal(session.away.value, true);
  assert.equal(session.myTurn.value, false);
});

// -- what views say -------------------------------------------------------------------------------

const view = (fields: object) => ({ ...message(1).views[0]!, ...fields }) as View;

test("the last turn is the last one that is finished", () => {
  const laid = (laying: string) => ({ event: "laid", player: 0, laying });
  const log: LogEntry[] = [
    { version: 1, events: [laid("DRYGB+0@0,0")] },
    { version: 2, events: [laid("ZBGRY+0@2,0")] },
    { version: 3, events: [{ event: "turn_ended", player: 0 }] },
  ];
  assert.deepEqual(lastTurn(log, view({})), ["DRYGB+0@0,0", "ZBGRY+0@2,0"]);
  const staged = [...log, { version: 4, events: [laid("PGBYR+0@4,0")] }];
  const turn = [{ ...laid("PGBYR+0@4,0") } as never];
  assert.deepEqual(lastTurn(staged, view({ turn })), ["DRYGB+0@0,0", "ZBGRY+0@2,0"]);
  const undone = [
    ...log.slice(0, 2),
    { version: 3, events: [{ event: "undone", player: 0, laying: "ZBGRY+0@2,0" }] },
    log[2]!,
  ];
  assert.deepEqual(lastTurn(undone, view({})), ["DRYGB+0@0,0"]);
  assert.deepEqual(lastTurn([], null), []);
});

test("a guest whom the host sends away is notified, and keeps no key of a seat", async () => {
  await deliver(message(1));
  FakeSocket.last.deliver({ ...message(2, {}, { yours: [] }) });
  FakeSocket.last.deliver({ type: "removed" });
  assert.equal(session.removed.value, true);
  assert.equal(tokenOf("abc"), null);
  await deliver(message(3)); // Sat down again.
  assert.equal(session.removed.value, false);
});
