"""The games that have an environment."""

from __future__ import annotations

from typing import Any

from ..games import list_games
from ..games.game import AnyGame
from ..games.observers import OBSERVER_CLASSES
from ..games.parts import find_part
from ..games.turns import TurnGame
from .observer import Observer
from .variant import VariantObserver


def find_observer(game: AnyGame) -> Observer[Any, Any] | None:
    """The observer of a game, or None if it has no environment."""
    kind = find_part(game, "observer", Observer, OBSERVER_CLASSES)
    if kind is not None:
        return kind()
    return VariantObserver(game) if isinstance(game, TurnGame) else None


def list_environments() -> tuple[str, ...]:
    """The names of the games that have an environment."""
    return tuple([name for name, game in list_games().items() if find_observer(game)])
