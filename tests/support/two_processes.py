"""Two server processes on one database, simulated by two registries in one process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from dalapapa.core.errors import DalapapaError
from dalapapa.games.moves import Move, move_to_json
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.server.bus.choose import make_bus
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.tables import Tables
from dalapapa.server.workers.bots import BotWorkers, think
from tests.support.serving import PATIENCE, LateClock
from tests.support.waiting import run_other_tasks


class InstantBots(BotWorkers):
    """Bots that choose without delay, and are counted."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts = 0

    async def choose(self, game: str, program: str, seed: str, view: Any) -> Move:
        self.thoughts += 1
        await run_other_tasks()
        return think(game, program, seed, view)


class WaitingViewer:
    """A viewer who waits."""

    def __init__(self, seats: tuple[int, ...] = ()) -> None:
        self.seats = seats
        """As a guest, it owns these."""
        self.versions: list[int] = []
        self.over = False
        self.something = asyncio.Event()

    def on_close(self, error: DalapapaError) -> None:
        raise error

    def on_change(self, live: LiveTable) -> None:
        self.versions.append(live.state.version)
        self.over = live.state.phase == "over"
        self.something.set()

    def on_presence(self, message: bytes) -> None:
        """Nothing waits for that."""

    def on_reaction(self, message: bytes) -> None:
        """Nothing waits for that."""

    async def until_over(self) -> None:
        while not self.over:
            self.something.clear()
            await self.something.wait()

    async def until(self, version: int) -> None:
        while version not in self.versions:
            self.something.clear()
            await self.something.wait()


@contextlib.asynccontextmanager
async def open_two_processes(
    database: str, broker: str | None = None
) -> AsyncIterator[tuple[Tables, Tables]]:
    """`broker`: the address of a NATS server; default: PostgreSQL's own notifications."""
    async with contextlib.AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            store = Store(database)
            bus = make_bus(store, broker)
            await store.open()
            stack.push_async_callback(store.close)
            tables = Tables(store, InstantBots(), LateClock(), bus=bus)
            await tables.open()
            stack.push_async_callback(tables.close)
            found.append(tables)
        async with asyncio.timeout(PATIENCE):
            yield found[0], found[1]


def make_settings_for_bots(game: str, seats: int) -> Settings:
    return Settings(game, (SeatPlan("greedy"),) * seats, pace=0)


def make_settings_for_people(seats: int) -> Settings:
    return Settings("classic", (SeatPlan(),) * seats)


def choose_legal_move(live: LiveTable) -> dict[str, Any]:
    """Choose a legal move of the player who has the turn."""
    game, state = live.state.game, live.state.game_state
    (player,) = game.next_actors(state)
    return move_to_json(game.legal_moves(game.view(state, player))[0])
