"""Tables that move from a device to this server and back (`docs/http-api.md`).

The log of a device is verified like a record: its rules and its seed, not who has seen the bag. So
the table gets an id that marks it, and is never listed or compared with others.
"""

from __future__ import annotations

import secrets
from typing import Annotated

import msgspec
from msgspec import Meta

from ....core.errors import BadOptions, IllegalMove
from ....hosting import encoder
from ....hosting.entries import MOVED_TO_DEVICE, Closed
from ....hosting.moved import MovedTable, check_departure, pack_table, prepare_for_server
from ....hosting.protocol import TableSummary
from ....hosting.requests import Body
from ....hosting.state import refuse_closed
from ....hosting.tokens import hash_token
from ...tables.live import LiveTable
from ...workers.replays import verify_moved_table
from ..context import ApiCall, TablePath
from ..routing import Routes

routes: Routes = Routes("/api")

ENTRY_BYTES = 100
"""The size of a stored entry without its content: ids, times and indexes."""


class TableFromDevice(Body, frozen=True, kw_only=True):
    """A table of a device, and the seats for which other people get a link."""

    table: MovedTable
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
    creator, moved = call.tables.creator, body.table
    token = secrets.token_urlsafe(16)
    people = {seat for seat, plan in enumerate(moved.settings.seats) if plan.program is None}
    invites = [SeatInvite(seat, secrets.token_urlsafe(16)) for seat in dict.fromkeys(body.invited)]
    if not {one.seat for one in invites} < people:
        raise BadOptions("Invite to seats of people, and keep one of them.", "bad_seats")
    owners = [hash_token(token)] * len(moved.settings.seats)
    for invite in invites:
        owners[invite.seat] = hash_token(invite.token)
    log_bytes = len(msgspec.json.encode(moved.log)) + ENTRY_BYTES * len(moved.log)
    await creator.check_room(moved.settings, call.address, log_bytes)
    prepared = prepare_for_server(moved, owners, call.tables.clock.now())
    phase = (await call.ask_quick(verify_moved_table, prepared)).decode()
    if phase == "waiting":
        raise IllegalMove("The game has not begun: some seats are still free.", "not_begun")
    live = await creator.create_moved(prepared, phase)
    summary = encoder.summarize(live.id, live.state)
    return TableMoved(live.id, token, live.seats_of(token), invites, summary)


@routes.add("POST", "/tables/{id}/to-device", token=True)
async def move_to_device(call: ApiCall, path: TablePath) -> MovedTable:
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
    if live.state.phase == "playing":  # What a device would refuse must not close here.
        await call.ask_quick(verify_moved_table, await _pack(call, live))
    await call.tables.commands.move_away(live, call.token)
    return await _pack(call, live)


async def _pack(call: ApiCall, live: LiveTable) -> MovedTable:
    """The whole table, without the entry that closes it."""
    store = call.tables.store
    stored, log = await store.load(live.id), await store.log(live.id)
    if stored is None:
        raise refuse_closed(MOVED_TO_DEVICE)
    return pack_table(stored, [one for one in log if not isinstance(one.entry, Closed)])


async def _find_leaving(call: ApiCall, id: str) -> LiveTable:
    """A table by its id, also if it has moved to a device."""
    try:
        return await call.tables.find(id)
    except IllegalMove as error:
        live = call.tables.held(id)
        if error.code != "moved_to_device" or live is None:
            raise
        return live
