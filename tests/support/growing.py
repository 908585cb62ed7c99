"""A database as it is after a busy year: some real games, copied in SQL until there are enough."""

from __future__ import annotations

import itertools
import time
from collections.abc import Awaitable, Callable
from hashlib import sha256
from statistics import quantiles
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import text

from dalapapa.bots.arena import derive_bot_seed
from dalapapa.hosting.entries import Entry, Moved, Sat
from dalapapa.hosting.settings import SeatPlan, Settings, find_tiles
from dalapapa.hosting.state import advance, open_table
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.tables import Tables
from dalapapa.server.workers.bots import BotWorkers, think
from tests.support.waiting import run_other_tasks

SETTINGS = Settings("classic", (SeatPlan(),) * 2, visibility="public")
BEGAN = 1_700_000_000_000
DIFFERENT = 20
"""Real games that all others are copies of."""

_MEASUREMENTS = itertools.count()
"""Numbers in the ids of tables, so that a database can be measured again."""

CHUNK = 50_000
"""Rows of one transaction while a database is filled."""

Game = tuple[StoredTable, str, list[StoredEntry]]


def game(number: int, moves: int | None = None, settings: Settings = SETTINGS) -> Game:
    """A game of two who lay what earns most, with marks as browsers send them; or its beginning."""
    seed = sha256(f"{number}".encode()).hexdigest()[:32]
    stored = StoredTable(f"game-{number}", BEGAN, settings, seed, find_tiles(settings).identity)
    state, log = open_table(settings, seed, BEGAN), list[StoredEntry]()

    def add(entry: Entry, mark: str | None = None) -> None:
        nonlocal state
        at = BEGAN + 4_321 * (len(log) + 1)
        state = advance(state, entry, at)
        log.append(StoredEntry(state.version, at, entry, mark))

    for seat in range(len(settings.seats)):
        add(Sat(seat, f"Player {seat}", sha256(f"{number} {seat}".encode()).hexdigest()))
    while state.phase != "over" and (moves is None or len(log) < moves):
        player = state.game.next_actors(state.game_state)[0]
        view = state.game.view(state.game_state, player)
        move = think(
            state.game.name, "greedy", derive_bot_seed(f"{seed}/{state.version}", player), view
        )
        add(Moved(move), sha256(f"{number} {len(log)}".encode()).hexdigest())
    return stored, state.phase, log


SERIES = {
    True: "generate_series({first}, {last}) AS n",
    False: "(WITH RECURSIVE c(n) AS (VALUES({first}) UNION ALL SELECT n + 1 FROM c"
    " WHERE n < {last}) SELECT n FROM c)",
}
ID = {True: "substr(md5(random()::text || n || id), 1, 16)", False: "lower(hex(randomblob(8)))"}


async def fill(store: Store, archived: int, live: int = 0) -> None:
    """So many archived games more, and so many tables that wait for players or play."""
    await store.restore(game(number) for number in range(DIFFERENT))
    await Retention(store, RetentionPolicy("never", "never", "never", 0)).sweep()
    originals = ", ".join(f"'game-{number}'" for number in range(DIFFERENT))
    await _copied(
        store,
        "INSERT INTO archive (id, created, changed, data) SELECT {id}, created + 30000 * n,"
        f" changed + 30000 * n, data FROM archive, {{series}} WHERE id IN ({originals})",
        archived // DIFFERENT,
        CHUNK // DIFFERENT,
    )
    if live:
        await fill_live(store, live)
    async with store.autocommit() as connection:  # As it would have done by itself by now.
        await connection.execute(text("VACUUM ANALYZE" if store.postgres else "ANALYZE"))


async def fill_live(store: Store, live: int) -> None:
    """So many tables: one half waits, the other plays and has 30 entries."""
    stored, _, log = game(1000, 2)
    await store.restore([(stored, "waiting", log[:1]), game(1001, 30)])
    await _copied(
        store,
        "INSERT INTO tables (id, created, changed, phase, visibility, seed, settings, set_name,"
        " set_fingerprint) SELECT id || '-' || n, created + n, changed + n, phase, visibility,"
        " seed, settings, set_name, set_fingerprint FROM tables, {series}"
        " WHERE id IN ('game-1000', 'game-1001')",
        live // 2,
        CHUNK // 2,
    )
    await _copied(
        store,
        "INSERT INTO entries (table_id, number, at, nonce, entry) SELECT table_id || '-' || n,"
        " number, at, nonce, entry FROM entries, {series}"
        " WHERE table_id IN ('game-1000', 'game-1001')",
        live // 2,
        CHUNK // 31,
    )


async def _copied(store: Store, statement: str, times: int, at_once: int) -> None:
    for first in range(1, times + 1, at_once):
        series = SERIES[store.postgres].format(first=first, last=min(times, first + at_once - 1))
        # No request: it may take as long as it takes.
        async with store.transaction(True) if store.postgres else store.writing() as connection:
            if store.postgres:
                await connection.execute(text("SET LOCAL synchronous_commit = off"))
            wanted = statement.format(id=ID[store.postgres], series=series)
            await connection.exec_driver_sql(wanted)


class Times(NamedTuple):
    """Seconds that each thing takes, undisturbed: a quarter of the times are better."""

    start: float
    lobby: float
    open_live: float
    open_archived: float
    create: float
    move: float
    archive: float
    """One finished game, in a batch."""
    export: float
    """The first tables of an export."""


async def measured(url: str, number: int = 30) -> Times:
    """How long a server takes for what it does all the time."""
    started = []
    for _ in range(7):
        began = time.perf_counter()
        again = Store(url)
        await again.open()
        started.append(time.perf_counter() - began)
        await again.close()
    store = Store(url)
    await store.open()
    tables = Tables(store, BotWorkers())
    try:
        archived = [one for one in await _some(store, "archive", number) if one]
        stamp = f"measured-{next(_MEASUREMENTS)}"
        live = [(await tables.creator.create(SETTINGS, f"{one}"))[0].id for one in range(number)]

        async def opening(id: str) -> None:
            assert await store.load(id)
            assert await store.log(id)

        async def creating(one: str) -> None:
            await tables.creator.create(SETTINGS, one)

        async def moving(id: str) -> None:
            entry = StoredEntry(2, BEGAN, Sat(1, "Bob", "0" * 64))
            assert await store.append(id, entry, "waiting")

        finished = [game(one) for one in range(min(number, DIFFERENT))]
        batches = []
        for batch in range(3):
            await store.restore(
                (replace(stored, id=f"{stamp}-{batch}-{n}"), phase, log)
                for n, (stored, phase, log) in enumerate(finished)
            )
            ids = [f"{stamp}-{batch}-{n}" for n in range(len(finished))]
            began = time.perf_counter()
            assert len(await Retention(store).archive_tables(ids)) == len(ids)
            batches.append((time.perf_counter() - began) / len(ids))
        return Times(
            quantiles(started, n=4)[0],
            await _timed([str(n) for n in range(number)], lambda _: store.lobby(50)),
            await _timed(live, opening),
            await _timed(archived, opening),
            await _timed(live, creating),
            await _timed(live, moving),
            min(batches),
            await _timed(["1", "2", "3"], lambda _: _first(store)),
        )
    finally:
        tables.bots.close()
        await store.close()


async def _first(store: Store) -> None:
    async for _ in store.read_all():
        break


async def _timed(what: list[str], do: Callable[[str], Awaitable[object]]) -> float:
    times = []
    for one in what:
        began = time.perf_counter()
        await do(one)
        times.append(time.perf_counter() - began)
        await run_other_tasks()
    return quantiles(times, n=4)[0]


async def _some(store: Store, table: str, number: int) -> list[str]:
    """Ids from all over a table, found by its key."""
    found = []
    async with store.reading() as connection:
        for one in range(number):
            near = {"id": sha256(f"{one}".encode()).hexdigest()[:16]}
            wanted = text(f"SELECT id FROM {table} WHERE id >= :id ORDER BY id LIMIT 1")
            found.append((await connection.execute(wanted, near)).scalar_one_or_none() or "game-0")
    return found
