/**
 * Choosing where a domino goes, without a screen: what is in hand, the ghost and its poses.
 *
 * It knows no rules: its `Placement` says which layings are legal, and its owner carries a laying out. Clicks, keys,
 * fingers and screen readers all come through here.
 */
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import {
  type Cell,
  cellsOf,
  clashes,
  type Disc,
  key,
  type Laying,
  printLaying,
  sameLaying,
  type Side,
  STEPS,
} from "../geometry.ts";
import { EVERYWHERE, Layout, layoutIn } from "./layout.ts";
import { type Candidate, NO_PLACEMENT, type Placement } from "./placement.ts";
import { itemAt } from "../values.ts";

/** Why a laying is illegal. */
export type Reason = "clash" | "overlap" | "no_contact" | "outside";

/** By the code of a layout. */
const REASONS: Readonly<Record<string, Reason>> = { outside_frame: "outside", overlap: "overlap", clash: "clash" };

export interface IllegalLaying {
  laying: Laying;
  reason: Reason;
  /** Where half-discs clash. */
  discs: Disc[];
}

/** How a domino is held: its quarter-turns clockwise, and which half is over what is pointed at. */
export interface Hold {
  rotation: number;
  half: 0 | 1;
}

/** A domino between the hand and the table. */
export interface Carried {
  tile: string;
  side: Side;
  /** It flies back to the hand. */
  isReturning: boolean;
}

/** A carried domino goes to a place whose middle is so near, in cells. */
const SNAP = 0.8;

export class Placer {
  readonly words = computed(() => this.placement.value.words);
  readonly hand = computed(() => this.placement.value.hand);
  readonly layings = computed(() => this.placement.value.layings);
  readonly set = computed(() => this.placement.value.set);
  readonly frame = computed(() => this.placement.value.frame);
  readonly candidates = computed(() => this.placement.value.candidates);
  readonly charge = computed(() => this.placement.value.charge);
  /** The domino that is chosen, and the face that is up. */
  readonly tile = signal<string | null>(null);
  readonly side = signal<Side>("+");
  /** The cell that is pointed at. */
  readonly cell = signal<Cell | null>(null);
  /** How the player wants the domino to lie: the pose follows from this and the cell. */
  readonly hold = signal<Hold>({ rotation: 0, half: 0 });
  /** How it was held when the cell was entered: the pose of then is the first. */
  readonly #entered = signal<Hold>({ rotation: 0, half: 0 });
  /** The ghost stays where it is until it is confirmed or cancelled. */
  readonly pinned = signal(false);
  /** The illegal laying that is being explained. */
  readonly illegal = signal<IllegalLaying | null>(null);
  /** The illegal laying because of which the domino went back to the hand. */
  readonly refused = signal<IllegalLaying | null>(null);
  /** The domino that is dragged, if one is. */
  readonly carried = signal<Carried | null>(null);
  /** A disc whose group is looked at. */
  readonly looked = signal<Disc | null>(null);
  /** What the choices here were made for, and the ghost that was pinned then. */
  #settled: Placement = NO_PLACEMENT;
  #pinnedGhost: Candidate | null = null;
  readonly #stop: () => void;
  /** Where the domino was carried last, in cells; and the place that it was lifted from to be turned. */
  #over: Cell | null = null;
  #lifted: string | null = null;

  /** `onLost` hears that a pinned ghost is no longer possible. */
  constructor(
    private readonly placement: ReadonlySignal<Placement> = signal(NO_PLACEMENT),
    private readonly onLost: () => void = () => undefined,
  ) {
    this.#stop = effect(() => {
      const now = placement.value;
      const pinned = this.pinned.value ? this.ghost.value : null;
      if (now === this.#settled) this.#pinnedGhost = pinned;
      else untracked(() => this.#settle(now));
    });
  }

  close(): void {
    this.#stop();
  }

  /** Legal layings of the chosen domino with the chosen face. */
  readonly facing = computed(() => this.#of(this.side.value));

  /** Cells that the chosen face can reach, by key. */
  readonly places = computed(() => {
    const cells = new Map<string, Cell>();
    for (const { laying } of this.facing.value) {
      for (const cell of cellsOf(laying)) cells.set(key(cell), cell);
    }
    return cells;
  });

  /** The poses at the cell that is pointed at, in the order in which the domino is turned there. */
  readonly poses = computed(() => {
    const cell = this.cell.value;
    if (!cell) return [];
    const found = this.facing.value.filter(({ laying }) => halfAt(laying, cell) !== null);
    const first = nearest(found, this.#entered.value, cell);
    if (!first) return [];
    const { rotation, half } = holdOf(first.laying, cell);
    // All the way round on one half, then on the other.
    const later = (one: Hold) => (one.half === half ? 0 : 4) + turns(rotation, one.rotation);
    return found.sort((a, b) => later(holdOf(a.laying, cell)) - later(holdOf(b.laying, cell)));
  });

  /** The laying that is shown before it is made. */
  readonly ghost = computed<Candidate | null>(() => {
    // One that was prepared waits until it is known where its domino fits now.
    if (this.pinned.value && this.#isUnknown(this.placement.value)) return this.#pinnedGhost;
    return nearest(this.poses.value, this.hold.value, this.cell.value);
  });

  /** Which of the poses that is. */
  readonly pose = computed(() => (this.ghost.value ? this.poses.value.indexOf(this.ghost.value) : 0));

  /** Whether the chosen domino fits nowhere with this face, but does with the other. */
  readonly otherFace = computed(() => {
    const other = this.side.value === "+" ? "-" : "+";
    return this.tile.value !== null && !this.facing.value.length && this.#of(other).length > 0;
  });

  #of(side: Side): readonly Candidate[] {
    const tile = this.tile.value;
    const found = tile === null ? [] : (this.candidates.value.get(tile) ?? []);
    return found.filter(({ laying }) => laying.side === side);
  }

  /** Point at a place: the first pose there is the one that is most like the domino is held. */
  #enter(cell: Cell | null): void {
    if (this.cell.value && cell && key(this.cell.value) === key(cell)) return;
    batch(() => {
      this.#entered.value = this.hold.value;
      this.cell.value = cell;
    });
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
      this.illegal.value = null;
      this.refused.value = null;
    });
  }

  /** The pointer is over a cell (or has left). */
  point(cell: Cell | null): void {
    if (this.pinned.value) return;
    batch(() => {
      this.#enter(cell && this.places.value.has(key(cell)) ? cell : null);
      if (this.cell.value) this.illegal.value = this.refused.value = null;
    });
  }

  /** The domino is carried over a point, in cells: it goes to a place nearby, if there is one. */
  carry(x: number, y: number): void {
    this.#over = [x, y];
    let found: Cell | null = null;
    let shortest = SNAP;
    for (const cell of this.places.value.values()) {
      const far = Math.hypot(cell[0] + 0.5 - x, cell[1] + 0.5 - y);
      if (far < shortest) [found, shortest] = [cell, far];
    }
    if (!found || key(found) !== this.#lifted || this.#fits(found)) this.#lifted = null;
    batch(() => {
      this.pinned.value = false;
      this.point(this.#lifted === null ? found : null);
    });
  }

  /** Whether the domino can lie at a cell just as it is held. */
  #fits(cell: Cell): boolean {
    return this.facing.value.some(
      ({ laying }) => halfAt(laying, cell) !== null && laying.rotation === this.hold.value.rotation,
    );
  }

  /** The domino is let go: over a point of the table it stays, or why not; elsewhere nothing is to be said. */
  release(onTable: boolean): boolean {
    const over = this.#over;
    this.#over = this.#lifted = null;
    if (this.ghost.value && onTable) {
      this.pinned.value = true;
      return true;
    }
    batch(() => {
      this.cancel();
      if (onTable && over) this.refused.value = this.#illegalAt([Math.floor(over[0]), Math.floor(over[1])]);
    });
    return false;
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
        this.#explain(cell);
        return false;
      }
      this.#enter(cell);
      this.illegal.value = this.refused.value = null;
      this.pinned.value = true;
      return true;
    });
  }

  /**
   * The next legal pose at the same cell. In the hand, and where there is no other pose, the next
   * rotation: a carried domino is lifted for it; elsewhere it is for illegal layings and for the next cell.
   */
  turn(step: 1 | -1): void {
    const [poses, cell, illegal] = [this.poses.value, this.cell.value, this.illegal.value];
    batch(() => {
      if (cell && poses.length > 1) {
        this.hold.value = holdOf(itemAt(poses, (this.pose.value + step + poses.length) % poses.length).laying, cell);
        return;
      }
      const { rotation, half } = cell && this.ghost.value ? holdOf(this.ghost.value.laying, cell) : this.hold.value;
      this.hold.value = { rotation: (rotation + step + 4) % 4, half };
      if (illegal) this.#explain(cellsOf(illegal.laying)[half]);
      if (this.#over) {
        if (cell) this.#lifted = key(cell);
        this.carry(...this.#over);
      }
    });
  }

  /** Turn the domino over; the ghost stays where it is if that face fits there. */
  flip(): void {
    const { value: cell } = this.cell;
    const { value: pinned } = this.pinned;
    batch(() => {
      this.side.value = this.side.value === "+" ? "-" : "+";
      this.cancel();
      if (cell && this.places.value.has(key(cell))) {
        this.#enter(cell);
        this.pinned.value = pinned;
      }
      if (this.#over) this.carry(...this.#over);
    });
  }

  /** Walk to the nearest place in a direction (0 north, clockwise); from nowhere, to the first. */
  walk(direction: number): void {
    const [dx, dy] = itemAt(STEPS, direction);
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
      this.illegal.value = this.refused.value = null;
      this.#enter(best);
      this.pinned.value = true;
    });
  }

  /** Put the ghost exactly there, as the list of legal layings does. */
  show(laying: Laying): void {
    batch(() => {
      this.cancel();
      this.tile.value = laying.tile;
      this.side.value = laying.side;
      this.hold.value = { rotation: laying.rotation, half: 0 };
      this.#enter([laying.x, laying.y]);
      this.pinned.value = true;
    });
  }

  /** The laying to carry out, if there is one; the next domino is held like it. */
  confirmed(): Laying | null {
    const [laying, cell] = [this.ghost.value?.laying ?? null, this.cell.value];
    if (laying && cell) this.hold.value = holdOf(laying, cell);
    return laying;
  }

  /** Another placement: what is in hand stays there, and the ghost where it is, if they still can. */
  #settle(now: Placement): void {
    const [prepared, before] = [this.#pinnedGhost?.laying ?? null, this.#settled];
    this.#settled = now;
    const { tile, cell } = { tile: this.tile.value, cell: this.cell.value };
    let isLost = false;
    batch(() => {
      if (tile !== null && !now.hand.includes(tile)) {
        isLost = prepared !== null;
        this.drop();
      } else if (prepared && cell && !this.#isUnknown(now)) {
        // Others may have become legal there: the one that was chosen stays.
        this.hold.value = holdOf(prepared, cell);
        isLost = !sameLaying(this.ghost.value?.laying ?? null, prepared);
        if (isLost) this.cancel();
      }
      const { held } = now;
      if (held && held.tile !== before.held?.tile) this.take(held.tile, held.side);
      if (held && this.otherFace.value) this.flip();
    });
    if (isLost) this.onLost();
  }

  #isUnknown({ hand, candidates }: Placement): boolean {
    const tile = this.tile.value;
    return tile !== null && hand.includes(tile) && !candidates.has(tile);
  }

  /** Say why the domino cannot lie at a cell as it is held. */
  #explain(cell: Cell): void {
    const illegal = this.#illegalAt(cell);
    if (!illegal) return;
    batch(() => {
      this.#enter(null);
      this.pinned.value = false;
      this.illegal.value = illegal;
    });
  }

  #illegalAt(cell: Cell): IllegalLaying | null {
    const [tile, set] = [this.tile.value, this.set.value];
    if (tile === null || !set) return null;
    const laying: Laying = { tile, side: this.side.value, ...placeHeld(this.hold.value, cell) };
    const [frame, layings] = [this.frame.value, this.layings.value];
    const refusal = (frame ? layoutIn(frame, set, layings) : new Layout(set, EVERYWHERE, layings)).refusal(laying);
    const reason = REASONS[refusal ?? ""] ?? "no_contact";
    return { laying, reason, discs: reason === "clash" ? clashes(laying, layings, set) : [] };
  }
}

/** Quarter-turns clockwise from one rotation to another. */
const turns = (from: number, to: number) => (to - from + 4) % 4;

/** Which half of a laying is at a cell. */
function halfAt(laying: Laying, cell: Cell): 0 | 1 | null {
  const [first, second] = cellsOf(laying).map(key);
  return key(cell) === first ? 0 : key(cell) === second ? 1 : null;
}

function holdOf(laying: Laying, cell: Cell): Hold {
  return { rotation: laying.rotation, half: halfAt(laying, cell) ?? 0 };
}

/** Where a domino lies that is held over a cell. */
export function placeHeld({ rotation, half }: Hold, [x, y]: Cell): Pick<Laying, "rotation" | "x" | "y"> {
  const [dx, dy] = itemAt(STEPS, (rotation + 1) % 4);
  return { rotation, x: x - half * dx, y: y - half * dy };
}

/** The pose at a cell that is most like a domino is held: the rotation counts before the half. */
function nearest(poses: readonly Candidate[], { rotation, half }: Hold, cell: Cell | null): Candidate | null {
  if (!cell) return null;
  let best: Candidate | null = null;
  let least = Infinity;
  for (const pose of poses) {
    const one = holdOf(pose.laying, cell);
    const far = 2 * turns(rotation, one.rotation) + (one.half === half ? 0 : 1);
    if (far < least) [best, least] = [pose, far];
  }
  return best;
}

/** From top to bottom, then from left to right: an order that says nothing about what they earn. */
export function orderCandidates(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort(
    ({ laying: a }, { laying: b }) => a.y - b.y || a.x - b.x || (printLaying(a) < printLaying(b) ? -1 : 1),
  );
}

/** The best first, then by their text: how lists for ears and eyes are ordered. */
export function rankCandidates(candidates: readonly Candidate[]): Candidate[] {
  const points = (one: Candidate) => one.scored?.points ?? one.makes?.contacts ?? 0;
  return [...candidates].sort(
    (a, b) => points(b) - points(a) || (printLaying(a.laying) < printLaying(b.laying) ? -1 : 1),
  );
}
