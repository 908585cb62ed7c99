/** A sandglass for a real table: it runs by the clock of the device, also while the screen is off. */
import { signal } from "@preact/signals";
import { recall, remember } from "../../state/storage.ts";
import { isWithin } from "../numbers.ts";

export const MIN_GLASS_SECONDS = 5;
export const MAX_GLASS_SECONDS = 3600;
/** Lengths with a button of their own. */
export const GLASS_SECONDS = [30, 60, 120, 180] as const;

export interface Glass {
  /** Seconds of the whole time. */
  readonly seconds: number;
  /** When the sand has run out, in milliseconds since 1970; null while it does not run. */
  readonly endsAt: number | null;
  /** Milliseconds that are left while it does not run. */
  readonly left: number;
}

export const isGlassLength = (seconds: unknown): seconds is number =>
  isWithin(seconds, MIN_GLASS_SECONDS, MAX_GLASS_SECONDS);

export const fillGlass = (seconds: number): Glass => ({ seconds, endsAt: null, left: 1000 * seconds });

export const millisecondsLeft = ({ endsAt, left }: Glass, now: number): number =>
  endsAt === null ? left : Math.max(0, endsAt - now);

/** Let the sand run; an empty glass is turned over first. */
export function startGlass(glass: Glass, now: number): Glass {
  return { ...glass, endsAt: now + (millisecondsLeft(glass, now) || 1000 * glass.seconds) };
}

export const pauseGlass = (glass: Glass, now: number): Glass => ({
  ...glass,
  endsAt: null,
  left: millisecondsLeft(glass, now),
});

export function readGlass(stored: unknown): Glass {
  const { seconds, endsAt, left } = (stored ?? {}) as Partial<Record<keyof Glass, unknown>>;
  if (!isGlassLength(seconds)) return fillGlass(60);
  const full = 1000 * seconds;
  return {
    seconds,
    endsAt: typeof endsAt === "number" ? endsAt : null,
    left: typeof left === "number" && left >= 0 && left <= full ? left : full,
  };
}

const KEY = "glass";

export const glass = signal<Glass>(readGlass(recall<unknown>(KEY, null)));

export function keepGlass(changed: Glass): void {
  glass.value = changed;
  remember(KEY, changed);
}
