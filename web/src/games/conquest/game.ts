/** Conquest (rules 3): the classic game with marks on groups. */
import type { Disc } from "../../geometry.ts";
import { joinList, t } from "../../i18n.ts";
import type { View } from "../../net/protocol.ts";
import { colourName, pointsInWords } from "../../words.ts";
import { CLASSIC } from "../classic/game.ts";
import { type GameParts, type Mark, PANEL_KEYS, eventSentences } from "../game.ts";
import { itemAt } from "../../values.ts";

export interface ConquestView extends View {
  marks: Mark[];
  marks_left: number[];
  marked: boolean;
}

/** The marks at `discs` are lost, each of one of the `players`. */
export interface MarksLost {
  players: number[];
  discs: Disc[];
}

export default {
  ...CLASSIC,
  marks: ({ marks }) => marks,
  goods: ({ marks_left }, seat) => t("marks_left", { count: itemAt(marks_left, seat) }),
  undoes: { unmarked: "marked" },
  keys: [PANEL_KEYS],
  eventSentences: eventSentences<{
    target_reached: { score: number };
    marked: object;
    unmarked: object;
    marks_lost: MarksLost;
    mark_counted: { colour: string; points: number };
  }>({
    target_reached: ({ score }, say) => say("log_target_conquest", { score }),
    marked: (_, say) => say("log_marked"),
    unmarked: (_, say) => say("log_unmarked"),
    marks_lost: ({ players }, say, names) =>
      say("log_marks_lost", { names: joinList([...new Set(players)].map((seat) => names[seat] ?? "?")) }),
    mark_counted: ({ colour, points }, say) =>
      say("log_mark_counted", { colour: colourName(colour), points: pointsInWords(points) }),
  }),
} satisfies GameParts<ConquestView>;
