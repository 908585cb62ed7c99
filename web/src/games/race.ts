/** What the races share: everybody fills a frame, all at once. */
import { type GameParts, type RaceView, tellers } from "./game.ts";

export const RACE: GameParts<RaceView> = {
  measure: "framed",
  atOnce: true,
  turnEnds: ["framed", "taken_out", "took", "went_back"],
  actors: ({ phase, frames, given_up }) => (phase === "over" ? [] : frames.map((_, seat) => seat).filter((seat) => !given_up.includes(seat))),
  keys: [{ keys: ["⌫"], text: "put_back" }],
  tellers: tellers<{
    framed: { contacts: number };
    taken_out: object;
    went_back: object;
    gave_up: object;
    time_ran_out: object;
  }>({
    framed: ({ contacts }, say) => say("log_framed", { count: contacts }),
    taken_out: (_, say) => say("log_taken_out"),
    // A domino that nobody had goes back without a word.
    went_back: ({ player }, say) => (player == null ? null : say("log_put_back")),
    gave_up: (_, say) => say("log_gave_up"),
    time_ran_out: (_, say) => say("log_time_ran_out"),
  }),
};
