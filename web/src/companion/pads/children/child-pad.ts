/** The pad of the children's game: who has how many dominoes left (rules 4). */
import { itemAt } from "../../../values.ts";
import { countForAge, findMostLettersA, isAge, isAgreedCount } from "../../first/first-player.ts";
import { isPadBase, type PadBase } from "../pad-base.ts";

export const MAX_CHILDREN = 6;
const [ALL_DOMINOES, FIRST_DOMINOES] = [120, 3];

/**
 * What a child did: laid a domino with one disc, with two, or with three and more, or had nothing to lay.
 */
export const CHILD_STEPS = ["one", "two", "three", "stuck"] as const;
export type ChildStep = (typeof CHILD_STEPS)[number];

export interface ChildPad extends PadBase {
  readonly kind: "ages";
  readonly ages: readonly number[];
  /** How many dominoes those draw who are older. */
  readonly agreed: number;
  readonly steps: readonly ChildStep[];
}

export interface ChildStanding {
  /** The dominoes that each child has. */
  readonly left: readonly number[];
  readonly curves: readonly (readonly number[])[];
  readonly bag: number;
  /** Whose turn it is; null when the game is over. */
  readonly next: number | null;
  /** Whether that child lays again. */
  readonly isAgain: boolean;
  readonly counted: number;
  readonly winners: readonly number[];
}

export function beginChildPad(base: PadBase, ages: readonly number[], agreed: number): ChildPad {
  return { ...base, kind: "ages", ages, agreed, steps: [] };
}

/** Follow a game from its first step. The name with most letters a begins. */
export function findChildStanding({ names, ages, agreed, steps }: ChildPad): ChildStanding {
  const left = ages.map((age) => countForAge(age, agreed));
  const curves = left.map((count) => [count]);
  let bag = ALL_DOMINOES - FIRST_DOMINOES - left.reduce((sum, count) => sum + count, 0);
  let child = itemAt(findMostLettersA(names), 0);
  let winners: number[] = [];
  let [counted, stuck, isAgain] = [0, 0, false];
  while (counted < steps.length && !winners.length) {
    const step = itemAt(steps, counted);
    const drawn = ["one", "stuck"].includes(step) ? Math.min(1, bag) : 0;
    bag -= drawn;
    const count = itemAt(left, child) + drawn - (step === "stuck" ? 0 : 1);
    left[child] = count;
    for (const [i, curve] of curves.entries()) curve.push(itemAt(left, i));
    counted += 1;
    stuck = step === "stuck" && !drawn ? stuck + 1 : 0;
    if (count === 0) winners = [child];
    else if (stuck === names.length) winners = findFewest(left);
    isAgain = step === "three";
    if (!isAgain) child = (child + 1) % names.length;
  }
  return { left, curves, bag, next: winners.length ? null : child, isAgain, counted, winners };
}

function findFewest(left: readonly number[]): number[] {
  const fewest = Math.min(...left);
  return left.flatMap((count, child) => (count === fewest ? [child] : []));
}

/** Enter a step; after the end there is none. */
export const takeStep = (pad: ChildPad, step: ChildStep): ChildPad =>
  findChildStanding(pad).next === null ? pad : { ...pad, steps: [...pad.steps, step] };

export const undoStep = (pad: ChildPad): ChildPad => ({ ...pad, steps: pad.steps.slice(0, -1) });

/** Whether stored data is such a pad. */
export function isChildPad(value: unknown): value is ChildPad {
  if (!isPadBase(value, MAX_CHILDREN)) return false;
  const { kind, names, ages, agreed, steps } = value;
  return (
    kind === "ages"
    && Array.isArray(ages)
    && ages.length === names.length
    && ages.every(isAge)
    && isAgreedCount(agreed)
    && Array.isArray(steps)
    && steps.every((step) => CHILD_STEPS.includes(step as ChildStep))
  );
}
