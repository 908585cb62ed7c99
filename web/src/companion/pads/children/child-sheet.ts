/** The pad of the children's game as a table. */
import { t } from "../../../i18n.ts";
import { outcomeInWords, type PadSheet } from "../pad-sheet.ts";
import { type ChildPad, findChildStanding } from "./child-pad.ts";

export function childSheet(pad: ChildPad): PadSheet {
  const { left, curves, next, winners } = findChildStanding(pad);
  return {
    goal: t("pad_kind_ages"),
    outcome: outcomeInWords(pad.names, winners, next === null),
    names: pad.names,
    rows: [],
    totals: left,
    curves,
    measure: t("measure_left"),
    sayTotal: (count) => t("child_left", { count }),
  };
}
