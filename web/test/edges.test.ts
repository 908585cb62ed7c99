import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120 } from "../src/data.ts";
import { halves, parseLaying, parsePosition } from "../src/geometry.ts";
import { firstCell, near, openEdges } from "../src/state/edges.ts";

const [first] = SET_120.tiles;
const FLAT = parseLaying(`${first!.name}+0@2,1`);

test("a domino alone has six open edges, from above and from the left", () => {
  const edges = openEdges([FLAT], SET_120, null);
  assert.deepEqual(
    edges.map(({ cell, side }) => [...cell, side]),
    [
      [2, 0, 2],
      [3, 0, 2],
      [1, 1, 1],
      [4, 1, 3],
      [2, 2, 0],
      [3, 2, 0],
    ],
  );
  assert.deepEqual(
    edges.map(({ colour }) => colour).sort(),
    halves(FLAT, SET_120)
      .map(({ colour }) => colour)
      .sort(),
  );
});

test("what a frame cuts off is no edge", () => {
  const cells = openEdges([{ ...FLAT, x: 0, y: 0 }], SET_120, { width: 2, height: 2 }).map(({ cell }) => cell);
  assert.deepEqual(cells, [
    [0, 1],
    [1, 1],
  ]);
});

test("where halves meet there is no edge any more", () => {
  const [, west, , , east] = first!.recto;
  const other = SET_120.tiles.find(({ name, recto }) => name !== first!.name && recto[1] === east);
  assert.ok(west && other);
  const edges = openEdges(parsePosition(`${first!.name}+0@0,0 ${other.name}+0@2,0`), SET_120, null);
  assert.equal(edges.length, 10);
});

test("one comes to a domino at its upper or left cell, and is near it two cells away", () => {
  assert.deepEqual(firstCell({ ...FLAT, rotation: 2 }), [1, 1]);
  assert.deepEqual(firstCell({ ...FLAT, rotation: 3 }), [2, 0]);
  assert.ok(near([5, 3], [FLAT]));
  assert.ok(!near([6, 1], [FLAT]));
});
