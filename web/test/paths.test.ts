import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../src/board/paths.ts";
import { type Outline, SHAPES, SYMBOLS } from "../src/data.ts";

type Point = [number, number];

const OUTLINES = [
  ...Object.values(SYMBOLS),
  ...Object.values(SHAPES).flatMap(({ parts, links }) => [...parts, ...links.map(([, , link]) => link)]),
];

/** The commands of path data. */
const read = (path: string): Outline =>
  [...path.matchAll(/([a-z])([^a-z]*)/gi)].map(([, letter, text]) => [
    letter!,
    ...(text!.match(/-?[\d.]+/g) ?? []).map(Number),
  ]);

/** Every point that an outline names, where it is, and its other numbers: radii and flags. */
function walked(outline: Outline): { points: Point[]; rest: number[] } {
  const points: Point[] = [];
  const rest: number[] = [];
  let here: Point = [0, 0];
  for (const [letter, ...numbers] of outline) {
    assert.ok("Mmlqaz".includes(letter), JSON.stringify(outline));
    if (letter === "a") rest.push(...numbers.splice(0, 5));
    const from: Point = letter === "M" ? [0, 0] : here;
    for (let i = 0; i < numbers.length; i += 2) {
      here = [from[0] + numbers[i]!, from[1] + numbers[i + 1]!];
      points.push(here);
    }
  }
  return { points, rest };
}

test("an outline keeps its form wherever it is placed, and in any direction", () => {
  const turned = ([x, y]: Point): Point => [-y, x];
  for (const outline of OUTLINES) {
    const before = walked(outline);
    let points = before.points;
    for (let quarter = 0; quarter < 4; quarter++) {
      for (const scale of [1, 1.55]) {
        const after = walked(read(place(outline, -300, 700, scale, quarter)));
        assert.equal(after.points.length, points.length);
        after.points.forEach(([x, y], i) => {
          const [u, v] = points[i]!;
          assert.ok(
            Math.abs(x - scale * u + 300) < 0.05 && Math.abs(y - scale * v - 700) < 0.05,
            JSON.stringify(outline),
          );
        });
        after.rest.forEach((number, i) => {
          const radius = i % 5 < 2;
          assert.ok(Math.abs(number - before.rest[i]! * (radius ? scale : 1)) < 0.01, JSON.stringify(outline));
        });
      }
      points = points.map(turned);
    }
  }
});

test("outlines begin with their only M, and their arcs are of circles", () => {
  for (const outline of OUTLINES) {
    assert.equal(
      outline.findLastIndex(([letter]) => letter === "M"),
      0,
    );
    const { rest } = walked(outline);
    for (let i = 0; i < rest.length; i += 5) assert.ok(rest[i] === rest[i + 1] && rest[i + 2] === 0);
  }
});
