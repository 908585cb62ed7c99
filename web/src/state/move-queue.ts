/** The moves that are under way to the server: shown at once, and taken back if the server refuses them. */
import { batch, computed, signal } from "@preact/signals";
import type { Sent } from "../games/game.ts";
import { Refused } from "../net/backend.ts";
import type { Move } from "../net/open.ts";

export class MoveQueue {
  /** In their order: one, or several in a race. */
  readonly pending = signal<readonly Sent[]>([]);
  readonly isBusy = computed(() => this.pending.value.length > 0);

  /** `send` resolves with the version that a move has made, and `waitFor` when that version was received. */
  constructor(
    private readonly send: (move: Move) => Promise<number>,
    private readonly waitFor: (version: number) => Promise<void>,
  ) {}

  /** Resolves with why the move was refused, which `onSettled` also hears, at the moment when it is taken back. */
  async submit(sent: Sent, onSettled: (refusal: Refused | null) => void): Promise<Refused | null> {
    this.pending.value = [...this.pending.value, sent];
    let refusal: Refused | null = null;
    try {
      await this.waitFor(await this.send(sent.move));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusal = error;
    } finally {
      batch(() => {
        this.pending.value = this.pending.value.filter((one) => one !== sent);
        onSettled(refusal);
      });
    }
    return refusal;
  }
}
