"""Databases with tables of all games, and what is in them."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from random import Random
from typing import Any

from msgspec.structs import replace

from dalapapa.games import REGISTRY
from dalapapa.games.moves import TimeUp
from dalapapa.hosting.entries import Entry, Left, Moved, Rematched, Returned, Sat
from dalapapa.hosting.settings import SeatPlan, Settings, find_tiles
from dalapapa.hosting.state import TableState, advance, open_table
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.server.storage.store import Store

OWNER = sha256(b"token").hexdigest()


Kept = tuple[StoredTable, str, list[StoredEntry]]


def make_stored_table(id: str, created: int, settings: Settings, seed: str) -> StoredTable:
    return StoredTable(id, created, settings, seed, find_tiles(settings).identity)


def play_at_random(id: str, game: str, moves: int, **options: Any) -> Kept:
    """Make a table after some random moves; one of its players left and came back."""
    rng = Random(id)
    seats = tuple([SeatPlan()] * max(2, REGISTRY[game].seats[0]))
    stored = make_stored_table(
        id, 1000, Settings(game, seats, options, visibility="public"), id * 2
    )
    state, log = open_table(stored.settings, stored.seed, stored.created), list[StoredEntry]()

    def add(entry: Entry, at: int) -> TableState:
        log.append(StoredEntry(state.version + 1, at, entry, f"mark {len(log)}" * (len(log) % 2)))
        if not log[-1].nonce:
            log[-1] = replace(log[-1], nonce=None)
        return advance(state, entry, at)

    for seat in range(len(seats)):
        state = add(Sat(seat, f"Ann {seat} é", OWNER), 2000)
    state = add(Left(0), 3000)
    state = add(Returned(0), 4000)
    for _ in range(moves):
        if state.phase == "over":
            state = add(Rematched("elsewhere"), 9_000_000)
            break
        rules, present = state.game, state.game_state
        views = [rules.view(present, seat) for seat in rules.actors(present)]
        legal = [move for view in views for move in rules.legal_moves(view)]
        if not legal or (state.timer and rng.random() < 0.1):
            assert state.timer
            late = Moved(TimeUp(state.timer.number), "time")
            state = add(late, state.timer.deadline)
        else:
            state = add(Moved(rng.choice(legal)), log[-1].at + 100)
    return stored, state.phase, log


def make_tables() -> list[Kept]:
    """Make a running and a longer table of each game, one without players, and one of bots."""
    found = [
        play_at_random(f"{game}-{moves}", game, moves, **({"minutes": 5} if game in RACES else {}))
        for game in REGISTRY
        for moves in (6, 150)
    ]
    empty = make_stored_table("empty", 500, Settings("classic", (SeatPlan(), SeatPlan())), "0")
    robots = make_stored_table("robots", 600, Settings("gone", (SeatPlan("random"),) * 2), "1")
    return sorted([*found, (empty, "waiting", []), (robots, "playing", [])], key=lambda k: k[0].id)


RACES = ("puzzle", "arlequin")


TABLES = make_tables()


def fill_store(url: str, tables: list[Kept] = TABLES) -> None:
    async def go() -> None:
        store = Store(url)
        await store.open()
        assert await store.restore(tables) == len(tables)
        await store.close()

    asyncio.run(go())


def read_store(url: str) -> list[tuple[StoredTable, list[StoredEntry]]]:
    async def go() -> list[tuple[StoredTable, list[StoredEntry]]]:
        store = Store(url)
        await store.open()
        found = [kept async for kept in store.read_all() if isinstance(kept, tuple)]
        await store.close()
        return found

    return asyncio.run(go())


def read_lobby(url: str) -> list[str]:
    """List the ids of the lobby; they depend on the phases of tables and the times of changes."""

    async def go() -> list[str]:
        store = Store(url)
        await store.open()
        found = [id for id, _ in await store.lobby(100)]
        await store.close()
        return found

    return asyncio.run(go())
