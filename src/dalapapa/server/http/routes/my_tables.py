"""Many tables at once, for the list of those where a browser has a seat.

However many there are, they are one request and one look into the database. What is said of a table
is kept until it changes, so that a list which is asked for again costs next to nothing; what has to
be played through first is bounded for each address, and the rest comes when it is asked for again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from sqlalchemy import select, union_all

from ....core.errors import DalapapaError, Unavailable
from ....hosting.encoder import summarize
from ....hosting.log import TableState
from ....hosting.protocol import SeatSummary
from ...schemas import Body
from ...storage.store import archive, tables
from ...tables.live import LiveTable
from ...tables.tables import Tables
from ...tables.tokens import find_seats, hash_token
from ...traffic.limits import TokenBucket, TokenBuckets
from ..context import Call
from ..routing import Routes

routes = Routes("/api")

MOST = 500
"""Tables of one request."""

KEPT = 5_000
"""Tables of which it is kept what is said: half a kilobyte each."""

LOADS_A_SECOND, LOADS_AT_ONCE = 20, 600
"""Tables that are played through for one address, in the long run and at once."""

LONG = 500
"""Entries that count as one more table to play through."""

AT_ONCE = 10
"""Tables that are looked at before others have their turn."""


class OwnTable(Body, frozen=True, kw_only=True):
    """A table, and the token of one's seat there."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
    token: Annotated[str, Meta(max_length=64)] = ""


class OwnTables(Body, frozen=True, kw_only=True):
    """Which tables."""

    tables: Annotated[tuple[OwnTable, ...], Meta(max_length=MOST)]


class OwnTold(msgspec.Struct, omit_defaults=True):
    """A table as a list of one's own tables shows it.

    `removed`: it cannot be opened any more. `later`: this server has too much to do; ask again.
    """

    id: str
    state: Literal["here", "removed", "later"]
    game: str | UnsetType = UNSET
    phase: Literal["waiting", "playing", "over"] | UnsetType = UNSET
    seats: list[SeatSummary] | UnsetType = UNSET
    yours: tuple[int, ...] | UnsetType = UNSET
    """The seats that the token owns."""
    asked: tuple[int, ...] | UnsetType = UNSET
    """The seats for which the game waits."""
    winners: tuple[int, ...] | UnsetType = UNSET
    """Once it is over."""
    changed: int | UnsetType = UNSET
    """When something last happened there."""
    deadline: int | UnsetType | None = UNSET
    """When the time of a player is up."""


class Glance(msgspec.Struct, frozen=True):
    """What is said of a table, with what decides what its asker may know."""

    at: int
    told: OwnTold
    owners: tuple[str | None, ...]
    secret: bool
    """Nobody but players may watch."""


class Glances:
    """What is said of tables in lists, kept until they change."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.loads = TokenBuckets(LOADS_A_SECOND, LOADS_AT_ONCE, tables.clock)
        self._kept: OrderedDict[str, Glance] = OrderedDict()

    def clear(self) -> None:
        """Drop what is kept, because it may contain a name that was forgotten."""
        self._kept.clear()

    async def told(self, asked: tuple[OwnTable, ...], address: str) -> list[OwnTold]:
        """Tables, in the order in which they were asked for."""
        changed = await self._changed([one.id for one in asked])
        bucket = self.loads.of(address)
        answer = []
        for number, one in enumerate(asked, start=1):
            at = changed.get(one.id)
            answer.append(
                OwnTold(one.id, "removed") if at is None else await self._one(one, at, bucket)
            )
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
        return answer

    async def _changed(self, ids: list[str]) -> dict[str, int]:
        """When tables were last changed; those that are not there are left out."""
        wanted = union_all(
            select(tables.c.id, tables.c.changed).where(tables.c.id.in_(ids)),
            select(archive.c.id, archive.c.changed).where(archive.c.id.in_(ids)),
        )
        if not ids:
            return {}
        async with self.tables.store.reading() as connection:
            return {row.id: row.changed for row in await connection.execute(wanted)}

    async def _one(self, asked: OwnTable, at: int, bucket: TokenBucket) -> OwnTold:
        glance = self._kept.get(asked.id)
        if glance is None or glance.at != at:
            live = self.tables.held(asked.id)
            if live is None or live.closing_error or live.state.at != at:
                if not bucket.take():
                    return OwnTold(asked.id, "later")
                try:
                    live = await self.tables.find(asked.id)
                except Unavailable:
                    raise
                except DalapapaError:  # Gone, closed, damaged, or of other dominoes.
                    return OwnTold(asked.id, "removed")
                bucket.pay(live.state.version / LONG)
            glance = self._kept[asked.id] = _glance(live)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(asked.id)
        return _for_owner(glance, asked.token)


def _glance(live: LiveTable) -> Glance:
    state = live.state
    told = summarize(live.id, state)
    outcome = None if state.game_state is None else state.game.outcome(state.game_state)
    return Glance(
        state.at,
        OwnTold(
            live.id, "here", told.game, told.phase, told.seats, (), _asked(state),
            UNSET if outcome is None else outcome.winners, state.at, state.deadline(),
        ),
        tuple([seat.owner for seat in state.seats]),
        state.settings.spectators == "none" and state.phase != "over",
    )  # fmt: skip


def _asked(state: TableState) -> tuple[int, ...]:
    return tuple(state.game.asked(state.game_state)) if state.phase == "playing" else ()


def _for_owner(glance: Glance, token: str) -> OwnTold:
    yours = find_seats(glance.owners, hash_token(token))
    asked = () if glance.secret and not yours else glance.told.asked
    return msgspec.structs.replace(glance.told, yours=yours, asked=asked)


@routes.add("POST", "/own-tables")
async def own_tables(call: Call, body: OwnTables) -> list[OwnTold]:
    """Many tables at once, each with the token of a seat: what happens there, whose turn it is."""
    return await call.services.glances.told(body.tables, call.address)
