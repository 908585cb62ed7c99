/** Where a domino fits into a frame (rules 5, 6): geometry only; the server, or the solver, has the say. */
import type { TileSet } from "../data.ts";
import { cellsOf, halves, key, type Laying, type Side } from "../geometry.ts";
import type { Candidate, Frame } from "./placer.ts";

/** Every laying inside the frame that overlaps nothing and clashes with nothing. */
export function framePlaces(tile: string, frame: Frame, layings: readonly Laying[], set: TileSet, sides: readonly Side[]): Candidate[] {
  const taken = new Set(layings.flatMap((one) => cellsOf(one).map(key)));
  const met = new Map(layings.flatMap((one) => halves(one, set).map(({ disc, colour }) => [key(disc), colour] as const)));
  const inside = ([x, y]: readonly [number, number]) => x >= 0 && y >= 0 && x < frame.width && y < frame.height;
  const found: Candidate[] = [];
  for (const side of sides) {
    for (let y = 0; y < frame.height; y++) {
      for (let x = 0; x < frame.width; x++) {
        for (let rotation = 0; rotation < 4; rotation++) {
          const laying: Laying = { tile, side, rotation, x, y };
          if (!cellsOf(laying).every((cell) => inside(cell) && !taken.has(key(cell)))) continue;
          if (halves(laying, set).every(({ disc, colour }) => (met.get(key(disc)) ?? colour) === colour)) found.push({ laying });
        }
      }
    }
  }
  return found;
}
