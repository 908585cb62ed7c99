/** A score pad in words, to be read and to be shared. */
import { formatMinus, formatSigned, joinList, t, withColon } from "../../../i18n.ts";
import { pointsInWords } from "../../../words.ts";
import { itemAt } from "../../../values.ts";
import { findSeats, isOver, type Pad, type PadStanding, roundOf } from "./pad.ts";
import { paymentsOf, type Sale } from "./sale.ts";
import { sumOf, turnPoints } from "./turn-entry.ts";

/** Who has won; null while the game goes on. */
export function outcomeInWords({ names }: Pad, { winners }: PadStanding): string | null {
  if (!winners.length) return null;
  if (winners.length === names.length) return t("result_all_share");
  const won = winners.map((i) => itemAt(names, i));
  return won.length > 1 ? t("result_they_share", { names: joinList(won) }) : t("result_wins", { name: itemAt(won, 0) });
}

/** A turn in the table, and what was paid for it, by the numbers of the players. */
export interface PadCell {
  /** Of the turn; below zero where the player has none in this round. */
  readonly index: number;
  readonly text: string;
}

/** The points of each round: a row for each, with an empty text where a turn is not played yet. */
export function rowsOf(pad: Pad): PadCell[][] {
  const { names, turns, sales } = pad;
  const seats = findSeats({ ...pad, draft: { index: turns.length, turn: null, sale: null } });
  const played = seats.slice(0, turns.length);
  const rounds = played.length ? roundOf(itemAt(played, played.length - 1).seat, names.length) + 1 : 0;
  return Array.from({ length: rounds }, (_, round) =>
    names.map((_, player) => {
      const index = played.findIndex(({ seat }) => seat === round * names.length + player);
      if (index < 0) return { index, text: "" };
      const { home } = itemAt(seats, index);
      const paid = sales[index] ? paymentsOf(itemAt(sales, index) as Sale, home % names.length) : [];
      const payments = paid.map(([who, points]) => withColon(String(who + 1), formatSigned(points)));
      const points = formatMinus(turnPoints(itemAt(turns, index)));
      return { index, text: payments.length ? `${points} (${payments.join(", ")})` : points };
    }),
  );
}

/** Only the turns that count. */
export function countedRows(pad: Pad, { counted }: PadStanding): PadCell[][] {
  return rowsOf({ ...pad, turns: pad.turns.slice(0, counted), sales: pad.sales.slice(0, counted) });
}

/** The points of marks, once the game is over; null where there are none. */
export function marksRow({ kind, marked }: Pad, standing: PadStanding): string[] | null {
  return kind === "marks" && isOver(standing) ? marked.map((sizes) => formatMinus(sumOf(sizes))) : null;
}

/** What is shared as text: the outcome, the totals, and the points of each round. */
export function padAsText(pad: Pad, standing: PadStanding): string {
  const rows = countedRows(pad, standing);
  const totals = pad.names
    .map((name, i) => t("said_by", { name, text: pointsInWords(itemAt(standing.scores, i)) }))
    .join("\n");
  const rounds = rows.map((row, i) =>
    withColon(`${t("column_round")} ${i + 1}`, row.map(({ text }) => text || "–").join(" | ")),
  );
  const marks = marksRow(pad, standing);
  if (marks) rounds.push(withColon(t("pad_marks"), marks.join(" | ")));
  const head = `Dalapapa · ${t("target", { points: pad.target })}`;
  return [head, outcomeInWords(pad, standing) ?? "", totals, ...rounds].filter(Boolean).join("\n");
}
