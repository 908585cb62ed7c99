/** The discs of one colour on a real table, as far as they are tapped: how many hang together, and what is open. */
import { signal } from "@preact/signals";
import { type Disc, key } from "../../geometry.ts";
import { groupAt, openings, type Seen } from "../../state/groups.ts";
import { recall, remember } from "../../state/storage.ts";
import { isWithin } from "../numbers.ts";

/** Columns and rows of the field. Discs lie where their sum is even: the neighbours of a disc are diagonal. */
export const FIELD_SIZE = 19;

/** A whole disc, or a half-disc that is still to be completed. */
export type CountMark = "disc" | "half";
/** By column and row. */
export type CountMarks = Readonly<Record<string, CountMark>>;

export const isPlaceOfDisc = (x: number, y: number): boolean => (x + y) % 2 === 0;

/** A tap makes a disc, the next one a half-disc, the third removes it. */
export function tapPlace(marks: CountMarks, place: Disc): CountMarks {
  const { [key(place)]: old, ...others } = marks;
  if (old === "half") return others;
  return { ...others, [key(place)]: old ? "half" : "disc" };
}

export interface CountedGroup {
  readonly size: number;
  readonly isClosed: boolean;
}

/** The groups of the discs that were tapped, the largest first. */
export function countGroups(marks: CountMarks): CountedGroup[] {
  const colours = new Map<string, Seen>();
  for (const [place, mark] of Object.entries(marks)) {
    const [x = 0, y = 0] = place.split(",").map(Number);
    colours.set(place, { disc: [x, y], colour: "R", whole: mark === "disc" });
  }
  const seen = new Set<string>();
  const groups: CountedGroup[] = [];
  for (const [place, { disc }] of colours) {
    const group = seen.has(place) ? [] : groupAt(disc, colours);
    for (const one of group) seen.add(key(one));
    if (group.length) groups.push({ size: group.length, isClosed: openings(group, colours).length === 0 });
  }
  return groups.sort((a, b) => b.size - a.size);
}

/** Read what was stored; what cannot be in the field is left out. */
export function readMarks(stored: unknown): CountMarks {
  if (typeof stored !== "object" || stored === null) return {};
  const isMark = ([place, mark]: [string, unknown]) => {
    const [x, y, ...more] = place.split(",").map(Number);
    const isInside = isWithin(x, 0, FIELD_SIZE - 1) && isWithin(y, 0, FIELD_SIZE - 1) && !more.length;
    return isInside && isPlaceOfDisc(x, y) && (mark === "disc" || mark === "half");
  };
  return Object.fromEntries(Object.entries(stored).filter(isMark)) as CountMarks;
}

const STORED = "count";

export const marks = signal<CountMarks>(readMarks(recall<unknown>(STORED, null)));

export function keepMarks(changed: CountMarks): void {
  marks.value = changed;
  remember(STORED, changed);
}
