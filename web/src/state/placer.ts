/**
 * Choosing where a domino goes, without a screen: what is in hand, the ghost and its poses.
 *
 * It knows no rules: whoever owns it says which layings are legal (`candidates`), and carries a
 * laying out (`commit`). Clicks, keys, fingers and screen readers all come through here.
 */
import { batch, computed, signal } from "@preact/signals";
import type { TileSet } from "../data.ts";
import { type GameWords, USUAL_WORDS } from "../games/game.ts";
import { type Cell, cellsOf, clashes, type Disc, key, type Laying, printLaying, sameLaying, type Side, STEPS } from "../geometry.ts";
import type { Scored } from "../net/api.ts";

/** A legal laying, with what it earns where that may be told. */
export interface Candidate {
  laying: Laying;
  scored?: Scored;
  /** What it makes, where that brings something else than points (Gone, 72). */
  makes?: Scored;
}

/** Why a wish cannot be fulfilled. */
export type Reason = "clash" | "overlap" | "no_contact" | "outside";

export interface Wish {
  laying: Laying;
  reason: Reason;
  /** Where half-discs clash. */
  discs: Disc[];
}

export interface Frame {
  width: number;
  height: number;
}

export class Placer {
  /** What the game calls what a laying makes. */
  readonly words = signal<GameWords>(USUAL_WORDS);
  /** The dominoes that may be taken, in the order in which they are shown. */
  readonly hand = signal<string[]>([]);
  /** What lies on the table. */
  readonly layings = signal<Laying[]>([]);
  readonly set = signal<TileSet | null>(null);
  readonly frame = signal<Frame | null>(null);
  /** Legal layings by domino; a domino that is missing has not been asked about yet. */
  readonly candidates = signal<ReadonlyMap<string, Candidate[]>>(new Map());
  /** The domino that is chosen, and the face that is up. */
  readonly tile = signal<string | null>(null);
  readonly side = signal<Side>("+");
  /** The cell that is pointed at. */
  readonly cell = signal<Cell | null>(null);
  /** Which of the poses at that cell. */
  readonly pose = signal(0);
  /** The ghost stays where it is until it is confirmed or cancelled. */
  readonly pinned = signal(false);
  /** What a laying costs before it earns anything: the 4 of a turn's second domino (rules 1). */
  readonly charge = signal(0);
  /** An illegal wish that is being explained. */
  readonly wish = signal<Wish | null>(null);
  /** The rotation used last: the first that is tried elsewhere. */
  private rotation = 0;

  /** Legal layings of the chosen domino with the chosen face. */
  readonly facing = computed(() => this.of(this.side.value));

  /** Cells that the chosen face can reach, by key. */
  readonly places = computed(() => {
    const cells = new Map<string, Cell>();
    for (const { laying } of this.facing.value) {
      for (const cell of cellsOf(laying)) cells.set(key(cell), cell);
    }
    return cells;
  });

  /** The poses at the cell that is pointed at. */
  readonly poses = computed(() => {
    if (!this.cell.value) return [];
    const at = key(this.cell.value);
    return this.facing.value
      .filter(({ laying }) => cellsOf(laying).some((one) => key(one) === at))
      .map((candidate) => ({ candidate, weight: this.weight(candidate, at) }))
      .sort((a, b) => a.weight - b.weight)
      .map(({ candidate }) => candidate);
  });

  /** The laying that is shown before it is made. */
  readonly ghost = computed<Candidate | null>(() => {
    const poses = this.poses.value;
    return poses.length ? poses[this.pose.value % poses.length]! : null;
  });

  /** Whether the chosen domino fits nowhere with this face, but does with the other. */
  readonly otherFace = computed(() => {
    const other = this.side.value === "+" ? "-" : "+";
    return this.tile.value !== null && !this.facing.value.length && this.of(other).length > 0;
  });

  private of(side: Side): Candidate[] {
    const tile = this.tile.value;
    const found = tile === null ? [] : (this.candidates.value.get(tile) ?? []);
    return found.filter(({ laying }) => laying.side === side);
  }

  /** Poses as the domino is held come first, then those whose first half is at the cell. */
  private weight({ laying }: Candidate, at: string): number {
    const turns = (laying.rotation - this.rotation + 4) % 4;
    return 2 * turns + (key([laying.x, laying.y]) === at ? 0 : 1);
  }

  /** Take a domino with a face up; the same once more puts it down. */
  take(tile: string, side: Side = this.side.value): void {
    const same = this.tile.value === tile && this.side.value === side;
    batch(() => {
      this.drop();
      if (!same) {
        this.tile.value = tile;
        this.side.value = side;
      }
    });
  }

  /** If what is in hand fits nowhere, or nothing is, take the first domino that fits somewhere. */
  takeFitting(): void {
    const fits = (tile: string | null) => tile !== null && !!this.candidates.value.get(tile)?.length;
    if (fits(this.tile.value)) return;
    const tile = this.hand.value.find(fits) ?? this.hand.value[0];
    if (tile !== undefined && tile !== this.tile.value) this.take(tile);
  }

  /** Put everything down. */
  drop(): void {
    batch(() => {
      this.cancel();
      this.tile.value = null;
    });
  }

  /** Take the ghost away, and keep the domino in hand. */
  cancel(): void {
    batch(() => {
      this.pinned.value = false;
      this.cell.value = null;
      this.pose.value = 0;
      this.wish.value = null;
    });
  }

  /** The pointer is over a cell (or has left). */
  point(cell: Cell | null): void {
    if (this.pinned.value) return;
    batch(() => {
      this.pose.value = 0;
      this.cell.value = cell && this.places.value.has(key(cell)) ? cell : null;
      if (this.cell.value) this.wish.value = null;
    });
  }

  /** A cell is chosen: the ghost stays there. On the ghost, its next pose. False: nothing fits. */
  choose(cell: Cell): boolean {
    const ghost = this.ghost.value;
    if (this.pinned.value && ghost && cellsOf(ghost.laying).some((one) => key(one) === key(cell))) {
      this.turn(1);
      return true;
    }
    return batch(() => {
      if (!this.places.value.has(key(cell))) {
        this.explain(cell);
        return false;
      }
      if (!this.cell.value || key(this.cell.value) !== key(cell)) {
        this.pose.value = 0;
        this.cell.value = cell;
      }
      this.wish.value = null;
      this.pinned.value = true;
      return true;
    });
  }

  /** The next legal pose at the same cell; in the hand, the next rotation for wishes. */
  turn(step: 1 | -1): void {
    const poses = this.poses.value;
    if (!poses.length) {
      this.rotation = (this.rotation + step + 4) % 4;
      if (this.wish.value) this.explain([this.wish.value.laying.x, this.wish.value.laying.y]);
      return;
    }
    this.pose.value = (this.pose.value + step + poses.length) % poses.length;
  }

  /** Turn the domino over; the ghost stays where it is if that face fits there. */
  flip(): void {
    const { value: cell } = this.cell;
    const { value: pinned } = this.pinned;
    batch(() => {
      this.side.value = this.side.value === "+" ? "-" : "+";
      this.cancel();
      if (cell && this.places.value.has(key(cell))) {
        this.cell.value = cell;
        this.pinned.value = pinned;
      }
    });
  }

  /** Walk to the nearest place in a direction (0 north, clockwise); from nowhere, to the first. */
  walk(direction: number): void {
    const [dx, dy] = STEPS[direction]!;
    const from = this.cell.value;
    let best: Cell | null = null;
    let shortest = Infinity;
    for (const cell of this.places.value.values()) {
      const [x, y] = [cell[0] - (from?.[0] ?? 0), cell[1] - (from?.[1] ?? 0)];
      const along = x * dx + y * dy;
      const across = Math.abs(x * dy) + Math.abs(y * dx);
      const far = from ? along + 2 * across : Math.abs(x) + Math.abs(y);
      if ((!from || along > 0) && far < shortest) [best, shortest] = [cell, far];
    }
    if (!best) return;
    batch(() => {
      this.pose.value = 0;
      this.wish.value = null;
      this.cell.value = best;
      this.pinned.value = true;
    });
  }

  /** Put the ghost exactly there, as the list of legal layings does. */
  show(laying: Laying): void {
    batch(() => {
      this.cancel();
      this.tile.value = laying.tile;
      this.side.value = laying.side;
      this.rotation = laying.rotation;
      this.cell.value = [laying.x, laying.y];
      this.pose.value = Math.max(0, this.poses.value.findIndex((one) => sameLaying(one.laying, laying)));
      this.pinned.value = true;
    });
  }

  /** The laying to carry out, if there is one; the rotation is remembered for the next. */
  confirmed(): Laying | null {
    const laying = this.ghost.value?.laying ?? null;
    if (laying) this.rotation = laying.rotation;
    return laying;
  }

  /** Something else lies on the table: what is in hand stays there, if it still can. */
  refresh(hand: string[], layings: Laying[], candidates: ReadonlyMap<string, Candidate[]>): void {
    const ghost = this.pinned.value ? this.ghost.value?.laying : null;
    batch(() => {
      this.hand.value = hand;
      this.layings.value = layings;
      this.candidates.value = candidates;
      if (this.tile.value !== null && !hand.includes(this.tile.value)) this.drop();
      else if (ghost) {
        const still = this.facing.value.some((one) => sameLaying(one.laying, ghost));
        if (still) this.show(ghost);
        else this.cancel();
      }
    });
  }

  private explain(cell: Cell): void {
    const [tile, set] = [this.tile.value, this.set.value];
    if (tile === null || !set) return;
    const laying: Laying = { tile, side: this.side.value, rotation: this.rotation, x: cell[0], y: cell[1] };
    const taken = new Set(this.layings.value.flatMap((one) => cellsOf(one).map(key)));
    const cells = cellsOf(laying);
    const frame = this.frame.value;
    const outside = frame && cells.some(([x, y]) => x < 0 || y < 0 || x >= frame.width || y >= frame.height);
    const discs = clashes(laying, this.layings.value, set);
    const reason: Reason = outside ? "outside"
      : cells.some((one) => taken.has(key(one))) ? "overlap"
      : discs.length ? "clash"
      : "no_contact";
    batch(() => {
      this.cell.value = null;
      this.pinned.value = false;
      this.wish.value = { laying, reason, discs: reason === "clash" ? discs : [] };
    });
  }
}

/** The best first, then by their text: how lists for ears and eyes are ordered. */
export function ranked(candidates: readonly Candidate[]): Candidate[] {
  const points = (one: Candidate) => one.scored?.points ?? one.makes?.contacts ?? 0;
  return [...candidates].sort(
    (a, b) => points(b) - points(a) || (printLaying(a.laying) < printLaying(b.laying) ? -1 : 1),
  );
}
