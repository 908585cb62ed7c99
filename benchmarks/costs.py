"""What a move, a game, a table and a socket cost, and how many notifications PostgreSQL passes on.

    python -m benchmarks costs
    SOCKETS=2000 python -m benchmarks costs

Servers run as `dalapapa play` does; what they use is read from /proc and from the database. The
load is that of `server.py`: four viewers at each table.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import text
from websockets.asyncio.client import ClientConnection, connect

from dalapapa.client import Server
from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from tests.support import growing, postgres
from tests.support.online_games import make_custom_set

from .report import Column, Effort, Row, Rows, Section, format_time
from .server import SEATS, Process, flat_out, open_loads, paced, processes

TABLES = 100
MANY = 1000
"""Tables of the simulation that has all of them playing at once."""
SOCKETS = int(os.environ.get("SOCKETS", "10_000"))
"""That are open and say nothing."""
PLAYED, MOVES, DOMINOES = 100, 30, 400
"""Tables whose memory is measured in mid-game, with how many moves and dominoes of their own."""
OPENING, AT_ONCE = 120, 20
"""Seconds for all of them, and how many knock at once."""
GAMES = 1000
"""Whose rows are weighed."""
NEWS = 5000
"""Notifications of each measurement."""
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pids: Sequence[int]) -> float:
    """Seconds that processes have worked."""
    spent = 0.0
    for pid in pids:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        spent += (int(stat[11]) + int(stat[12])) / TICKS
    return spent


def count_written_bytes(pid: int) -> int:
    """Bytes that a process has had written to disk."""
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


async def backends(store: Store) -> list[int]:
    """The processes of the PostgreSQL behind a store; none of SQLite."""
    if not store.postgres:
        return []
    mine = int(await _sum(store, "SELECT pg_backend_pid()"))
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    postmaster = parents.get(mine)
    return [pid for pid, parent in parents.items() if parent == postmaster]


async def _sum(store: Store, question: str) -> float:
    async with store.reading() as connection:
        return float((await connection.execute(text(question))).scalar_one() or 0)


ROWS = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables"
WAL = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"


async def measure_moves(found: list[Process], url: str, seconds: float) -> Row:
    """What moves cost when all tables play as fast as they can."""
    store = Store(url)
    await store.open()
    try:
        async with open_loads([process.url for process in found], TABLES) as loads:
            moves = sum(load.moves for load in loads)
            servers = [process.pid for process in found]
            before = (
                cpu(servers),
                cpu(await backends(store)),
                sum(map(count_written_bytes, servers)),
            )
            received = sum(load.received for load in loads)
            wal, rows = await _both(store)
            rate = await flat_out(loads, seconds)
            moves = sum(load.moves for load in loads) - moves
            after = cpu(servers), cpu(await backends(store)), sum(map(count_written_bytes, servers))
            received = sum(load.received for load in loads) - received
            await asyncio.sleep(1.5 if store.postgres else 0)  # Its statistics take a second.
            wal_after, rows_after = await _both(store)
    finally:
        await store.close()
    return {
        "moves a second": rate,
        "cpu": (after[0] - before[0]) / moves,
        "database": (after[1] - before[1]) / moves,
        "written": (after[2] - before[2] if not store.postgres else wal_after - wal) / moves,
        "rows": (rows_after - rows) / moves,
        "received": received / moves,
    }


async def _both(store: Store) -> tuple[float, float]:
    if not store.postgres:
        return 0.0, 0.0
    return await _sum(store, WAL), await _sum(store, ROWS)


async def measure_games(url: str) -> dict[str, float]:
    """Bytes of the database for a finished game before and after it is archived."""
    store = Store(url)
    await store.open()
    try:
        games = [growing.game(number) for number in range(growing.DIFFERENT)]
        entries = sum(len(log) for _, _, log in games) / len(games)
        before = await _size(store)
        for start in range(0, GAMES, len(games)):
            await store.restore(
                (msgspec.structs.replace(stored, id=f"{start}-{stored.id}"), phase, log)
                for stored, phase, log in games
            )
        live = (await _size(store) - before) / GAMES
        await Retention(store, RetentionPolicy("never", "never", "never", 0)).sweep()
        if not store.postgres:
            async with store.autocommit() as connection:
                await connection.execute(text("VACUUM"))
        archived = (await _size(store, "archive") - before * (not store.postgres)) / GAMES
        return {"entries": entries, "live": live, "archived": archived}
    finally:
        await store.close()


async def _size(store: Store, table: str = "") -> float:
    if not store.postgres:
        pages = await _sum(store, "PRAGMA page_count")
        return pages * await _sum(store, "PRAGMA page_size")
    tables = (table,) if table else ("tables", "entries", "archive")
    return sum([await _sum(store, f"SELECT pg_total_relation_size('{one}')") for one in tables])


@contextlib.asynccontextmanager
async def idle_sockets(url: str, tables: Sequence[str], number: int) -> AsyncIterator[int]:
    """So many sockets that watch and say nothing, or as many as open in time; yields how many."""
    found: list[ClientConnection] = []
    until = time.perf_counter() + OPENING

    async def open_one(table: str) -> None:
        address = f"ws{url.removeprefix('http')}/api/tables/{table}/socket"
        socket = await connect(address, compression=None, max_size=None, proxy=None)
        await socket.send('{"type": "hello", "tokens": []}')
        await socket.recv()
        found.append(socket)

    try:
        for start in range(0, number, AT_ONCE):
            if time.perf_counter() > until:
                break
            some = [tables[n % len(tables)] for n in range(start, min(number, start + AT_ONCE))]
            # Where a machine is so busy that one of them is not served in time, the others count.
            await asyncio.gather(*map(open_one, some), return_exceptions=True)
        yield len(found)
    finally:
        for start in range(0, len(found), AT_ONCE):
            some_open = found[start : start + AT_ONCE]
            await asyncio.gather(*(one.close() for one in some_open), return_exceptions=True)


async def measure_played_tables(server: Server, process: Process) -> Rows:
    """Memory of tables in mid-game, and of those with many dominoes of their own."""
    rows: Rows = {}
    sets: dict[str, dict[str, Any]] = {
        f"after {MOVES} moves": {},
        f"after {MOVES} moves, with {DOMINOES} own dominoes": {"set": make_custom_set(DOMINOES)},
    }
    for what, options in sets.items():
        before = process.memory()
        for _ in range(PLAYED):
            new = await server.create(
                game="classic", options=options, seats=[None, None], host="0", guests=["1"]
            )
            async with server.watch(new["id"], new["token"]) as viewer:
                while viewer.version < 2 + MOVES:
                    for seat in viewer.yours:
                        if moves := await viewer.legal(seat):
                            end = next((one for one in moves if one["move"] == "end"), moves[0])
                            await viewer.move(end)
        rows[f"a table in memory {what}"] = {"bytes": (process.memory() - before) / PLAYED}
    return rows


async def measure_waiting_clients(process: Process, seconds: float) -> Rows:
    """Memory of tables and sockets, and how others play while thousands are idle."""
    rows: Rows = {}
    async with Server(process.url) as server:
        before = process.memory()
        ids = [
            (await server.create(game="classic", seats=[None] * SEATS, host="0"))["id"]
            for _ in range(MANY)
        ]
        rows["a table in memory"] = {"bytes": (process.memory() - before) / MANY}
        rows.update(await measure_played_tables(server, process))
    before = process.memory()
    async with idle_sockets(process.url, ids, SOCKETS) as number:
        rows["a socket"] = {"bytes": (process.memory() - before) / number}
        began, spent = time.perf_counter(), cpu([process.pid])
        await asyncio.sleep(5 * seconds)
        busy = (cpu([process.pid]) - spent) / (time.perf_counter() - began)
        rows[f"{number:,} idle sockets: a core is busy"] = {"share": busy}
        async with open_loads([process.url], TABLES // 4) as loads:
            _, delays = await paced(loads, seconds)
        rows[f"{number:,} idle sockets: moves of others, p99"] = {"seconds": _p99(delays)}
    return rows


async def measure_playing_clients(found: list[Process], seconds: float) -> Row:
    """A thousand tables at once."""
    async with open_loads([process.url for process in found], MANY) as loads:
        _, delays = await paced(loads, seconds)
        return {"seconds": _p99(delays)}


def _p99(delays: list[float]) -> float:
    return delays[len(delays) * 99 // 100] if delays else float("nan")


async def notifications(url: str, listeners: int, batch: int) -> float:
    """Notifications a second that all of so many listeners have heard, so many in a transaction."""
    import asyncpg

    plain = url.replace("+asyncpg", "")
    heard = 0
    done = asyncio.Event()

    def hear(*_: Any) -> None:
        nonlocal heard
        heard += 1
        if heard == NEWS * listeners:
            done.set()

    connections = [await asyncpg.connect(plain) for _ in range(listeners + 4)]
    try:
        for connection in connections[:listeners]:
            await connection.add_listener("growth", hear)
        began = time.perf_counter()
        share = NEWS // batch // 4

        async def tell(connection: Any, sender: int) -> None:
            for number in range(share):
                async with connection.transaction():
                    await connection.executemany(
                        "SELECT pg_notify('growth', $1)",
                        [(f"table-{sender} {number * batch + one}",) for one in range(batch)],
                    )

        await asyncio.gather(*(tell(one, n) for n, one in enumerate(connections[listeners:])))
        sent = 4 * share * batch
        while heard < sent * listeners:
            done.clear()
            try:
                async with asyncio.timeout(1):
                    await done.wait()
            except TimeoutError:
                continue
        return sent / (time.perf_counter() - began)
    finally:
        for connection in connections:
            await connection.close()


def measure(effort: Effort) -> Rows:
    rows: Rows = {}

    def note(name: str, row: Row) -> None:
        rows[name] = row
        print(f"{name}: {_figure(row)} {_describe_moves(row)}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        file = f"sqlite:///{folder}/tables.db"
        url = file.replace("sqlite:", "sqlite+aiosqlite:")
        _weigh(note, "SQLite", asyncio.run(measure_games(url.replace("tables.db", "weighed.db"))))
        with processes(file, 1) as found:
            note("a move: SQLite", asyncio.run(measure_moves(found, url, 5 * effort.seconds)))
        with processes(file, 1) as found:
            for name, row in asyncio.run(measure_waiting_clients(found[0], effort.seconds)).items():
                note(name, row)
        with processes(file, 1) as found:
            name = f"{MANY:,} tables of {SEATS} play: SQLite, p99"
            note(name, asyncio.run(measure_playing_clients(found, effort.seconds)))
    with postgres.server() as url:
        _weigh(note, "PostgreSQL", asyncio.run(measure_games(postgres.fresh_database(url))))
        for batch in (1, 25):
            for listeners in (1, 2, 4, 8, 16):
                name = f"notifications: {batch} in a commit, {listeners} listening"
                note(name, {"rate": asyncio.run(notifications(url, listeners, batch))})
        for number in (1, 2, 4):
            with processes(url, number) as found:
                name = f"a move: PostgreSQL, {number} process{'es' * (number > 1)}"
                note(name, asyncio.run(measure_moves(found, url, 5 * effort.seconds)))
        with processes(url, 2) as found:
            name = f"{MANY:,} tables of {SEATS} play: PostgreSQL, 2 processes, p99"
            note(name, asyncio.run(measure_playing_clients(found, effort.seconds)))
    return rows


def _weigh(note: Callable[[str, Row], None], kind: str, found: dict[str, float]) -> None:
    name = f"a game of {found['entries']:.0f} entries: {kind}"
    note(name, {"bytes": found["live"]})
    note(f"{name}, archived", {"bytes": found["archived"]})


def _figure(row: Row) -> str:
    """What a line is about, in its own unit."""
    if "moves a second" in row:
        return f"{format_time(row['cpu'])} of CPU"
    if "bytes" in row:
        return f"{row['bytes'] / 1000:.1f} kB"
    if "seconds" in row:
        return format_time(row["seconds"])
    return f"{row['share']:.1%}" if "share" in row else f"{row['rate']:,.0f} a second"


def _describe_moves(row: Row) -> str:
    if "moves a second" not in row:
        return ""
    parts = [f"{row['moves a second']:,.0f} a second", f"{row['written'] / 1000:.1f} kB written",
             f"{row['received'] / 1000:.1f} kB received"]  # fmt: skip
    if row["rows"]:
        parts += [f"{row['rows']:.1f} rows", f"{format_time(row['database'])} of PostgreSQL"]
    return ", ".join(parts)


MAIN = Column("figure", _figure)
SECTION = Section(
    f"Costs: moves at {TABLES} tables with {SEATS} viewers each, games, sockets, notifications",
    (MAIN, Column("more", _describe_moves, "left")),
    MAIN,
    measure,
)
