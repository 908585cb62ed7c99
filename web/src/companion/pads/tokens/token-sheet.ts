/** The score pad of the game with tokens as a table. */
import { formatMinus, t } from "../../../i18n.ts";
import { pointsInWords } from "../../../words.ts";
import { outcomeInWords, type PadSheet, roundWords } from "../pad-sheet.ts";
import { cellsOfTurn, findTokenStanding, isTokenPass, PREMIUM_POINTS, type TokenPad } from "./token-pad.ts";

/** The cells that each turn has marked, in rounds; a dash is a pass. */
export function tokenRows({ names, turns }: TokenPad): { index: number; text: string }[][] {
  const rounds = Math.ceil(turns.length / names.length);
  return Array.from({ length: rounds }, (_, round) =>
    names.map((_, player) => {
      const index = round * names.length + player;
      const turn = turns[index];
      return { index, text: turn ? (isTokenPass(turn) ? "–" : formatMinus(cellsOfTurn(turn))) : "" };
    }),
  );
}

/** The premium of the player who has it; null before. */
export function premiumRow({ names }: TokenPad, premium: number | null): string[] | null {
  return premium === null ? null : names.map((_, player) => (player === premium ? String(PREMIUM_POINTS) : ""));
}

export function tokenSheet(pad: TokenPad): PadSheet {
  const { scores, curves, winners, ending, counted, premium } = findTokenStanding(pad);
  const rows = tokenRows({ ...pad, turns: pad.turns.slice(0, counted) }).map((row, i) => ({
    label: String(i + 1),
    words: roundWords(i + 1),
    cells: row.map(({ text }) => text),
  }));
  const extra = premiumRow(pad, premium);
  if (extra) rows.push({ label: t("token_premium"), words: t("token_premium"), cells: extra });
  return {
    goal: t("pad_kind_tokens"),
    outcome: outcomeInWords(pad.names, winners, ending !== null),
    names: pad.names,
    rows,
    totals: scores,
    curves,
    measure: t("measure_points"),
    sayTotal: pointsInWords,
  };
}
