"""The lobby: public tables that wait for players or play, kept up to date for all who look.

What is told of a table is written when it changes, not when somebody asks. Whoever sits down,
leaves, begins or ends a game here is seen at once; moves, and what other processes do, within a
second.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from msgspec.structs import replace

from ....core.errors import DalapapaError, Unavailable
from ....hosting import encoder, protocol
from ...tables.live import LiveTable
from ...tables.tables import Tables
from ..compression import Packed, pack, seen

MOST = 100
"""Tables that are listed."""

SECONDS = 1.0
"""How old a list may be."""

MAX_OPTION = 200
"""Bytes of an option that is listed: a custom set is given at its table."""

AT_ONCE = 10
"""Tables that are written before others have their turn."""


class Lobby:
    """The list, and what was written of each table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._written: dict[str, tuple[object, bytes]] = {}
        """By id: the state it was written for, and what is said about it."""
        self._listed: list[bytes] = []
        self._answers: dict[int, Packed] = {}
        self._at = -SECONDS
        self._seen = -1
        self._making: asyncio.Task[None] | None = None

    async def told(self, most: int) -> Packed:
        """The first tables of the list."""
        while not self._fresh:
            if self._making is None or self._making.done():
                self._making = asyncio.create_task(self._make())
                self._making.add_done_callback(seen)
            await asyncio.shield(self._making)
        if (answer := self._answers.get(most)) is None:
            answer = await pack(b"[" + b",".join(self._listed[:most]) + b"]")
            self._answers[most] = answer
        return answer

    def clear(self) -> None:
        """Drop the list, because it may contain a name that was forgotten."""
        self._written, self._listed, self._answers = {}, [], {}
        self._at = -SECONDS

    async def close(self) -> None:
        """Make no more lists."""
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)

    @property
    def _fresh(self) -> bool:
        age = self.tables.clock.monotonic() - self._at
        return age < SECONDS and self._seen == self.tables.registry.public_changes

    async def _make(self) -> None:
        begun, changes = self.tables.clock.monotonic(), self.tables.registry.public_changes
        written: dict[str, tuple[object, bytes]] = {}
        for number, (id, changed) in enumerate(await self.tables.store.lobby(MOST), start=1):
            live = self.tables.held(id)
            if live is None or live.state.at != changed:
                live = await self._found(id)
            # Its log knows better than its row whether it is public.
            if (
                live is not None
                and not live.closing_error
                and live.state.settings.visibility == "public"
            ):
                state, text = self._written.get(id, (None, b""))
                if state is not live.state:
                    text = msgspec.json.encode(listed(live))
                written[id] = live.state, text
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
        self._written = written
        self._listed = [text for _, text in written.values()]
        self._answers = {}
        self._at, self._seen = begun, changes

    async def _found(self, id: str) -> LiveTable | None:
        """A table, unless it cannot be opened; a database that is away is reported."""
        try:
            return await self.tables.find(id)
        except Unavailable:
            raise
        except (DalapapaError, msgspec.MsgspecError):
            return None


def listed(live: LiveTable) -> protocol.TableSummary:
    """A table in the list: without options that are long."""
    told = encoder.summarize(live.id, live.state)
    return replace(told, options=short(told.options))


def short(options: dict[str, Any]) -> dict[str, Any]:
    """Options without long ones."""
    return {
        name: value
        for name, value in options.items()
        if len(name) + len(msgspec.json.encode(value)) <= MAX_OPTION
    }
