"""A database that becomes read-only: moves are refused, reading goes on, and play resumes.

Tests run as root as well, whom no permission of a file stops. So connections are made read-only:
those of SQLite as SQLite itself opens a file on a read-only file system, those of PostgreSQL as
after a failover to a replica.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator
from typing import Any, Protocol

import asyncpg
import pytest
from sqlalchemy import event

from dalapapa.client import NewTableData, RefusedForNow, Server, Viewer
from dalapapa.core.errors import DalapapaError, Unavailable
from dalapapa.server.monitoring import metrics
from dalapapa.server.storage.connection import failures
from dalapapa.server.storage.connection.failures import WriteTrouble, find_reason, make_write_error
from dalapapa.server.storage.store import Store
from dalapapa.server.tables import driver as driver_module
from dalapapa.server.tables import sync as sync_module
from tests.support.metrics import parse_metrics
from tests.support.online_games import ask_until_available, choose_move
from tests.support.serving import PATIENCE, Served, first, served
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

REFUSED = {
    "code": "no_database",
    "message": "The server cannot write to its database now: try again later.",
}
REFUSED_MOVES = 50
"""While nothing can be written; without care, each of them would be a line of the log."""


FAILOVERS = 4


class ReadOnly(Protocol):
    """Makes the database of a server read-only, and writable again."""

    async def begin(self) -> None: ...

    async def end(self) -> None: ...


class ReadOnlyFile:
    """Refuses to write over old connections, and opens new ones for reading alone.

    SQLite opens a file that it may not write for reading, and never tries again: a connection that
    was opened meanwhile cannot write when the file system is writable again.
    """

    def __init__(self, here: Served) -> None:
        self.is_on = False
        self.file = here.store.engine.url.database or ""
        engine = here.store.engine.sync_engine
        event.listen(engine, "do_connect", self._open_for_reading)
        event.listen(engine, "checkout", self._limit)
        appender: Any = here.store.appender
        self._connect = appender.connect
        self._appender = appender
        appender.connect = self._connect_appender

    async def begin(self) -> None:
        self.is_on = True

    async def end(self) -> None:
        self.is_on = False

    def _open_for_reading(self, _dialect: Any, _record: Any, args: Any, options: Any) -> None:
        if self.is_on:
            args[0] = f"file:{self.file}?mode=ro"
            options["uri"] = True

    def _connect_appender(self) -> Any:
        connection = self._connect()
        self._limit(connection)
        return connection

    def _limit(self, connection: Any, *_: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA query_only = {int(self.is_on)}")
        cursor.close()


class ReadOnlyPostgres:
    """Ends all connections; new ones can only read, as long as they live."""

    def __init__(self, url: str) -> None:
        server, _, self.name = url.replace("+asyncpg", "").rpartition("/")
        self.control = f"{server}/postgres"

    async def begin(self) -> None:
        await self._execute(
            f"ALTER DATABASE {self.name} SET default_transaction_read_only = on",
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.name}'",
        )

    async def end(self) -> None:
        await self._execute(f"ALTER DATABASE {self.name} RESET default_transaction_read_only")

    async def _execute(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.control)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()


@pytest.fixture(autouse=True)
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (driver_module, sync_module):
        monkeypatch.setattr(module, "RETRY_DELAY_S", 0.05)
    monkeypatch.setattr(failures, "PROBE_INTERVAL_S", 0.05)


@contextlib.asynccontextmanager
async def read_only_later(database: str) -> AsyncIterator[tuple[Served, Server, ReadOnly]]:
    async with asyncio.timeout(PATIENCE), served(database) as here, Server(here.url) as server:
        fault = ReadOnlyPostgres(database) if here.store.postgres else ReadOnlyFile(here)
        yield here, server, fault


async def is_refused(seat: Viewer, move: dict[str, Any], id: str) -> bool:
    """Whether a move is refused because nothing can be written, and not for a lost connection."""
    try:
        await seat.move(move, id=id)
    except RefusedForNow as error:
        assert error.code == REFUSED["code"]
        return str(error) == REFUSED["message"]
    return False


def count_thoughts() -> int:
    """How often bots have thought about a move."""
    series = metrics.QUESTION_SECONDS.series
    return sum(sum(one.counts) for labels, one in series.items() if labels[0] == "program")


def lines_about_writing(caplog: pytest.LogCaptureFixture) -> list[str]:
    about_writing = ("cannot write to the database", "the database is writable again")
    return [line for line in caplog.messages if line.startswith(about_writing)]


async def test_moves_are_refused_while_the_database_is_read_only(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with read_only_later(database) as (here, server, fault):
        new = await server.create(game="classic", seats=[None, None], host="A", guests=["B"])
        bots = await server.create(game="classic", seats=["novice"] * 2, pace=0)
        path = f"/tables/{new['id']}"
        async with server.watch(new["id"], new["token"]) as seat, server.watch(bots["id"]) as bot:
            accepted = [await seat.move(await choose_move(seat), id="first")]
            await wait_until(lambda: bot.version > 2, "a bot that plays")
            move = await choose_move(seat)
            before = parse_metrics((await server.http.get(f"{here.url}/metrics")).text)

            await fault.begin()
            await wait_until(lambda: is_refused(seat, move, "second"), "the first refusal")
            thoughts = count_thoughts()
            many = [is_refused(seat, move, f"move {n}") for n in range(REFUSED_MOVES)]
            assert all(await asyncio.gather(*many))
            token = {"authorization": f"Bearer {new['token']}"}
            for asked, body in (
                (f"{path}/moves", {"move": move}),
                ("/tables", {"game": "gone", "seats": [None, None], "host": "C"}),
                (f"{path}/rematch", {}),
            ):
                answer = await server.http.post(asked, json=body, headers=token)
                if answer.status_code != 409:  # There is no rematch of a game that goes on.
                    assert (answer.status_code, answer.json()) == (503, REFUSED), asked
            await reads_everything(here, server, new, accepted[-1])
            assert here.store.write_trouble.reason == "read_only"
            assert len(lines_about_writing(caplog)) == 1, caplog.messages
            assert "(read_only)" in lines_about_writing(caplog)[0]

            async def is_counted() -> bool:
                found = parse_metrics((await server.http.get(f"{here.url}/metrics")).text)
                name = 'dalapapa_refusals_total{code="no_database"}'
                return (
                    found["dalapapa_ready"] == 0
                    and found[name] >= before.get(name, 0) + REFUSED_MOVES
                )

            await wait_until(is_counted, "figures that count it")
            stood = bot.version
            assert (await here.store.log(bots["id"]))[-1].number == stood, "bots wait"
            assert count_thoughts() - thoughts <= 2, "bots do not think in vain"

            await fault.end()
            await wait_until(
                lambda: here.store.write_trouble.reason is None, "a database that is written again"
            )
            accepted.append(await seat.move(move, id="second"))
            assert await seat.move(move, id="second") == accepted[-1], "not made twice"
            # As many at once as there are connections: none is still read-only.
            table = {"game": "gone", "seats": [None, None], "host": "C"}
            made = await asyncio.gather(*(server.create(**table) for _ in range(20)))
            assert len({one["id"] for one in made}) == 20
            while bot.version < stood + 3 and bot.table["phase"] != "over":
                await bot.changed()
        for id in (new["id"], bots["id"]):
            log = await here.store.log(id)
            assert [one.number for one in log] == list(range(1, len(log) + 1))
        assert accepted == [3, 4]
        assert len(await here.store.log(new["id"])) == 4
        assert await here.store.count() == 22, "no attempt to write left a trace"
    assert len(lines_about_writing(caplog)) == 2, caplog.messages
    about_bots = [line for line in caplog.messages if "a bot cannot move now" in line]
    # When PostgreSQL fails over, a table may lose its connection before the store can say so.
    assert len(about_bots) <= 1, "the store has said it once, for all tables"


async def reads_everything(here: Served, server: Server, new: NewTableData, version: int) -> None:
    """Pages, tables, histories and problems are answered as always; `/ready` says why it is not."""
    table = await server.ask("GET", f"/tables/{new['id']}")
    assert table["version"] == version
    for asked in (
        f"/tables/{new['id']}/history",
        "/tables",
        "/games",
        "/problem/found?date=2020-03-10",
    ):
        answer = await server.http.get(asked)
        assert answer.status_code == 200, (asked, answer.text)
    own = {"tables": [{"id": new["id"], "token": new["token"]}]}
    assert (await server.http.post("/own-tables", json=own)).status_code == 200
    assert (await server.http.get(f"{here.url}/")).status_code == 200
    async with server.watch(new["id"]) as spectator:
        assert spectator.version == version

    async def says_why() -> bool:  # Its answer is remembered for a second.
        answer = await server.http.get(f"{here.url}/ready")
        return answer.status_code == 503 and answer.json()["code"] == "read_only"

    await wait_until(says_why, "a reason why it is not ready")
    assert (await server.http.get(f"{here.url}/health")).text == "ok\n"


@pytest.mark.thorough
async def test_play_goes_on_after_each_of_several_failovers(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Moves come all the time, while the database changes; none is lost, made twice or half."""
    caplog.set_level(logging.WARNING)
    async with read_only_later(database) as (here, server, fault):
        tables = [
            await server.create(game="classic", seats=[None, None], host="A", guests=["B"])
            for _ in range(6)
        ]
        accepted: dict[str, dict[str, int]] = {one["id"]: {} for one in tables}

        async def play(new: NewTableData) -> None:
            async with server.watch(new["id"], new["token"]) as seat:
                while seat.table["phase"] == "playing":
                    moves = [move for own in seat.yours for move in await seat.legal(own)]
                    if moves:
                        id = f"{len(accepted[new['id']])}"
                        accepted[new["id"]][id] = await send(seat, first(moves), id)
                    else:
                        await seat.changed()

        async def send(seat: Viewer, move: dict[str, Any], id: str) -> int:
            """Send a move under the same id until it is accepted."""
            return await ask_until_available(lambda: seat.move(move, id=id))

        def count() -> int:
            return sum(map(len, accepted.values()))

        playing = [asyncio.create_task(play(new)) for new in tables]

        async def wait_for_moves() -> None:
            wanted = count() + 20
            await wait_until(lambda: count() >= wanted, "twenty moves")

        for _ in range(FAILOVERS):
            await wait_for_moves()
            await fault.begin()
            await wait_until(lambda: here.store.write_trouble.reason, "a refused move")
            await fault.end()
            await wait_until(lambda: not here.store.write_trouble.reason, "writes that work")
        await wait_for_moves()
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        assert {type(one) for one in ended} <= {asyncio.CancelledError, type(None)}, ended
        for id, moves in accepted.items():
            log = await here.store.log(id)
            assert [one.number for one in log] == list(range(1, len(log) + 1))
            assert len(set(moves.values())) == len(moves), "no version stands for two moves"
            nonces = [one.nonce for one in log if one.nonce]
            assert len(nonces) == len(set(nonces)), "no move was made twice"
            assert set(moves.values()) <= {one.number for one in log}
    # A move that was under way over an old connection may begin and end the trouble once more.
    assert 2 * FAILOVERS <= len(lines_about_writing(caplog)) <= 4 * FAILOVERS


async def test_the_end_of_read_only_mode_is_found_by_trying() -> None:
    tries = 0

    async def probe() -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise make_write_error()

    trouble = WriteTrouble(probe)
    trouble.note("disk_full", "no space")
    trouble.note("read_only", "mounted again")
    assert trouble.reason == "read_only"
    await wait_until(lambda: trouble.reason is None, "the end of the trouble")
    assert tries == 3, "one task tries, however many troubles are noted"
    await trouble.close()


async def test_a_closed_store_stops_trying() -> None:
    async def fail() -> None:
        raise make_write_error()

    trouble = WriteTrouble(fail)
    trouble.note("read_only", "")
    await trouble.close()
    assert not [task for task in asyncio.all_tasks() if "_probe_until_written" in repr(task)]


def test_reasons_are_found_in_the_causes_of_an_error() -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    moved = sqlite3.OperationalError("attempt to write a readonly database")
    moved.sqlite_errorcode = sqlite3.SQLITE_READONLY | 4 << 8  # SQLITE_READONLY_DBMOVED.
    refused = Unavailable("The database does not answer: try again.", "no_database")
    refused.__cause__ = moved
    assert find_reason(full) == "disk_full"
    assert find_reason(refused) == "read_only"
    assert find_reason(asyncpg.ReadOnlySQLTransactionError("no")) == "read_only"
    assert find_reason(asyncpg.DiskFullError("no")) == "disk_full"
    for other in (None, OSError("gone"), asyncpg.DeadlockDetectedError("no"), DalapapaError("x")):
        assert find_reason(other) is None


async def test_connections_are_kept_again_after_they_were_dropped(database: str) -> None:
    """Those from before are closed as soon as they are free; new ones are used many times."""
    store = Store(database)
    await store.open()
    opened = 0

    @event.listens_for(store.engine.sync_engine, "connect")
    def count(*_: object) -> None:
        nonlocal opened
        opened += 1

    try:
        for _ in range(2):
            async with store.transaction() as connection:
                in_use: Any = (await connection.get_raw_connection()).driver_connection
                await store.engine.dispose()
            opened = 0
            for _ in range(5):
                async with store.transaction() as connection:
                    new: Any = (await connection.get_raw_connection()).driver_connection
                    assert new is not in_use
            assert opened == 1
    finally:
        await store.close()
