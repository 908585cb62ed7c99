import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Camera } from "../src/board/camera.ts";
import { carriedAt, carry } from "../src/board/carry.ts";
import { Placer } from "../src/state/placer.ts";

const BOX = { left: 0, top: 0, right: 400, bottom: 400, width: 400, height: 400 };
const element = {
  getBoundingClientRect() {
    reads++;
    return BOX;
  },
};

let heard: Map<string, (event: object) => void>;
let placer: Placer;
/** What is to be done before the next frame. */
let frames: (() => void)[] = [];
/** How often the layout was read. */
let reads = 0;

/** As much of a page as dragging needs: a table that covers it, and pointers that tests move. */
beforeEach(() => {
  heard = new Map();
  frames = [];
  reads = 0;
  placer = new Placer();
  Object.assign(globalThis.document.documentElement, { classList: { add() {}, remove() {} }, setPointerCapture() {} });
  for (const [name, value] of Object.entries({
    addEventListener: (type: string, listener: (event: object) => void, { signal }: AddEventListenerOptions) => {
      heard.set(type, listener);
      signal!.addEventListener("abort", () => heard.delete(type));
    },
    matchMedia: () => ({ matches: true }),
    requestAnimationFrame: (draw: () => void) => frames.push(draw),
    cancelAnimationFrame: () => void (frames = []),
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
  }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
});

const pointer = (type: string, x: number, y: number) => ({
  type,
  pointerId: 1,
  pointerType: "mouse",
  isPrimary: true,
  button: 0,
  buttons: 1,
  clientX: x,
  clientY: y,
  currentTarget: element,
});

/** Press on a domino and drag it over the table. */
function drag(take: () => boolean | Promise<boolean>): void {
  const parts = { board: { current: element as unknown as HTMLDivElement }, faces: new Map<string, Element>() };
  const load = { tile: "PRYGB", side: "+" as const, placer, camera: new Camera(), parts, oneTap: true, take };
  carry(pointer("pointerdown", 10, 10) as unknown as PointerEvent, load);
  heard.get("pointermove")!(pointer("pointermove", 100, 100));
}

/** An answer of the server that comes when a test says so. */
function later(): { answer: Promise<boolean>; give(taken: boolean): void } {
  let give!: (taken: boolean) => void;
  return { answer: new Promise<boolean>((resolve) => (give = resolve)), give: (taken) => give(taken) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a domino that another player took first is dropped while it is being dragged", async () => {
  const { answer, give } = later();
  drag(() => answer);
  assert.equal(placer.carried.value?.tile, "PRYGB");
  give(false);
  await settle();
  assert.equal(placer.carried.value, null);
  assert.equal(heard.size, 0, "the drag is over");
});

test("a domino that another player took first is dropped after it was let go on the table", async () => {
  const { answer, give } = later();
  drag(() => answer);
  heard.get("pointerup")!(pointer("pointerup", 100, 100));
  assert.equal(placer.carried.value?.tile, "PRYGB", "it waits for the answer");
  give(false);
  await settle();
  assert.equal(placer.carried.value, null);
});

test("a domino that cannot be taken at all is dropped", async () => {
  drag(() => false);
  await settle();
  assert.equal(placer.carried.value, null);
});

test("a domino that was taken stays in the fingers", async () => {
  drag(() => Promise.resolve(true));
  await settle();
  assert.equal(placer.carried.value?.tile, "PRYGB");
  heard.get("keydown")!({ key: "Escape", preventDefault() {}, stopImmediatePropagation() {} });
  assert.equal(placer.carried.value, null);
});

test("moving reads no layout, and the position is written once per frame", () => {
  drag(() => new Promise(() => undefined));
  assert.equal(reads, 1, "where the table is");
  const written: number[] = [];
  const stop = carriedAt.subscribe(({ x }) => void written.push(x));
  for (let x = 101; x <= 130; x++) heard.get("pointermove")!(pointer("pointermove", x, 100));
  assert.deepEqual(written, [100]);
  assert.equal(frames.length, 1);
  for (const draw of frames.splice(0)) draw();
  assert.deepEqual(written, [100, 130]);
  assert.equal(reads, 1);
  stop();
});
