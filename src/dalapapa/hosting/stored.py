"""Online tables as they are stored, on a server or on a device: settings, seed and log."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..core.tiles import SetIdentity
from .entries import Entry
from .settings import Settings
from .state import TableState, replay


class StoredTable(msgspec.Struct, frozen=True):
    """A table as it is stored."""

    id: str
    created: int
    settings: Settings
    seed: str
    set: SetIdentity | None = None
    """The dominoes it is played with; None: an early version set it up, which had other ones."""


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry of a log: its number (from 1), its time, and the hashed id that its sender chose."""

    number: int
    at: int
    entry: Entry
    nonce: str | None = None


def replay_log(table: StoredTable, log: Iterable[StoredEntry]) -> TableState:
    """The state of a stored table after its log."""
    entries = ((stored.entry, stored.at) for stored in log)
    return replay(table.settings, table.seed, table.created, entries)
