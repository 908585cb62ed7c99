"""How a program announces and shows turns (rules 7)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...bots.bot import Time
from ...bots.levels import Level, LevelBot
from ...core.notation import Laying
from ...core.points import SECOND_DOMINO_CHARGE, Turn
from ...kernel.table import Table
from ..game import AnyGame
from ..moves import Announce, End, Lay, Move, NoMore
from .rules import MAX_MISTAKES, AlexView, find_best_announcement

MAX_SEEN = 60
"""Turns among which one looks for the best."""

ALL_TURNS = 100_000
"""More turns than two dominoes allow."""

_looked_at: dict[tuple[str, tuple[Laying, ...], tuple[str, ...]], list[Turn]] = {}
"""The better turns of the round that was looked at last: all look at it, again and again."""


def _better_turns(table: Table, drawn: Sequence[str]) -> list[Turn]:
    """The turns among which one looks for the best, most points first."""
    key = (table.tiles.fingerprint, table.layings, tuple(drawn))
    turns = _looked_at.get(key)
    if turns is None:
        turns = table.best_turns(drawn, MAX_SEEN)
        _looked_at.clear()
        _looked_at[key] = turns
    return turns


class Glance:
    """What somebody sees at a glance: the better turns first, each noticed with some chance.

    Everybody looks again after every announcement, and so sees more as the sand runs.
    """

    def __init__(self, eye: float, slip: float, rng: Random) -> None:
        self.eye = eye
        self.slip = slip
        self.rng = rng

    def best(self, table: Table, drawn: Sequence[str]) -> Turn | None:
        """The best turn that is noticed; None if there is none among the best ones."""
        for turn in _better_turns(table, drawn):
            if self.rng.random() < self.eye:
                return turn
        return None

    def slips(self, turn: Turn) -> bool:
        """Whether the charge for the second domino is forgotten."""
        return len(turn.layings) > 1 and self.rng.random() < self.slip


class AlexBot(LevelBot[AlexView]):
    """Announces the best turn it sees, if that is more than was announced already."""

    def __init__(self, game: AnyGame, level: Level, seed: str, time: Time) -> None:
        super().__init__(game, level, seed, time)
        slip = level.oversight.slip if level.oversight else 0.0
        self.glance = Glance(level.eye, slip, Random(seed))

    def choose(self, view: AlexView) -> Move:
        player, glance = view.player, self.glance
        if view.phase == "show":
            return _shown(view, player)
        best = glance.best(view.table, view.drawn) if view.drawn else None
        if best is not None:
            # Whom one more mistake would throw out of the game counts twice.
            careful = view.mistakes[player] >= MAX_MISTAKES - 1
            slip = 0 if careful or not glance.slips(best) else SECOND_DOMINO_CHARGE
            if best.points + slip > view.announced:
                return Announce(player, best.points + slip, view.round)
        return NoMore(player, view.announced, view.round)


def _shown(view: AlexView, player: int) -> Move:
    """Lays the turn that was announced: not a better one that was not seen then.

    If there is none, because it was a mistake, the best there is: the table decides (rules 7).
    """
    announced = find_best_announcement(view.announcements, player)
    shown = sum(laid.earned.points - laid.charge for laid in view.turn)
    charge = SECOND_DOMINO_CHARGE if view.turn else 0
    if (view.turn and shown >= announced) or not view.drawn:
        return End(player)

    needed = announced - shown + charge
    best = view.table.best_turn(view.drawn)
    if best is not None and best.points > needed:
        turns = view.table.best_turns(view.drawn, ALL_TURNS)
        best = min([turn for turn in turns if turn.points >= needed], key=lambda turn: turn.points)
    return End(player) if best is None else Lay(player, best.layings[0])
