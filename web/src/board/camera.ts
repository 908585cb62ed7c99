/** Which part of the endless table is seen. World units are cells; the screen is in pixels. */
import { signal } from "@preact/signals";
import type { Box, Cell } from "../geometry.ts";

export interface Viewport {
  /** Screen pixels of the upper left corner of cell 0,0; when the table is turned, of the same corner. */
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
  /** The player looks at the table from its left side: a quarter turn clockwise, so that a high layout lies flat. */
  readonly turned = signal(false);
  /** The view was remembered from before: nothing is fitted at first. */
  remembered: boolean;
  /** A gesture or a flight is under way: the layer is moved, and drawn sharply when it rests. */
  readonly moving = signal(false);
  /** The size of the screen, in pixels. */
  readonly size = signal({ width: 600, height: 400 });
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

  constructor(remembered: (Viewport & { turned?: boolean }) | null = null) {
    this.remembered = remembered !== null;
    if (!remembered) return;
    const { turned = false, ...view } = remembered;
    this.view.value = view;
    this.turned.value = turned;
  }

  /** Where the free part of the screen begins: on a low one, news cover most of it, and yet a part has to be used. */
  get #top(): number {
    return Math.min(this.coveredTop, (2 / 3) * this.height);
  }

  /** The cell under a point of the screen. */
  cellAt(x: number, y: number): Cell {
    const [u, v] = this.toTable(x, y);
    return [Math.floor(u), Math.floor(v)];
  }

  /** A point of the screen in cells. */
  toTable(x: number, y: number): [number, number] {
    const { x: left, y: top, scale } = this.view.value;
    const [u, v] = [(x - left) / scale, (y - top) / scale];
    return this.turned.value ? [v, -u] : [u, v];
  }

  /** Screen pixels of a point given in cells. */
  toScreen(x: number, y: number): [number, number] {
    const { x: left, y: top, scale } = this.view.value;
    return this.turned.value ? [left - y * scale, top + x * scale] : [left + x * scale, top + y * scale];
  }

  /** A box of cells as it lies on the screen, in cells from the corner of cell 0,0. */
  #onScreen({ left, top, right, bottom }: Box): Box {
    return this.turned.value ? { left: -bottom, top: left, right: -top, bottom: right } : { left, top, right, bottom };
  }

  /** The style of the layer whose units are hundredths of a cell. */
  get transform(): string {
    const { x, y, scale } = this.view.value;
    return `translate(${x}px,${y}px) scale(${scale / 100})${this.turned.value ? " rotate(90deg)" : ""}`;
  }

  /** Look from the other side, at everything. */
  turnTable(): void {
    this.turned.value = !this.turned.peek();
    this.fit(0);
  }

  get width(): number {
    return this.size.peek().width;
  }

  get height(): number {
    return this.size.peek().height;
  }

  resize(width: number, height: number): void {
    this.size.value = { width, height };
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
  fitted(cells: Box, margin = 1.25, largest = 76): Viewport {
    const box = this.#onScreen(cells);
    const scale = this.#scale(box, margin, largest);
    return {
      x: (this.width - this.covered) / 2 - ((box.left + box.right) / 2) * scale,
      y: this.#top + (this.height - this.#top) / 2 - ((box.top + box.bottom) / 2) * scale,
      scale,
    };
  }

  #scale(box: Box, margin: number, largest: number): number {
    const across = (this.width - this.covered) / (box.right - box.left + 2 * margin);
    const down = (this.height - this.#top) / (box.bottom - box.top + 2 * margin);
    return Math.min(largest, clamp(Math.min(across, down)));
  }

  /** The view that is moved no further than a box of cells with a margin asks for. */
  moved(cells: Box, margin: number): Viewport {
    const box = this.#onScreen(cells);
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
  sees(cells: Box): boolean {
    const box = this.#onScreen(cells);
    const { x, y, scale } = this.view.value;
    return (
      x + box.left * scale >= 0
      && y + box.top * scale >= this.#top
      && x + box.right * scale <= this.width - this.covered
      && y + box.bottom * scale <= this.height
    );
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
