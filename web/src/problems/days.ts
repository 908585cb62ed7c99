/** Days and their problems: in words, links, and what was solved or begun, kept in this browser only. */
import { PROBLEMS } from "../data.ts";
import { dateFormat } from "../i18n.ts";
import { type Kind, query, type ProblemRequest } from "../net/problems.ts";
import { recall, remember } from "../state/storage.ts";
import { itemAt } from "../values.ts";
import { addDays, dayOf, today, weekday } from "./dates.ts";

export { addDays, dayOf, isFuture, midnightOf, today, weekday } from "./dates.ts";

/** How a player did at a problem. */
export interface ProblemResult {
  tries: number;
  hints: number;
  solved: boolean;
  /** The solution was shown first: nothing is left to be found. */
  shown?: boolean;
}

/** A frame that is not full yet. */
export interface BegunFrame {
  /** Layings as text. */
  laid: string[];
  hints: number;
}

const MAX_RESULTS = 800;
const MAX_BEGUN_FRAMES = 50;
/** The grade of the problem of a day. */
export const gradeOf = (date: string): number => itemAt(PROBLEMS.week, weekday(date));

/** A date with its year; "full" adds the weekday, "short" leaves out both. */
export function dayInWords(date: string, style: "short" | "long" | "full" = "long"): string {
  const day = dayOf(date);
  const parts = style === "short" ? ({ day: "numeric", month: "short" } as const) : { dateStyle: style };
  return day ? dateFormat({ ...parts, timeZone: "UTC" }).format(day) : date;
}

/** The address of a problem. */
export const problemLink = (request: ProblemRequest): string => `/problem?${query(request)}`;

/** The problem that an address asks for: that of today, if it does not say. */
export function readRequest(search: string): ProblemRequest {
  const { kind, date, seed, grade } = Object.fromEntries(new URLSearchParams(search));
  const request: ProblemRequest = { kind: kind === "frame" ? "frame" : "turn" };
  if (seed && !date) request.seed = seed;
  else request.date = date ?? today();
  if (grade && /^\d$/.test(grade)) request.grade = Number(grade);
  return request;
}

/** Another one for practice. */
export function newSeed(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The key of a stored result. It contains the version, because another version has other problems. */
const keyOf = (kind: Kind, grade: number, seed: string) => `${PROBLEMS.version} ${kind} ${grade} ${seed}`;
const results = () => recall<Record<string, ProblemResult>>("problems", {});

export function recallResult(kind: Kind, grade: number, seed: string): ProblemResult | null {
  return results()[keyOf(kind, grade, seed)] ?? null;
}

/** Remember how it went; what was solved or shown once stays as it was then. */
export function keepResult(kind: Kind, grade: number, seed: string, result: ProblemResult): void {
  const before = recallResult(kind, grade, seed);
  if (!before?.solved && !before?.shown) keep("problems", keyOf(kind, grade, seed), result, MAX_RESULTS);
}

/** A frame that was begun on an earlier visit. */
export function recallBegunFrame(grade: number, seed: string): BegunFrame | null {
  return recall<Record<string, BegunFrame>>("frames", {})[keyOf("frame", grade, seed)] ?? null;
}

/** Remember a frame that was begun; null forgets it. */
export function keepBegunFrame(grade: number, seed: string, begun: BegunFrame | null): void {
  keep("frames", keyOf("frame", grade, seed), begun, MAX_BEGUN_FRAMES);
}

function keep(store: string, name: string, value: ProblemResult | BegunFrame | null, most: number): void {
  const all = recall<Record<string, unknown>>(store, {});
  delete all[name]; // The latest are the last.
  if (value) all[name] = value;
  remember(store, Object.fromEntries(Object.entries(all).slice(-most)));
}

export const isDaySolved = (date: string, kind: Kind = "turn"): boolean =>
  !!recallResult(kind, gradeOf(date), date)?.solved;

/** Everything that is known of the problems of this version. */
export function listResults(): { kind: Kind; grade: number; seed: string; result: ProblemResult }[] {
  return Object.entries(results()).flatMap(([name, result]) => {
    const [version, kind, grade, ...seed] = name.split(" ");
    return version === String(PROBLEMS.version)
      ? [{ kind: kind as Kind, grade: Number(grade), seed: seed.join(" "), result }]
      : [];
  });
}

/** Days in a row whose turn was found, up to today, or to yesterday while today is still to do. */
export function streak(now = today()): number {
  let day = isDaySolved(now) ? now : addDays(now, -1);
  let count = 0;
  for (; isDaySolved(day); day = addDays(day, -1)) count++;
  return count;
}
