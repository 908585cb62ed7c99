"""The store keeps its promises, the same ones on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from dalapapa.core.errors import BadInput, DalapapaError, NotFound, Unavailable
from dalapapa.games.moves import End, Take
from dalapapa.hosting.entries import Left, Moved, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.stored import StoredEntry
from dalapapa.server.runtime.run import add_driver
from dalapapa.server.storage import migrations, notifications, schema
from dalapapa.server.storage.notifications import receive_notifications
from dalapapa.server.storage.store import Store
from dalapapa.server.storage.writer import Appender, Row, SqliteAppender
from tests.support.serving import PATIENCE
from tests.support.stores import find_backends, make_table, open_store, terminate_queries
from tests.support.thoroughness import THOROUGH
from tests.support.waiting import run_other_tasks, wait_until


def an_entry(number: int, mark: str | None = None) -> StoredEntry:
    return StoredEntry(number, 1000 + number, Moved(End(0)), mark)


async def numbers(kept: Store, table: str) -> list[int]:
    return [stored.number for stored in await kept.log(table)]


async def row(kept: Store, table: str) -> tuple[Any, ...]:
    """What the lobby goes by."""
    async with kept.engine.connect() as connection:
        wanted = text("SELECT changed, phase FROM tables WHERE id = :id")
        return tuple((await connection.execute(wanted, {"id": table})).one())


# -- what is kept ----------------------------------------------------------------------------------


def test_a_table_and_its_log_are_read_as_they_were_written(database: str) -> None:
    table = make_table("anna's", 12)
    begin = [
        StoredEntry(1, 12, Sat(0, "Zoë 🁣 O'Neill; DROP TABLE tables", "f" * 64)),
        StoredEntry(2, 2**52, Left(0), "m" * 64),
    ]
    more = StoredEntry(3, 13, Moved(Take(0, "A12 \0"), "time"))

    async def play() -> None:
        async with open_store(database) as kept:
            await kept.create(table, "waiting", begin)
            assert await kept.append(table.id, more, "playing")
        async with open_store(database) as kept:  # Also after everything was closed.
            assert await kept.load(table.id) == table
            assert await kept.log(table.id) == [*begin, more]
            assert await kept.log(table.id, 2) == [more]
            assert await kept.log(table.id, 3) == []
            assert await kept.load("missing") is None
            assert await kept.log("missing") == []

    asyncio.run(play())


def test_a_table_is_stored_completely_or_not_at_all(database: str) -> None:
    async def play() -> None:
        async with open_store(database) as kept:
            with pytest.raises(NotFound):
                await kept.create(make_table("a"), "waiting", [an_entry(1), an_entry(1)])
            assert await kept.load("a") is None
            assert await kept.log("a") == []
            assert await kept.create(make_table("a"), "waiting", [an_entry(1)])
            assert not await kept.create(make_table("a", 5), "waiting", [an_entry(2)])
            assert await kept.load("a") == make_table("a")
            assert await numbers(kept, "a") == [1]

    asyncio.run(play())


def test_moves_are_stored_between_two_new_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood of new tables with long logs delays a move by one of them."""
    begun, go_on = threading.Event(), threading.Event()
    create = SqliteAppender._create

    def create_slowly(self: SqliteAppender, table: dict[str, Any], log: Sequence[Row]) -> bool:
        begun.set()
        go_on.wait(PATIENCE)
        return create(self, table, log)

    async def play() -> None:
        async with open_store(f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}") as kept:
            await kept.create(make_table("a"), "playing", [an_entry(1)])
            monkeypatch.setattr(SqliteAppender, "_create", create_slowly)
            done: list[str] = []

            async def note(name: str, doing: Awaitable[bool]) -> None:
                assert await doing
                done.append(name)

            log = [an_entry(number) for number in range(1, 1001)]
            tasks = [
                asyncio.create_task(note(id, kept.create(make_table(id), "playing", log)))
                for id in "bcd"
            ]
            await wait_until(begun.is_set, "the first new table")
            appender = kept.appender
            assert isinstance(appender, SqliteAppender)
            tasks.append(
                asyncio.create_task(note("move", kept.append("a", an_entry(2), "playing")))
            )
            await wait_until(appender._thread._work_queue.qsize, "a move that waits")
            go_on.set()
            await asyncio.gather(*tasks)
            assert done.index("move") <= 1
            for id in "bcd":
                assert await numbers(kept, id) == list(range(1, 1001))

    asyncio.run(play())


def test_the_lobby_shows_public_tables_that_are_not_over_the_latest_first(database: str) -> None:
    private = Settings("classic", (SeatPlan(), SeatPlan()), visibility="private")

    async def lobby(kept: Store, most: int = 50) -> list[str]:
        return [id for id, _ in await kept.lobby(most)]

    async def play() -> None:
        async with open_store(database) as kept:
            assert await lobby(kept) == []
            for created, id in enumerate("abcde"):
                await kept.create(make_table(id, created), "waiting", [])
            await kept.create(make_table("secret", 99, private), "waiting", [])
            assert await lobby(kept) == ["e", "d", "c", "b", "a"]
            assert await lobby(kept, 2) == ["e", "d"]
            await kept.append("b", an_entry(1), "waiting")
            assert await lobby(kept) == ["b", "e", "d", "c", "a"]
            await kept.append("e", an_entry(1), "playing")  # Behind those that wait for players.
            await kept.append("d", an_entry(1), "over")
            assert await lobby(kept) == ["b", "c", "a", "e"]
            assert await kept.count() == 6

    asyncio.run(play())


# -- appending -------------------------------------------------------------------------------------


def test_an_entry_number_is_given_once(database: str) -> None:
    async def play() -> None:
        async with open_store(database) as kept:
            await kept.create(make_table("a"), "waiting", [an_entry(1)])
            assert await kept.append("a", an_entry(2, "mine"), "playing")
            before = await kept.log("a"), await row(kept, "a")
            for number in (1, 2):
                late = StoredEntry(number, 9999, Left(1), "yours")
                assert not await kept.append("a", late, "over")
            assert (
                (await kept.log("a"), await row(kept, "a"))
                == before
                == (before[0], (1002, "playing"))
            )

    asyncio.run(play())


def test_of_two_entries_in_one_commit_the_first_gets_the_number(database: str) -> None:
    async def play() -> None:
        async with open_store(database) as kept:
            await kept.create(make_table("a"), "waiting", [])
            answers = await asyncio.gather(
                *(kept.append("a", an_entry(1 + n // 2, f"{n}"), "playing") for n in range(10))
            )
            assert answers == [True, False] * 5
            assert [stored.nonce for stored in await kept.log("a")] == ["0", "2", "4", "6", "8"]
            assert await row(kept, "a") == (1005, "playing")

    asyncio.run(play())


def test_of_two_processes_one_gets_the_number(database: str) -> None:
    async def play() -> None:
        async with open_store(database) as one, open_store(database) as other:
            await one.create(make_table("a"), "waiting", [])
            asked = [("one", one), ("other", other)]
            won = []
            for number in range(1, 301):
                asked.reverse()
                answers = await asyncio.gather(
                    *(kept.append("a", an_entry(number, name), "playing") for name, kept in asked)
                )
                assert sorted(answers) == [False, True]
                won.append(asked[answers.index(True)][0])
            assert [stored.nonce for stored in await one.log("a")] == won

    asyncio.run(play())


def test_processes_that_want_the_same_number_do_not_block_each_other(database: str) -> None:
    tables, moves = [f"table {n}" for n in range(20)], 20
    wanted = [(table, number) for table in tables for number in range(1, moves + 1)]

    async def race(kept: Store, name: str) -> set[tuple[str, int]]:
        shuffled = random.Random(name).sample(wanted, len(wanted))
        answers = await asyncio.gather(
            *(kept.append(table, an_entry(n, name), "playing") for table, n in shuffled)
        )
        return {key for key, won in zip(shuffled, answers, strict=True) if won}

    async def play() -> None:
        async with open_store(database) as one, open_store(database) as other:
            for table in tables:
                await one.create(make_table(table), "waiting", [])
            wins = await asyncio.gather(race(one, "one"), race(other, "other"))
            assert wins[0] | wins[1] == set(wanted)
            assert not wins[0] & wins[1]
            for table in tables:
                log = await one.log(table)
                assert [stored.number for stored in log] == list(range(1, moves + 1))
                for stored in log:
                    assert (table, stored.number) in wins[stored.nonce == "other"]

    asyncio.run(play())


def test_entries_that_arrive_together_are_committed_together_and_answered_when_durable(
    database: str,
) -> None:
    tables, moves, commits = [f"table {n}" for n in range(50)], 10, 0

    def count_batches(appender: Appender) -> None:
        """Each batch is a transaction of its own."""
        add = appender.add

        async def count(rows: list[Row]) -> list[bool]:
            nonlocal commits
            commits += 1
            return await add(rows)

        appender.add = count  # type: ignore[method-assign]

    async def sit(kept: Store, reader: Store, table: str) -> None:
        for number in range(1, moves + 1):
            assert await kept.append(table, an_entry(number), "playing")
            assert number in await numbers(reader, table)

    async def play() -> None:
        async with open_store(database) as kept, open_store(database) as reader:
            for table in tables:
                await kept.create(make_table(table), "waiting", [])
            count_batches(kept.appender)
            await asyncio.gather(*(sit(kept, reader, table) for table in tables))

    asyncio.run(play())
    assert moves <= commits < len(tables) * moves / 2


@pytest.mark.parametrize(
    ("table", "mark"), [("missing", None), ("a", "\0")], ids=["no table", "no text"]
)
def test_an_entry_that_cannot_be_stored_fails_alone(
    database: str, table: str, mark: str | None
) -> None:
    async def play() -> None:
        async with open_store(database) as kept:
            for id in "abc":
                await kept.create(make_table(id), "waiting", [])
            strange: object
            first, strange, *others = await asyncio.gather(
                kept.append("b", an_entry(1), "playing"),
                kept.append(table, an_entry(3, mark), "playing"),
                kept.append("a", an_entry(1), "playing"),
                kept.append("a", an_entry(1), "playing"),
                kept.append("c", an_entry(1), "playing"),
                return_exceptions=True,
            )
            assert [first, *others] == [True, True, False, True]
            if table == "missing":
                assert isinstance(strange, NotFound)
                assert strange.code == "unknown_table"
            else:  # Only PostgreSQL minds.
                assert isinstance(strange, Unavailable) == kept.postgres
            for id in "abc":
                assert 1 in await numbers(kept, id)
            assert await kept.append("a", an_entry(2), "playing")

    asyncio.run(play())


def test_a_cancelled_request_delays_no_other(database: str) -> None:
    async def play() -> None:
        async with open_store(database) as kept:
            await kept.create(make_table("a"), "waiting", [])
            asking = [
                asyncio.create_task(kept.append("a", an_entry(n), "playing")) for n in range(1, 101)
            ]
            await run_other_tasks(3)  # Some are being written by now.
            gone, staying = asking[::2], asking[1::2]
            for task in gone:
                task.cancel()
            assert all(await asyncio.gather(*staying))
            await asyncio.gather(*gone, return_exceptions=True)
            assert all(task.cancelled() for task in gone)
            assert set(range(2, 101, 2)) <= set(await numbers(kept, "a"))
            assert await kept.append("a", an_entry(101), "playing")

    asyncio.run(play())


def test_close_finishes_what_is_written(database: str) -> None:
    async def play() -> None:
        kept = Store(database)
        with pytest.raises(Unavailable, match="closed"):
            await kept.append("a", an_entry(1), "playing")
        await kept.open()
        await kept.create(make_table("a"), "waiting", [])
        asking = [
            asyncio.create_task(kept.append("a", an_entry(n), "playing")) for n in range(1, 1001)
        ]
        await run_other_tasks()
        await kept.close()
        assert all(task.done() and task.result() for task in asking)
        with pytest.raises(Unavailable, match="closed"):
            await kept.append("a", an_entry(1001), "playing")
        await kept.close()
        async with open_store(database) as again:
            assert await numbers(again, "a") == list(range(1, 1001))

    asyncio.run(play())


# -- the schema ------------------------------------------------------------------------------------


def differences(connection: Connection) -> list[Any]:
    found: list[Any] = compare_metadata(MigrationContext.configure(connection), schema.metadata)
    return found


def test_migrations_make_the_schema_that_the_store_uses(database: str) -> None:
    async def play() -> None:
        async with open_store(database) as kept:
            await kept.create(make_table("a"), "waiting", [an_entry(1)])
            async with kept.engine.connect() as connection:
                assert await connection.run_sync(differences) == []
        async with open_store(database) as again:  # And once more, which changes nothing.
            assert await numbers(again, "a") == [1]
            async with again.engine.connect() as connection:
                assert await connection.run_sync(differences) == []

    asyncio.run(play())


def test_the_newest_version_is_alembics_head() -> None:
    scripts = ScriptDirectory(str(migrations.FOLDER))
    assert migrations.newest() == scripts.get_current_head()


def test_migrations_go_back_and_forth(database: str) -> None:
    def back(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(migrations.FOLDER))
        config.attributes["connection"] = connection
        command.downgrade(config, "base")

    async def names(engine: AsyncEngine) -> set[str]:
        async with engine.connect() as connection:
            return set(await connection.run_sync(lambda c: inspect(c).get_table_names()))

    async def play() -> None:
        async with open_store(database) as kept:
            async with kept.engine.begin() as connection:
                await connection.run_sync(back)
            assert await names(kept.engine) == {"alembic_version"}
            await migrations.upgrade(kept.engine)
            assert await names(kept.engine) == {"alembic_version", *schema.metadata.tables}

    asyncio.run(play())


OPEN = """
import asyncio, sys
from dalapapa.server.storage.store import Store

async def main():
    store = Store(sys.argv[1])
    print(flush=True)
    sys.stdin.readline()  # All begin at once.
    await store.open()
    print(await store.count())
    await store.close()

asyncio.run(main())
"""


def test_processes_that_start_at_once_wait_for_each_other(database: str) -> None:
    pipe = subprocess.PIPE
    words = [sys.executable, "-c", OPEN, database]
    with contextlib.ExitStack() as stack:
        processes = [
            stack.enter_context(subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe))
            for _ in range(3 if THOROUGH else 2)
        ]
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()
        for process in processes:
            output, errors = process.communicate(timeout=PATIENCE)
            assert (output, errors, process.returncode) == (b"0\n", b"", 0)


# -- databases that fail ---------------------------------------------------------------------------


def refusal(database: str) -> DalapapaError:
    async def play() -> None:
        async with open_store(database):
            pass

    with pytest.raises((BadInput, Unavailable)) as refused:
        asyncio.run(play())
    assert isinstance(refused.value, Unavailable) == (refused.value.code == "no_database")
    assert "\n" not in str(refused.value)
    return refused.value


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("sqlite+aiosqlite:////no/such/folder/tables.db", "no_database"),
        ("sqlite+aiosqlite:///{folder}", "no_database"),
        ("sqlite+aiosqlite:///{text}", "no_database"),
        ("postgresql+asyncpg://user@127.0.0.1:1/tables", "no_database"),
        ("postgresql+asyncpg://user@127.0.0.1:1/tables?colour=red", "no_database"),
        ("postgresql+asyncpg://user@127.0.0.1:port/tables", "bad_database"),
        ("mysql://user@127.0.0.1/tables", "bad_database"),
        ("tables.db", "bad_database"),
        ("", "bad_database"),
    ],
)
def test_a_database_that_cannot_be_opened_is_refused(url: str, code: str, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("This is not a database. " * 100)
    before = letter.read_bytes()
    assert refusal(url.format(folder=tmp_path, text=letter)).code == code
    assert letter.read_bytes() == before


def test_urls_as_people_write_them(database: str) -> None:
    plain = database.replace("+asyncpg", "").replace("+aiosqlite", "")
    assert add_driver(plain) == add_driver(database) == database
    if plain.startswith("postgresql"):
        short = plain.replace("postgresql", "postgres") + "?sslmode=prefer"

        async def play() -> None:
            async with open_store(add_driver(short)) as kept:
                assert await kept.count() == 0

        asyncio.run(play())


def test_a_database_that_does_not_exist_is_refused(postgres_database: str) -> None:
    assert refusal(f"{postgres_database}_not").code == "no_database"


def test_a_database_of_a_newer_program_is_refused(database: str) -> None:
    async def age() -> None:
        async with open_store(database) as kept, kept.engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    asyncio.run(age())
    assert refusal(database).code == "no_database"


def test_the_store_goes_on_after_an_error(postgres_database: str) -> None:
    """A connection is killed while it writes: waiting callers get an error, the next succeeds."""

    async def play() -> None:
        async with open_store(postgres_database) as kept, open_store(postgres_database) as other:
            await kept.create(make_table("a"), "waiting", [])
            assert await kept.append("a", an_entry(1), "playing")
            async with other.engine.connect() as lock:
                await lock.execute(text("LOCK TABLE entries IN EXCLUSIVE MODE"))
                asking = asyncio.create_task(kept.append("a", an_entry(2), "playing"))
                await terminate_queries(other, "%INSERT INTO entries")
                with pytest.raises(Unavailable) as refused:
                    await asking
                assert refused.value.code == "no_database"
            assert await kept.append("a", an_entry(2), "playing")
            assert await numbers(kept, "a") == [1, 2]
            await terminate_queries(other, "")
            assert await numbers(kept, "a") == [1, 2], (
                "clients do not notice: idle connections are tried"
            )
            assert await kept.append("a", an_entry(3), "playing")

    asyncio.run(play())


@pytest.mark.thorough
def test_the_store_goes_on_when_postgresql_has_crashed(postgres_database: str) -> None:
    """A PostgreSQL that loses a process ends all connections and reads its journal again."""

    async def play() -> None:
        async with open_store(postgres_database) as kept:
            await kept.create(make_table("a"), "waiting", [])
            assert await kept.append("a", an_entry(1), "playing")
            async with kept.engine.connect() as connection:
                pid = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
                os.kill(pid, signal.SIGKILL)
                with pytest.raises(SQLAlchemyError):
                    await connection.execute(text("SELECT 1"))

            async def is_appended() -> bool:
                try:
                    return await kept.append("a", an_entry(2), "playing")
                except Unavailable as error:
                    assert error.code == "no_database"
                    return False

            await wait_until(is_appended, "PostgreSQL, which goes on")
            assert await numbers(kept, "a") == [1, 2]

    asyncio.run(play())


# -- news ------------------------------------------------------------------------------------------


class Listener:
    """Collects the notifications of all processes, and listens again when it ends."""

    def __init__(self, kept: Store) -> None:
        self.kept = kept
        self.news: list[tuple[str, int]] = []
        self.begun = 0
        self.something = asyncio.Condition()
        self.tasks = {asyncio.create_task(self._listen())}

    async def _listen(self) -> None:
        while True:
            with contextlib.suppress(Exception):
                await receive_notifications(self.kept, self._heard, self._begun, lambda _: None)
            await run_other_tasks()

    def _heard(self, table: str, number: int) -> None:
        self.news.append((table, number))
        self._wake()

    def _begun(self) -> None:
        self.begun += 1
        self._wake()

    def _wake(self) -> None:
        async def wake() -> None:
            async with self.something:
                self.something.notify_all()

        self.tasks.add(asyncio.create_task(wake()))

    async def until(self, begun: int, news: Iterable[tuple[str, int]] = ()) -> None:
        async with self.something:
            await self.something.wait_for(
                lambda: self.begun >= begun and set(news) <= set(self.news)
            )

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def listening(kept: Store) -> AsyncIterator[Listener]:
    listener = Listener(kept)
    try:
        await listener.until(begun=1)
        yield listener
    finally:
        await listener.stop()


def test_every_process_is_notified_of_durable_entries(postgres_database: str) -> None:
    async def play() -> None:
        async with (
            open_store(postgres_database) as one,
            open_store(postgres_database) as other,
            listening(one) as here,
            listening(other) as there,
        ):
            await one.create(make_table("a"), "waiting", [])
            await one.create(make_table("b"), "waiting", [])
            await one.append("a", an_entry(1), "playing")
            await other.append("a", an_entry(2), "playing")
            await other.append("a", an_entry(2), "playing")  # Not made, so not announced.
            await other.append("b", an_entry(1), "playing")
            await one.append("b", an_entry(2), "playing")
            await here.until(1, [("b", 1)])
            await there.until(1, [("b", 2)])
            assert here.news == [("a", 2), ("b", 1)], "one's own are no news"
            assert there.news == [("a", 1), ("b", 2)]

    asyncio.run(play())


def test_a_listener_connects_again(postgres_database: str) -> None:
    async def play() -> None:
        async with (
            open_store(postgres_database) as kept,
            open_store(postgres_database) as other,
            listening(kept) as listener,
        ):
            await kept.create(make_table("a"), "waiting", [])
            for number in range(1, 4):
                await terminate_queries(kept, "LISTEN")
                await listener.until(begun=number + 1)
                assert await other.append("a", an_entry(number), "playing")
                await listener.until(number + 1, [("a", number)])

    asyncio.run(play())


def test_a_listener_without_answers_connects_again(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that drops all packets does not report that the connection is dead."""
    monkeypatch.setattr(notifications, "HEARTBEAT_TIMEOUT_S", 0.2)

    async def play() -> None:
        async with (
            open_store(postgres_database) as kept,
            open_store(postgres_database) as other,
            listening(kept) as listener,
        ):
            await kept.create(make_table("a"), "waiting", [])
            (pid,) = await find_backends(kept, "LISTEN")
            os.kill(pid, signal.SIGSTOP)
            try:
                await listener.until(begun=2)
                assert await other.append("a", an_entry(1), "playing")
                await listener.until(2, [("a", 1)])
            finally:
                os.kill(pid, signal.SIGCONT)

    asyncio.run(play())


def test_a_connection_lost_in_the_middle_of_a_question_is_a_refusal(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise asyncpg.InternalClientError("cannot switch to state 12; another operation (2)...")

    async def ask() -> None:
        async with open_store(postgres_database) as kept:
            monkeypatch.setattr(kept._reader, "fetch", lost)
            with pytest.raises(Unavailable):
                await kept.logs({"x": 0})

    asyncio.run(ask())
