/**
 * Outlines placed on the table: the twin of drawing/outlines.py.
 *
 * The paths themselves are moved and turned, not by `transform`: browsers give what is transformed
 * inside a moving picture layers of its own, a hundred for a full table.
 */
import type { Outline } from "../data.ts";

/** The first point of an outline, and everything after it as path data. */
type Relative = readonly [x: number, y: number, rest: string];

const relatives = new WeakMap<Outline, Map<string, Relative>>();

/** Path data of an outline, moved by x, y; turned by quarter-turns clockwise about its origin and scaled first. */
export function place(outline: Outline, x: number, y: number, scale = 1, quarter = 0): string {
  const [left, top, rest] = relative(outline, scale, quarter);
  return `M${short(x + left)} ${short(y + top)}${rest}`;
}

function relative(outline: Outline, scale: number, quarter: number): Relative {
  const known = relatives.get(outline) ?? new Map<string, Relative>();
  relatives.set(outline, known);
  const name = `${quarter} ${scale}`;
  let found = known.get(name);
  if (!found) {
    const [[, left, top], ...steps] = outline as [["M", number, number], ...Outline];
    const rest = steps.map(([letter, ...numbers]) => {
      // Of an arc, the radii and three flags stand before its end.
      const [rx, ry, ...flags] = numbers.splice(0, letter === "a" ? 5 : 0);
      const words = rx === undefined ? [] : [rx * scale, ry! * scale, ...flags];
      for (let i = 0; i < numbers.length; i += 2)
        words.push(...turnPoint(numbers[i]! * scale, numbers[i + 1]! * scale, quarter));
      return letter + words.map(short).join(" ");
    });
    found = [...turnPoint(left * scale, top * scale, quarter), rest.join("")];
    known.set(name, found);
  }
  return found;
}

function turnPoint(x: number, y: number, quarter: number): [number, number] {
  return quarter ? turnPoint(-y, x, quarter - 1) : [x, y];
}

/** To a hundredth of a unit. */
export const short = (value: number) => Math.round(100 * value) / 100;
