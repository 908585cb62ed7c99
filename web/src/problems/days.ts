/**
 * Days and their problems: dates as text, links, and what was solved or begun, kept in this browser only.
 *
 * Today is what the calendar on the player's own wall says. All else is counted in UTC, where every day has a
 * midnight and no day was ever left out.
 */
import { PROBLEMS } from "../data.ts";
import { dateFormat } from "../i18n.ts";
import { type Kind, query, type ProblemRequest } from "../net/problems.ts";
import { recall, remember } from "../state/storage.ts";
import { itemAt, requireValue } from "../values.ts";

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
const DAY_MS = 86_400_000;

const isoDay = (day: Date): string => day.toISOString().slice(0, 10);

export function today(): string {
  const now = new Date();
  return isoDay(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())));
}

/** The midnight with which a day begins; null if there is no such day. */
export function dayOf(date: string): Date | null {
  const found = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00Z`) : null;
  return found && !Number.isNaN(found.getTime()) && isoDay(found) === date ? found : null;
}

/** The midnight with which a day begins, of a date that is known to be one. */
export const midnightOf = (date: string): Date => requireValue(dayOf(date), `a day ${date}`);

/** Whether a day is still to come. */
export const isFuture = (date: string): boolean => dayOf(date) !== null && date > today();

/** Add days to a date; a negative number gives an earlier one. */
export const addDays = (date: string, days: number): string =>
  isoDay(new Date(midnightOf(date).getTime() + days * DAY_MS));

/** 0 for Monday. */
export const weekday = (date: string): number => (midnightOf(date).getUTCDay() + 6) % 7;

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
