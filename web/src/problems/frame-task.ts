/** A frame to be filled, without a screen: what lies there, what is in hand, whether it can still be done. */
import { batch, computed, effect, signal } from "@preact/signals";
import { SET_120 } from "../data.ts";
import { type Laying, parseLaying, printLaying, printPosition, type Side } from "../geometry.ts";
import { type Problem, problems, type ProblemRequest } from "../net/problems.ts";
import { study } from "../net/study.ts";
import { framePlaces, placeInFrame } from "../state/frames.ts";
import { Guarded } from "../state/guarded.ts";
import { Placer } from "../state/placer.ts";
import type { Keyed } from "../tables/keys.ts";
import { recallBegunFrame, keepBegunFrame, keepResult, recallResult } from "./days.ts";
import { countMe } from "./found.ts";
import { requireValue } from "../values.ts";

export class FrameTask extends Guarded implements Keyed {
  readonly placer: Placer;
  readonly set = SET_120;
  /** The layings of the problem, which stay. */
  readonly given: readonly Laying[];
  readonly frame: { width: number; height: number };
  /** All dominoes of the problem that the player lays, laid or not. */
  readonly stock: string[];
  readonly laid = signal<Laying[]>([]);
  /** The layings before each step. */
  readonly #past = signal<Laying[][]>([]);
  readonly held = signal<string | null>(null);
  readonly hints = signal(0);
  /** It was filled, or shown. */
  readonly end = signal<"solved" | "shown" | null>(null);
  /** The answer of the last hint. */
  readonly lastHint = signal<"possible" | "impossible" | "gave_up" | null>(null);
  /** The solution was shown on an earlier visit: it cannot be found any more. */
  readonly seen: boolean;

  readonly layings = computed<Laying[]>(() => [...this.given, ...this.laid.value]);
  readonly view = computed(() => ({ can_undo: this.#past.value.length > 0 && !this.end.value }));
  readonly gone = computed<ReadonlySet<string>>(() => new Set(this.laid.value.map(({ tile }) => tile)));
  readonly full = computed(() => this.laid.value.length === this.stock.length);
  readonly #request: ProblemRequest;
  readonly #stops: (() => void)[];

  constructor(readonly problem: Problem) {
    super();
    const { kind, grade, seed } = problem;
    this.#request = { kind, grade, seed };
    this.seen = !!recallResult(kind, grade, seed)?.shown;
    this.given = problem.position.map(parseLaying);
    const [width, height] = requireValue(problem.frame, "the frame");
    this.frame = { width, height };
    const fixed = new Set(this.given.map(({ tile }) => tile));
    this.stock = problem.tiles.filter((tile) => !fixed.has(tile));
    this.placer = new Placer(computed(() => placeInFrame(this.held.value, this.frame, this.layings.value, this.set)));
    this.#goOn();
    const keep = effect(() => {
      const [laid, hints] = [this.laid.value.map(printLaying), this.hints.value];
      keepBegunFrame(grade, seed, !this.end.value && (laid.length || hints) ? { laid, hints } : null);
    });
    this.#stops = [keep];
    if (this.full.value) void this.#check();
  }

  /** Lay what lay there when the page was closed, as far as it fits. */
  #goOn(): void {
    const { laid, hints } = recallBegunFrame(this.problem.grade, this.problem.seed) ?? { laid: [], hints: 0 };
    this.hints.value = hints;
    for (const text of laid) {
      const tile = this.stock.find((one) => text.startsWith(one) && !this.gone.value.has(one));
      const places = tile ? framePlaces(tile, this.frame, this.layings.value, this.set, ["+", "-"]) : [];
      const place = places.find(({ laying }) => printLaying(laying) === text);
      if (place) this.#put([...this.laid.value, place.laying]);
    }
  }

  #put(laid: Laying[]): void {
    this.#past.value = [...this.#past.value, this.laid.value];
    this.laid.value = laid;
  }

  /** Forget messages that are no longer true. */
  #hush(): void {
    this.lastHint.value = null;
    this.trouble.value = null;
  }

  /** Take a domino in hand, and say whether it is there. */
  take(tile: string, side: Side): boolean {
    if (this.end.value || this.gone.value.has(tile)) return false;
    batch(() => {
      this.#hush();
      this.placer.drop();
      this.held.value = tile;
    });
    this.placer.take(tile, side);
    return true;
  }

  putBack(): void {
    this.placer.drop();
    this.held.value = null;
  }

  lay(laying: Laying): void {
    if (this.end.value || this.gone.value.has(laying.tile)) return;
    batch(() => {
      this.#hush();
      this.placer.drop();
      this.held.value = null;
      this.#put([...this.laid.value, laying]);
    });
    if (this.full.value) void this.#check();
  }

  /** Take a domino out and in hand; those that were given stay. */
  takeOut(laying: Laying): void {
    if (this.end.value || !this.laid.value.includes(laying)) return;
    this.#put(this.laid.value.filter((one) => one !== laying));
    this.take(laying.tile, laying.side);
  }

  clear(): void {
    batch(() => {
      this.#hush();
      this.putBack();
      this.#put([]);
    });
  }

  may(): boolean {
    return false;
  }

  async move({ move }: { move: string }): Promise<boolean> {
    const past = this.#past.value.at(-1);
    if (move !== "undo" || !this.view.value.can_undo || !past) return false;
    batch(() => {
      this.#hush();
      this.putBack();
      this.laid.value = past;
      this.#past.value = this.#past.value.slice(0, -1);
    });
    return true;
  }

  /** Whether it can still be done; if so, the place of a domino that touches another one. */
  async hint(): Promise<void> {
    const laid = this.laid.value;
    await this.guarded(
      async () => {
        const layings = this.layings.value;
        const { width, height } = this.frame;
        const answer = await study.solve({
          width,
          height,
          tiles: this.problem.tiles,
          position: printPosition(layings),
          faces: "both",
          count: 1,
          seed: "0",
          set: "120",
        });
        if (this.laid.value !== laid || this.end.value) return;
        const lying = new Set(layings.map(printLaying));
        const next = (answer.solutions[0] ?? []).filter((one) => !lying.has(one)).map(parseLaying);
        batch(() => {
          this.hints.value++;
          this.lastHint.value = next.length ? "possible" : answer.complete ? "impossible" : "gave_up";
        });
        const first = next[0];
        if (!first) return;
        const verdict = this.lastHint.value;
        this.take(first.tile, first.side);
        this.placer.show(first);
        this.lastHint.value = verdict;
      },
      undefined,
      () => this.laid.value === laid && !this.end.value,
    );
  }

  async show(): Promise<void> {
    await this.guarded(async () => {
      const { solution } = await problems.solution(this.#request);
      const given = new Set(this.given.map(printLaying));
      batch(() => {
        this.lastHint.value = null;
        this.putBack();
        this.end.value = "shown";
        this.laid.value = solution.filter((one) => !given.has(one)).map(parseLaying);
      });
      this.#keep();
    });
  }

  async #check(): Promise<void> {
    await this.guarded(async () => {
      if (!this.full.value || this.end.value) return;
      const laid = this.laid.value.map(printLaying);
      const { solved } = await problems.check(this.#request, laid);
      if (!solved) return;
      this.end.value = "solved";
      this.#keep();
      if (!this.seen) countMe(this.problem, laid);
    });
  }

  #keep(): void {
    const { kind, grade, seed } = this.problem;
    const solved = this.end.value === "solved";
    keepResult(kind, grade, seed, { tries: 1, hints: this.hints.value, solved, ...(!solved && { shown: true }) });
  }

  override close(): void {
    super.close();
    for (const stop of this.#stops) stop();
  }
}
