"""Finds the bot, the reviewer or the observer of a game.

The tables `bots.py`, `reviewers.py` and `observers.py` name those of our games. They stand above
the rules in the order of imports, so that rules never load bots or the coach. A game of another
package names its own in `Game.parts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from .game import AnyGame

T = TypeVar("T")


def find_part(
    game: AnyGame,
    name: Literal["bot", "reviewer", "observer"],
    kind: type[T],
    own: Mapping[type[AnyGame], type[T]],
    *,
    inherited: bool = False,
) -> type[T] | None:
    """The class that a game has for a part; with `inherited`, a variant has that of its base."""
    for base in type(game).__mro__ if inherited else type(game).__mro__[:1]:
        if base in own:
            return own[base]
        parts = vars(base).get("parts")
        found = getattr(parts, name, None)
        if found is not None:
            if not (isinstance(found, type) and issubclass(found, kind)):
                raise TypeError(f"The {name} of {game.name} must be a {kind.__name__}.")
            return found
    return None
