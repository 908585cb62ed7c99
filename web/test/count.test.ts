/** Counting a group on a real table: against the groups that the rules know. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CountMarks, countGroups, readMarks, tapPlace } from "../src/companion/count/count.ts";

const discs = (...places: string[]): CountMarks => Object.fromEntries(places.map((place) => [place, "disc"]));

test("a tap makes a disc, the next a half-disc, the third nothing", () => {
  const first = tapPlace({}, [3, 5]);
  const second = tapPlace(first, [3, 5]);
  assert.deepEqual([first, second, tapPlace(second, [3, 5])], [{ "3,5": "disc" }, { "3,5": "half" }, {}]);
});

test("discs hang together diagonally; a disc in the same row is no neighbour", () => {
  assert.deepEqual(countGroups(discs("3,3", "4,4", "5,3", "4,2")), [{ size: 4, isClosed: true }]);
  assert.deepEqual(countGroups(discs("3,3", "5,3")), [
    { size: 1, isClosed: true },
    { size: 1, isClosed: true },
  ]);
});

test("a neighbouring half-disc opens a group, and joins no discs", () => {
  assert.deepEqual(countGroups({ ...discs("3,3", "5,5", "5,3"), "4,4": "half" }), [
    { size: 1, isClosed: false },
    { size: 1, isClosed: false },
    { size: 1, isClosed: false },
  ]);
  assert.deepEqual(countGroups({ ...discs("3,3", "4,4"), "8,8": "half" }), [{ size: 2, isClosed: true }]);
});

test("stored places outside the field, or where no disc can be, are left out", () => {
  const stored = {
    "0,0": "disc",
    "1,0": "disc",
    "19,1": "disc",
    "-1,1": "half",
    "2,2": "x",
    "2,2,2": "disc",
    a: "disc",
  };
  assert.deepEqual(readMarks(stored), { "0,0": "disc" });
  for (const bad of [null, 7, "x", []]) assert.deepEqual(readMarks(bad), {});
});
