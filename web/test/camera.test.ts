import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera, LARGEST, SMALLEST } from "../src/board/camera.ts";

test("a cell is found where it is drawn", () => {
  const camera = new Camera();
  camera.view.value = { x: 37, y: -20, scale: 50 };
  for (const [x, y] of [[0, 0], [3, -2], [-4, 7]] as const) {
    const [left, top] = camera.toScreen(x, y);
    assert.deepEqual(camera.cellAt(left + 1, top + 1), [x, y]);
    assert.deepEqual(camera.cellAt(left + 49, top + 49), [x, y]);
  }
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
  for (const [width, height] of [[1280, 800], [360, 740], [200, 100]] as const) {
    [camera.width, camera.height] = [width, height];
    const box = { left: -2, top: -1, right: 4, bottom: 3 };
    camera.fly(camera.fitted(box), 0);
    assert.ok(camera.sees(box));
    const [x, y] = camera.toScreen(1, 1);
    assert.ok(Math.abs(x - width / 2) < 1e-6 && Math.abs(y - height / 2) < 1e-6);
  }
});

test("a small box is not blown up, and a huge one is as small as allowed", () => {
  const camera = new Camera();
  assert.equal(camera.fitted({ left: 0, top: 0, right: 2, bottom: 1 }).scale, 84);
  const huge = { left: 0, top: 0, right: 200, bottom: 200 };
  camera.fly(camera.fitted(huge), 0);
  assert.equal(camera.view.value.scale, SMALLEST);
  assert.ok(!camera.sees(huge));
});
