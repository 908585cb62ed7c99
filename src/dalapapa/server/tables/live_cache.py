"""The cache of live tables, bounded in number and in bytes.

Measuring a table exactly would take longer than a move, so its size is estimated from the length
of its settings and of its log. `tests/server/tables/test_kept_tables.py` compares the estimate with
the memory that tables really take.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from hashlib import sha256
from weakref import WeakValueDictionary

import msgspec

from ...hosting.settings import Settings
from .live import LiveTable

MAX_LIVE_TABLES = 5_000

MAX_LIVE_BYTES = 200_000_000

MAX_EXPANDED_TABLES = 500
"""Tables that keep the memory of their game (40 kB) from one move to the next. Where moves come
fast, rebuilding it would take longer than the move."""

TABLE_BYTES = 10_000
"""The size of a table without settings and entries."""

BYTES_PER_SETTINGS_BYTE = 15
"""In memory for each byte of the settings: as data, as options, as dominoes, and in messages."""

ENTRY_BYTES, MAX_WEIGHED_ENTRIES = 500, 200
"""The size of an entry: its move id and its laying. Longer logs take no more memory."""


class LiveTableCache(MutableMapping[str, LiveTable]):
    """Live tables by id, the least recently used first. Tables with viewers are never evicted."""

    def __init__(self, max_tables: int = MAX_LIVE_TABLES, max_bytes: int = MAX_LIVE_BYTES) -> None:
        self.max_tables = max_tables
        self.max_bytes = max_bytes
        self.bytes: int = 0
        """The estimated size of all tables."""
        self.expanded: OrderedDict[str, LiveTable] = OrderedDict()
        """Tables that keep the memory of their game, the least recently changed first."""
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._bytes: dict[str, int] = {}
        self._settings: WeakValueDictionary[bytes, Settings] = WeakValueDictionary()

    def __getitem__(self, id: str) -> LiveTable:
        return self._tables[id]

    def __setitem__(self, id: str, live: LiveTable) -> None:
        self._tables[id] = live
        self._tables.move_to_end(id)
        self._note_size(id, estimate_bytes(live))

    def __delitem__(self, id: str) -> None:
        del self._tables[id]
        self.bytes -= self._bytes.pop(id)
        self.expanded.pop(id, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def discard(self, id: str) -> None:
        """Drop a table that is gone or cannot be read, if it is here."""
        if id in self._tables:
            del self[id]
        self.expanded.pop(id, None)

    def note_change(self, live: LiveTable) -> None:
        """Update the size of a changed table, and release the memory of the one idle longest."""
        live.release_undo_memory()
        if live.id in self._bytes:
            self._note_size(live.id, estimate_bytes(live))
        self.expanded[live.id] = live
        self.expanded.move_to_end(live.id)
        if len(self.expanded) > MAX_EXPANDED_TABLES:
            self.expanded.popitem(last=False)[1].release_memory()

    def _note_size(self, id: str, size: int) -> None:
        self.bytes += size - self._bytes.get(id, 0)
        self._bytes[id] = size

    def is_over_limit(self) -> bool:
        """Whether there are too many tables, or too many bytes."""
        return len(self._tables) > self.max_tables or self.bytes > self.max_bytes

    def evict_unused(self, used: LiveTable) -> list[LiveTable]:
        """Evict the least recently used tables without viewers until the limits hold."""
        evicted: list[LiveTable] = []
        for other in tuple(self._tables.values()) if self.is_over_limit() else ():
            if not other.viewers and not other.lock.locked() and other is not used:
                del self[other.id]
                evicted.append(other)
                if not self.is_over_limit():
                    break
        return evicted

    def share_settings(self, settings: Settings) -> Settings:
        """An equal object that all tables with these settings share."""
        key = sha256(msgspec.json.encode(settings)).digest()
        return self._settings.setdefault(key, settings)


def estimate_bytes(live: LiveTable) -> int:
    """The approximate size in memory of a table whose game memory is released."""
    entries = min(live.state.version, MAX_WEIGHED_ENTRIES)
    size = TABLE_BYTES + BYTES_PER_SETTINGS_BYTE * live.settings_bytes + ENTRY_BYTES * entries
    if live.state.game.is_installed and live.state.game_state is not None:
        size += live.state.game_state.size
    return size
