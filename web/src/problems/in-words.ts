/** A problem by its name and its address, and how it went, to be shared: without a word about the solution. */
import { linkTo } from "../base.ts";
import { t } from "../i18n.ts";
import type { Problem } from "../net/problems.ts";
import { dayInWords, gradeOf, problemLink, type ProblemResult, streak, today } from "./days.ts";

/** "15 November 2026", or the seed of one for practice. */
export function problemName({ date, seed }: Problem): string {
  return date ? dayInWords(date) : t("problem_number", { seed });
}

/** The address of a problem, short where the day says enough. */
export function addressOf({ kind, grade, seed, date }: Problem): string {
  const request = date ? { kind, date, ...(grade !== gradeOf(date) && { grade }) } : { kind, seed, grade };
  return linkTo(problemLink(request));
}

/** "found at the first try, with 2 hints"; a frame is solved. */
export function outcomeOf(kind: Problem["kind"], { tries, hints }: Pick<ProblemResult, "tries" | "hints">): string {
  const found = kind === "turn" ? t("problem_tries", { count: tries }) : t("problem_is_solved");
  return hints ? `${found}, ${t("problem_with_hints", { count: hints })}` : found;
}

/** Today's turn says how many days it is in a row; a row of one is none. */
export function rowOf({ kind, date }: Problem): string {
  const days = kind === "turn" && date === today() ? streak(date) : 0;
  return days > 1 ? t("problem_streak", { count: days }) : "";
}

/** "Dalapapa 16 Nov ●●●○○ ✓ found at the first try, 4 days in a row". */
export function resultText(problem: Problem, result: ProblemResult): string {
  const { kind, grade, date } = problem;
  const frame = kind === "frame" && date ? t("problem_frame_of_the_day") : "";
  const name = date ? dayInWords(date, "short") : problemName(problem);
  const stars = `${"●".repeat(grade)}${"○".repeat(5 - grade)} ✓`;
  const outcome = [outcomeOf(kind, result), rowOf(problem)].filter(Boolean).join(", ");
  return ["Dalapapa", frame, name, stars, outcome].filter(Boolean).join(" ");
}
