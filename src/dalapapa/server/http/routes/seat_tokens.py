"""A new token for a seat: the old one, and every link with it, is worth nothing any more.

The log of the table notes it (`Renewed`), so that all processes and sockets know it at once, and
what belongs to the old token elsewhere moves on: turn notifications, an attempt at a challenge, and
the rematches that follow. The browser makes the new token up and keeps it before it asks: should
the answer get lost, it asks again and has lost nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update

from ....core.errors import BadInput, Conflict, Forbidden, NotFound
from ....hosting.entries import Entry, Renewed
from ....hosting.state import TableState
from ...notify.subscriptions import mark_of
from ...schemas import Body
from ...storage.schema import attempts, subscribers
from ...tables.challenges import TOKEN
from ...tables.live import LiveTable
from ...tables.tables import Tables
from ...tables.tokens import hash_token
from ...traffic.limits import TokenBuckets
from ..common import SeatPath
from ..context import Call
from ..routing import Routes

routes = Routes("/api")

MAX_REMATCHES = 20
"""Rematches of a table where the token is replaced as well."""


class NewToken(Body, frozen=True, kw_only=True):
    """The token that replaces the one in the header; null: the server makes one up."""

    new: str | None = None


class TokenRenewed(msgspec.Struct):
    """The token that owns the seat from now on, and the tables where it does: rematches, too."""

    id: str
    seat: int
    token: str
    tables: list[str]


class SeatTokens:
    """Replaces the tokens of seats."""

    def __init__(self, tables: Tables, renewals: TokenBuckets) -> None:
        self.tables = tables
        self.renewals = renewals

    async def renew(self, live: LiveTable, seat: int, token: str, new: str) -> list[str]:
        """Replace the token of a seat, here and at the rematches; the ids of these tables."""
        done: list[str] = []
        await self._renew(live, seat, token, new)
        while len(done) < MAX_REMATCHES:
            done.append(live.id)
            if live.state.rematch is None:
                break
            try:
                live = await self.tables.find(live.state.rematch)
            except NotFound:
                break
            theirs = live.seats_of(token) or live.seats_of(new)
            if not theirs:
                break
            await self._renew(live, theirs[0], token, new)
        return done

    async def _renew(self, live: LiveTable, seat: int, token: str, new: str) -> None:
        notices = await self._notices(live.id, hash_token(token))
        if seat not in live.seats_of(new):  # Else the answer was lost: asked again.

            def make(_: TableState) -> Entry:
                if seat not in live.seats_of(token):
                    raise Forbidden("This seat is not yours.", "not_your_seat")
                if live.seats_of(new):
                    raise Conflict(
                        "This token owns another seat here: take a new one.", "bad_token"
                    )
                self.renewals.check(live.id, "Too many new tokens at this table: wait a moment.")
                return Renewed(seat, hash_token(new))

            await self.tables.commands.act(live, make)
        await self._move(live.id, hash_token(token), hash_token(new), notices)

    async def _notices(self, table: str, owner: str) -> list[dict[str, Any]]:
        wanted = select(subscribers).where(
            subscribers.c.table_id == table, subscribers.c.owner == owner
        )
        async with self.tables.store.reading() as connection:
            return [dict(row._mapping) for row in await connection.execute(wanted)]

    async def _move(
        self, table: str, owner: str, new: str, notices: Sequence[dict[str, Any]]
    ) -> None:
        """Give the new owner what the old one had at a table.

        Notifications were read before: of an owner without a seat they may be deleted meanwhile.
        """
        async with self.tables.store.writing() as connection:
            for row in notices:
                address = row["address"] if row["kind"] == "push" else ""
                row |= {"owner": new, "mark": mark_of(row["kind"], table, new, address)}
                await connection.execute(delete(subscribers).where(subscribers.c.id == row["id"]))
                await connection.execute(insert(subscribers).values(row))
            own = attempts.c.table_id == table, attempts.c.owner == owner
            challenge = await connection.scalar(select(attempts.c.challenge).where(*own))
            other = attempts.c.challenge == challenge, attempts.c.owner == new
            taken = await connection.scalar(select(attempts.c.table_id).where(*other))
            if challenge is not None and taken is None:
                await connection.execute(update(attempts).where(*own).values(owner=new))


@routes.add("POST", "/tables/{id}/seats/{seat}/token", token=True)
async def renew(call: Call, path: SeatPath, body: NewToken) -> TokenRenewed:
    """Replace the token of your seat: links with the old one do not open the seat any more."""
    new = secrets.token_urlsafe(16) if body.new is None else body.new
    if not TOKEN.fullmatch(new) or new == call.token:
        raise BadInput("A new token has 16 to 64 letters, and is not the old one.", "bad_token")
    live = await call.tables.find(path.id)
    seat_tokens = SeatTokens(call.tables, call.services.token_renewals)
    tables = await seat_tokens.renew(live, path.seat, call.token, new)
    return TokenRenewed(path.id, path.seat, new, tables)
