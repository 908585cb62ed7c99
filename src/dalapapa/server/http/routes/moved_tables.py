"""Tables that move from a device to this server and back (`docs/http-api.md`).

The log of a device is verified like a record: its rules and its seed, not who has seen the bag. So
the table gets an id that marks it, and is never listed or compared with others.
"""

from __future__ import annotations

import secrets
from typing import Annotated

import msgspec
from msgspec import Meta

from ....core.errors import IllegalMove
from ....hosting.entries import MOVED_TO_DEVICE
from ....hosting.moved import MovedTable, check_departure
from ....hosting.protocol import MOVED_PREFIX, TableSummary
from ....hosting.requests import Body
from ....hosting.state import refuse_closed
from ....hosting.tokens import hash_token
from ...tables.live import LiveTable
from ...workers.moved_tables import ReceivedTable, pack_for_device, receive_moved_table
from ...workers.replays import pack_log
from ..context import ApiCall, TablePath
from ..routing import Routes

routes: Routes = Routes("/api")

STORED_FACTOR = 2
"""How much larger a log is in the database than in JSON: ids, times and indexes."""


class TableFromDevice(Body, frozen=True, kw_only=True):
    """A table of a device, and the seats for which other people get a link.

    A worker decodes the table: a long log takes megabytes while it waits.
    """

    table: Annotated[
        msgspec.Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/MovedTable"})
    ]
    invited: Annotated[tuple[Annotated[int, Meta(ge=0, le=9)], ...], Meta(max_length=9)] = ()


class SeatInvite(msgspec.Struct):
    """The token of a seat, for the link to it."""

    seat: int
    token: str


class TableMoved(msgspec.Struct):
    """The table here, the token of the sender's seats, and those of the invited seats."""

    id: str
    token: str
    seats: tuple[int, ...]
    invites: list[SeatInvite]
    table: TableSummary


@routes.add("POST", "/moved-tables", status=201, refuses=[409])
async def move_from_device(call: ApiCall, body: TableFromDevice) -> TableMoved:
    """Continue a table of a device here; its players get new tokens."""
    creator, moved = call.tables.creator, bytes(body.table)
    await creator.check_room(call.address, STORED_FACTOR * len(moved))
    id, token = MOVED_PREFIX + secrets.token_urlsafe(12), secrets.token_urlsafe(16)
    invites = [SeatInvite(seat, secrets.token_urlsafe(16)) for seat in dict.fromkeys(body.invited)]
    guests = {one.seat: hash_token(one.token) for one in invites}
    now = call.tables.clock.now()
    data = await call.ask_quick(receive_moved_table, moved, id, hash_token(token), guests, now)
    received = msgspec.msgpack.decode(data, type=ReceivedTable)
    await creator.create_moved(received.stored, received.phase, received.log)
    return TableMoved(id, token, received.seats, invites, received.summary)


@routes.add("POST", "/tables/{id}/to-device", token=True, answer=MovedTable)
async def move_to_device(call: ApiCall, path: TablePath) -> bytes:
    """Close a table here, and return all of it: it goes on at the device of its only player.

    A finished table stays. A repeated request gets the same answer, because the first one may have
    been lost.
    """
    live = await _find_leaving(call, path.id)
    await call.services.challenges.check_leaving(live)
    check_departure(live.state, call.token)
    limits = call.tables.creator.limits
    if limits is not None and call.address is not None:
        limits.rate.check(call.address, "Too many tables move: wait a moment.")
    if live.state.phase == "playing":
        await _pack(call, live, must_verify=True)
    await call.tables.commands.move_away(live, call.token)
    return await _pack(call, live)


async def _pack(call: ApiCall, live: LiveTable, must_verify: bool = False) -> bytes:
    """The whole table, without the entry that closes it."""
    store = call.tables.store
    stored, lines = await store.load(live.id), await store.lines(live.id)
    if stored is None:
        raise refuse_closed(MOVED_TO_DEVICE)
    return await call.ask_quick(pack_for_device, stored, pack_log(live.id, lines), must_verify)


async def _find_leaving(call: ApiCall, id: str) -> LiveTable:
    """A table by its id, also if it has moved to a device."""
    try:
        return await call.tables.find(id)
    except IllegalMove as error:
        live = call.tables.held(id)
        if error.code != "moved_to_device" or live is None:
            raise
        return live
