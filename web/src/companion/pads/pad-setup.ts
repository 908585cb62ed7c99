/** The form for the next game, as it is filled in and kept; and the pad that it begins. */
import { countForAge, DEFAULT_ADULT_DOMINOES, isAge, MAX_AGE, MAX_AGREED, MIN_AGE } from "../first/first-player.ts";
import { MAX_GLASS_SECONDS, MIN_GLASS_SECONDS } from "../glass/glass.ts";
import { readNumber } from "../numbers.ts";
import { beginChildPad } from "./children/child-pad.ts";
import { MIN_PLAYERS, type PadBase, readNames } from "./pad-base.ts";
import { isPadKind, MAX_PLAYERS, type Pad, type PadKind } from "./pad-kinds.ts";
import {
  beginRoundPad,
  MAX_ROUND_TARGET,
  MAX_ROUNDS,
  MIN_ROUND_TARGET,
  ROUND_ENDS,
  type RoundEnd,
} from "./rounds/round-pad.ts";
import { areMarkerColours, beginTokenPad, MARKER_COLOURS, type MarkerColour } from "./tokens/token-pad.ts";
import { beginTurnPad, MAX_TARGET, MIN_TARGET } from "./turns/turn-pad.ts";

/** Numbers are as they are typed. */
export interface PadSetup {
  readonly kind: PadKind;
  readonly names: readonly string[];
  readonly target: string;
  readonly end: RoundEnd;
  readonly rounds: string;
  readonly seconds: string;
  /** Of the markers, all different: those of the first players are used. */
  readonly colours: readonly MarkerColour[];
  readonly ages: readonly string[];
  readonly agreed: string;
}

export const EMPTY_SETUP: PadSetup = {
  kind: "plain",
  names: ["", ""],
  target: "60",
  end: "target",
  rounds: "12",
  seconds: "60",
  colours: MARKER_COLOURS,
  ages: [],
  agreed: String(DEFAULT_ADULT_DOMINOES),
};

const isText = (value: unknown): value is string => typeof value === "string";
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Read what was stored; what cannot be is as in an empty form. */
export function readStoredSetup(stored: unknown): PadSetup {
  const found = (stored ?? {}) as Partial<Record<keyof PadSetup, unknown>>;
  const text = (name: "target" | "rounds" | "seconds" | "agreed"): string => {
    const value = found[name];
    return isText(value) ? value : EMPTY_SETUP[name];
  };
  const { kind, names, end, colours, ages } = found;
  const isWhole = areMarkerColours(colours) && colours.length === MARKER_COLOURS.length;
  return {
    kind: isPadKind(kind) ? kind : EMPTY_SETUP.kind,
    names: areTexts(names) ? names : EMPTY_SETUP.names,
    target: text("target"),
    end: ROUND_ENDS.includes(end as RoundEnd) ? (end as RoundEnd) : EMPTY_SETUP.end,
    rounds: text("rounds"),
    seconds: text("seconds"),
    colours: isWhole ? colours : EMPTY_SETUP.colours,
    ages: areTexts(ages) ? ages : EMPTY_SETUP.ages,
    agreed: text("agreed"),
  };
}

/** What is wrong with a form, and between which numbers it ought to be. */
export interface SetupTrouble {
  readonly field: "names" | "target" | "rounds" | "seconds" | "ages" | "agreed";
  readonly least: number;
  readonly most: number;
}

/** The limits of the target, which differ from game to game. */
const targetLimits = (kind: PadKind): readonly [least: number, most: number] =>
  kind === "announced" ? [MIN_ROUND_TARGET, MAX_ROUND_TARGET] : [MIN_TARGET, MAX_TARGET];

/** Whether a game is played to a number of points. */
export const hasTarget = ({ kind, end }: Pick<PadSetup, "kind" | "end">): boolean =>
  kind === "announced" ? end === "target" : !["tokens", "ages"].includes(kind);

/** The pad that a form describes; or what is wrong with it. */
export function beginPad(setup: PadSetup, id: string, at: number): { pad: Pad } | { trouble: SetupTrouble } {
  const { kind } = setup;
  const troubles: SetupTrouble[] = [];
  const read = (field: SetupTrouble["field"], text: string, [least, most]: readonly [number, number]): number => {
    const value = readNumber(text, least, most);
    if (value === null) troubles.push({ field, least, most });
    return value ?? least;
  };
  const names = readNames(setup.names, MAX_PLAYERS[kind]);
  if (!names) return { trouble: { field: "names", least: MIN_PLAYERS, most: MAX_PLAYERS[kind] } };
  const base: PadBase = { id, at, names };
  const begin = (): Pad => {
    if (kind === "tokens") return beginTokenPad(base, ofNamed(setup, setup.colours));
    if (kind === "ages") {
      const agreed = read("agreed", setup.agreed, [1, MAX_AGREED]);
      const ages = ofNamed(
        setup,
        setup.names.map((_, i) => setup.ages[i] ?? ""),
      ).map((age) => read("ages", age, [MIN_AGE, MAX_AGE]));
      return beginChildPad(base, ages, agreed);
    }
    const target = hasTarget(setup)
      ? read("target", setup.target, targetLimits(kind))
      : read("rounds", setup.rounds, [1, MAX_ROUNDS]);
    if (kind !== "announced") return beginTurnPad(base, target, kind);
    const seconds = read("seconds", setup.seconds, [MIN_GLASS_SECONDS, MAX_GLASS_SECONDS]);
    return beginRoundPad(base, setup.end, target, seconds);
  };
  const pad = begin();
  const [trouble] = troubles;
  return trouble ? { trouble } : { pad };
}

/** Of a list for all fields of names: what belongs to those with a name. */
const ofNamed = <T>({ names }: PadSetup, list: readonly T[]): T[] => list.filter((_, i) => names[i]?.trim());

/** How many dominoes someone draws; null as long as an age cannot be. */
export function findDominoes(age: string, agreed: string): number | null {
  const [years, most] = [Number(age || Number.NaN), readNumber(agreed, 1, MAX_AGREED)];
  return isAge(years) && most !== null ? countForAge(years, most) : null;
}

/** Give a player a colour: whoever has it gets the player's old one. */
export function swapColour(colours: readonly MarkerColour[], player: number, colour: MarkerColour): MarkerColour[] {
  const old = colours[player] ?? colour;
  return colours.map((one, i) => (i === player ? colour : one === colour ? old : one));
}
