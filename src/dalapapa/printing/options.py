"""What can be printed, and how: declared once for the command line, the print page and the docs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ..errors import BadOptions
from ..notation import shortened
from .sheet import PAPERS, Paper

LARGEST_OFFSET = 10.0
"""Millimetres: a printer that is further off has another problem."""

SMALLEST_SIZE, LARGEST_SIZE = 12.0, 1000.0
"""Millimetres of a domino; how large it can be on a paper, the sheets say."""

WHAT = {
    "box": "the whole box in one file: cover, dominoes, board, cards, score sheets and rules",
    "set": "the 120 dominoes of a design, front and back",
    "72": "the set of Dalapapa 72 to fold and glue, with tokens, premium and markers",
    "board": "the score board: a spiral from 1 to 60, with laps up to 240",
    "scores": "the score sheet of the classic game",
    "extras": "the sandglass card of Alex, and three marks per player for Conquest",
    "booklet": "the rules of all eight games",
    "calibration": "one sheet that tells how far off your printer's back is",
    "position": "a position, or any layout of a frame",
    "puzzle": "a frame to fill with given dominoes, and its solution",
    "solution": "a solution of Arlequin",
}

OWN_SET = ("set", "position", "puzzle")
"""The prints of a set of one's own; the others are of the standard sets."""


class About(msgspec.Struct, frozen=True):
    """What is said of an option beside its type and default."""

    description: str
    of: tuple[str, ...] = ()
    """The prints for which it matters; empty for all."""
    least: float | None = None
    most: float | None = None
    default_of: Mapping[str, Any] = {}
    """Defaults of prints that have another one than the rest."""


_LOOKS = ("box", "set", "72", "board", "booklet", "position", "puzzle", "solution")


class PrintOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to print, and how. `print_options` makes and checks one."""

    what: Annotated[
        Literal[
            "box", "set", "72", "board", "scores", "extras", "booklet", "calibration", "position",
            "puzzle", "solution",
        ],
        About("what to print"),
    ] = "set"  # fmt: skip
    design: Annotated[
        Literal[
            "squares-original", "squares-black", "squares-white", "rounds-black", "rounds-white",
            "octagons-black", "octagons-white",
        ],
        About(
            "shape of the discs and their ground; its author warns the colour-blind of"
            " squares-original", _LOOKS,
        ),
    ] = "rounds-black"  # fmt: skip
    ink: Annotated[
        Literal["colour", "low", "grey"],
        About("full colour, rings that need little ink, or greys with symbols", _LOOKS),
    ] = "colour"
    symbols: Annotated[bool, About("print the symbol of each colour", _LOOKS)] = False
    names: Annotated[
        bool,
        About(
            "print its name on each face, in tiny type",
            ("box", "set", "72", "position", "solution"),
        ),
    ] = False
    arrangement: Annotated[
        Literal["straight", "sheet"],
        About(
            "a grid that is cut from edge to edge, or each pile of the 120 as a solved rectangle,"
            " matching on both sides", ("box", "set"),
        ),
    ] = "straight"  # fmt: skip
    cover: Annotated[bool, About("begin with the cover of the design", ("set", "72"))] = False
    paper: Annotated[Literal["a4", "letter"], About("paper size")] = "a4"
    size: Annotated[
        float,
        About(
            "length of a domino in mm; it is half as wide", ("box", "set", "72"),
            SMALLEST_SIZE, LARGEST_SIZE, {"72": 60.0},
        ),
    ] = 48.0  # fmt: skip
    flip: Annotated[
        Literal["long", "short"],
        About(
            "edge on which your printer turns the paper over",
            ("box", "set", "booklet", "calibration"),
        ),
    ] = "long"
    offset: Annotated[
        tuple[float, float],
        About(
            "mm to move the back, right and down, as the calibration sheet tells",
            ("box", "set", "calibration"), -LARGEST_OFFSET, LARGEST_OFFSET,
        ),
    ] = (0.0, 0.0)  # fmt: skip
    language: Annotated[
        Literal["fr", "en", "de", "nl", "es", "it"], About("language of what is printed in words")
    ] = "en"
    pages: Annotated[
        Literal["whole", "half"],
        About(
            "whole pages (A4), or half pages (A5) in the order to fold and staple",
            ("box", "booklet"),
        ),
    ] = "whole"
    position: Annotated[str, About("the layings to print", ("position",))] = ""
    pile: Annotated[Literal[1, 2, 3], About("pile of Arlequin", ("solution",))] = 1
    frame: Annotated[str, About("cells of the frame, such as 4x4", ("puzzle",))] = "4x4"
    seed: Annotated[str, About("another seed is another one", ("puzzle", "solution"))] = "0"
    from_page: bool = False
    """Asked for on the print page: what is printed then names the fields of that page. Not an
    option that one chooses, so it has no entry in the catalogue."""

    @property
    def format(self) -> Paper:
        """The paper in millimetres."""
        return PAPERS[self.paper]


Kind = Literal["choice", "switch", "number", "pair", "text"]


class PrintOption(msgspec.Struct, frozen=True):
    """One option as a form or a command line needs it."""

    name: str
    kind: Kind
    default: Any
    description: str
    of: tuple[str, ...]
    choices: tuple[str | int, ...] = ()
    least: float | None = None
    most: float | None = None
    default_of: Mapping[str, Any] = {}
    """Defaults of prints that have another one than the rest."""

    def default_for(self, what: str) -> Any:
        """The default for a print."""
        return self.default_of.get(what, self.default)


@cache
def catalogue() -> tuple[PrintOption, ...]:
    """All options, in the order of `PrintOptions`."""
    kinds: dict[Any, Kind] = {bool: "switch", float: "number", str: "text"}
    options = []
    for name, hint in get_type_hints(PrintOptions, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            continue
        shape, about = get_args(hint)
        choices = get_args(shape) if get_origin(shape) is Literal else ()
        kind: Kind = "choice" if choices else kinds.get(shape, "pair")
        default = getattr(PrintOptions(), name)
        options.append(
            PrintOption(
                name, kind, default, about.description, about.of, choices, about.least, about.most,
                about.default_of,
            )
        )  # fmt: skip
    return tuple(options)


def print_options(data: Mapping[str, Any], *, from_page: bool = False) -> PrintOptions:
    """Options from plain data, checked; what is missing has its default.

    Raises `BadOptions`: `unknown_option`, `unknown_NAME` for a choice, `bad_NAME` for the others.
    """
    known = {option.name: option for option in catalogue()}
    for name in data:
        if name not in known:
            raise BadOptions(
                f"There is no print option {shortened(str(name))}; there are {', '.join(known)}.",
                "unknown_option",
            )
    told = {name: _checked(known[name], value) for name, value in data.items()}
    what = told.get("what", known["what"].default)
    usual = {name: option.default_for(what) for name, option in known.items()}
    return PrintOptions(**usual | told, from_page=from_page)


def write_text(option: PrintOption, what: str = "") -> str:
    """The default of an option as one types it, for a print that may have its own."""
    default = option.default_for(what)
    values = default if option.kind == "pair" else (default,)
    return ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)


def read_texts(texts: Mapping[str, Any]) -> dict[str, Any]:
    """Options that were typed or stand in an address, as data for `print_options`.

    A domino may be 48 or 48x24, an offset is 0.6,-1.1. What cannot be read stays as it is, to be
    refused there.
    """
    kinds = {option.name: option.kind for option in catalogue()}
    return {name: _read(kinds.get(name), text) for name, text in texts.items()}


def _read(kind: str | None, text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if kind == "switch":
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind == "choice":
        return int(text) if text in ("1", "2", "3") else text
    if kind not in ("number", "pair"):
        return text
    try:
        numbers = [float(word) for word in text.split("x" if kind == "number" else ",")]
    except ValueError:
        return text
    if kind == "pair":
        return numbers
    # A domino is two squares.
    twice = len(numbers) == 2 and math.isclose(numbers[0], 2 * numbers[1])
    return numbers[0] if len(numbers) == 1 or twice else text


def _checked(option: PrintOption, value: Any) -> Any:
    match option.kind:
        case "choice":
            if isinstance(value, bool) or value not in option.choices:
                allowed = ", ".join(map(str, option.choices))
                name = "print" if option.name == "what" else option.name
                raise BadOptions(
                    f"There is no {name} {shortened(str(value))}: it is one of {allowed}.",
                    f"unknown_{name}",
                )
        case "switch":
            if not isinstance(value, bool):
                raise BadOptions(
                    f"The option {option.name} is either on or off.", f"bad_{option.name}"
                )
        case "text":
            if not isinstance(value, str) or len(value) > 20_000:
                raise BadOptions(f"The option {option.name} is a text.", f"bad_{option.name}")
        case "number":
            if not _number(value) or not _between(option, value):
                raise BadOptions(
                    f"The {option.name} of a domino is its length, {option.least:g} to"
                    f" {option.most:g} mm, or as in 48x24; not {shortened(str(value))}.",
                    f"bad_{option.name}",
                )
            return float(value)
        case "pair":
            pair = value if isinstance(value, tuple | list) else ()
            if len(pair) != 2 or not all(_number(v) and _between(option, v) for v in pair):
                raise BadOptions(
                    f"The {option.name} is two numbers from {option.least:g} to {option.most:g} mm,"
                    f" such as 0.6,-1.1, not {shortened(_told(value))}.",
                    f"bad_{option.name}",
                )
            return float(pair[0]), float(pair[1])
    return value


def _told(value: Any) -> str:
    """A wrong pair as it was typed."""
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _number(value: Any) -> bool:
    # A bool is an int to Python.
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _between(option: PrintOption, value: float) -> bool:
    least, most = option.least, option.most
    return (least is None or least <= value) and (most is None or value <= most)
