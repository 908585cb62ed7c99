/** A table: waiting for players, being played at, or over. */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { DEFAULT } from "../games/general.ts";
import { TABLES } from "../games/tables.ts";
import { listed, t } from "../i18n.ts";
import { refusalOf } from "../panels/refusal.ts";
import { Result } from "../panels/result.tsx";
import type { PageProps } from "../shell/app.tsx";
import { useGame, useTitle } from "../shell/hooks.ts";
import { gameName } from "../state/catalogue.ts";
import { Session, type TableProps } from "../state/session.ts";
import { OfferedSeat, takeOffered } from "../tables/another-device.tsx";
import { TableCompany } from "../tables/company.tsx";
import { keepToken, knownTables } from "../state/storage.ts";
import { useAlerts } from "../tables/alerts.ts";
import { TableMenu, TableNotes } from "../tables/menu.tsx";
import { PrivacyScreen } from "../tables/privacy.tsx";

/** What the id of a table looks like; nothing else is worth asking for. */
const ID = /^[\w-]+$/;

export default function TablePage({ argument }: PageProps) {
  return ID.test(argument) ? <AnyTable id={argument} /> : <NoTable />;
}

/** There is no such table or, with a reason, nobody can open it any more. */
function NoTable({ reason = "" }: { reason?: string }) {
  return (
    <section class="page narrow">
      <h1>{t(reason ? "closed_table_title" : "no_table_title")}</h1>
      <p>{reason || t("no_table_text")}</p>
      <p><a class="button" href="/">{t("home")}</a></p>
    </section>
  );
}

function AnyTable({ id }: { id: string }) {
  // A seat that the address carries is kept before the socket says hello.
  const { offered, session } = useMemo(() => ({ offered: takeOffered(id), session: new Session(id) }), [id]);
  useEffect(() => () => session.close(), [session]);
  useKeptSeats(session);
  useTitle(session.wanted.value && session.table.value?.phase === "playing" ? `● ${t("your_turn")}` : "");
  const refusal = session.refusal.value;
  if (refusal) return <NoTable reason={refusal.code === "unknown_table" ? "" : refusalOf(refusal)} />;
  const table = session.table.value;
  if (!table) return <p class="page narrow" role="status">{t("connecting")}</p>;
  return (
    <>
      {session.connection.value === "reconnecting" ? <p class="reconnecting" role="status">{t("reconnecting")}</p>
        : session.late.value && <p class="reconnecting" role="status">{t("asking_again")}</p>}
      <TableMenu session={session} />
      <OfferedSeat session={session} offered={offered} />
      <TableCompany session={session} />
      {table.phase === "waiting" ? <Waiting session={session} /> : <Playing session={session} game={table.game} />}
    </>
  );
}

/** The list on the first page tells whose turn it is: for that it must know which seats are one's own. */
function useKeptSeats(session: Session): void {
  const seats = session.yours.value.join();
  useEffect(() => {
    const known = knownTables()[session.id];
    if (known && seats && known.seats?.join() !== seats) keepToken(session.id, known.token, known.game, [...session.yours.value]);
  }, [session, seats]);
}

/** What is loaded when it is wanted, such as a game's own table. */
function useLoaded<P>(load: () => Promise<ComponentType<P>>, what: string): ComponentType<P> | null {
  const found = useSignal<ComponentType<P> | null>(null);
  useEffect(() => {
    void load().then((loaded) => (found.value = loaded));
  }, [what]);
  return found.value;
}

function Waiting({ session }: TableProps) {
  const Room = useLoaded(() => import("../tables/waiting-room.tsx").then(({ WaitingRoom }) => WaitingRoom), "waiting");
  return Room && <Room session={session} />;
}

function Playing({ session, game }: TableProps & { game: string }) {
  useGame(game);
  useAlerts(session);
  // A game that nobody here knows is played at the general table of turns, which is that of the default one.
  const Table = useLoaded(() => (TABLES[game] ?? TABLES[DEFAULT]!)().then((loaded) => loaded.default), game);
  if (!Table) return <p class="page narrow" role="status">{t("connecting")}</p>;
  return (
    <>
      <h1 class="hidden">{gameName(game)}: {listed(session.table.value!.seats.map(({ name }) => name))}</h1>
      <TableNotes session={session} />
      <Table session={session as Session<never>} />
      {session.covered.value && <PrivacyScreen session={session} />}
      {session.view.value?.outcome && <Result session={session} />}
    </>
  );
}
