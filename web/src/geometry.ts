/** Cells, layings as text, and where half-discs lie: the twin of geometry.py and notation.py. */
import type { Colour, TileSet } from "./data.ts";
import { itemAt } from "./values.ts";

export type Side = "+" | "-";
export type Cell = readonly [x: number, y: number];
/** The middle of a unit edge, in half-cells from the corner of cell 0,0. */
export type Disc = readonly [x2: number, y2: number];

/** Directions clockwise from north; a quarter-turn adds one. */
export const STEPS: readonly Cell[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** For the half-discs W NW NE E SE SW at rotation 0: which half carries it, and its direction. */
const SLOT_SIDES: readonly (readonly [half: number, direction: number])[] = [
  [0, 3],
  [0, 0],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 2],
];

export interface Laying {
  readonly tile: string;
  readonly side: Side;
  /** Quarter-turns clockwise: the second half lies east, south, west or north of the first. */
  readonly rotation: number;
  readonly x: number;
  readonly y: number;
}

const LAYING = /^([A-Za-z0-9]{1,20})([+-])([0-3])@(-?\d{1,6}),(-?\d{1,6})$/;

export function parseLaying(text: string): Laying {
  const match = LAYING.exec(text);
  if (!match) throw new Error(`${text} is not a laying.`);
  const [tile, side, rotation, x, y] = match.slice(1) as [string, Side, string, string, string];
  return { tile, side, rotation: +rotation, x: +x, y: +y };
}

export function printLaying({ tile, side, rotation, x, y }: Laying): string {
  return `${tile}${side}${rotation}@${x},${y}`;
}

export function parsePosition(text: string): Laying[] {
  return text.split(/\s+/).filter(Boolean).map(parseLaying);
}

export function printPosition(layings: readonly Laying[]): string {
  return layings.map(printLaying).join(" ");
}

export function sameLaying(a: Laying | null, b: Laying | null): boolean {
  return a === b || (!!a && !!b && printLaying(a) === printLaying(b));
}

/** The cells of the first and of the second half. */
export function cellsOf({ x, y, rotation }: Pick<Laying, "x" | "y" | "rotation">): [Cell, Cell] {
  const [dx, dy] = itemAt(STEPS, (rotation + 1) % 4);
  return [
    [x, y],
    [x + dx, y + dy],
  ];
}

export const key = ([x, y]: Cell): string => `${x},${y}`;

/** The disc on one side of a cell. */
export function edge([x, y]: Cell, direction: number): Disc {
  const [dx, dy] = itemAt(STEPS, direction);
  return [2 * x + 1 + dx, 2 * y + 1 + dy];
}

export interface Half {
  disc: Disc;
  /** The direction in which it looks. */
  direction: number;
  colour: Colour;
}

/** The six half-discs of a laying, clockwise from its first half's end. */
export function halves(laying: Laying, set: TileSet): Half[] {
  const face = set.face(laying.tile, laying.side);
  const cells = cellsOf(laying);
  return SLOT_SIDES.map(([half, side], slot) => {
    const direction = (side + laying.rotation) % 4;
    return { disc: edge(itemAt(cells, half), direction), direction, colour: face[slot + 1] as Colour };
  });
}

/** The central disc of a laying. */
export function centre(laying: Laying): Disc {
  const [[x, y], [u, v]] = cellsOf(laying);
  return [x + u + 1, y + v + 1];
}

/** The discs where half-discs of a laying meet another colour, which make it illegal. */
export function clashes(laying: Laying, others: readonly Laying[], set: TileSet): Disc[] {
  const met = new Map<string, Colour>();
  for (const other of others) {
    for (const half of halves(other, set)) met.set(key(half.disc), half.colour);
  }
  return halves(laying, set)
    .filter(({ disc, colour }) => met.has(key(disc)) && met.get(key(disc)) !== colour)
    .map(({ disc }) => disc);
}

/** The half-discs of a laying that meet others: the discs that it completes. */
export function contacts(laying: Laying, others: readonly Laying[], set: TileSet): Half[] {
  const met = new Set(others.flatMap((other) => halves(other, set).map(({ disc }) => key(disc))));
  return halves(laying, set).filter(({ disc }) => met.has(key(disc)));
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The smallest box of cells round some layings; right and bottom are outside. */
export function bounds(layings: readonly Laying[]): Box {
  if (!layings.length) return { left: 0, top: 0, right: 2, bottom: 1 };
  const cells = layings.flatMap((laying) => cellsOf(laying));
  const xs = cells.map(([x]) => x);
  const ys = cells.map(([, y]) => y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs) + 1,
    bottom: Math.max(...ys) + 1,
  };
}
