import assert from "node:assert/strict";
import { test } from "node:test";
import { OURS, SET_120, SET_72, tileSet } from "../src/data.ts";
import { infoOf } from "../src/state/catalogue.ts";
import {
  bounds,
  cellsOf,
  centre,
  clashes,
  halves,
  key,
  parseLaying,
  parsePosition,
  printLaying,
  printPosition,
  sameLaying,
} from "../src/geometry.ts";
import { CASES } from "./cases.ts";

test("layings and positions are read and written as Python does", () => {
  for (const { position, layings } of CASES) {
    assert.equal(printPosition(parsePosition(position)), position);
    for (const { laying } of layings) assert.equal(printLaying(parseLaying(laying)), laying);
  }
  assert.deepEqual(parsePosition("  \n "), []);
});

test("what is no laying is refused", () => {
  for (const text of ["", "DRYGB", "DRYGB+4@0,0", "DRYGB*0@0,0", "DRYGB+0@0", "DRYGB+0@0,0x", "DRYGB+0@1234567,0"]) {
    assert.throws(() => parseLaying(text), /is not a laying/);
  }
});

test("cells, central discs and half-discs are where Python has them", () => {
  for (const { layings } of CASES) {
    for (const wanted of layings) {
      const laying = parseLaying(wanted.laying);
      assert.deepEqual(cellsOf(laying), wanted.cells);
      assert.deepEqual(centre(laying), wanted.centre);
      assert.deepEqual(halves(laying, SET_120), wanted.halves);
    }
  }
});

test("clashes are what the server would refuse as clashes", () => {
  let seen = 0;
  for (const { position, tries, legal } of CASES) {
    const layings = parsePosition(position);
    const taken = new Set(layings.flatMap((laying) => cellsOf(laying).map(key)));
    for (const { laying: text, refusal } of tries) {
      const laying = parseLaying(text);
      if (cellsOf(laying).some((cell) => taken.has(key(cell)))) {
        assert.equal(refusal, "overlap");
        continue;
      }
      seen++;
      assert.equal(clashes(laying, layings, SET_120).length > 0, refusal === "clash", text);
    }
    for (const text of legal) assert.deepEqual(clashes(parseLaying(text), layings, SET_120), []);
  }
  assert.ok(seen > 20);
});

test("the box round some layings", () => {
  assert.deepEqual(bounds(parsePosition("DRYGB+1@0,0 DRYGB+2@3,-2")), { left: 0, top: -2, right: 4, bottom: 2 });
  const empty = bounds([]);
  assert.ok(empty.right > empty.left && empty.bottom > empty.top);
});

test("two layings are the same when they read the same", () => {
  const one = parseLaying("DRYGB+1@0,0");
  assert.ok(sameLaying(one, { ...one }));
  assert.ok(sameLaying(null, null));
  assert.ok(!sameLaying(one, { ...one, side: "-" }));
  assert.ok(!sameLaying(one, null));
});

test("the sets of dominoes", () => {
  assert.equal(SET_120.tiles.length, 120);
  assert.equal(SET_72.tiles.length, 72);
  assert.equal(tileSet("72"), SET_72);
  assert.equal(tileSet(undefined), SET_120);
  const own = tileSet([{ name: "A", recto: "RRRRRRR", verso: "YYYYYYY" }]);
  assert.equal(own.face("A", "-"), "YYYYYYY");
  assert.equal(own.get("A").pile, null);
  assert.throws(() => own.get("DRYGB"), /no domino/);
});

test("the games", () => {
  assert.equal(OURS.length, 8);
  assert.equal(infoOf("72")!.name, "72");
  assert.equal(infoOf("chess"), undefined);
});
