/** A turn of the classic game as it is entered: what each domino brought, or only the points (rules 1). */
import { CHARGE, discPoints, MAX_CONTACTS } from "../../../state/points.ts";
import { isGroupSize, isWithin, sumOf } from "../../numbers.ts";

/** One laid domino: its new discs, and the sizes of the groups that it closed. */
export interface DominoEntry {
  readonly discs: number;
  readonly groups: readonly number[];
}

/** No domino is a pass; the second one costs the charge. */
export type TurnEntry = { readonly dominoes: readonly DominoEntry[] } | { readonly points: number };

export const PASS: TurnEntry = { dominoes: [] };

/** One disc with each domino, less the charge. */
export const MIN_TURN_POINTS = 2 - CHARGE;
export const MAX_TURN_POINTS = 300;

/** Each closed group has the domino's central disc or one of its new discs. */
export const countMaxGroups = ({ discs }: DominoEntry): number => discs + 1;

export const dominoPoints = ({ discs, groups }: DominoEntry): number => discPoints(discs) + sumOf(groups);

export const chargeOfTurn = (turn: TurnEntry): number =>
  "dominoes" in turn ? CHARGE * Math.max(0, turn.dominoes.length - 1) : 0;

export function turnPoints(turn: TurnEntry): number {
  if ("points" in turn) return turn.points;
  return turn.dominoes.reduce((sum, domino) => sum + dominoPoints(domino), 0) - chargeOfTurn(turn);
}

export const isPass = (turn: TurnEntry): boolean => "dominoes" in turn && turn.dominoes.length === 0;

const dominoesOf = (turn: TurnEntry | null): readonly DominoEntry[] =>
  turn && "dominoes" in turn ? turn.dominoes : [];

/** Enter the discs of the first (0) or second (1) domino; none means that it is not laid. */
export function enterDiscs(turn: TurnEntry | null, which: number, discs: number): TurnEntry {
  const dominoes = dominoesOf(turn);
  if (!discs) return { dominoes: dominoes.slice(0, which) };
  const groups = (dominoes[which]?.groups ?? []).slice(0, countMaxGroups({ discs, groups: [] }));
  return { dominoes: [...dominoes.slice(0, which), { discs, groups }, ...dominoes.slice(which + 1)] };
}

/** Add a closed group to a domino, as far as that can be. */
export function addGroup(turn: TurnEntry, which: number, size: number): TurnEntry {
  return changeGroups(turn, which, (domino) =>
    domino.groups.length < countMaxGroups(domino) ? [...domino.groups, size] : domino.groups,
  );
}

export function removeGroup(turn: TurnEntry, which: number, index: number): TurnEntry {
  return changeGroups(turn, which, ({ groups }) => groups.filter((_, i) => i !== index));
}

function changeGroups(turn: TurnEntry, which: number, change: (domino: DominoEntry) => readonly number[]): TurnEntry {
  return {
    dominoes: dominoesOf(turn).map((domino, i) => (i === which ? { ...domino, groups: change(domino) } : domino)),
  };
}

function isDomino(value: unknown): value is DominoEntry {
  const { discs, groups } = (value ?? {}) as Partial<DominoEntry>;
  return (
    isWithin(discs, 1, MAX_CONTACTS)
    && Array.isArray(groups)
    && groups.length <= countMaxGroups({ discs, groups })
    && groups.every(isGroupSize)
  );
}

/** Whether stored data is a turn that can be. */
export function isTurnEntry(value: unknown): value is TurnEntry {
  if (typeof value !== "object" || value === null) return false;
  if ("points" in value) return isWithin(value.points, MIN_TURN_POINTS, MAX_TURN_POINTS);
  const { dominoes } = value as { dominoes?: unknown };
  return Array.isArray(dominoes) && dominoes.length <= 2 && dominoes.every(isDomino);
}
