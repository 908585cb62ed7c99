import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120, TILES } from "../src/data.ts";
import { cellsOf, halves, key, parseLaying, parsePosition, printLaying } from "../src/geometry.ts";
import { gameOf } from "../src/games/general.ts";
import { emptyCells, fittingOver, framePlaces } from "../src/state/frames.ts";
import {
  columnsFor,
  type Demand,
  frameFor,
  framesFor,
  holes,
  match,
  countNeeded,
  nextColour,
  NO_DEMAND,
} from "../src/state/races.ts";
import { CASES } from "./cases.ts";

const arlequin = gameOf("arlequin").race!.frames({}, []);
const [UPRIGHT, LYING] = arlequin;
const puzzle = gameOf("puzzle").race!.frames({ width: 6, height: 4 }, []);

test("Arlequin's frame is upright or lying until a domino fits only one", () => {
  const both = [parseLaying("PRYGB+0@0,0"), parseLaying("PRYBG+1@7,6")];
  assert.deepEqual(framesFor(arlequin, both), [UPRIGHT, LYING]);
  assert.equal(frameFor(arlequin, both, true), LYING);
  assert.equal(frameFor(arlequin, both, false), UPRIGHT);
  const low = [parseLaying("PRYGB+1@0,7")];
  assert.equal(frameFor(arlequin, low, true), UPRIGHT);
  const wide = [parseLaying("PRYGB+0@7,0")];
  assert.equal(frameFor(arlequin, wide, false), LYING);
  assert.equal(countNeeded(LYING!), 40);
});

test("Puzzle's frame is as agreed", () => {
  assert.deepEqual(frameFor(puzzle, [], true), { width: 6, height: 4 });
  assert.equal(countNeeded({ width: 6, height: 4 }), 12);
});

test("every domino meets no demand, and its own colours, either way round", () => {
  for (const { name } of TILES) {
    assert.deepEqual(match(name, NO_DEMAND, SET_120), { side: "+", turned: false });
    for (const side of ["+", "-"] as const) {
      const around = [...SET_120.face(name, side).slice(1)] as unknown as Demand;
      const turned = [...around.slice(3), ...around.slice(0, 3)];
      for (const demand of [around, turned]) assert.ok(match(name, demand, SET_120));
    }
  }
});

test("a domino that meets a demand shows its colours where they are asked for", () => {
  const demand: Demand = ["Y", "R", null, null, "B", null];
  let found = 0;
  for (const { name } of TILES) {
    const meets = match(name, demand, SET_120);
    if (!meets) continue;
    found += 1;
    const laying = parseLaying(`${name}${meets.side}${meets.turned ? "2@1,0" : "0@0,0"}`);
    // The half-discs W, NW and SE of a domino that lies on the cells 0,0 and 1,0.
    const at = new Map(halves(laying, SET_120).map(({ disc, colour }) => [disc.join(), colour]));
    assert.deepEqual([at.get("0,1"), at.get("1,0"), at.get("3,2")], ["Y", "R", "B"]);
  }
  assert.ok(found > 0 && found < TILES.length);
});

test("demands go through all colours and back to any", () => {
  let colour = nextColour(null);
  const seen = [];
  for (; colour; colour = nextColour(colour)) seen.push(colour);
  assert.deepEqual(seen, ["R", "Y", "G", "B"]);
});

test("empty cells say what their neighbours show", () => {
  // Recto Y GYYRRR: centre, W, NW, NE, E, SE, SW.
  const found = holes({ width: 4, height: 2 }, [parseLaying("PRYGB+0@1,0")], SET_120);
  assert.deepEqual(found, [
    { cell: [0, 0], colours: [null, "G", null, null] },
    { cell: [3, 0], colours: [null, null, null, "R"] },
    { cell: [1, 1], colours: ["R", null, null, null] },
    { cell: [2, 1], colours: ["R", null, null, null] },
  ]);
});

test("places in a frame are those that the server finds", () => {
  for (const { frame } of CASES) {
    const found = framePlaces(frame.tile, frame, parsePosition(frame.position), SET_120, ["+", "-"]);
    assert.deepEqual(found.map(({ laying }) => printLaying(laying)).sort(), [...frame.legal].sort());
  }
  assert.ok(CASES.some(({ frame }) => frame.position && frame.legal.length > 50));
});

test("what fits over a hole is what fits anywhere and covers it", () => {
  const layings = parsePosition("PRYGB+0@0,0 CRYGB+0@2,2");
  const frame = { width: 4, height: 4 };
  const tiles = TILES.map(({ name }) => name).filter((name) => !layings.some(({ tile }) => tile === name));
  assert.equal(emptyCells(frame, layings).length, 12);
  for (const cell of emptyCells(frame, layings)) {
    const found = fittingOver(cell, tiles, frame, layings, SET_120);
    for (const tile of tiles) {
      const places = framePlaces(tile, frame, layings, SET_120, ["+", "-"])
        .map(({ laying }) => laying)
        .filter((laying) => cellsOf(laying).some((one) => key(one) === key(cell)));
      assert.deepEqual(
        (found.get(tile) ?? []).map(printLaying).sort(),
        places.map(printLaying).sort(),
        `${tile} over ${key(cell)}`,
      );
    }
  }
  assert.equal(fittingOver([0, 0], tiles, frame, layings, SET_120).size, 0, "nothing fits where a domino lies");
});

test("the columns of a pool show all dominoes if they can, and as large as that allows", () => {
  const square = { least: 60, most: 120, gap: 0, high: (width: number) => width };
  assert.equal(columnsFor(8, { width: 600, height: 600 }, square), 5, "not larger than is wanted");
  assert.equal(columnsFor(49, { width: 600, height: 600 }, square), 7);
  assert.equal(columnsFor(50, { width: 600, height: 600 }, square), 8);
  assert.equal(columnsFor(500, { width: 600, height: 600 }, square), 10, "not smaller, either: it is scrolled");
});
