"""New tokens for seats: the old token, and every link with it, becomes invalid.

The log of the table has an entry for it (`Renewed`), which all processes and sockets receive. Turn
notifications, an attempt at a challenge, and rematches move to the new token. The browser chooses
the new token and stores it first, so that it can repeat the request if the answer is lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update

from ....core.errors import BadInput, Conflict, Forbidden, NotFound
from ....hosting.entries import Entry, Renewed
from ....hosting.requests import Body
from ....hosting.state import TableState
from ....hosting.tokens import hash_token
from ...notify.subscriptions import make_mark
from ...storage.schema import attempts, subscribers
from ...storage.store import Store
from ...tables.challenges import TOKEN
from ...tables.live import LiveTable
from ..context import ApiCall, SeatPath
from ..routing import Routes

routes: Routes = Routes("/api")

MAX_REMATCHES = 20
"""Later rematches in which the token is replaced as well."""


class NewToken(Body, frozen=True, kw_only=True):
    """The token that replaces the one in the header; null: the server chooses one."""

    new: str | None = None


class TokenRenewed(msgspec.Struct):
    """The new token of the seat, and all tables where it is valid, with rematches."""

    id: str
    seat: int
    token: str
    tables: list[str]


async def renew_everywhere(
    call: ApiCall, live: LiveTable, seat: int, token: str, new: str
) -> list[str]:
    """Replace the token of a seat here and at rematches; return the ids of the tables."""
    renewed: list[str] = []
    await _renew(call, live, seat, token, new)
    while len(renewed) < MAX_REMATCHES:
        renewed.append(live.id)
        if live.state.rematch is None:
            break
        try:
            live = await call.tables.find(live.state.rematch)
        except NotFound:
            break
        seats = live.seats_of(token) or live.seats_of(new)
        if not seats:
            break
        await _renew(call, live, seats[0], token, new)
    return renewed


async def _renew(call: ApiCall, live: LiveTable, seat: int, token: str, new: str) -> None:
    own = subscribers.c.table_id == live.id, subscribers.c.owner == hash_token(token)
    async with call.tables.store.reading() as connection:
        found = await connection.execute(select(subscribers).where(*own))
        subscriptions = [dict(row._mapping) for row in found]
    if seat not in live.seats_of(new):  # Otherwise the client repeats a request.

        def make(_: TableState) -> Entry:
            if seat not in live.seats_of(token):
                raise Forbidden("This seat is not yours.", "not_your_seat")
            if live.seats_of(new):
                raise Conflict(
                    "This token already owns another seat of this table: send a new one.",
                    "bad_token",
                )
            renewals = call.services.token_renewals
            renewals.check(live.id, "Too many new tokens at this table: wait a moment.")
            return Renewed(seat, hash_token(new))

        await call.tables.commands.act(live, make)
    await _move(call.tables.store, live.id, hash_token(token), hash_token(new), subscriptions)


async def _move(
    store: Store, table: str, owner: str, new: str, subscriptions: Sequence[dict[str, Any]]
) -> None:
    """Move subscriptions and an attempt at a challenge to the new owner.

    The subscriptions were read before, because those of an owner without a seat may be deleted
    meanwhile.
    """
    async with store.writing() as connection:
        for row in subscriptions:
            row |= {"owner": new, "mark": make_mark(row["kind"], table, new, row["address"])}
            await connection.execute(delete(subscribers).where(subscribers.c.id == row["id"]))
            await connection.execute(insert(subscribers).values(row))
        own = attempts.c.table_id == table, attempts.c.owner == owner
        challenge = await connection.scalar(select(attempts.c.challenge).where(*own))
        other = attempts.c.challenge == challenge, attempts.c.owner == new
        taken = await connection.scalar(select(attempts.c.table_id).where(*other))
        if challenge is not None and taken is None:
            await connection.execute(update(attempts).where(*own).values(owner=new))


@routes.add("POST", "/tables/{id}/seats/{seat}/token", token=True)
async def renew(call: ApiCall, path: SeatPath, body: NewToken) -> TokenRenewed:
    """Replace the token of your seat: links with the old token no longer open the seat."""
    new = secrets.token_urlsafe(16) if body.new is None else body.new
    if not TOKEN.fullmatch(new) or new == call.token:
        raise BadInput(
            "A new token must have 16 to 64 characters and differ from the old one.", "bad_token"
        )
    live = await call.tables.find(path.id)
    tables = await renew_everywhere(call, live, path.seat, call.token, new)
    return TokenRenewed(path.id, path.seat, new, tables)
