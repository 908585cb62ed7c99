/** The score pad of a game in rounds as a table. */
import { formatSigned, t } from "../../../i18n.ts";
import { itemAt } from "../../../values.ts";
import { pointsInWords } from "../../../words.ts";
import { outcomeInWords, type PadSheet, roundWords } from "../pad-sheet.ts";
import { findEffects, findRoundStanding, MAX_MISTAKES, type RoundPad } from "./round-pad.ts";

/** What each player got in each round: points, a mistake that costs none in words, or nothing. */
export function roundCells(pad: RoundPad): string[][] {
  const mistakes = pad.names.map(() => 0);
  return pad.rounds.map((round) => {
    const cells = pad.names.map(() => "");
    for (const { player, points, mistake } of findEffects(round, mistakes)) {
      cells[player] = points ? formatSigned(points) : t(mistake < MAX_MISTAKES ? "round_wrong" : "round_lake");
      mistakes[player] = mistake || itemAt(mistakes, player);
    }
    return cells;
  });
}

export const goalInWords = ({ end, target }: RoundPad): string =>
  end === "target" ? t("target", { points: target }) : t("round_goal", { count: target });

export function roundSheet(pad: RoundPad): PadSheet {
  const { scores, curves, winners, ending, counted, numbers } = findRoundStanding(pad);
  const rows = roundCells(pad).slice(0, counted);
  return {
    goal: goalInWords(pad),
    outcome: outcomeInWords(pad.names, winners, ending !== null),
    names: pad.names,
    rows: rows.map((cells, i) => ({
      label: String(itemAt(numbers, i)),
      words: roundWords(itemAt(numbers, i)),
      cells,
    })),
    totals: scores,
    curves,
    measure: t("measure_points"),
    ...(pad.end === "target" && { target: pad.target }),
    sayTotal: pointsInWords,
  };
}

/** Whether a player has been put out of the game. */
export const isThrownOut = (mistakes: readonly number[], player: number): boolean =>
  itemAt(mistakes, player) >= MAX_MISTAKES;
