"""What a learning program observes of a game of turns, and which actions it has.

A game has an `Observer` in its `observe.py`; here is what all of them tell. Games without one have
no environment. `docs/adapters.md` lists every plane, fact and action.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

from ..games import every, part
from ..games.game import Game
from ..games.moves import Move
from ..geometry import Disc
from ..notation import Laying

Fact = Callable[[Any], int]
Facts = Callable[[Any, int], int]

SHARED: dict[str, Fact] = {
    "setup": lambda view: view.phase == "setup",
    "laid": lambda view: len(view.table),
    "bag": lambda view: view.bag_count,
}
EACH: dict[str, Facts] = {
    "active": lambda view, seat: view.active == seat,
    "hand": lambda view, seat: view.hand_counts[seat],
}
"""What every game tells: once, and of each player."""

SCORES: dict[str, Facts] = {"score": lambda view, seat: view.scores[seat]}


class OnDisc(Protocol):
    """Somebody's mark on a group."""

    @property
    def player(self) -> int: ...

    @property
    def disc(self) -> Disc: ...


class Observer:
    """The numbers of one game."""

    slots: ClassVar[int]
    """The dominoes of a hand that have actions."""
    others: ClassVar[tuple[str, ...]] = ("end", "pass")
    """The actions without a place, in their order."""
    marking: ClassVar[bool] = False
    """Whether groups are marked."""
    shared: ClassVar[dict[str, Fact]] = {}
    each: ClassVar[dict[str, Facts]] = SCORES
    """What this game tells besides what all do."""

    def turn(self, view: Any) -> Sequence[Laying]:  # noqa: ARG002
        """What was laid in the turn under way."""
        return ()

    def marks(self, view: Any) -> Sequence[OnDisc]:  # noqa: ARG002
        """The marks that lie on groups."""
        return ()

    def charge(self, view: Any) -> int:  # noqa: ARG002
        """What a laying costs now."""
        return 0

    def action(self, view: Any, move: Move) -> str:  # noqa: ARG002
        """Which of `others` a move without a place is."""
        return str(move.__struct_config__.tag)

    def standing(self, state: Any) -> list[int]:
        """The scores in a game that goes on."""
        return list(state.scores)

    def facts(self, players: int) -> tuple[str, ...]:
        """The names of the facts; those of players end with their distance clockwise."""
        each = [*EACH, *self.each]
        told = [f"{name}_{step}" for step in range(players) for name in each]
        return (*SHARED, *self.shared, *told)


def observer_of(game: Game) -> Observer | None:
    """What is observed of a game, or None if it has no environment."""
    own = part(game, "observe", Observer)
    return own() if own else None


def observed() -> tuple[str, ...]:
    """The games that have an environment."""
    return tuple([name for name, game in every().items() if observer_of(game)])
