/** What the races share: everybody fills a frame, all at once. */
import { parseLaying } from "../geometry.ts";
import type { RaceView } from "../net/protocol.ts";
import { type GameParts, type Sent, eventSentences } from "./game.ts";

/** The frames after a move, whether they had it already or not. */
export function framesAfter(frames: readonly string[][], { move: { player, move, laying, tile } }: Sent): string[][] {
  const change = (own: string[]): string[] => {
    if (move === "lay" && !own.includes(String(laying))) return [...own, String(laying)];
    return move === "take_out" ? own.filter((one) => parseLaying(one).tile !== tile) : own;
  };
  return frames.map((own, seat) => (seat === player ? change(own) : own));
}

export const RACE: GameParts<RaceView> = {
  measure: "framed",
  atOnce: true,
  turnEnds: ["framed", "taken_out", "took", "went_back"],
  keys: [
    { keys: ["⌫"], text: "put_back" },
    { keys: ["H"], text: "show_place" },
    { keys: ["O"], text: "key_hole" },
  ],
  eventSentences: eventSentences<{
    framed: { contacts: number };
    taken_out: object;
    went_back: object;
    got_hint: { question: "place" | "possible" };
    gave_up: object;
    time_ran_out: object;
  }>({
    framed: ({ contacts }, say) => say("log_framed", { count: contacts }),
    taken_out: (_, say) => say("log_taken_out"),
    // A domino that no player had goes back without a word.
    went_back: ({ player }, say) => (player == null ? null : say("log_put_back")),
    got_hint: ({ question }, say) => say(question === "place" ? "log_hint_place" : "log_hint_possible"),
    gave_up: (_, say) => say("log_gave_up"),
    time_ran_out: (_, say) => say("log_time_ran_out"),
  }),
};
