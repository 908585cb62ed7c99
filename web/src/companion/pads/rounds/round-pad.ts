/** The score pad of a game in rounds, in which players announce what they see and then show it (rules 7). */
import { itemAt } from "../../../values.ts";
import { isGlassLength } from "../../glass/glass.ts";
import { isWithin } from "../../numbers.ts";
import { findHighest, isDraftIndex, isPadBase, type PadBase } from "../pad-base.ts";

export const MAX_ROUND_PLAYERS = 10;
export const MAX_ANNOUNCED = 1000;
export const MIN_ROUND_TARGET = 10;
export const MAX_ROUND_TARGET = 240;
export const MAX_ROUNDS = 60;
/** The mistake that puts a player out of the game. */
export const MAX_MISTAKES = 3;

/** What a game is played to: points, or a number of rounds. */
export const ROUND_ENDS = ["target", "rounds"] as const;
export type RoundEnd = (typeof ROUND_ENDS)[number];

export interface Announcing {
  readonly player: number;
  readonly points: number;
}

export interface RoundEntry {
  /** Ascending. */
  readonly announced: readonly Announcing[];
  /** Whether each turn that was shown was right: from the highest announcer on, until one is. */
  readonly shown: readonly boolean[];
}

export interface RoundPad extends PadBase {
  readonly kind: "announced";
  readonly end: RoundEnd;
  /** Points or rounds. */
  readonly target: number;
  /** Seconds of the sandglass. */
  readonly seconds: number;
  readonly rounds: readonly RoundEntry[];
  /** The round that is being played or corrected, kept after every tap. */
  readonly draft: RoundEntry & { readonly index: number; readonly isShowing: boolean };
  /** Whether the players have ended it before its end. */
  readonly isStopped: boolean;
}

export interface RoundStanding {
  readonly scores: readonly number[];
  /** For each player the score at the beginning and after each round. */
  readonly curves: readonly (readonly number[])[];
  readonly mistakes: readonly number[];
  /** The number of each round that was played, and of the next one: those in which everyone sits out are skipped. */
  readonly numbers: readonly number[];
  /** Who sits out each round that was played, and the next one. */
  readonly sitting: readonly (readonly number[])[];
  /** How many rounds count: none after the end. */
  readonly counted: number;
  readonly ending: "target" | "rounds" | "last_player" | "stopped" | null;
  readonly winners: readonly number[];
}

const EMPTY_ROUND: RoundEntry = { announced: [], shown: [] };
const EMPTY_DRAFT: RoundPad["draft"] = { ...EMPTY_ROUND, index: 0, isShowing: false };

export function beginRoundPad(base: PadBase, end: RoundEnd, target: number, seconds: number): RoundPad {
  return { ...base, kind: "announced", end, target, seconds, rounds: [], draft: EMPTY_DRAFT, isStopped: false };
}

export const highestOf = ({ announced }: RoundEntry): number => announced.at(-1)?.points ?? 0;

/** Who shows in which order: the highest announcement of each player, descending. */
export function findShowers({ announced }: RoundEntry): Announcing[] {
  return [...announced].reverse().filter((one, i, all) => all.findIndex(({ player }) => player === one.player) === i);
}

/** Who shows next; null if one was right, or all were wrong, or none has announced. */
export function findShower(round: RoundEntry): Announcing | null {
  return round.shown.at(-1) ? null : (findShowers(round)[round.shown.length] ?? null);
}

export interface RoundEffect {
  readonly player: number;
  readonly announced: number;
  readonly points: number;
  /** The number of the player's mistake; 0 if the turn was right. */
  readonly mistake: number;
}

/** What a round brings, turn by turn as they were shown; `mistakes` are those before it. */
export function findEffects(round: RoundEntry, mistakes: readonly number[]): RoundEffect[] {
  const showers = findShowers(round);
  return round.shown.map((isRight, i) => {
    const { player, points: announced } = itemAt(showers, i);
    if (isRight) return { player, announced, points: announced, mistake: 0 };
    const mistake = itemAt(mistakes, player) + 1;
    return { player, announced, points: mistake === 2 ? -announced : 0, mistake };
  });
}

/** Follow a game from its first round. */
export function findRoundStanding(pad: RoundPad): RoundStanding {
  const { names, rounds, end, target, isStopped } = pad;
  const everyone = [...names.keys()];
  const scores = names.map(() => 0);
  const mistakes = names.map(() => 0);
  const curves = names.map(() => [0]);
  const numbers = [1];
  const sitting: number[][] = [[]];
  let counted = 0;
  let ending: RoundStanding["ending"] = null;
  const isIn = (player: number) => itemAt(mistakes, player) < MAX_MISTAKES;
  while (counted < rounds.length && !ending) {
    const effects = findEffects(itemAt(rounds, counted), mistakes);
    for (const { player, points, mistake } of effects) {
      scores[player] = itemAt(scores, player) + points;
      mistakes[player] = mistake || itemAt(mistakes, player);
    }
    for (const [i, curve] of curves.entries()) curve.push(itemAt(scores, i));
    const left = everyone.filter(isIn);
    let next = itemAt(numbers, counted) + 1;
    let out = effects.filter(({ mistake }) => mistake === 1).map(({ player }) => player);
    counted += 1;
    if (left.length < 2) ending = "last_player";
    else if (end === "target" && left.some((player) => itemAt(scores, player) >= target)) ending = "target";
    if (left.every((player) => out.includes(player))) [next, out] = [next + 1, []];
    if (!ending && end === "rounds" && next > target) ending = "rounds";
    numbers.push(next);
    sitting.push(out);
  }
  if (isStopped) ending ??= "stopped";
  return {
    scores,
    curves,
    mistakes,
    numbers,
    sitting,
    counted,
    ending,
    winners: ending ? findHighest(scores, everyone.filter(isIn)) : [],
  };
}

/** Who may announce now: not those who sit out, are out of the game, or lead. */
export function mayAnnounce(pad: RoundPad, standing: RoundStanding, player: number): boolean {
  const { draft } = pad;
  const before = findRoundStanding({ ...pad, rounds: pad.rounds.slice(0, draft.index), isStopped: false });
  return (
    !draft.isShowing
    && draft.announced.at(-1)?.player !== player
    && !standing.sitting[draft.index]?.includes(player)
    && itemAt(before.mistakes, player) < MAX_MISTAKES
  );
}

const withDraft = (pad: RoundPad, draft: Partial<RoundPad["draft"]>): RoundPad => ({
  ...pad,
  draft: { ...pad.draft, ...draft },
});

export function announcePoints(pad: RoundPad, player: number, points: number): RoundPad {
  return points > highestOf(pad.draft) && points <= MAX_ANNOUNCED
    ? withDraft(pad, { announced: [...pad.draft.announced, { player, points }] })
    : pad;
}

/** No one announces more: the highest announcer shows. A round without an announcement is over. */
export function closeAnnouncing(pad: RoundPad): RoundPad {
  return pad.draft.announced.length ? withDraft(pad, { isShowing: true }) : enterRound(pad);
}

/** Whether the turn that is shown is worth what was announced; the next lower announcer shows if it is not. */
export function judgeShown(pad: RoundPad, isRight: boolean): RoundPad {
  const judged = withDraft(pad, { shown: [...pad.draft.shown, isRight] });
  return findShower(judged.draft) ? judged : enterRound(judged);
}

function enterRound(pad: RoundPad): RoundPad {
  const { index, announced, shown } = pad.draft;
  const rounds = [...pad.rounds.slice(0, index), { announced, shown }, ...pad.rounds.slice(index + 1)];
  return { ...pad, rounds, draft: { ...EMPTY_DRAFT, index: rounds.length } };
}

/** Play a round again from its announcements on; or go on with the next one. */
export function editRound(pad: RoundPad, index: number): RoundPad {
  const { announced } = pad.rounds[index] ?? EMPTY_ROUND;
  return { ...pad, draft: { announced, shown: [], isShowing: false, index } };
}

export const canTakeBack = ({ draft, rounds }: RoundPad): boolean =>
  draft.announced.length > 0 || (rounds.length > 0 && draft.index === rounds.length);

/** Take back the last step: what was said of a turn, that announcing is over, an announcement, or the last round. */
export function takeBackStep(pad: RoundPad): RoundPad {
  const { announced, shown, isShowing, index } = pad.draft;
  if (shown.length) return withDraft(pad, { shown: shown.slice(0, -1) });
  if (isShowing) return withDraft(pad, { isShowing: false });
  if (announced.length) return withDraft(pad, { announced: announced.slice(0, -1) });
  const last = pad.rounds.at(-1);
  if (!last || index < pad.rounds.length) return pad;
  const draft = { ...last, shown: last.shown.slice(0, -1), isShowing: last.shown.length > 0, index: index - 1 };
  return { ...pad, rounds: pad.rounds.slice(0, -1), draft };
}

function isRoundEntry(value: unknown, players: number): value is RoundEntry {
  const { announced, shown } = (value ?? {}) as Partial<Record<keyof RoundEntry, unknown>>;
  if (!Array.isArray(announced) || !Array.isArray(shown)) return false;
  let highest = 0;
  for (const one of announced as unknown[]) {
    const { player, points } = (one ?? {}) as Partial<Announcing>;
    if (!isWithin(player, 0, players - 1) || !isWithin(points, highest + 1, MAX_ANNOUNCED)) return false;
    highest = points;
  }
  return (
    shown.every((isRight) => typeof isRight === "boolean")
    && shown.length <= findShowers({ announced, shown }).length
    && !shown.slice(0, -1).includes(true)
  );
}

export const isRoundGoal = (end: RoundEnd, target: unknown): target is number =>
  end === "target" ? isWithin(target, MIN_ROUND_TARGET, MAX_ROUND_TARGET) : isWithin(target, 1, MAX_ROUNDS);

/** Whether stored data is such a pad. */
export function isRoundPad(value: unknown): value is RoundPad {
  if (!isPadBase(value, MAX_ROUND_PLAYERS)) return false;
  const { kind, names, end, target, seconds, rounds, draft, isStopped } = value;
  const { index, isShowing } = (draft ?? {}) as Partial<RoundPad["draft"]>;
  return (
    kind === "announced"
    && ROUND_ENDS.includes(end as RoundEnd)
    && isRoundGoal(end as RoundEnd, target)
    && isGlassLength(seconds)
    && Array.isArray(rounds)
    && rounds.every((round) => isRoundEntry(round, names.length) && !findShower(round))
    && isRoundEntry(draft, names.length)
    && isDraftIndex(index, rounds)
    && typeof isShowing === "boolean"
    && (!isShowing || findShower(draft) !== null)
    && typeof isStopped === "boolean"
  );
}
