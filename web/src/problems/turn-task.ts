/** A turn to be found, without a screen: what has been laid, what it was worth, what has been shown. */
import { batch, computed, signal } from "@preact/signals";
import { SET_120 } from "../data.ts";
import { type Laying, parseLaying, printLaying, sameLaying } from "../geometry.ts";
import { api } from "../net/api.ts";
import { type Problem, problems, type Solved, type Verdict, type ProblemRequest } from "../net/problems.ts";
import { Guarded } from "../state/guarded.ts";
import { Placer, rankCandidates } from "../state/placer.ts";
import type { Keyed } from "../tables/keys.ts";
import { CHARGE } from "../state/points.ts";
import { keepResult, recallResult } from "./days.ts";
import { countMe } from "./found.ts";
import { type Candidate, NO_PLACEMENT, type Placement } from "../state/placement.ts";
import { itemAt } from "../values.ts";

/** Hints: how many dominoes and points, which one first, where. */
export const MAX_HINTS = 3;

export class TurnTask extends Guarded implements Keyed {
  readonly #placement = signal<Placement>({ ...NO_PLACEMENT, set: SET_120 });
  readonly placer = new Placer(this.#placement);
  readonly laid = signal<Laying[]>([]);
  /** The worth of the turn on the table, once the player asked for it. */
  readonly verdict = signal<Verdict | null>(null);
  readonly tries = signal(0);
  readonly hints = signal(0);
  readonly solution = signal<Solved | null>(null);
  /** The laying that the last hint was about. */
  readonly advised = signal<Laying | null>(null);
  /** It was found, or shown. */
  readonly end = signal<"solved" | "shown" | null>(null);
  /** The solution was shown on an earlier visit: it cannot be found any more. */
  readonly seen: boolean;
  #judging = false;

  readonly layings = computed<Laying[]>(() => [...this.problem.position.map(parseLaying), ...this.laid.value]);
  readonly view = computed(() => ({ can_undo: this.laid.value.length > 0 && !this.end.value }));
  readonly #request: ProblemRequest;

  constructor(readonly problem: Problem) {
    super();
    const { kind, grade, seed } = problem;
    this.#request = { kind, grade, seed };
    const before = recallResult(kind, grade, seed);
    this.seen = !!before?.shown;
    if (before && !before.solved) [this.tries.value, this.hints.value] = [before.tries, before.hints];
    void this.refresh();
  }

  /** Ask what may be laid now. What it would earn is for the player to see. */
  async refresh(): Promise<void> {
    const stop = this.newest();
    const used = new Set(this.laid.value.map(({ tile }) => tile));
    const hand = this.end.value ? [] : this.problem.tiles.filter((tile) => !used.has(tile));
    const layings = this.layings.value;
    const charge = this.laid.value.length ? CHARGE : 0;
    if (!hand.length) {
      this.#place([], layings, charge, []);
      return;
    }
    await this.guarded(async () => {
      const legal = await api.legal(layings.map(printLaying).join(" "), hand, "120", stop);
      if (stop.aborted) return;
      // The server sends the best first: the keys must not lead there.
      const candidates = Object.entries(legal).map(
        ([tile, all]) => [tile, rankCandidates(all.map(({ laying }) => ({ laying: parseLaying(laying) })))] as const,
      );
      this.#place(hand, layings, charge, candidates);
    }, stop);
  }

  #place(
    hand: string[],
    layings: Laying[],
    charge: number,
    candidates: Iterable<readonly [string, Candidate[]]>,
  ): void {
    this.#placement.value = { ...NO_PLACEMENT, set: SET_120, hand, layings, charge, candidates: new Map(candidates) };
  }

  lay(laying: Laying): void {
    if (this.end.value) return;
    this.#put([...this.laid.value, laying]);
  }

  /** Take everything back and look again. */
  again(): void {
    this.#put([]);
  }

  #put(laid: Laying[]): void {
    batch(() => {
      this.placer.drop();
      this.verdict.value = null;
      this.advised.value = null;
      this.laid.value = laid;
    });
    void this.refresh();
  }

  may(kind: string): boolean {
    return kind === "end" && this.laid.value.length > 0 && !this.verdict.value && !this.end.value && !this.#judging;
  }

  async move({ move }: { move: string }): Promise<boolean> {
    if (move === "undo" && this.view.value.can_undo) this.#put(this.laid.value.slice(0, -1));
    else if (move === "end" && this.may("end")) await this.#judge();
    else return false;
    return true;
  }

  /** "This is my turn": ask what it is worth. */
  async #judge(): Promise<void> {
    const laid = this.laid.value;
    this.#judging = true;
    await this.guarded(
      async () => {
        const verdict = await problems.check(this.#request, laid.map(printLaying));
        if (this.laid.value !== laid) return;
        batch(() => {
          this.placer.drop();
          this.verdict.value = verdict;
          this.tries.value++;
          if (verdict.solved) this.end.value = "solved";
        });
        this.#keep();
        if (verdict.solved) {
          if (!this.seen) countMe(this.problem, laid.map(printLaying));
          void this.refresh();
        }
      },
      undefined,
      () => this.laid.value === laid && !this.end.value,
    );
    this.#judging = false;
  }

  /** One step further: how much, with which domino, where. */
  async hint(): Promise<void> {
    const solution = await this.#known();
    if (!solution || this.end.value) return;
    const right = solution.solution.map(parseLaying);
    const count = this.laid.value.length;
    const onTheWay =
      count < right.length && this.laid.value.every((one, i) => printLaying(one) === solution.solution[i]);
    this.hints.value = Math.min(MAX_HINTS, this.hints.value + 1);
    this.#keep();
    if (this.hints.value === 1) return;
    if (!onTheWay && count) {
      batch(() => {
        this.verdict.value = null;
        this.laid.value = [];
      });
      await this.refresh();
    }
    const next = itemAt(right, onTheWay ? count : 0);
    this.advised.value = next;
    if (this.hints.value < MAX_HINTS) {
      this.placer.drop();
      this.placer.take(next.tile, next.side);
    } else this.placer.show(next);
  }

  /** Lay the best turn, and show what it is worth. */
  async show(): Promise<void> {
    const solution = await this.#known();
    if (!solution) return;
    await this.guarded(async () => {
      const verdict = await problems.check(this.#request, solution.solution);
      batch(() => {
        this.placer.drop();
        this.end.value = "shown";
        this.laid.value = solution.solution.map(parseLaying);
        this.verdict.value = verdict;
      });
      this.#keep();
      await this.refresh();
    });
  }

  /** The subject of the last hint, while the player looks at it. */
  hinted(): "domino" | "place" | null {
    const [{ tile, side, ghost }, advised] = [this.placer, this.advised.value];
    if (!advised || tile.value !== advised.tile || side.value !== advised.side) return null;
    if (this.hints.value < MAX_HINTS) return "domino";
    return ghost.value && sameLaying(ghost.value.laying, advised) ? "place" : null;
  }

  async #known(): Promise<Solved | null> {
    if (!this.solution.value)
      await this.guarded(async () => void (this.solution.value = await problems.solution(this.#request)));
    return this.solution.value;
  }

  #keep(): void {
    const { kind, grade, seed } = this.problem;
    const end = this.end.value;
    keepResult(kind, grade, seed, {
      tries: this.tries.value,
      hints: this.hints.value,
      solved: end === "solved",
      ...(end === "shown" && { shown: true }),
    });
  }
}
