"""Backups and restores while games go on, and killed in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dalapapa.client import Server
from dalapapa.core.errors import BadInput, DalapapaError
from dalapapa.server.ops import backup
from dalapapa.server.ops.backup import BackupResult, back_up, restore
from dalapapa.server.storage.store import Store
from tests.support.command_line import run
from tests.support.crash import Party, started
from tests.support.serving import PATIENCE, refusal, served, uncounted

pytestmark = pytest.mark.anyio


def sqlite(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


async def everything(url: str) -> dict[str, Any]:
    store = Store(url)
    await store.open()
    try:
        return {rows.id: rows.read() async for rows in store.rows()}
    finally:
        await store.close()


async def some_tables(url: str, number: int = 3) -> None:
    async with served(url) as here, Server(here.url) as server:
        for _ in range(number):
            await server.create(seats=[None, None], host="Ann", guests=["Bob"])


def drafts(folder: Path) -> list[Path]:
    return list(folder.glob(".dalapapa-*"))


async def test_a_backup_restores_everything(database: str, tmp_path: Path) -> None:
    """From any database into any other; what is there is not touched."""
    await some_tables(database)
    file = tmp_path / "copy"
    saved = await back_up(database, str(file))
    assert saved == BackupResult(
        "sqlite" if "sqlite" in database else "tables", 3, file.stat().st_size
    )
    assert file.stat().st_mode & 0o777 == 0o600
    before = await everything(database)
    fresh, empty = tmp_path / "fresh.db", tmp_path / "empty.db"
    await everything(sqlite(empty))
    for target in (fresh, empty):
        assert await restore(str(file), sqlite(target)) == 3
        assert await everything(sqlite(target)) == before
        assert await refusal(restore(str(file), sqlite(target)), BadInput) == "not_empty"
    if saved.kind == "sqlite":
        assert fresh.stat().st_mode & 0o777 == 0o600
    assert await refusal(restore(str(file), database), BadInput) == "not_empty"
    assert not drafts(tmp_path)
    await back_up(database, str(file))  # Over an older one.


async def test_a_file_of_sqlite_restores_into_postgres(
    sqlite_database: str, postgres_database: str, tmp_path: Path
) -> None:
    await some_tables(sqlite_database)
    await back_up(sqlite_database, str(tmp_path / "copy"))
    assert await restore(str(tmp_path / "copy"), postgres_database) == 3
    assert await everything(postgres_database) == await everything(sqlite_database)


async def test_other_files_restore_nothing(sqlite_database: str, tmp_path: Path) -> None:
    await some_tables(sqlite_database, 1)
    whole, target = tmp_path / "whole", tmp_path / "target.db"
    await back_up(sqlite_database, str(whole))
    half = whole.read_bytes()[: whole.stat().st_size // 2]
    for name, data in (("half", half), ("text", b"hello\n"), ("none", b""), ("magic", half[:16])):
        (tmp_path / name).write_bytes(data)
        code = await refusal(restore(str(tmp_path / name), sqlite(target)), DalapapaError)
        assert code == "bad_tables"
        with contextlib.suppress(FileNotFoundError):
            assert await everything(sqlite(target)) == {}
            target.unlink()
    missing = str(tmp_path / "missing")
    assert await refusal(restore(missing, sqlite(target)), BadInput) == "unreadable_file"
    assert await refusal(back_up(sqlite(Path(missing)), "x"), DalapapaError) == "no_database"
    for nowhere in (str(tmp_path), f"{missing}/x", sqlite_database.partition("///")[2]):
        code = await refusal(back_up(sqlite_database, nowhere), BadInput)
        assert code == "unwritable_path"
    assert not drafts(tmp_path)


async def test_a_backup_while_games_go_on_has_all_that_was_promised(
    sqlite_database: str, tmp_path: Path
) -> None:
    async with started(sqlite_database, 1) as [process], asyncio.timeout(PATIENCE):
        party = Party([process])
        made = [await party.create("classic", [None, None]) for _ in range(3)]
        playing = [
            asyncio.create_task(party.play(id, token, seat))
            for id, token in made
            for seat in (0, 1)
        ]
        for number in range(2):
            await party.some_moves(10)
            promised = {id: dict(moves) for id, moves in party.accepted.items()}
            file, copy = tmp_path / f"copy{number}", tmp_path / f"again{number}.db"
            await back_up(sqlite_database, str(file))
            assert await restore(str(file), sqlite(copy)) == 3
            kept, now = await everything(sqlite(copy)), await everything(sqlite_database)
            for id, moves in promised.items():
                _, log = kept[id]
                assert len(log) >= max(moves), "each move that was answered is in it"
                assert log == now[id][1][: len(log)], "as it is in the database"
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


# -- killed --------------------------------------------------------------------------------------


def large(file: Path) -> None:
    """Make a database so large that a copy takes a while."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        for number in range(25):
            row = "INSERT INTO archive VALUES (?, 1, 1, NULL, randomblob(1000000))"
            connection.execute(row, (f"filler-{number}",))


KILLED = """
import resource, signal
from dalapapa.cli import main
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
main()
"""


def killed(*words: str) -> bool:
    """Whether the system has killed a command in the middle, when its file had a megabyte."""
    # Without compiled modules (-B): the limit would truncate them, too.
    process = subprocess.run(
        [sys.executable, "-B", "-c", KILLED, *words], env=uncounted(), check=False
    )
    return process.returncode == -signal.SIGXFSZ


async def test_a_backup_that_fails_at_the_end_leaves_no_file(
    sqlite_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_tables(sqlite_database, 1)
    whole, older, target = tmp_path / "whole", tmp_path / "older", tmp_path / "target.db"
    await back_up(sqlite_database, str(whole))
    older.write_bytes(b"the last one")

    def fail(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "sync_file", fail)
    assert await refusal(back_up(sqlite_database, str(older)), BadInput) == "unwritable_path"
    assert older.read_bytes() == b"the last one"
    assert await refusal(restore(str(whole), sqlite(target)), BadInput) == "unwritable_path"
    assert not target.exists()
    assert not drafts(tmp_path)


@pytest.mark.thorough
async def test_a_killed_backup_leaves_no_partial_file(sqlite_database: str, tmp_path: Path) -> None:
    await some_tables(sqlite_database)
    source = Path(sqlite_database.partition("///")[2])
    large(source)
    folder, older = tmp_path / "backups", tmp_path / "backups" / "older"
    folder.mkdir()
    older.write_bytes(b"the last one")
    url = f"sqlite:///{source}"
    assert killed("backup", url, str(folder / "new"))
    assert not (folder / "new").exists()
    assert killed("backup", url, str(older))
    assert older.read_bytes() == b"the last one"
    for left in drafts(folder):
        assert left.stat().st_mode & 0o777 == 0o600
        left.unlink()
    answer = await asyncio.to_thread(run, "backup", url, str(folder / "new"))
    assert answer.out.endswith(f"{(folder / 'new').stat().st_size} bytes\n"), answer
    target = tmp_path / "restored"
    target.mkdir()
    assert killed("restore", str(folder / "new"), f"sqlite:///{target}/tables.db")
    assert not (target / "tables.db").exists()
    again = await asyncio.to_thread(
        run, "restore", "--json", str(folder / "new"), f"sqlite:///{target}/tables.db"
    )
    assert again.json == {"tables": 3}
