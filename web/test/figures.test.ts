/** Figures of frames in the browser, as `core/figures.py` has them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tileSet } from "../src/data.ts";
import { figureCells, figureFrame } from "../src/state/figures.ts";
import { parsePosition } from "../src/geometry.ts";
import { framePlaces } from "../src/state/frames.ts";
import { cellsOfFrame, layoutIn } from "../src/state/layout.ts";
import { countNeeded } from "../src/state/races.ts";

const SET = tileSet("120");
const lay = (text: string) => parsePosition(text);

test("figures by name, by size and in rows", () => {
  const sizes = Object.entries({ rectangle: 16, cross: 20, staircase: 20, ring: 24, heart: 22 });
  for (const [figure, size] of sizes) assert.equal(figureCells({ figure }).length, size, figure);
  assert.equal(figureCells({ figure: "6x4" }).length, 24);
  assert.deepEqual(figureCells({ figure: "..../.xx./.x.." }), [
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
  for (const figure of ["blob", "xx xx", "", "...."]) assert.deepEqual(figureCells({ figure }), [], figure);
});

test("a figure in its place", () => {
  const ring = figureFrame({ figure: "ring" }, []);
  assert.equal(countNeeded(ring), 12);
  assert.equal(cellsOfFrame(ring).length, 24);
  const layout = layoutIn(ring, SET, []);
  assert.equal(layout.refusal(lay("PRYGB+0@1,2")[0]!), "outside_frame");
  assert.equal(layout.refusal(lay("PRYGB+0@0,2")[0]!), null);
  assert.equal(figureFrame({ figure: "ring" }, []), ring, "the same object");
});

test("without a place, the figure may lie wherever it contains the layings", () => {
  const options = { figure: "staircase", place: "free" };
  const begun = figureFrame(options, []);
  assert.deepEqual([begun.width, begun.height, countNeeded(begun)], [16, 8, 10]);
  const four = lay("PRYGB+0@3,4 PRYGB+0@5,4 PRYGB+0@7,4 PRYGB+0@9,4");
  const settled = figureFrame(options, four);
  // Eight cells in a row: only the lowest step.
  assert.equal(cellsOfFrame(settled).length, 20);
  assert.deepEqual([settled.left, settled.top], [3, 1]);
  const two = figureFrame(options, lay("PRYGB+0@3,4"));
  const layout = layoutIn(two, SET, lay("PRYGB+0@3,4"));
  // Both halves are somewhere in reach, but never with the first domino in one place.
  const places = framePlaces("PRYBG", two, lay("PRYGB+0@3,4"), SET, ["+", "-"]);
  assert.ok(places.length > 0);
  for (const { laying } of places) assert.equal(layout.refusal(laying), null);
  assert.equal(layout.refusal(lay("PRYBG+0@11,4")[0]!), "outside_frame");
});
