/**
 * The problems of today and of the week ahead, with their solutions, for times without a server. Kept in this browser.
 */
import { PROBLEMS } from "../data.ts";
import { retry } from "../net/retry.ts";
import { type Problem, problems, type Solved, type ProblemRequest } from "../net/problems.ts";
import type { FrameQuestion } from "../net/study.ts";
import { addDays, today } from "../problems/dates.ts";
import { recall, remember } from "../state/storage.ts";

const DAYS = 8;
/** Milliseconds between two questions: players on this server come first. */
export const PAUSE = { between: 500 };

interface Week {
  /** With another version of the problems, a day has another one. */
  version: number;
  problems: Solved[];
}

function readKept(): Solved[] {
  const { version, problems: all } = recall<Week>("week", { version: 0, problems: [] });
  return version === PROBLEMS.version ? all : [];
}

/** A problem that is kept; with its solution only if that is asked for. */
export function problemOf({ kind, date, seed, grade }: ProblemRequest): Solved | null {
  return (
    readKept().find((one) => one.kind === kind && one.seed === (date ?? seed) && (grade ?? one.grade) === one.grade)
    ?? null
  );
}

/** The solution of the frame that these dominoes fill, if it can still come out so. */
export function solutionOf({ tiles, position }: Pick<FrameQuestion, "tiles" | "position">): string[] | null {
  const [wanted, laid] = [[...tiles].sort().join(), position.split(" ").filter(Boolean)];
  const known = readKept().find((one) => one.kind === "frame" && [...one.tiles].sort().join() === wanted);
  return known && laid.every((one) => known.solution.includes(one)) ? known.solution : null;
}

export function withoutSolution({ solution: _, points: __, ...problem }: Solved): Problem {
  return problem;
}

/** Fetch what is missing, day by day, and forget the days that are over. */
export async function keepWeek(stop: AbortSignal): Promise<void> {
  const now = today();
  for (let day = 0; day < DAYS; day++) {
    for (const kind of ["turn", "frame"] as const) {
      const date = addDays(now, day);
      if (problemOf({ kind, date })) continue;
      const found = await retry(() => problems.solution({ kind, date }), { stop });
      const others = readKept().filter(
        (one) => one.seed >= addDays(now, -1) && !(one.kind === kind && one.seed === date),
      );
      if (!remember("week", { version: PROBLEMS.version, problems: [...others, found] })) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE.between));
    }
  }
}
