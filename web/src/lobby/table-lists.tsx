/** Tables as lists: one's own, to go on days later, and the public ones. */
import { isStatic } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { DEFAULT } from "../games/general.ts";
import { formatDate, formatNumber, joinList, t } from "../i18n.ts";
import type { OwnTableEntry } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { hasEngine } from "../net/device-backend.ts";
import type { Capability, SeatSummary, TableSummary } from "../net/protocol.ts";
import { listOwnTables } from "../net/own-tables.ts";
import { refusalText } from "../panels/refusal.ts";
import { whereIs } from "../panels/where.ts";
import { DeviceGamesButton } from "../shell/device-games-button.tsx";
import { nameSeat } from "../state/cast.ts";
import { gameName } from "../state/catalogue.ts";
import { forgetSeat, restoreSeat } from "../state/forgotten.ts";
import { type Known, knownTables } from "../state/storage.ts";
import { ForgottenCard, ForgottenTables } from "./forgotten.tsx";
import { useNow } from "../panels/now.ts";
import { type Refreshed, useRefreshed } from "./refreshed.ts";
import { Commit } from "../shell/commit.tsx";
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
  const entries = open.length ? await listOwnTables(open.map(([id, { token }]) => ({ id, token }))) : [];
  const found = new Map(entries.map((one) => [one.id, one]));
  for (const one of found.values()) if (one.phase === "over") over.set(one.id, one);
  return latest.flatMap(([id, known]) => {
    const entry = found.get(id) ?? over.get(id);
    return entry ? [{ id, known, entry }] : [];
  });
}

/** The tables where this browser has a seat; those that are forgotten keep their place until the page is left. */
export function useOwnTables() {
  const found = useRefreshed(ownTables, 20);
  const forgotten = useSignal<ReadonlyMap<string, Own & { height: number }>>(new Map());
  const known = (found.value.value ?? []).filter(({ id }) => !forgotten.value.has(id));
  return {
    tables: [...known, ...forgotten.value.values()].sort(inOrder),
    /** The height of what stands in the place of a table that is forgotten. */
    heightOf: (id: string) => forgotten.value.get(id)?.height,
    forget: (one: Own, height: number) => {
      forgetSeat(one.id);
      forgotten.value = new Map([...forgotten.value, [one.id, { ...one, height }]]);
    },
    restore: async (id: string) => {
      const one = forgotten.value.get(id);
      restoreSeat(id, one?.known);
      if (one) found.value = { ...found.value, value: [...known, one] };
      forgotten.value = new Map([...forgotten.value].filter(([other]) => other !== id));
      if (one) return;
      try {
        found.value = { value: await ownTables(), offline: false };
      } catch (error) {
        if (!(error instanceof Refused)) throw error; // It comes with the next answer.
      }
    },
  };
}

type OwnProps = ReturnType<typeof useOwnTables>;

/** Tables where others wait for the player, before all other tables. */
export function YourTurns(own: OwnProps) {
  const shown = own.tables.filter(yourTurn);
  if (!shown.length) return null;
  return (
    <section class="your-turns" aria-labelledby="your-turns">
      <h2 id="your-turns">{t("your_turn")}</h2>
      <ul class="cards" style={{ "--card": "27rem" }}>
        {shown.map((one) => (
          <OwnTable key={one.id} one={one} own={own} />
        ))}
      </ul>
    </section>
  );
}

/** The other tables; those that are played come first. */
export function YourTables(own: OwnProps) {
  const most = useSignal(FIRST_COUNT);
  const shown = own.tables.filter((one) => !yourTurn(one));
  const rest = shown.length - most.value;
  const forgotten = (
    <ForgottenTables hidden={(id) => own.heightOf(id) !== undefined} onRestore={(id) => void own.restore(id)} />
  );
  if (!shown.length) return forgotten;
  return (
    <section class="stack" aria-labelledby="your-tables">
      <h2 id="your-tables">{t("your_tables")}</h2>
      <ul class="cards" style={{ "--card": "27rem" }}>
        {shown.slice(0, most.value).map((one) => (
          <OwnTable key={one.id} one={one} own={own} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" class="link" onClick={() => (most.value += MORE_COUNT)}>
          {t("more_tables", { count: rest })}
        </button>
      )}
      {forgotten}
    </section>
  );
}

/** Where the games of this device are kept, if there are any. */
export function DeviceTables({ tables }: Pick<OwnProps, "tables">) {
  return tables.some(({ entry }) => entry.capabilities?.includes("delete")) ? (
    <p>
      <DeviceGamesButton />
    </p>
  ) : null;
}

const PHASES = ["playing", "waiting", "over"];
const rank = ({ entry: { state, phase } }: Own): number =>
  state === "removed" ? 4 : phase ? PHASES.indexOf(phase) : 3;

/** Of tables whose entry names none. */
const SERVER_CAPABILITIES: readonly Capability[] = ["share", "review", "verify"];

/** The same for the same tables, also while some of them are forgotten. */
const inOrder = (a: Own, b: Own): number => rank(a) - rank(b) || b.known.at - a.known.at || a.id.localeCompare(b.id);

const yourTurn = ({ entry }: Own): boolean =>
  !!entry.asked?.some((seat) => entry.yours?.includes(seat) && !entry.seats?.[seat]?.away);

function OwnTable({ one, own }: { one: Own; own: OwnProps }) {
  const { id, known, entry } = one;
  const capabilities = entry.capabilities ?? SERVER_CAPABILITIES;
  const name = gameName(entry.game ?? known.game);
  const link = useRef<HTMLAnchorElement>(null);
  const row = useRef<HTMLLIElement>(null);
  const height = own.heightOf(id);
  const wasForgotten = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (wasForgotten.current && document.activeElement === document.body) link.current?.focus({ preventScroll: true });
    wasForgotten.current = height !== undefined;
  });
  if (height !== undefined)
    return (
      <li class="card row tied table-row" style={{ height: `${height}px` }}>
        <ForgottenCard game={name} onRestore={() => void own.restore(id)} />
      </li>
    );
  const yours = yourTurn(one);
  const where =
    entry.phase && entry.seats && !yours && standing(entry.phase, entry.seats, entry.asked ?? [], entry.winners);
  return (
    <li ref={row} class="card row tied table-row">
      <span class="stack tight grow">
        <b>{name}</b>
        {/* Why a table is gone stands there as a whole. */}
        <span class={entry.seats ? "one-line" : undefined}>
          {entry.seats
            ? names(entry.seats)
            : entry.state === "removed"
              && (entry.refusal ? refusalText(entry.refusal, t("table_gone")) : t("table_gone"))}
        </span>
        <small>
          {where && `${where} · `}
          {entry.phase === "playing" && entry.deadline && (
            <>
              <TimeLeft until={entry.deadline} isOwn={yours} /> ·{" "}
            </>
          )}
          <time>{formatDate(known.at)}</time>
          {!isStatic && hasEngine() && entry.state !== "removed" && ` · ${whereIs(capabilities)}`}
        </small>
      </span>
      {entry.state !== "removed" && (
        <a ref={link} class={entry.phase === "over" ? "button" : "button primary"} href={`/t/${id}`}>
          {entry.phase === "over" ? t("look_again") : t("resume")}
        </a>
      )}
      {/* A game of this device would be lost without its seat: it is deleted where all of them are listed. */}
      {(entry.state === "removed" || !capabilities.includes("delete")) && (
        <Commit
          does={`forget ${id}`}
          class="tool"
          title={t("forget")}
          aria-label={t("forget_table", { game: name })}
          onCommit={() => own.forget(one, row.current?.getBoundingClientRect().height ?? 0)}
        >
          <Icon name="close" />
        </Commit>
      )}
    </li>
  );
}

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 };

/** How long a turn or a timer may last; one's own stands out. */
function TimeLeft({ until, isOwn }: { until: number; isOwn: boolean }) {
  const left = timeLeft(until - useNow(1_000));
  return isOwn ? <b>{left}</b> : <span>{left}</span>;
}

/** "2 days left": in the largest unit of which there are two. */
function timeLeft(milliseconds: number): string {
  if (milliseconds <= 0) return t("turn_late");
  const [unit, length] = Object.entries(UNITS).find(([, one]) => milliseconds >= 2 * one) ?? ["second", UNITS.second];
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
