import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Camera, LARGEST, SMALLEST } from "../src/board/camera.ts";
import { findGain } from "../src/tables/quarter-turn.tsx";

test("a cell is found where it is drawn", () => {
  const camera = new Camera();
  camera.view.value = { x: 37, y: -20, scale: 50 };
  for (const [x, y] of [
    [0, 0],
    [3, -2],
    [-4, 7],
  ] as const) {
    const [left, top] = camera.toScreen(x, y);
    assert.deepEqual(camera.cellAt(left + 1, top + 1), [x, y]);
    assert.deepEqual(camera.cellAt(left + 49, top + 49), [x, y]);
  }
});

test("on a turned table, a cell is found where it is drawn, and boxes lie as they are drawn", () => {
  const camera = new Camera({ x: 300, y: 40, scale: 50, turned: true });
  camera.resize(400, 300);
  // What was at the left is at the top, what was below is at the left.
  assert.deepEqual(camera.toScreen(1, 0), [300, 90]);
  assert.deepEqual(camera.toScreen(0, 1), [250, 40]);
  for (const [x, y] of [
    [0, 0],
    [3, -2],
    [-4, 7],
  ] as const) {
    const [right, top] = camera.toScreen(x, y);
    assert.deepEqual(camera.cellAt(right - 1, top + 1), [x, y]);
    assert.deepEqual(camera.cellAt(right - 49, top + 49), [x, y]);
  }
  assert.ok(camera.sees({ left: 0, top: 0, right: 5, bottom: 6 }));
  assert.ok(!camera.sees({ left: 0, top: 0, right: 6, bottom: 5 }));
  camera.fly(camera.moved({ left: -2, top: 0, right: 0, bottom: 1 }, 0), 0);
  assert.equal(camera.toScreen(-2, 0)[1], 0);
});

test("turning shows a high layout larger", () => {
  const high = { left: 0, top: 0, right: 6, bottom: 14 };
  const camera = new Camera();
  camera.resize(1000, 600);
  camera.fit = (milliseconds) => camera.fly(camera.fitted(high, 1), milliseconds);
  camera.fit(0);
  const before = camera.view.value.scale;
  assert.ok(findGain(camera.size.value, high) > 1.5);
  camera.turnTable();
  assert.ok(camera.view.value.scale > 1.5 * before);
  assert.ok(camera.sees(high));
});

test("zooming keeps what is under the pointer there", () => {
  const camera = new Camera();
  for (const factor of [1.3, 0.7, 1000, 0.0001]) {
    const before = camera.view.value;
    const point = [(123 - before.x) / before.scale, (45 - before.y) / before.scale] as const;
    camera.zoom(factor, 123, 45);
    const [x, y] = camera.toScreen(...point);
    assert.ok(Math.abs(x - 123) < 1e-6 && Math.abs(y - 45) < 1e-6);
    const { scale } = camera.view.value;
    assert.ok(scale >= SMALLEST && scale <= LARGEST);
  }
});

test("panning moves by pixels", () => {
  const camera = new Camera();
  const { x, y, scale } = camera.view.value;
  camera.pan(5, -7);
  assert.deepEqual(camera.view.value, { x: x + 5, y: y - 7, scale });
});

test("what is fitted is seen, whole and in the middle", () => {
  const camera = new Camera();
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
    [200, 100],
  ] as const) {
    camera.resize(width, height);
    const box = { left: -2, top: -1, right: 4, bottom: 3 };
    camera.fly(camera.fitted(box), 0);
    assert.ok(camera.sees(box));
    const [x, y] = camera.toScreen(1, 1);
    assert.ok(Math.abs(x - width / 2) < 1e-6 && Math.abs(y - height / 2) < 1e-6);
  }
});

test("a small box is not blown up, and a huge one is as small as allowed", () => {
  const camera = new Camera();
  assert.equal(camera.fitted({ left: 0, top: 0, right: 2, bottom: 1 }).scale, 76);
  const huge = { left: 0, top: 0, right: 200, bottom: 200 };
  camera.fly(camera.fitted(huge), 0);
  assert.equal(camera.view.value.scale, SMALLEST);
  assert.ok(!camera.sees(huge));
});

test("what is moved into sight is seen, and no further than that", () => {
  const camera = new Camera();
  camera.resize(300, 200);
  camera.covered = 50;
  camera.view.value = { x: 10, y: 10, scale: 40 };
  assert.deepEqual(camera.moved({ left: 1, top: 1, right: 3, bottom: 2 }, 0.5), camera.view.value);
  for (const [x, y] of [
    [-9, -9],
    [-1, 2],
    [4, 1],
    [5, 9],
    [90, 0],
  ] as const) {
    const box = { left: x, top: y, right: x + 2, bottom: y + 1 };
    assert.ok(!camera.sees(box));
    camera.fly(camera.moved(box, 0.5), 0);
    assert.ok(camera.sees(box));
    const [left, top] = camera.toScreen(x, y);
    assert.ok([20, 150].includes(left) || [20, 140].includes(top));
  }
});

test("what buttons cover is not seen, and nothing is put there", () => {
  const camera = new Camera();
  camera.resize(300, 200);
  camera.covered = 50;
  camera.view.value = { x: 0, y: 0, scale: 50 };
  assert.ok(camera.sees({ left: 3, top: 0, right: 5, bottom: 1 }));
  assert.ok(!camera.sees({ left: 4, top: 0, right: 6, bottom: 1 }));
  camera.fly(camera.fitted({ left: 0, top: 0, right: 10, bottom: 1 }, 0), 0);
  assert.deepEqual(camera.toScreen(10, 0)[0], 250);
});

test("what news cover at the top is not seen, and nothing is put there", () => {
  const camera = new Camera();
  camera.resize(300, 200);
  camera.coveredTop = 80;
  camera.view.value = { x: 0, y: 0, scale: 40 };
  const [above, below] = [
    { left: 0, top: 1, right: 2, bottom: 3 },
    { left: 0, top: 2, right: 2, bottom: 5 },
  ];
  assert.ok(camera.sees(below));
  assert.ok(!camera.sees(above));
  camera.fly(camera.moved(above, 0.5), 0);
  assert.equal(camera.toScreen(0, 1)[1], 100);
  camera.fly(camera.fitted({ left: 0, top: 0, right: 1, bottom: 6 }, 0), 0);
  assert.deepEqual([camera.toScreen(0, 0)[1], camera.toScreen(0, 6)[1]], [80, 200]);
});

test("it rests a moment after a gesture, unless the next one follows", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const camera = new Camera();
  camera.hold();
  camera.rest();
  mock.timers.tick(100);
  camera.hold();
  mock.timers.tick(1000);
  assert.ok(camera.moving.value);
  camera.rest();
  assert.ok(camera.moving.value);
  mock.timers.tick(1000);
  assert.ok(!camera.moving.value);
  mock.timers.reset();
});

test("a flight ends at its target and rests, or where it is interrupted", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let frame: ((now: number) => void) | null = null;
  const later = {
    requestAnimationFrame: (todo: typeof frame) => {
      frame = todo;
      return 1;
    },
    cancelAnimationFrame: () => (frame = null),
  };
  Object.assign(globalThis, later);
  try {
    for (const interrupted of [false, true]) {
      const camera = new Camera();
      const target = { x: 5, y: 6, scale: 20 };
      camera.fly(target, 200);
      assert.ok(camera.flying && camera.moving.value);
      frame!(performance.now() + 100);
      if (interrupted) camera.zoom(1.3);
      else frame!(performance.now() + 1000);
      assert.ok(!camera.flying);
      assert.equal(camera.target, interrupted ? null : target);
      if (!interrupted) assert.deepEqual(camera.view.value, target);
      mock.timers.tick(1000);
      assert.ok(!camera.moving.value);
    }
  } finally {
    for (const name of Object.keys(later)) Reflect.deleteProperty(globalThis, name);
    mock.timers.reset();
  }
});
