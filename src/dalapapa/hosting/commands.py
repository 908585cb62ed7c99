"""What people ask for at an online table: who may do or see it, and the entries that follow."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Collection
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from ..core.errors import BadOptions, Conflict, Forbidden, IllegalMove
from ..games.moves import PutBack, TakeOut, TimeUp, Undo, keep_move, move_from_json
from .entries import Closed, Entry, Left, Moved, Rematched, Removed, Resumed, Returned, Sat
from .settings import Settings
from .state import MAX_ENTRIES, TableState
from .tokens import hash_token

MAX_VERSION_TO_UNDO = MAX_ENTRIES * 3 // 4
"""Version of a table after which nothing can be undone: the rest is for playing to the end."""

MAX_TIMER_DELAY_MS = 5_000
"""A timer that is ended later than this has run out while no process drove its table."""

UNDO_MOVES = (Undo, TakeOut, PutBack)


def seat_people(
    settings: Settings, host: str | None, guests: tuple[str, ...], owner: str
) -> list[Sat]:
    """The host, and guests at the same screen, take the first free seats of a new table."""
    free = [number for number, plan in enumerate(settings.seats) if plan.program is None]
    if host is None and guests:
        raise BadOptions("Guests need a host at the same screen.", "bad_seats")
    people = () if host is None else (host, *guests)
    if len(people) > len(free):
        raise BadOptions("A table cannot have more people than seats.", "bad_seats")
    return [Sat(seat, name, owner) for seat, name in zip(free, people, strict=False)]


def check_owner(own: Collection[int], seat: int) -> None:
    """Refuse what only the owner of a seat may do; `own` are the seats of the sender."""
    if seat not in own:
        raise Forbidden("This seat is not yours.", "not_your_seat")


def check_other_player(own: Collection[int], seat: int) -> None:
    """Refuse what only the other players may do; `own` are the seats of the sender."""
    if not own or seat in own:
        raise Forbidden("Only the other players can do this.", "not_your_seat")


def check_may_watch(state: TableState, own: Collection[int]) -> None:
    """Refuse strangers while only players may see the game; `own` are the seats of the sender."""
    if state.is_secret and not own:
        raise Forbidden("Only players may watch this table.", "no_spectators")


def check_begun(state: TableState) -> None:
    """Refuse what needs a game that has begun."""
    if state.game_state is None:
        raise IllegalMove("The game has not begun.", "not_begun")


def check_over(state: TableState) -> None:
    """Refuse what needs a game that is over."""
    if state.phase != "over":
        raise IllegalMove("The game is not over.", "not_over")


def list_visible_seats(state: TableState, own: tuple[int, ...]) -> tuple[int, ...]:
    """The seats whose events a viewer may see: the own ones, or all when the game is over."""
    return tuple(range(len(state.seats))) if state.phase == "over" else own


def find_mover(move: dict[str, object], own: Collection[int]) -> int:
    """The seat that a move is for: one of those of the sender."""
    player = move.get("player")
    if type(player) is not int or player not in own:
        raise Forbidden("This seat is not yours.", "not_your_seat")
    return player


def hash_move_id(player: int, nonce: str | None) -> str | None:
    """The stored form of the id of a move; each seat has its own ids."""
    return None if nonce is None else hash_token(f"{player} {nonce}")


def hash_hint_id(seat: int, id: str | None) -> str | None:
    """The stored form of the id of a request for a hint."""
    return None if id is None else hash_token(f"{seat} hint {id}")


def read_own_move(
    state: TableState, player: int, owner: str | None, move: dict[str, object], version: int | None
) -> Moved:
    """The move of a person who owned the seat when the move was sent."""
    seat = state.seats[player]
    if seat.owner != owner:
        raise Forbidden("This seat is not yours.", "not_your_seat")
    if version is not None and version != state.version:
        raise Conflict("The table has changed in the meantime.", "stale")
    if seat.away:
        raise IllegalMove("A bot plays for you: return to your seat first.", "away")
    return Moved((keep_move if state.game.is_installed else move_from_json)(move))


def make_removal(state: TableState, own: tuple[int, ...], seat: int) -> Removed:
    """The host sends a guest away before the game."""
    if state.host not in own:
        raise Forbidden("Only the host can send guests away.", "not_host")
    return Removed(seat, own[0])


def end_timer(state: TableState, now: int, attended_since: int | None) -> Moved | Resumed | None:
    """The entry for a timer that has run out, if it has.

    `attended_since`: when the first of the players who are connected came. While people play but
    none of them is connected, the timer waits; when the first of them returns, it starts again.
    The time of a race, or another one that is agreed on for the whole game, does not wait.
    """
    timer, limit = state.timer, state.time_limit
    is_next = timer is None or now < timer.deadline
    if (
        limit is not None
        and now >= limit.deadline
        and (timer is None or is_next or limit.deadline <= timer.deadline)
    ):
        return Moved(TimeUp(limit.number), "time")
    if timer is None or is_next:
        return None
    has_people = any(seat.owner is not None and not seat.away for seat in state.seats)
    if has_people and not state.game.is_race:
        if attended_since is None:
            return None
        if attended_since > timer.deadline or now > timer.deadline + MAX_TIMER_DELAY_MS:
            return Resumed(timer.number)
    return Moved(TimeUp(timer.number), "time")


def check_room(state: TableState, entry: Entry) -> None:
    """Refuse an entry for which a log has no room; undoing ends earlier than playing on."""
    if state.is_full and not isinstance(entry, Rematched | Closed):
        raise IllegalMove("The log of this table is full: you cannot move any more.", "table_full")


def check_undo_room(state: TableState, entry: Entry) -> None:
    """Refuse to undo where the rest of the log is for playing to the end."""
    if state.version >= MAX_VERSION_TO_UNDO and find_undoing_seat(state, entry) is not None:
        raise IllegalMove("This table has used up its takebacks: play on.", "too_much_undone")


def find_undoing_seat(state: TableState, entry: Entry) -> int | None:
    """The seat that undoes something by an entry, if it does."""
    if isinstance(entry, Moved):
        return entry.move.player if isinstance(entry.move, UNDO_MOVES) else None
    if isinstance(entry, Returned) or (isinstance(entry, Left) and state.game_state is None):
        return entry.seat
    return None


def list_rematch_seats(state: TableState) -> list[Sat]:
    """The players who have stayed, with their seats and tokens at the table of the rematch."""
    check_over(state)
    return [
        Sat(number, seat.name, seat.owner)
        for number, seat in enumerate(state.seats)
        if seat.name is not None and seat.owner is not None and not seat.away
    ]


def check_no_race(state: TableState) -> None:
    """Refuse to make a challenge of a race."""
    if state.game.is_race:
        raise IllegalMove("A race cannot be a challenge: race together.", "no_challenge")


def find_person(settings: Settings) -> int:
    """The only seat for a person at the table of a challenge; refuses other tables."""
    people = [seat for seat, plan in enumerate(settings.seats) if plan.program is None]
    if len(people) != 1 or len(settings.seats) < 2:
        raise IllegalMove("Only a game of one person against bots can be a challenge.", "not_alone")
    return people[0]


def anonymize_options(state: TableState, seat: int) -> dict[str, Any]:
    """The options for a challenge: where a player's name matters, its effect stays without it."""
    names = list(state.names())
    names[seat] = state.game.anonymize(names[seat], seat)
    return state.game.complete_options(state.settings.options, names)


def make_rematch_settings(state: TableState) -> Settings:
    """The same settings, except that the next player begins."""
    first = getattr(state.options, "first", None)
    if state.game.is_installed or not isinstance(first, int):
        return state.settings
    options = {**state.settings.options, "first": (first + 1) % len(state.seats)}
    return replace(state.settings, options=options)


def derive_rematch_id(id: str, seed: str) -> str:
    """The same id in every process and for every request, so that all players meet at one table.

    The seed makes it as hard to guess as any other; when a game is over, everyone who knows its
    table may know the seed, and the rematch.
    """
    mark = sha256(f"the rematch of {id} {seed}".encode()).digest()
    return urlsafe_b64encode(mark[:12]).decode()
