/** The players: names, whose turn it is, points, hands, and clocks. */
import { useCounting } from "../board/motion.ts";
import { formatMinus, t } from "../i18n.ts";
import { Boundary } from "../shell/boundary.tsx";
import type { Session } from "../state/session.ts";
import type { View } from "../net/protocol.ts";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { AbsentActions, GreetingBubble, OpenHand, PresenceWord } from "./presence.tsx";
import { clock, useNow } from "./now.ts";
import { pointsInWords } from "../words.ts";
import { Level } from "./level.tsx";
import { loadLazily } from "../shell/lazy.tsx";
import { Icon } from "../ui/icon.tsx";
import { tableOf } from "./known-table.ts";
import { useEntry, useTableParts } from "../ui/table-parts.ts";

/** Tables of people only have no faces. */
const SeatFace = loadLazily(
  () => import("./seat-face.tsx").then(({ SeatFace }) => SeatFace),
  <span class="seat-face" />,
);

/** What a game adds beside a player's name. */
export type PlayerExtra<V extends View = View> = (view: V, seat: number) => ComponentChildren;

interface PlayersProps<V extends View> {
  session: Session<V>;
  extra?: PlayerExtra<V>;
}

export function Players<V extends View>(props: PlayersProps<V>) {
  return (
    <Boundary part>
      <Seats {...props} />
    </Boundary>
  );
}

function Seats<V extends View>({ session, extra }: PlayersProps<V>) {
  const [table, view] = [tableOf(session), session.view.value];
  const acting = session.acting.value;
  const winners = view?.outcome?.winners ?? [];
  return (
    <ol class="players" aria-label={t("players")}>
      {table.seats.map((seat, number) => (
        <li
          key={number}
          class={`player seat-${number}${acting.includes(number) ? " acting" : ""}${winners.includes(number) ? " winner" : ""}`}
          aria-current={acting.includes(number) ? "true" : undefined}
        >
          <span class="token" aria-hidden="true">
            {number + 1}
          </span>
          {seat.program && <SeatFace session={session} seat={number} />}
          <span class="who">
            <span class="name">
              {seat.free ? t("free_seat") : seat.name}
              {winners.includes(number) && (
                <>
                  {" "}
                  <Icon name="star" />
                </>
              )}
            </span>
            <small>
              {session.yours.value.includes(number) && <em>{t("you")}</em>}
              {seat.program && <Level program={seat.program} />}
              <PresenceWord session={session} seat={number} />
              {view?.hand_counts && (
                <span
                  class="in-hand"
                  role="img"
                  aria-label={t("score_in_hand", { count: view.hand_counts[number] ?? 0 })}
                  title={t("in_hand")}
                >
                  <Icon name="domino" /> {view.hand_counts[number]}
                </span>
              )}
              {view && extra?.(view, number)}
            </small>
            <AbsentActions session={session} seat={number} />
            <OpenHand session={session} seat={number} />
          </span>
          {table.time_runs_for === number || table.time_left ? <Time session={session} seat={number} /> : null}
          {view?.scores && <Score points={view.scores[number] ?? 0} seat={number} />}
          <GreetingBubble session={session} seat={number} />
        </li>
      ))}
    </ol>
  );
}

/** The number counts up on the screen; screen readers get the final one. */
function Score({ points, seat }: { points: number; seat: number }) {
  const score = useRef<HTMLElement>(null);
  useEntry(useTableParts().scores, seat, score);
  return (
    <b ref={score} class={points < 0 ? "score below" : "score"} role="img" aria-label={pointsInWords(points)}>
      {formatMinus(Math.round(useCounting(points)))}
    </b>
  );
}

/** The time that a player has left, by the server's clock. */
function Time({ session, seat }: { session: Session; seat: number }) {
  const now = useNow(250);
  const { time_runs_for, deadline, time_left } = tableOf(session);
  const runs = time_runs_for === seat && deadline !== null;
  const left = runs ? deadline - now - session.store.clockLead.value : time_left?.[seat];
  if (left === undefined) return null;
  return (
    <time class={left < 10_000 && runs ? "clock short" : "clock"} role="timer">
      {clock(left)}
    </time>
  );
}
