/** Times that run: what they look like, and a look at the clock every so often. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatNumber } from "../i18n.ts";

const DAY_MS = 86_400_000;

/** 1:05, tenths below ten seconds, and only days where there are several. */
export function clock(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left >= 2 * DAY_MS)
    return formatNumber(Math.round(left / DAY_MS), { style: "unit", unit: "day", unitDisplay: "long" });
  const seconds = Math.floor(left / 1000);
  if (left < 10_000) return `0:0${seconds}.${Math.floor((left % 1000) / 100)}`;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (n: number) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** This browser's time, updated every so many milliseconds. */
export function useNow(every: number): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now.value;
}
