/** The score pad of a game at a real table: its turns, and what follows from them (rules 1, 2 and 3). */
import { itemAt } from "../../../values.ts";
import { isGroupSize, isWithin, sumOf } from "../../numbers.ts";
import { findHighest, isDraftIndex, isPadBase, type PadBase } from "../pad-base.ts";
import { isSale, paymentsOf, type Sale } from "./sale.ts";
import { isPass, isTurnEntry, type TurnEntry, turnPoints } from "./turn-entry.ts";

export const MAX_TURN_PLAYERS = 4;
export const MIN_TARGET = 60;
export const MAX_TARGET = 240;

/** Each player has three marks, of which each claims a group (rules 3). */
export const MAX_MARKS = 3;

/**
 * The classic game; that with auctions (rules 2); that with marks: it ends at once, and marked groups are added
 * (rules 3).
 */
export const TURN_KINDS = ["plain", "auctions", "marks"] as const;
export type TurnKind = (typeof TURN_KINDS)[number];

export interface TurnPad extends PadBase {
  readonly kind: TurnKind;
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

export interface TurnStanding {
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

export const isOver = ({ ending }: TurnStanding): boolean => ending !== null;

/**
 * The seats of play, from 0 on and counted over all rounds, of each turn and of the one that is drafted: by its
 * remainder the player, by its quotient the round. A sold turn jumps to the seat of its winner, clockwise (rules 2).
 */
export function findSeats({ names, turns, sales, draft }: TurnPad): { home: number; seat: number }[] {
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
export function findTurnStanding(pad: TurnPad): TurnStanding {
  const { kind, names, target, turns, sales, marked } = pad;
  const players = names.length;
  const seats = findSeats({ ...pad, draft: { index: turns.length, turn: null, sale: null } });
  const scores = names.map(() => 0);
  const curves = names.map(() => [0]);
  let [counted, passes] = [0, 0];
  let reachedBy: number | null = null;
  let ending: TurnStanding["ending"] = null;
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
  return {
    scores: totals,
    curves,
    counted,
    next: ending ? null : itemAt(seats, counted).home % players,
    reachedBy,
    isLastRound: reachedBy !== null && !ending,
    ending,
    winners: ending ? findHighest(totals, [...names.keys()]) : [],
  };
}

const EMPTY_DRAFT: TurnPad["draft"] = { index: 0, turn: null, sale: null };

export function beginTurnPad(base: PadBase, target: number, kind: TurnKind = "plain"): TurnPad {
  return { ...base, kind, target, turns: [], sales: [], draft: EMPTY_DRAFT, marked: base.names.map(() => []) };
}

/** Enter the closed groups that a player has marked. */
export function markGroups(pad: TurnPad, player: number, sizes: readonly number[]): TurnPad {
  const marked = pad.marked.map((old, i) => (i === player ? sizes.slice(0, MAX_MARKS) : old));
  return { ...pad, marked };
}

/** Keep the turn that is being entered. */
export const draftTurn = (pad: TurnPad, turn: TurnEntry | null): TurnPad => ({ ...pad, draft: { ...pad.draft, turn } });

export const draftSale = (pad: TurnPad, sale: Sale | null): TurnPad => ({ ...pad, draft: { ...pad.draft, sale } });

/** Enter a turn again, or the next one. */
export const editTurn = (pad: TurnPad, index: number): TurnPad => ({
  ...pad,
  draft: { index, turn: pad.turns[index] ?? null, sale: pad.sales[index] ?? null },
});

/** The turn as it was drafted is the one that counts; then comes the next one. */
export function enterTurn(pad: TurnPad): TurnPad {
  const { index, turn, sale } = pad.draft;
  if (!turn) return pad;
  const turns = [...pad.turns.slice(0, index), turn, ...pad.turns.slice(index + 1)];
  const sales = [...pad.sales.slice(0, index), sale, ...pad.sales.slice(index + 1)];
  return { ...pad, turns, sales, draft: { ...EMPTY_DRAFT, index: turns.length } };
}

/** Remove the last turn; it stays in the draft, so that nothing is lost by a wrong tap. */
export function removeLastTurn(pad: TurnPad): TurnPad {
  const index = Math.max(0, pad.turns.length - 1);
  return { ...editTurn(pad, index), turns: pad.turns.slice(0, index), sales: pad.sales.slice(0, index) };
}

/** A target as it was entered or stored. */
export const isTarget = (points: unknown): points is number => isWithin(points, MIN_TARGET, MAX_TARGET);

const isMarked = (sizes: unknown): boolean =>
  Array.isArray(sizes) && sizes.length <= MAX_MARKS && sizes.every(isGroupSize);

/** Whether stored data is such a pad. */
export function isTurnPad(value: unknown): value is TurnPad {
  if (!isPadBase(value, MAX_TURN_PLAYERS)) return false;
  const { kind, names, target, turns, sales, draft, marked } = value;
  const { index, turn, sale } = (draft ?? {}) as Partial<TurnPad["draft"]>;
  return (
    TURN_KINDS.includes(kind as TurnKind)
    && isTarget(target)
    && Array.isArray(turns)
    && turns.every(isTurnEntry)
    && isDraftIndex(index, turns)
    && (turn === null || isTurnEntry(turn))
    && Array.isArray(sales)
    && sales.length === turns.length
    && [...sales, sale].every((one) => one === null || isSale(one, names.length))
    && Array.isArray(marked)
    && marked.length === names.length
    && marked.every(isMarked)
  );
}
