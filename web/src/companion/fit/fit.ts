/** Whether a domino may be laid in a place of a real table, of which only the neighbours are known (rules 0). */
import { type Colour, TILES } from "../../data.ts";
import { discPoints, MAX_CONTACTS } from "../../state/points.ts";
import { itemAt } from "../../values.ts";

/** The half-discs of a domino that lies east, clockwise from its left end: W NW NE E SE SW, as in `geometry.ts`. */
export type Slots = readonly (Colour | null)[];
export type FitPart = "around" | "face";

export interface Fit {
  /** The half-discs of the neighbours at each edge of the empty place; null where there is none. */
  readonly around: Slots;
  /** The half-discs of the domino, as far as they are entered. */
  readonly face: Slots;
  /** What the next colour is for. */
  readonly part: FitPart;
  readonly slot: number;
}

const EMPTY_SLOTS: Slots = Array<null>(MAX_CONTACTS).fill(null);
export const EMPTY_FIT: Fit = { around: EMPTY_SLOTS, face: EMPTY_SLOTS, part: "around", slot: 0 };

const after = (slot: number, turns = 1): number => (slot + turns) % MAX_CONTACTS;

/**
 * Enter a colour, or none, where the next one belongs, and go on clockwise: along the domino only where it has
 * neighbours.
 */
export function paint(fit: Fit, colour: Colour | null): Fit {
  const { part, slot } = fit;
  const painted = { ...fit, [part]: fit[part].map((old, i) => (i === slot ? colour : old)) };
  return { ...painted, slot: part === "around" ? after(slot) : findNextHalf(painted, after(slot)) };
}

/**
 * The next half-disc of the domino that meets a neighbour and has no colour yet, from a slot on; else the slot before
 * it.
 */
function findNextHalf({ around, face }: Fit, from: number): number {
  for (let turns = 0; turns < MAX_CONTACTS; turns++) {
    const slot = after(from, turns);
    if (around[slot] && !face[slot]) return slot;
  }
  return after(from, MAX_CONTACTS - 1);
}

export const select = (fit: Fit, part: FitPart, slot: number): Fit => ({ ...fit, part, slot });

/** Go on with the domino, or with the empty place. */
export const selectPart = (fit: Fit, part: FitPart): Fit =>
  part === "face" ? select(fit, part, findNextHalf(fit, 0)) : select(fit, part, 0);

export interface FitAnswer {
  readonly contacts: number;
  /** Contacts for which the domino's colour is not entered yet. */
  readonly missing: number;
  /** The slots in which two colours differ. */
  readonly clashes: readonly number[];
  /** Disc points, if the laying is allowed. */
  readonly points: number | null;
  /** Whether a domino of the 120 has the half-discs that are entered. */
  readonly isKnown: boolean;
}

export function judge({ around, face }: Fit): FitAnswer {
  const met = around.flatMap((colour, slot) => (colour ? [slot] : []));
  const missing = met.filter((slot) => !face[slot]).length;
  const clashes = met.filter((slot) => face[slot] && face[slot] !== around[slot]);
  const isAllowed = met.length > 0 && !missing && !clashes.length;
  return {
    contacts: met.length,
    missing,
    clashes,
    points: isAllowed ? discPoints(met.length) : null,
    isKnown: FACES.some((known) => hasHalves(known, face)),
  };
}

/** All faces of the 120 dominoes, in both directions in which a domino fills the place. */
const FACES: readonly string[] = TILES.flatMap(({ recto, verso }) =>
  [recto.slice(1), verso.slice(1)].flatMap((halves) => [halves, halves.slice(3) + halves.slice(0, 3)]),
);

const hasHalves = (known: string, face: Slots): boolean =>
  face.every((colour, slot) => !colour || colour === known[slot]);

export const SLOT_NAMES = ["w", "nw", "ne", "e", "se", "sw"] as const;
export const slotName = (slot: number): string => itemAt(SLOT_NAMES, slot);
