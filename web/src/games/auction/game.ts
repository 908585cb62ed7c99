/** Auction (rules 2): the classic game, in which a turn can be bought. */
import { t } from "../../i18n.ts";
import type { View } from "../../net/protocol.ts";
import { CLASSIC } from "../classic/game.ts";
import { type GameParts, PANEL_KEYS, eventSentences } from "../game.ts";

export interface AuctionView extends View {
  active: number;
  hand_counts: number[];
  turn: NonNullable<View["turn"]>;
  bidding: { bid: number; holder: number; asked: number; out: number[] } | null;
  auctioned: boolean;
  declined: number[];
}

export default {
  ...CLASSIC,
  declined: ({ declined }) => declined,
  goods({ bidding }, seat) {
    if (!bidding) return null;
    const { bid, holder, asked, out } = bidding;
    return seat === holder
      ? t("auction_holds", { bid })
      : out.includes(seat)
        ? t("auction_out")
        : seat === asked
          ? t("auction_asked")
          : t("auction_waits");
  },
  shared: ["called", "raised", "followed", "left_auction", "auction_won", "paid", "declined"],
  keys: [PANEL_KEYS, { keys: ["N"], text: "key_decline", move: "decline" }],
  // Who declines says nothing that others need to know.
  eventSentences: eventSentences<{
    called: { bid: number };
    raised: { bid: number };
    followed: { bid: number };
    left_auction: object;
    auction_won: { bid: number };
    paid: { points: number };
  }>({
    called: ({ bid }, say) => say("log_called", { bid }),
    raised: ({ bid }, say) => say("log_raised", { bid }),
    followed: ({ bid }, say) => say("log_followed", { bid }),
    left_auction: (_, say) => say("log_left_auction"),
    auction_won: ({ bid }, say) => say("log_auction_won", { bid }),
    paid: ({ points, player }, say, _, among) => {
      const count = Math.abs(points);
      if (points > 0) return say("log_was_paid", { count });
      const sold = among.some((other) => other.event === "paid" && other.player !== player);
      return sold ? say("log_paid", { count }) : say("log_paid_half", { count });
    },
  }),
} satisfies GameParts<AuctionView>;
