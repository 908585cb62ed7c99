/** A small frame and exactly the dominoes that fill it, as `POST /api/solve` answers it: by trying. */
import { COLOURS, tileSet } from "../data.ts";
import { type Cell, cellsOf, type Disc, halves, type Laying, parsePosition, printLaying } from "../geometry.ts";
import type { FrameQuestion, Solutions } from "../net/study.ts";
import { placeHeld } from "../state/placer.ts";
import { itemAt } from "../values.ts";

/** More dominoes are a matter for the server's solver. */
const MOST = 18;
/** Layings that are tried: half a second. */
const BUDGET = 200_000;

/** Where a domino can lie that covers a cell: its cells and its six edges, as numbers. */
interface Place extends Pick<Laying, "rotation" | "x" | "y"> {
  cells: readonly [number, number];
  edges: readonly number[];
}

/** Null: this frame is not for us. */
export function fill({ width, height, tiles, position, faces, set: name }: FrameQuestion): Solutions | null {
  if (tiles.length > MOST || 2 * tiles.length !== width * height) return null;
  const set = tileSet(name);
  const inside = ([x, y]: Cell) => x >= 0 && y >= 0 && x < width && y < height;
  const cellNumber = ([x, y]: Cell) => y * width + x;
  const edgeNumber = ([x, y]: Disc) => y * (2 * width + 1) + x;
  const placeOf = (at: Pick<Laying, "rotation" | "x" | "y">): Place => ({
    ...at,
    cells: cellsOf(at).map(cellNumber) as [number, number],
    edges: halves({ ...at, tile: itemAt(tiles, 0), side: "+" }, set).map(({ disc }) => edgeNumber(disc)),
  });
  const places = Array.from({ length: width * height }, (_, i) =>
    [0, 1, 2, 3, 4, 5, 6, 7]
      .map((pose) => placeHeld({ rotation: pose % 4, half: pose < 4 ? 0 : 1 }, [i % width, Math.floor(i / width)]))
      .filter((at) => cellsOf(at).every(inside))
      .map(placeOf),
  );
  const sides = faces === "both" ? (["+", "-"] as const) : (["+"] as const);
  const poses = tiles.flatMap((tile, number) =>
    sides.map((side) => ({ tile, number, side, colours: coloursOf(set.face(tile, side)) })),
  );
  const covered = new Uint8Array(width * height);
  /** The colour at each edge, from 1; and how many halves show it. */
  const shown = new Uint8Array((2 * width + 1) * (2 * height + 1));
  const count = new Uint8Array(shown.length);
  const used = new Uint8Array(tiles.length);

  const put = ({ cells, edges }: Place, colours: readonly number[], by: 1 | -1) => {
    for (const cell of cells) covered[cell]! += by;
    edges.forEach((edge, slot) => {
      count[edge]! += by;
      shown[edge] = count[edge] ? itemAt(colours, slot) : 0;
    });
  };
  const laid = parsePosition(position);
  for (const laying of laid) {
    put(placeOf(laying), coloursOf(set.face(laying.tile, laying.side)), 1);
    used[tiles.indexOf(laying.tile)] = 1;
  }
  const found: Laying[] = [];
  let nodes = 0;
  /** Cover the first empty cell, again and again; null: it takes too long. */
  const goOn = (from: number): boolean | null => {
    while (covered[from]) from++;
    if (from === covered.length) return true;
    for (const place of itemAt(places, from)) {
      if (covered[place.cells[0]] || covered[place.cells[1]]) continue;
      for (const { tile, number, side, colours } of poses) {
        if (used[number] || !place.edges.every((edge, slot) => !shown[edge] || shown[edge] === colours[slot])) continue;
        if (++nodes > BUDGET) return null;
        used[number] = 1;
        put(place, colours, 1);
        found.push({ tile, side, rotation: place.rotation, x: place.x, y: place.y });
        const ended = goOn(from + 1);
        if (ended !== false) return ended;
        found.pop();
        put(place, colours, -1);
        used[number] = 0;
      }
    }
    return false;
  };
  const ended = goOn(0);
  return { solutions: ended ? [[...laid, ...found].map(printLaying)] : [], complete: ended !== null, nodes };
}

/** The six half-discs of a face, as numbers from 1. */
const coloursOf = (face: string): number[] =>
  [...face.slice(1)].map((colour) => 1 + (COLOURS as readonly string[]).indexOf(colour));
