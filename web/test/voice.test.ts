import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Voice } from "../src/state/voice.ts";

let said: string[];
let voice: Voice;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  said = [];
  voice = new Voice();
  voice.utter = (line) => void said.push(line);
});

test("what happens together is told in one breath", () => {
  voice.say("Bob lays a domino");
  voice.say("Bob: 3 points this turn.");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Bob lays a domino. Bob: 3 points this turn."]);
});

test("a line waits until the one before it has been read", () => {
  voice.say("A sentence that takes more than a second to read");
  mock.timers.tick(200);
  voice.say("The next one");
  voice.say("and one more");
  mock.timers.tick(1000);
  assert.equal(said.length, 1);
  mock.timers.tick(2000);
  assert.deepEqual(said.slice(1), ["The next one. and one more."]);
});

test("nobody waits for ever", () => {
  voice.say("x".repeat(1000));
  voice.say("y", "urgent");
  mock.timers.tick(200);
  voice.say("The next one");
  mock.timers.tick(6100);
  assert.equal(said.length, 2);
});

test("the same is heard twice if it happens twice", () => {
  voice.say("Bob passes");
  voice.say("Bob passes");
  mock.timers.tick(200);
  voice.say("Bob passes");
  mock.timers.tick(5000);
  assert.deepEqual(said, ["Bob passes. Bob passes.", "Bob passes."]);
});

test("answers come first, then what must be known, what has happened, and what is to be done", () => {
  voice.say("Your turn", "status");
  voice.say("Bob lays a domino");
  voice.say("Not there!", "urgent");
  voice.say("Row 1", "chosen");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Row 1. Not there! Bob lays a domino. Your turn."]);
});

test("of a walk, and of whose turn it is, only where it ends is told", () => {
  for (const row of [1, 2, 3]) voice.say(`Row ${row}`, "chosen");
  voice.say("Bob is playing", "status");
  voice.say("Your turn", "status");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Row 3. Your turn."]);
});

test("a key is answered at once, and what waited is told, too", () => {
  voice.say("A sentence that takes more than a second to read");
  mock.timers.tick(200);
  voice.say("Bob lays a domino");
  voice.hush();
  voice.say("Row 1", "chosen");
  mock.timers.tick(200);
  assert.deepEqual(said.slice(1), ["Row 1. Bob lays a domino."]);
});

test("what an answer says already, and what is to be done, is not told once more", () => {
  voice.say("Bob announces 6.");
  voice.say("Row 1, column 1");
  voice.say("Row 1, column 1", "urgent");
  voice.say("Round 1 · Bob announces 6. Do you see more?", "status");
  voice.say("Round 1 · Bob announces 6. Do you see more? Ann, 0 points.", "chosen");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Round 1 · Bob announces 6. Do you see more? Ann, 0 points. Row 1, column 1."]);
  voice.say("Row 1, column 1");
  voice.say("Row 1, column 12", "chosen");
  mock.timers.tick(5000);
  assert.deepEqual(said.slice(1), ["Row 1, column 12. Row 1, column 1."]);
});
