/** Who begins: the youngest (rules 1), or the name with most letters a (rules 4). */

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
