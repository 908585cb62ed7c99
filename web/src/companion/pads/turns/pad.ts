/** The score pad of a game at a real table: its turns, and what follows from them (rules 1, 2 and 3). */
import { itemAt } from "../../../values.ts";
import { isSale, paymentsOf, type Sale } from "./sale.ts";
import { isGroupSize, isPass, isTurnEntry, sumOf, type TurnEntry, turnPoints } from "./turn-entry.ts";

export const MIN_PLAYERS = 2;
export const MAX_PLAYERS = 4;
export const MIN_TARGET = 60;
export const MAX_TARGET = 240;
export const MAX_NAME_LENGTH = 30;

/** Each player has three marks, of which each claims a group (rules 3). */
export const MAX_MARKS = 3;

/**
 * The classic game; that with auctions (rules 2); that with marks: it ends at once, and marked groups are added
 * (rules 3).
 */
export const PAD_KINDS = ["plain", "auctions", "marks"] as const;
export type PadKind = (typeof PAD_KINDS)[number];
export const isPadKind = (value: unknown): value is PadKind => PAD_KINDS.includes(value as PadKind);

export interface Pad {
  readonly id: string;
  readonly kind: PadKind;
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number;
  /** In the order of play. */
  readonly names: readonly string[];
  readonly target: number;
  /** In the order of play, passes included. */
  readonly turns: readonly TurnEntry[];
  /** For each turn, whether and how it was sold. */
  readonly sales: readonly (Sale | null)[];
  /** The turn that is being entered or corrected, kept after every tap; null before the first one. */
  readonly draft: { readonly index: number; readonly turn: TurnEntry | null; readonly sale: Sale | null };
  /** For each player, the sizes of the closed groups with an own mark at the end. */
  readonly marked: readonly (readonly number[])[];
}

export interface PadStanding {
  /** Marks included, once the game is over. */
  readonly scores: readonly number[];
  /** For each player the score at the beginning and after each turn. */
  readonly curves: readonly (readonly number[])[];
  /** How many turns count: none after the end, which a correction may have moved. */
  readonly counted: number;
  /** The player whose turn is next; null when the game is over. */
  readonly next: number | null;
  /** Who was the first to reach the target. */
  readonly reachedBy: number | null;
  readonly isLastRound: boolean;
  readonly ending: "target" | "blocked" | null;
  /** Who has the highest score once the game is over: several share the victory. */
  readonly winners: readonly number[];
}

/** Rounds before a seat of play. */
export const roundOf = (seat: number, players: number): number => Math.floor(seat / players);

export const isOver = ({ ending }: PadStanding): boolean => ending !== null;

/**
 * The seats of play, from 0 on and counted over all rounds, of each turn and of the one that is drafted: by its
 * remainder the player, by its quotient the round. A sold turn jumps to the seat of its winner, clockwise (rules 2).
 */
export function findSeats({ names, turns, sales, draft }: Pad): { home: number; seat: number }[] {
  const players = names.length;
  const seats: { home: number; seat: number }[] = [];
  for (let i = 0; i <= turns.length; i++) {
    const home = (seats.at(-1)?.seat ?? -1) + 1;
    const sale = i === draft.index ? draft.sale : (sales[i] ?? null);
    seats.push({ home, seat: home + (sale ? (sale.winner - (home % players) + players) % players : 0) });
  }
  return seats;
}

/** Follow a game from its first turn: the round in which the target is reached is the last one. */
export function findStanding(pad: Pad): PadStanding {
  const { kind, names, target, turns, sales, marked } = pad;
  const players = names.length;
  const seats = findSeats({ ...pad, draft: { index: turns.length, turn: null, sale: null } });
  const scores = names.map(() => 0);
  const curves = names.map(() => [0]);
  let [counted, passes] = [0, 0];
  let reachedBy: number | null = null;
  let ending: PadStanding["ending"] = null;
  while (counted < turns.length && !ending) {
    const [turn, { home, seat }, sale] = [itemAt(turns, counted), itemAt(seats, counted), sales[counted]];
    const payments = sale ? paymentsOf(sale, home % players) : [];
    for (const [player, points] of [...payments, [seat % players, turnPoints(turn)] as const])
      scores[player] = itemAt(scores, player) + points;
    for (const [i, curve] of curves.entries()) curve.push(itemAt(scores, i));
    counted += 1;
    const first = scores.findIndex((score) => score >= target);
    if (first >= 0) reachedBy ??= first;
    const isRoundOver = roundOf(seat + 1, players) > roundOf(home, players);
    passes = isPass(turn) ? passes + 1 : 0;
    if (reachedBy !== null && (kind === "marks" || isRoundOver)) ending = "target";
    else if (passes === players) ending = "blocked";
  }
  const totals = scores.map((score, i) => score + (ending ? sumOf(marked[i] ?? []) : 0));
  const best = Math.max(...totals);
  return {
    scores: totals,
    curves,
    counted,
    next: ending ? null : itemAt(seats, counted).home % players,
    reachedBy,
    isLastRound: reachedBy !== null && !ending,
    ending,
    winners: ending ? names.flatMap((_, i) => (totals[i] === best ? [i] : [])) : [],
  };
}

const EMPTY_DRAFT: Pad["draft"] = { index: 0, turn: null, sale: null };

export function beginPad(
  id: string,
  at: number,
  names: readonly string[],
  target: number,
  kind: PadKind = "plain",
): Pad {
  return { id, kind, at, names, target, turns: [], sales: [], draft: EMPTY_DRAFT, marked: names.map(() => []) };
}

/** Enter the closed groups that a player has marked. */
export function markGroups(pad: Pad, player: number, sizes: readonly number[]): Pad {
  const marked = pad.marked.map((old, i) => (i === player ? sizes.slice(0, MAX_MARKS) : old));
  return { ...pad, marked };
}

/** Keep the turn that is being entered. */
export const draftTurn = (pad: Pad, turn: TurnEntry | null): Pad => ({ ...pad, draft: { ...pad.draft, turn } });

export const draftSale = (pad: Pad, sale: Sale | null): Pad => ({ ...pad, draft: { ...pad.draft, sale } });

/** Enter a turn again, or the next one. */
export const editTurn = (pad: Pad, index: number): Pad => ({
  ...pad,
  draft: { index, turn: pad.turns[index] ?? null, sale: pad.sales[index] ?? null },
});

/** The turn as it was drafted is the one that counts; then comes the next one. */
export function enterTurn(pad: Pad): Pad {
  const { index, turn, sale } = pad.draft;
  if (!turn) return pad;
  const turns = [...pad.turns.slice(0, index), turn, ...pad.turns.slice(index + 1)];
  const sales = [...pad.sales.slice(0, index), sale, ...pad.sales.slice(index + 1)];
  return { ...pad, turns, sales, draft: { ...EMPTY_DRAFT, index: turns.length } };
}

/** Remove the last turn; it stays in the draft, so that nothing is lost by a wrong tap. */
export function removeLastTurn(pad: Pad): Pad {
  const index = Math.max(0, pad.turns.length - 1);
  return { ...editTurn(pad, index), turns: pad.turns.slice(0, index), sales: pad.sales.slice(0, index) };
}

export type SetupTrouble = "names" | "target";

/** The game that a form describes; or what is wrong with it. */
export function readSetup(
  names: readonly string[],
  target: string,
): { names: string[]; target: number } | { trouble: SetupTrouble } {
  const given = names.map((name) => name.trim()).filter(Boolean);
  if (given.length < MIN_PLAYERS || given.length > MAX_PLAYERS) return { trouble: "names" };
  const points = Number(target.trim() || Number.NaN);
  if (!Number.isInteger(points) || points < MIN_TARGET || points > MAX_TARGET) return { trouble: "target" };
  return { names: given, target: points };
}

const isMarked = (sizes: unknown): boolean =>
  Array.isArray(sizes) && sizes.length <= MAX_MARKS && sizes.every(isGroupSize);

/** Whether stored data is a pad. */
export function isPad(value: unknown): value is Pad {
  const { id, kind, at, names, target, turns, sales, draft, marked } = (value ?? {}) as Partial<
    Record<keyof Pad, unknown>
  >;
  if (
    typeof id !== "string"
    || !isPadKind(kind)
    || typeof at !== "number"
    || !Array.isArray(names)
    || !Array.isArray(turns)
  )
    return false;
  const { index, turn, sale } = (draft ?? {}) as Partial<Pad["draft"]>;
  return (
    names.every((name) => typeof name === "string")
    && !("trouble" in readSetup(names as string[], String(target)))
    && turns.every(isTurnEntry)
    && typeof index === "number"
    && Number.isInteger(index)
    && index >= 0
    && index <= turns.length
    && (turn === null || isTurnEntry(turn))
    && Array.isArray(sales)
    && sales.length === turns.length
    && [...sales, sale].every((one) => one === null || isSale(one, names.length))
    && Array.isArray(marked)
    && marked.length === names.length
    && marked.every(isMarked)
  );
}
