"""The base class of all bots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec

from ..core.errors import BadOptions, IllegalMove
from ..core.notation import Laying, shorten
from ..games.game import AnyGame, View
from ..games.moves import AnyMove, Move, read_move

TURN_S = 1.0
"""Default time for a turn of a bot that looks ahead, on one core."""

T = TypeVar("T", str, int)

TYPE_CHECKING = False

if TYPE_CHECKING:  # `class Mine(Bot)` needs no type argument. Python has defaults from 3.13 on.
    from typing_extensions import TypeVar as WithDefault

    ViewT = WithDefault("ViewT", bound=View, default=Any)
else:
    ViewT = TypeVar("ViewT", bound=View)


def shuffle(items: Sequence[T], rng: Random) -> list[T]:
    """Return the items in random order.

    `Random.random` is the only method whose sequence Python promises to keep.
    """
    keys = [rng.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True))]


Choice: TypeAlias = Move | Laying | str | Mapping[str, Any]
"""What a bot may choose: a move, a laying, text, or a dict as in records."""


class Time(msgspec.Struct, frozen=True):
    """The time that a bot may take for a turn."""

    seconds: float = TURN_S
    """The work is counted, so that it takes about half of this on one core."""
    clocked: bool = True
    """Whether a clock stops longer turns; without it, the same seed gives the same choice."""

    def __post_init__(self) -> None:
        check_seconds(self.seconds)


def check_seconds(given: object) -> None:
    """Refuse a time that is not a number of seconds."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < inf:
        raise BadOptions(
            f"seconds must be a number, 0 or more, not {shorten(given)}.", "bad_seconds"
        )


class Bot(ABC, Generic[ViewT]):
    """A bot in one seat of one game. To write one, implement `choose`:

        class Cautious(Bot):
            def choose(self, view):
                return view.legal[0]

    It sees what a person in its seat sees. `self.game` has the rules. `self.seed` and `self.rng`
    are random numbers of its own that reveal nothing about the bag: with them, the same seed gives
    the same choices. `self.time.seconds` is what it may take for a turn. A subclass may have any
    `__init__` and need not call this one.
    """

    game: AnyGame
    seed: str
    rng: Random
    """Set before each game, like the two above."""
    time: Time = Time()
    """The time that it may take for a turn. Set before `__init__` where the bot is made by name."""

    games: ClassVar[tuple[str, ...]] = ()
    """The names of the games that it plays; empty for all games."""
    pace: float = 1.0
    """How quick it is compared with medium, in games in which the quickest acts."""

    def __init__(self, game: AnyGame | None = None, seed: str = "0") -> None:
        if game is not None:
            self.sit_down(game, seed)

    def sit_down(self, game: AnyGame, seed: str) -> None:
        """Start a new game; called by the code that seats the bot."""
        self.game = game
        self.seed = seed
        self.rng = Random(seed)
        self.begin()

    def begin(self) -> None:  # A hook: most bots have nothing to do here.
        """Forget the last game, because a new one begins."""

    @abstractmethod
    def choose(self, view: ViewT) -> Choice:
        """Return a legal move for the viewer, who is to act: one of `view.legal`, or its text.

        A `Laying` is accepted, too, like everything that `Match.play` accepts.
        """

    def seconds(self, view: ViewT) -> float:
        """The time that a person would take for that move, on average."""
        return self.game.thinking_time(view, self.pace)


class MoveBot(Bot[ViewT]):
    """A bot that chooses moves and nothing else, as ours do."""

    @abstractmethod
    def choose(self, view: ViewT) -> Move:
        """Return one of `view.legal`."""


def read_choice(chosen: object, game: AnyGame, view: View) -> Move:
    """Read what `choose` has returned: a move, a laying, text, or a dict as in records."""
    if not isinstance(chosen, AnyMove | Laying | dict | str):
        raise IllegalMove(
            f"A bot must choose a move, a laying, text or a dict, not {shorten(chosen)}"
            f" ({type(chosen).__name__}).",
            "malformed_move",
        )
    return read_move(chosen, view.player, partial(game.legal_moves, view), game.move_types)


def choose_quickest(rates: Sequence[float], chance: float) -> int:
    """Return who acts next, from the moves per second of each; `chance` is from 0 to 1."""
    left = chance * sum(rates)
    for place, rate in enumerate(rates[:-1]):
        left -= rate
        if left < 0:
            return place
    return len(rates) - 1
