/** Presence beside a player's name: a sign, the latest greeting, and what others can do while the player is away. */
import { useRef } from "preact/hooks";
import { Faces } from "../board/domino.tsx";
import { t, tt } from "../i18n.ts";
import { loadLazily } from "../shell/lazy.tsx";
import type { Session } from "../state/session.ts";
import { Icon } from "../ui/icon.tsx";
import { useNow } from "./now.ts";
import { seatOf, tableOf } from "./known-table.ts";

export interface SeatProps {
  session: Session;
  seat: number;
}

const SIGNS = { here: "here", away: "away", left: "program" } as const;

/** A sign and a word. */
export function PresenceWord({ session, seat }: SeatProps) {
  const { away } = seatOf(session, seat);
  const state = away ? "left" : session.presence.seats.value[seat]?.state;
  if (!state || (state === "here" && session.yours.value.includes(seat))) return null;
  return (
    <span class={`presence ${state}`}>
      <Icon name={SIGNS[state]} /> <span class="presence-word">{tt(`presence_${state}`)}</span>
    </span>
  );
}

/** Whether this player has a seat, and there is another player to greet. */
export function mayGreet(session: Session): boolean {
  const yours = session.yours.value;
  return (
    yours.length > 0
    && tableOf(session).seats.some(({ program, free }, seat) => !program && !free && !yours.includes(seat))
  );
}

/** The latest greeting of a player. The announcer reads it. */
export function GreetingBubble({ session, seat }: SeatProps) {
  const greeting = session.presence.bubbles.value.get(seat);
  return greeting ? (
    <span class="bubble" key={greeting} aria-hidden="true">
      {tt(`greet_${greeting}`)}
    </span>
  ) : null;
}

const AwaitedActions = loadLazily(() => import("./awaited-actions.tsx").then(({ AwaitedActions }) => AwaitedActions));

/** Milliseconds that a turn takes before one thinks of a reminder, though the player's page is open. */
const SLOW_TURN_MS = 20_000;

/** Reminders for a player for whom the table waits, and a bot after the agreed time. */
export function AbsentActions({ session, seat }: SeatProps) {
  const { program, away, free } = seatOf(session, seat);
  const person = !program && !away && !free;
  const yours = session.yours.value;
  if (
    tableOf(session).phase !== "playing"
    || !person
    || !yours.length
    || yours.includes(seat)
    || !session.acting.value.includes(seat)
  )
    return null;
  return <Waiting session={session} seat={seat} />;
}

function Waiting({ session, seat }: SeatProps) {
  const now = useNow(1000);
  const began = useRef(now);
  const { name } = seatOf(session, seat);
  const missing = session.presence.seats.value[seat]?.state === "away";
  const slow = !session.game.value.atOnce && now - began.current > SLOW_TURN_MS;
  if (!missing && !slow) return null;
  const left = session.presence.replaceIn(seat, now + session.store.clockLead.value);
  return (
    <span class="row absent-actions">
      <b class="absent-name" aria-hidden="true">
        {name}
      </b>
      <AwaitedActions session={session} seat={seat} name={name} replaceIn={left} />
    </span>
  );
}

/** The dominoes of another player, at tables with open hands. */
export function OpenHand({ session, seat }: SeatProps) {
  const hand = session.store.message.value?.hands?.[seat];
  if (!hand?.length || seat === session.seat.value || tableOf(session).phase !== "playing") return null;
  return (
    <Faces
      tiles={hand}
      set={session.set.value}
      kind="row open-hand"
      label={t("hand_of", { name: seatOf(session, seat).name })}
    />
  );
}
