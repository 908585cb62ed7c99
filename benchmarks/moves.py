"""Moves at 300 tables of two: our server, beside boardgame.io with each of its stores.

Games are made beforehand from their seeds (`load.py`), so that the load thinks of nothing. What
counts is how many moves a second of the server's processor time makes: the time on the wall depends
on who else wants the cores. A delay lasts from sending a move until both players have seen it.
Ours is durable then; when all is over the server is killed, and what it has kept is counted.
Contenders take turns, and each figure is the median of its runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import uvloop

from dalapapa.games.bag import fill_bag
from dalapapa.games.classic.rules import ClassicState
from dalapapa.games.moves import Lay, Move, move_to_json
from dalapapa.hosting.entries import Moved, Sat
from dalapapa.hosting.settings import SeatPlan, Settings, find_tiles
from dalapapa.hosting.state import advance, open_table
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.hosting.tokens import hash_token
from dalapapa.server.runtime.run import add_driver
from dalapapa.server.storage.store import Store

from . import boardgame_io
from .load import SEATS, Game, Load, Place, VersionReader, cpu, family, flat_out, paced
from .report import Column, Effort, Row, Rows, Section, format_digits, format_time
from .server import processes
from .wire import frame

TABLES = 300
PACE = 144
"""Moves a second of the paced run."""

SETTLE = 2
"""Seconds until all clients know who is present, and servers have synchronised."""

SEEDS = 10
"""Different games; the tables share them."""

ROUNDS = 3
SETTINGS = Settings(game="classic", seats=(SeatPlan(),) * SEATS, options={"target": 240})
NAMES = ("Ann", "Bob")
BEFORE = len(NAMES)
"""Versions of a table before its first move: they have sat down."""


@cache
def play_game(seed: str) -> list[Move]:
    """A whole game: the first legal laying of a random domino, and the end of the turn."""
    rng = random.Random(seed)
    state = open_table(SETTINGS, seed, 0)
    for seat, name in enumerate(NAMES):
        state = advance(state, Sat(seat, name, name), 0)
    moves: list[Move] = []
    while state.phase == "playing":
        now = state.game_state
        assert isinstance(now, ClassicState)
        legal = state.game.legal_moves(state.game.view(now, now.active))
        chosen = legal[-1] if not isinstance(legal[-1], Lay) else rng.choice(legal)
        moves.append(chosen)
        state = advance(state, Moved(chosen), 0)
    return moves


def make_seed(table: int) -> str:
    return f"{table % SEEDS:064x}"


class Contender(NamedTuple):
    """A server that is measured: what to start, and what it understands."""

    name: str
    start: Callable[[], contextlib.AbstractContextManager[Started]]
    read_version: VersionReader


class Started(NamedTuple):
    """A server with its tables set up."""

    games: list[Game]
    pids: list[int]
    database: list[int]
    """Processes of the database, if it has any."""
    stored: Callable[[], int] | None
    """How many moves it has kept; asked when it has been killed."""


# -- ours ----------------------------------------------------------------------------------------


async def set_up(database: str) -> None:
    """Tables whose seeds are known, with two people each."""
    tiles = find_tiles(SETTINGS).identity
    store = Store(add_driver(database))
    await store.open()
    await store.restore(
        (
            StoredTable(f"table-{number}", 0, SETTINGS, make_seed(number), tiles),
            "playing",
            [
                StoredEntry(1 + seat, 0, Sat(seat, name, hash_token(f"{name} {number}")))
                for seat, name in enumerate(NAMES)
            ],
        )
        for number in range(TABLES)
    )
    await store.close()


async def count_stored_moves(database: str) -> int:
    """Moves in the database."""
    store = Store(add_driver(database))
    await store.open()
    found = 0
    async for rows in store.rows():
        found += len(rows.log) - BEFORE
    await store.close()
    return found


def make_games(urls: list[str]) -> list[Game]:
    """Each table's players, at one server after the other."""
    games = []
    for number in range(TABLES):
        places = []
        for seat, name in enumerate(NAMES):
            address = urlsplit(urls[(number + seat) % len(urls)])
            hello = {"type": "hello", "tokens": [f"{name} {number}"]}
            assert address.hostname
            assert address.port
            path = f"/api/tables/table-{number}/socket"
            said = frame(msgspec.json.encode(hello))
            places.append(Place(address.hostname, address.port, path, said))
        moves = []
        for version, move in enumerate(play_game(make_seed(number)), start=BEFORE):
            assert move.player is not None
            said_move = {
                "type": "move", "id": f"{version}", "version": version, "move": move_to_json(move)
            }  # fmt: skip
            moves.append((move.player, frame(msgspec.json.encode(said_move))))
        games.append(Game(tuple(places), moves))
    return games


NEWS = b'{"type":"table","version":'


def read_version(data: bytes) -> int:
    """The version of a table less those before its first move."""
    if not data.startswith(NEWS):
        assert data.startswith(b'{"type":"accepted"'), data
        return -1
    return int(data[len(NEWS) : data.index(b",", len(NEWS))]) - BEFORE


@contextlib.contextmanager
def start_ours(database: str, count: int, theirs: int | None = None) -> Iterator[Started]:
    asyncio.run(set_up(database))
    with processes(database, count) as found:
        pids = [process.pid for process in found]
        yield Started(
            make_games([process.url for process in found]), pids,
            [] if theirs is None else [theirs], lambda: asyncio.run(count_stored_moves(database)),
        )  # fmt: skip


@contextlib.contextmanager
def start_on_sqlite() -> Iterator[Started]:
    with (
        tempfile.TemporaryDirectory() as folder,
        start_ours(f"sqlite:///{folder}/tables.db", 1) as started,
    ):
        yield started


@contextlib.contextmanager
def postgres() -> Iterator[tuple[str, int]]:
    """The URL of an empty database, and the first of its processes."""
    from tests.support import postgres as cluster

    before = set(family(os.getpid()))
    with cluster.server() as url:
        (pid, *_) = sorted(set(family(os.getpid())) - before)
        yield url, pid


def start_on_postgres(count: int) -> Callable[[], contextlib.AbstractContextManager[Started]]:
    @contextlib.contextmanager
    def start() -> Iterator[Started]:
        with postgres() as (url, pid), start_ours(url, count, pid) as started:
            yield started

    return start


# -- theirs --------------------------------------------------------------------------------------


@contextlib.contextmanager
def start_theirs(*store: str, database: int | None = None) -> Iterator[Started]:
    played_by_bag = [
        (
            list(fill_bag(find_tiles(SETTINGS).names, make_seed(number)).names),
            play_game(make_seed(number)),
        )
        for number in range(TABLES)
    ]
    with boardgame_io.server(store) as (port, pid):
        games = boardgame_io.make_games(port, played_by_bag)
        yield Started(games, [pid], [] if database is None else [database], None)


@contextlib.contextmanager
def start_theirs_in_files() -> Iterator[Started]:
    with tempfile.TemporaryDirectory() as folder, start_theirs("files", folder) as started:
        yield started


@contextlib.contextmanager
def start_theirs_on_postgres() -> Iterator[Started]:
    with postgres() as (url, pid):
        plain_url = url.replace("+asyncpg", "")
        with start_theirs("postgres", plain_url, database=pid) as started:
            yield started


# -- measuring -----------------------------------------------------------------------------------


async def play(started: Started, read_version: VersionReader, seconds: float) -> tuple[Row, int]:
    """The figures of a run, and how many moves were made."""
    loads = [Load(game, read_version) for game in started.games]
    try:
        for load in loads:
            await load.open()
        for load in loads:
            await load.all_there()
        await asyncio.sleep(SETTLE)
        calm = await paced(loads, seconds, PACE)
        asked = [pid for first in started.database for pid in family(first)]
        before, before_there = cpu(started.pids), cpu(asked)
        fast = await flat_out(loads, 2 * seconds)
        spent, spent_there = cpu(started.pids) - before, cpu(asked) - before_there
    finally:
        for load in loads:
            load.close()
    row = {
        "a cpu second": fast.moves / spent,
        "a second": fast.rate,
        "flat out p99": fast.delay(0.99),
        "p50": calm.delay(0.5),
        "p99": calm.delay(0.99),
    }
    if asked:
        row["database"] = spent_there / fast.moves
    return row, calm.moves + fast.moves


def measure_one(contender: Contender, seconds: float) -> Row:
    with contender.start() as started:
        row, made = uvloop.run(play(started, contender.read_version, seconds))
        for pid in started.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if started.stored is not None:
            row["kept"] = started.stored() / made
    return row


CONTENDERS = (
    Contender("Ours, SQLite", start_on_sqlite, read_version),
    *(
        Contender(f"Ours, PostgreSQL: {count} {'process' if count == 1 else 'processes'}",
                  start_on_postgres(count), read_version)
        for count in (1, 2, 4)
    ),
    Contender("boardgame.io, memory", lambda: start_theirs("memory"), boardgame_io.read_version),
    Contender("boardgame.io, files", start_theirs_in_files, boardgame_io.read_version),
    Contender("boardgame.io, PostgreSQL", start_theirs_on_postgres, boardgame_io.read_version),
)  # fmt: skip


def measure(effort: Effort) -> Rows:
    """All contenders in turn, so often; the median of each figure."""
    found = [
        one for one in CONTENDERS if boardgame_io.is_installed() or one.name.startswith("Ours")
    ]
    if len(found) < len(CONTENDERS):
        print(
            "boardgame.io is not installed: run `npm ci` in benchmarks/boardgame", file=sys.stderr
        )
    runs: dict[str, list[Row]] = {contender.name: [] for contender in found}
    for _ in range(ROUNDS):
        for contender in found:
            row = measure_one(contender, 2 * effort.seconds)
            runs[contender.name].append(row)
            figures = f"{format_digits(row['a cpu second'])} moves a CPU second"
            print(f"  {contender.name}: {figures}, p99 {format_time(row['p99'])}", file=sys.stderr)
    return {
        name: {figure: statistics.median(row[figure] for row in rows) for figure in rows[0]}
        for name, rows in runs.items()
    }


MOST = Column("moves a CPU second", lambda row: format_digits(row["a cpu second"]))
SECTION = Section(
    f"Moves: {TABLES} tables of {SEATS}",
    (
        MOST,
        Column("moves a second", lambda row: format_digits(row["a second"])),
        Column(
            "database a move", lambda row: format_time(row["database"]) if "database" in row else ""
        ),
        Column(f"p50 at {PACE}", lambda row: format_time(row["p50"])),
        Column(f"p99 at {PACE}", lambda row: format_time(row["p99"])),
        Column("kept", lambda row: f"{row['kept']:.0%}" if "kept" in row else ""),
    ),
    MOST,
    measure,
)
