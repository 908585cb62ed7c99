"""Games as logs: what a game depends on, and the matches that follow from it.

The page keeps the log of its game and sends it with each question. Matches are a cache: the engine
replays a log only if it has not seen all but its last move.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ..bots.external import PREFIX
from ..core.errors import BadOptions
from ..games.events import Event
from ..games.moves import Move, move_from_json, move_to_json
from ..match import Match

MAX_MOVES = 20_000
"""Moves of a log: no game needs as many."""

MAX_MATCHES = 8
"""Matches in the cache: those of a few games, and of the moments between which a page goes."""


class GameLog(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a game depends on: its settings, its seed and its moves."""

    game: str
    players: Annotated[tuple[str, ...], Meta(max_length=10)]
    """Names of people, or of bots."""
    seed: Annotated[str, Meta(min_length=1, max_length=64)]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    moves: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MAX_MOVES)] = ()


class Matches:
    """The last matches by their logs."""

    def __init__(self) -> None:
        self._by_log: OrderedDict[bytes, Match] = OrderedDict()

    def get(self, log: GameLog) -> Match:
        """The match after all moves of a log; callers must not change it."""
        key = msgspec.json.encode(log)
        match = self._by_log.get(key)
        if match is None:
            match = play_log(log)
            self._put(key, match)
        self._by_log.move_to_end(key)
        return match

    def play(self, log: GameLog, move: Move) -> tuple[GameLog, Match, tuple[Event, ...]]:
        """Make a move; returns the new log, its match and the events of the move.

        A refused move changes nothing.
        """
        match = self.get(log)
        events = match.play(move)
        del self._by_log[msgspec.json.encode(log)]  # It has one more move now.
        after = msgspec.structs.replace(log, moves=(*log.moves, move_to_json(move)))
        self._put(msgspec.json.encode(after), match)
        return after, match, events

    def _put(self, key: bytes, match: Match) -> None:
        self._by_log[key] = match
        if len(self._by_log) > MAX_MATCHES:
            self._by_log.popitem(last=False)


def play_log(log: GameLog) -> Match:
    """Play all moves of a log."""
    refuse_programs(log.players)
    match = Match(log.game, players=list(log.players), seed=log.seed, options=log.options)
    for move in log.moves:
        match.play(move_from_json(move))
    return match


def refuse_programs(players: Sequence[str]) -> None:
    """Refuse bots that are commands: browsers have no processes."""
    if any(name.startswith(PREFIX) for name in players):
        raise BadOptions("A browser cannot run external programs.", "unknown_bot")
