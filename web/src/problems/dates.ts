/**
 * Dates as text. Today is what the calendar on the player's own wall says. All else is counted in UTC, where every day
 * has a midnight and no day was ever left out.
 */
import { requireValue } from "../values.ts";

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
