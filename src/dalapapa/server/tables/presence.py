"""Presence at one table: which seats are connected, in this process and in others.

A seat is `here` while a socket that owns it is open, `away` when there has been none for a while,
and `left` when its player has left the game and a bot plays. None of it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from ...hosting.protocol import PresenceMessage, SeatPresence
from ...hosting.state import TableState
from ..traffic.limits import TokenBucket

GRACE_MS = 10_000
"""Time without a socket that does not count as absence: a page is reloaded, a train is in a
tunnel."""


class Guest(Protocol):
    """An open socket at a table."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that it owns; a spectator owns none."""

    def on_presence(self, message: bytes) -> None:
        """Handle the presence of the table. Must not wait."""

    def on_reaction(self, message: bytes) -> None:
        """Handle a greeting or a reminder. Must not wait."""


class Occupancy(msgspec.Struct, frozen=True):
    """The seats and spectators of a table that are connected to one process."""

    seats: tuple[int, ...] = ()
    spectators: int = 0


NO_OCCUPANCY = Occupancy()


class TablePresence:
    """The presence at one table: the sockets of this process, and the occupancy of others."""

    def __init__(self, now: int) -> None:
        self.guests: set[Guest] = set()
        self.elsewhere: dict[str, Occupancy] = {}
        """By process."""
        self.here: frozenset[int] = frozenset()
        self.attended_since: int | None = None
        """When the first of the players who are connected came."""
        self.asked_at: int | None = None
        """When a player without a socket made the last move."""
        self.began: int = now
        """Earlier absences are unknown."""
        self.left: dict[int, int] = {}
        """When the last socket of a seat was closed."""
        self.published: Occupancy | None = None
        """The occupancy that was last sent to other processes."""
        self.complete_seats: object = None
        """The seats at the last look, if all players were connected: no move changes that."""
        self.greeting_limits: dict[int, TokenBucket] = {}
        self.reminded_at: dict[int, int] = {}

    def shift(self, milliseconds: int) -> None:
        """Move all times, because the table's time has jumped: durations stay as they were."""
        self.began += milliseconds
        if self.attended_since is not None:
            self.attended_since += milliseconds
        if self.asked_at is not None:
            self.asked_at += milliseconds
        for times in (self.left, self.reminded_at):
            for seat in times:
                times[seat] += milliseconds

    def enter(self, guest: Guest, now: int) -> None:
        """Add an open socket."""
        self.guests.add(guest)
        if guest.seats and self.attended_since is None:
            self.attended_since = now

    def note_request(self, now: int) -> None:
        """Note a move over HTTP: its player is at the table without a socket."""
        if not any(guest.seats for guest in self.guests):
            self.asked_at = now

    def own_occupancy(self) -> Occupancy:
        """The occupancy of this process."""
        seats = {seat for guest in self.guests for seat in guest.seats}
        return Occupancy(tuple(sorted(seats)), sum(not guest.seats for guest in self.guests))

    def update(self, now: int) -> None:
        """Note which seats have connected and disconnected."""
        own = self.own_occupancy()
        here = frozenset(own.seats).union(*(other.seats for other in self.elsewhere.values()))
        for seat in self.here - here:
            self.left[seat] = now
        for seat in here:
            self.left.pop(seat, None)
        self.here = here
        if not here:
            self.attended_since = None
        elif self.attended_since is None:
            self.attended_since = now

    @property
    def spectators(self) -> int:
        others = sum(other.spectators for other in self.elsewhere.values())
        return self.own_occupancy().spectators + others

    def absent_since(self, seat: int) -> int | None:
        """Since when a seat has no socket; None if it has one."""
        return None if seat in self.here else self.left.get(seat, self.began)

    def is_away(self, seat: int, now: int) -> bool:
        """Whether a seat has had no socket for longer than a break of the connection."""
        since = self.absent_since(seat)
        return since is not None and now >= since + GRACE_MS

    def replaceable_at(self, state: TableState, waits: dict[int, int], seat: int) -> int | None:
        """When the others may let a bot play for an absent player; None: not as things are."""
        since = self.absent_since(seat)
        player = state.seats[seat]
        if not (state.settings.absence and state.accepts_moves and seat in waits) or since is None:
            return None
        if player.owner is None or player.away:
            return None
        return max(since, waits[seat]) + 1000 * state.settings.absence

    def describe(self, state: TableState, waits: dict[int, int], now: int) -> PresenceMessage:
        """The presence as all viewers may see it."""
        seats = []
        for number, seat in enumerate(state.seats):
            if seat.owner is None:
                seats.append(SeatPresence(None))
            elif seat.away:
                seats.append(SeatPresence("left"))
            elif self.is_away(number, now):
                replace = self.replaceable_at(state, waits, number)
                seats.append(SeatPresence("away", self.absent_since(number), replace))
            else:
                seats.append(SeatPresence("here"))
        return PresenceMessage(seats, self.spectators)

    def next_absence(self, seats: Iterable[int], now: int) -> int | None:
        """When the next short break of a connection becomes an absence."""
        times = [
            since + GRACE_MS for seat in seats if (since := self.absent_since(seat)) is not None
        ]
        return min((time for time in times if time > now), default=None)
