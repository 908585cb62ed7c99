"""Summaries of many tables at once, for the list of those where a browser has a seat.

Summaries are cached until their table changes. Tables that must be loaded first are limited for
each address: the client asks again for the rest.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta
from sqlalchemy import select, union_all

from ...core.errors import DalapapaError, Unavailable
from ...hosting.encoder import OwnTableSummary, SharedSummary, personalise, share_summary
from ...hosting.requests import Body
from ..single_flight import SingleFlightCache
from ..storage.schema import archive, tables
from ..tables.tables import Tables
from ..traffic.limits import TokenBucket, TokenBuckets
from .lobby import TABLES_PER_LOOP_TURN

MAX_OWN_TABLES = 500
"""In one request."""

MAX_CACHED_SUMMARIES = 5_000
"""Each takes half a kilobyte."""

LOADS_PER_SECOND, LOAD_BURST = 20, 600
"""Tables that are loaded for one address."""

ENTRIES_PER_LOAD = 500
"""So many entries of a log count as one more loaded table."""


class OwnTable(Body, frozen=True, kw_only=True):
    """A table, and the token of a seat there."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
    token: Annotated[str, Meta(max_length=64)] = ""


class OwnTables:
    """Summarises tables, and caches the summaries until the tables change."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.loads: TokenBuckets = TokenBuckets(LOADS_PER_SECOND, LOAD_BURST, tables.clock)
        self.cache: SingleFlightCache[SharedSummary] = SingleFlightCache[SharedSummary](
            MAX_CACHED_SUMMARIES
        )

    async def summarise(
        self, requests: tuple[OwnTable, ...], address: str
    ) -> list[OwnTableSummary]:
        changed = await self._read_changes([request.id for request in requests])
        bucket = self.loads.get(address)
        summaries = []
        for number, request in enumerate(requests, start=1):
            at = changed.get(request.id)
            summaries.append(
                OwnTableSummary(request.id, "removed")
                if at is None
                else await self._summarise(request, at, bucket)
            )
            if number % TABLES_PER_LOOP_TURN == 0:
                await asyncio.sleep(0)
        return summaries

    async def _read_changes(self, ids: list[str]) -> dict[str, int]:
        """When the tables that exist last changed, by id."""
        query = union_all(
            select(tables.c.id, tables.c.changed).where(tables.c.id.in_(ids)),
            select(archive.c.id, archive.c.changed).where(archive.c.id.in_(ids)),
        )
        if not ids:
            return {}
        async with self.tables.store.reading() as connection:
            return {row.id: row.changed for row in await connection.execute(query)}

    async def _summarise(self, request: OwnTable, at: int, bucket: TokenBucket) -> OwnTableSummary:
        shared = self.cache.find(request.id, at)
        if shared is None:
            live = self.tables.held(request.id)
            if live is None or live.closing_error or live.state.at != at:
                if not bucket.take():
                    return OwnTableSummary(request.id, "later")
                try:
                    live = await self.tables.find(request.id)
                except Unavailable:
                    raise
                except DalapapaError:  # Gone, closed, damaged, or of other dominoes.
                    return OwnTableSummary(request.id, "removed")
                bucket.pay(live.state.version / ENTRIES_PER_LOAD)
            shared = share_summary(live.id, live.state)
            self.cache.keep(request.id, live.state.at, shared)
        return personalise(shared, request.token)
