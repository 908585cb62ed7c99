/** What the coach says about a game that is over, without a screen: asked for, awaited, and read. */
import { signal } from "@preact/signals";
import type { ReviewDocument, ReviewTurn } from "../net/study.ts";
import { Guarded } from "./guarded.ts";
import { itemAt } from "../values.ts";

/** A review on its way: the server takes seconds for it, and may be busy. */
export class Reviewing extends Guarded {
  readonly review = signal<Review | null>(null);
  readonly waiting = signal(false);

  constructor(private readonly ask: (language: string, signal: AbortSignal) => Promise<ReviewDocument>) {
    super();
  }

  /** Ask, in a language: sentences come from the server. What was read before stays until then. */
  async start(language: string): Promise<void> {
    const stopped = this.newest();
    this.waiting.value = true;
    this.trouble.value = null;
    await this.guarded(async () => {
      const answer = await this.ask(language, stopped);
      if (!stopped.aborted) this.review.value = new Review(answer);
    }, stopped);
    if (!stopped.aborted) this.waiting.value = false;
  }
}

export class Review {
  /** The biggest chances missed, the biggest first. */
  readonly missed: ReviewTurn[];

  constructor(readonly document: ReviewDocument) {
    this.missed = document.missed.flatMap((number) => document.turns[number - 1] ?? []);
  }

  get players(): number {
    return this.document.players.length;
  }

  /** For each player the chances in percent, at the positions of the curve. */
  curves(pick: "value" | "low" | "high" = "value"): number[][] {
    return Array.from({ length: this.players }, (_, seat) =>
      this.document.curve.map(({ chances }) => 100 * itemAt(chances, seat)[pick]),
    );
  }

  /** Whether anything of the curve was sampled. */
  get sampled(): boolean {
    return this.document.curve.some(({ chances }) => chances.some(({ exact }) => !exact));
  }

  get positions(): number[] {
    return this.document.curve.map(({ position }) => position);
  }

  /** The turn that begins at a position: the same one that a replay has there. */
  turnFrom(first: number): ReviewTurn | null {
    return this.document.turns.find((turn) => turn.first === first) ?? null;
  }

  /** Where a better turn is to be looked at: before the turn, in a race after the laying. */
  place(turn: ReviewTurn): number {
    return this.document.measure === "full" ? turn.first + 1 : turn.first;
  }
}
