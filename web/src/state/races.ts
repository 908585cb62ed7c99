/** Frames and pools of the races, without a screen: sizes, demands on a domino, what cells ask for. */
import { type Colour, COLOURS, type TileSet } from "../data.ts";
import { type Cell, cellsOf, edge, halves, key, type Laying, type Side } from "../geometry.ts";
import { cellsOfFrame, insideFrame } from "./layout.ts";
import type { Frame } from "./placement.ts";
import { itemAt } from "../values.ts";

const isInside = (laying: Laying, frame: Frame): boolean => cellsOf(laying).every(insideFrame(frame));

/** Those of the frames that hold what lies there. */
export function framesFor(frames: readonly Frame[], layings: readonly Laying[]): Frame[] {
  return frames.filter((frame) => layings.every((laying) => isInside(laying, frame)));
}

/** The frame that is shown: as the player likes it, as long as that is possible. */
export function frameFor(frames: readonly Frame[], layings: readonly Laying[], lying = false): Frame {
  const held = framesFor(frames, layings);
  return held.find((frame) => frame.width > frame.height === lying) ?? held[0] ?? itemAt(frames, 0);
}

/** Dominoes that fill a frame. */
export const countNeeded = ({ width, height, needed }: Frame): number => needed ?? (width * height) / 2;

/**
 * The columns in which so many things are seen at once, as large as that allows; if they are too many, as small as may
 * be.
 */
export function columnsFor(
  count: number,
  { width, height }: { width: number; height: number },
  { least, most, gap, high }: { least: number; most: number; gap: number; high(width: number): number },
): number {
  const columns = (wide: number) => Math.max(1, Math.floor((width + gap) / (wide + gap)));
  const fits = (number: number) => {
    const wide = (width + gap) / number - gap;
    return Math.ceil(count / number) * (high(wide) + gap) - gap <= height;
  };
  const last = columns(least);
  for (let number = columns(most); number < last; number++) if (fits(number)) return number;
  return last;
}

/** The colours that are wanted at the half-discs W NW NE E SE SW; null: any. */
export type Demand = readonly (Colour | null)[];
export const NO_DEMAND: Demand = [null, null, null, null, null, null];

/** How a domino meets a demand: a face, and whether it is turned by a half-turn for it. */
export interface Match {
  side: Side;
  turned: boolean;
}

/** The first way in which a domino meets a demand: recto before verso, as it lies before turned. */
export function match(tile: string, demand: Demand, set: TileSet): Match | null {
  for (const side of ["+", "-"] as const) {
    const around = set.face(tile, side).slice(1);
    for (const turned of [false, true]) {
      const meets = demand.every((colour, slot) => colour === null || around[(slot + (turned ? 3 : 0)) % 6] === colour);
      if (meets) return { side, turned };
    }
  }
  return null;
}

/** The next colour of a demand: any, red, yellow, green, blue. */
export function nextColour(colour: Colour | null): Colour | null {
  return colour === null ? COLOURS[0]! : (COLOURS[COLOURS.indexOf(colour) + 1] ?? null);
}

/** An empty cell, and the colours that its neighbours show it: north, east, south, west. */
export interface Hole {
  cell: Cell;
  colours: (Colour | null)[];
}

/** The empty cells beside dominoes, row by row: the frame for those who do not see it. */
export function holes(frame: Frame, layings: readonly Laying[], set: TileSet): Hole[] {
  const taken = new Set(layings.flatMap((laying) => cellsOf(laying).map(key)));
  const shown = new Map(
    layings.flatMap((laying) => halves(laying, set).map(({ disc, colour }) => [key(disc), colour] as const)),
  );
  return cellsOfFrame(frame)
    .filter((cell) => !taken.has(key(cell)))
    .map((cell) => ({
      cell,
      colours: [0, 1, 2, 3].map((direction) => shown.get(key(edge(cell, direction))) ?? null),
    }))
    .filter(({ colours }) => colours.some(Boolean));
}
