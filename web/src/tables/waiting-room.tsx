/** Before the game: who sits, who is awaited, and the invitation. The game begins by itself. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t, tt } from "../i18n.ts";
import { GameFacts } from "../lobby/facts.tsx";
import { GamePicture } from "../lobby/game-picture.tsx";
import { api } from "../net/api.ts";
import type { TableProps } from "../pages/table.tsx";
import { refusalOf } from "../panels/refusal.ts";
import { announce } from "../shell/announcer.tsx";
import { go } from "../shell/router.ts";
import { settings } from "../state/settings.ts";
import { forgetToken, keepToken, tokenOf } from "../state/storage.ts";
import { Invite } from "./invite.tsx";

export function WaitingRoom({ session }: TableProps) {
  const table = session.table.value!;
  const yours = session.yours.value;
  const trouble = useSignal("");
  const busy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useHeard(table.seats.map((seat) => (seat.free ? null : seat.name)));

  const carefully = async (what: () => Promise<void>) => {
    busy.value = true;
    trouble.value = "";
    try {
      await what();
    } catch (error) {
      trouble.value = refusalOf(error);
    } finally {
      busy.value = false;
    }
  };
  const sit = (seat: number) => {
    if (!settings.name.value.trim()) {
      trouble.value = t("refused_bad_name");
      field.current?.focus();
      return;
    }
    void carefully(async () => {
      const { token } = await api.sit(session.id, seat, settings.name.value.trim());
      keepToken(session.id, token, table.game, [seat]);
      session.greet();
    });
  };
  const leave = () => carefully(async () => {
    const token = tokenOf(session.id);
    if (!token) return;
    for (const seat of yours) await api.leave(session.id, seat, token);
    forgetToken(session.id);
    go("/");
  });

  const free = table.seats.flatMap((seat, number) => (seat.free ? [number] : []));
  const joining = !yours.length && free.length > 0;
  return (
    <section class="page narrow waiting-room">
      <div class="new-game">
        <GamePicture game={table.game} />
        <div>
          <h1>{tt(`game_${table.game}`)}</h1>
          <p>{tt(`pitch_${table.game}`)}</p>
          <GameFacts game={table.game} />
          <a href={`/rules/${table.game}`}>{t("rules_game", { game: tt(`game_${table.game}`) })}</a>
        </div>
      </div>
      <h2>{t("waiting_title")}</h2>
      <p class="note">{t("waiting_text", { count: free.length })}</p>
      {joining && (
        <form class="row sit-form" onSubmit={(event) => {
          event.preventDefault();
          sit(free[0]!);
        }}>
          <label class="field-row">
            <span>{t("your_name")}</span>
            <input ref={field} maxLength={30} autocomplete="nickname" value={settings.name.value} onInput={(event) => (settings.name.value = event.currentTarget.value)} />
          </label>
          <button type="submit" class="primary" disabled={busy.value}>{t("sit_down")}</button>
        </form>
      )}
      {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
      <ol class="players waiting-seats" aria-label={t("seats")}>
        {table.seats.map((seat, number) => (
          <li key={number} class={`player seat-${number}${seat.free ? " awaited" : ""}`}>
            <span class="token" aria-hidden="true">{number + 1}</span>
            <span class="who">
              <span class="name">{seat.free ? t("free_seat") : seat.name}</span>
              <small>
                {yours.includes(number) && <em>{t("you")}</em>}
                {seat.program && <span>{tt(`level_${seat.program}`)}</span>}
              </small>
            </span>
            {seat.free && joining && free.length > 1 && (
              <button type="button" disabled={busy.value} aria-label={`${t("sit_here")}: ${number + 1}`} onClick={() => sit(number)}>{t("sit_here")}</button>
            )}
          </li>
        ))}
      </ol>
      <h2>{t("invite")}</h2>
      <Invite table={table} text={t("invite_text")} />
      {table.visibility === "public" && <p class="note">{t("listed_publicly")}</p>}
      {yours.length > 0 && <p><button type="button" disabled={busy.value} onClick={() => void leave()}>{t("leave_seat")}</button></p>}
    </section>
  );
}

/** Say who comes and goes. */
function useHeard(names: (string | null)[]): void {
  const before = useRef(names);
  useEffect(() => {
    names.forEach((name, seat) => {
      const was = before.current[seat];
      if (name && !was) announce(t("somebody_sat", { name }));
      else if (!name && was) announce(t("somebody_left"));
    });
    before.current = names;
  }, [names.join("\n")]);
}
