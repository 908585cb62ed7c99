"""What people do at a table: each command becomes a durable entry, and then a broadcast.

Every change of a table is a call of `TableCommands.act`: under the table's lock the entry is tried
on the state in memory and appended to the store; if another process was first, its entries are
read and the entry is tried again. No viewer sees anything that is not durable.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from time import perf_counter

from ...core.errors import BrokenGame, Conflict, IllegalMove, NotFound, Unavailable
from ...hosting.commands import (
    check_other_player,
    check_owner,
    check_room,
    derive_rematch_id,
    end_timer,
    find_mover,
    hash_hint_id,
    hash_move_id,
    list_rematch_seats,
    make_rematch_settings,
    make_removal,
    read_own_move,
)
from ...hosting.entries import (
    MOVED_TO_DEVICE,
    Closed,
    Entry,
    Hinted,
    HintQuestion,
    Left,
    Moved,
    Rematched,
    Returned,
    Sat,
)
from ...hosting.moved import check_departure
from ...hosting.state import TableState, advance, check_hint, clean_name
from ...hosting.stored import StoredEntry
from ...hosting.tokens import hash_token
from ..monitoring import metrics
from .creation import TableCreator
from .live import LiveTable
from .registry import TableRegistry

MOVE_SECONDS = metrics.MOVE_SECONDS.get_series()


class TableCommands:
    """Carries out what people ask for at tables."""

    def __init__(
        self,
        registry: TableRegistry,
        creator: TableCreator,
        refresh_soon: Callable[[LiveTable], None],
    ) -> None:
        self.registry = registry
        self.store = registry.store
        self.packages = registry.packages
        self.creator = creator
        self.refresh_soon = refresh_soon
        """Schedules reading a table whose log may have grown."""
        self.move_count: int = 0

    async def act(
        self,
        live: LiveTable,
        make_entry: Callable[[TableState], Entry],
        move_id: str | None = None,
    ) -> int:
        """Make an entry durable and send the new state to all viewers; the new version.

        `make_entry` gets the present state and may refuse. An entry whose hashed `move_id` is
        known is not made again. A table whose game fails is closed; all others go on.
        """
        lock = live.lock
        await lock.acquire()  # Without a context: that would cost two more calls for each move.
        try:
            return await self._act(live, make_entry, move_id)
        except BrokenGame as error:
            self.registry.close_broken(live, error)
            raise
        finally:
            lock.release()

    async def _act(
        self, live: LiveTable, make_entry: Callable[[TableState], Entry], move_id: str | None
    ) -> int:
        registry = self.registry
        while True:
            if move_id is not None and move_id in live.recent_move_ids:
                return live.recent_move_ids[move_id]
            state = live.state
            entry = make_entry(state)
            check_room(state, entry)
            at = max(live.time.now(), state.at)
            if state.game.is_installed:
                after = await self.packages.advance(state, entry, at)
            else:
                after = advance(state, entry, at)
            live.undo_limit.check(state, entry)
            stored = StoredEntry(after.version, at, entry, move_id)
            phase = after.phase
            try:
                if await self.store.append(live.id, stored, phase):
                    break
            except (Unavailable, asyncio.CancelledError):  # It may be durable all the same.
                self.refresh_soon(live)
                raise
            except NotFound as error:
                if await self.store.revive(live.id):  # It was in the archive.
                    continue
                registry.drop(live, error)
                raise
            await registry.catch_up(live)
        live.apply_entry(stored, after, made_here=True)
        registry.cache.note_change(live)
        is_move = isinstance(entry, Moved)
        self.move_count += is_move
        if not is_move or phase != "playing":
            registry.note_public_change(live)
        registry.broadcast(live)
        registry.drive(live)
        return stored.number

    async def sit(self, live: LiveTable, seat: int, name: str) -> str:
        """Take a free seat; the token that owns it from now on."""
        token = secrets.token_urlsafe(16)
        await self.act(live, lambda _: Sat(seat, clean_name(name), hash_token(token)))
        return token

    async def leave(self, live: LiveTable, seat: int, token: str) -> int:
        """Leave one of your seats."""
        return await self._act_as_owner(live, token, Left(seat))

    async def come_back(self, live: LiveTable, seat: int, token: str) -> int:
        """Take back a seat that you left."""
        return await self._act_as_owner(live, token, Returned(seat))

    async def replace_absent(self, live: LiveTable, seat: int, token: str) -> int:
        """Let a bot play for another player, absent for as long as was agreed on."""

        def make_entry(state: TableState) -> Entry:
            own = live.seats_of(token)
            check_other_player(own, seat)
            if seat not in range(len(state.seats)):
                raise NotFound("There is no such seat at this table.", "unknown_seat")
            now = live.time.now()
            live.presence.update(now)
            due = live.presence.replaceable_at(state, live.waits, seat)
            if due is None or now < due:
                raise IllegalMove("This player still has time.", "not_absent")
            return Left(seat, own[0])

        return await self.act(live, make_entry)

    async def remove(self, live: LiveTable, seat: int, token: str) -> int:
        """Send a guest away before the game; only the host may."""

        def make_entry(state: TableState) -> Entry:
            return make_removal(state, live.seats_of(token), seat)

        return await self.act(live, make_entry)

    def check_hint(self, live: LiveTable, seat: int, token: str) -> None:
        """Refuse a hint before the solver has worked for it."""
        check_owner(live.seats_of(token), seat)
        check_hint(live.state, seat, live.time.now())

    async def hint(
        self, live: LiveTable, seat: int, token: str, question: HintQuestion, nonce: str | None
    ) -> int:
        """Record that the solver has helped, before its answer is sent: all players see it."""
        entry = Hinted(seat, question)
        return await self._act_as_owner(live, token, entry, hash_hint_id(seat, nonce))

    async def _act_as_owner(
        self,
        live: LiveTable,
        token: str,
        entry: Left | Returned | Hinted,
        move_id: str | None = None,
    ) -> int:
        def make_entry(_: TableState) -> Entry:
            # Under the lock: before the game, the seat may have got another owner meanwhile.
            check_owner(live.seats_of(token), entry.seat)
            return entry

        return await self.act(live, make_entry, move_id)

    async def move(
        self,
        live: LiveTable,
        seats: tuple[int, ...],
        move: dict[str, object],
        version: int | None = None,
        nonce: str | None = None,
    ) -> int:
        """Make a move for one of the seats that the sender owns; each seat has its own nonces."""
        began = perf_counter()
        player = find_mover(move, seats)
        owner = live.state.seats[player].owner
        move_id = hash_move_id(player, nonce)
        if live.state.next_timer() is not None and (
            move_id is None or move_id not in live.recent_move_ids
        ):
            with contextlib.suppress(IllegalMove):  # Another task has ended it, too.
                await self.end_timer(live, live.state)

        def make_entry(state: TableState) -> Entry:
            live.presence.note_request(live.time.now())
            return read_own_move(state, player, owner, move, version)

        made = await self.act(live, make_entry, move_id)
        MOVE_SECONDS.observe(perf_counter() - began)
        return made

    async def end_timer(self, live: LiveTable, state: TableState) -> bool:
        """End or restart a timer that has run out before anything else; whether it was done."""
        now, timer = live.time.now(), state.next_timer()
        if timer is None or now < timer.deadline:
            return False
        live.presence.update(now)
        presence = live.presence
        attended = presence.asked_at if presence.attended_since is None else presence.attended_since
        entry = end_timer(state, now, attended)
        if entry is None:
            return False
        await self.act(live, lambda _: entry)
        return True

    async def move_away(self, live: LiveTable, token: str) -> None:
        """Close a table that goes on at the device of its player; a finished one stays."""

        def make_entry(state: TableState) -> Entry:
            check_departure(state, token)
            if state.phase != "playing":
                raise Conflict("The table has changed in the meantime.", "stale")
            return Closed(MOVED_TO_DEVICE)

        if live.state.phase == "playing":
            await self.act(live, make_entry)
        check_departure(live.state, token)

    async def rematch(self, live: LiveTable, address: str | None = None) -> LiveTable:
        """A new table with the same settings, where players who stayed have their seats and tokens.

        It counts as a new table of the address that asks first.
        """
        seated = list_rematch_seats(live.state)
        if live.state.rematch is None:
            again = await self.creator.create_seated(
                make_rematch_settings(live.state),
                seated,
                address,
                derive_rematch_id(live.id, live.state.seed),
            )
            with contextlib.suppress(IllegalMove):  # Another player was quicker.
                await self.act(live, lambda _: Rematched(again.id))
        assert live.state.rematch is not None
        return await self.registry.find(live.state.rematch)
