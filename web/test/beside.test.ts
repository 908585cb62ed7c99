import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aroundGhost,
  type Avoided,
  area,
  beside,
  ghostAreas,
  type Sizes,
  type Spot,
  toolsArea,
} from "../src/board/beside.ts";
import { Camera } from "../src/board/camera.ts";
import { SET_120 } from "../src/data.ts";
import { bounds, cellsOf, key, type Laying, parseLaying, parsePosition } from "../src/geometry.ts";
import { CASES } from "./cases.ts";

const DESK: Sizes = {
  tick: { width: 36, height: 36 },
  controls: { width: 232, height: 86 },
  numbers: { width: 80, height: 30 },
};
const PHONE: Sizes = { ...DESK, tick: { width: 48, height: 48 } };

/** As the board shows a position at first. */
function looking(width: number, height: number, layings: readonly Laying[], covered: number): Camera {
  const camera = new Camera();
  camera.covered = covered;
  camera.resize(width, height);
  camera.view.value = camera.fitted(bounds(layings), 1.6);
  return camera;
}

const meet = (a: Avoided, b: Avoided) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** Numbers that look random and are the same each time. */
function random(): () => number {
  let seed = 7;
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

interface Stood {
  camera: Camera;
  pointer: Spot;
  spots: Record<keyof Sizes, Spot>;
  ghost: Avoided[];
}

/** Every legal laying of every case, pointed at somewhere in one of its cells. */
function* everywhere(width: number, height: number, sizes: Sizes, centred: boolean, covered = 0): Iterable<Stood> {
  const next = random();
  for (const { position, legal } of CASES) {
    const layings = parsePosition(position);
    for (const text of legal) {
      const laying = parseLaying(text);
      const camera = looking(width, height, [...layings, laying], covered);
      const cell = cellsOf(laying)[Math.floor(2 * next())]!;
      const at = () => (centred ? 0.5 : 0.06 + 0.88 * next());
      const pointer = camera.toScreen(cell[0] + at(), cell[1] + at());
      const poses = legal
        .map(parseLaying)
        .filter((one) => one.side === laying.side && cellsOf(one).some((other) => key(other) === key(cell)));
      const spots = aroundGhost(laying, poses, layings, SET_120, camera, pointer, sizes);
      yield { camera, pointer, spots, ghost: ghostAreas(laying, layings, SET_120, camera) };
    }
  }
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

for (const centred of [true, false]) {
  test(`on a desktop the tick is near the pointer, ${centred ? "in the middle of a cell" : "wherever it is"}`, () => {
    const far: number[] = [];
    for (const { pointer, spots } of everywhere(1000, 640, DESK, centred))
      far.push(Math.hypot(spots.tick[0] - pointer[0], spots.tick[1] - pointer[1]));
    assert.ok(far.length > 200);
    assert.ok(median(far) < 60, `${median(far)}`);
    assert.ok(far[Math.floor(0.95 * far.length)]! < 120, `${far[Math.floor(0.95 * far.length)]}`);
  });
}

for (const [width, height, sizes] of [
  [1000, 640, DESK],
  [360, 352, PHONE],
  [560, 250, PHONE],
] as const) {
  test(`nothing covers the ghost, its contacts or anything else by it, and all is in sight, on ${width} x ${height}`, () => {
    for (const { camera, spots, ghost } of everywhere(width, height, sizes, false)) {
      const areas = (["tick", "controls", "numbers"] as const).map((name) => area(spots[name], sizes[name], 0));
      for (const [i, one] of areas.entries()) {
        assert.ok(
          one.left >= -1 && one.top >= -1 && one.right <= camera.width + 1 && one.bottom <= camera.height + 1,
          "in sight",
        );
        if (i === 1)
          assert.ok(!ghost.slice(0, 2).some((other) => meet(one, other)), "the controls are not over the domino");
        else assert.ok(!ghost.some((other) => meet(one, other)), "over neither the domino nor its contacts");
        assert.ok(!areas.slice(0, i).some((other) => meet(one, other)), "not over each other");
      }
    }
  });
}

for (const [width, height] of [
  [320, 330],
  [360, 352],
  [1000, 640],
] as const) {
  test(`the tools of the board are never covered, on ${width} x ${height}`, () => {
    for (const { camera, spots } of everywhere(width, height, PHONE, false, 56)) {
      for (const name of ["tick", "controls"] as const)
        assert.ok(!meet(area(spots[name], PHONE[name], 0), toolsArea(camera)), name);
    }
  });
}

test("the controls hide none of what lies, if they need not", () => {
  const camera = new Camera({ x: 400, y: 200, scale: 60 });
  camera.resize(900, 600);
  const lying = parsePosition("CRYBG+0@0,1 PRBYG+0@0,-1 ZYBGR+0@2,0 CYBGR+1@0,2 PGRBY+3@1,-2");
  const laying = parseLaying("BRBYG+0@0,0");
  for (let count = 1; count <= lying.length; count++) {
    const layings = lying.slice(0, count);
    const { controls } = aroundGhost(laying, [laying], layings, SET_120, camera, [430, 230], DESK);
    for (const [u, v] of layings.flatMap((one) => cellsOf(one))) {
      const [left, top] = camera.toScreen(u, v);
      assert.ok(
        !meet(area(controls, DESK.controls, 0), { left, top, right: left + 60, bottom: top + 60, cost: 0 }),
        `${count}`,
      );
    }
  }
});

test("the controls stay where they are while the ghost is turned, where there is room", () => {
  const camera = new Camera({ x: 450, y: 300, scale: 60 });
  camera.resize(1000, 640);
  const poses = [0, 1, 2, 3].map((rotation): Laying => ({ tile: "BRBYG", side: "+", rotation, x: 0, y: 0 }));
  const spots = poses.map((laying) => aroundGhost(laying, poses, [], SET_120, camera, [480, 330], DESK));
  for (const { controls } of spots) assert.deepEqual(controls, spots[0]!.controls);
});

test("where there is room for nothing, the best is still on the screen", () => {
  const [x, y] = beside({ width: 50, height: 50 }, [30, 30], { width: 60, height: 60 }, [
    { left: 0, top: 0, right: 60, bottom: 60, cost: 1e5 },
  ]);
  assert.ok(x >= 25 && x <= 35 && y >= 25 && y <= 35);
});
