/** Puzzle (rules 5): everybody fills a frame from the middle. */
import { parseLaying } from "../../geometry.ts";
import { type GameParts, type Race, type RaceView, tellers } from "../game.ts";
import { RACE } from "../race.ts";

export interface PuzzleView extends RaceView {
  middle: string[];
  held: (string | null)[];
}

const race: Race<PuzzleView> = {
  frames: ({ width = 4, height = 4 }) => [{ width: Number(width), height: Number(height) }],
  course: ({ width = 4, height = 4, set = "120" }) => (typeof set === "string" ? `${String(width)}x${String(height)} ${set}` : null),
  held: ({ held }, seat) => held[seat] ?? null,
  stock: ({ middle, frames, held }, seat) => [
    ...middle, ...frames[seat]!.map((laying) => parseLaying(laying).tile), ...(held[seat] ? [held[seat]] : []),
  ],
  inHand: ({ held }, seat) => held[seat] ?? null,
};

export default {
  ...RACE,
  race,
  // Everybody does so all the time, and sees it in the middle.
  quiet: ["took", "went_back"],
  tellers: { ...RACE.tellers, ...tellers<{ took: object }>({ took: (_, say) => say("log_took") }) },
} satisfies GameParts<PuzzleView>;
