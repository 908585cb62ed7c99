/** What the table costs while it is moved by hand: no layout is read, and its position is written once per frame. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Board } from "../../src/board/board.tsx";
import { Camera } from "../../src/board/camera.ts";
import { SET_120 } from "../../src/data.ts";
import { parsePosition } from "../../src/geometry.ts";
import { after, show } from "./page.ts";

let frames: FrameRequestCallback[] = [];
const draw = () => after(() => frames.splice(0).forEach((frame) => void frame(0)));

/** Show a table, and count what is read from and written to it. */
async function showBoard(): Promise<{ board: HTMLElement; counts: { reads: number; writes: number }; camera: Camera }> {
  frames = [];
  globalThis.requestAnimationFrame = (frame) => frames.push(frame);
  const [camera, counts] = [new Camera(), { reads: 0, writes: 0 }];
  await show(<Board set={SET_120} layings={parsePosition("DRYGB+0@0,0")} camera={camera} label="Table" />);
  await draw();
  const board = document.getElementsByClassName("board")[0] as HTMLElement;
  board.setPointerCapture = () => undefined;
  board.getBoundingClientRect = () => {
    counts.reads++;
    return new DOMRect(0, 0, 800, 600);
  };
  const world = board.getElementsByTagName("svg")[0]!;
  const { style } = world;
  Object.defineProperty(world, "style", {
    value: new Proxy(style, {
      set(target, name, value) {
        if (name === "transform") counts.writes++;
        return Reflect.set(target, name, value, target);
      },
    }),
  });
  return { board, counts, camera };
}

/** A pointer of the given number. */
const point = (board: HTMLElement, type: string, pointerId: number, clientX: number, clientY: number) =>
  board.dispatchEvent(
    new PointerEvent(type, {
      pointerId,
      pointerType: "touch",
      clientX,
      clientY,
      isPrimary: pointerId === 1,
      bubbles: true,
    }),
  );

test("panning reads the layout once, and writes the position once per frame", async () => {
  const { board, counts, camera } = await showBoard();
  const before = camera.view.value;
  point(board, "pointerdown", 1, 100, 100);
  for (let x = 101; x <= 160; x++) point(board, "pointermove", 1, x, 100);
  assert.deepEqual(counts, { reads: 1, writes: 0 });
  assert.equal(camera.view.value.x - before.x, 60);
  await draw();
  assert.deepEqual(counts, { reads: 1, writes: 1 });
  for (let x = 161; x <= 180; x++) point(board, "pointermove", 1, x, 100);
  await draw();
  assert.deepEqual(counts, { reads: 1, writes: 2 });
  point(board, "pointerup", 1, 180, 100);
});

test("pinching reads the layout once for each finger, and keeps what is between the fingers there", async () => {
  const { board, counts, camera } = await showBoard();
  point(board, "pointerdown", 1, 100, 100);
  point(board, "pointerdown", 2, 200, 100);
  const [reads, before] = [counts.reads, camera.view.value];
  const middle = (150 - before.x) / before.scale;
  for (let step = 1; step <= 50; step++) {
    point(board, "pointermove", 1, 100 - step, 100);
    point(board, "pointermove", 2, 200 + step, 100);
  }
  assert.deepEqual([counts.reads, counts.writes], [reads, 0]);
  await draw();
  assert.equal(counts.writes, 1);
  const { x, scale } = camera.view.value;
  assert.ok(Math.abs(scale / before.scale - 2) < 1e-9, `${scale}`);
  assert.ok(Math.abs(x + middle * scale - 150) < 1e-6);
});
