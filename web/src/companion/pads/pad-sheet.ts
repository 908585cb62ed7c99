/** A score pad as a table: what is read, shared as a text and drawn as a picture. */
import { joinList, t, withColon } from "../../i18n.ts";
import { itemAt } from "../../values.ts";

export interface SheetRow {
  /** In the table, and where there is more room. */
  readonly label: string;
  readonly words: string;
  readonly cells: readonly string[];
}

export interface PadSheet {
  /** What the game is played to. */
  readonly goal: string;
  readonly outcome: string | null;
  readonly names: readonly string[];
  /** Only what counts. */
  readonly rows: readonly SheetRow[];
  readonly totals: readonly number[];
  /** For each player the score after each turn. */
  readonly curves: readonly (readonly number[])[];
  /** What the scores are: "Points". */
  readonly measure: string;
  readonly target?: number;
  sayTotal(total: number): string;
}

/** Who has won; null while the game goes on. */
export function outcomeInWords(names: readonly string[], winners: readonly number[], isOver: boolean): string | null {
  if (!isOver) return null;
  if (!winners.length) return t("result_nobody");
  if (winners.length === names.length) return t("result_all_share");
  const won = winners.map((i) => itemAt(names, i));
  return won.length > 1 ? t("result_they_share", { names: joinList(won) }) : t("result_wins", { name: itemAt(won, 0) });
}

export const roundWords = (round: number): string => `${t("column_round")} ${round}`;

/** What is shared as text: the outcome, the totals, and each round. */
export function sheetAsText({ goal, outcome, names, rows, totals, sayTotal }: PadSheet): string {
  const sums = names.map((name, i) => t("said_by", { name, text: sayTotal(itemAt(totals, i)) }));
  const rounds = rows.map(({ words, cells }) => withColon(words, cells.map((text) => text || "–").join(" | ")));
  return [`Dalapapa · ${goal}`, outcome ?? "", ...sums, ...rounds].filter(Boolean).join("\n");
}
