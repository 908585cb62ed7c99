"""Archived tables are what they were: opened, replayed, exported to the byte, and never doubled."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from alembic import command
from alembic.config import Config
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, event, select, text

from dalapapa.client import Server
from dalapapa.core.errors import DalapapaError
from dalapapa.hosting.entries import Left, Rematched
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.stored import StoredEntry
from dalapapa.server.ops.export import export_tables, import_tables
from dalapapa.server.storage import migrations, schema
from dalapapa.server.storage.archive import Archived, Line, pack, unpack
from dalapapa.server.storage.retention import Retention, SweepResult
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from tests.support.filled_stores import TABLES, fill_store, read_lobby, read_store
from tests.support.serving import PATIENCE, LateClock, served, uncounted
from tests.support.stores import find_places, open_store
from tests.support.two_processes import open_two_processes
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio

AT_ONCE = RetentionPolicy("never", "never", "never", 0)
OVER = [kept for kept in TABLES if kept[1] == "over"]


def archive_all(database: str) -> SweepResult:
    async def go() -> SweepResult:
        async with open_store(database) as store:
            return await Retention(store, AT_ONCE).sweep()

    return asyncio.run(go())


# -- the form --------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
marks = st.none() | words | st.binary(min_size=32, max_size=32).map(bytes.hex) | st.just("AB" * 32)
times = st.integers(0, 2**53)


@given(
    st.lists(st.tuples(times, marks, words), max_size=30),
    times, words, words, st.none() | words,
)  # fmt: skip
def test_packed_rows_unpack_unchanged(
    log: list[tuple[int, str | None, str]], created: int, settings: str, seed: str, name: str | None
) -> None:
    lines = tuple(Line(number, *one) for number, one in enumerate(log, start=1))
    table = Archived("id", created, settings, seed, name, name, lines)
    assert unpack("id", pack(table)) == table


def packed(kept: Any = None) -> bytes:
    stored, _, log = kept or OVER[0]
    lines = [Line(one.number, one.at, one.nonce, '{"type":"left","seat":0}') for one in log]
    return pack(Archived(stored.id, stored.created, "{}", "seed", "120", "f" * 64, tuple(lines)))


@given(st.data())
def test_a_damaged_archive_row_is_a_damaged_table(data: st.DataObject) -> None:
    whole = packed()
    place = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    byte = data.draw(st.integers(0, 255))
    damaged = whole[:place] if cut else whole[:place] + bytes([byte]) + whole[place + 1 :]
    try:
        unpack("id", damaged)
    except msgspec.MsgspecError as error:
        assert "\n" not in str(error)


# -- on any database -------------------------------------------------------------------------------


def test_exports_are_the_same_to_the_byte_before_and_after(database: str, tmp_path: Path) -> None:
    """Of all games; also imports know what is in the archive, and lobbies stay as they were."""
    fill_store(database)
    before, after, elsewhere = tmp_path / "before", tmp_path / "after", tmp_path / "elsewhere"
    asyncio.run(export_tables(database, str(before)))
    lobby = read_lobby(database)
    assert archive_all(database).archived == len(OVER)
    asyncio.run(export_tables(database, str(after)))
    assert after.read_bytes() == before.read_bytes()
    assert read_lobby(database) == lobby
    assert sorted(read_store(database), key=lambda kept: kept[0].id) == [
        (table, log) for table, _, log in TABLES
    ]
    assert asyncio.run(import_tables(database, str(after))).new == 0, "none comes in twice"
    other = f"sqlite+aiosqlite:///{tmp_path / 'other.db'}"
    assert asyncio.run(import_tables(other, str(after))).new == len(TABLES)
    asyncio.run(export_tables(other, str(elsewhere)))
    assert elsewhere.read_bytes() == before.read_bytes()


def test_a_log_is_read_from_the_archive_as_before(database: str) -> None:
    fill_store(database)
    archive_all(database)

    async def go() -> None:
        async with open_store(database) as store:
            assert await store.count() == len(TABLES) - len(OVER)
            for table, _, log in TABLES:
                assert await store.load(table.id) == table
                assert await store.log(table.id) == log
                assert await store.news(table.id, 3) == log[3:]
                assert await store.news(table.id, len(log)) == []
            assert await store.news("missing", 0) is None

    asyncio.run(go())


def test_archiving_makes_room(sqlite_database: str) -> None:
    """A finished game takes less than a third of what it took, though it is short."""
    fill_store(sqlite_database, OVER)

    async def size(*kinds: Any) -> int:
        async with open_store(sqlite_database) as store, store.engine.connect() as connection:
            rows = [row for kind in kinds for row in await connection.execute(select(kind))]
            return sum(len(str(value)) if not isinstance(value, bytes) else len(value)
                       for row in rows for value in row)  # fmt: skip

    before = asyncio.run(size(schema.tables, schema.entries))
    archive_all(sqlite_database)
    assert asyncio.run(size(schema.tables, schema.entries)) == 0
    assert asyncio.run(size(schema.archive)) < before / 3


def test_a_log_with_a_gap_is_not_archived(database: str, caplog: pytest.LogCaptureFixture) -> None:
    fill_store(database, OVER)
    bad = OVER[0][0].id

    async def go() -> None:
        async with open_store(database) as store:
            async with store.engine.begin() as connection:
                gap = text("DELETE FROM entries WHERE table_id = :id AND number = 2")
                await connection.execute(gap, {"id": bad})
            assert (await Retention(store, AT_ONCE).sweep()).archived == len(OVER) - 1
            assert (await find_places(store))[bad] == ["tables"]

    asyncio.run(go())
    assert "could not archive a table" in caplog.text
    assert bad not in caplog.text, "ids open tables"


def test_the_schema_goes_back_only_from_an_empty_archive(sqlite_database: str) -> None:
    fill_store(sqlite_database, OVER)
    archive_all(sqlite_database)

    def back(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(migrations.FOLDER))
        config.attributes["connection"] = connection
        command.downgrade(config, "0002")

    async def go() -> None:
        async with open_store(sqlite_database) as store:
            with pytest.raises(RuntimeError, match="export"):
                async with store.engine.begin() as connection:
                    await connection.run_sync(back)
            assert len(await find_places(store)) == len(OVER)

    asyncio.run(go())


# -- over HTTP and sockets -------------------------------------------------------------------------

ASKED = ("", "/record", "/history", "/replay", "/picture.svg")


async def test_an_archived_table_answers_as_before(sqlite_database: str) -> None:
    """Of every game; each first from the tables, then from the archive."""

    async def answers(url: str) -> dict[tuple[str, str], tuple[int, bytes]]:
        found = {}
        async with httpx.AsyncClient(
            base_url=url, timeout=PATIENCE, trust_env=False, verify=False
        ) as http:
            for table, _, _ in OVER:
                for path in ASKED:
                    answer = await http.get(f"/api/tables/{table.id}{path}")
                    found[table.id, path] = answer.status_code, answer.content
            puzzle = next(table.id for table, _, _ in OVER if table.id.startswith("puzzle"))
            reviewed = await http.get(f"/api/tables/{puzzle}/review")
            found[puzzle, "/review"] = reviewed.status_code, reviewed.content
        return found

    async def read_views(url: str) -> list[Any]:
        found = []
        async with Server(url) as server:
            for table, _, _ in OVER:
                async with server.watch(table.id) as viewer:
                    found.append((viewer.version, viewer.table, viewer.views))
        return found

    async with served(sqlite_database) as here:
        await here.store.restore(OVER)
        before = await answers(here.url), await read_views(here.url)
        here.services.retention.policy = AT_ONCE
        assert (await here.services.retention.sweep()).archived == len(OVER)
        here.tables.registry.cache.clear()  # Nothing is in memory.
        here.services.reviews.cache.clear()
        assert (await answers(here.url), await read_views(here.url)) == before
    statuses = [status for status, _ in before[0].values()]
    assert statuses.count(200) > 0.8 * len(statuses)


async def test_a_rematch_and_leaving_bring_a_table_back(database: str) -> None:
    clock = LateClock()
    async with served(database, clock) as here, Server(here.url) as server:
        sweep = here.services.retention
        sweep.policy = AT_ONCE
        new = await server.create(game="puzzle", seats=[None, None], host="Ann", countdown=0)
        id, ann = new["id"], new["token"]
        bob = await server.sit(id, 1, "Bob")
        async with server.watch(id, ann) as viewer:
            await viewer.move({"player": 0, "move": "give_up"})
        clock.ahead += 2  # It has changed before now.
        assert await sweep.sweep() == SweepResult(1, 0)
        assert await here.store.count() == 0
        # A process that has it in memory, and one that has not.
        again = (await server.ask("POST", f"/tables/{id}/rematch", ann))["id"]
        here.tables.registry.cache.clear()
        assert (await server.ask("POST", f"/tables/{id}/rematch", bob))["id"] == again
        assert (await server.ask("GET", f"/tables/{id}"))["table"]["rematch"] == again
        clock.ahead += 2
        assert await sweep.sweep() == SweepResult(1, 0), "the old table, with its rematch"
        here.tables.registry.cache.clear()
        assert (await server.ask("GET", f"/tables/{id}"))["table"]["rematch"] == again
        await server.ask("DELETE", f"/tables/{id}/seats/1", bob)
        assert (await server.ask("GET", f"/tables/{id}"))["table"]["seats"][1]["away"]
        log = await here.store.log(id)
        assert [one.number for one in log] == list(range(1, len(log) + 1))
        assert isinstance(log[-1].entry, Left)


# -- nothing is lost or doubled --------------------------------------------------------------------


class Killed(Exception):
    """Stands for a power cut."""


class Fuse:
    """Fails at the statement of that number, while it is armed."""

    def __init__(self) -> None:
        self.last = 1
        self.statements = 0
        self.armed = False

    def burn(self, *_args: Any) -> None:
        self.statements += self.armed
        if self.armed and self.statements == self.last:
            raise Killed


def test_a_batch_that_fails_anywhere_is_undone(database: str) -> None:
    """Whichever statement is the last one: all tables are in one place, and whole."""
    some, fuse = OVER[:3], Fuse()
    fill_store(database, some)

    async def swept(store: Store) -> bool:
        fuse.armed, fuse.statements = True, 0
        try:
            await Retention(store, AT_ONCE).sweep()
        except Killed:
            return False
        finally:
            fuse.armed = False
        return True

    async def play() -> None:
        async with open_store(database) as store:
            event.listen(store.engine.sync_engine, "before_cursor_execute", fuse.burn)
            done = False
            while not done:
                done = await swept(store)
                found = await find_places(store)
                assert sorted(found) == sorted(table.id for table, _, _ in some)
                assert all(len(one) == 1 for one in found.values())
                for table, _, log in some:
                    assert await store.load(table.id) == table
                    assert await store.log(table.id) == log
                fuse.last += 1
            assert set(map(tuple, found.values())) == {("archive",)}

    asyncio.run(play())
    assert fuse.last > 8


KILLED = """
import asyncio, os, signal, sys
from sqlalchemy import event
from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store

async def main():
    store = Store(sys.argv[1])
    await store.open()

    def look(connection, cursor, statement, *_):
        if statement.startswith(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store.engine.sync_engine, "before_cursor_execute", look)
    await Retention(store, RetentionPolicy("never", "never", "never", 0)).sweep()

asyncio.run(main())
"""


@pytest.mark.parametrize("step", ["DELETE FROM tables"])
def test_a_process_that_is_killed_while_it_archives_loses_nothing(database: str, step: str) -> None:
    fill_store(database, OVER)
    words = [sys.executable, "-c", KILLED, database, step]
    ended = subprocess.run(words, env=uncounted(), timeout=PATIENCE, check=False)
    assert ended.returncode == -signal.SIGKILL

    async def go() -> None:
        async with open_store(database) as store:
            assert set(map(tuple, (await find_places(store)).values())) == {("tables",)}

            async def archives_all() -> bool:
                return (await Retention(store, AT_ONCE).sweep()).archived == len(OVER)

            await wait_until(archives_all, "PostgreSQL, which notices the end of the process")
            assert set(map(tuple, (await find_places(store)).values())) == {("archive",)}
            for table, _, log in OVER:
                assert await store.log(table.id) == log

    asyncio.run(go())


async def test_moves_during_archiving_are_neither_lost_nor_doubled(
    database: str,
) -> None:
    """One process archives over and over; two others ask for rematches and leave."""
    async with open_store(database) as store, open_two_processes(database) as processes:
        made = []
        settings = Settings("puzzle", (SeatPlan(),) * 2)
        for number in range(10):
            live, token = await processes[number % 2].creator.create(settings, "Ann", ("Bob",))
            await processes[number % 2].commands.move(live, (0,), {"player": 0, "move": "give_up"})
            made.append((live.id, token))
        over = False
        begun = asyncio.Event()

        async def archive() -> None:
            while not over:
                if (await Retention(store, AT_ONCE).sweep()).archived:
                    begun.set()
                await run_other_tasks()

        async def act(id: str, token: str) -> list[str]:
            await begun.wait()
            done = []
            for number in range(4):
                here = processes[number % 2]
                live = await here.find(id)
                if number == 1:
                    done.append((await here.commands.rematch(live)).id)
                else:
                    with contextlib.suppress(DalapapaError):
                        await here.commands.leave(live, 1, token)
                        done.append("left")
                        await here.commands.come_back(live, 1, token)
                        done.append("returned")
                here.registry.cache.pop(id)
            return done

        sweeping = asyncio.create_task(archive())
        done = await asyncio.gather(*(act(id, token) for id, token in made))
        over = True
        await sweeping
        found = await find_places(store)
        for (id, _), acts in zip(made, done, strict=True):
            assert len(found[id]) == 1
            log = await store.log(id)
            assert [one.number for one in log] == list(range(1, len(log) + 1))
            said = [one.entry for one in log[3:]]
            assert len(said) == len(acts) == 7
            rematch = next(entry for entry in said if isinstance(entry, Rematched))
            assert rematch.table in acts
            assert len(found[rematch.table]) == 1


async def test_a_table_comes_out_of_the_archive_once(database: str) -> None:
    async with open_store(database) as one, open_store(database) as other:
        await one.restore(OVER)
        await Retention(one, AT_ONCE).sweep()
        id, log = OVER[0][0].id, OVER[0][2]
        assert await asyncio.gather(*(store.revive(id) for store in (one, other) * 3)) == [True] * 6
        assert (await find_places(one))[id] == ["tables"]
        assert await one.log(id) == log
        more = StoredEntry(len(log) + 1, log[-1].at + 1, Left(0))
        assert await one.append(id, more, "over")
        assert await other.log(id) == [*log, more]
        assert not await one.revive("missing")


async def test_an_archived_table_is_not_set_up_again(database: str) -> None:
    async with open_store(database) as store:
        await store.restore(OVER)
        await Retention(store, AT_ONCE).sweep()
        table, phase, log = OVER[0]
        assert not await store.create(table, phase, log)
        assert (await find_places(store))[table.id] == ["archive"]
