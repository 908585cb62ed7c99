/** The score pad of a classic game at a real table: its turns, and what follows from them (rules 1). */
import { itemAt } from "../values.ts";
import { isPass, isTurnEntry, type TurnEntry, turnPoints } from "./turn-entry.ts";

export const MIN_PLAYERS = 2;
export const MAX_PLAYERS = 4;
export const MIN_TARGET = 60;
export const MAX_TARGET = 240;
export const MAX_NAME_LENGTH = 30;

export interface Pad {
  readonly id: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number;
  /** In the order of play. */
  readonly names: readonly string[];
  readonly target: number;
  /** In the order of play, passes included: the turn with index i is of player i modulo the number of players. */
  readonly turns: readonly TurnEntry[];
  /** The turn that is being entered or corrected, kept after every tap; null before the first one. */
  readonly draft: { readonly index: number; readonly turn: TurnEntry | null };
}

export interface PadStanding {
  readonly scores: readonly number[];
  /** For each player the score at the beginning and after each turn. */
  readonly curves: readonly (readonly number[])[];
  /** How many turns count: none after the end, which a correction may have moved. */
  readonly counted: number;
  /** The player whose turn is next; null when the game is over. */
  readonly next: number | null;
  /** From 1. */
  readonly round: number;
  /** Who was the first to reach the target. */
  readonly reachedBy: number | null;
  readonly isLastRound: boolean;
  readonly ending: "target" | "blocked" | null;
  /** Who has the highest score once the game is over: several share the victory. */
  readonly winners: readonly number[];
}

export const isOver = ({ ending }: PadStanding): boolean => ending !== null;

/** Follow a game from its first turn: the round in which the target is reached is the last one. */
export function findStanding({ names, target, turns }: Pick<Pad, "names" | "target" | "turns">): PadStanding {
  const players = names.length;
  const scores = names.map(() => 0);
  const curves = names.map(() => [0]);
  let [counted, passes] = [0, 0];
  let reachedBy: number | null = null;
  let ending: PadStanding["ending"] = null;
  while (counted < turns.length && !ending) {
    const [turn, player] = [itemAt(turns, counted), counted % players];
    const score = itemAt(scores, player) + turnPoints(turn);
    scores[player] = score;
    for (const [i, curve] of curves.entries()) curve.push(itemAt(scores, i));
    counted += 1;
    if (score >= target) reachedBy ??= player;
    passes = isPass(turn) ? passes + 1 : 0;
    if (reachedBy !== null && counted % players === 0) ending = "target";
    else if (passes === players) ending = "blocked";
  }
  const best = Math.max(...scores);
  return {
    scores,
    curves,
    counted,
    next: ending ? null : counted % players,
    round: Math.floor((ending ? counted - 1 : counted) / players) + 1,
    reachedBy,
    isLastRound: reachedBy !== null && !ending,
    ending,
    winners: ending ? names.flatMap((_, i) => (scores[i] === best ? [i] : [])) : [],
  };
}

export function beginPad(id: string, at: number, names: readonly string[], target: number): Pad {
  return { id, at, names, target, turns: [], draft: { index: 0, turn: null } };
}

/** Keep the turn that is being entered. */
export const draftTurn = (pad: Pad, turn: TurnEntry | null): Pad => ({ ...pad, draft: { ...pad.draft, turn } });

/** Enter a turn again, or the next one. */
export const editTurn = (pad: Pad, index: number): Pad => ({
  ...pad,
  draft: { index, turn: pad.turns[index] ?? null },
});

/** The turn as it was drafted is the one that counts; then comes the next one. */
export function enterTurn(pad: Pad): Pad {
  const { index, turn } = pad.draft;
  if (!turn) return pad;
  const turns = [...pad.turns.slice(0, index), turn, ...pad.turns.slice(index + 1)];
  return { ...pad, turns, draft: { index: turns.length, turn: null } };
}

/** Remove the last turn; it stays in the draft, so that nothing is lost by a wrong tap. */
export function removeLastTurn(pad: Pad): Pad {
  const index = Math.max(0, pad.turns.length - 1);
  return { ...pad, turns: pad.turns.slice(0, index), draft: { index, turn: pad.turns[index] ?? null } };
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

/** Whether stored data is a pad. */
export function isPad(value: unknown): value is Pad {
  const { id, at, names, target, turns, draft } = (value ?? {}) as Partial<Record<keyof Pad, unknown>>;
  if (typeof id !== "string" || typeof at !== "number" || !Array.isArray(names) || !Array.isArray(turns)) return false;
  const { index, turn } = (draft ?? {}) as Partial<Pad["draft"]>;
  return (
    names.every((name) => typeof name === "string")
    && !("trouble" in readSetup(names as string[], String(target)))
    && turns.every(isTurnEntry)
    && typeof index === "number"
    && Number.isInteger(index)
    && index >= 0
    && index <= turns.length
    && (turn === null || isTurnEntry(turn))
  );
}
