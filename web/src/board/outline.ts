/** Groups of discs for the eye: which discs hang together, and a line that hugs them. */
import type { Colour, TileSet } from "../data.ts";
import { centre, type Disc, halves, key, type Laying } from "../geometry.ts";

/** A disc or half-disc on the table. */
export interface Seen {
  disc: Disc;
  colour: Colour;
  /** A central disc, or two halves that meet: only these make groups. */
  whole: boolean;
}

/** The colour of every disc and half-disc on the table. */
export function discColours(layings: readonly Laying[], set: TileSet): Map<string, Seen> {
  const found = new Map<string, Seen>();
  for (const laying of layings) {
    const disc = centre(laying);
    found.set(key(disc), { disc, colour: set.face(laying.tile, laying.side)[0] as Colour, whole: true });
    for (const half of halves(laying, set)) {
      found.set(key(half.disc), { disc: half.disc, colour: half.colour, whole: found.has(key(half.disc)) });
    }
  }
  return found;
}

const neighbours = ([x, y]: Disc): Disc[] => [[x - 1, y - 1], [x + 1, y - 1], [x - 1, y + 1], [x + 1, y + 1]];

/** The group of a disc: whole discs of its colour that hang together (rules, Group). */
export function groupAt(disc: Disc, colours: ReadonlyMap<string, Seen>): Disc[] {
  const start = colours.get(key(disc));
  if (!start?.whole) return [];
  const group = new Map([[key(disc), start.disc]]);
  for (const member of group.values()) {
    for (const next of neighbours(member)) {
      const met = colours.get(key(next));
      if (met?.whole && met.colour === start.colour && !group.has(key(next))) group.set(key(next), met.disc);
    }
  }
  return [...group.values()];
}

/** Whether nothing can be added to a group: no half-disc of its colour is the neighbour of its discs. */
export function isClosed(group: readonly Disc[], colours: ReadonlyMap<string, Seen>): boolean {
  return group.every((disc) => {
    const colour = colours.get(key(disc))?.colour;
    return neighbours(disc).every((next) => {
      const met = colours.get(key(next));
      return !met || met.whole || met.colour !== colour;
    });
  });
}

const SIDES = [
  [[-1, -1], [1, -1], [0, -2]],
  [[1, -1], [1, 1], [2, 0]],
  [[1, 1], [-1, 1], [0, 2]],
  [[-1, 1], [-1, -1], [-2, 0]],
] as const;

/**
 * Path data round some discs, in units (100 to a cell). Every disc owns the square on its corner
 * that reaches half-way to its neighbours; a group is a polyomino on that turned grid.
 */
export function outline(discs: readonly Disc[]): string {
  const squares = new Map(discs.map(([x, y]) => [key([x + y - 1, y - x + 1]), [x + y - 1, y - x + 1] as Disc]));
  const ends = new Map<string, Disc[]>();
  const starts = new Map<string, Disc>();
  for (const [u, v] of squares.values()) {
    for (const [[au, av], [bu, bv], [du, dv]] of SIDES) {
      if (squares.has(key([u + du, v + dv]))) continue;
      const from: Disc = [u + au, v + av];
      starts.set(key(from), from);
      ends.set(key(from), [...(ends.get(key(from)) ?? []), [u + bu, v + bv]]);
    }
  }
  let path = "";
  const done = new Set<string>();
  for (const [name, first] of starts) {
    for (const to of ends.get(name)!) {
      if (done.has(`${name} ${key(to)}`)) continue;
      const loop: Disc[] = [];
      let [start, end] = [first, to];
      do {
        done.add(`${key(start)} ${key(end)}`);
        loop.push(end);
        // Where two squares meet at a corner only, turning right stays with the own one.
        const right: Disc = [end[0] - (end[1] - start[1]), end[1] + (end[0] - start[0])];
        const all = ends.get(key(end))!;
        [start, end] = [end, all.find((one) => key(one) === key(right)) ?? all[0]!];
      } while (!done.has(`${key(start)} ${key(end)}`));
      path += smooth(loop.map(([u, v]) => [25 * (u - v + 2), 25 * (u + v)] as const));
    }
  }
  return path;
}

/** A closed line through the middles of the sides, round at the corners. */
function smooth(points: readonly (readonly [number, number])[]): string {
  const middle = (a: readonly [number, number], b: readonly [number, number]) => `${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2}`;
  let path = "";
  points.forEach((point, i) => {
    const next = points[(i + 1) % points.length]!;
    if (i === 0) path += `M${middle(points.at(-1)!, point)}`;
    path += `Q${point[0]} ${point[1]} ${middle(point, next)}`;
  });
  return `${path}Z`;
}
