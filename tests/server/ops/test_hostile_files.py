"""Backups and exports that were made to harm are refused in one sentence, and nothing is left."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import shutil
import sqlite3
import struct
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dalapapa.client import Server
from dalapapa.core.errors import BadInput, DamagedTable
from dalapapa.server.ops import export, untrusted_files
from dalapapa.server.ops.admin import Admin
from dalapapa.server.ops.backup import back_up, restore
from dalapapa.server.ops.export import import_tables
from dalapapa.server.storage import archive
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from tests.support.command_line import run
from tests.support.old_databases import fill_old_database
from tests.support.serving import refusal, served

pytestmark = pytest.mark.anyio

HEAD = b'{"line":"head","format":"dalapapa-tables/1"}\n'


def sqlite(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


MADE: list[bytes] = []
"""The backup that all tests start from, once it is made."""


@pytest.fixture
async def backup(tmp_path: Path) -> Path:
    """A backup with an archived game and one that waits."""
    file = tmp_path / "backup"
    if MADE:
        file.write_bytes(MADE[0])
        return file
    source = sqlite(tmp_path / "source.db")
    async with served(source) as here, Server(here.url) as server:
        race = await server.create(
            game="puzzle", seats=[None, None], host="Ann", guests=["Bob"], countdown=0
        )
        async with server.watch(race["id"], race["token"]) as seat:
            await seat.move({"player": 0, "move": "give_up"})
        async with Admin.open(source) as admin:
            assert (await admin.retire(RetentionPolicy(over=0))).archived == 1
        await server.create(seats=[None, None], host="Ann")
    await back_up(source, str(file))
    MADE.append(file.read_bytes())
    return file


def change(file: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


async def refused(file: Path, tmp_path: Path, **more: Any) -> str:
    """The code with which a file is refused, by a new database and by one that is there."""
    new, there = tmp_path / "target" / "new.db", tmp_path / "target" / "there.db"
    new.parent.mkdir(exist_ok=True)
    store = Store(sqlite(there))
    await store.open()
    await store.close()
    codes = {await refusal(restore(str(file), sqlite(at), **more), BadInput) for at in (new, there)}
    assert len(codes) == 1, codes
    assert [one.name for one in new.parent.iterdir() if not one.name.startswith("there")] == []
    await store.open()
    assert await store.count() == 0
    await store.close()
    answer = await asyncio.to_thread(run, "restore", str(file), f"sqlite:///{new}")
    if not more:
        assert f"Error ({codes})".replace("{'", "").replace("'}", "") in answer.refusal
    return codes.pop()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM tables; END",
        "CREATE VIEW v AS SELECT * FROM tables",
        "CREATE TABLE other (x)",
        "CREATE TABLE sqlitestat1 (x)",
        "CREATE INDEX mine ON tables (lower(id))",
        "CREATE INDEX mine ON tables (id) WHERE phase = 'over'",
        "CREATE UNIQUE INDEX mine ON tables (phase)",
        "ALTER TABLE tables ADD COLUMN x GENERATED ALWAYS AS (hex(id)) VIRTUAL",
        "ALTER TABLE tables ADD COLUMN x CHECK (x < 1)",
        "ALTER TABLE tables ADD COLUMN x REFERENCES challenges (id) ON DELETE CASCADE",
        "DROP TABLE entries",
        "DROP INDEX lobby",
    ],
)
async def test_a_schema_that_is_not_ours_is_refused(
    backup: Path, tmp_path: Path, statement: str
) -> None:
    if statement.startswith("DROP INDEX"):
        change(backup, statement, "CREATE INDEX lobby ON tables (id)")
    else:
        change(backup, statement)
    assert await refused(backup, tmp_path) == "bad_schema"


@pytest.mark.parametrize(
    "table",
    [
        "CREATE TABLE finds (date, kind, count)",
        "CREATE TABLE finds (date, kind, count, PRIMARY KEY (kind, date))",
        "CREATE TABLE finds (date, kind, count, PRIMARY KEY (date, kind) ON CONFLICT REPLACE)",
        "CREATE TABLE finds (date COLLATE NOCASE, kind, count, PRIMARY KEY (date, kind))",
        "CREATE TABLE finds (date, kind, count UNIQUE, PRIMARY KEY (date, kind))",
        "CREATE TABLE finds (date, kind, count DEFAULT (1 + 1), PRIMARY KEY (date, kind))",
        "CREATE VIEW finds AS SELECT 1 AS date, 2 AS kind, 3 AS count",
    ],
)
async def test_a_table_with_other_rules_is_refused(
    backup: Path, tmp_path: Path, table: str
) -> None:
    change(backup, "DROP TABLE finds", table)
    assert await refused(backup, tmp_path) == "bad_schema"


@pytest.mark.parametrize(
    ("at", "form", "value", "code"),
    [
        (16, ">H", 1000, "bad_tables"),  # The size of a page.
        (28, ">I", 2**31, "bad_tables"),  # The number of pages.
        (68, ">I", 0x47504B47, "bad_schema"),  # The program whose file it is.
        (44, ">I", 9, "bad_tables"),  # The format of the schema.
        (56, ">I", 7, "bad_tables"),  # The encoding of texts.
    ],
)
async def test_a_header_that_lies_is_refused(
    backup: Path, tmp_path: Path, at: int, form: str, value: int, code: str
) -> None:
    data = bytearray(backup.read_bytes())
    struct.pack_into(form, data, at, value)
    backup.write_bytes(data)
    assert await refused(backup, tmp_path) == code


async def test_backups_of_earlier_versions_are_restored(backup: Path, tmp_path: Path) -> None:
    assert await restore(str(backup), sqlite(tmp_path / "now.db")) == 1
    old, copy = tmp_path / "old.db", tmp_path / "copy"
    await fill_old_database(sqlite(old), "0.1.0")
    await back_up(sqlite(old), str(copy))
    assert await restore(str(copy), sqlite(tmp_path / "new.db")) > 1
    change(backup, "ANALYZE")
    assert await restore(str(backup), sqlite(tmp_path / "analysed.db")) == 1


# -- sizes ---------------------------------------------------------------------------------------


async def test_a_file_that_is_too_large_is_refused(backup: Path, tmp_path: Path) -> None:
    size = backup.stat().st_size
    assert await refused(backup, tmp_path, max_bytes=size - 1) == "too_large"
    assert await restore(str(backup), sqlite(tmp_path / "new.db"), max_bytes=size) == 1


async def test_tables_that_unpack_to_far_more_than_the_file_are_refused(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(untrusted_files, "MIN_ALLOWED_BYTES", 100)
    monkeypatch.setattr(untrusted_files, "MAX_RATIO", 0)
    there = tmp_path / "there.db"
    await fill_nothing(there)
    assert await refusal(restore(str(backup), sqlite(there)), BadInput) == "too_large"
    monkeypatch.setattr(untrusted_files, "MAX_RATIO", 1)
    assert await restore(str(backup), sqlite(there)) == 2


async def fill_nothing(file: Path) -> None:
    store = Store(sqlite(file))
    await store.open()
    await store.close()


async def test_a_compression_bomb_in_the_archive_is_a_damaged_table(
    backup: Path, tmp_path: Path
) -> None:
    """Of 30 kB, which would be 32 MB."""
    bomb = zlib.compress(bytes(archive.MAX_BYTES + 1), 9)
    assert len(bomb) < 50_000
    data = msgspec.msgpack.encode(archive.PackedTable(0, bomb, []))
    with pytest.raises(msgspec.DecodeError, match="bytes"):
        archive.unpack("x", data)
    with contextlib.closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("INSERT INTO archive VALUES ('bomb', 1, 1, NULL, ?)", (data,))
    there = tmp_path / "there.db"
    await fill_nothing(there)
    assert await restore(str(backup), sqlite(there)) == 2, "the others are restored"
    new = tmp_path / "new.db"
    await restore(str(backup), sqlite(new))
    store = Store(sqlite(new))
    await store.open()
    with pytest.raises(DamagedTable):
        await store.load("bomb")
    await store.close()


@pytest.mark.parametrize("part", ["steps", "entries", "marks"])
def test_a_log_of_the_archive_is_bounded(part: str) -> None:
    """Small numbers take one byte in the file, and far more in memory."""
    many = archive.MAX_LINES + 1
    texts: list[Any] = ["", "", None, None, [0] * (many if part == "steps" else 1),
             [""] * (many if part == "entries" else 1), {}]  # fmt: skip
    marks = [None] * (many if part == "marks" else 1)
    packed = zlib.compress(msgspec.msgpack.encode(texts))
    with pytest.raises(msgspec.ValidationError):
        archive.unpack("x", msgspec.msgpack.encode([1, 0, packed, marks]))


async def test_a_restore_that_does_not_fit_on_the_disk_is_not_begun(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    little: Any = lambda _: SimpleNamespace(free=100)  # noqa: E731
    monkeypatch.setattr(shutil, "disk_usage", little)
    assert await refused(backup, tmp_path) == "disk_full"


# -- exports -------------------------------------------------------------------------------------


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def line(**changes: Any) -> bytes:
    table = {
        "line": "table", "id": "x", "created": 1, "seed": "s",
        "settings": {"game": "classic", "seats": [{}, {}]}, "log": [], **changes,
    }  # fmt: skip
    return json.dumps(table).encode() + b"\n"


def tail(tables: int) -> bytes:
    return b'{"line":"end","tables":%d}\n' % tables


async def test_exports_that_are_too_large_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "tables.db"
    zeros = gzip.compress(bytes(10_000_000))
    many = b"".join(line(id=f"x{number}") for number in range(20))
    monkeypatch.setattr(export, "MAX_LINES", 15)
    monkeypatch.setattr(export, "MAX_BESIDE", 5)
    finds = b'{"line":"finds","date":"2026-01-01","kind":"turn","count":1}\n'
    for name, data, code in (
        ("packed", gzip.compress(HEAD + tail(0)), "bad_tables"),
        ("bomb", zeros, "bad_tables"),
        ("endless", b"x" * 10_000_000, "bad_tables"),
        ("head", HEAD[:-1] + b" " * 10_000 + b"\n" + tail(0), "bad_tables"),
        ("many", HEAD + many + tail(20), "too_large"),
        ("finds", HEAD + finds * 10 + tail(0), "too_large"),
    ):
        file = tmp_path / name
        file.write_bytes(data)
        assert await refusal(import_tables(sqlite(target), str(file)), BadInput) == code, name
        answer = await asyncio.to_thread(run, "import", f"--database=sqlite:///{target}", str(file))
        assert answer.code == 2
        assert f"Error ({code})" in answer.err.splitlines()[-1]
        assert await refusal(restore(str(file), sqlite(target)), BadInput) == code, name
        assert not target.exists(), "nothing was done"


async def test_tables_with_deep_or_endless_parts_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_LINE", 3_000_000)
    deep = [
        json.dumps({"line": "table"})[:-1] + f', "log": {nested(depth)}}}'
        for depth in (500, 200_000)
    ]
    entry = {"number": 1, "at": 1, "entry": {"type": "sat", "seat": 0, "name": "x", "owner": "y"}}
    lines = [
        *(one.encode() + b"\n" for one in deep),
        line().replace(b'"seats"', b'"options": ' + nested(900).encode() + b', "seats"'),
        line(id="y").replace(b'"seats"', b'"options": ' + nested(100_000).encode() + b', "seats"'),
        line(id="z", log=[{**entry, "entry": json.loads(nested(900))}]),
        line(id="w", created=2**60),
    ]
    file, target = tmp_path / "export", tmp_path / "tables.db"
    file.write_bytes(HEAD + b"".join(lines) + tail(len(lines)))
    said: list[str] = []
    came = await import_tables(sqlite(target), str(file), said.append)
    assert (came.new, came.damaged) == (0, len(lines))
    assert all("\n" not in one and len(one) < 1000 for one in said)


def test_the_command_line_bounds_files_and_standard_input(tmp_path: Path) -> None:
    file, where = tmp_path / "export", f"--database=sqlite:///{tmp_path / 'tables.db'}"
    data = HEAD + b" " * 1_100_000 + tail(0)
    file.write_bytes(data)
    for answer in (
        run("import", where, "--max-size=1", str(file)),
        run("import", where, "--max-size=1", "-", stdin=data),
        run("restore", "--max-size=1", str(file), f"sqlite:///{tmp_path / 'tables.db'}"),
    ):
        assert "Error (too_large)" in answer.refusal
        assert "--max-size" in answer.refusal
        assert not (tmp_path / "tables.db").exists()
    assert "Error (usage)" in run("import", where, "--max-size=0", str(file)).refusal
