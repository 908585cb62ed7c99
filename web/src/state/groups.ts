/** Which discs on a table hang together, and whether anything can be added to them (rules 0). */
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

const neighbours = ([x, y]: Disc): Disc[] => [
  [x - 1, y - 1],
  [x + 1, y - 1],
  [x - 1, y + 1],
  [x + 1, y + 1],
];

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

/** What keeps a group open: the half-discs of its colour that are neighbours of its discs. */
export function openings(group: readonly Disc[], colours: ReadonlyMap<string, Seen>): Disc[] {
  const found = new Map<string, Disc>();
  for (const disc of group) {
    const colour = colours.get(key(disc))?.colour;
    for (const next of neighbours(disc)) {
      const met = colours.get(key(next));
      if (met && !met.whole && met.colour === colour) found.set(key(next), met.disc);
    }
  }
  return [...found.values()];
}

/** Whether nothing can be added to a group. */
export function isClosed(group: readonly Disc[], colours: ReadonlyMap<string, Seen>): boolean {
  return openings(group, colours).length === 0;
}

export interface ClosingGroup {
  colour: Colour;
  size: number;
  discs: Disc[];
}

/** The groups that a laying closes, or has closed; `layings` are those on the table with it. */
export function findClosedGroups(laying: Laying, layings: readonly Laying[], set: TileSet): ClosingGroup[] {
  const colours = discColours(layings, set);
  const found: ClosingGroup[] = [];
  const seen = new Set<string>();
  for (const disc of [centre(laying), ...halves(laying, set).map((half) => half.disc)]) {
    if (seen.has(key(disc))) continue;
    const discs = groupAt(disc, colours);
    for (const one of discs) seen.add(key(one));
    if (discs.length && isClosed(discs, colours))
      found.push({ colour: colours.get(key(disc))!.colour, size: discs.length, discs });
  }
  return found;
}
