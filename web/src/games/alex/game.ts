/** Alex (rules 7): two dominoes for all; who sees most announces it, and shows it. */
import { t, tt } from "../../i18n.ts";
import type { Turn } from "../../net/api.ts";
import type { Options } from "../../net/open.ts";
import type { View } from "../../net/protocol.ts";
import { type GameParts, eventSentences } from "../game.ts";

export interface AlexView extends View {
  options: Options & {
    end: "target" | "rounds" | "time";
    rounds: number;
    sandglass: number;
    show: number | null;
    look: number;
  };
  scores: number[];
  mistakes: number[];
  /** Who is out of the game. */
  out: number[];
  round: number;
  drawn: string[];
  sitting_out: number[];
  announcements: { player: number; points: number }[];
  passed: number[];
  failed: number[];
  shower: number | null;
}

/** The mistake that throws a player into the lake: the host says `out`, and this is when it is shown. */
export const SPLASH_MISTAKE = 3;

/** Time to see a player swim, and otherwise the last laying, before the result covers it. */
const SWIM = 5200;
const PAUSE = 1400;

/** Who has announced most so far: the others have the rest of the sand. */
export const leader = ({ announcements }: AlexView): number | null => announcements.at(-1)?.player ?? null;

/** Whether a player takes part in this round. */
export const plays = ({ sitting_out, out }: AlexView, seat: number): boolean =>
  !sitting_out.includes(seat) && !out.includes(seat);

/** The best turn that no player has shown. */
export interface Revealed {
  best: Turn | null;
}

export interface Punished {
  /** Which one of the player's. */
  mistake: number;
  announced: number;
}

export default {
  atOnce: true,
  inRounds: true,
  turnEnds: ["turn_ended", "proved", "revealed"],
  turnBegins: ["round_began", "round_skipped"],
  // The end of the round says what was laid and shown.
  quiet: ["laid", "showing"],
  unannounced: ["round_began", "showing"],
  pause: (events) =>
    events.some(({ event, mistake }) => event === "punished" && mistake === SPLASH_MISTAKE) ? SWIM : PAUSE,
  drawn: ({ drawn }) => drawn,
  goods: ({ mistakes }, seat) => (mistakes[seat] ? t("mistakes", { count: mistakes[seat] }) : null),
  keys: [
    { keys: ["0 … 9"], text: "announce_points" },
    { keys: ["N"], text: "no_more" },
  ],
  eventSentences: eventSentences<{
    passed: object;
    round_began: { round: number };
    round_skipped: { round: number };
    announced: { announced: number };
    showing: { announced: number };
    proved: { points: number; shown: number };
    punished: Punished;
    revealed: Revealed;
  }>({
    // Here it means something else than elsewhere.
    passed: (_, say) => say("log_no_more"),
    round_began: ({ round }, say) => say("alex_round", { round }),
    round_skipped: ({ round }, say) => say("log_round_skipped", { round }),
    announced: ({ announced }, say) => say("log_announced", { points: announced }),
    showing: ({ announced }, say) => say("log_showing", { count: announced }),
    proved: ({ points, shown }, say) => say("log_proved", { points, shown }),
    punished: ({ mistake, announced, player }, _, names) =>
      tt(`log_punished_${mistake}`, { name: names[player ?? -1] ?? "?", count: announced }),
    revealed: ({ best }, say) => (best ? say("log_revealed", { count: best.points }) : say("log_nothing_fits")),
  }),
} satisfies GameParts<AlexView>;
