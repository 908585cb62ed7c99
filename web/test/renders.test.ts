/** How often dominoes are drawn: there may be a hundred, so only when something about them has changed. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { h, options, render, type VNode } from "preact";
import { LaidDominoes } from "../src/board/board.tsx";
import type { View } from "../src/net/protocol.ts";
import { Session } from "../src/state/session.ts";
import { createRoot } from "./fake-dom.ts";
import { FakeSocket, may, message } from "./fake-socket.ts";

const LAID = "DRYGB+0@0,0 ZBGRY+0@2,0";
const NEXT = "PGBYR+0@4,0";

let session: Session;
let root: Element;
let drawn: Record<string, number> = {};

// Preact calls this before it draws a component; its name is short in all builds of Preact.
const hooks = options as { __r?(vnode: VNode): void };
const before = hooks.__r;
hooks.__r = (vnode) => {
  const name = typeof vnode.type === "function" ? vnode.type.name : "";
  drawn[name] = (drawn[name] ?? 0) + 1;
  before?.(vnode);
};

/** The table as a page shows it: drawn again whenever a signal that it reads has changed. */
function Shown() {
  void session.view.value;
  const [layings, last, staged, sent] = [session.layings, session.last, session.staged, session.sent];
  return h(LaidDominoes, {
    set: session.set.value,
    layings: layings.value,
    last: last.value,
    staged: staged.value,
    sent: sent.value,
  });
}

async function receive(version: number, view: Partial<View>, more: object = {}): Promise<void> {
  drawn = {};
  FakeSocket.last.deliver({ ...message(version, { table: LAID, ...view }, may({ PGBYR: [NEXT] })), ...more });
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(async () => {
  FakeSocket.all = [];
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async () => ({ ok: true, json: async () => [] })) as unknown as typeof fetch;
  session = new Session("abc");
  FakeSocket.last.accept();
  root = createRoot();
  render(h(Shown, {}), root);
  await receive(1, {});
});

afterEach(() => {
  session.close();
  render(null, root);
});

test("the first message draws every domino", () => {
  assert.equal(drawn.Domino, 2);
});

test("a message that changes nothing on the board draws no domino", async () => {
  await receive(2, { active: 1, scores: [3, 0], hand: ["PGBYR"] }, { events: [{ event: "passed", player: 0 }] });
  assert.ok(drawn.Shown, "the page was drawn");
  assert.equal(drawn.Domino, undefined);
  assert.equal(drawn.Face, undefined);
  assert.equal(drawn.Ground, undefined);
});

test("the same with a custom set, which every message contains", async () => {
  const row = (name: string) => ({ name, recto: "RRRRRRR", verso: "RRRRRRR" });
  const options = { set: ["A", "B"].map(row), target: 60 };
  await receive(2, { options, table: "A+0@0,0" });
  assert.equal(drawn.Domino, 1);
  await receive(3, { options, table: "A+0@0,0", active: 1 });
  assert.ok(drawn.Shown);
  assert.equal(drawn.Domino, undefined);
});

test("a new laying draws the dominoes", async () => {
  await receive(2, { table: `${LAID} ${NEXT}` });
  assert.equal(drawn.Domino, 3);
});
