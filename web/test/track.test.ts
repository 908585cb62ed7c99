import assert from "node:assert/strict";
import { test } from "node:test";
import { spiral } from "../src/panels/track.tsx";

test("the score track is the author's spiral", () => {
  const places = spiral();
  assert.equal(places.length, 60);
  assert.equal(new Set(places.map(String)).size, 60);
  assert.ok(places.every(([x, y]) => x >= 0 && x < 9 && y >= 0 && y < 9));
  // Each field is beside the next one.
  for (const [i, [x, y]] of places.slice(1).entries()) {
    const [u, v] = places[i]!;
    assert.equal(Math.abs(x - u) + Math.abs(y - v), 1);
  }
  // From the lower left up the side, clockwise round, and inwards.
  const field = (number: number) => places[number - 1];
  assert.deepEqual([1, 2, 9, 17, 25, 32].map(field), [[0, 8], [0, 7], [0, 0], [8, 0], [8, 8], [1, 8]]);
  assert.deepEqual(field(60), [2, 3]);
});
