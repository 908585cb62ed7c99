import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, HIGH, WIDE } from "../src/board/beside.ts";
import { Camera } from "../src/board/camera.ts";
import { bounds, cellsOf, parsePosition } from "../src/geometry.ts";

function looking(width: number, height: number, x: number, y: number, scale: number): Camera {
  const camera = new Camera({ x, y, scale });
  [camera.width, camera.height] = [width, height];
  return camera;
}

test("the controls are below the ghost, where nothing lies", () => {
  const [x, y] = beside({ left: 0, top: 0, right: 2, bottom: 1 }, [], looking(900, 600, 400, 200, 60));
  assert.equal(x, 460);
  assert.ok(y - HIGH >= 260 && y < 320);
});

test("they hide none of what lies, if they need not", () => {
  const camera = looking(900, 600, 400, 200, 60);
  const around = ["CRYBG+0@0,1", "PRBYG+0@0,-1", "ZYBGR+0@2,0", "CYBGR+1@0,2", "PGRBY+3@1,-2"];
  for (let count = 1; count <= around.length; count++) {
    const layings = parsePosition(around.slice(0, count).join(" "));
    const [x, y] = beside({ left: 0, top: 0, right: 2, bottom: 1 }, layings, camera);
    for (const [u, v] of layings.flatMap((laying) => cellsOf(laying))) {
      const [left, top] = camera.toScreen(u, v);
      assert.ok(x - WIDE >= left + 60 || x + WIDE <= left || y - HIGH >= top + 60 || y + HIGH <= top, `${count}`);
    }
  }
});

test("they are in sight, and not over the ghost, on any screen and wherever it is", () => {
  const layings = parsePosition("CRYBG+0@0,1 PRBYG+0@0,-1 ZYBGR+0@2,0 BRBYG+1@-1,0");
  for (const [width, height] of [[360, 352], [360, 260], [1000, 600]] as const) {
    for (let left = 0; left + 60 <= width; left += 37) {
      for (let top = 0; top + 30 <= height; top += 23) {
        const camera = looking(width, height, left, top, 30);
        const [x, y] = beside(bounds([{ tile: "", side: "+", rotation: 0, x: 0, y: 0 }]), layings, camera);
        assert.ok(x >= WIDE && x <= width - WIDE && y >= HIGH && y <= height - HIGH);
        assert.ok(x - WIDE >= left + 60 || x + WIDE <= left || y - HIGH >= top + 30 || y + HIGH <= top);
      }
    }
  }
});
