"""A damaged table is quarantined and logged; all other tables go on."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from dalapapa.client import Refused, Server
from dalapapa.server.ops.export import check_database, export_tables, import_tables
from dalapapa.server.storage import quarantine
from dalapapa.server.storage.quarantine import mark_of
from dalapapa.server.storage.store import Store
from tests.support.command_line import run as command
from tests.support.filled_stores import TABLES, Kept, fill_store
from tests.support.serving import Served, served
from tests.support.thoroughness import THOROUGH

pytestmark = pytest.mark.anyio

BAD = "classic-150"
"""The table that is damaged: public, with entries."""

FEW = [kept for kept in TABLES if kept[0].id in (BAD, "classic-6", "empty", "gone-6", "robots")]
"""So many are enough to see that the others go on."""

DAMAGE = {
    "settings that are cut": "UPDATE tables SET settings = substr(settings, 1, 40) WHERE id = :id",
    "no settings": "UPDATE tables SET settings = '' WHERE id = :id",
    "an unknown game": (
        "UPDATE tables SET settings = replace(settings, '\"classic\"', '\"chess\"') WHERE id = :id"
    ),
    "an unknown bot": (
        "UPDATE tables SET settings = replace(settings, 'null', '\"x\"') WHERE id = :id"
    ),
    "an option that there is not": (
        "UPDATE tables SET settings = replace(settings, '{}', '{\"x\": 1}') WHERE id = :id"
    ),
    "another seed": "UPDATE tables SET seed = 'another' WHERE id = :id",
    "an entry that is not one": (
        "UPDATE entries SET entry = '{' WHERE table_id = :id AND number = 9"
    ),
    "an entry that the rules refuse": (
        "UPDATE entries SET entry = (SELECT entry FROM entries WHERE table_id = :id AND number = 1)"
        " WHERE table_id = :id AND number = 9"
    ),
    "a gap": "DELETE FROM entries WHERE table_id = :id AND number = 9",
    "no beginning": "DELETE FROM entries WHERE table_id = :id AND number = 1",
}  # fmt: skip

SQLITE_ONLY = {
    "bytes that are no text": "UPDATE tables SET settings = CAST(x'ff7b22' AS TEXT) WHERE id = :id",
    "a blob": "UPDATE tables SET settings = x'00ff' WHERE id = :id",
    "a text for a time": "UPDATE tables SET created = 'noon' WHERE id = :id",
    "an entry at no time": "UPDATE entries SET at = x'00' WHERE table_id = :id AND number = 9",
    "a text for a number": "UPDATE entries SET number = 'x' WHERE table_id = :id AND number = 9",
    "no row": "DELETE FROM tables WHERE id = :id",
}
"""What PostgreSQL refuses to keep."""


async def change(database: str, sql: str, **values: Any) -> None:
    """Change rows behind the server's back."""
    store = Store(database)
    async with store.engine.connect() as connection:
        if not store.postgres:
            await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        await connection.execute(text(sql), values)
        await connection.commit()
    await store.engine.dispose()


async def filled(database: str, tables: list[Kept] = FEW) -> None:
    await asyncio.to_thread(fill_store, database, tables)


async def asked(server: Server, path: str) -> str:
    """The code of a refusal, or nothing."""
    try:
        await server.ask("GET", path)
    except Refused as error:
        return error.code
    return ""


async def others_play(here: Served, server: Server) -> None:
    """A new table is set up, listed and played at."""
    new = await server.create(
        game="classic", seats=[None, None], host="Ann", guests=["Bob"], visibility="public"
    )
    async with server.watch(new["id"], new["token"]) as seat:
        moves = [move for own in seat.yours for move in await seat.legal(own)]
        assert await seat.move(moves[0]) == 3
    assert new["id"] in [one["id"] for one in await server.ask("GET", "/tables?most=100")]


@pytest.mark.parametrize("name", [*DAMAGE, *SQLITE_ONLY])
async def test_a_damaged_table_is_quarantined(
    name: str, sqlite_database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await _is_quarantined((DAMAGE | SQLITE_ONLY)[name], sqlite_database, tmp_path, caplog)


@pytest.mark.parametrize("name", ["settings that are cut", "a gap"])
async def test_a_damaged_table_is_quarantined_on_postgresql(
    name: str, postgres_database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await _is_quarantined(DAMAGE[name], postgres_database, tmp_path, caplog)


async def _is_quarantined(
    sql: str, database: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    await filled(database)
    await change(database, "UPDATE tables SET phase = 'playing' WHERE id = :id", id=BAD)
    await change(database, sql, id=BAD)
    async with served(database) as here, Server(here.url) as server:
        for _ in range(2):
            listed = [one["id"] for one in await server.ask("GET", "/tables?most=100")]
            assert BAD not in listed
            assert "empty" not in listed
            assert "classic-6" in listed
            assert await asked(server, f"/tables/{BAD}") == "damaged_table"
            assert await asked(server, f"/tables/{BAD}/history") == "damaged_table"
        with pytest.raises(Refused) as caught:
            async with server.watch(BAD):
                pass
        assert caught.value.code == "damaged_table"
        await others_play(here, server)
        assert len(here.store.quarantine) == 1
    lines = [record.getMessage() for record in caplog.records]
    (line,) = [line for line in lines if "damaged" in line]
    assert mark_of(BAD) in line
    assert BAD not in "".join(lines), "an id opens a table"

    reports: list[str] = []
    found = await check_database(database, reports.append)
    (line,) = reports
    assert line.startswith(f"{BAD} (#{mark_of(BAD)}): ")
    assert found.damaged == 1
    out = str(folder / "out")
    done = await export_tables(database, out, reports.append)
    if reports[1:]:
        assert reports[1:] == reports[:1]
        assert (done.left_out, done.damaged) == (0, 1)
    else:  # Its game may be played elsewhere.
        assert "no game called" in line
    came = await import_tables(f"sqlite+aiosqlite:///{folder / 'b.db'}", out)
    assert came.new == len(FEW)  # Without the bad one, with the one that was set up.


async def test_a_row_that_disappears_while_people_watch(sqlite_database: str) -> None:
    """Later viewers get the same error, and their sockets are closed with its sentence."""
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(game="classic", seats=[None, None], host="A", guests=["B"])
        async with server.watch(new["id"], new["token"]) as seat:
            moves = [move for own in seat.yours for move in await seat.legal(own)]
            sql = "INSERT INTO entries VALUES (:id, 3, 5, NULL, '{}')"
            await change(sqlite_database, sql, id=new["id"])
            with pytest.raises(Refused) as caught:
                await seat.move(moves[0])
            assert caught.value.code == "damaged_table"
        await others_play(here, server)


async def test_rows_that_become_damaged_while_people_watch(sqlite_database: str) -> None:
    """Workers read the log; what they find wrong with it is said as by the server itself."""
    await filled(sqlite_database)
    async with served(sqlite_database) as here, Server(here.url) as server:
        await server.ask("GET", f"/tables/{BAD}")  # From now on, it is known.
        for name in ("an entry that is not one", "an entry at no time"):
            await change(sqlite_database, (DAMAGE | SQLITE_ONLY)[name], id=BAD)
            for what in ("history", "record"):
                assert await asked(server, f"/tables/{BAD}/{what}") == "damaged_table"


async def test_a_repaired_table_is_opened_again(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quarantine, "RETRY_DELAY_S", 0)
    await filled(sqlite_database)
    await change(sqlite_database, "UPDATE entries SET number = 999 WHERE number = 9")
    async with served(sqlite_database) as here, Server(here.url) as server:
        assert await asked(server, f"/tables/{BAD}") == "damaged_table"
        await change(sqlite_database, "UPDATE entries SET number = 9 WHERE number = 999")
        assert await asked(server, f"/tables/{BAD}") == ""


def test_the_command(sqlite_database: str) -> None:
    fill_store(sqlite_database, TABLES[:4])
    url = sqlite_database.replace("+aiosqlite", "")
    assert command("check", url) == (0, "4 tables, 0 damaged\n", "")
    id = TABLES[1][0].id
    asyncio.run(change(sqlite_database, "DELETE FROM entries WHERE number = 2 AND table_id = :id",
                       id=id))  # fmt: skip
    code, out, err = command("check", url)
    assert (code, err) == (1, "")
    first, last = out.splitlines()
    assert first.startswith(f"{id} (#{mark_of(id)}): entry 2: there is no entry 2")
    assert last == "4 tables, 1 damaged"
    code, out, err = command("export", "--database", url, f"{sqlite_database[20:]}.out")
    assert (code, err) == (1, f"{first}\n")
    assert out.endswith("3 tables; left out 1 damaged\n")


@pytest.mark.parametrize(("url", "code"), [("sqlite:///{}/none.db", "no_database"),
                                           ("mysql://x", "bad_database")])  # fmt: skip
def test_wrong_use_of_check_is_one_line(url: str, code: str, tmp_path: Path) -> None:
    assert command("check", url.format(tmp_path)).refusal.startswith(f"Error ({code})")


COLUMNS = {
    "tables": ("id", "created", "changed", "phase", "visibility", "seed", "settings",
               "set_name", "set_fingerprint"),
    "entries": ("table_id", "number", "at", "nonce", "entry"),
}  # fmt: skip


def spoiled(rng: Random, data: bytes) -> bytes:
    """Some bytes, with a few flipped, cut or replaced."""
    at = rng.randrange(len(data) + 1)
    match rng.randrange(4):
        case 0 if at < len(data):
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at]
        case 2:
            return data[:at] + rng.randbytes(rng.randrange(5)) + data[at + rng.randrange(5) :]
        case _:
            return rng.choice([b"", b"null", b"{}", b"[]", b"0", b"-1", b"9" * 30, b"\0"])


@pytest.mark.parametrize("seed", range(20 if THOROUGH else 4))
async def test_random_damage_to_rows_stops_no_other_table(seed: int, sqlite_database: str,
                                                 tmp_path: Path) -> None:  # fmt: skip
    """Random bytes of random rows are changed: no error in the log, and other tables go on."""
    rng = Random(seed)
    tables = TABLES if THOROUGH else FEW
    await filled(sqlite_database, tables)
    store = Store(sqlite_database)
    async with store.engine.connect() as connection:
        await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        for _ in range(60 if THOROUGH else 8):
            table = rng.choice(list(COLUMNS))
            column = rng.choice(COLUMNS[table])
            count = (await connection.execute(text(f"SELECT max(rowid) FROM {table}"))).scalar_one()
            row = rng.randint(1, count)
            sql = f"SELECT CAST({column} AS BLOB) FROM {table} WHERE rowid = {row}"
            old = (await connection.execute(text(sql))).scalar_one_or_none()
            kind = rng.choice(["TEXT", "TEXT", "BLOB"])
            sql = (
                f"UPDATE OR IGNORE {table} SET {column} = CAST(:new AS {kind}) WHERE rowid = {row}"
            )
            await connection.execute(text(sql), {"new": spoiled(rng, old or b"")})
        await connection.commit()
    await store.engine.dispose()
    async with served(sqlite_database) as here, Server(here.url) as server:
        listed = {one["id"] for one in await server.ask("GET", "/tables?most=100")}
        opened = set()
        for kept, _, _ in tables:
            code = await asked(server, f"/tables/{kept.id}")
            assert code in ("", "damaged_table", "other_set", "unknown_table"), code
            if not code:
                opened.add(kept.id)
        assert listed & {kept.id for kept, _, _ in tables} <= opened  # Ids change, too.
        await others_play(here, server)
    reports: list[str] = []
    found = await check_database(sqlite_database, reports.append)
    assert found.damaged == len(reports) >= len(tables) - len(opened) - found.early
    done = await export_tables(sqlite_database, str(tmp_path / "out"))
    came = await import_tables(f"sqlite+aiosqlite:///{tmp_path / 'b.db'}", str(tmp_path / "out"))
    assert came.new + came.damaged == done.tables
    assert came.damaged <= 1  # A game that is not known here may be known elsewhere.
