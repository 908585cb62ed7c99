"""Jobs that compare the games of a challenge: pure functions, which run in worker processes."""

from __future__ import annotations

import msgspec

from ...hosting.replays import compare_logged_game
from ...hosting.settings import Settings
from ...hosting.state import replay
from .replays import TableLog


def compare_game(settings: Settings, seed: str, created: int, log: TableLog, seat: int) -> bytes:
    """The game in a seat as JSON; null if it was closed."""
    state = replay(settings, seed, created, ((entry, at) for _, at, entry in log.entries()))
    return msgspec.json.encode(compare_logged_game(state, log, seat))
