"""The programs by name. A level is the same in every game that has it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from ..core.errors import BadOptions
from ..games.game import AnyGame, Game, OptionsT, StateT, View, ViewT
from ..games.moves import Move
from .bot import Bot, Time, own_program, program_of
from .installed import Guest, offered, registered
from .lookahead import Lookahead
from .perception import BeginnersSight, Oversight, Perception

USUAL = Time()


class RandomBot(Bot[View]):
    """Every legal move is equally likely."""

    def choose(self, view: View) -> Move:
        moves = self.game.legal_moves(view)
        # Random.random() is the one method whose sequence Python promises to keep.
        return moves[int(self.rng.random() * len(moves))]


class Level(msgspec.Struct, frozen=True):
    """How well a program plays."""

    name: str
    pace: float
    """How quick it is in games in which the quickest acts."""
    eye: float
    """The chance to notice a turn at a glance, where everybody looks for the best (rules 7)."""
    oversight: Oversight | None = None
    """What it overlooks."""
    ahead: float = 0.0
    """Of the time that it may take for a turn, what it spends on looking ahead."""
    detour: float = 0.0
    """The chance to try a wrong domino in a frame (rules 5 and 6)."""
    worth_a_marker: int = 3
    """Cells of a territory that it spends a marker on (rules 8)."""

    def sight(self, time: Time, seed: str) -> Perception:
        if self.oversight is not None:
            return BeginnersSight(self.oversight, Random(seed))
        if self.ahead:
            return Lookahead(time, self.ahead, Random(seed))
        return Perception()


NOVICE = Oversight(disc=0.18, closing=0.4, second=0.4, slip=0.12)
EASY = Oversight(disc=0.45, closing=0.7, second=0.75, slip=0.04)
MEDIUM = Level("medium", pace=1.0, eye=0.28)
LEVELS = {
    level.name: level
    for level in (
        Level("novice", pace=0.6, eye=0.06, oversight=NOVICE, detour=0.2),
        Level("easy", pace=0.78, eye=0.18, oversight=EASY, detour=0.1),
        MEDIUM,
        Level("strong", pace=1.33, eye=0.45, ahead=0.1, worth_a_marker=2),
        Level("expert", pace=1.75, eye=0.62, ahead=1.0, worth_a_marker=1),
    )
}
"""From the weakest to the strongest."""


Maker = Callable[[AnyGame, str, Time], Bot[Any]]
"""Makes a program for a seat: of a game, from a seed, with so much time for a turn."""


def _of_level(level: Level) -> Maker:
    def make(game: AnyGame, seed: str, time: Time) -> Bot[Any]:
        program = program_of(game)
        return program(game, _at_most(level, program.strongest_in(game)), seed, time)

    return make


def _at_most(level: Level, strongest: str) -> Level:
    """A level that a game does not have plays as its strongest one."""
    names = list(LEVELS)
    return LEVELS[names[min(names.index(level.name), names.index(strongest))]]


BOTS: dict[str, Maker] = {
    "random": lambda game, seed, _: RandomBot(game, seed),
    "greedy": _of_level(MEDIUM),
    **{name: _of_level(level) for name, level in LEVELS.items()},
}
"""All programs: the levels, `greedy` as medium was called first, and `random` for tests."""


CAST = {
    "random": "Dado",
    "novice": "Pia",
    "easy": "Milo",
    "medium": "Nora",
    "greedy": "Nora",
    "strong": "Bruno",
    "expert": "Vera",
}
"""What people call the programs, in every language; records and protocol have their own names."""


def called(name: str) -> str:
    """A program for people: "Pia (novice)"."""
    return f"{CAST[name]} ({name})" if name in CAST else name


GENERAL = ("random", "greedy")
"""The programs of a game that has none of its own."""


def programs_of(game: AnyGame) -> tuple[str, ...]:
    """The programs that play a game: ours, and then those that installed packages register."""
    return (*_ours(game), *(one.name for one in offered(game)))


def _ours(game: AnyGame) -> tuple[str, ...]:
    return tuple(BOTS) if own_program(game) else GENERAL


def levels_of(game: AnyGame) -> tuple[str, ...]:
    """Those that differ in strength, from the weakest to the strongest."""
    program = own_program(game)
    if program is None:
        return GENERAL
    names = tuple(LEVELS)
    return names[: names.index(program.strongest_in(game)) + 1]


def make_bot(
    name: str, game: Game[OptionsT, StateT, ViewT], seed: str, time: Time = USUAL
) -> Bot[ViewT]:
    """The program called `name`, for one seat of one game, with so much time for a turn."""
    if name in _ours(game):
        return BOTS[name](game, seed, time)
    own = registered().get(name)
    if own is None or not own.plays(game):
        known = ", ".join(programs_of(game))
        raise BadOptions(f"There is no player called {name!r}: known are {known}.", "unknown_bot")
    return Guest(own, game, seed)
