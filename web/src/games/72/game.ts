/** Dalapapa 72 (rules 8): tokens pay for layings, markers take territories. */
import { joinList, formatSigned, t } from "../../i18n.ts";
import type { Options } from "../../net/open.ts";
import type { Laid, View } from "../../net/protocol.ts";
import { colourName, pointsInWords } from "../../words.ts";
import { type GameParts, type Mark, type MarkerPaint, PANEL_KEYS, eventSentences } from "../game.ts";
import { itemAt } from "../../values.ts";

export interface View72 extends View {
  options: Options & { colours?: readonly MarkerPaint[] };
  active: number;
  tokens: number[];
  reserve: number;
  markers_left: number[];
  markers: Mark[];
  laid: Laid | null;
  premium: number | null;
  last_turns: number | null;
}

/** The colours of markers, in the order of the seats unless players have chosen theirs. */
const MARKER_COLOURS = ["black", "brown", "beige", "orange"] as const;

export const markerOf = ({ options }: View72, seat: number): MarkerPaint =>
  options.colours?.[seat] ?? itemAt(MARKER_COLOURS, seat);

/** Who passes shows the hand. */
export interface Showed {
  tiles: string[];
}

export default {
  set: "72",
  unit: "cells",
  preview: "makes",
  words: { discs: "connections", closes: "closes_territory", size: "cells", markable: "territories" },
  underWay: ({ laid }) => (laid ? [laid] : []),
  undoes: { marker_taken_back: "marker_put" },
  asked: ["colours"],
  marks: ({ markers }) => markers,
  markerOf,
  goods: ({ tokens }, seat) => t("replay_tokens", { count: itemAt(tokens, seat) }),
  keys: [PANEL_KEYS, { keys: ["A"], text: "key_replay", move: "replay" }],
  eventSentences: eventSentences<{
    tokens_moved: { tokens: number };
    marker_put: { colour: string; points: number };
    marker_taken_back: object;
    premium_taken: { points: number };
    premium_given_back: { points: number };
    replayed: object;
    showed: Showed;
  }>({
    tokens_moved: ({ tokens }, say) =>
      say(tokens > 0 ? "log_tokens_got" : "log_tokens_paid", { count: Math.abs(tokens) }),
    marker_put: ({ colour, points }, say) =>
      say("log_marker_put", { colour: colourName(colour), points: pointsInWords(points) }),
    marker_taken_back: (_, say) => say("log_marker_back"),
    premium_taken: ({ points }, say) => say("log_premium", { points: formatSigned(points) }),
    premium_given_back: ({ points }, say) => say("log_premium_back", { points: formatSigned(points) }),
    replayed: (_, say) => say("log_replayed"),
    showed: ({ tiles }, say) => say("log_showed", { tiles: joinList(tiles) }),
  }),
} satisfies GameParts<View72>;
