/** Puzzle (rules 5): everybody fills a frame from the middle. */
import { parseLaying } from "../../geometry.ts";
import type { RaceView } from "../../net/protocol.ts";
import { type GameParts, type Race, type Sent, eventSentences } from "../game.ts";
import { framesAfter, RACE } from "../race.ts";
import { itemAt } from "../../values.ts";
import { figureFrame } from "../../state/figures.ts";

export interface PuzzleView extends RaceView {
  middle: string[];
  held: (string | null)[];
}

/** What is in a player's hand after a move, whether it has been made already or not. */
function findHeldAfter(
  { held, middle, frames }: PuzzleView,
  { move: { player, move, tile, laying }, held: had }: Sent,
): string | null {
  const now = held[player] ?? null;
  switch (move) {
    case "take":
      return middle.includes(String(tile)) ? String(tile) : now;
    case "take_out":
      return itemAt(frames, player).some((one) => parseLaying(one).tile === tile) ? String(tile) : now;
    case "lay":
      return now === parseLaying(String(laying)).tile ? null : now;
    default:
      return move === "put_back" && now === had ? null : now;
  }
}

function after(view: PuzzleView, sent: Sent): PuzzleView {
  const { player, move } = sent.move;
  const [before, now] = [view.held[player] ?? null, findHeldAfter(view, sent)];
  const middle = view.middle.filter((tile) => tile !== now);
  if (move === "put_back" && before !== null && now === null) middle.push(before);
  return {
    ...view,
    middle,
    held: view.held.map((one, seat) => (seat === player ? now : one)),
    frames: framesAfter(view.frames, sent),
  };
}

const race: Race<PuzzleView> = {
  frames: (options, layings) => [figureFrame(options, layings)],
  course: ({ width = 4, height = 4, figure = "rectangle", place = "fixed", set = "120" }) => {
    const shape = figure === "rectangle" ? `${String(width)}x${String(height)}` : String(figure);
    return typeof set === "string" ? `${shape} ${set}${place === "free" ? " free" : ""}` : null;
  },
  held: ({ held }, seat) => held[seat] ?? null,
  stock: ({ middle, frames, held }, seat) => [
    ...middle,
    ...itemAt(frames, seat).map((laying) => parseLaying(laying).tile),
    ...(held[seat] ? [held[seat]] : []),
  ],
  after,
  inHand: ({ held }, seat) => held[seat] ?? null,
};

export default {
  ...RACE,
  race,
  // Everybody does so all the time, and sees it in the middle.
  quiet: ["took", "went_back"],
  eventSentences: {
    ...RACE.eventSentences,
    ...eventSentences<{ took: object }>({ took: (_, say) => say("log_took") }),
  },
} satisfies GameParts<PuzzleView>;
