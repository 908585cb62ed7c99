/** Tables as lists: one's own, to go on days later, and the public ones. */
import { useSignal } from "@preact/signals";
import { actors, DEFAULT } from "../games/general.ts";
import { formatDate, listed, t } from "../i18n.ts";
import { api, Refused } from "../net/api.ts";
import { isHere } from "../net/here.ts";
import type { SeatInfo, Summary, View } from "../net/types.ts";
import { named } from "../state/cast.ts";
import { gameName } from "../state/catalogue.ts";
import { forgetToken, type Known, knownTables } from "../state/storage.ts";
import { type Refreshed, useRefreshed } from "./refreshed.ts";
import { Icon } from "../ui/icon.tsx";

const FIRST_SHOWN = 4;
const MOST_SHOWN = 20;

interface Own {
  id: string;
  known: Known;
  /** Null: the server does not know it any more. */
  table: Summary | null;
  view: View | null;
}

async function ownTables(): Promise<Own[]> {
  const latest = Object.entries(knownTables()).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_SHOWN);
  const found = await Promise.all(latest.map(async ([id, known]): Promise<Own | null> => {
    try {
      const { table, views } = await api.fetch(id);
      return { id, known, table, view: Object.values(views)[0] ?? null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === "offline" && !latest.some(([one]) => isHere(one))) throw error;
      return ["unknown_table", "other_set", "damaged_table"].includes(error.code) ? { id, known, table: null, view: null } : null;
    }
  }));
  return found.filter((one) => one !== null);
}

/** The tables where this browser has a seat, and what forgets one of them. */
export function useOwnTables(): { tables: Own[]; forget(id: string): void } {
  const found = useRefreshed(ownTables, 20);
  const gone = useSignal<ReadonlySet<string>>(new Set());
  return {
    tables: (found.value.value ?? []).filter(({ id }) => !gone.value.has(id)).sort((a, b) => rank(a) - rank(b)),
    forget: (id) => {
      forgetToken(id);
      gone.value = new Set([...gone.value, id]);
    },
  };
}

type OwnProps = ReturnType<typeof useOwnTables>;

/** Where others wait for you: before everything else. */
export function YourTurns({ tables, forget }: OwnProps) {
  const shown = tables.filter(yourTurn);
  if (!shown.length) return null;
  return (
    <section class="your-turns" aria-labelledby="your-turns">
      <h2 id="your-turns">{t("your_turn")}</h2>
      <ul class="table-list">
        {shown.map((one) => <OwnTable key={one.id} one={one} onForget={() => forget(one.id)} />)}
      </ul>
    </section>
  );
}

/** The other tables; those that are played come first. */
export function YourTables({ tables, forget }: OwnProps) {
  const all = useSignal(false);
  const shown = tables.filter((one) => !yourTurn(one));
  if (!shown.length) return null;
  const rest = shown.length - FIRST_SHOWN;
  return (
    <section aria-labelledby="your-tables">
      <h2 id="your-tables">{t("your_tables")}</h2>
      <ul class="table-list">
        {shown.slice(0, all.value ? shown.length : FIRST_SHOWN).map((one) => (
          <OwnTable key={one.id} one={one} onForget={() => forget(one.id)} />
        ))}
      </ul>
      {rest > 0 && !all.value && <button type="button" class="link" onClick={() => (all.value = true)}>{t("more_tables", { count: rest })}</button>}
    </section>
  );
}

const rank = (one: Own): number => (one.table ? ["playing", "waiting", "over"].indexOf(one.table.phase) : 3);

const yourTurn = ({ known, table, view }: Own): boolean =>
  table?.phase === "playing" && actors(view).some((seat) => known.seats?.includes(seat) && !table.seats[seat]!.away);

function OwnTable({ one, onForget }: { one: Own; onForget(): void }) {
  const { id, known, table, view } = one;
  const name = gameName(known.game);
  return (
    <li class="row table-row">
      <span class="table-what">
        <b>{name}</b>
        <span>{table ? names(table.seats) : t("table_gone")}</span>
        <small>{table && !yourTurn(one) && `${standing(table, view)} · `}<time>{formatDate(known.at)}</time></small>
      </span>
      {table && <a class={table.phase === "over" ? "button" : "button primary"} href={`/t/${id}`}>{table.phase === "over" ? t("look_again") : t("resume")}</a>}
      <button type="button" class="tool" title={`${t("forget")}: ${t("forget_sure")}`} aria-label={t("forget_table", { game: name })} onClick={onForget}><Icon name="close" /></button>
    </li>
  );
}

/** What everybody is called, seat by seat. */
const namesOf = (seats: readonly SeatInfo[]): string[] => seats.map(named).map(({ name }) => name);

const names = (seats: readonly SeatInfo[]): string => listed(namesOf(seats).filter((_, seat) => !seats[seat]!.free));

/** Whose turn it is, who is awaited, who has won. */
function standing(table: Summary, view: View | null): string {
  if (table.phase === "waiting") return t("free_seats", { count: table.seats.filter(({ free }) => free).length });
  if (table.phase === "over") {
    const winners = view?.outcome?.winners ?? [];
    return winners.length ? t("won_by", { names: listed(winners.map((seat) => namesOf(table.seats)[seat]!)) }) : t("over");
  }
  const acting = actors(view);
  return acting.length === 1 ? t("turn_of", { name: namesOf(table.seats)[acting[0]!]! }) : t("game_runs");
}

/** Public tables: those that wait can be joined, the others watched. */
export function Lobby({ tables }: { tables: Refreshed<Summary[]> }) {
  const own = knownTables();
  const shown = (tables.value ?? []).filter(({ id, phase, spectators }) => !own[id] && (phase === "waiting" || (phase === "playing" && spectators !== "none")));
  return (
    <section aria-labelledby="public-tables">
      <h2 id="public-tables">{t("public_tables")}</h2>
      {!shown.length && !tables.offline && (
        <p class="note">{t("no_public_tables")} <a href={`/new/${DEFAULT}?public`}>{t("open_table")}</a></p>
      )}
      <ul class="table-list">
        {shown.map((table) => (
          <li key={table.id} class="row table-row">
            <span class="table-what">
              <b>{gameName(table.game)}</b>
              <span>{names(table.seats)}</span>
              <small>{table.phase === "waiting" ? standing(table, null) : t("game_runs")}</small>
            </span>
            <a class={table.phase === "waiting" ? "button primary" : "button"} href={`/t/${table.id}`}>{table.phase === "waiting" ? t("join") : t("watch")}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
