/** Questions that are asked until there is an answer: with pauses that grow, and some chance in them. */
import { Refused } from "./api.ts";

/** Milliseconds. Tests make time run faster. */
export const PAUSES = {
  first: 500,
  longest: 8_000,
  /** After so long without an answer, none will come. */
  patience: 10_000,
};

/** Refusals that say nothing of the question: asked again a little later, it may well be answered. */
const PASSING: readonly string[] = ["offline", "too_fast", "busy", "too_many"];

export function passes(error: unknown): boolean {
  return error instanceof Refused && (PASSING.includes(error.code) || error.status >= 500);
}

/** A pause with some chance in it, so that not all come back at the same moment. */
export const about = (milliseconds: number): number => milliseconds * (0.5 + Math.random());

/**
 * The answer to a question, however often it has to be asked; `late` is told from the second time on, and at
 * the end. What is refused for good is refused here, too. Rejects when `stop` is aborted.
 */
export async function again<T>(
  question: (signal: AbortSignal) => Promise<T>,
  stop: AbortSignal,
  late: (is: boolean) => void,
): Promise<T> {
  let pause = PAUSES.first;
  try {
    for (;;) {
      const once = new AbortController();
      const end = () => once.abort();
      stop.addEventListener("abort", end);
      const timer = setTimeout(end, PAUSES.patience);
      try {
        return await question(once.signal);
      } catch (error) {
        stop.throwIfAborted();
        if (!once.signal.aborted && !passes(error)) throw error;
      } finally {
        clearTimeout(timer);
        stop.removeEventListener("abort", end);
      }
      late(true);
      await rest(about(pause), stop);
      pause = Math.min(PAUSES.longest, 2 * pause);
    }
  } finally {
    late(false);
  }
}

function rest(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(stop.reason);
    };
    const timer = setTimeout(() => {
      stop.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    stop.addEventListener("abort", end, { once: true });
  });
}
