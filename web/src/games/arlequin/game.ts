/** Arlequin (rules 6): everybody fills a frame from a pile. */
import type { RaceView } from "../../net/protocol.ts";
import type { GameParts, Race } from "../game.ts";
import { framesAfter, RACE } from "../race.ts";

export interface ArlequinView extends RaceView {
  /** The pile of each player. */
  piles: number[];
}

const race: Race<ArlequinView> = {
  // Upright or lying, until a domino fits only one of them.
  frames: () => [
    { width: 8, height: 10 },
    { width: 10, height: 8 },
  ],
  course: () => "8x10",
  held: ({ piles }, seat, picked, layings, set) =>
    picked !== null && set.get(picked).pile === piles[seat] && !layings.some(({ tile }) => tile === picked)
      ? picked
      : null,
  stock: ({ piles }, seat, set) => set.tiles.filter(({ pile }) => pile === piles[seat]).map(({ name }) => name),
  after: (view, sent) => ({ ...view, frames: framesAfter(view.frames, sent) }),
  pile: ({ piles }, seat) => piles[seat],
};

export default {
  ...RACE,
  race,
} satisfies GameParts<ArlequinView>;
