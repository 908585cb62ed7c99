/** What may be placed in a frame of one's own: geometry alone decides, and the server has the last word. */
import type { TileSet } from "../data.ts";
import type { Race } from "../games/game.ts";
import { parsePosition, type Side } from "../geometry.ts";
import type { RaceView } from "../net/protocol.ts";
import { placeInFrame } from "./frames.ts";
import { NO_PLACEMENT, type Placement } from "./placement.ts";
import { frameFor } from "./races.ts";

export interface RacePosition {
  race: Race;
  view: RaceView;
  seat: number;
  set: TileSet;
  /** The domino that this player has pointed at, and the face that is wanted up. */
  picked: { tile: string; side: Side } | null;
  /** The frame is wanted lying, not upright, where it may be either. */
  isLying: boolean;
}

/** Finds places for the domino in hand, and only when they can differ: the same frame is the same placement. */
export class RacePlacing {
  #key = "";
  #placement = NO_PLACEMENT;

  place({ race, view, seat, set, picked, isLying }: RacePosition): Placement {
    const text = view.frames[seat]?.join(" ") ?? "";
    const layings = parsePosition(text);
    const frame = frameFor(race.frames(view.options, layings), layings, isLying);
    const tile = view.given_up.includes(seat) ? null : race.held(view, seat, picked?.tile ?? null, layings, set);
    const key = [seat, tile, frame.width, frame.height, text].join();
    if (key === this.#key && set === this.#placement.set) return this.#placement;
    const held = tile === null ? null : { tile, side: picked?.tile === tile ? picked.side : ("+" as const) };
    this.#key = key;
    this.#placement = { ...placeInFrame(tile, frame, layings, set), held };
    return this.#placement;
  }
}
