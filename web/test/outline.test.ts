import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf, groupWith } from "../src/board/groups.ts";
import { around, outline } from "../src/board/outline.ts";
import { discColours, groupAt, isClosed, openings } from "../src/state/groups.ts";
import { wholeDiscs } from "../src/board/domino.tsx";
import { SET_120 } from "../src/data.ts";
import { centre, contacts, type Disc, halves, key, parseLaying, parsePosition } from "../src/geometry.ts";
import { CASES } from "./cases.ts";

const sorted = (discs: readonly Disc[]) => discs.map(key).sort();

test("groups are those of Python, from each of their discs", () => {
  for (const { position, groups } of CASES) {
    const colours = discColours(parsePosition(position), SET_120);
    const whole = [...colours.values()].filter((seen) => seen.whole);
    assert.equal(
      whole.length,
      groups.reduce((sum, { size }) => sum + size, 0),
    );
    for (const { discs, colour, size, closed } of groups) {
      for (const disc of [discs[0]!, discs.at(-1)!]) {
        const found = groupAt(disc, colours);
        assert.equal(found.length, size);
        assert.deepEqual(sorted(found), sorted(discs));
        assert.equal(isClosed(found, colours), closed);
      }
      assert.equal(colours.get(key(discs[0]!))!.colour, colour);
    }
  }
});

test("there is no group where nothing lies, and none of half-discs", () => {
  const colours = discColours(parsePosition(CASES[0]!.position), SET_120);
  assert.deepEqual(groupAt([100, 101], colours), []);
  assert.deepEqual(groupAt([0, 1], colours), []);
});

test("an outline is made of closed loops, and goes round every disc", () => {
  for (const { groups } of CASES) {
    for (const { discs } of groups) {
      const path = outline(discs);
      const loops = path.split("Z").filter(Boolean);
      assert.equal(path.match(/M/g)!.length, loops.length);
      assert.ok(!/NaN|undefined/.test(path));
      const numbers = path.match(/-?[\d.]+/g)!.map(Number);
      const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, i) => i % 2 === odd)) as [number[], number[]];
      for (const [x, y] of discs) {
        assert.ok(Math.min(...xs) <= 50 * x && 50 * x <= Math.max(...xs));
        assert.ok(Math.min(...ys) <= 50 * y && 50 * y <= Math.max(...ys));
      }
    }
  }
  assert.equal(outline([]), "");
});

test("the outline of a ring has a hole", () => {
  // Eight discs round one that is not of the group.
  const ring: Disc[] = [];
  for (let u = -1; u <= 1; u++) for (let v = -1; v <= 1; v++) if (u || v) ring.push([10 + u - v, 11 + u + v]);
  assert.equal(outline(ring).match(/M/g)!.length, 2);
});

test("whole discs are those that two dominoes share", () => {
  for (const { position } of CASES) {
    const layings = parsePosition(position);
    const counts = new Map<string, number>();
    for (const laying of layings)
      for (const { disc } of halves(laying, SET_120)) counts.set(key(disc), (counts.get(key(disc)) ?? 0) + 1);
    const whole = wholeDiscs(layings, SET_120);
    assert.deepEqual(
      [...whole.keys()].sort(),
      [...counts]
        .filter(([, n]) => n === 2)
        .map(([name]) => name)
        .sort(),
    );
  }
  const one = parseLaying("DRYGB+0@0,0");
  assert.deepEqual(wholeDiscs([one], SET_120), new Map());
  assert.deepEqual(centre(one), [2, 1]);
});

test("what keeps a group open are half-discs of its colour at its discs; a closed one has none", () => {
  for (const { position, groups } of CASES) {
    const layings = parsePosition(position);
    const colours = discColours(layings, SET_120);
    const single = layings
      .flatMap((laying) => halves(laying, SET_120))
      .filter(({ disc }) => !colours.get(key(disc))!.whole);
    for (const { discs, colour, closed } of groups) {
      const found = openings(discs, colours);
      const near = single.filter(
        (half) =>
          half.colour === colour
          && discs.some(([x, y]) => Math.abs(x - half.disc[0]) === 1 && Math.abs(y - half.disc[1]) === 1),
      );
      assert.deepEqual(sorted(found), sorted(near.map(({ disc }) => disc)));
      assert.equal(found.length === 0, closed);
      const group = groupWith(groupsOf(layings, SET_120), discs[0]!)!;
      assert.deepEqual(
        [group.closed, sorted(group.openings), group.discs.length],
        [closed, sorted(found), discs.length],
      );
    }
  }
});

test("the line round a domino does not come near the discs that it completes", () => {
  const GAP = 36;
  for (const { position, legal } of CASES) {
    const layings = parsePosition(position);
    for (const text of legal) {
      const laying = parseLaying(text);
      const discs = contacts(laying, layings, SET_120).map(({ disc }) => disc);
      assert.ok(discs.length > 0);
      assert.equal(discs.length, new Set(discs.map(key)).size);
      const path = around(laying, 2, discs, GAP);
      assert.ok(!/NaN/.test(path));
      // Every straight piece, from where the last one ended.
      let at = [0, 0];
      for (const [, letter, rest] of path.matchAll(/([MLa])([^MLa]*)/g)) {
        const numbers = rest!.trim().split(/[ ,]+/).map(Number);
        const to = letter === "a" ? [at[0]! + numbers[5]!, at[1]! + numbers[6]!] : numbers;
        if (letter === "L") {
          for (const [x, y] of discs) {
            for (let part = 0; part <= 1; part += 0.05) {
              const [px, py] = [0, 1].map((i) => at[i]! + part * (to[i]! - at[i]!));
              assert.ok(Math.hypot(px! - 50 * x, py! - 50 * y) >= GAP - 0.1);
            }
          }
        }
        at = to as [number, number];
      }
    }
  }
  assert.equal(
    around(parseLaying("DRYGB+0@0,0"), 2, [], GAP).match(/M/g)!.length,
    1,
    "and is whole where there are none",
  );
});
