/** A table: waiting for players, being played at, or over. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { gameOf } from "../games/general.ts";
import { STYLED, TABLES } from "../games/tables.ts";
import { joinList, speakAlso, t, withColon } from "../i18n.ts";
import type { Refused } from "../net/backend.ts";
import { hasEngine } from "../net/device-backend.ts";
import { refusalOf } from "../panels/refusal.ts";
import type { PageProps } from "../shell/app.tsx";
import { AnnouncedText, useAnnouncement } from "../shell/announced-text.tsx";
import { DeviceGamesButton } from "../shell/device-games-button.tsx";
import { useGame, useTitle } from "../shell/hooks.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { loadOrRenew } from "../shell/renew.ts";
import { loadStyles } from "../shell/style.ts";
import { gameName, isOurs } from "../state/catalogue.ts";
import { Session, type TableProps } from "../state/session.ts";
import { OfferedSeat, takeOffered } from "../tables/another-device.tsx";
import { TablePresence } from "../tables/presence.tsx";
import { keepToken, knownTables, tokenOf } from "../state/storage.ts";
import { announce } from "../state/voice.ts";
import { useAlerts } from "../tables/alerts.ts";
import { wordsOpen } from "../tables/keys.ts";
import { loadMoving } from "../tables/load-moving.ts";
import { loadMenu, TableMenu, TableNotes } from "../tables/menu.tsx";
import { tableOf } from "../panels/known-table.ts";

/** The form of a table's id; anything else need not be requested. */
const ID = /^[\w-]+$/;

export default function TablePage({ argument }: PageProps) {
  return ID.test(argument) ? <AnyTable id={argument} /> : <NoTable />;
}

/** There is no such table or, with a refusal, it cannot be opened any more. */
function NoTable({ id = "", refusal }: { id?: string; refusal?: Refused }) {
  const canDelete = refusal?.capabilities.includes("delete");
  const isDamaged = canDelete && refusal?.code === "damaged_table";
  const isKnown = refusal && refusal.code !== "unknown_table";
  const reason = isDamaged ? t("device_damaged") : isKnown ? refusalOf(refusal) : "";
  const token = tokenOf(id);
  return (
    <section class="page narrow">
      <h1>{t(reason ? "closed_table_title" : "no_table_title")}</h1>
      <p>{reason || t("no_table_text")}</p>
      {canDelete && <DeviceGamesButton {...(isDamaged && { damaged: id })} />}
      {refusal?.code === "moved_to_device" && token && hasEngine() && <MoveToDevice id={id} token={token} />}
      <p>
        <a class="button" href="/">
          {t("home")}
        </a>
      </p>
    </section>
  );
}

function AnyTable({ id }: { id: string }) {
  // A seat that the address carries is kept before the socket says hello.
  const { offered, session } = useMemo(() => ({ offered: takeOffered(id), session: new Session(id) }), [id]);
  useEffect(() => () => session.close(), [session]);
  useEffect(() => {
    // A player who has been here knows which game it is.
    const game = knownTables()[id]?.game;
    if (game) void loadTable(game).catch(() => undefined);
  }, [id]);
  useKeptSeats(session);
  const game = session.table.value?.game;
  const phase = session.table.value?.phase;
  const Table = useGameTable(game, phase !== "waiting");
  // Not before the table is shown: until then no key or click can answer.
  const yourTurn = session.wanted.value && phase === "playing" && Table;
  useTitle(yourTurn ? `● ${t("your_turn")}` : game ? gameName(game) : "");
  const lost = session.store.connection.value === "reconnecting";
  useAnnouncement(lost ? t("reconnecting") : session.store.isLate.value ? t("asking_again") : null, "urgent");
  const back = useRef(false);
  useEffect(() => {
    if (back.current && !lost) announce(t("connected_again"), "urgent");
    back.current = lost;
  }, [lost]);
  const refusal = session.store.refusal.value;
  if (refusal) return <NoTable id={id} refusal={refusal} />;
  const table = session.table.value;
  if (!table)
    return (
      <AnnouncedText manner="status" class="page narrow">
        {t("connecting")}
      </AnnouncedText>
    );
  return (
    <>
      {lost ? (
        <p class="floating reconnecting">{t("reconnecting")}</p>
      ) : (
        session.store.isLate.value && <p class="floating reconnecting">{t("asking_again")}</p>
      )}
      <TableMenu session={session} />
      <OfferedSeat session={session} offered={offered} />
      <TablePresence session={session} />
      {table.phase === "waiting" ? (
        <Waiting session={session} />
      ) : (
        <Playing session={session} game={table.game} Table={Table} />
      )}
    </>
  );
}

/** The list on the first page shows whose turn it is, so it must know which seats belong to this browser. */
function useKeptSeats(session: Session): void {
  const seats = session.yours.value.join();
  useEffect(() => {
    const known = knownTables()[session.id];
    if (known && seats && known.seats?.join() !== seats)
      keepToken(session.id, known.token, known.game, [...session.yours.value]);
  }, [session, seats]);
}

const MoveToDevice = loadLazily(() => loadMoving().then(({ MoveToDevice }) => MoveToDevice));

const Waiting = loadLazily<TableProps>(() =>
  import("../tables/waiting-room.tsx").then(({ WaitingRoom }) => WaitingRoom),
);

const loadResult = () =>
  Promise.all([import("../panels/result.tsx"), speakAlso("result"), loadStyles(["more"])]).then(
    ([{ GameResult }]) => GameResult,
  );
const GameResult = loadLazily<TableProps>(loadResult);

/** Milliseconds after which a table has nothing more urgent to load than what is wanted at its end. */
const PRELOAD_DELAY_MS = 60_000;

/** The games of other packages share a table; it does not wait for their texts. */
async function loadTable(game: string) {
  const load = (isOurs(game) && TABLES[game]) || (() => import("../tables/package-table.tsx"));
  const own = isOurs(game) ? STYLED.filter((name) => name === game) : ["packages"];
  const sheets = gameOf(game).race ? ["races", ...own] : own;
  const [{ default: Table }] = await Promise.all([load(), loadStyles(sheets)]);
  return Table;
}
type GameTable = Awaited<ReturnType<typeof loadTable>>;

/** The table of a game, loaded as soon as it is `needed`. */
function useGameTable(game: string | undefined, needed: boolean): GameTable | null {
  const found = useSignal<{ game: string; Table: GameTable } | null>(null);
  useEffect(() => {
    if (!game || !needed) return;
    void loadOrRenew(() => loadTable(game)).then((Table) => (found.value = { game, Table }));
    const timer = setTimeout(() => {
      for (const load of [loadResult, loadMenu]) void load().catch(() => undefined);
    }, PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [game, needed]);
  return found.value && found.value.game === game ? found.value.Table : null;
}

/** Milliseconds after a table is usable until the engine for tables on this device is loaded ahead. */
const ENGINE_DELAY_MS = 5_000;

function loadAheadLater(): () => void {
  const timer = setTimeout(
    () =>
      void import("../state/engine-ahead.ts").then(({ loadEngineAhead }) => loadEngineAhead()).catch(() => undefined),
    ENGINE_DELAY_MS,
  );
  return () => clearTimeout(timer);
}

function Playing({ session, game, Table }: TableProps & { game: string; Table: GameTable | null }) {
  useGame(game);
  useAlerts(session);
  useEffect(() => (Table && hasEngine() ? loadAheadLater() : undefined), [Table]);
  if (!Table)
    return (
      <AnnouncedText manner="status" class="page narrow">
        {t("connecting")}
      </AnnouncedText>
    );
  return (
    <>
      <h1 class="hidden">{withColon(gameName(game), joinList(tableOf(session).seats.map(({ name }) => name)))}</h1>
      <button type="button" class="skip" onClick={() => (wordsOpen.value = true)}>
        {t("key_words")} <kbd>W</kbd>
      </button>
      <TableNotes session={session} />
      <Table session={session as Session<never>} />
      {session.view.value?.outcome && <GameResult session={session} />}
    </>
  );
}
