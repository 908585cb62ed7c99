/** Where the controls of a ghost go: by it, and over as little as can be of what lies on the table. */
import { type Box, cellsOf, type Laying } from "../geometry.ts";
import type { Camera } from "./camera.ts";

/** Half of the width and of the height of the controls, with a line that tells the parts, in pixels. */
export const [WIDE, HIGH] = [132, 46];
/** Pixels between them and the ghost. */
const GAP = 4;
/** So many pixels farther away are as bad as one more cell that is hidden. */
const FAR = 100;

type Spot = readonly [x: number, y: number];

/** The middle of the controls for a box of cells, in pixels of the screen. */
export function beside(box: Box, layings: readonly Laying[], camera: Camera): Spot {
  const { width, height } = camera;
  const [left, top] = camera.toScreen(box.left, box.top);
  const [right, bottom] = camera.toScreen(box.right, box.bottom);
  const [middle, level] = [(left + right) / 2, (top + bottom) / 2];
  const [x, y] = [within(middle, WIDE, width), within(level, HIGH, height)];
  const spots: Spot[] = [
    [x, bottom + GAP + HIGH], [x, top - GAP - HIGH], [right + GAP + WIDE, y], [left - GAP - WIDE, y], [x, height - HIGH], [x, HIGH],
  ];
  const free = spots.filter((spot) =>
    spot[0] === within(spot[0], WIDE, width) && spot[1] === within(spot[1], HIGH, height) && !covers(spot, left, top, right, bottom));
  const cells = layings.flatMap((laying) => cellsOf(laying));
  const hidden = (spot: Spot) => cells.filter(([u, v]) => covers(spot, ...camera.toScreen(u, v), ...camera.toScreen(u + 1, v + 1)));
  const cost = (spot: Spot) => hidden(spot).length + Math.hypot(spot[0] - middle, spot[1] - level) / FAR;
  return free.reduce((best, spot) => (cost(spot) < cost(best) ? spot : best), free[0] ?? [x, height - HIGH]);
}

const within = (at: number, room: number, size: number) => Math.max(room, Math.min(at, size - room));

const covers = ([x, y]: Spot, left: number, top: number, right: number, bottom: number) =>
  x + WIDE > left && x - WIDE < right && y + HIGH > top && y - HIGH < bottom;
