/**
 * Outlines placed on the table: the twin of drawing/paths.py.
 *
 * The paths themselves are moved and turned, not by `transform`: browsers give what is transformed
 * inside a moving picture layers of its own, a hundred for a full table.
 */

/** Of a command: how many numbers stand before its points. */
const HEAD: Record<string, number> = { a: 5 };

/** The first point of an outline, and everything after it. */
type Relative = readonly [x: number, y: number, rest: string];

const relatives = new Map<string, Relative>();

/**
 * Path data of an outline, moved by x, y; turned by quarter-turns clockwise about its origin and
 * scaled first. An outline begins with its only `M`; all other commands are relative, and arcs are
 * of circles.
 */
export function place(outline: string, x: number, y: number, scale = 1, quarter = 0): string {
  const [left, top, rest] = relative(outline, scale, quarter);
  return `M${short(x + left)} ${short(y + top)}${rest}`;
}

function relative(outline: string, scale: number, quarter: number): Relative {
  const name = `${quarter} ${scale} ${outline}`;
  let found = relatives.get(name);
  if (!found) {
    let first: readonly [number, number] = [0, 0];
    let rest = "";
    for (const [, letter, text] of outline.matchAll(/([a-z])([^a-z]*)/gi)) {
      const numbers = (text!.match(/-?[\d.]+/g) ?? []).map(Number);
      const [rx, ry, ...flags] = numbers.splice(0, HEAD[letter!] ?? 0);
      const words = rx === undefined ? [] : [rx * scale, ry! * scale, ...flags];
      for (let i = 0; i < numbers.length; i += 2) {
        let [u, v] = [numbers[i]! * scale, numbers[i + 1]! * scale];
        for (let turns = 0; turns < quarter; turns++) [u, v] = [-v, u];
        words.push(u, v);
      }
      if (letter === "M") first = words as [number, number];
      else rest += letter + words.map(short).join(" ");
    }
    found = [...first, rest];
    relatives.set(name, found);
  }
  return found;
}

/** To a hundredth of a unit. */
const short = (value: number) => Math.round(100 * value) / 100;
