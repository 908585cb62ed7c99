/**
 * What the buttons of a page mean, where they are, and since when, without a screen. A press that follows a change
 * sooner than anyone can react meant what was there before.
 */

/** Milliseconds in which a change may not have been seen. */
export const STEADY_MS = 600;
/** Pixels that a resting pointer may tremble. */
const REST_RADIUS = 12;

export interface Point {
  x: number;
  y: number;
}

type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** What a press does. Where `isChosen`, the player has chosen what it means: then its changes are no surprise. */
export interface Meaning {
  /** The kind of move or action, the same for the key that does it. */
  does: string;
  means: string;
  isChosen: boolean;
}

interface Shown extends Meaning {
  of: object;
  box: Box;
  /** When it came here with this meaning; of a former one, when that ended. */
  at: number;
}

export class Steadiness {
  readonly #shown = new Map<object, Shown>();
  #former: Shown[] = [];
  /** When the last key was pressed. */
  #key = -Infinity;
  #rest: Point & { since: number } = { x: NaN, y: NaN, since: -Infinity };

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The pointer is here; how long it rests counts from when it came near. */
  point(at: Point): void {
    if (!this.#rests(at)) this.#rest = { ...at, since: this.now() };
  }

  /** A key was pressed: what comes from it is no surprise. */
  key(): void {
    this.#key = this.now();
  }

  #rests({ x, y }: Point): boolean {
    return Math.hypot(x - this.#rest.x, y - this.#rest.y) <= REST_RADIUS;
  }

  /** A button is here and means this now. */
  show(of: object, meaning: Meaning, box: Box): void {
    const before = this.#shown.get(of);
    const means = meaning.isChosen ? meaning.means : before?.means;
    if (before && means === meaning.means && isSameBox(before.box, box)) Object.assign(before, meaning);
    else {
      if (before) this.#end({ ...before, means: means ?? "", isChosen: false });
      this.#shown.set(of, { ...meaning, of, box, at: this.now() });
    }
  }

  /** A button is gone. */
  hide(of: object): void {
    const before = this.#shown.get(of);
    if (before) this.#end(before);
    this.#shown.delete(of);
  }

  #end(shown: Shown): void {
    this.#forgetFormer();
    if (!shown.isChosen) this.#former.push({ ...shown, at: this.now() });
  }

  #forgetFormer(): void {
    const since = this.now() - STEADY_MS;
    this.#former = this.#former.filter((one) => one.at > since);
  }

  /** Whether a press means what its player saw; `at` is the place of a pointer, null for a key. */
  isSteady(of: object, at: Point | null): boolean {
    const [shown, since] = [this.#shown.get(of), this.now() - STEADY_MS];
    if (!shown) return true;
    this.#forgetFormer();
    const isOther = (one: Shown) => one.does !== shown.does || one.means !== shown.means;
    // What the player has chosen is known, unless another button stood there.
    const isSame = (one: Shown) => one.of === of || one.does === shown.does;
    const isMeant = (one: Shown) => (isSame(one) ? !shown.isChosen : !!at && contains(one.box, at));
    if (this.#former.some((one) => isOther(one) && isMeant(one))) return false;
    // It came under a pointer that had rested there before, and by no key of the player.
    const isNew = shown.at > since && this.#rest.since < shown.at && this.#key < shown.at - STEADY_MS;
    return !at || !isNew || !this.#rests(at) || this.#former.some((one) => one.of === of && contains(one.box, at));
  }
}

const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;

const contains = ({ left, top, right, bottom }: Box, { x, y }: Point): boolean =>
  left <= x && x < right && top <= y && y < bottom;
