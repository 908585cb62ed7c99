/** Where dominoes fit into a frame (rules 5, 6): geometry only; the server, or the solver, has the say. */
import type { TileSet } from "../data.ts";
import { type Cell, cellsOf, key, type Laying, type Side } from "../geometry.ts";
import { cellsOfFrame, layoutIn } from "./layout.ts";
import { type Candidate, type Frame, NO_PLACEMENT, type Placement } from "./placement.ts";
import { placeHeld } from "./placer.ts";

/** Every laying of a domino that fits. */
export function framePlaces(
  tile: string,
  frame: Frame,
  layings: readonly Laying[],
  set: TileSet,
  sides: readonly Side[],
): Candidate[] {
  const layout = layoutIn(frame, set, layings);
  const cells = cellsOfFrame(frame);
  const found: Candidate[] = [];
  for (const side of sides) {
    for (const [x, y] of cells) {
      for (let rotation = 0; rotation < 4; rotation++) {
        const laying: Laying = { tile, side, rotation, x, y };
        if (layout.fits(laying)) found.push({ laying });
      }
    }
  }
  return found;
}

/** What can be placed in a frame with a domino in hand, or with none. */
export function placeInFrame(
  tile: string | null,
  frame: Frame,
  layings: readonly Laying[],
  set: TileSet,
  sides: readonly Side[] = ["+", "-"],
): Placement {
  const inHand = tile !== null && {
    hand: [tile],
    candidates: new Map([[tile, framePlaces(tile, frame, layings, set, sides)]]),
  };
  return { ...NO_PLACEMENT, set, frame, layings, ...inHand };
}

/** The dominoes that fit over a cell, each with its layings there. */
export function fittingOver(
  cell: Cell,
  tiles: readonly string[],
  frame: Frame,
  layings: readonly Laying[],
  set: TileSet,
): Map<string, Laying[]> {
  const layout = layoutIn(frame, set, layings);
  const found = new Map<string, Laying[]>();
  for (const tile of tiles) {
    const poses = (["+", "-"] as const)
      .flatMap((side) =>
        ([0, 1] as const).flatMap((half) =>
          [0, 1, 2, 3].map((rotation): Laying => ({ tile, side, ...placeHeld({ rotation, half }, cell) })),
        ),
      )
      .filter((laying) => layout.fits(laying));
    if (poses.length) found.set(tile, poses);
  }
  return found;
}

/** The empty cells of a frame, row by row. */
export function emptyCells(frame: Frame, layings: readonly Laying[]): Cell[] {
  const taken = new Set(layings.flatMap((one) => cellsOf(one).map(key)));
  return cellsOfFrame(frame).filter((cell) => !taken.has(key(cell)));
}
