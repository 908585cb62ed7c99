/** How many have found the problem of a day, as the server counts them (docs/problems.md). */
import { signal } from "@preact/signals";
import { isTemporary } from "../net/retry.ts";
import { type Kind, type Problem, problems } from "../net/problems.ts";
import { newToken, recall, remember } from "../state/storage.ts";
import { gradeOf, addDays, today } from "./days.ts";

/** The counts that the server sent, by kind and date. */
export const foundCounts = signal<Record<string, number>>({});

export const counterName = (kind: Kind, date: string) => `${kind} ${date}`;

/** Learn how many there are. The page is complete without it, so errors are not shown. */
async function learn(name: string, asked: Promise<{ count: number }>): Promise<void> {
  const answer = await asked.catch(() => null);
  // Numbers only grow: of two answers, the later one may be the older.
  if (answer)
    foundCounts.value = { ...foundCounts.value, [name]: Math.max(answer.count, foundCounts.value[name] ?? 0) };
}

/** Made up for one problem of one day: it says nothing about this browser elsewhere. The latest few are remembered. */
function markFor(name: string): string {
  const marks = recall<Record<string, string>>("marks", {});
  const mark = marks[name] ?? newToken();
  remember("marks", Object.fromEntries(Object.entries({ ...marks, [name]: mark }).slice(-4)));
  return mark;
}

/** Be counted for the problem of the day; one that was begun before midnight may be found after it. */
export function countMe({ kind, grade, date }: Problem, layings: string[]): void {
  if (!date || grade !== gradeOf(date) || date < addDays(today(), -1)) return;
  const name = counterName(kind, date);
  const found = { kind, date, layings, mark: markFor(name) };
  void learn(
    name,
    problems.countMe(found).catch(async (error: unknown) => {
      // It is sent again when the server is back, or has time.
      if (isTemporary(error)) (await import("../alone/finds.ts")).wait(found);
      throw error;
    }),
  );
}

/** Ask for a count that is not known yet. */
export function fetchFoundCount(kind: Kind, date: string): void {
  const name = counterName(kind, date);
  if (foundCounts.peek()[name] === undefined) void learn(name, problems.foundBy(kind, date));
}
