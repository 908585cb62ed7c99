"""Online tables that move between servers, devices and files: their form and their verification.

The receiver trusts nothing. It replays the log with its seed and refuses what the rules forbid. It
cannot know whether a device has shown its player the bag, so the ids of moved tables mark them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ..bots.registry import list_own_bots
from ..core.errors import BadInput, BadOptions, DalapapaError, Forbidden, IllegalMove
from ..core.tiles import SetIdentity, check_identity
from ..games import REGISTRY, find_game
from .entries import (
    Closed,
    Forgotten,
    Hinted,
    Left,
    Resumed,
    Returned,
    Sat,
    Written,
    WrittenMove,
    read_entry,
    write_entry,
)
from .settings import Settings, check_bots, find_tiles, read_settings
from .state import MAX_ENTRIES, TableState, advance, clean_name, open_table
from .stored import StoredEntry, StoredTable
from .tokens import hash_token

OWNER = re.compile(r"[0-9a-f]{64}")

MAX_DURATION_MS = 400 * 86_400_000
"""The longest time from the beginning of a game to its last entry."""

MAX_LEVELS = 8
"""Levels of lists and objects in options and moves."""

SCALARS = (str, int, float, bool, type(None))

FROM_DEVICE = (Sat, Left, Returned, Hinted, WrittenMove, Resumed)
"""The entries with which a game may move to a server: others concern players who come and go."""

Time = Annotated[int, Meta(ge=0, lt=2**53)]


class MovedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a log, with its time."""

    at: Time
    entry: Written


class MovedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole table: its settings, its seed, its dominoes, and its log."""

    settings: Settings
    seed: Annotated[str, Meta(pattern=r"^[!-~]{1,64}$(?!\n)")]
    created: Time
    set: SetIdentity
    log: tuple[MovedEntry, ...]


def pack_table(stored: StoredTable, log: Iterable[StoredEntry]) -> MovedTable:
    """The form in which a stored table moves."""
    entries = tuple([MovedEntry(one.at, write_entry(one.entry)) for one in log])
    tiles = stored.set or find_tiles(stored.settings).identity
    return MovedTable(stored.settings, stored.seed, stored.created, tiles, entries)


def unpack_table(moved: MovedTable, id: str) -> tuple[StoredTable, list[StoredEntry]]:
    """A table and its log in the form in which they are stored."""
    stored = StoredTable(id, moved.created, moved.settings, moved.seed, moved.set)
    log = [
        StoredEntry(number, line.at, read_entry(line.entry))
        for number, line in enumerate(moved.log, start=1)
    ]
    return stored, log


def verify_table(moved: MovedTable) -> TableState:
    """The state after a replay with all checks; refuses what cannot have happened."""
    if moved.settings.game not in REGISTRY:
        raise BadOptions("Games of other packages cannot move.", "unknown_game")
    if len(moved.log) > MAX_ENTRIES:
        raise BadInput(f"A log has at most {MAX_ENTRIES} entries.", "bad_log")
    settings = read_settings(msgspec.to_builtins(moved.settings))
    check_bots(settings, list_own_bots(find_game(settings.game)))
    check_identity("This table", moved.set, find_tiles(settings).identity)
    if moved.log and not 0 <= moved.log[-1].at - moved.created <= MAX_DURATION_MS:
        raise BadInput("This game lasted longer than 400 days.", "bad_log")
    state = open_table(settings, moved.seed, moved.created)
    for number, line in enumerate(moved.log, start=1):
        try:
            state = _advance(state, line)
        except DalapapaError as error:
            raise _refuse_entry(number, str(error)) from None
        except Exception:  # A log may hold anything; the rules expect what they wrote.
            raise _refuse_entry(number, "the rules do not know this.") from None
    return state


def _advance(state: TableState, line: MovedEntry) -> TableState:
    entry = read_entry(line.entry)
    if line.at < state.at:
        raise BadInput("it happened before the one before it.", "bad_log")
    if isinstance(entry, Closed | Forgotten):
        raise BadInput("a table that was closed cannot move.", "bad_log")
    if isinstance(entry, Sat) and not OWNER.fullmatch(entry.owner):
        raise BadInput("its owner must be the hash of a token.", "bad_log")
    return advance(state, entry, line.at)


def _refuse_entry(number: int, reason: str) -> BadInput:
    return BadInput(f"Entry {number} of the log cannot have happened: {reason}", "bad_log")


def shift_times(moved: MovedTable, now: int) -> MovedTable:
    """The same table with its last entry at `now`: clocks of two machines differ, and wait."""
    ahead = now - (moved.log[-1].at if moved.log else moved.created)
    log = tuple([replace(line, at=line.at + ahead) for line in moved.log])
    return replace(moved, created=moved.created + ahead, log=log)


def prepare_for_server(moved: MovedTable, owners: Sequence[str], now: int) -> MovedTable:
    """A table of a device as a server takes it, with its last entry at `now`.

    `owners` are the hashes of the tokens of all seats. The server does not list the table publicly.
    """
    check_levels(moved.settings.options)
    log = []
    for number, line in enumerate(moved.log, start=1):
        entry = line.entry
        if isinstance(entry, WrittenMove):
            check_levels(entry.move)
        if not isinstance(entry, FROM_DEVICE):
            raise _refuse_entry(number, "a device does not do this.")
        if isinstance(entry, Sat) and entry.seat in range(len(owners)):
            entry = Sat(entry.seat, clean_name(entry.name), owners[entry.seat])
        log.append(MovedEntry(line.at, entry))
    settings = replace(moved.settings, visibility="private")
    return shift_times(replace(moved, settings=settings, log=tuple(log)), now)


def check_levels(value: object) -> None:
    """Refuse data with many levels, before anything recursive reads it."""
    inside: list[Any] = [value]
    for _ in range(MAX_LEVELS):
        lists = [one.values() if isinstance(one, dict) else one for one in inside]
        inside = [part for one in lists if not isinstance(one, SCALARS) for part in one]
        if not inside:
            return
    raise BadInput(f"Options and moves have at most {MAX_LEVELS} levels.", "bad_log")


def check_departure(state: TableState, token: str) -> None:
    """Refuse to move a table to the device of a player while other people play at it."""
    owner = hash_token(token)
    owners = {seat.owner for seat in state.seats if seat.owner is not None}
    if owner not in owners:
        raise Forbidden("This seat is not yours.", "not_your_seat")
    if owners != {owner} or any(seat.free for seat in state.seats):
        raise IllegalMove(
            "Other people play at this table: it cannot move to your device.", "others_play"
        )
    if state.game.is_installed:
        raise IllegalMove("Games of other packages cannot move.", "unknown_game")
    check_bots(state.settings, list_own_bots(state.game))
