"""The lobby: public online tables that wait for players or play.

A table is encoded when it changes, not when a client asks. The list shows at once who sits down,
leaves, begins or ends a game in this process; moves, and changes by other processes, within a
second.
"""

from __future__ import annotations

import asyncio
import math
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from ...core.errors import DalapapaError, Unavailable
from ...hosting import encoder, protocol
from ...hosting.state import TableState
from ..payload import Payload, compress_async
from ..single_flight import SingleFlightCache
from ..tables.live import LiveTable
from ..tables.tables import Tables

MAX_LISTED_TABLES = 100

MAX_LIST_AGE_S = 1.0

MAX_OPTION_BYTES = 200
"""Options that are longer, such as custom sets, are shown only at their table."""

TABLES_PER_LOOP_TURN = 10
"""Tables that are listed before the event loop does other work."""


class Lobby:
    """Lists the public tables, and caches the list."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._encoded: dict[str, tuple[TableState, bytes]] = {}
        """By id: a state, and its summary as JSON."""
        self._lists = SingleFlightCache[list[bytes]](max_entries=1)
        self._answers = SingleFlightCache[Payload](MAX_LISTED_TABLES)
        self._lock = asyncio.Lock()

    async def encode(self, max_tables: int) -> Payload:
        """The first tables of the list as JSON."""
        if (known := self._answers.find(max_tables, self._version)) is not None:
            return known
        async with self._lock:  # One list at a time: meanwhile others wait for a newer one.
            version = self._version
            listed = await self._lists.get("all", version, self._list_tables)
        data = b"[" + b",".join(listed[:max_tables]) + b"]"
        return await self._answers.get(max_tables, version, partial(compress_async, data))

    def clear(self) -> None:
        """Drop the list, because it may contain a name that an operator has forgotten."""
        self._encoded = {}
        self._lists.clear()
        self._answers.clear()

    async def close(self) -> None:
        await self._lists.close()
        await self._answers.close()

    @property
    def _version(self) -> tuple[int, int]:
        """Changes with each event that must be visible at once, and every `MAX_LIST_AGE_S`."""
        now = self.tables.clock.monotonic()
        return self.tables.registry.public_changes, math.floor(now / MAX_LIST_AGE_S)

    async def _list_tables(self) -> list[bytes]:
        encoded: dict[str, tuple[TableState, bytes]] = {}
        rows = await self.tables.store.lobby(MAX_LISTED_TABLES)
        for number, (id, changed) in enumerate(rows, start=1):
            live = self.tables.held(id)
            if live is None or live.state.at != changed:
                live = await self._find(id)
            # Its log knows better than its row whether it is public.
            if live is not None and is_listed(live):
                state, text = self._encoded.get(id, (None, b""))
                if state is not live.state:
                    text = msgspec.json.encode(summarise(live))
                encoded[id] = live.state, text
            if number % TABLES_PER_LOOP_TURN == 0:
                await asyncio.sleep(0)
        self._encoded = encoded
        return [text for _, text in encoded.values()]

    async def _find(self, id: str) -> LiveTable | None:
        """A table, unless it cannot be opened; raises if the database is unavailable."""
        try:
            return await self.tables.find(id)
        except Unavailable:
            raise
        except (DalapapaError, msgspec.MsgspecError):
            return None


def is_listed(live: LiveTable) -> bool:
    """Whether a table is public and can be opened."""
    return not live.closing_error and live.state.settings.visibility == "public"


def summarise(live: LiveTable) -> protocol.TableSummary:
    """A table in the list: without long options."""
    summary = encoder.summarize(live.id, live.state)
    return replace(summary, options=drop_long_options(summary.options))


def drop_long_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options that are short enough for the list."""
    return {
        name: value
        for name, value in options.items()
        if len(name) + len(msgspec.json.encode(value)) <= MAX_OPTION_BYTES
    }
