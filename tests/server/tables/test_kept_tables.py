"""The memory of tables: bounded in bytes, estimated, and shared where tables have the same."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from dalapapa.client import Server
from dalapapa.games.moves import Lay
from dalapapa.hosting.entries import Moved, Sat
from dalapapa.hosting.settings import SeatPlan, Settings, find_tiles
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.hosting.tokens import hash_token
from dalapapa.server.clock import SYSTEM_CLOCK
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.live_cache import TABLE_BYTES, LiveTableCache, estimate_bytes
from dalapapa.server.tables.tables import Tables
from tests.support.online_games import make_custom_set
from tests.support.serving import served
from tests.support.two_processes import InstantBots

pytestmark = pytest.mark.anyio


def settings(size: int = 0, game: str = "classic", seats: int = 2) -> Settings:
    options: dict[str, Any] = {"set": make_custom_set(size)} if size else {}
    return Settings(game, (SeatPlan(),) * seats, options)


@pytest.fixture
async def tables(sqlite_database: str) -> AsyncIterator[Tables]:
    store = Store(sqlite_database)
    await store.open()
    found = Tables(store, InstantBots())
    yield found
    await found.close()
    await store.close()


# -- the estimate ----------------------------------------------------------------------------------


def rested(number: int, wanted: Settings, moves: int) -> LiveTable:
    """A table after some moves, as it lies in memory while it is not used."""
    stored = StoredTable(f"table{number}", 1, wanted, f"seed {number}", find_tiles(wanted).identity)
    live = LiveTable(stored, SYSTEM_CLOCK)
    for seat in range(len(wanted.seats)):
        live.apply_entry(StoredEntry(seat + 1, 1, Sat(seat, "Ann", hash_token(str(number)))))
    for _ in range(moves):
        state = live.state
        (seat,) = state.game.next_actors(state.game_state)
        legal = state.game.legal_moves(state.game.view(state.game_state, seat))
        move = next((one for one in legal if not isinstance(one, Lay)), legal[-1])
        version = state.version + 1
        live.apply_entry(StoredEntry(version, 1, Moved(move), hash_token(f"{number} {version}")))
        live.encoder.encode(live.state, (0,), 1, news=True)
    live.release_memory()
    return live


@pytest.mark.parametrize(
    ("game", "size", "moves"),
    [("classic", 0, 0), ("classic", 0, 25), ("puzzle", 0, 0), ("gone", 0, 20),
     ("classic", 130, 0), ("classic", 130, 10), ("puzzle", 130, 0)],
)  # fmt: skip
def test_the_estimated_bytes_are_near_the_real_ones(game: str, size: int, moves: int) -> None:
    written = msgspec.json.encode(settings(size, game))
    rested(0, settings(size, game), moves)  # What all tables share.
    number = 3
    gc.collect()
    tracemalloc.start()
    try:
        lives = [
            rested(one, msgspec.json.decode(written, type=Settings), moves)
            for one in range(1, number + 1)
        ]
        gc.collect()
        real = tracemalloc.get_traced_memory()[0] / number
    finally:
        tracemalloc.stop()
    estimate = estimate_bytes(lives[0])
    assert 0.8 * real < estimate < 2.5 * real, f"estimated {estimate}, really {real:.0f}"


# -- the bound -------------------------------------------------------------------------------------


async def test_tables_with_long_settings_are_dropped_earlier(tables: Tables) -> None:
    tables.registry.cache.max_bytes = 500_000
    for _ in range(10):
        await tables.creator.create(settings(120), "Ann")
        assert tables.registry.cache.bytes <= 500_000
    assert 2 <= len(tables.registry.cache) < 9
    for _ in range(30):
        await tables.creator.create(settings(), "Ann")
    assert len(tables.registry.cache) >= 30
    assert tables.registry.cache.bytes <= 500_000
    assert len(tables.registry.live) == len(tables.registry.cache), (
        "what was dropped is in memory no more"
    )


async def test_the_total_is_the_sum_of_all_tables(tables: Tables) -> None:
    first, token = await tables.creator.create(settings(game="puzzle"), "Ann")
    second, _ = await tables.creator.create(settings(50), "Ann")
    before = tables.registry.cache.bytes
    assert before == estimate_bytes(first) + estimate_bytes(second)
    await tables.commands.sit(first, 1, "Bob")
    await tables.commands.leave(first, 0, token)
    assert tables.registry.cache.bytes > before
    assert tables.registry.cache.bytes == estimate_bytes(first) + estimate_bytes(second)
    del tables.registry.cache[first.id]
    assert tables.registry.cache.bytes == estimate_bytes(second)
    tables.registry.cache.note_change(first)
    assert tables.registry.cache.bytes == estimate_bytes(second), (
        "a table that is not kept is not counted"
    )
    tables.registry.cache.clear()
    assert tables.registry.cache.bytes == 0


async def test_watched_tables_stay_beyond_the_limit_of_bytes(tables: Tables) -> None:
    class Watching:
        def on_change(self, live: LiveTable) -> None: ...

        def on_close(self, error: Exception) -> None: ...

    tables.registry.cache.max_bytes = 3 * TABLE_BYTES
    watched, _ = await tables.creator.create(settings(120), "Ann")
    tables.driver.watch(watched, Watching())
    for _ in range(5):
        await tables.creator.create(settings(), "Ann")
    assert watched.id in tables.registry.cache
    assert len(tables.registry.cache) == 2, "the watched one, and the one that is used now"


async def test_an_operator_sets_the_limit() -> None:
    async with served(table_memory_bytes=50_000) as here, Server(here.url) as server:
        made = [await server.create(seats=[None, None], host="Ann") for _ in range(8)]
        assert here.tables.registry.cache.bytes <= 50_000
        assert 0 < len(here.tables.registry.cache) < 8
        for new in made:  # They come back from the database.
            answer = await server.ask("GET", f"/tables/{new['id']}")
            assert answer["table"]["seats"][0]["name"] == "Ann"


# -- sharing ---------------------------------------------------------------------------------------


async def test_tables_with_the_same_settings_share_them(tables: Tables) -> None:
    written = msgspec.json.encode(settings(100))
    lives = [
        (await tables.creator.create(msgspec.json.decode(written, type=Settings), "Ann"))[0]
        for _ in range(3)
    ]
    assert len({id(live.state.settings) for live in lives}) == 1
    ids = [live.id for live in lives]
    tables.registry.cache.clear()
    del lives
    gc.collect()
    loaded = [await tables.find(id) for id in ids]
    assert len({id(live.state.settings) for live in loaded}) == 1
    assert loaded[0].state.settings == settings(100)


def test_unused_settings_are_dropped() -> None:
    kept = LiveTableCache()
    shared = kept.share_settings(settings(100))
    assert kept.share_settings(settings(100)) is shared
    del shared
    gc.collect()
    assert not kept._settings
