/** Before the first turn: who begins (rules 1 and 4), and how many dominoes each child draws (rules 4). */
import { isWithin } from "../numbers.ts";

/** The letters a of a name, large or small, with or without accents. */
export const countLettersA = (name: string): number => name.normalize("NFD").match(/a/gi)?.length ?? 0;

/** The players whose value is the greatest, by index. */
function findGreatest(values: readonly (number | string)[]): number[] {
  const best = values.reduce((most, value) => (value > most ? value : most));
  return values.flatMap((value, i) => (value === best ? [i] : []));
}

/** Players with equally many letters share the first place: the one who sits first begins. */
export const findMostLettersA = (names: readonly string[]): number[] => findGreatest(names.map(countLettersA));

/** Those with the latest birthday (`YYYY-MM-DD`); null as long as one is missing. */
export function findYoungest(birthdays: readonly string[]): number[] | null {
  return birthdays.every((day) => /^\d{4}-\d\d-\d\d$/.test(day)) ? findGreatest(birthdays) : null;
}

export const MIN_AGE = 4;
/** From this age on, a number is agreed on. */
export const ADULT_AGE = 9;
export const DEFAULT_ADULT_DOMINOES = 9;
export const MAX_AGE = 120;
export const MAX_AGREED = 20;

export const isAge = (age: unknown): age is number => isWithin(age, MIN_AGE, MAX_AGE);
export const isAgreedCount = (count: unknown): count is number => isWithin(count, 1, MAX_AGREED);

/** As many dominoes as years, up to 8; then the number that was agreed on. */
export const countForAge = (age: number, agreed: number): number => (age < ADULT_AGE ? age : agreed);
