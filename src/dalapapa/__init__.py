"""Dalapapa: François Haffner's tile-laying game, as a library.

    >>> from dalapapa import Match, Table
    >>> table = Table("PRYGB+0@0,0")
    >>> table.best("BRYGB CRYGB").points
    4
    >>> match = Match("classic", players=["medium", "easy"], seed="1")
    >>> match.run().reason
    'target'

What is listed here in `__all__` is the public library; `docs/library.md` is a tour of it. Each name
is loaded when it is first used, so that importing the package costs nothing.
"""

TYPE_CHECKING = False  # Editors know better, and importing `typing` would take a while.

if TYPE_CHECKING:
    from .bots.bot import Bot as Bot
    from .bots.bot import Choice as Choice
    from .bots.ladder import Comparison as Comparison
    from .bots.ladder import compare as compare
    from .core.errors import BadInput as BadInput
    from .core.errors import BadOptions as BadOptions
    from .core.errors import BadRecord as BadRecord
    from .core.errors import BadSet as BadSet
    from .core.errors import DalapapaError as DalapapaError
    from .core.errors import FrozenTable as FrozenTable
    from .core.errors import IllegalLaying as IllegalLaying
    from .core.errors import IllegalMove as IllegalMove
    from .core.errors import MalformedLaying as MalformedLaying
    from .core.errors import RuleRefusal as RuleRefusal
    from .core.errors import UnknownDomino as UnknownDomino
    from .core.notation import Laying as Laying
    from .core.points import Earned as Earned
    from .core.points import Group as Group
    from .core.points import Turn as Turn
    from .core.tiles import Tile as Tile
    from .core.tiles import TileSet as TileSet
    from .core.tiles import standard as standard
    from .games.events import Event as Event
    from .games.events import Outcome as Outcome
    from .games.game import Game as Game
    from .games.game import View as View
    from .games.moves import Announce as Announce
    from .games.moves import Call as Call
    from .games.moves import Decline as Decline
    from .games.moves import End as End
    from .games.moves import Follow as Follow
    from .games.moves import GiveUp as GiveUp
    from .games.moves import Lay as Lay
    from .games.moves import Mark as Mark
    from .games.moves import Move as Move
    from .games.moves import NoMore as NoMore
    from .games.moves import Pass as Pass
    from .games.moves import PlayAgain as PlayAgain
    from .games.moves import PlayersMove as PlayersMove
    from .games.moves import PutBack as PutBack
    from .games.moves import Raise as Raise
    from .games.moves import Take as Take
    from .games.moves import TakeOut as TakeOut
    from .games.moves import TimeUp as TimeUp
    from .games.moves import Undo as Undo
    from .kernel.search import Search as Search
    from .kernel.solver import Solved as Solved
    from .kernel.table import Table as Table
    from .library import best as best
    from .library import draw as draw
    from .library import load_set as load_set
    from .library import make_bot as make_bot
    from .library import print_pdf as print_pdf
    from .library import read_record as read_record
    from .library import solve as solve
    from .match import Match as Match
    from .record import Record as Record
    from .record import Replay as Replay

__version__ = "0.1.0"

_HOMES = {
    "kernel.table": ("Table",),
    "core.notation": ("Laying",),
    "core.points": ("Earned", "Group", "Turn"),
    "core.tiles": ("Tile", "TileSet", "standard"),
    "match": ("Match",),
    "record": ("Record", "Replay"),
    "games.game": ("Game", "View"),
    "games.moves": (
        "Announce",
        "Call",
        "Decline",
        "End",
        "Follow",
        "GiveUp",
        "Lay",
        "Mark",
        "Move",
        "NoMore",
        "Pass",
        "PlayAgain",
        "PlayersMove",
        "PutBack",
        "Raise",
        "Take",
        "TakeOut",
        "TimeUp",
        "Undo",
    ),
    "games.events": ("Event", "Outcome"),
    "bots.bot": ("Bot", "Choice"),
    "bots.ladder": ("Comparison", "compare"),
    "kernel.search": ("Search",),
    "kernel.solver": ("Solved",),
    "library": (
        "best",
        "draw",
        "load_set",
        "make_bot",
        "print_pdf",
        "read_record",
        "solve",
    ),
    "core.errors": (
        "BadInput",
        "BadOptions",
        "BadRecord",
        "BadSet",
        "DalapapaError",
        "FrozenTable",
        "IllegalLaying",
        "IllegalMove",
        "MalformedLaying",
        "RuleRefusal",
        "UnknownDomino",
    ),
}
"""Where the public names are defined."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])


if not TYPE_CHECKING:  # For type checkers, a misspelt name is an error.

    def __getattr__(name):
        """Load a public name at its first use (PEP 562)."""
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f".{home}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
