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
    from .bots.bot import Bot
    from .bots.compare import Comparison, compare
    from .core.errors import (
        BadInput,
        BadOptions,
        BadRecord,
        BadSet,
        DalapapaError,
        FrozenTable,
        IllegalLaying,
        IllegalMove,
        MalformedLaying,
        RuleRefusal,
        UnknownDomino,
    )
    from .core.notation import Laying
    from .core.points import Earned, Group, Turn
    from .core.tiles import Tile, TileSet, standard
    from .games.events import Event, Outcome
    from .games.moves import Move
    from .kernel.search import Search
    from .kernel.solver import Solved
    from .kernel.table import Table
    from .library import best, draw, load_set, make_bot, print_pdf, read_record, solve
    from .match import Match

__version__ = "0.1.0"

_HOMES = {
    "kernel.table": ("Table",),
    "core.notation": ("Laying",),
    "core.points": ("Earned", "Group", "Turn"),
    "core.tiles": ("Tile", "TileSet", "standard"),
    "match": ("Match",),
    "games.moves": ("Move",),
    "games.events": ("Event", "Outcome"),
    "bots.bot": ("Bot",),
    "bots.compare": ("Comparison", "compare"),
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

__all__ = [
    "BadInput",
    "BadOptions",
    "BadRecord",
    "BadSet",
    "Bot",
    "Comparison",
    "DalapapaError",
    "Earned",
    "Event",
    "FrozenTable",
    "Group",
    "IllegalLaying",
    "IllegalMove",
    "Laying",
    "MalformedLaying",
    "Match",
    "Move",
    "Outcome",
    "RuleRefusal",
    "Search",
    "Solved",
    "Table",
    "Tile",
    "TileSet",
    "Turn",
    "UnknownDomino",
    "__version__",
    "best",
    "compare",
    "draw",
    "load_set",
    "make_bot",
    "print_pdf",
    "read_record",
    "solve",
    "standard",
]


def __getattr__(name: str) -> object:
    """Load a public name at its first use (PEP 562)."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
