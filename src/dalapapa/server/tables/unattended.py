"""Keeps games going without spectators while a player waits for a notification."""

from __future__ import annotations

from ...core.errors import DalapapaError
from .tables import LiveTable, Tables


class Caretaker:
    """Lets programs move and times run out at a table that nobody watches, until a person is on."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def see_to(self, live: LiveTable) -> None:
        """Watch a table while it needs nobody."""
        if self._needed(live):
            self.tables.watch(live, self)

    def changed(self, live: LiveTable) -> None:
        """A person's turn has come, or the end."""
        if not self._needed(live):
            self.tables.unwatch(live, self)

    def closed(self, error: DalapapaError) -> None:
        """Nobody plays there any more."""

    def _needed(self, live: LiveTable) -> bool:
        state = live.state
        if not state.goes_on:
            return False
        deadline = state.deadline()
        over = deadline is not None and live.time.now() >= deadline
        return over or any(state.seats[seat].played_by for seat in live.waits)
