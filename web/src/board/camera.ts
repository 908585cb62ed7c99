/** Which part of the endless table is seen. World units are cells; the screen is in pixels. */
import { signal } from "@preact/signals";
import type { Box, Cell } from "../geometry.ts";

export interface Viewport {
  /** Screen pixels of the corner of cell 0,0. */
  x: number;
  y: number;
  /** Pixels to a cell. */
  scale: number;
}

export const SMALLEST = 14;
export const LARGEST = 400;
/** Milliseconds after which a gesture that does not go on is over: a wheel never says so. */
const REST = 160;

export class Camera {
  readonly view = signal<Viewport>({ x: 100, y: 100, scale: 64 });
  /** The view was remembered from before: nothing is fitted at first. */
  remembered: boolean;
  /** A gesture or a flight is under way: the layer is moved, and drawn sharply when it rests. */
  readonly moving = signal(false);
  /** The size of the screen, in pixels. */
  width = 600;
  height = 400;
  /** So much of it at the right is covered by buttons. */
  covered = 0;
  /** So much of it at the top is covered by news. */
  coveredTop = 0;
  /** Where it flies or has flown to, until the player moves it. */
  target: Viewport | null = null;
  /** Show everything: the board knows what that is. */
  fit: (milliseconds?: number) => void = () => undefined;
  #flight = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(view: Viewport | null = null) {
    this.remembered = view !== null;
    if (view) this.view.value = view;
  }

  /** Where the free part of the screen begins: on a low one, news cover most of it, and yet a part has to be used. */
  get #top(): number {
    return Math.min(this.coveredTop, (2 / 3) * this.height);
  }

  /** The cell under a point of the screen. */
  cellAt(x: number, y: number): Cell {
    const { x: left, y: top, scale } = this.view.value;
    return [Math.floor((x - left) / scale), Math.floor((y - top) / scale)];
  }

  /** Screen pixels of a point given in cells. */
  toScreen(x: number, y: number): [number, number] {
    const { x: left, y: top, scale } = this.view.value;
    return [left + x * scale, top + y * scale];
  }

  get flying(): boolean {
    return this.#flight !== 0;
  }

  pan(dx: number, dy: number): void {
    this.#stop();
    const { x, y, scale } = this.view.value;
    this.view.value = { x: x + dx, y: y + dy, scale };
  }

  /** Zoom, and keep what is under the point where it is. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.#stop();
    const view = this.view.value;
    const scale = clamp(view.scale * factor);
    const ratio = scale / view.scale;
    this.view.value = { x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, scale };
  }

  /** The view that shows a box of cells with a margin, not larger than comfortable. */
  fitted(box: Box, margin = 1.25, largest = 76): Viewport {
    const width = box.right - box.left + 2 * margin;
    const height = box.bottom - box.top + 2 * margin;
    const [free, below] = [this.width - this.covered, this.height - this.#top];
    const scale = Math.min(largest, clamp(Math.min(free / width, below / height)));
    return {
      x: free / 2 - ((box.left + box.right) / 2) * scale,
      y: this.#top + below / 2 - ((box.top + box.bottom) / 2) * scale,
      scale,
    };
  }

  /** The view that is moved no further than a box of cells with a margin asks for. */
  moved(box: Box, margin: number): Viewport {
    const { x, y, scale } = this.view.value;
    const along = (at: number, from: number, to: number, low: number, high: number) =>
      Math.max(Math.min(at, to - (high + margin) * scale), from + (margin - low) * scale);
    return {
      x: along(x, 0, this.width - this.covered, box.left, box.right),
      y: along(y, this.#top, this.height, box.top, box.bottom),
      scale,
    };
  }

  /** Whether a box of cells can be seen, all of it. */
  sees(box: Box): boolean {
    const [left, top] = this.toScreen(box.left, box.top);
    const [right, bottom] = this.toScreen(box.right, box.bottom);
    return left >= 0 && top >= this.#top && right <= this.width - this.covered && bottom <= this.height;
  }

  /** A gesture begins or goes on. */
  hold(): void {
    clearTimeout(this.#resting);
    this.moving.value = true;
  }

  /** A gesture ends, unless the next one follows at once: drawing sharply in between would halt it. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => (this.moving.value = false), REST);
  }

  /** Fly to a view; at once where people want no motion. */
  fly(to: Viewport, milliseconds = 260): void {
    this.#stop(to);
    const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
    if (still || milliseconds === 0 || !globalThis.requestAnimationFrame) {
      this.view.value = to;
      return;
    }
    const from = this.view.value;
    const began = performance.now();
    this.hold();
    const frame = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - began) / milliseconds));
      const eased = 1 - (1 - part) ** 3;
      const mix = (a: number, b: number) => a + (b - a) * eased;
      this.view.value = { x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) };
      if (part < 1) this.#flight = requestAnimationFrame(frame);
      else this.#stop(to);
    };
    this.#flight = requestAnimationFrame(frame);
  }

  #stop(target: Viewport | null = null): void {
    if (this.#flight) {
      cancelAnimationFrame(this.#flight);
      this.rest();
    }
    this.#flight = 0;
    this.target = target;
  }
}

function clamp(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}
