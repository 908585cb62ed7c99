/** A line that hugs groups of discs, or a domino. */
import { cellsOf, type Disc, key, type Laying } from "../geometry.ts";
import { itemAt } from "../values.ts";

const SIDES = [
  [
    [-1, -1],
    [1, -1],
    [0, -2],
  ],
  [
    [1, -1],
    [1, 1],
    [2, 0],
  ],
  [
    [1, 1],
    [-1, 1],
    [0, 2],
  ],
  [
    [-1, 1],
    [-1, -1],
    [-2, 0],
  ],
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
        // Where two squares meet at a corner only, turning right stays with the same square.
        const right: Disc = [end[0] - (end[1] - start[1]), end[1] + (end[0] - start[0])];
        const all = ends.get(key(end))!;
        [start, end] = [end, all.find((one) => key(one) === key(right)) ?? all[0]!];
      } while (!done.has(`${key(start)} ${key(end)}`));
      path += smooth(loop.map(([u, v]) => [25 * (u - v + 2), 25 * (u + v)] as const));
    }
  }
  return path;
}

/** How far the wood of a domino reaches beyond its cells: not quite so far. */
export const WOOD = -1.3;

/** The rectangle of a laying, `grow` units outside its cells. */
export function rectangle(laying: Pick<Laying, "x" | "y" | "rotation">, grow: number) {
  const [[x, y], [u, v]] = cellsOf(laying);
  return {
    x: 100 * Math.min(x, u) - grow,
    y: 100 * Math.min(y, v) - grow,
    width: 100 * (Math.abs(x - u) + 1) + 2 * grow,
    height: 100 * (Math.abs(y - v) + 1) + 2 * grow,
    rx: 8 + grow,
  };
}

/**
 * Path data round a domino, `grow` units outside its cells; it leaves out `gap` units on both sides of some discs at
 * its edge.
 */
export function around(
  laying: Pick<Laying, "x" | "y" | "rotation">,
  grow: number,
  discs: readonly Disc[],
  gap: number,
): string {
  const cells = cellsOf(laying);
  const [xs, ys] = [cells.map(([x]) => 100 * x), cells.map(([, y]) => 100 * y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [right, bottom] = [Math.max(...xs) + 100, Math.max(...ys) + 100];
  const round = 8 + grow;
  const middles = discs.map(([x, y]) => [50 * x, 50 * y] as const);
  const on = (axis: 0 | 1, at: number) => middles.filter((one) => one[1 - axis] === at).map((one) => one[axis]);
  let path = `M${left - grow + round} ${top - grow}`;
  /** Along a side, from corner to corner, with its gaps; then round the corner. */
  const side = (
    from: number,
    to: number,
    gaps: number[],
    line: (at: number) => string,
    move: (at: number) => string,
    corner: string,
  ) => {
    const way = Math.sign(to - from);
    let at = from;
    for (const middle of gaps.sort((a, b) => way * (a - b))) {
      if (way * (middle - way * gap - at) > 0) path += line(middle - way * gap);
      at = middle + way * gap;
      if (way * (to - at) > 0) path += move(at);
    }
    path += (way * (to - at) > 0 ? line(to) : move(to)) + corner;
  };
  const arc = (dx: number, dy: number) => `a${round} ${round} 0 0 1 ${dx * round} ${dy * round}`;
  const [west, north, east, south] = [left - grow, top - grow, right + grow, bottom + grow];
  side(
    west + round,
    east - round,
    on(0, top),
    (x) => `L${x} ${north}`,
    (x) => `M${x} ${north}`,
    arc(1, 1),
  );
  side(
    north + round,
    south - round,
    on(1, right),
    (y) => `L${east} ${y}`,
    (y) => `M${east} ${y}`,
    arc(-1, 1),
  );
  side(
    east - round,
    west + round,
    on(0, bottom),
    (x) => `L${x} ${south}`,
    (x) => `M${x} ${south}`,
    arc(-1, -1),
  );
  side(
    south - round,
    north + round,
    on(1, left),
    (y) => `L${west} ${y}`,
    (y) => `M${west} ${y}`,
    arc(1, -1),
  );
  return path;
}

/** A closed line through the middles of the sides, round at the corners. */
function smooth(points: readonly (readonly [number, number])[]): string {
  const middle = (a: readonly [number, number], b: readonly [number, number]) =>
    `${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2}`;
  let path = "";
  points.forEach((point, i) => {
    const next = itemAt(points, (i + 1) % points.length);
    if (i === 0) path += `M${middle(itemAt(points, points.length - 1), point)}`;
    path += `Q${point[0]} ${point[1]} ${middle(point, next)}`;
  });
  return `${path}Z`;
}
