/** Days and their problems: dates as text, links, and what was solved, kept in this browser only. */
import { PROBLEMS } from "../data.ts";
import { language } from "../i18n.ts";
import { type Kind, query, type Wish } from "../net/problems.ts";
import { recall, remember } from "../state/storage.ts";

/** How somebody got on with a problem. */
export interface Result {
  tries: number;
  hints: number;
  solved: boolean;
}

const MOST_RESULTS = 800;

/** A day as the calendar on the wall has it: 2026-11-15. */
export function isoDay(day: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${String(day.getFullYear()).padStart(4, "0")}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

export const today = (): string => isoDay(new Date());

/** The morning of a day; null if there is no such day. */
export function dayOf(date: string): Date | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const found = year ? new Date(Number(year), Number(month) - 1, Number(day)) : null;
  return found && isoDay(found) === date ? found : null;
}

/** So many days later, or earlier. */
export function later(date: string, days: number): string {
  const day = dayOf(date)!;
  return isoDay(new Date(day.getFullYear(), day.getMonth(), day.getDate() + days));
}

/** 0 for Monday. */
export const weekday = (date: string): number => (dayOf(date)!.getDay() + 6) % 7;

/** How hard the problem of a day is. */
export const gradeOf = (date: string): number => PROBLEMS.week[weekday(date)]!;

export function dayInWords(date: string, style: "long" | "full" = "long"): string {
  const day = dayOf(date);
  return day ? new Intl.DateTimeFormat(language.value, { dateStyle: style }).format(day) : date;
}

/** Where a problem is played. */
export const linkTo = (wish: Wish): string => `/problem?${query(wish)}`;

/** The problem that an address asks for: that of today, if it does not say. */
export function readWish(search: string): Wish {
  const { kind, date, seed, grade } = Object.fromEntries(new URLSearchParams(search));
  const wish: Wish = { kind: kind === "frame" ? "frame" : "turn" };
  if (seed && !date) wish.seed = seed;
  else wish.date = date ?? today();
  if (grade && /^\d$/.test(grade)) wish.grade = Number(grade);
  return wish;
}

/** Another one for practice. */
export function newSeed(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const keyOf = (kind: Kind, grade: number, seed: string) => `${kind} ${grade} ${seed}`;
const results = () => recall<Record<string, Result>>("problems", {});

export function resultOf(kind: Kind, grade: number, seed: string): Result | null {
  return results()[keyOf(kind, grade, seed)] ?? null;
}

/** Remember how it went; what was solved once stays as it was then. */
export function keepResult(kind: Kind, grade: number, seed: string, result: Result): void {
  const all = results();
  const name = keyOf(kind, grade, seed);
  if (all[name]?.solved) return;
  delete all[name]; // The latest are the last.
  all[name] = result;
  remember("problems", Object.fromEntries(Object.entries(all).slice(-MOST_RESULTS)));
}

export const solvedDay = (date: string, kind: Kind = "turn"): boolean => !!resultOf(kind, gradeOf(date), date)?.solved;

/** Days in a row whose turn was found, up to today, or to yesterday while today is still to do. */
export function streak(now = today()): number {
  let day = solvedDay(now) ? now : later(now, -1);
  let count = 0;
  for (; solvedDay(day); day = later(day, -1)) count++;
  return count;
}
