"""The online tables of a server process: their parts, opened and closed together.

A command (`commands.py`) becomes a durable entry, which changes a live table (`live.py`) and is
broadcast to its viewers. The registry loads and holds live tables, the driver moves bots and ends
clocks, and `sync.py` applies what other processes do. Each part imports only those before it:
live, registry, creation, sync, commands, driver.
"""

from __future__ import annotations

from ..bus.bus import Bus
from ..bus.postgres_bus import PostgresBus
from ..clock import SYSTEM_CLOCK, SystemClock
from ..storage.store import Store
from ..workers.bots import BotWorkers
from .commands import TableCommands
from .creation import MAX_STORED_TABLES, TableCreator
from .driver import TableDriver
from .registry import TableRegistry
from .sync import TableSync


class Tables:
    """The parts that serve the tables of one database in one process."""

    registry: TableRegistry
    commands: TableCommands
    bots: BotWorkers

    def __init__(
        self,
        store: Store,
        bots: BotWorkers,
        clock: SystemClock = SYSTEM_CLOCK,
        max_tables: int = MAX_STORED_TABLES,
        bus: Bus | None = None,
    ) -> None:
        """`bus`: the way to other processes; default: PostgreSQL's, none for SQLite."""
        if bus is None and store.postgres:
            bus = PostgresBus(store)
        self.store = store
        self.clock = clock
        self.bots = bots
        self.packages = bots.packages
        self.registry = TableRegistry(store, clock, self.packages, bus)
        self.presence = self.registry.presence
        self.creator: TableCreator = TableCreator(self.registry, max_tables)
        self.bus = bus
        self.sync: TableSync = TableSync(self.registry, bus)
        self.commands = TableCommands(self.registry, self.creator, self.sync.refresh_soon)
        self.driver: TableDriver = TableDriver(self.commands, bots)
        self.find, self.held = self.registry.find, self.registry.held

    async def open(self) -> None:
        """Begin to follow what other processes do, and to describe installed packages."""
        self.packages.describe_soon()
        self.presence.open()
        self.sync.open()

    async def close(self) -> None:
        """End all tasks, and the workers of the bots."""
        await self.presence.close()
        if self.bus is not None:  # First, because each message would begin to read a table.
            await self.bus.close()
        await self.sync.close({live.driver for live in self.registry.live.values() if live.driver})
        self.bots.close()
