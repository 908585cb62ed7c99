/** Tables as lists: one's own, to go on days later, and the public ones. */
import { useSignal } from "@preact/signals";
import { DEFAULT } from "../games/general.ts";
import { formatDate, formatNumber, joinList, t } from "../i18n.ts";
import { api, type OwnTableEntry } from "../net/api.ts";
import { hasEngine, isOnDevice } from "../net/device-backend.ts";
import type { SeatSummary, TableSummary } from "../net/protocol.ts";
import { whereIs } from "../panels/where.ts";
import { DeviceGamesButton } from "../shell/device-games-button.tsx";
import { nameSeat } from "../state/cast.ts";
import { gameName } from "../state/catalogue.ts";
import { forgetToken, type Known, knownTables } from "../state/storage.ts";
import { type Refreshed, useRefreshed } from "./refreshed.ts";
import { Icon } from "../ui/icon.tsx";

const FIRST_COUNT = 4;
const MORE_COUNT = 20;

interface Own {
  id: string;
  known: Known;
  entry: OwnTableEntry;
}

/** Games that are over stay as they are: they are not asked for again while the page is open. */
const over = new Map<string, OwnTableEntry>();

/** Ask for all of them with one request; the table that was opened last comes first. */
async function ownTables(): Promise<Own[]> {
  const latest = Object.entries(knownTables()).sort(([, a], [, b]) => b.at - a.at);
  const open = latest.filter(([id]) => !over.has(id));
  const entries = open.length ? await api.own(open.map(([id, { token }]) => ({ id, token }))) : [];
  const found = new Map(entries.map((one) => [one.id, one]));
  for (const one of found.values()) if (one.phase === "over") over.set(one.id, one);
  return latest.flatMap(([id, known]) => {
    const entry = found.get(id) ?? over.get(id);
    return entry ? [{ id, known, entry }] : [];
  });
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

/** Tables where others wait for the player, before all other tables. */
export function YourTurns({ tables, forget }: OwnProps) {
  const shown = tables.filter(yourTurn);
  if (!shown.length) return null;
  return (
    <section class="your-turns" aria-labelledby="your-turns">
      <h2 id="your-turns">{t("your_turn")}</h2>
      <ul class="cards" style={{ "--card": "27rem" }}>
        {shown.map((one) => (
          <OwnTable key={one.id} one={one} onForget={() => forget(one.id)} />
        ))}
      </ul>
    </section>
  );
}

/** The other tables; those that are played come first. */
export function YourTables({ tables, forget }: OwnProps) {
  const most = useSignal(FIRST_COUNT);
  const shown = tables.filter((one) => !yourTurn(one));
  if (!shown.length) return null;
  const rest = shown.length - most.value;
  return (
    <section aria-labelledby="your-tables">
      <h2 id="your-tables">{t("your_tables")}</h2>
      <ul class="cards" style={{ "--card": "27rem" }}>
        {shown.slice(0, most.value).map((one) => (
          <OwnTable key={one.id} one={one} onForget={() => forget(one.id)} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" class="link" onClick={() => (most.value += MORE_COUNT)}>
          {t("more_tables", { count: rest })}
        </button>
      )}
    </section>
  );
}

/** Where the games of this device are kept, if there are any. */
export function DeviceTables({ tables }: Pick<OwnProps, "tables">) {
  return tables.some(({ id }) => isOnDevice(id)) ? (
    <p>
      <DeviceGamesButton />
    </p>
  ) : null;
}

const PHASES = ["playing", "waiting", "over"];
const rank = ({ entry: { state, phase } }: Own): number =>
  state === "removed" ? 4 : phase ? PHASES.indexOf(phase) : 3;

const yourTurn = ({ entry }: Own): boolean =>
  !!entry.asked?.some((seat) => entry.yours?.includes(seat) && !entry.seats?.[seat]?.away);

function OwnTable({ one, onForget }: { one: Own; onForget(): void }) {
  const { id, known, entry } = one;
  const name = gameName(entry.game ?? known.game);
  const yours = yourTurn(one);
  const where =
    entry.phase && entry.seats && !yours && standing(entry.phase, entry.seats, entry.asked ?? [], entry.winners);
  const left = entry.phase === "playing" && entry.deadline ? timeLeft(entry.deadline - Date.now()) : "";
  return (
    <li class="card row tied table-row">
      <span class="stack tight grow">
        <b>{name}</b>
        <span class="one-line">{entry.seats ? names(entry.seats) : entry.state === "removed" && t("table_gone")}</span>
        <small>
          {where && `${where} · `}
          {left && <>{yours ? <b>{left}</b> : left} · </>}
          <time>{formatDate(known.at)}</time>
          {hasEngine() && ` · ${whereIs(id)}`}
        </small>
      </span>
      {entry.state !== "removed" && (
        <a class={entry.phase === "over" ? "button" : "button primary"} href={`/t/${id}`}>
          {entry.phase === "over" ? t("look_again") : t("resume")}
        </a>
      )}
      {/* A game of this device would be lost without its seat: it is deleted where all of them are listed. */}
      {(entry.state === "removed" || !isOnDevice(id)) && (
        <button
          type="button"
          class="tool"
          title={`${t("forget")}: ${t("forget_sure")}`}
          aria-label={t("forget_table", { game: name })}
          onClick={onForget}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };

/** "2 days left": in the largest unit of which there are two. */
function timeLeft(milliseconds: number): string {
  const [unit, length] = Object.entries(UNITS).find(([, one]) => milliseconds >= 2 * one) ?? ["minute", UNITS.minute];
  const count = Math.max(1, Math.round(milliseconds / length));
  return t("turn_left", { count, time: formatNumber(count, { style: "unit", unit, unitDisplay: "long" }) });
}

/** The names of all players, seat by seat. */
const namesOf = (seats: readonly SeatSummary[]): string[] => seats.map(nameSeat).map(({ name }) => name);

const names = (seats: readonly SeatSummary[]): string =>
  joinList(namesOf(seats).filter((_, seat) => !seats[seat]?.free));

/** Whose turn it is, who is awaited, who has won. */
function standing(
  phase: TableSummary["phase"],
  seats: readonly SeatSummary[],
  asked: readonly number[],
  winners: readonly number[] = [],
): string {
  if (phase === "waiting") return t("free_seats", { count: seats.filter(({ free }) => free).length });
  const called = namesOf(seats);
  if (phase === "over")
    return winners.length ? t("won_by", { names: joinList(winners.map((seat) => called[seat] ?? "")) }) : t("over");
  return asked.length === 1 ? t("turn_of", { name: called[asked[0] ?? -1] ?? "" }) : t("game_runs");
}

/** Public tables: those that wait can be joined, the others watched. */
export function Lobby({ tables }: { tables: Refreshed<TableSummary[]> }) {
  const own = knownTables();
  const shown = (tables.value ?? []).filter(
    ({ id, phase, spectators }) => !own[id] && (phase === "waiting" || (phase === "playing" && spectators !== "none")),
  );
  return (
    <section aria-labelledby="public-tables">
      <h2 id="public-tables">{t("public_tables")}</h2>
      {!shown.length && !tables.offline && (
        <p class="note">
          {t("no_public_tables")} <a href={`/new/${DEFAULT}?public`}>{t("open_table")}</a>
        </p>
      )}
      <ul class="cards" style={{ "--card": "27rem" }}>
        {shown.map((table) => (
          <li key={table.id} class="card row tied table-row">
            <span class="stack tight grow">
              <b>{gameName(table.game)}</b>
              <span class="one-line">{names(table.seats)}</span>
              <small>{table.phase === "waiting" ? standing("waiting", table.seats, []) : t("game_runs")}</small>
            </span>
            <a class={table.phase === "waiting" ? "button primary" : "button"} href={`/t/${table.id}`}>
              {table.phase === "waiting" ? t("join") : t("watch")}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
