/** The score pad of the classic turn as a table. */
import { formatMinus, formatSigned, t, withColon } from "../../../i18n.ts";
import { itemAt } from "../../../values.ts";
import { pointsInWords } from "../../../words.ts";
import { sumOf } from "../../numbers.ts";
import { outcomeInWords, type PadSheet, roundWords } from "../pad-sheet.ts";
import { paymentsOf, type Sale } from "./sale.ts";
import { turnPoints } from "./turn-entry.ts";
import { findSeats, findTurnStanding, isOver, roundOf, type TurnPad, type TurnStanding } from "./turn-pad.ts";

/** A turn in the table, and what was paid for it, by the numbers of the players. */
export interface PadCell {
  /** Of the turn; below zero where the player has none in this round. */
  readonly index: number;
  readonly text: string;
}

/** The points of each round: a row for each, with an empty text where a turn is not played yet. */
export function rowsOf(pad: TurnPad): PadCell[][] {
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

/** The points of marks, once the game is over; null where there are none. */
export function marksRow({ kind, marked }: TurnPad, standing: TurnStanding): string[] | null {
  return kind === "marks" && isOver(standing) ? marked.map((sizes) => formatMinus(sumOf(sizes))) : null;
}

export function turnSheet(pad: TurnPad): PadSheet {
  const { names, target } = pad;
  const standing = findTurnStanding(pad);
  const { counted, scores, curves, winners } = standing;
  const played = rowsOf({ ...pad, turns: pad.turns.slice(0, counted), sales: pad.sales.slice(0, counted) });
  const rows = played.map((row, i) => ({
    label: String(i + 1),
    words: roundWords(i + 1),
    cells: row.map(({ text }) => text),
  }));
  const marks = marksRow(pad, standing);
  if (marks) rows.push({ label: t("pad_marks"), words: t("pad_marks"), cells: marks });
  return {
    goal: t("target", { points: target }),
    outcome: outcomeInWords(names, winners, isOver(standing)),
    names,
    rows,
    totals: scores,
    curves,
    measure: t("measure_points"),
    target,
    sayTotal: pointsInWords,
  };
}
