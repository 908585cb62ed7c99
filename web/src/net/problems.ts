/** Problems over HTTP: which one, what is asked, how good an attempt was (docs/problems.md). */
import { ask, type Scored } from "./api.ts";

export type Kind = "turn" | "frame";

/** What a problem follows from: the date of its day, or a seed; without a grade, a date has its own. */
export interface ProblemRequest {
  kind: Kind;
  date?: string;
  seed?: string;
  grade?: number;
}

export interface Problem {
  kind: Kind;
  grade: number;
  seed: string;
  date: string | null;
  position: string[];
  /** Columns and rows, of frames only. */
  frame: [number, number] | null;
  /** In hand; or those that fill the frame, with those that lie there. */
  tiles: string[];
}

/** On request only. */
export interface Solved extends Problem {
  solution: string[];
  /** Of the best turn. */
  points?: number;
}

/** How good an attempt was; all but `solved` belongs to turns only. */
export interface Verdict {
  solved: boolean;
  parts?: Scored[];
  charge?: number;
  points?: number;
  /** What the best turn brings beyond that. */
  more?: number;
  /** The best turn, but for the order of its layings. */
  other_order?: boolean;
}

/** What a player has found, and a mark that this browser has made up for it alone. */
export interface FoundProblem {
  kind: Kind;
  date: string;
  layings: string[];
  mark: string;
}

export function query(request: ProblemRequest, more: Record<string, string> = {}): string {
  const wanted = Object.entries({ ...request, ...more }).filter(
    ([name, value]) => value !== undefined && !(name === "kind" && value === "turn"),
  );
  return new URLSearchParams(wanted.map(([name, value]) => [name, String(value)])).toString();
}

export const problems = {
  fetch: (request: ProblemRequest, signal?: AbortSignal) => ask<Problem>(`/problem?${query(request)}`, { signal }),
  solution: (request: ProblemRequest) => ask<Solved>(`/problem?${query(request, { solution: "true" })}`),
  /** How many have found the problem of a day. */
  foundBy: (kind: Kind, date: string) => ask<{ count: number }>(`/problem/found?${query({ kind, date })}`),
  /** The same, and be one of them. */
  countMe: (found: FoundProblem) => ask<{ count: number }>("/problem/found", { body: found }),
  check: (request: ProblemRequest, layings: string[]) =>
    ask<Verdict>("/problem/check", { body: { ...request, layings } }),
};
