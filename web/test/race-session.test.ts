import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { SET_120, TILES } from "../src/data.ts";
import type { RaceView } from "../src/net/protocol.ts";
import { parseLaying, printLaying } from "../src/geometry.ts";
import { framePlaces } from "../src/state/frames.ts";
import { Session } from "../src/state/session.ts";
import { FakeSocket, message } from "./fake-socket.ts";

let session: Session<RaceView>;

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => {
  FakeSocket.all = [];
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async () => ({ ok: true, json: async () => [] })) as unknown as typeof fetch;
  session = new Session<RaceView>("abc");
  FakeSocket.last.accept();
});

afterEach(() => session.close());

const NOTHING = {
  table: undefined,
  hand: undefined,
  hand_counts: undefined,
  active: undefined,
  scores: undefined,
  turn: undefined,
};

async function puzzle(version: number, view: object = {}): Promise<void> {
  const race = {
    game: "puzzle",
    options: { width: 4, height: 4, set: "120" },
    frames: [[], []],
    given_up: [],
    middle: [],
    held: [null, null],
  };
  FakeSocket.last.deliver(message(version, { ...NOTHING, ...race, ...view }));
  await settle();
}

async function arlequin(version: number, view: object = {}): Promise<void> {
  const race = { game: "arlequin", options: {}, frames: [[], []], given_up: [], piles: [1, 2] };
  FakeSocket.last.deliver(message(version, { ...NOTHING, ...race, ...view }));
  await settle();
}

/** What was sent besides the greeting. */
const sent = () => FakeSocket.last.sent.slice(1);
const moves = () => sent().map(({ move: { player: _, ...move } }) => Object.values(move).join(" "));

async function answer(number: number, received: object): Promise<void> {
  FakeSocket.last.deliver({ id: sent()[number].id, ...received });
  await settle();
}

const accept = (number: number, version: number) => answer(number, { type: "accepted", version });
const refuse = (number: number, code: string) => answer(number, { type: "refused", code, message: "No." });

const found = () => [...session.placer.candidates.value.values()].flat().map(({ laying }) => printLaying(laying));

/** As the table of Puzzle does it. */
function take(tile: string): void {
  session.picked.value = { tile, side: "+" };
  if (session.placer.hand.value.length) void session.move({ move: "put_back" });
  void session.move({ move: "take", tile });
}

test("a domino that is taken is in hand at once, with its places, and no request is sent", async () => {
  await puzzle(1, { middle: ["PRYGB", "PRYBG"] });
  take("PRYGB");
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
  assert.equal(session.placer.tile.value, "PRYGB");
  assert.equal(found().length, 2 * 2 * 2 * 12);
  assert.deepEqual(moves(), ["take PRYGB"]);
  await puzzle(2, { held: ["PRYGB", null], middle: ["PRYBG"] });
  session.placer.choose([2, 3]);
  await accept(0, 2);
  assert.equal(session.queue.isBusy.value, false);
  assert.ok(session.placer.ghost.value, "the answer moves no ghost");
});

test("who was not the quickest has nothing in hand, and reads why", async () => {
  await puzzle(1, { middle: ["PRYGB"] });
  take("PRYGB");
  await puzzle(2, { held: [null, "PRYGB"] });
  assert.deepEqual(session.placer.hand.value, []);
  await refuse(0, "taken");
  assert.equal(session.notice.value?.code, "taken");
  assert.equal(session.queue.isBusy.value, false);
});

test("another domino is taken in one breath, and laid without waiting", async () => {
  await puzzle(1, { held: ["PRYGB", null], middle: ["PRYBG"] });
  take("PRYBG");
  assert.deepEqual(session.placer.hand.value, ["PRYBG"]);
  void session.lay(parseLaying("PRYBG+0@0,0"));
  assert.deepEqual(moves(), ["put_back", "take PRYBG", "lay PRYBG+0@0,0"]);
  assert.deepEqual(session.placer.hand.value, []);
  assert.deepEqual(session.sent.value.map(printLaying), ["PRYBG+0@0,0"]);
  assert.deepEqual(session.view.value!.frames, [["PRYBG+0@0,0"], []]);
  // The display stays the same with any answer of the server.
  await puzzle(2, { held: [null, null], middle: ["PRYBG", "PRYGB"] });
  assert.deepEqual([session.placer.hand.value, session.view.value!.frames[0]], [[], ["PRYBG+0@0,0"]]);
  await accept(0, 2);
  await puzzle(3, { held: ["PRYBG", null], middle: ["PRYGB"] });
  await puzzle(4, { held: [null, null], middle: ["PRYGB"], frames: [["PRYBG+0@0,0"], []] });
  assert.deepEqual([session.placer.hand.value, session.view.value!.frames[0]], [[], ["PRYBG+0@0,0"]]);
  await accept(1, 3);
  await accept(2, 4);
  assert.deepEqual(session.sent.value, []);
  assert.deepEqual(session.view.value!.frames, [["PRYBG+0@0,0"], []]);
});

test("when the first of several moves is refused, all go back, and the first says why", async () => {
  await puzzle(1, { middle: ["PRYGB"] });
  take("PRYGB");
  void session.lay(parseLaying("PRYGB+0@0,0"));
  await puzzle(2, { held: [null, "PRYGB"] });
  await refuse(0, "taken");
  await refuse(1, "not_in_hand");
  assert.equal(session.notice.value?.code, "taken");
  assert.deepEqual(session.view.value!.frames, [[], []]);
  assert.deepEqual(session.placer.hand.value, []);
});

test("a laying that is taken out is in hand at once", async () => {
  await puzzle(1, { frames: [["PRYGB+0@0,0"], []] });
  session.picked.value = { tile: "PRYGB", side: "+" };
  void session.move({ move: "take_out", tile: "PRYGB" });
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
  assert.deepEqual(session.view.value!.frames, [[], []]);
  await puzzle(2, { held: ["PRYGB", null] });
  await accept(0, 2);
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
});

test("what others do moves no ghost", async () => {
  await puzzle(1, { held: ["PRYGB", null] });
  session.placer.choose([2, 3]);
  const ghost = printLaying(session.placer.ghost.value!.laying);
  await puzzle(2, { held: ["PRYGB", "PRYBG"] });
  await puzzle(3, { held: ["PRYGB", null], frames: [[], ["PRYBG+0@0,0"]] });
  assert.equal(printLaying(session.placer.ghost.value!.laying), ghost);
  assert.deepEqual(sent(), []);
});

test("a face that fits nowhere is turned over", async () => {
  const { frame, tile } = lonely();
  await puzzle(1, { options: { width: 2, height: 2, set: "120" }, held: [tile, null], frames: [frame, []] });
  assert.equal(session.placer.side.value, "-");
  assert.ok(found().every((laying) => laying.includes("-")) && found().length > 0);
});

test("who has given up holds nothing", async () => {
  await puzzle(1, { given_up: [0] });
  assert.equal(session.myTurn.value, false);
  assert.deepEqual(session.placer.hand.value, []);
});

test("in Arlequin a domino of the own pile is chosen without a move", async () => {
  await arlequin(1);
  session.pick("PRYGB", "-");
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
  assert.equal(session.placer.side.value, "-");
  // The frame is shown upright: what sticks out of it is for a frame that lies.
  assert.ok(found().includes("PRYGB-1@0,8") && !found().includes("PRYGB-0@8,0"));
  session.lying.value = true;
  assert.ok(!found().includes("PRYGB-1@0,8") && found().includes("PRYGB-0@8,0"));
  assert.deepEqual(sent(), []);
});

test("in Arlequin a domino leaves the hand when it is laid, and is not of another pile", async () => {
  await arlequin(1);
  session.pick("PRYGB");
  void session.lay(parseLaying("PRYGB+0@0,0"));
  assert.deepEqual(session.placer.hand.value, []);
  await arlequin(2, { frames: [["PRYGB+0@0,0"], []] });
  await accept(0, 2);
  assert.deepEqual(session.placer.hand.value, []);
  session.pick("PRYBG"); // Of pile 2.
  assert.deepEqual(session.placer.hand.value, []);
});

test("in Arlequin a refused laying goes back to the hand", async () => {
  await arlequin(1);
  session.pick("PRYGB");
  void session.lay(parseLaying("PRYGB+0@0,0"));
  await refuse(0, "clash");
  assert.deepEqual(session.placer.hand.value, ["PRYGB"]);
  assert.equal(session.notice.value?.code, "clash");
  assert.ok(found().length > 0);
});

/** A small frame with one domino, in which another one fits with its back only. */
function lonely(): { frame: string[]; tile: string } {
  const frame = ["DRYGB+0@0,0"];
  const found = TILES.find(({ name }) => {
    const places = framePlaces(name, { width: 2, height: 2 }, frame.map(parseLaying), SET_120, ["+", "-"]);
    return places.length && places.every(({ laying }) => laying.side === "-");
  });
  return { frame, tile: found!.name };
}
