/** The table of Auction: a turn can be bought. What it is worth is for the players to find out. */
import { useSignal } from "@preact/signals";
import { t, withColon } from "../../i18n.ts";
import type { Session, TableProps } from "../../state/session.ts";
import { turnTable } from "../../tables/turn-table.tsx";
import { BidField } from "./bid-field.tsx";
import type { AuctionView } from "./game.ts";
import { itemAt, requireValue } from "../../values.ts";
import { Commit } from "../../shell/commit.tsx";

type Props = TableProps<AuctionView>;

const LEAST = 2;
const STEP = 2;

export default turnTable<AuctionView>({ Panel: AuctionPanel, status });

/** What is expected, where that is not a laying. */
function status(session: Session<AuctionView>): string | null {
  const [view, seat] = [session.requireView(), session.seat.value];
  const name = (player: number) => session.nameOf(player);
  if (view.bidding)
    return session.myTurn.value ? t("auction_you") : t("auction_asks", { name: name(view.bidding.asked) });
  if (seat !== null && session.undecided.value.includes(seat)) return t("auction_offer", { name: name(view.active) });
  return null;
}

function AuctionPanel({ session }: Props) {
  const view = session.requireView();
  if (view.outcome) return null;
  if (view.bidding) return <Bidding session={session} />;
  const calling = session.invited.value;
  // The place of the panel is kept, so that the table stays where it is.
  if (!calling.length) return <div class="game-panel auction" />;
  const mine = calling.filter(
    (seat) => session.yours.value.includes(seat) && !session.requireTable().seats[seat]?.away,
  );
  const seat = session.seat.value;
  return (
    <section class="game-panel auction" aria-label={t("auction")}>
      {seat !== null && mine.includes(seat) ? (
        <Calling session={session} seat={seat} />
      ) : (
        <>
          <Waiting session={session} />
          {mine.map((seat) => (
            <Guest key={seat} session={session} seat={seat} />
          ))}
        </>
      )}
    </section>
  );
}

/** Before the first laying, one's own offer; who has said no may still think better of it. */
function Calling({ session, seat }: Props & { seat: number }) {
  const after = useSignal(false);
  const declined = session.requireView().declined.includes(seat);
  const whose = `${seat} ${session.requireView().active}`;
  const call = (bid: number) => void session.move({ move: "call", bid }, seat);
  if (declined && !after.value) {
    return (
      <>
        <p class="panel-title">{t("auction_declined")}</p>
        <button type="button" data-first onClick={() => (after.value = true)}>
          {t("auction_after_all")}
        </button>
      </>
    );
  }
  return (
    <>
      <BidField
        key={`call ${seat}`}
        does="call"
        means={whose}
        least={LEAST}
        step={STEP}
        verb={(bid) => t("auction_call", { bid })}
        onBid={call}
      />
      {!declined && (
        <Commit does="decline" means={whose} onCommit={() => void session.move({ move: "decline" }, seat)}>
          {t("auction_decline")} <kbd>N</kbd>
        </Commit>
      )}
    </>
  );
}

/** Another player at this screen calls while another one is on turn: no hand is needed for that. */
function Guest({ session, seat }: Props & { seat: number }) {
  const open = useSignal(false);
  const name = session.nameOf(seat);
  if (!open.value) {
    return (
      <button type="button" onClick={() => (open.value = true)}>
        {t("auction_guest", { name })}
      </button>
    );
  }
  return (
    <BidField
      does={`call ${seat}`}
      means={String(session.requireView().active)}
      least={LEAST}
      step={STEP}
      verb={(bid) => withColon(name, t("auction_call", { bid }))}
      onBid={(bid) => void session.move({ move: "call", bid }, seat)}
    />
  );
}

/** For the active player and for those who watch: who may still call. */
function Waiting({ session }: Props) {
  const view = session.requireView();
  const names = session.undecided.value.map((seat) => session.nameOf(seat));
  if (!names.length) return view.viewer === view.active ? <p class="panel-note">{t("auction_none")}</p> : null;
  return <p class="panel-note">{t("auction_may_call", { names: names.join(", ") })}</p>;
}

/** The auction under way: the bid, who holds it, who is asked, who is out, and one's own answer. */
function Bidding({ session }: Props) {
  const view = session.requireView();
  const { bid, holder, asked, out } = requireValue(view.bidding, "an auction");
  const seats = session.requireTable().seats;
  const { active } = view;
  const order = seats.map((_, step) => (active + step) % seats.length);
  return (
    <section class="game-panel auction running" aria-label={t("auction")}>
      <p class="row bid-now">
        <span>{t("auction_for", { name: session.nameOf(active) })}</span>
        <b key={bid}>{bid}</b>
      </p>
      <ol class="row bidders">
        {order.map((seat) => (
          <li
            key={seat}
            class={`bidder seat-${seat}${out.includes(seat) ? " out" : ""}${seat === asked ? " asked" : ""}${seat === holder ? " holder" : ""}`}
            aria-current={seat === asked ? "true" : undefined}
          >
            <span class="token" aria-hidden="true">
              {seat + 1}
            </span>
            <span>
              <b class="bidder-name">{session.nameOf(seat)}</b>
              <small>
                {seat === holder
                  ? t("auction_holds", { bid })
                  : out.includes(seat)
                    ? t("auction_out")
                    : seat === asked
                      ? t("auction_asked")
                      : t("auction_waits")}
                {seat === active && <span class="bidder-own"> · {t("auction_seller")}</span>}
              </small>
            </span>
          </li>
        ))}
      </ol>
      {session.myTurn.value && <Answer session={session} />}
    </section>
  );
}

function Answer({ session }: Props) {
  const view = session.requireView();
  const { bid, holder } = requireValue(view.bidding, "an auction");
  const whose = `${session.seat.value} ${holder} ${bid}`;
  const pass = () => void session.move({ move: "pass" });
  if (view.active === session.seat.value) {
    return (
      <div class="row answers">
        <Commit
          does="follow"
          means={whose}
          class="primary"
          data-first
          onCommit={() => void session.move({ move: "follow" })}
        >
          <span>
            {t("auction_follow", { bid })} <small>{t("auction_follow_price", { points: bid / 2 })}</small>
          </span>
        </Commit>
        <Commit does="pass" means={whose} onCommit={pass}>
          <span>
            {t("pass")} <kbd>P</kbd> <small>{t("auction_sell", { name: session.nameOf(holder), bid })}</small>
          </span>
        </Commit>
      </div>
    );
  }
  const raises = itemAt(view.hand_counts, session.requireSeat()) > 0;
  return (
    <div class="row answers">
      {raises && (
        <BidField
          key="raise"
          does="raise"
          means={whose}
          least={bid + STEP}
          step={STEP}
          verb={(raised) => t("auction_raise", { bid: raised })}
          onBid={(raised) => void session.move({ move: "raise", bid: raised })}
        />
      )}
      <Commit does="pass" means={whose} onCommit={pass} data-first={raises ? undefined : ""}>
        {t("pass")} <kbd>P</kbd>
      </Commit>
    </div>
  );
}
