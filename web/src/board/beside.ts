/** Where the tick, the numbers and the controls of a ghost go: near, in sight, and over nothing that is looked at. */
import { type Box, bounds, type Cell, cellsOf, contacts, type Laying } from "../geometry.ts";
import type { TileSet } from "../data.ts";
import type { Camera } from "./camera.ts";
import { reach } from "./domino.tsx";

export type Spot = readonly [x: number, y: number];

export interface Size {
  width: number;
  height: number;
}

/** What had better not be covered, and how many pixels farther away are as bad. */
export interface Avoided extends Box {
  cost: number;
}

/** Worse than any distance. */
export const NEVER = 1e5;
/** Pixels between them and what they do not cover. */
const GAP = 2;

/**
 * The middle for something of a size that is best: near a point, all of it on the screen, covering what costs least.
 */
export function beside({ width, height }: Size, near: Spot, screen: Size, avoided: readonly Avoided[]): Spot {
  const [w, h] = [width / 2, height / 2];
  // The best spot touches what it does not cover, or a side of the screen, or is where it would like to be.
  const lines = (at: number, half: number, size: number, low: "left" | "top", high: "right" | "bottom") => [
    ...new Set(
      [at, half, size - half, ...avoided.flatMap((one) => [one[low] - half - GAP, one[high] + half + GAP])].map((one) =>
        Math.round(within(one, half, size)),
      ),
    ),
  ];
  const ys = lines(near[1], h, screen.height, "top", "bottom");
  let best: Spot = near;
  let least = Infinity;
  for (const x of lines(near[0], w, screen.width, "left", "right")) {
    for (const y of ys) {
      let cost = Math.hypot(x - near[0], y - near[1]);
      for (const one of avoided) {
        if (cost >= least) break;
        if (x + w > one.left && x - w < one.right && y + h > one.top && y - h < one.bottom) cost += one.cost;
      }
      if (cost < least) [best, least] = [[x, y], cost];
    }
  }
  return best;
}

const within = (at: number, room: number, size: number) => Math.max(room, Math.min(at, size - room));

/** A box of cells in pixels. */
export function onScreen({ left, top, right, bottom }: Box, camera: Camera, cost: number): Avoided {
  const [x, y] = camera.toScreen(left, top);
  const [u, v] = camera.toScreen(right, bottom);
  return { left: Math.min(x, u), top: Math.min(y, v), right: Math.max(x, u), bottom: Math.max(y, v), cost };
}

/** The area of something whose middle is known. */
export function area([x, y]: Spot, { width, height }: Size, cost: number): Avoided {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2, cost };
}

/** A domino, and the discs that it completes: never covered. */
export function ghostAreas(laying: Laying, layings: readonly Laying[], set: TileSet, camera: Camera): Avoided[] {
  const box = cellsOf(laying).map(([x, y]) => ({ left: x, top: y, right: x + 1, bottom: y + 1 }));
  const far = reach() / 100 + 0.02;
  const discs = contacts(laying, layings, set).map(({ disc: [x, y] }) => ({
    left: x / 2 - far,
    top: y / 2 - far,
    right: x / 2 + far,
    bottom: y / 2 + far,
  }));
  return [...box, ...discs].map((one) => onScreen(one, camera, NEVER));
}

/** What lies within some pixels of a point: each cell that is covered costs as much. */
export function laidAreas(
  layings: readonly Laying[],
  near: Spot,
  reach: number,
  camera: Camera,
  cost: number,
): Avoided[] {
  return areasNear(
    layings.flatMap((laying) => cellsOf(laying)),
    near,
    reach,
    camera,
    cost,
  );
}

function areasNear(cells: readonly Cell[], near: Spot, reach: number, camera: Camera, cost: number): Avoided[] {
  return cells
    .map(([x, y]) => onScreen({ left: x, top: y, right: x + 1, bottom: y + 1 }, camera, cost))
    .filter(
      ({ left, top, right, bottom }) =>
        right > near[0] - reach && left < near[0] + reach && bottom > near[1] - reach && top < near[1] + reach,
    );
}

export interface Sizes {
  tick: Size;
  controls: Size;
  numbers: Size;
}

/** Pixels round the pointer that stay free: what it points at is seen, and a second click hits nothing new. */
const POINTER: Size = { width: 16, height: 16 };
/** What it costs to cover a cell where a domino lies, and to come between the tick and the ghost. */
const [LAID, BETWEEN] = [100, 400];
/**
 * What it costs to cover the tools of the board: more than some dominoes, because a covered button cannot be pressed.
 */
const TOOLS = 1000;
/** The height of the column of tools, in pixels. */
const TOOLS_HEIGHT = 204;
/** What it costs to cover a square pixel where this domino could lie, too. */
const PLACE = 1 / 60;
/** The same for what is small: it is better near than beside everything. */
const [UNDER_TICK, UNDER_NUMBERS] = [4, 25];

/** Where the tools of the board are: at the top right. */
export function toolsArea({ width, height, covered }: Camera): Avoided {
  return {
    left: width - covered,
    top: 0,
    right: width,
    bottom: Math.min(height, TOOLS_HEIGHT),
    cost: covered ? TOOLS : 0,
  };
}

/**
 * Where everything by a ghost goes; `poses` are all there are at its cell, `places` where else its domino fits, and
 * `pointer` is where the tick is wanted.
 */
export function aroundGhost(
  laying: Laying,
  poses: readonly Laying[],
  layings: readonly Laying[],
  set: TileSet,
  camera: Camera,
  pointer: Spot,
  sizes: Sizes,
  places: readonly Cell[] = [],
): Record<keyof Sizes, Spot> {
  const ghost = ghostAreas(laying, layings, set, camera);
  // The controls keep away from all poses: they stay under the finger while the ghost is turned.
  const turning = onScreen(bounds(poses), camera, BETWEEN);
  const [w, h] = [sizes.tick.width + GAP, sizes.tick.height + GAP];
  const room = {
    ...turning,
    left: turning.left - w,
    right: turning.right + w,
    top: turning.top - h,
    bottom: turning.bottom + h,
  };
  const middle: Spot = [(turning.left + turning.right) / 2, (turning.top + turning.bottom) / 2];
  const far = Math.max(turning.right - turning.left, turning.bottom - turning.top) / 2 + sizes.controls.width + w;
  const controls = beside(sizes.controls, middle, camera, [
    ...ghost,
    toolsArea(camera),
    room,
    turning,
    ...laidAreas(layings, middle, far, camera, LAID),
    ...areasNear(places, middle, far, camera, PLACE * camera.view.value.scale ** 2),
  ]);
  const kept = [...ghost, area(controls, sizes.controls, NEVER)];
  const tick = beside(sizes.tick, pointer, camera, [
    ...kept,
    toolsArea(camera),
    area(pointer, POINTER, NEVER),
    ...laidAreas(layings, pointer, 120, camera, UNDER_TICK),
  ]);
  return {
    controls,
    tick,
    numbers: numbersBeside(laying, layings, camera, sizes.numbers, [...kept, area(tick, sizes.tick, NEVER)]),
  };
}

/** Where the numbers of a ghost go: above it, where a finger does not cover them. */
export function numbersBeside(
  laying: Laying,
  layings: readonly Laying[],
  camera: Camera,
  size: Size,
  kept: readonly Avoided[],
): Spot {
  const { left, right, top } = onScreen(bounds([laying]), camera, 0);
  const near: Spot = [(left + right) / 2, top - size.height / 2 - GAP];
  return beside(size, near, camera, [...kept, ...laidAreas(layings, near, 160, camera, UNDER_NUMBERS)]);
}
