"""Which entries of a log name a person who wants to be forgotten (`dalapapa admin forget`)."""

from __future__ import annotations

from collections.abc import Sequence

from ..games.game import AnyGame
from .log import NOBODY, Entry, Renewed, Sat, nameless
from .store import StoredEntry


def forget_entries(game: AnyGame, log: Sequence[StoredEntry], owner: str) -> dict[int, Entry]:
    """The entries that gave seats to an owner, by number, without the person.

    A seat whose token was replaced belongs to its last one, with all entries before.
    """
    owners: dict[int, str] = {}
    """Of each seat, so far."""
    given: dict[int, list[StoredEntry]] = {}
    """The entries that gave it to its owner."""
    found: dict[int, Entry] = {}

    def note(seat: int) -> None:
        for one in given.get(seat, ()) if owners.get(seat) == owner else ():
            if isinstance(one.entry, Sat):
                found[one.number] = nameless(game, one.entry)
            elif isinstance(one.entry, Renewed):
                found[one.number] = Renewed(one.entry.seat, NOBODY)

    for one in log:
        if isinstance(one.entry, Sat):
            note(one.entry.seat)
            owners[one.entry.seat], given[one.entry.seat] = one.entry.owner, [one]
        elif isinstance(one.entry, Renewed):
            before = owners.get(one.entry.seat)
            for seat in [seat for seat, known in owners.items() if known == before]:
                owners[seat] = one.entry.owner
                given[seat].append(one)
    for seat in owners:
        note(seat)
    return found
