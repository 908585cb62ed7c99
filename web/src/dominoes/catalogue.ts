/** Which of the dominoes are shown, and in which order; without a screen. */
import { computed, signal } from "@preact/signals";
import { SET_120, type Tile } from "../data.ts";

export const ORDERS = ["figure", "pile", "name"] as const;
export type TileOrder = (typeof ORDERS)[number];

/** The letters of the figures, as the set has them. */
export const FIGURES: readonly string[] = [...new Set(SET_120.tiles.map(({ name }) => name.charAt(0)))];

export class Catalogue {
  readonly figure = signal("");
  readonly pile = signal(0);
  readonly name = signal("");
  readonly order = signal<TileOrder>("figure");

  /** The domino that is meant, if the text is the name of its back. */
  readonly front = computed(() => SET_120.frontOf(this.name.value));

  readonly shown = computed<Tile[]>(() => {
    const wanted = this.front.value ?? this.name.value;
    const found = SET_120.tiles.filter(
      ({ name, pile }) =>
        (!this.figure.value || name[0] === this.figure.value)
        && (!this.pile.value || pile === this.pile.value)
        && name.includes(wanted),
    );
    // The set is in the order of its figures; sorting leaves equals as they are.
    if (this.order.value === "pile") found.sort((one, other) => (one.pile ?? 0) - (other.pile ?? 0));
    if (this.order.value === "name") found.sort((one, other) => (one.name < other.name ? -1 : 1));
    return found;
  });
}
