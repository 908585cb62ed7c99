"""An upgrade under load: players come at once, and a process is killed while it migrates.

There is no program of an earlier version here, only its database (`test_upgrade.py`). So players
wait in the queue of the listening socket before any process serves, a process is killed in the
middle of its migration, and moves are written to the earlier schema while it changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
import time
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text

from dalapapa.hosting.entries import Left, Returned
from dalapapa.hosting.stored import StoredEntry
from dalapapa.server.storage.migrations import newest
from dalapapa.server.storage.rows import entry_row
from dalapapa.server.storage.store import Store
from dalapapa.server.storage.writer import Appender, PostgresAppender, SqliteAppender
from tests.support.crash import Party
from tests.support.old_databases import VERSIONS, fill_old_database, read_old_tables
from tests.support.serving import PATIENCE
from tests.support.supervisor import ServerAddress, Supervisor, run_supervisor
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

VERSION = [*VERSIONS][-1]
GAMES = ("gone", "72")
"""Whose turns have no time limit: however old the database is, no bot plays for its players."""

KEEP = "--keep=playing=never"
"""However old the database is, no game is removed."""

# Stops in the middle of the migration, before its fifth version is noted.
STOP_MIGRATING = """
import os, time
from sqlalchemy import event
from sqlalchemy.engine import Engine

@event.listens_for(Engine, "before_cursor_execute")
def stop(connection, cursor, statement, *_):
    if statement.startswith("UPDATE alembic_version SET version_num='0005'"):
        open(os.environ["STOPPED"], "w").close()
        time.sleep(3600)  # Until it is killed.

from dalapapa.__main__ import main
main()
"""


async def read_version(database: str) -> str:
    """The version of a database's schema, as others see it."""
    store = Store(database)
    async with store.engine.connect() as connection:
        found = await connection.scalar(text("SELECT version_num FROM alembic_version"))
    await store.engine.dispose()
    return str(found)


# -- moves while the schema changes ----------------------------------------------------------------


class EarlierServer:
    """Writes to a table as a server of the earlier version does, until it is stopped.

    The statements that append are the same in all versions.
    """

    def __init__(self, database: str, table: str, version: int) -> None:
        self.store = Store(database)
        file = self.store.engine.url.database or ""
        self.appender: Appender = (
            PostgresAppender(self.store.engine) if self.store.postgres else SqliteAppender(file)
        )
        self.table = table
        self.version = version
        self.accepted: list[int] = []
        self.is_stopped = False

    async def write(self) -> None:
        while not self.is_stopped:
            number = self.version + len(self.accepted) + 1
            entry = Left(0) if len(self.accepted) % 2 == 0 else Returned(0)
            stored = StoredEntry(number, int(1000 * time.time()), entry)
            assert await self.appender.add([entry_row(self.table, stored, "playing")]) == [True]
            self.accepted.append(number)
        await self.appender.close()
        await self.store.engine.dispose()


async def test_moves_go_on_while_two_processes_migrate(database: str) -> None:
    """A process of the earlier version still writes: nothing is lost, nothing is made twice."""
    await fill_old_database(database, VERSION)
    assert await read_version(database) == VERSIONS[VERSION]
    (table,) = (
        one
        for one in read_old_tables(VERSION)
        if (one["game"], one["phase"]) == ("gone", "playing")
    )
    earlier = EarlierServer(database, table["id"], table["version"])
    writing = asyncio.create_task(earlier.write())
    stores = [Store(database), Store(database)]
    try:
        async with asyncio.timeout(PATIENCE):
            await wait_until(lambda: len(earlier.accepted) > 3 or writing.done(), "a few moves")
            await asyncio.gather(*(store.open() for store in stores))
            migrated = len(earlier.accepted)
            await wait_until(
                lambda: len(earlier.accepted) > migrated + 3 or writing.done(), "moves after it"
            )
            earlier.is_stopped = True
            await writing
        assert await read_version(database) == newest()
        log = await stores[0].log(table["id"])
        assert [one.number for one in log] == list(range(1, earlier.accepted[-1] + 1))
    finally:
        earlier.is_stopped = True
        await asyncio.gather(writing, return_exceptions=True)
        for store in stores:
            await store.close()


# -- processes that are killed ---------------------------------------------------------------------


async def stop_in_migration(supervisor: Supervisor, folder: Path) -> subprocess.Popen[bytes]:
    """A process that stands still in the middle of its migration."""
    stopped = folder / "stopped"
    stopped.unlink(missing_ok=True)
    process = supervisor.start(
        KEEP, environment={"STOPPED": str(stopped)}, program=("-c", STOP_MIGRATING)
    )

    def is_stopped() -> bool:
        assert process.poll() is None, supervisor.read_output(process)
        return stopped.exists()

    await wait_until(is_stopped, "a process that migrates")
    return process


async def waits_for_migration(database: str) -> bool:
    """Whether a process waits until another one has migrated (PostgreSQL only)."""
    connection = await asyncpg.connect(database.replace("+asyncpg", ""))
    try:
        found: bool = await connection.fetchval(
            "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)"
        )
        return found
    finally:
        await connection.close()


async def start_second(supervisor: Supervisor) -> subprocess.Popen[bytes]:
    """A second process during a migration: waits with PostgreSQL, is refused with SQLite."""
    second = supervisor.start(KEEP)
    if supervisor.database.startswith("postgresql"):
        await wait_until(lambda: waits_for_migration(supervisor.database), "a second process")
        assert second.poll() is None
    else:
        assert await asyncio.to_thread(second.wait, PATIENCE) != 0
        assert "Another server" in supervisor.read_output(second)
    return second


@pytest.mark.thorough
async def test_a_process_that_is_killed_while_it_migrates_under_load(
    database: str, tmp_path: Path
) -> None:
    await fill_old_database(database, VERSION)
    tables = [
        one
        for one in read_old_tables(VERSION)
        if one["game"] in GAMES and one["phase"] == "playing"
    ]
    with run_supervisor(database) as supervisor:
        party = Party([ServerAddress(supervisor.url, database)])  # type: ignore[list-item]
        party.tables.update({one["id"]: one["game"] for one in tables})
        # They connect before any process serves, and whenever a connection is lost.
        playing = [
            asyncio.create_task(party.play(one["id"], one["token"], seat))
            for one in tables
            for seat in (0, 1)
        ]
        try:
            async with asyncio.timeout(PATIENCE):
                first = await stop_in_migration(supervisor, tmp_path)
                second = await start_second(supervisor)
                assert await read_version(database) == VERSIONS[VERSION], "all or nothing"
                assert party.moves == 0
                first.kill()
                await asyncio.to_thread(first.wait)
                if second.poll() is not None:
                    second = supervisor.start(KEEP)
                await supervisor.serving(second)
                await party.some_moves(20)
                assert await read_version(database) == newest()
                id, token = await party.create("classic", [None, None])
                playing += [asyncio.create_task(party.play(id, token, seat)) for seat in (0, 1)]
                await party.some_moves(20)
                # The next restart finds nothing to migrate.
                await supervisor.stop(second)
                third = supervisor.start(KEEP)
                await supervisor.serving(third)
                await party.some_moves(20)
        finally:
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
        assert {type(one) for one in ended} <= {asyncio.CancelledError, type(None)}, ended
        await supervisor.stop(third)
        assert await party.check() >= 60, "no move was lost or made twice"


async def test_a_killed_migration_leaves_the_earlier_schema(
    sqlite_database: str, tmp_path: Path
) -> None:
    """Every version of the schema at once, or none of them."""
    await fill_old_database(sqlite_database, VERSION)
    file = Path(sqlite_database.partition("///")[2])

    def read_schema() -> list[tuple[str, str]]:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
            return sorted(rows)

    before = read_schema()
    with run_supervisor(sqlite_database) as supervisor:
        process = await stop_in_migration(supervisor, tmp_path)
        assert read_schema() == before, "readers see nothing of it"
        process.kill()
        process.wait()
    assert read_schema() == before
    store = Store(sqlite_database)
    await store.open()
    await store.close()
    assert await read_version(sqlite_database) == newest()
