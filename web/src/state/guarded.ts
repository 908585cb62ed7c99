/** Whatever asks the server and keeps, for its page, why it was refused. */
import { signal } from "@preact/signals";
import { Refused } from "../net/api.ts";

export class Guarded {
  /** Why the last question was refused. */
  readonly trouble = signal<Refused | null>(null);
  private latest = new AbortController();

  /** A question that takes the place of the one before it. */
  protected newest(): AbortSignal {
    this.latest.abort();
    return (this.latest = new AbortController()).signal;
  }

  /** Ask; what is not wanted any more brings no trouble. */
  protected async guarded(act: () => Promise<void>, stop?: AbortSignal): Promise<void> {
    try {
      await act();
      if (!stop?.aborted) this.trouble.value = null;
    } catch (error) {
      if (stop?.aborted) return;
      if (!(error instanceof Refused)) throw error;
      this.trouble.value = error;
    }
  }

  close(): void {
    this.latest.abort();
  }
}
