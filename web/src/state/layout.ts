/**
 * Dominoes on cells: what fits, and the code of the refusal for what does not. The twin of layout.py, and the only one.
 */
import type { Colour, TileSet } from "../data.ts";
import { type Box, type Cell, cellsOf, halves, key, type Laying } from "../geometry.ts";
import { Refused } from "../net/backend.ts";
import type { Frame } from "./placement.ts";

export const EVERYWHERE = (): boolean => true;

/** The cells of a frame. */
export const insideFrame =
  ({ width, height, left = 0, top = 0, cells }: Frame) =>
  ([x, y]: Cell): boolean =>
    cells ? cells.has(key([x, y])) : x >= left && y >= top && x < left + width && y < top + height;

/** The box of a frame. */
export const boxOfFrame = ({ left = 0, top = 0, width, height }: Frame): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

/** The cells of a frame, row by row. */
export function cellsOfFrame(frame: Frame): Cell[] {
  const { width, height, left = 0, top = 0 } = frame;
  const box = Array.from({ length: width * height }, (_, i): Cell => [left + (i % width), top + Math.floor(i / width)]);
  return frame.cells ? box.filter(insideFrame(frame)) : box;
}

/** What lies in a frame. */
export const layoutIn = (frame: Frame, set: TileSet, layings: readonly Laying[]): Layout =>
  new Layout(set, insideFrame(frame), layings, frame.places);

export class Layout {
  readonly #taken = new Set<string>();
  readonly #shown = new Map<string, Colour>();

  /** `inside` says which cells there are, in one of `places`. What lies there already is not checked. */
  constructor(
    readonly set: TileSet,
    private readonly inside: (cell: Cell) => boolean,
    layings: readonly Laying[] = [],
    private readonly places: readonly ReadonlySet<string>[] = [],
  ) {
    for (const laying of layings) this.#put(laying);
  }

  /** Why a laying is refused; null: it fits. */
  refusal(laying: Laying): string | null {
    if (!this.set.has(laying.tile)) return "unknown_domino";
    for (const cell of cellsOf(laying)) {
      if (!this.inside(cell)) return "outside_frame";
      if (this.#taken.has(key(cell))) return "overlap";
    }
    const { places } = this;
    if (places.length && !places.some((place) => cellsOf(laying).every((cell) => place.has(key(cell)))))
      return "outside_frame";
    return halves(laying, this.set).some(({ disc, colour }) => (this.#shown.get(key(disc)) ?? colour) !== colour)
      ? "clash"
      : null;
  }

  fits(laying: Laying): boolean {
    return this.refusal(laying) === null;
  }

  /** The half-discs of a laying that meet others. */
  contacts(laying: Laying): number {
    return halves(laying, this.set).filter(({ disc }) => this.#shown.has(key(disc))).length;
  }

  /** Lay a domino; the number of its contacts. */
  lay(laying: Laying): number {
    const code = this.refusal(laying);
    if (code) throw new Refused(code, "");
    const contacts = this.contacts(laying);
    this.#put(laying);
    return contacts;
  }

  #put(laying: Laying): void {
    for (const cell of cellsOf(laying)) this.#taken.add(key(cell));
    for (const { disc, colour } of halves(laying, this.set)) this.#shown.set(key(disc), colour);
  }
}
