/** Company at a table: greetings, spectators, reminders and returns; and all that for ears. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t, tt } from "../i18n.ts";
import { api } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { mayGreet } from "../panels/company.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAsking } from "../panels/refusal.ts";
import { announce } from "../state/voice.ts";
import { Told, useTold } from "../shell/told.tsx";
import { callBack } from "../shell/calling.ts";
import { Dialog } from "../shell/dialog.tsx";
import { useLooking, useWhileShown } from "../shell/hooks.ts";
import { play } from "../shell/sound.ts";
import { gameName } from "../state/catalogue.ts";
import { GREETINGS } from "../state/company.ts";
import type { Session, TableProps } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import { tokenOf } from "../state/storage.ts";

/** In the header: how many watch, and the way to say something. */
export function CompanyTools({ session }: TableProps) {
  const open = useSignal(false);
  const table = session.table.value;
  if (!table) return null;
  const spectators = session.company.spectators.value;
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

function GreetDialog({ session, onClose }: TableProps & { onClose(): void }) {
  const { busy, trouble, ask } = useAsking();
  const seat = session.seat.value;
  const close = useWhileShown(onClose);
  if (seat === null) return null;
  // A button that is disabled loses the focus, and then Esc would not reach the dialog.
  const say = async (greeting: (typeof GREETINGS)[number]) =>
    busy.value || ask(() => session.company.say(seat, greeting).then(close));
  const title = session.shared.value ? t("greet_as", { name: session.table.value!.seats[seat]!.name }) : t("greet");
  return (
    <Dialog title={title} kind="greeting" onClose={onClose}>
      <div class="cards greetings" style={{ "--card": "9rem" }}>
        {GREETINGS.map((greeting) => (
          <button key={greeting} type="button" aria-disabled={busy.value} onClick={() => void say(greeting)}>
            {tt(`greet_${greeting}`)}
          </button>
        ))}
      </div>
      {trouble.value && (
        <Told class="trouble" manner="urgent">
          {trouble.value}
        </Told>
      )}
      <MuteSwitch session={session} />
    </Dialog>
  );
}

/** No greetings at this table. */
export function MuteSwitch({ session }: TableProps) {
  const { company } = session;
  if (!settings.greetings.value) return null;
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={company.muted.value}
        onChange={(event) => company.mute(event.currentTarget.checked)}
      />
      <span>{t("greet_mute")}</span>
    </label>
  );
}

/** What is heard of the company, the reminder of one's own seat, and the way back to it. */
export function TableCompany({ session }: TableProps) {
  useVoice(session);
  useReturn(session);
  const reminder = useReminder(session);
  useTold(reminder, "urgent");
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
  const { company } = session;
  const name = (seat: number) => session.table.peek()?.seats[seat]?.name ?? "";
  useSignalEffect(() => {
    const states = company.seats.value.map(({ state }) => state);
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
    const said = company.said.value;
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
    const reminder = session.company.reminder.value;
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
    const version = session.message.peek()?.version ?? -1;
    if (document.hidden || table?.phase !== "playing" || tried.current === version) return;
    const seats = session.yours.peek().filter((seat) => table.seats[seat]!.replaced);
    if (!seats.length) return;
    tried.current = version;
    void comeBack(session, seats);
  };
  useSignalEffect(() => {
    void session.message.value;
    look();
  });
  useLooking(look, 60);
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
