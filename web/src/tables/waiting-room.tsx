/** Before the game: who sits, who is awaited, and the invitation. The game begins by itself. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t, tt, withColon } from "../i18n.ts";
import { GameIntroduction } from "../lobby/facts.tsx";
import { api } from "../net/api.ts";
import { GreetingBubble, PresenceWord } from "../panels/presence.tsx";
import { Level } from "../panels/level.tsx";
import { useAsking } from "../panels/refusal.ts";
import { announce } from "../state/voice.ts";
import { useGame } from "../shell/hooks.ts";
import { go } from "../shell/router.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { gameName } from "../state/catalogue.ts";
import type { TableProps } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import { forgetToken, keepToken, tokenOf } from "../state/storage.ts";
import { Invite } from "./invite.tsx";
import { NameInput } from "../shell/name-input.tsx";
import { Commit } from "../shell/commit.tsx";

export function WaitingRoom({ session }: TableProps) {
  const table = session.requireTable();
  useGame(table.game);
  const yours = session.yours.value;
  const { busy, trouble, ask } = useAsking();
  /** The guest of whom the host is asked once more, by name: another guest may sit there meanwhile. */
  const doubted = useSignal<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useHeard(table.seats.map((seat) => (seat.free ? null : seat.name)));

  const sit = (seat: number) => {
    if (!settings.name.value.trim()) {
      trouble.value = t("refused_bad_name");
      field.current?.focus();
      return;
    }
    void ask(async () => {
      const { token } = await api.sit(session.id, seat, settings.name.value.trim());
      keepToken(session.id, token, table.game, [seat]);
      session.greet();
    });
  };
  const leave = () =>
    ask(async () => {
      const token = tokenOf(session.id);
      if (!token) return;
      for (const seat of yours) await api.leave(session.id, seat, token);
      forgetToken(session.id);
      go("/");
    });

  const hosting = table.host !== null && yours.includes(table.host);
  const remove = (seat: number) =>
    ask(async () => {
      await api.remove(session.id, seat, tokenOf(session.id) ?? "");
      doubted.value = null;
    });

  const free = table.seats.flatMap((seat, number) => (seat.free ? [number] : []));
  const joining = !yours.length && free.length > 0;
  return (
    <section class="page narrow waiting-room">
      <GameIntroduction game={table.game}>
        <h1>{gameName(table.game)}</h1>
      </GameIntroduction>
      <h2>{t("waiting_title")}</h2>
      <p class="note">{t("waiting_text", { count: free.length })}</p>
      {joining && (
        <form
          class="row tinted foot sit-form"
          onSubmit={(event) => {
            event.preventDefault();
            sit(free[0]!);
          }}
        >
          <label class="field-row grow">
            <span>{t("your_name")}</span>
            <NameInput
              own={field}
              autocomplete="nickname"
              value={settings.name.value}
              onName={(name) => (settings.name.value = name)}
            />
          </label>
          <button type="submit" class="primary" disabled={busy.value}>
            {t("sit_down")}
          </button>
        </form>
      )}
      {session.removed.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {t("removed_by_host")}
        </AnnouncedText>
      )}
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
      <ol class="players waiting-seats" aria-label={t("seats")}>
        {table.seats.map((seat, number) => (
          <li key={number} class={`player seat-${number}${seat.free ? " awaited" : ""}`}>
            <span class="token" aria-hidden="true">
              {number + 1}
            </span>
            <span class="who">
              <span class={seat.free ? "name soft" : "name"}>{seat.free ? t("free_seat") : seat.name}</span>
              <small>
                {yours.includes(number) && <em>{t("you")}</em>}
                {seat.program && <Level program={seat.program} />}
                <PresenceWord session={session} seat={number} />
              </small>
            </span>
            <GreetingBubble session={session} seat={number} />
            {seat.free && joining && free.length > 1 && (
              <button
                type="button"
                disabled={busy.value}
                aria-label={withColon(t("sit_here"), String(number + 1))}
                onClick={() => sit(number)}
              >
                {t("sit_here")}
              </button>
            )}
            {hosting
              && !seat.free
              && !seat.program
              && !yours.includes(number)
              && (doubted.value === `${number} ${seat.name}` ? (
                <span class="row full" role="group" aria-label={t("remove_guest", { name: seat.name })}>
                  <Commit
                    does="remove"
                    means={doubted.value}
                    class="danger"
                    disabled={busy.value}
                    aria-label={t("remove_guest", { name: seat.name })}
                    onCommit={() => void remove(number)}
                  >
                    {t("remove_from_seat")}
                  </Commit>
                  <button type="button" ref={(button) => button?.focus()} onClick={() => (doubted.value = null)}>
                    {t("cancel")}
                  </button>
                </span>
              ) : (
                <button
                  type="button"
                  disabled={busy.value}
                  aria-label={t("remove_guest", { name: seat.name })}
                  onClick={() => (doubted.value = `${number} ${seat.name}`)}
                >
                  {t("remove_from_seat")} …
                </button>
              ))}
          </li>
        ))}
      </ol>
      {session.game.value.race && <p class="note">{t("hints_agreed", { who: tt(`hints_${table.hints}`) })}</p>}
      <h2>{t("invite")}</h2>
      <Invite table={table} text={t("invite_text")} />
      {table.visibility === "public" && <p class="note">{t("listed_publicly")}</p>}
      {table.spectators === "all" && !session.game.value.race && <p class="note">{t("spectators_all_help")}</p>}
      {yours.length > 0 && (
        <p>
          <Commit does="leave" disabled={busy.value} onCommit={() => void leave()}>
            {t("leave_seat")}
          </Commit>
        </p>
      )}
    </section>
  );
}

/** Say who comes and goes. */
function useHeard(names: (string | null)[]): void {
  const before = useRef(names);
  useEffect(() => {
    names.forEach((name, seat) => {
      const was = before.current[seat];
      if (name && !was) announce(t("player_sat", { name }));
      else if (!name && was) announce(t("player_left"));
    });
    before.current = names;
  }, [names.join("\n")]);
}
