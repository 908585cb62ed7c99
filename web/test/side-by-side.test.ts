import assert from "node:assert/strict";
import { test } from "node:test";
import { speak } from "../src/i18n.ts";
import type { ReplayDocument } from "../src/net/study.ts";
import { partsInWords } from "../src/panels/side-by-side.tsx";
import { Replay } from "../src/state/replay.ts";
import { sideOf } from "../src/state/side-by-side.ts";

const view = (scores: number[]) => ({ game: "classic", phase: "play", table: "", scores, turn: [] });
const laid = (player: number, contacts: number, groups: { colour: string; size: number }[] = [], charge = 0, scores = true) =>
  ({ event: "laid", player, laying: "PRYGB+0@0,0", earned: { contacts, groups }, charge, scores });

const GAME = {
  game: "classic",
  options: { target: 60 },
  players: [{ name: "Ann" }, { name: "Bob" }],
  start: { events: [laid(0, 1, [], 0, false)], view: view([0, 0]), hands: null },
  steps: [
    { events: [laid(0, 3, [{ colour: "Y", size: 7 }])], view: view([11, 0]), hands: null },
    { events: [laid(0, 2, [], 4)], view: view([9, 0]), hands: null },
    { events: [{ event: "turn_ended", player: 0, turn_points: 9 }], view: view([9, 0]), hands: null },
    { events: [laid(1, 1)], view: view([9, 1]), hands: null },
    { events: [{ event: "turn_ended", player: 1, turn_points: 1 }], view: view([9, 1]), hands: null },
    { events: [{ event: "passed", player: 0 }], view: view([9, 1]), hands: null },
  ],
  turns: [
    { player: 0, first: 0, last: 2, layings: ["PRYGB+0@0,0", "PRYBG+0@2,0"], points: 9, lost: 0, best: null },
    { player: 1, first: 3, last: 4, layings: ["DRYGB+0@0,1"], points: 1, lost: 0, best: null },
    { player: 0, first: 5, last: 5, layings: [], points: 0, lost: 0, best: null },
  ],
  outcome: null,
} as unknown as ReplayDocument;

test("the turns of one player: dominoes, points in parts, and the total after each", () => {
  const replay = new Replay(GAME);
  const { name, turns } = sideOf(replay, 0);
  assert.equal(name, "Ann");
  assert.deepEqual(turns.map(({ points, total }) => [points, total]), [[9, 9], [0, 9]]);
  assert.deepEqual(turns[0]!.layings, ["PRYGB+0@0,0", "PRYBG+0@2,0"]);
  assert.deepEqual(turns[0]!.parts.map(({ charge }) => charge), [0, 4]);
  assert.deepEqual(turns[1]!.parts, [], "whoever passes earns nothing");
  assert.equal(sideOf(replay, 1, "A friend").name, "A friend");
  assert.equal(sideOf(replay, 1).turns[0]!.parts.length, 1);
});

test("parts are told laying by laying, with what the second one costs", async () => {
  await speak("en");
  const [turn] = sideOf(new Replay(GAME), 0).turns;
  assert.deepEqual(partsInWords(turn!), ["3 discs 4 · yellow 7", "2 discs 2 · second domino −4"]);
});
