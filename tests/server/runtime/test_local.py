"""On one machine: files are their owner's alone, and a file of SQLite has one server."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dalapapa.core.errors import Unavailable
from dalapapa.server.runtime import lockfile, run
from dalapapa.server.runtime.lockfile import lock_database
from dalapapa.server.storage.store import Store
from tests.support.command_line import run as command
from tests.support.filled_stores import TABLES, fill_store
from tests.support.play_command import end_process, run_play
from tests.support.play_command import make_play_command as play
from tests.support.serving import PATIENCE
from tests.support.stores import make_table


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """Everybody may read what is made, unless it is made otherwise."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


async def use(file: Path) -> dict[str, int]:
    """Keep a table; the rights of all files while the database is open."""
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    await store.create(make_table("a"), "waiting", [])
    found = {path.name: mode(path) for path in file.parent.iterdir()}
    await store.close()
    return found


def test_a_new_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    found = asyncio.run(use(folder / "tables.db"))
    assert found == dict.fromkeys(("tables.db", "tables.db-wal", "tables.db-shm"), 0o600)
    assert mode(folder) == 0o755, "a folder that is not ours"


def test_an_old_database_gets_strict_permissions(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    asyncio.run(use(file))
    with closing(sqlite3.connect(file)) as other:  # It stays open: its files do, too.
        other.execute("SELECT * FROM tables").fetchall()
        for path in tmp_path.iterdir():
            path.chmod(0o644)
        assert len(list(tmp_path.iterdir())) == 3
        store = Store(f"sqlite+aiosqlite:///{file}")
        asyncio.run(store.open())
        assert {mode(path) for path in tmp_path.iterdir()} == {0o600}
        asyncio.run(store.engine.dispose())


def test_permissions_of_other_files_stay(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Hello Ann, this is no database.\n" * 100)
    with pytest.raises(Unavailable):
        asyncio.run(Store(f"sqlite+aiosqlite:///{letter}").open())
    assert mode(letter) == 0o644
    with pytest.raises(Unavailable):
        run.serve(run.ServerOptions(port=0, open_browser=False, database=f"sqlite:///{letter}"))
    assert os.listdir(tmp_path) == ["letter.txt"]


def test_the_data_folder_is_closed_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tmp_path.chmod(0o755)
    for _ in range(2):
        run.prepare_default_database()
        assert mode(tmp_path / "dalapapa") == 0o700
        (tmp_path / "dalapapa").chmod(0o755)  # As early versions made it.
    assert mode(tmp_path) == 0o755, "this one is not ours"


def test_an_export_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    fill_store(f"sqlite+aiosqlite:///{tmp_path}/tables.db", TABLES[:1])
    out = tmp_path / "out"
    out.write_text("yesterday")
    assert command("export", "--database", f"sqlite:///{tmp_path}/tables.db", str(out)).code == 0
    assert mode(out) == 0o600


# -- one server for a file -------------------------------------------------------------------------


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockfile, "LOCK_TIMEOUT_S", 0)


@pytest.mark.usefixtures("at_once")
def test_a_second_server_is_refused(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/tables.db"
    (tmp_path / "link.db").symlink_to(tmp_path / "tables.db")
    with lock_database(url) as note:
        note("http://127.0.0.1:8072/")
        for other in (url, url.replace("tables.db", "link.db")):
            with pytest.raises(Unavailable) as refused, lock_database(other):
                pass
            assert refused.value.code == "database_in_use"
            assert f"(process {os.getpid()}, at http://127.0.0.1:8072/)" in str(refused.value)
        with lock_database(url.replace("tables", "others")):
            pass
    with lock_database(url):
        pass
    assert os.listdir(tmp_path) == ["link.db"], "nothing stays behind"


@pytest.mark.usefixtures("at_once")
def test_a_stale_lock_file_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / "tables.db-server").write_text("4711 http://127.0.0.1:8072/")
    with lock_database(f"sqlite+aiosqlite:///{tmp_path}/tables.db"):
        pass


@pytest.mark.parametrize("url", ["sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:",
                                 "postgresql+asyncpg:///x", "nonsense"])  # fmt: skip
def test_other_databases_need_no_lock(url: str) -> None:
    with lock_database(url), lock_database(url) as note:
        note("http://127.0.0.1:8072/")


@pytest.mark.thorough
def test_a_second_play_command_is_refused(tmp_path: Path) -> None:
    """Even right after SIGKILL the next one starts; commands work beside a server."""
    file = tmp_path / "dalapapa" / "tables.db"
    with run_play(tmp_path, "--port", "0") as (process, url):
        second = subprocess.run(
            play("--port", "0"), env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr == (
            f"Error (database_in_use): Another server (process {process.pid}, at {url}/) uses this"
            " database: stop it first, or use PostgreSQL, which several servers can share.\n"
        )
        assert command("check", f"sqlite:///{file}").code == 0
        assert command("export", "--database", f"sqlite:///{file}", f"{tmp_path}/out").code == 0
        process.kill()
    with run_play(tmp_path, "--port", "0") as (process, _):
        assert mode(file) == mode(file.with_name("tables.db-server")) == 0o600
        assert mode(file.parent) == 0o700
        assert end_process(process, signal.SIGINT) == (0, "The server has stopped.\n", "")
    assert not file.with_name("tables.db-server").exists()
