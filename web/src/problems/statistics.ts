/** How the player does at the problems, from the results in this browser. */
import { PROBLEMS } from "../data.ts";
import { listResults, dayOf, gradeOf, addDays } from "./days.ts";

export interface Statistics {
  solved: number;
  /** Turns found at the first try, without a hint. */
  atOnce: number;
  /** The most days in a row whose turn was found. */
  longest: number;
  /** Problems solved, grade by grade. */
  byGrade: number[];
}

export function statistics(): Statistics {
  const solved = listResults().filter(({ result }) => result.solved);
  const days = solved
    .filter(({ kind, grade, seed }) => kind === "turn" && dayOf(seed) && grade === gradeOf(seed))
    .map(({ seed }) => seed)
    .sort();
  let [row, longest] = [0, 0];
  days.forEach((day, i) => {
    row = i && addDays(days[i - 1] ?? day, 1) === day ? row + 1 : 1;
    longest = Math.max(longest, row);
  });
  return {
    solved: solved.length,
    atOnce: solved.filter(({ kind, result: { tries, hints } }) => kind === "turn" && tries === 1 && !hints).length,
    longest,
    byGrade: PROBLEMS.sizes.map((_, i) => solved.filter(({ grade }) => grade === i + 1).length),
  };
}
