/** Groups of discs for the eye: a line that hugs them. */
import { type Disc, key } from "../geometry.ts";

export { discColours, groupAt, isClosed, type Seen } from "../state/groups.ts";

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
