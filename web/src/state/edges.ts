/** The open edges of a table: where half-discs wait for another half, and what lies near. */
import type { Colour, TileSet } from "../data.ts";
import { type Cell, cellsOf, type Disc, halves, key, type Laying, STEPS } from "../geometry.ts";
import { insideFrame } from "./layout.ts";
import type { Frame } from "./placement.ts";
import { itemAt } from "../values.ts";

export interface Edge {
  colour: Colour;
  disc: Disc;
  /** The empty cell that the other half would be in, and on which side of it (0 above, clockwise). */
  cell: Cell;
  side: number;
}

/** Half-discs that no other half meets, and could: from above, and then from the left. */
export function openEdges(layings: readonly Laying[], set: TileSet, frame: Frame | null): Edge[] {
  const met = new Map<string, number>();
  const all = layings.flatMap((laying) => halves(laying, set));
  for (const { disc } of all) met.set(key(disc), (met.get(key(disc)) ?? 0) + 1);
  return all
    .filter(({ disc }) => met.get(key(disc)) === 1)
    .map(({ disc: [x, y], direction, colour }): Edge => {
      const [dx, dy] = itemAt(STEPS, direction);
      return { colour, disc: [x, y], cell: [(x - 1 + dx) / 2, (y - 1 + dy) / 2], side: (direction + 2) % 4 };
    })
    .filter(({ cell }) => !frame || insideFrame(frame)(cell))
    .sort(({ cell: a }, { cell: b }) => a[1] - b[1] || a[0] - b[0]);
}

/** The uppermost cell of a laying, or the left one: where one comes to it, reading. */
export function firstCell(laying: Laying): Cell {
  const [a, b] = cellsOf(laying);
  return b[1] < a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a;
}

/** Cells from a domino to what is near it. */
const NEAR = 2;

/** Whether a cell is near one of some layings. */
export function near([x, y]: Cell, layings: readonly Laying[]): boolean {
  return layings.some((laying) => cellsOf(laying).some(([u, v]) => Math.max(Math.abs(x - u), Math.abs(y - v)) <= NEAR));
}
