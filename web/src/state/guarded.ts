/** Whatever asks the server and keeps, for its page, why it was refused. */
import { signal } from "@preact/signals";
import { about, PAUSES } from "../net/again.ts";
import { Refused } from "../net/api.ts";

export class Guarded {
  /** Why the last question was refused. */
  readonly trouble = signal<Refused | null>(null);
  private latest = new AbortController();
  private closed = false;
  /** Counts the questions without a signal of their own: a later one takes the place of one that is asked again. */
  private asked = 0;

  /** A question that takes the place of the one before it. */
  protected newest(): AbortSignal {
    this.latest.abort();
    return (this.latest = new AbortController()).signal;
  }

  /**
   * Ask; what is not wanted any more brings no trouble. A server that cannot be reached is asked again, with pauses
   * that grow, as long as the answer is `wanted`.
   */
  protected async guarded(
    act: () => Promise<void>,
    stop?: AbortSignal,
    wanted: () => boolean = () => true,
  ): Promise<void> {
    const number = stop ? this.asked : ++this.asked;
    for (let pause = PAUSES.first; ; pause = Math.min(PAUSES.longest, 2 * pause)) {
      try {
        await act();
        if (!stop?.aborted) this.trouble.value = null;
        return;
      } catch (error) {
        if (stop?.aborted) return;
        if (!(error instanceof Refused)) throw error;
        this.trouble.value = error;
        if (error.code !== "offline") return;
      }
      await new Promise((resolve) => setTimeout(resolve, about(pause)));
      if (this.closed || stop?.aborted || (!stop && number !== this.asked) || !wanted()) return;
    }
  }

  close(): void {
    this.closed = true;
    this.latest.abort();
  }
}
