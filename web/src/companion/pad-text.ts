/** A score pad in words, to be read and to be shared. */
import { formatMinus, joinList, t } from "../i18n.ts";
import { pointsInWords } from "../words.ts";
import { itemAt } from "../values.ts";
import { isOver, type Pad, type PadStanding } from "./pad.ts";
import { sumOf, turnPoints } from "./turn-entry.ts";

/** Who has won; null while the game goes on. */
export function outcomeInWords({ names }: Pad, { winners }: PadStanding): string | null {
  if (!winners.length) return null;
  if (winners.length === names.length) return t("result_all_share");
  const won = winners.map((i) => itemAt(names, i));
  return won.length > 1 ? t("result_they_share", { names: joinList(won) }) : t("result_wins", { name: itemAt(won, 0) });
}

/** The points of each round: a row for each, with an empty text where a turn is not played yet. */
export function rowsOf({ names, turns }: Pick<Pad, "names" | "turns">): string[][] {
  const rounds = Math.ceil(turns.length / names.length);
  return Array.from({ length: rounds }, (_, round) =>
    names.map((_, player) => {
      const turn = turns[round * names.length + player];
      return turn ? formatMinus(turnPoints(turn)) : "";
    }),
  );
}

/** The points of marks, once the game is over; null where there are none. */
export function marksRow({ kind, marked }: Pad, standing: PadStanding): string[] | null {
  return kind === "marks" && isOver(standing) ? marked.map((sizes) => formatMinus(sumOf(sizes))) : null;
}

/** What is shared as text: the outcome, the totals, and the points of each round. */
export function padAsText(pad: Pad, standing: PadStanding): string {
  const counted = { ...pad, turns: pad.turns.slice(0, standing.counted) };
  const totals = pad.names
    .map((name, i) => t("said_by", { name, text: pointsInWords(itemAt(standing.scores, i)) }))
    .join("\n");
  const rounds = rowsOf(counted).map(
    (row, i) => `${t("column_round")} ${i + 1}: ${row.map((one) => one || "–").join(" | ")}`,
  );
  const marks = marksRow(pad, standing);
  if (marks) rounds.push(`${t("pad_marks")}: ${marks.join(" | ")}`);
  const head = `Dalapapa · ${t("target", { points: pad.target })}`;
  return [head, outcomeInWords(pad, standing) ?? "", totals, ...rounds].filter(Boolean).join("\n");
}
