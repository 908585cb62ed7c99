/** How a game ended, in words. */
import { listed, signed, t, tt } from "../i18n.ts";
import type { Outcome } from "../net/types.ts";
import type { Measure } from "../state/replay.ts";

/** Who has won, said to those whose seats are `yours`; nobody's for spectators and shared screens. */
export function headline({ winners }: Outcome, names: readonly string[], yours: readonly number[] = []): string {
  const me = yours.length === 1 ? yours[0]! : null;
  if (names.length === 1) return winners.length ? t("result_alone_won") : t("result_alone_lost");
  if (!winners.length) return t("result_nobody");
  if (me !== null && winners.includes(me)) {
    const others = winners.filter((seat) => seat !== me).map((seat) => names[seat]!);
    return others.length ? t("result_you_share", { names: listed(others) }) : t("result_you_win");
  }
  if (winners.length === names.length) return t("result_all_share");
  const who = listed(winners.map((seat) => names[seat]!));
  return winners.length > 1 ? t("result_they_share", { names: who }) : t("result_wins", { name: who });
}

/** Why it ended: the target, an empty hand, ... */
export function reasonInWords({ reason, winners }: Outcome): string {
  if (reason === "given_up" && !winners.length) return t("result_all_gave_up");
  const text = tt(`reason_${reason}`);
  return text === `reason_${reason}` ? t("over") : text;
}

/** Which measure a game's scores are in, told by its name. */
export function measureOf(game: string): Measure {
  return game === "gone" ? "left" : game === "puzzle" || game === "arlequin" ? "framed" : "points";
}

/** A final score as the game counts it. Gone's are the dominoes left, taken off. */
export function scoreInWords(score: number, measure: Measure): string {
  if (measure === "points") return t("said_points", { count: score });
  if (measure === "left") return t("score_left", { count: Math.abs(score) });
  return t("score_framed", { count: score });
}

/** The number by itself, for a column. */
export function scoreNumber(score: number, measure: Measure): string {
  return measure === "left" ? signed(Math.abs(score)).replace("+", "") : signed(score).replace("+", "");
}
