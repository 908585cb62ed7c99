/** The pad of the children's game: scenarios from rules 4. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beginChildPad,
  type ChildPad,
  type ChildStep,
  findChildStanding,
  isChildPad,
  takeStep,
  undoStep,
} from "../src/companion/pads/children/child-pad.ts";
import { beginPad, EMPTY_SETUP, findDominoes } from "../src/companion/pads/pad-setup.ts";

const begin = (names = ["Bob", "Anna"], ages = [4, 5], agreed = 9) =>
  beginChildPad({ id: "a", at: 0, names }, ages, agreed);
const play = (pad: ChildPad, ...steps: ChildStep[]) => steps.reduce(takeStep, pad);

test("each child draws as many dominoes as years, and older ones the number that was agreed on", () => {
  assert.deepEqual(findChildStanding(begin(["Ann", "Bob", "Cem"], [4, 8, 40], 7)).left, [4, 8, 7]);
  assert.deepEqual([findDominoes("6", "9"), findDominoes("9", "12"), findDominoes("", "9")], [6, 12, null]);
  assert.deepEqual([findDominoes("3", "9"), findDominoes("6", "0")], [null, null]);
});

test("the name with most letters a begins", () => {
  assert.equal(findChildStanding(begin()).next, 1);
});

test("one disc: draw one; two: turn over; three: again; nothing fits: draw one", () => {
  const left = (...steps: ChildStep[]) => {
    const { left: dominoes, next, isAgain } = findChildStanding(play(begin(), ...steps));
    return [dominoes, next, isAgain];
  };
  assert.deepEqual(left("one"), [[4, 5], 0, false]);
  assert.deepEqual(left("two"), [[4, 4], 0, false]);
  assert.deepEqual(left("three"), [[4, 4], 1, true]);
  assert.deepEqual(left("three", "two"), [[4, 3], 0, false]);
  assert.deepEqual(left("stuck"), [[4, 6], 0, false]);
});

test("the first empty hand wins, and nothing follows", () => {
  const pad = play(begin(), "three", "three", "three", "three", "two", "two");
  const { winners, next, left } = findChildStanding(pad);
  assert.deepEqual([winners, next, left], [[1], null, [4, 0]]);
  assert.equal(pad.steps.length, 5);
  assert.equal(findChildStanding(undoStep(pad)).next, 1);
});

test("the last domino with one disc does not win, as long as the bag has one", () => {
  const pad = play(begin(), "three", "three", "three", "three", "one");
  assert.deepEqual([findChildStanding(pad).winners, findChildStanding(pad).left], [[], [4, 1]]);
});

test("with an empty bag nothing is drawn, and when no one can go on the fewest dominoes win", () => {
  let pad = begin(["Anna", "Bob"], [40, 40], 20);
  while (findChildStanding(pad).bag) pad = takeStep(pad, "stuck");
  const { left, next } = findChildStanding(pad);
  assert.ok(next !== null);
  pad = play(pad, "two", "stuck");
  const after = findChildStanding(pad);
  assert.deepEqual([after.winners, after.left[next]], [[], left[next]! - 1]);
  pad = play(pad, "stuck");
  assert.deepEqual([findChildStanding(pad).next, findChildStanding(pad).winners], [null, [next]]);
});

test("a game needs an age for each name", () => {
  const setup = { ...EMPTY_SETUP, kind: "ages" as const, names: ["Ann", "", "Bob"] };
  assert.deepEqual(beginPad({ ...setup, ages: ["5"] }, "a", 0), { trouble: { field: "ages", least: 4, most: 120 } });
  assert.deepEqual(beginPad({ ...setup, ages: ["5", "", "8"], agreed: "0" }, "a", 0), {
    trouble: { field: "agreed", least: 1, most: 20 },
  });
  const begun = beginPad({ ...setup, ages: ["5", "", "8"] }, "a", 0);
  assert.deepEqual((begun as { pad: ChildPad }).pad.ages, [5, 8]);
});

test("stored data that cannot be is no pad", () => {
  const good = play(begin(), "one");
  assert.equal(isChildPad(JSON.parse(JSON.stringify(good))), true);
  const bad = [
    { ...good, ages: [5] },
    { ...good, ages: [5, 3] },
    { ...good, agreed: 0 },
    { ...good, steps: ["four"] },
    { ...good, names: ["Ann"] },
    { ...good, names: Array(7).fill("Ann"), ages: Array(7).fill(5) },
  ];
  assert.deepEqual(bad.filter(isChildPad), []);
});
