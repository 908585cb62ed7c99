/** Who is at a table: spectators, greetings, reminders and returns; and all that for screen readers. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t, tt } from "../i18n.ts";
import { api } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { mayGreet } from "../panels/presence.tsx";
import { Icon } from "../ui/icon.tsx";
import { announce } from "../state/voice.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { callBack } from "../shell/calling.ts";
import { usePolling } from "../shell/hooks.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { play } from "../shell/play.ts";
import { gameName } from "../state/catalogue.ts";
import type { Session, TableProps } from "../state/session.ts";
import { tokenOf } from "../state/storage.ts";

const GreetDialog = loadLazily(() => import("./greet-dialog.tsx").then(({ GreetDialog }) => GreetDialog));

/** In the header: how many watch, and the way to say something. */
export function PresenceTools({ session }: TableProps) {
  const open = useSignal(false);
  const table = session.table.value;
  if (!table) return null;
  const spectators = session.presence.spectators.value;
  const watching = t("spectators_count", { count: spectators });
  return (
    <>
      {spectators > 0 && (
        <span class="soft spectators" role="img" aria-label={watching} title={watching}>
          <Icon name="eye" /> {spectators}
        </span>
      )}
      {mayGreet(session) && (
        <button
          type="button"
          class="tool greet-button"
          aria-label={t("greet")}
          title={t("greet")}
          aria-haspopup="dialog"
          onClick={() => (open.value = true)}
        >
          <Icon name="speech" />
        </button>
      )}
      {open.value && <GreetDialog session={session} onClose={() => (open.value = false)} />}
    </>
  );
}

/** Who comes and goes is announced; the reminder of one's own seat, and the way back to it. */
export function TablePresence({ session }: TableProps) {
  useVoice(session);
  useReturn(session);
  const reminder = useReminder(session);
  useAnnouncement(reminder, "urgent");
  return (
    reminder && (
      <p class="row table-note reminder">
        <Icon name="bell" /> {reminder}
      </p>
    )
  );
}

/** Who comes and goes, and what is said. */
function useVoice(session: Session): void {
  const before = useRef<(string | null)[] | null>(null);
  const { presence } = session;
  const name = (seat: number) => session.table.peek()?.seats[seat]?.name ?? "";
  useSignalEffect(() => {
    const states = presence.seats.value.map(({ state }) => state);
    const known = before.current;
    before.current = states.length ? states : known;
    const changes = states.flatMap((state, seat) => {
      const was = known?.[seat];
      return state && was && was !== state && !session.yours.peek().includes(seat)
        ? [tt(`now_${state}`, { name: name(seat) })]
        : [];
    });
    if (changes.length) announce(changes.join(" "));
  });
  useSignalEffect(() => {
    const said = presence.said.value;
    if (said && !session.yours.peek().includes(said.seat))
      announce(t("said_by", { name: name(said.seat), text: tt(`greet_${said.greeting}`) }));
  });
}

/** Milliseconds that a reminder is seen, unless the turn is over before. */
const SEEN = 30_000;

/** "Ann is waiting for you": seen and heard; in a hidden tab also by a notification, and in the title. */
function useReminder(session: Session): string | null {
  const by = useSignal<string | null>(null);
  useSignalEffect(() => {
    const reminder = session.presence.reminder.value;
    if (!reminder || !session.yours.peek().includes(reminder.seat)) return undefined;
    by.value = session.table.peek()?.seats[reminder.by]?.name ?? null;
    play("reminder");
    callBack(session.id, t("reminder", { name: by.value ?? "" }), gameName(session.table.peek()!.game));
    const timer = setTimeout(() => (by.value = null), SEEN);
    return () => clearTimeout(timer);
  });
  const text = by.value !== null && session.wanted.value ? t("reminder", { name: by.value }) : null;
  useEffect(() => {
    if (!text) return undefined;
    const before = document.title;
    document.title = `● ${text}`;
    return () => void (document.title = before);
  }, [text]);
  return text;
}

/** For whom the others let a program play returns by looking at the page again. */
function useReturn(session: Session): void {
  const tried = useRef(-1);
  const look = () => {
    const table = session.table.peek();
    const version = session.store.message.peek()?.version ?? -1;
    if (document.hidden || table?.phase !== "playing" || tried.current === version) return;
    const seats = session.yours.peek().filter((seat) => table.seats[seat]?.replaced);
    if (!seats.length) return;
    tried.current = version;
    void comeBack(session, seats);
  };
  useSignalEffect(() => {
    void session.store.message.value;
    look();
  });
  usePolling(look, 60);
}

async function comeBack(session: Session, seats: readonly number[]): Promise<void> {
  try {
    for (const seat of seats) await api.comeBack(session.id, seat, tokenOf(session.id) ?? "");
    session.notice.value = { text: t("welcome_back") };
  } catch (error) {
    // The button above the table is still there.
    if (!(error instanceof Refused)) throw error;
  }
}
