/** Turning by wheel and by two fingers, without a screen: when a gesture has gone far enough for one turn. */

type TurnStep = 1 | -1 | 0;

/** A wheel that is turned by so much has been turned by a notch. */
const NOTCH_PX = 50;
/** Deltas of a wheel that counts in lines. */
const PX_PER_LINE = 20;
/** Milliseconds after which what was begun is forgotten; and in which a fling of a trackpad is one turn. */
const PAUSE_MS = 250;
const FLING_MS = 90;

/** One notch of a wheel is one turn; what trackpads report in small parts is added up. */
export class Notches {
  #sum = 0;
  #last = -Infinity;
  #turned = -Infinity;
  #step: TurnStep = 0;

  add({ deltaY, deltaMode }: Pick<WheelEvent, "deltaY" | "deltaMode">, now: number): TurnStep {
    const delta = deltaY * (deltaMode === 0 ? 1 : PX_PER_LINE);
    if (now - this.#last > PAUSE_MS || Math.sign(delta) !== Math.sign(this.#sum)) this.#sum = 0;
    this.#last = now;
    this.#sum += delta;
    if (Math.abs(this.#sum) < NOTCH_PX) return 0;
    this.#sum = 0;
    const step = delta > 0 ? 1 : -1;
    // A fling goes one way: who turns back means it.
    if (step === this.#step && now - this.#turned < FLING_MS) return 0;
    this.#turned = now;
    return (this.#step = step);
  }
}

interface Point {
  x: number;
  y: number;
}

/**
 * Degrees of one turn; how many of them two fingers go for it, and how many back to undo it, which is more: fingers
 * that tremble between two turns must not turn to and fro.
 */
const [QUARTER, ONWARD, BACK] = [90, 40, 60];
/** How much nearer or farther fingers may come before they zoom. */
const SPREAD = 1.25;

/** What two fingers do: whichever they do first, turn or zoom, they go on doing. */
export class Twist {
  kind: "turn" | "zoom" | null = null;
  readonly #spread: number;
  #angle: number;
  /** Degrees since the fingers came down, and the quarter turns that were made of them. */
  #turned = 0;
  #quarters = 0;

  constructor(a: Point, b: Point) {
    this.#spread = Math.hypot(b.x - a.x, b.y - a.y);
    this.#angle = angle(a, b);
  }

  move(a: Point, b: Point): TurnStep {
    const now = angle(a, b);
    this.#turned += ((now - this.#angle + 540) % 360) - 180;
    this.#angle = now;
    const ratio = Math.hypot(b.x - a.x, b.y - a.y) / Math.max(1, this.#spread);
    if (!this.kind && (ratio > SPREAD || ratio < 1 / SPREAD)) this.kind = "zoom";
    const beyond = this.#turned - QUARTER * this.#quarters;
    const enough = beyond * this.#quarters < 0 ? BACK : ONWARD;
    if (this.kind === "zoom" || Math.abs(beyond) < enough) return 0;
    this.kind = "turn";
    const step = beyond > 0 ? 1 : -1;
    this.#quarters += step;
    return step;
  }
}

const angle = (a: Point, b: Point) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
