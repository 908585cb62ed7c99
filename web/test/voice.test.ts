import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Voice } from "../src/state/voice.ts";
import { SOURCES } from "./sources.ts";

let said: string[];
let voice: Voice;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  said = [];
  voice = new Voice();
  voice.utter = (line) => void said.push(line);
});

test("events of one moment form one announcement", () => {
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
  mock.timers.tick(2500);
  assert.equal(said.length, 1);
  mock.timers.tick(1000);
  assert.deepEqual(said.slice(1), ["The next one. and one more."]);
});

test("no announcement waits for ever", () => {
  voice.say("x".repeat(1000));
  voice.say("y", "urgent");
  mock.timers.tick(200);
  voice.say("The next one");
  mock.timers.tick(15_100);
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

test("of a walk, and of whose turn it is, only the end is announced", () => {
  for (const row of [1, 2, 3]) voice.say(`Row ${row}`, "chosen");
  voice.say("Bob is playing", "status");
  voice.say("Your turn", "status");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Row 3. Your turn."]);
});

test("a key is answered at once, and what waited is announced, too", () => {
  voice.say("A sentence that takes more than a second to read");
  mock.timers.tick(200);
  voice.say("Bob lays a domino");
  voice.hush();
  voice.say("Row 1", "chosen");
  mock.timers.tick(200);
  assert.deepEqual(said.slice(1), ["Row 1. Bob lays a domino."]);
});

test("nothing else speaks: a second live region would cut the first one off", () => {
  const live = /aria-live|ariaLive|role="(?:alert|log|status)"|<output/;
  assert.deepEqual(
    SOURCES.filter(({ text }) => live.test(text)).map(({ name }) => name),
    ["shell/announcer.ts"],
  );
});

test("what an answer has said is not announced again", () => {
  voice.say("Your turn: lay a domino", "status");
  voice.say("Your turn: lay a domino. Ann, 3 points.", "chosen");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Your turn: lay a domino. Ann, 3 points."]);
});

test("while an arrow is held, nothing is announced; then where it has come to, and what has happened", () => {
  voice.say("Bob lays a domino");
  for (let row = 0; row < 20; row++) {
    voice.hush();
    voice.say(`Row ${row}`, "chosen");
    mock.timers.tick(30);
  }
  assert.deepEqual(said, []);
  mock.timers.tick(200);
  assert.deepEqual(said, ["Row 19. Bob lays a domino."]);
});

test("a key that is held at the end of its way says it once; pressed again, it says it again", () => {
  for (const held of [false, true, true, true, false]) {
    voice.hush(held);
    voice.say("Row 3", "chosen");
    mock.timers.tick(500);
  }
  assert.deepEqual(said, ["Row 3.", "Row 3."]);
});

test("of three that move faster than one can hear, every move is announced, once, and in order", () => {
  const moves = Array.from(
    { length: 12 },
    (_, i) => `${["Bob", "Cleo", "Dan"][i % 3]} lays domino number ${i + 1} of this game`,
  );
  for (const move of moves) {
    voice.say(move);
    voice.say(`After ${move}`, "status");
    mock.timers.tick(300);
  }
  mock.timers.tick(60_000);
  const found = said.join(" ");
  const places = moves.map((move) => found.indexOf(`${move}.`));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
  for (const move of moves)
    assert.equal(found.split(`${move}.`).length - (found.includes(`After ${move}.`) ? 1 : 0), 2, move);
  assert.ok(found.endsWith(`After ${moves.at(-1)}.`));
});

test("a line is not cut off by what follows, however long it is", () => {
  const times: number[] = [];
  voice.utter = (line) => {
    said.push(line);
    times.push(Date.now());
  };
  voice.say("A turn with many words. ".repeat(8));
  mock.timers.tick(200);
  voice.say("Your turn", "status");
  mock.timers.tick(20_000);
  assert.equal(said.length, 2);
  assert.ok(times[1]! - times[0]! >= 50 * said[0]!.length, String(times));
});

test("where a dialog opens, its title is read, and then what is new; not what was to be read before", () => {
  voice.say("A sentence that takes more than a second to read. ".repeat(5));
  mock.timers.tick(200);
  voice.say("Ann: 60 points");
  voice.yield("Ann wins!");
  mock.timers.tick(300);
  assert.equal(said.length, 1);
  mock.timers.tick(400);
  assert.deepEqual(said.slice(1), ["Ann: 60 points."]);
});

test("what is no longer true is not announced", () => {
  voice.say("Bob is playing", "status");
  voice.say("The game is over");
  voice.say("", "status");
  mock.timers.tick(200);
  voice.say("Bob is playing", "status");
  voice.say("", "status");
  mock.timers.tick(5000);
  assert.deepEqual(said, ["The game is over."]);
});

test("parts that stand side by side are sentences", () => {
  voice.say("Round 1 · Bob announces 5", "status");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Round 1. Bob announces 5."]);
});

test("what an answer says already, and what is to be done, is not announced once more", () => {
  voice.say("Bob announces 6.");
  voice.say("Row 1, column 1");
  voice.say("Row 1, column 1", "urgent");
  voice.say("Round 1 · Bob announces 6. Do you see more?", "status");
  voice.say("Round 1 · Bob announces 6. Do you see more? Ann, 0 points.", "chosen");
  mock.timers.tick(200);
  assert.deepEqual(said, ["Round 1. Bob announces 6. Do you see more? Ann, 0 points. Row 1, column 1."]);
  voice.say("Row 1, column 1");
  voice.say("Row 1, column 12", "chosen");
  mock.timers.tick(10_000);
  assert.deepEqual(said.slice(1), ["Row 1, column 12. Row 1, column 1."]);
});
