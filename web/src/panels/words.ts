/** The game in words: for the log, for ears, and where colours are not seen. */
import type { Colour, GameName, TileSet } from "../data.ts";
import type { Laying, Side } from "../geometry.ts";
import { listed, signed, t, type TextName, tt, type Values } from "../i18n.ts";
import type { Candidate } from "../state/placer.ts";
import type { Earned, GameEvent } from "../net/types.ts";

export const colourName = (letter: string): string => tt(`colour_${letter}`);

/** "Centre yellow; from the left end clockwise: red, yellow, yellow, red, red, red". */
export function faceInWords(tile: string, side: Side, set: TileSet): string {
  const [middle, ...rest] = [...set.face(tile, side)] as Colour[];
  return t("face_words", { centre: colourName(middle!), colours: rest.map(colourName).join(", ") });
}

/** Points of discs: 0, 1, 2, 4, 6, 8, 10. */
export function discPoints(contacts: number): number {
  return contacts <= 2 ? contacts : 2 * (contacts - 1);
}

/** What a laying earned, before any charge. */
export function earnedPoints({ contacts, groups }: Earned): number {
  return groups.reduce((sum, { size }) => sum + size, discPoints(contacts));
}

/** "2 discs (2 points), closes yellow (7 points)". */
export function earnedInWords(earned: Earned): string {
  const parts: string[] = [];
  if (earned.contacts) parts.push(t("said_discs", { count: earned.contacts }));
  for (const { colour, size } of earned.groups) parts.push(t("said_closes", { colour: colourName(colour), count: size }));
  return listed(parts);
}

/** Where a laying lies: "row 3, column -2, lying east". */
export function placeInWords(laying: Laying): string {
  return t("place_words", { row: laying.y, column: laying.x, direction: tt(`direction_${laying.rotation}`) });
}

/** A legal laying for ears: where, what it makes, what it earns. */
export function candidateInWords({ laying, scored, makes }: Candidate): string {
  const place = placeInWords(laying);
  if (makes) return `${place}: ${earnedInWords(makes)}`;
  if (!scored) return place;
  const earned = earnedInWords({ contacts: scored.contacts, groups: scored.groups });
  return `${place}: ${t("said_points", { count: scored.points })}${earned ? ` (${earned})` : ""}`;
}

/** How one event reads in the log, `among` those of the same move; null: not worth a line. */
export function eventInWords(event: GameEvent, names: readonly string[], game?: GameName, among: readonly GameEvent[] = []): string | null {
  const name = event.player === undefined || event.player === null ? "" : (names[event.player] ?? "?");
  const say = (text: TextName, values: Values = {}) => t(text, { name, ...values });
  switch (event.event) {
    case "laid": {
      const earned = earnedInWords(game === "gone" ? { ...event.earned, groups: [] } : event.earned);
      if (!event.scores) return earned ? say("log_laid_with", { earned }) : say("log_laid");
      const points = earnedPoints(event.earned) - event.charge;
      const charge = event.charge ? t("log_charge", { points: event.charge }) : "";
      return say("log_laid_points", { earned: earned + charge, points: signed(points) });
    }
    case "drew":
      return say("log_drew", { count: event.count });
    default: {
      const teller = TELLERS[`${game} ${event.event}`] ?? TELLERS[event.event];
      return teller ? teller(event, say, names, among) : null;
    }
  }
}

type Say = (text: TextName, values?: Values) => string;
type Teller = (event: GameEvent, say: Say, names: readonly string[], among: readonly GameEvent[]) => string | null;

/** One line for each other kind of event that is worth one. */
const TELLERS: Record<string, Teller> = {
  undone: (_, say) => say("log_undone"),
  passed: (_, say) => say("log_passed"),
  passed_over: (_, say) => say("log_passed_over"),
  turn_ended: (event, say) => say("log_turn_ended", { count: event.turn_points }),
  target_reached: (event, say) => say("log_target", { score: event.score }),
  ended: () => t("log_ended"),
  // Auction (rules 2): who declines says nothing that others need to know.
  called: (event, say) => say("log_called", { bid: event.bid }),
  raised: (event, say) => say("log_raised", { bid: event.bid }),
  followed: (event, say) => say("log_followed", { bid: event.bid }),
  left_auction: (_, say) => say("log_left_auction"),
  auction_won: (event, say) => say("log_auction_won", { bid: event.bid }),
  paid: (event, say, _, among) => {
    const count = Math.abs(event.points);
    if (event.points > 0) return say("log_was_paid", { count });
    const sold = among.some((other) => other.event === "paid" && other.player !== event.player);
    return sold ? say("log_paid", { count }) : say("log_paid_half", { count });
  },
  // Conquest (rules 3)
  "conquest target_reached": (event, say) => say("log_target_conquest", { score: event.score }),
  marked: (_, say) => say("log_marked"),
  unmarked: (_, say) => say("log_unmarked"),
  marks_lost: (event, say, names) => say("log_marks_lost", { names: listed([...new Set<number>(event.players)].map((seat) => names[seat] ?? "?")) }),
  mark_counted: (event, say) => say("log_mark_counted", { colour: colourName(event.colour), points: signed(event.points) }),
  // Dalapapa 72 (rules 8)
  tokens_moved: (event, say) => say(event.tokens > 0 ? "log_tokens_got" : "log_tokens_paid", { count: Math.abs(event.tokens) }),
  marker_put: (event, say) => say("log_marker_put", { colour: colourName(event.colour), points: signed(event.points) }),
  marker_taken_back: (_, say) => say("log_marker_back"),
  premium_taken: (event, say) => say("log_premium", { points: signed(event.points) }),
  premium_given_back: (event, say) => say("log_premium_back", { points: signed(event.points) }),
  replayed: (_, say) => say("log_replayed"),
  showed: (event, say) => say("log_showed", { tiles: listed(event.tiles) }),
  // Puzzle, Arlequin (rules 5, 6); a domino that nobody had goes back without a word.
  took: (_, say) => say("log_took"),
  framed: (event, say) => say("log_framed", { count: event.contacts }),
  taken_out: (_, say) => say("log_taken_out"),
  went_back: (event, say) => (event.player == null ? null : say("log_put_back")),
  gave_up: (_, say) => say("log_gave_up"),
  time_ran_out: () => t("log_time_ran_out"),
  // Alex (rules 7), where passing means something else.
  "alex passed": (_, say) => say("log_no_more"),
  round_began: (event) => t("log_round_began", { round: event.round }),
  round_skipped: (event) => t("log_round_skipped", { round: event.round }),
  announced: (event, say) => say("log_announced", { points: event.announced }),
  showing: (event, say) => say("log_showing", { count: event.announced }),
  proved: (event, say) => say("told_proved", { points: event.points, shown: event.shown }),
  punished: (event, _, names) => tt(`told_punished_${event.mistake}`, { name: names[event.player ?? -1] ?? "?", count: event.announced }),
  revealed: (event) => (event.best ? t("log_revealed", { count: event.best.points }) : t("told_nothing")),
};
