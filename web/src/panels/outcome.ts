/** How a game ended, in words. */
import type { Measure } from "../games/game.ts";
import { joinList, formatSigned, t, textOr } from "../i18n.ts";
import type { Outcome } from "../net/protocol.ts";
import { pointsInWords } from "../words.ts";

/** Who has won, said to those whose seats are `yours`; empty for spectators and shared screens. */
export function headline({ winners }: Outcome, names: readonly string[], yours: readonly number[] = []): string {
  const [me, ...others] = yours;
  if (names.length === 1) return winners.length ? t("result_alone_won") : t("result_alone_lost");
  if (!winners.length) return t("result_nobody");
  if (me !== undefined && !others.length && winners.includes(me)) {
    const sharing = winners.filter((seat) => seat !== me).map((seat) => names[seat] ?? "");
    return sharing.length ? t("result_you_share", { names: joinList(sharing) }) : t("result_you_win");
  }
  if (winners.length === names.length) return t("result_all_share");
  const who = joinList(winners.map((seat) => names[seat] ?? ""));
  return winners.length > 1 ? t("result_they_share", { names: who }) : t("result_wins", { name: who });
}

/** The seats whose player has not left the game to a bot. */
export const staying = (yours: readonly number[], seats: readonly { away: boolean }[]): number[] =>
  yours.filter((seat) => !seats[seat]?.away);

/** Whether those whose seats are `yours` have something to celebrate: who lost has not, and who looks on may. */
export function celebrates({ winners }: Outcome, yours: readonly number[]): boolean {
  return winners.length > 0 && (!yours.length || winners.some((seat) => yours.includes(seat)));
}

/** Why it ended: the target, an empty hand, ... */
export function reasonInWords({ reason, winners }: Outcome): string {
  if (reason === "given_up" && !winners.length) return t("result_all_gave_up");
  return textOr(`reason_${reason}`, t("over"));
}

/** A final score as the game counts it; dominoes left are taken off. */
export function scoreInWords(score: number, measure: Measure): string {
  if (measure === "points") return pointsInWords(score);
  if (measure === "left") return t("score_left", { count: Math.abs(score) });
  return t("score_framed", { count: score });
}

/** The number by itself, for a column. */
export function scoreNumber(score: number, measure: Measure): string {
  return formatSigned(measure === "left" ? Math.abs(score) : score).replace("+", "");
}
