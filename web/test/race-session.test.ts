import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { printLaying } from "../src/geometry.ts";
import { Session } from "../src/state/session.ts";
import { FakeSocket, message } from "./fake-socket.ts";

let session: Session;

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => {
  FakeSocket.all = [];
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async () => ({ ok: true, json: async () => [] })) as unknown as typeof fetch;
  session = new Session("abc");
  FakeSocket.last.accept();
});

afterEach(() => session.close());

const NOTHING = { table: undefined, hand: undefined, hand_counts: undefined, active: undefined, scores: undefined, turn: undefined };

async function puzzle(version: number, view: object = {}): Promise<void> {
  const race = { game: "puzzle", options: { width: 4, height: 4, set: "120" }, frames: [[], []], given_up: [], middle: [], held: [null, null] };
  FakeSocket.last.tell(message(version, { ...NOTHING, ...race, ...view }));
  await settle();
}

async function arlequin(version: number, view: object = {}): Promise<void> {
  const race = { game: "arlequin", options: {}, frames: [[], []], given_up: [], piles: [1, 2] };
  FakeSocket.last.tell(message(version, { ...NOTHING, ...race, ...view }));
  await settle();
}

const questions = () => FakeSocket.last.sent.filter(({ type }) => type === "legal");

async function answer(...layings: string[]): Promise<void> {
  const moves = layings.map((laying) => ({ player: 0, move: "lay", laying }));
  FakeSocket.last.tell({ type: "legal", id: questions().at(-1).id, version: 1, moves });
  await settle();
}

const found = () => [...session.placer.candidates.value.values()].flat().map(({ laying }) => printLaying(laying));

test("a domino that is taken comes in hand, and only it is asked about", async () => {
  await puzzle(1);
  assert.equal(questions().length, 0);
  session.picked.value = { tile: "PRYGB", side: "-" };
  await puzzle(2, { held: ["PRYGB", null] });
  assert.deepEqual(questions().map(({ seat, tile }) => [seat, tile]), [[0, "PRYGB"]]);
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
  assert.equal(session.placer.tile.value, "PRYGB");
  assert.equal(session.placer.side.value, "-");
  await answer("PRYGB-0@0,0", "PRYGB+0@0,0");
  assert.deepEqual(found(), ["PRYGB-0@0,0", "PRYGB+0@0,0"]);
});

test("what others do asks nothing, and moves no ghost", async () => {
  await puzzle(1, { held: ["PRYGB", null] });
  await answer("PRYGB+0@0,0", "PRYGB+0@2,3");
  session.placer.choose([2, 3]);
  await puzzle(2, { held: ["PRYGB", "PRYBG"] });
  await puzzle(3, { held: ["PRYGB", null], frames: [[], ["PRYBG+0@0,0"]] });
  assert.equal(questions().length, 1);
  assert.equal(printLaying(session.placer.ghost.value!.laying), "PRYGB+0@2,3");
});

test("a face that fits nowhere is turned over", async () => {
  await puzzle(1, { held: ["PRYGB", null] });
  await answer("PRYGB-0@0,0");
  assert.equal(session.placer.side.value, "-");
});

test("an answer that comes too late is forgotten", async () => {
  await puzzle(1, { held: ["PRYGB", null] });
  await puzzle(2, { held: [null, null] });
  await answer("PRYGB+0@0,0");
  assert.deepEqual(session.placer.hand.value, []);
  assert.deepEqual(found(), []);
});

test("who has given up holds nothing", async () => {
  await puzzle(1, { given_up: [0] });
  assert.equal(session.myTurn.value, false);
  assert.deepEqual(session.placer.hand.value, []);
});

test("in Arlequin a domino of the own pile is chosen without a move", async () => {
  await arlequin(1);
  void session.pick("PRYGB", "-");
  await settle();
  assert.deepEqual(questions().map(({ tile }) => tile), ["PRYGB"]);
  await answer("PRYGB-0@0,0", "PRYGB-0@8,0", "PRYGB-1@0,8");
  // The frame is shown upright: what sticks out of it is for a frame that lies.
  assert.deepEqual(found(), ["PRYGB-0@0,0", "PRYGB-1@0,8"]);
  session.lying.value = true;
  await settle();
  await answer("PRYGB-0@0,0", "PRYGB-0@8,0", "PRYGB-1@0,8");
  assert.deepEqual(found(), ["PRYGB-0@0,0", "PRYGB-0@8,0"]);
  assert.equal(FakeSocket.last.sent.filter(({ type }) => type === "move").length, 0);
});

test("in Arlequin a domino leaves the hand when it lies, and is not of another pile", async () => {
  await arlequin(1);
  void session.pick("PRYGB");
  await settle();
  await answer("PRYGB+0@0,0");
  await arlequin(2, { frames: [["PRYGB+0@0,0"], []] });
  assert.deepEqual(session.placer.hand.value, []);
  void session.pick("PRYBG"); // Of pile 2.
  await settle();
  assert.deepEqual(session.placer.hand.value, []);
});
