/** The base of what asks the server and keeps, for its page, why it was refused. */
import { signal } from "@preact/signals";
import { Refused } from "../net/backend.ts";
import { retry } from "../net/retry.ts";

const isOfflineRefusal = (error: unknown): boolean => error instanceof Refused && error.code === "offline";

export class Guarded {
  /** Why the last question was refused. */
  readonly trouble = signal<Refused | null>(null);
  #latest = new AbortController();
  /** Of the latest question without a signal of its own: a later one ends its retries. */
  #retrying = new AbortController();
  #isClosed = false;

  /** A question that takes the place of the one before it. */
  protected newest(): AbortSignal {
    this.#latest.abort();
    return (this.#latest = new AbortController()).signal;
  }

  /**
   * Ask; a question that was stopped brings no trouble. A server that cannot be reached is asked again as long as the
   * answer is `wanted`.
   */
  protected async guarded(
    act: () => Promise<void>,
    stop?: AbortSignal,
    wanted: () => boolean = () => true,
  ): Promise<void> {
    if (!stop) {
      this.#retrying.abort();
      this.#retrying = new AbortController();
    }
    let attempts = 0;
    const attempt = async (): Promise<void> => {
      if (attempts++ > 0 && (this.#isClosed || !wanted())) return;
      try {
        await act();
        if (!stop?.aborted) this.trouble.value = null;
      } catch (error) {
        if (error instanceof Refused && !stop?.aborted) this.trouble.value = error;
        throw error;
      }
    };
    const ending = stop ?? this.#retrying.signal;
    try {
      await retry(attempt, { stop: ending, isTemporary: isOfflineRefusal, timeoutMs: Infinity });
    } catch (error) {
      if (!ending.aborted && !(error instanceof Refused)) throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#latest.abort();
    this.#retrying.abort();
  }
}
