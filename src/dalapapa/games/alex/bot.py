"""How a bot announces and shows turns (rules 7)."""

from __future__ import annotations

from collections.abc import Sequence

from ...bots.levels import LevelBot
from ...core.notation import Laying
from ...core.points import SECOND_DOMINO_CHARGE, Turn
from ...kernel.table import Table
from ..moves import Announce, End, Lay, Move, NoMore
from .rules import MAX_MISTAKES
from .state import AlexView, find_best_announcement

MAX_SEEN_TURNS = 60
"""The number of turns among which a bot looks for the best."""

MAX_TURNS = 100_000
"""More turns than two dominoes allow."""

_better_turns_cache: dict[tuple[str, tuple[Laying, ...], tuple[str, ...]], list[Turn]] = {}
"""The better turns of the last round: all bots look at them several times."""


def _better_turns(table: Table, drawn: Sequence[str]) -> list[Turn]:
    """The turns among which a bot looks for the best, most points first."""
    key = (table.tiles.fingerprint, table.layings, tuple(drawn))
    turns = _better_turns_cache.get(key)
    if turns is None:
        turns = table.best_turns(drawn, MAX_SEEN_TURNS)
        _better_turns_cache.clear()
        _better_turns_cache[key] = turns
    return turns


class AlexBot(LevelBot[AlexView]):
    """Announces the best turn it sees, if that is more than was announced already."""

    def choose(self, view: AlexView) -> Move:
        player = view.player
        if view.phase == "show":
            return _show_turn(view, player)
        best = self._notice(view.table, view.drawn) if view.drawn else None
        if best is not None:
            # A player whom one more mistake would put out of the game counts twice.
            careful = view.mistakes[player] >= MAX_MISTAKES - 1
            slip = 0 if careful or not self._slips(best) else SECOND_DOMINO_CHARGE
            if best.points + slip > view.announced:
                return Announce(player, best.points + slip, view.round)
        return NoMore(player, view.announced, view.round)

    def _notice(self, table: Table, drawn: Sequence[str]) -> Turn | None:
        """The best turn that it sees at a glance: each is noticed with some chance.

        Bots look again after every announcement, and so see more as the sand runs.
        """
        turns = _better_turns(table, drawn)
        return next((turn for turn in turns if self.rng.random() < self.level.eye), None)

    def _slips(self, turn: Turn) -> bool:
        """Whether the charge for the second domino is forgotten."""
        slip = self.level.oversight.slip if self.level.oversight else 0.0
        return len(turn.layings) > 1 and self.rng.random() < slip


def _show_turn(view: AlexView, player: int) -> Move:
    """Lay the turn that was announced, not a better one that was not seen then.

    If there is none, because it was a mistake, lay the best turn: the table decides (rules 7).
    """
    announced = find_best_announcement(view.announcements, player)
    laid_points = sum(laid.earned.points - laid.charge for laid in view.turn)
    charge = SECOND_DOMINO_CHARGE if view.turn else 0
    if (view.turn and laid_points >= announced) or not view.drawn:
        return End(player)

    needed = announced - laid_points + charge
    best = view.table.best_turn(view.drawn)
    if best is not None and best.points > needed:
        turns = view.table.best_turns(view.drawn, MAX_TURNS)
        best = min([turn for turn in turns if turn.points >= needed], key=lambda turn: turn.points)
    return End(player) if best is None else Lay(player, best.layings[0])
