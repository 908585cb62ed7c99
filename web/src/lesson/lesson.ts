/** The lesson without a screen: which step, what has been laid, whether it was what was asked for. */
import { batch, computed, signal } from "@preact/signals";
import { SET_120 } from "../data.ts";
import { type Laying, parseLaying, parsePosition, printLaying } from "../geometry.ts";
import { api, type Scored } from "../net/api.ts";
import { Guarded } from "../state/guarded.ts";
import type { Candidate } from "../state/placement.ts";
import { Placer } from "../state/placer.ts";
import type { Keyed } from "../tables/keys.ts";
import { CHARGE } from "../state/points.ts";
import { type LessonStep, LESSON_STEPS } from "./steps.ts";
import { NO_PLACEMENT, type Placement } from "../state/placement.ts";

export class Lesson extends Guarded implements Keyed {
  readonly #placement = signal<Placement>({ ...NO_PLACEMENT, set: SET_120 });
  readonly placer = new Placer(this.#placement);
  /** The number of the step; `STEPS.length` when all is done. */
  readonly number = signal(0);
  readonly laid = signal<Scored[]>([]);
  readonly done = signal(false);
  /** The mistake of this step has been taken back. */
  readonly corrected = signal(false);
  #legal: Record<string, Scored[]> = {};
  /** The newest question for legal layings; it ends when the answer is shown. */
  #refreshing: Promise<void> = Promise.resolve();

  readonly step = computed<LessonStep | null>(() => LESSON_STEPS[this.number.value] ?? null);
  readonly staged = computed<Laying[]>(() => this.laid.value.map(({ laying }) => parseLaying(laying)));
  readonly layings = computed<Laying[]>(() => [
    ...parsePosition(this.step.value?.position ?? ""),
    ...this.staged.value,
  ]);
  readonly view = computed(() => ({ can_undo: this.laid.value.length > 0 && !this.done.value }));
  /** Something lies there that is not what was asked for. */
  readonly poor = computed(() => {
    const step = this.step.value;
    return !!step && this.laid.value.length === step.hand.length && !step.enough(this.laid.value);
  });
  /** The points of the turn, less the charge. */
  readonly points = computed(() => {
    const laid = this.laid.value;
    return laid.reduce((sum, { points }) => sum + points, 0) - (laid.length > 1 ? CHARGE : 0);
  });

  constructor() {
    super();
    this.begin(0);
  }

  begin(number: number): void {
    batch(() => {
      this.placer.drop();
      this.number.value = number;
      this.done.value = this.corrected.value = false;
      const mistake = this.step.value?.mistake;
      this.laid.value = mistake ? [mistake] : [];
    });
    void this.refresh();
  }

  /** Ask what may be laid now. */
  refresh(): Promise<void> {
    return (this.#refreshing = this.#askLegal());
  }

  async #askLegal(): Promise<void> {
    const stop = this.newest();
    const step = this.step.value;
    const used = new Set(this.staged.value.map(({ tile }) => tile));
    const hand = step && !this.done.value ? step.hand.filter((tile) => !used.has(tile)) : [];
    const layings = this.layings.value;
    this.#legal = {};
    const charge = this.laid.value.length ? CHARGE : 0;
    if (!step || !hand.length) {
      this.#place([], layings, charge, []);
      return;
    }
    await this.guarded(async () => {
      const legal = await api.legal(layings.map(printLaying).join(" "), hand, "120", stop);
      if (stop.aborted) return;
      this.#legal = legal;
      const candidate = (scored: Scored): Candidate => ({
        laying: parseLaying(scored.laying),
        ...(step.showsPoints && { scored }),
      });
      this.#place(
        hand,
        layings,
        charge,
        Object.entries(legal).map(([tile, all]) => [tile, all.map(candidate)]),
      );
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
    const step = this.step.value;
    const scored = Object.values(this.#legal)
      .flat()
      .find((one) => one.laying === printLaying(laying));
    if (!step || !scored || this.done.value) return;
    batch(() => {
      this.placer.drop();
      this.laid.value = [...this.laid.value, scored];
      if (!step.ends && step.enough(this.laid.value)) this.done.value = true;
    });
    void this.refresh();
  }

  may(kind: string): boolean {
    const step = this.step.value;
    return kind === "end" && !!step?.ends && !this.done.value && step.enough(this.laid.value);
  }

  async move({ move }: { move: string }): Promise<boolean> {
    if (move === "undo" && this.view.value.can_undo) {
      this.laid.value = this.laid.value.slice(0, -1);
      this.corrected.value = true;
    } else if (move === "end" && this.may("end")) this.done.value = true;
    else return false;
    await this.refresh();
    return true;
  }

  /** Show a laying that helps: one that is enough, or the best. Waits until the layings of this position are known. */
  async hint(): Promise<void> {
    const step = this.step.value;
    let awaited: Promise<void>;
    do {
      awaited = this.#refreshing;
      await awaited;
    } while (awaited !== this.#refreshing);
    if (step !== this.step.value) return;
    const all = Object.values(this.#legal)
      .flat()
      .sort((a, b) => b.points - a.points);
    const best = all.find((one) => step?.enough([...this.laid.value, one])) ?? all[0];
    if (best) this.placer.show(parseLaying(best.laying));
  }
}
