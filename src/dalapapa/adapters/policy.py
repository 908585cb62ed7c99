"""A learned policy as a bot, for `compare`, the ladder, servers and browsers.

    def choose(seen: Observation) -> int:
        legal = np.flatnonzero(seen["action_mask"])
        return int(legal[(network(seen["observation"])[legal]).argmax()])

    print(compare(PolicyBot(choose), "easy"))

The policy gets what an environment of `zoo` shows to the agent in that seat, and returns an action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..bots.bot import Bot
from ..core.errors import BadOptions, IllegalMove
from ..core.notation import shorten
from ..games.game import AnyGame, View
from ..games.moves import Move
from ..games.turns import TurnView
from .actions import Actions
from .observations import Arrays, Looker, write_points
from .registry import find_observer
from .zoo import WINDOW, Observation

Policy = Callable[[Observation], int]


class PolicyBot(Bot[View]):
    """Chooses what a policy chooses. `points` and `window` are those of the environment."""

    def __init__(self, policy: Policy, *, points: bool = False, window: int = WINDOW) -> None:
        if not callable(policy):
            raise BadOptions(f"A policy must be a function, not {shorten(policy)}.", "bad_bot")
        self.policy = policy
        self.points = points
        self.window = window
        self._observed: _Observed | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_observed": None}

    def choose(self, view: View) -> Move:
        if not isinstance(view, TurnView):
            raise BadOptions(f"There is no environment for {view.game}.", "no_turns")
        if self._observed is None or not self._observed.fits(self.game, view):
            self._observed = _Observed(self.game, view, self.window, self.points)
        seen, legal = self._observed.look(view)
        number = self.policy(seen)
        if number not in legal:
            raise IllegalMove(
                f"The policy chose the action {number!r}, which the mask does not allow.",
                "not_legal",
            )
        return legal[number]


class _Observed:
    """The arrays for a game between so many players."""

    def __init__(self, game: AnyGame, view: TurnView, window: int, points: bool) -> None:
        observer = find_observer(game)
        if observer is None:
            raise BadOptions(f"There is no environment for {game.name}.", "no_turns")
        self.game = game
        self.tiles = view.table.tiles
        self.players = len(view.hand_counts)
        self.actions = Actions(observer, window)
        self.arrays = Arrays(self.actions, self.tiles, self.players, 1, points)
        self.looker = Looker(observer, self.tiles, self.arrays.rows(0), window)

    def fits(self, game: AnyGame, view: TurnView) -> bool:
        return (
            self.game is game
            and self.tiles == view.table.tiles
            and self.players == len(view.hand_counts)
        )

    def look(self, view: TurnView) -> tuple[Observation, dict[int, Move]]:
        """What the viewer observes, and the legal moves by action."""
        legal = self.actions.moves(view, self.game.legal_moves(view))
        self.looker.look(view)
        self.arrays.mask[0] = 0
        self.arrays.mask[0, list(legal)] = 1
        if self.arrays.points is not None:
            self.arrays.points[0] = write_points(self.actions, view, legal)
        seen = {name: array[0].copy() for name, array in self.arrays.list_arrays().items()}
        return {"observation": seen, "action_mask": self.arrays.mask[0].copy()}, legal
