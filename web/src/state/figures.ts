/** The shapes of frames (rules 5), and where they lie: the twin of core/figures.py. */
import { type Cell, cellsOf, key, type Laying } from "../geometry.ts";
import type { Options } from "../net/open.ts";
import type { Frame } from "./placement.ts";

const NAMED: Record<string, string> = {
  cross: "..xx../..xx../xxxxxx/xxxxxx/..xx../..xx..",
  staircase: "xx....../xxxx..../xxxxxx../xxxxxxxx",
  ring: "xxxxx/xxxxx/xx.xx/xxxxx/xxxxx",
  heart: "xx..xx/xxxxxx/xxxxxx/.xxxx./..xx..",
};

/** The cells of the figure that was agreed on; none if it is not one. */
export function figureCells({ width = 4, height = 4, figure = "rectangle" }: Options): Cell[] {
  const text = String(figure);
  const size = /^(\d{1,3})x(\d{1,3})$/.exec(text === "rectangle" ? `${String(width)}x${String(height)}` : text);
  const rows = size
    ? Array<string>(Number(size[2])).fill("x".repeat(Number(size[1])))
    : (NAMED[text] ?? text).split("/");
  if (rows.some((row) => /[^x.]/.test(row))) return [];
  const cells = rows.flatMap((row, y) => [...row].flatMap((sign, x): Cell[] => (sign === "x" ? [[x, y]] : [])));
  const [left, top] = [Math.min(...cells.map(([x]) => x)), Math.min(...cells.map(([, y]) => y))];
  return cells.map(([x, y]) => [x - left, y - top]);
}

/** A frame from the cells of each place in which it may lie; a rectangle in one place needs no list. */
function frameOf(places: readonly (readonly Cell[])[], needed: number): Frame {
  const cells = places.flat();
  const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const box = { left, top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 };
  const keys = places.map((place) => new Set(place.map(key)));
  if (places.length === 1 && cells.length === box.width * box.height) return { ...box, needed };
  return { ...box, needed, cells: new Set(cells.map(key)), places: keys };
}

/** The same frame is the same object, so that it is not drawn again. */
const known = new Map<string, Frame>();
const MAX_KNOWN = 200;

/** The frame of a player with these layings: in its place; or, without one, wherever it may still lie. */
export function figureFrame(options: Options, layings: readonly Laying[]): Frame {
  const { width, height, figure, place } = options;
  const covered = place === "free" ? layings.flatMap(cellsOf).map(key) : [];
  const text = [width, height, figure, place, ...covered].join(" ");
  let frame = known.get(text);
  if (!frame) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, (frame = findFrame(options, layings)));
  }
  return frame;
}

function findFrame(options: Options, layings: readonly Laying[]): Frame {
  const figure = figureCells(options);
  const needed = figure.length / 2;
  const { width, height, ...more } = frameOf([figure], needed);
  if (options.place !== "free") return more.cells ? { width, height, ...more } : { width, height };
  const covered = layings.flatMap(cellsOf);
  const first = covered[0];
  // The first domino lies anywhere: there is a field around it that is twice as wide and high.
  if (!first) return { left: 0, top: 0, width: 2 * width, height: 2 * height, needed };
  const places = figure
    .map(([x, y]) => figure.map(([u, v]): Cell => [u + first[0] - x, v + first[1] - y]))
    .filter((place) => {
      const inside = new Set(place.map(key));
      return covered.every((cell) => inside.has(key(cell)));
    });
  return places.length ? frameOf(places, needed) : frameOf([figure], needed);
}
