import assert from "node:assert/strict";
import { test } from "node:test";
import { TRACK } from "../src/data.ts";

test("the score track is the author's spiral", () => {
  assert.equal(TRACK.length, 60);
  assert.equal(new Set(TRACK.map(String)).size, 60);
  // A full rectangle, six fields high as the author's.
  assert.ok(TRACK.every(([x, y]) => x >= 0 && x < 10 && y >= 0 && y < 6));
  // Each field is beside the next one.
  for (const [i, [x, y]] of TRACK.slice(1).entries()) {
    const [u, v] = TRACK[i]!;
    assert.equal(Math.abs(x - u) + Math.abs(y - v), 1);
  }
  // From the lower left up the side, clockwise round, and inwards.
  const field = (number: number) => TRACK[number - 1];
  assert.deepEqual([1, 2, 6, 15, 20, 28, 29].map(field), [
    [0, 5],
    [0, 4],
    [0, 0],
    [9, 0],
    [9, 5],
    [1, 5],
    [1, 4],
  ]);
  // The last one is in the middle: in a row inside two rings of the spiral.
  assert.deepEqual(field(60), [3, 3]);
});
