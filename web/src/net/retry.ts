/** How anything is tried again: pauses that double up to a limit, with jitter. */
import { Refused } from "./backend.ts";

/** Milliseconds. Tests make time run faster. */
export const RETRY_MS = {
  first: 500,
  longest: 8_000,
  /** After so long without an answer, none will come. */
  timeout: 10_000,
};

/** The pauses between attempts. Jitter keeps browsers from coming back at the same moment. */
export class Backoff {
  #pause: number;

  constructor(
    private readonly first = RETRY_MS.first,
    private readonly longest = RETRY_MS.longest,
  ) {
    this.#pause = first;
  }

  /** Milliseconds until the next attempt. */
  next(): number {
    const pause = this.#pause;
    this.#pause = Math.min(this.longest, 2 * pause);
    return addJitter(pause);
  }

  reset(): void {
    this.#pause = this.first;
  }
}

export const addJitter = (milliseconds: number): number => milliseconds * (0.5 + Math.random());

/** Refusals that say nothing of the request: sent again a little later, it may well be answered. */
const TEMPORARY: readonly string[] = ["offline", "too_fast", "busy", "too_many"];

export function isTemporary(error: unknown): boolean {
  return error instanceof Refused && (TEMPORARY.includes(error.code) || error.status >= 500);
}

export interface RetryOptions {
  /** Ends it: the promise rejects with the reason. */
  stop: AbortSignal;
  /** Whether an attempt that failed like this is worth another one. */
  isTemporary?(error: unknown): boolean;
  /** After each attempt that failed. */
  onFailure?(error: unknown): void;
  /** True from the second attempt on, false at the end. */
  onLate?(isLate: boolean): void;
  /** Milliseconds after which an attempt is aborted. */
  timeoutMs?: number;
  backoff?: Backoff;
}

/** The result of the first attempt that succeeds. What is refused for good is refused here, too. */
export async function retry<T>(attempt: (signal: AbortSignal) => Promise<T>, options: RetryOptions): Promise<T> {
  const { stop, onFailure, onLate, timeoutMs = RETRY_MS.timeout, backoff = new Backoff() } = options;
  const isWorthRetrying = options.isTemporary ?? isTemporary;
  try {
    for (;;) {
      const once = new AbortController();
      const end = () => once.abort();
      stop.addEventListener("abort", end);
      const timer = timeoutMs < Infinity ? setTimeout(end, timeoutMs) : undefined;
      try {
        return await attempt(once.signal);
      } catch (error) {
        stop.throwIfAborted();
        onFailure?.(error);
        if (!once.signal.aborted && !isWorthRetrying(error)) throw error;
      } finally {
        clearTimeout(timer);
        stop.removeEventListener("abort", end);
      }
      onLate?.(true);
      await sleep(backoff.next(), stop);
    }
  } finally {
    onLate?.(false);
  }
}

/** Rejects when it is stopped. */
export function sleep(milliseconds: number, stop: AbortSignal): Promise<void> {
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
