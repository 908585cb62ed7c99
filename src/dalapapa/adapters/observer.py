"""The base of observers: what a learning program sees of a turn game, and its actions.

The observer of a game is `games/NAME/observer.py`. Games without one have no environment.
`docs/environments/index.md` lists every plane, fact and action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ..core.notation import Laying
from ..core.tiles import TileSet
from ..games.bag import draw_number, shuffle_by_seed
from ..games.game import PlacedMark
from ..games.moves import Move
from ..games.turns import TurnState, TurnView
from ..kernel.episode import Chance, Episode, EpisodeArrays, Terms

StateT = TypeVar("StateT", bound=TurnState)
ViewT = TypeVar("ViewT", bound=TurnView)
View_contra = TypeVar("View_contra", contravariant=True)

CHANCE = Chance(shuffle_by_seed, draw_number)

Fact = Callable[[View_contra], int]
Facts = Callable[[View_contra, int], int]

SHARED: dict[str, Fact[TurnView]] = {
    "setup": lambda view: view.phase == "setup",
    "laid": lambda view: len(view.table),
    "bag": lambda view: view.bag_count,
}
EACH: dict[str, Facts[TurnView]] = {
    "active": lambda view, seat: view.active == seat,
    "hand": lambda view, seat: view.hand_counts[seat],
}
"""The facts of every game: once, and for each player."""


class HasScores(Protocol):
    """A state, or a view of it, in which players have scores."""

    @property
    def scores(self) -> tuple[int, ...]: ...


SCORES: dict[str, Facts[HasScores]] = {"score": lambda view, seat: view.scores[seat]}


class EpisodeRequest(NamedTuple):
    """The game to play, and how it is shown."""

    options: Any
    tiles: TileSet
    players: int
    window: int
    limit: int
    """Moves after which a game is truncated."""
    by_score: bool
    """Whether rewards are changes of the score."""


class Observer(Generic[StateT, ViewT]):
    """The observations and actions of one game."""

    slots: int
    """The dominoes of a hand that have actions."""
    others: tuple[str, ...] = ("end", "pass")
    """The actions without a place, in their order. Those that begin with `other` are for moves of
    kinds that have no action."""
    marking: bool = False
    shared: Mapping[str, Fact[ViewT]] = {}
    each: Mapping[str, Facts[ViewT]] = {}
    """The facts of this game, in addition to those of all games."""

    def turn(self, view: ViewT) -> Sequence[Laying]:  # noqa: ARG002
        """The layings of the current turn."""
        return ()

    def marks(self, view: ViewT) -> Sequence[PlacedMark]:  # noqa: ARG002
        """The marks that lie on groups."""
        return ()

    def charge(self, view: ViewT) -> int:  # noqa: ARG002
        """The charge of a laying now."""
        return 0

    def action(self, view: ViewT, move: Move) -> str:  # noqa: ARG002
        """The action, one of `others`, of a move without a place."""
        return str(move.__struct_config__.tag)

    def standing(self, state: StateT) -> list[int]:
        """The scores in a running game."""
        raise NotImplementedError

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode | None:  # noqa: ARG002
        """The game in the kernel, which writes into these arrays; None if it does not know it."""
        return None

    def terms(self, asked: EpisodeRequest, marks: int = 0) -> Terms:
        """The form of the game, for the kernel; `marks` can lie on groups."""
        return Terms(
            asked.players, self.slots, len(self.others), asked.limit, asked.by_score, marks
        )

    def facts(self, players: int) -> tuple[str, ...]:
        """The names of the facts; those of players end with their distance clockwise."""
        each = [*EACH, *self.each]
        names = [f"{name}_{step}" for step in range(players) for name in each]
        return (*SHARED, *self.shared, *names)
