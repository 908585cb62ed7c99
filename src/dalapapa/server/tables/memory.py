"""The tables that a process keeps in memory, bounded in number and in bytes.

Weighing a table exactly would take longer than a move, so its bytes are estimated from the length
of its settings and of its log. `tests/server/tables/test_kept_tables.py` compares the estimate with
the memory that tables really take.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from hashlib import sha256
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import msgspec

from ...hosting.log import Settings

if TYPE_CHECKING:  # They are kept here.
    from .tables import LiveTable

MAX_KEPT_TABLES = 5_000

MAX_KEPT_BYTES = 200_000_000

TABLE_BYTES = 10_000
"""Of a table without settings at which nothing has happened."""

SETTING_BYTES = 15
"""In memory for each byte of the settings: as data, as options, as dominoes, and in messages."""

ENTRY_BYTES, MAX_ENTRIES_WEIGHED = 500, 200
"""For each entry: its mark, and what it has laid. A log that is longer takes no more memory."""


class KeptTables(MutableMapping[str, "LiveTable"]):
    """Tables by their id, the longest unused one first. Those that are not watched make room."""

    def __init__(self, most: int = MAX_KEPT_TABLES, most_bytes: int = MAX_KEPT_BYTES) -> None:
        self.most = most
        self.most_bytes = most_bytes
        self.bytes = 0
        """Of all of them, as estimated."""
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._bytes: dict[str, int] = {}
        self._settings: WeakValueDictionary[bytes, Settings] = WeakValueDictionary()

    def __getitem__(self, id: str) -> LiveTable:
        return self._tables[id]

    def __setitem__(self, id: str, live: LiveTable) -> None:
        self._tables[id] = live
        self._tables.move_to_end(id)
        self._note(id, weigh(live))

    def __delitem__(self, id: str) -> None:
        del self._tables[id]
        self.bytes -= self._bytes.pop(id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def weigh_again(self, live: LiveTable) -> None:
        """Something has happened at a table."""
        if live.id in self._bytes:
            self._note(live.id, weigh(live))

    def _note(self, id: str, weight: int) -> None:
        self.bytes += weight - self._bytes.get(id, 0)
        self._bytes[id] = weight

    def is_crowded(self) -> bool:
        """Whether there are more than there may be."""
        return len(self._tables) > self.most or self.bytes > self.most_bytes

    def drop_unused(self, used: LiveTable) -> list[LiveTable]:
        """Drop the longest unused tables that are not watched until there is room; which ones."""
        dropped: list[LiveTable] = []
        for other in tuple(self._tables.values()) if self.is_crowded() else ():
            if not other.viewers and not other.lock.locked() and other is not used:
                del self[other.id]
                dropped.append(other)
                if not self.is_crowded():
                    break
        return dropped

    def share(self, settings: Settings) -> Settings:
        """The same settings, in memory once for all tables that have them."""
        key = sha256(msgspec.json.encode(settings)).digest()
        return self._settings.setdefault(key, settings)


def weigh(live: LiveTable) -> int:
    """About how many bytes a table takes in memory while it rests."""
    entries = min(live.state.version, MAX_ENTRIES_WEIGHED)
    return TABLE_BYTES + SETTING_BYTES * live.settings_bytes + ENTRY_BYTES * entries
