/** A frame to be filled, without a screen: its size, its dominoes, what lies there, what was found. */
import { batch, computed, signal } from "@preact/signals";
import { SET_120 } from "../data.ts";
import { type Laying, parseLaying, printPosition, type Side } from "../geometry.ts";
import { study } from "../net/study.ts";
import { placeInFrame } from "./frames.ts";
import { Guarded } from "./guarded.ts";
import { Placer } from "./placer.ts";

export type Stock = "1" | "2" | "3" | "all" | "chosen";
export type Finding = "idle" | "searching" | "found" | "none" | "gave_up" | "no_more";

export const MOST_SIDE = 24;

export class Solver extends Guarded {
  readonly width = signal(8);
  readonly height = signal(10);
  readonly stock = signal<Stock>("1");
  readonly chosen = signal<string[]>([]);
  readonly faces = signal<"both" | "recto">("both");
  readonly count = signal(1);
  /** What lies there before the solver begins. */
  readonly layings = signal<Laying[]>([]);
  /** The domino that is being laid by hand. */
  readonly held = signal<string | null>(null);
  readonly solutions = signal<string[][]>([]);
  readonly shown = signal(0);
  readonly finding = signal<Finding>("idle");
  readonly nodes = signal(0);
  readonly set = SET_120;

  readonly frame = computed(() => ({ width: this.width.value, height: this.height.value }));
  readonly placer = new Placer(
    computed(() => {
      const sides: readonly Side[] = this.faces.value === "recto" ? ["+"] : ["+", "-"];
      return placeInFrame(this.held.value, this.frame.value, this.layings.value, this.set, sides);
    }),
  );
  readonly needed = computed(() => (this.width.value * this.height.value) / 2);
  readonly tiles = computed<string[]>(() => {
    const stock = this.stock.value;
    if (stock === "chosen") return this.chosen.value;
    return this.set.tiles.filter(({ pile }) => stock === "all" || String(pile) === stock).map(({ name }) => name);
  });
  readonly laid = computed(() => new Set(this.layings.value.map(({ tile }) => tile)));
  readonly solution = computed<Laying[] | null>(() => this.solutions.value[this.shown.value]?.map(parseLaying) ?? null);
  /** Why it makes no sense to ask. */
  readonly obstacle = computed<"odd" | "few" | null>(() =>
    (this.width.value * this.height.value) % 2 ? "odd" : this.tiles.value.length < this.needed.value ? "few" : null,
  );

  #seed = 0;
  override close(): void {
    this.cancel();
    super.close();
  }

  /** Anything about the question has changed: what was found is no answer to it. */
  forget(): void {
    this.cancel();
    batch(() => {
      this.solutions.value = [];
      this.shown.value = 0;
      this.finding.value = "idle";
      this.trouble.value = null;
      this.#seed = 0;
    });
  }

  cancel(): void {
    this.newest();
    if (this.finding.value === "searching") this.finding.value = this.solutions.value.length ? "found" : "idle";
  }

  resize(width: number, height: number): void {
    const side = (n: number) => Math.min(MOST_SIDE, Math.max(1, Math.round(n) || 1));
    this.forget();
    batch(() => {
      this.width.value = side(width);
      this.height.value = side(height);
      const inside = ({ x, y, rotation }: Laying) =>
        Math.max(x, x + (rotation === 0 ? 1 : 0)) < this.width.value
        && Math.max(y, y + (rotation === 1 ? 1 : 0)) < this.height.value;
      this.layings.value = this.layings.value.filter(inside);
    });
  }

  lay(laying: Laying): void {
    this.forget();
    this.placer.drop();
    this.held.value = null;
    this.layings.value = [...this.layings.value, laying];
  }

  takeBack(): void {
    if (!this.layings.value.length) return;
    this.forget();
    this.layings.value = this.layings.value.slice(0, -1);
  }

  clear(): void {
    this.forget();
    this.layings.value = [];
  }

  /** Take a domino to lay it by hand. */
  hold(tile: string | null): void {
    this.forget();
    this.held.value = this.held.value === tile ? null : tile;
    if (this.held.value) this.placer.take(this.held.value, "+");
    else this.placer.drop();
  }

  choose(tile: string): void {
    this.forget();
    const { value } = this.chosen;
    this.chosen.value = value.includes(tile) ? value.filter((one) => one !== tile) : [...value, tile];
  }

  /** Show a solution that is known already. */
  show(solution: string[]): void {
    batch(() => {
      this.solutions.value = [solution];
      this.shown.value = 0;
      this.finding.value = "found";
    });
  }

  async solve(): Promise<void> {
    // After giving up, the same search would give up again.
    const seed = this.finding.value === "gave_up" ? this.#seed + 1 : 0;
    this.forget();
    this.#seed = seed;
    this.held.value = null;
    await this.#ask(this.count.value);
  }

  /** Show the next solution; beyond the last one, look for another. */
  async next(): Promise<void> {
    if (this.shown.value + 1 < this.solutions.value.length) this.shown.value++;
    else {
      this.#seed++;
      await this.#ask(1);
    }
  }

  async #ask(count: number): Promise<void> {
    const stopped = this.newest();
    this.finding.value = "searching";
    await this.guarded(async () => {
      const { width, height } = this.frame.value;
      const known = new Set(this.solutions.value.map((one) => one.join(" ")));
      // Another seed may find a known one again: ask for one more than we have, while they are few.
      const most = Math.min(100, known.size && known.size < 20 ? known.size + count : count);
      const answer = await study.solve(
        {
          width,
          height,
          count: most,
          seed: String(this.#seed),
          faces: this.faces.value,
          set: "120",
          tiles: this.tiles.value,
          position: printPosition(this.layings.value),
        },
        stopped,
      );
      if (stopped.aborted) return;
      const fresh = answer.solutions
        .filter((one) => !known.has(one.join(" ")))
        .slice(0, Math.max(count, known.size ? 1 : count));
      batch(() => {
        this.nodes.value = answer.nodes;
        if (fresh.length) {
          this.shown.value = this.solutions.value.length;
          this.solutions.value = [...this.solutions.value, ...fresh];
          this.finding.value = "found";
        } else if (known.size)
          this.finding.value = answer.complete && answer.solutions.length < most ? "no_more" : "gave_up";
        else this.finding.value = answer.complete ? "none" : "gave_up";
      });
    }, stopped);
    if (this.trouble.value && !stopped.aborted) this.finding.value = "idle";
  }
}
