/** Beside a player's name: whether they are there, what they say, and what the others can do when they are not. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Faces } from "../board/domino.tsx";
import { t, tt } from "../i18n.ts";
import { api } from "../net/api.ts";
import { announce } from "../state/voice.ts";
import type { Session } from "../state/session.ts";
import { tokenOf } from "../state/storage.ts";
import { Icon } from "../ui/icon.tsx";
import { clock, useNow } from "./now.ts";
import { useAsking } from "./refusal.ts";
import { Told } from "../shell/told.tsx";

interface SeatProps {
  session: Session;
  seat: number;
}

const SIGNS = { here: "here", away: "away", left: "program" } as const;

/** A sign and a word. */
export function PresenceWord({ session, seat }: SeatProps) {
  const { away } = session.table.value!.seats[seat]!;
  const state = away ? "left" : session.company.seats.value[seat]?.state;
  if (!state || (state === "here" && session.yours.value.includes(seat))) return null;
  return (
    <span class={`presence ${state}`}>
      <Icon name={SIGNS[state]} /> {tt(`presence_${state}`)}
    </span>
  );
}

/** Whether one sits here, and with anybody to greet. */
export function mayGreet(session: Session): boolean {
  const yours = session.yours.value;
  return (
    yours.length > 0
    && session.table.value!.seats.some(({ program, free }, seat) => !program && !free && !yours.includes(seat))
  );
}

/** After a game: one thing to say, without looking for it. */
export function GoodGame({ session }: { session: Session }) {
  const { busy, trouble, ask } = useAsking();
  const said = useSignal(false);
  const seat = session.seat.value;
  if (seat === null || !mayGreet(session)) return null;
  const say = () => ask(() => session.company.say(seat, "good_game").then(() => (said.value = true)));
  return (
    <>
      <button type="button" disabled={busy.value || said.value} onClick={() => void say()}>
        <Icon name={said.value ? "done" : "speech"} /> {t("greet_good_game")}
      </button>
      {trouble.value && (
        <Told class="notice" manner="urgent">
          {trouble.value}
        </Told>
      )}
    </>
  );
}

/** What somebody has just said. The announcer reads it. */
export function Bubble({ session, seat }: SeatProps) {
  const greeting = session.company.bubbles.value.get(seat);
  return greeting ? (
    <span class="bubble" key={greeting} aria-hidden="true">
      {tt(`greet_${greeting}`)}
    </span>
  ) : null;
}

/** Milliseconds that a turn takes before one thinks of a reminder, though the player's page is open. */
const PATIENCE = 20_000;
const REMINDED = 30_000;

/** For whom the table waits, the others have a reminder; and a program, once the time agreed on is over. */
export function AbsentActions({ session, seat }: SeatProps) {
  const table = session.table.value!;
  const { program, away, free } = table.seats[seat]!;
  const person = !program && !away && !free;
  const yours = session.yours.value;
  if (
    table.phase !== "playing"
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
  const { name } = session.table.value!.seats[seat]!;
  const missing = session.company.seats.value[seat]?.state === "away";
  const slow = !session.game.value.atOnce && now - began.current > PATIENCE;
  if (!missing && !slow) return null;
  const left = session.company.replaceIn(seat, now + session.ahead.value);
  return (
    <span class="row absent-actions">
      <b class="absent-name" aria-hidden="true">
        {name}
      </b>
      <Remind session={session} seat={seat} name={name} />
      {left !== null
        && (left > 0 ? (
          <span class="note">{t("replace_in", { time: clock(left) })}</span>
        ) : (
          <Replace session={session} seat={seat} name={name} />
        ))}
    </span>
  );
}

function Remind({ session, seat, name }: SeatProps & { name: string }) {
  const { busy, trouble, ask } = useAsking();
  const told = useSignal<"reached" | "missed" | null>(null);
  useEffect(() => {
    if (!told.value) return undefined;
    const timer = setTimeout(() => (told.value = null), REMINDED);
    return () => clearTimeout(timer);
  }, [told.value]);
  const remind = () =>
    ask(async () => {
      told.value = (await session.company.remind(seat)) ? "reached" : "missed";
      announce(told.value === "reached" ? t("reminded_name", { name }) : t("remind_missed", { name }));
    });
  return (
    <>
      <button
        type="button"
        disabled={busy.value || told.value !== null}
        aria-label={t("remind_name", { name })}
        onClick={() => void remind()}
      >
        {told.value === "reached" && <Icon name="done" />} {told.value === "reached" ? t("reminded") : t("remind")}
      </button>
      {told.value === "missed" && <span class="note">{t("remind_missed", { name })}</span>}
      {trouble.value && (
        <Told as="span" class="note" manner="urgent">
          {trouble.value}
        </Told>
      )}
    </>
  );
}

function Replace({ session, seat, name }: SeatProps & { name: string }) {
  const { busy, trouble, ask } = useAsking();
  const replace = () => ask(() => api.replace(session.id, seat, tokenOf(session.id) ?? ""));
  return (
    <>
      <button
        type="button"
        disabled={busy.value}
        aria-label={t("replace_name", { name })}
        onClick={() => void replace()}
      >
        {t("replace")}
      </button>
      {trouble.value && (
        <Told as="span" class="note" manner="urgent">
          {trouble.value}
        </Told>
      )}
    </>
  );
}

/** The dominoes of somebody else, where all have agreed to play with open hands. */
export function OpenHand({ session, seat }: SeatProps) {
  const hand = session.message.value?.hands?.[seat];
  if (!hand?.length || seat === session.seat.value || session.table.value!.phase !== "playing") return null;
  return (
    <Faces
      tiles={hand}
      set={session.set.value}
      kind="row open-hand"
      label={t("hand_of", { name: session.table.value!.seats[seat]!.name })}
    />
  );
}
