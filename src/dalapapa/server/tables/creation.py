"""New tables: the limits on them, their dominoes and seed, and the first players."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from ...core.errors import Unavailable
from ...games.bag import make_seed
from ...hosting.commands import seat_people
from ...hosting.entries import Sat
from ...hosting.settings import Settings, check_bots, check_set_size
from ...hosting.state import clean_name
from ...hosting.stored import StoredEntry, StoredTable
from ...hosting.tokens import hash_token
from ..storage.archive import Line
from ..storage.rows import table_row
from ..storage.table_count import TableCount
from ..storage.writer import Row
from .live import LiveTable
from .new_tables import NewTableLimits
from .registry import TableRegistry

MAX_STORED_TABLES = 100_000
"""Tables in the store, without the archive: beyond, no new ones are made."""


class TableCreator:
    """Creates tables, as long as there is room for them."""

    def __init__(self, registry: TableRegistry, max_tables: int = MAX_STORED_TABLES) -> None:
        self.registry = registry
        self.count: TableCount = TableCount(registry.store, max_tables, registry.clock)
        self.limits: NewTableLimits | None = None
        """The limits of each address; None: addresses are not limited."""

    async def create(
        self,
        settings: Settings,
        host: str | None,
        guests: tuple[str, ...] = (),
        address: str | None = None,
    ) -> tuple[LiveTable, str]:
        """A new table; the host, and guests at the same screen, take the first free seats.

        The token is the host's: it owns those seats. Without a host, it owns none. The table
        counts for the limits of an address; without one, it counts for none.
        """
        token = secrets.token_urlsafe(16)
        seated = seat_people(settings, host, guests, hash_token(token))
        return await self.create_seated(settings, seated, address), token

    async def check_room(self, address: str | None, size: int) -> None:
        """Count a new table of this size in bytes for the limits, or refuse it."""
        if await self.count.full():
            self.count.refused.set()
            raise Unavailable("This server is full: it cannot open new tables now.", "full")
        if address is not None and self.limits is not None:
            await self.limits.check(address, size)

    async def create_moved(self, table: StoredTable, phase: str, log: Sequence[Line]) -> None:
        """A table that was played on a device, verified; it is loaded when its players come."""
        rows = [Row(table.id, one.number, one.at, one.nonce, one.entry, phase) for one in log]
        changed = log[-1].at if log else table.created
        await self.registry.store.create_from_rows(table_row(table, phase, changed), rows)
        self.count.add()

    async def create_seated(
        self,
        settings: Settings,
        seated: Sequence[Sat],
        address: str | None,
        id: str | None = None,
        seed: str | None = None,
    ) -> LiveTable:
        """A new table with its first players; the existing one if there is one of this id."""
        await self.check_room(address, len(msgspec.json.encode(settings)))
        packages = self.registry.packages
        check_bots(settings, await packages.list_known_bots(settings, is_new=True))
        check_set_size(settings)
        settings = self.registry.cache.share_settings(settings)
        id, seed = id or secrets.token_urlsafe(12), seed or make_seed()
        created = self.registry.clock.now()
        state, tiles = await packages.open_table(settings, seed, created)
        stored = StoredTable(id, created, settings, seed, tiles)
        live = LiveTable(stored, self.registry.clock, state)
        log = []
        for entry in seated:
            entry = replace(entry, name=clean_name(entry.name))
            log.append(StoredEntry(live.state.version + 1, created, entry))
            live.apply_entry(log[-1], await packages.advance(live.state, entry, created))
        live.release_memory()
        live.leads_bots = live.is_loaded = True
        if not await self.registry.store.create(stored, live.state.phase, log):
            return await self.registry.find(stored.id)
        self.count.add()
        self.registry.keep(live)
        self.registry.note_public_change(live)
        return live
