"""Which entries of a log name a person who wants to be forgotten (`dalapapa admin forget`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...hosting.log import NOBODY, Entry, Renewed, Sat, Written


def forget_entries(
    log: Mapping[int, Written], owner: str, rename: Callable[[Sat], Sat]
) -> dict[int, Entry]:
    """The entries that gave seats to an owner, by number, without the person.

    A seat whose token was replaced belongs to its last one, with all entries before.
    """
    owners: dict[int, str] = {}
    """Of each seat, so far."""
    given: dict[int, list[tuple[int, Sat | Renewed]]] = {}
    """The entries that gave it to its owner."""
    found: dict[int, Entry] = {}

    def note(seat: int) -> None:
        for number, entry in given.get(seat, ()) if owners.get(seat) == owner else ():
            if isinstance(entry, Sat):
                found[number] = rename(entry)
            else:
                found[number] = Renewed(entry.seat, NOBODY)

    for number, entry in log.items():
        if isinstance(entry, Sat):
            note(entry.seat)
            owners[entry.seat], given[entry.seat] = entry.owner, [(number, entry)]
        elif isinstance(entry, Renewed):
            before = owners.get(entry.seat)
            for seat in [seat for seat, known in owners.items() if known == before]:
                owners[seat] = entry.owner
                given[seat].append((number, entry))
    for seat in owners:
        note(seat)
    return found
