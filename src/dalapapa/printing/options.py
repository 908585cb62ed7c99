"""The options of prints, declared once for the command line, the print page and the docs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from ..core.errors import BadOptions
from ..core.notation import shorten
from ..core.options import Option, options_of, read_options
from ..texts import Language
from .sheet import PAPERS, Paper

MAX_OFFSET_MM = 10.0
"""A printer that is further off has a different problem."""

MIN_SIZE_MM, MAX_SIZE_MM = 12.0, 1000.0
"""The length of a domino. The maximum for a paper is checked when its sheets are made."""

WHAT = {
    "box": "the whole box in one file: cover, dominoes, board, cards, score sheets and rules",
    "set": "the 120 dominoes of a design, front and back",
    "72": "the set of Dalapapa 72 to fold and glue, with tokens, premium and markers",
    "board": "the score board: a track from 1 to 60, with laps up to 240",
    "scores": "the score sheet of a game",
    "extras": "the sandglass card of Alex, and three marks per player for Conquest",
    "booklet": "the rules of all eight games",
    "calibration": "one sheet that shows how far your printer shifts the back",
    "position": "a position, or any layout of a frame",
    "puzzle": "a frame to fill with given dominoes, and its solution",
    "solution": "a solution of Arlequin",
}

CUSTOM_SET_PRINTS = ("set", "position", "puzzle")
"""The prints that take a custom set; the others use the standard sets."""

_LOOKS = ("box", "set", "72", "board", "booklet", "position", "puzzle", "solution")

_Offset = Annotated[float, Meta(ge=-MAX_OFFSET_MM, le=MAX_OFFSET_MM)]
_Text = Annotated[str, Meta(max_length=20_000)]


def _for(prints: tuple[str, ...], description: str) -> Meta:
    """Describe an option that applies to some prints only."""
    return Meta(description=description, extra={"of": prints})


class PrintOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to print, and how. Made and checked by `print_options`."""

    from_page: ClassVar[bool] = False
    """Whether prints name the fields of the print page instead of options."""

    what: Annotated[
        Literal[
            "box", "set", "72", "board", "scores", "extras", "booklet", "calibration", "position",
            "puzzle", "solution",
        ],
        Meta(description="what to print"),
    ] = "set"  # fmt: skip
    design: Annotated[
        Literal[
            "squares-original", "squares-black", "squares-white", "rounds-black", "rounds-white",
            "octagons-black", "octagons-white",
        ],
        _for(
            _LOOKS, "shape of the discs and their ground; squares-original is hard for"
                    " colour-blind players",
        ),
    ] = "rounds-black"  # fmt: skip
    ink: Annotated[
        Literal["colour", "low", "grey"],
        _for((*_LOOKS, "extras"), "full colour, rings that need little ink, or greys with symbols"),
    ] = "colour"
    symbols: Annotated[bool, _for(_LOOKS, "print the symbol of each colour")] = False
    layout: Annotated[
        Literal["spiral", "author"],
        _for(
            ("box", "board"),
            "one spiral of equal fields, or the author's own: 16 fields outside, 17 to 60 inside",
        ),
    ] = "spiral"
    game: Annotated[
        Literal["classic", "auction", "conquest", "alex", "72"],
        _for(("scores",), "the game of the score sheet"),
    ] = "classic"
    names: Annotated[
        bool,
        _for(
            ("box", "set", "72", "position", "solution"),
            "print the name of each domino on its faces, in tiny type",
        ),
    ] = False
    arrangement: Annotated[
        Literal["straight", "sheet"],
        _for(
            ("box", "set"), "a grid to cut from edge to edge, or each pile of the 120 as a solved"
                            " rectangle, matching on both sides",
        ),
    ] = "straight"  # fmt: skip
    cover: Annotated[bool, _for(("set", "72"), "begin with the cover of the design")] = False
    paper: Annotated[Literal["a4", "letter"], Meta(description="paper size")] = "a4"
    size: Annotated[
        float,
        Meta(
            ge=MIN_SIZE_MM, le=MAX_SIZE_MM,
            description="length of a domino in mm; it is half as wide",
            extra={"of": ("box", "set", "72"), "default_of": {"72": 60.0}},
        ),
    ] = 48.0  # fmt: skip
    flip: Annotated[
        Literal["long", "short"],
        _for(
            ("box", "set", "booklet", "calibration"),
            "edge over which your printer turns the paper",
        ),
    ] = "long"
    offset: Annotated[
        tuple[_Offset, _Offset],
        _for(
            ("box", "set", "calibration"),
            "shift of the back in mm, right and down, as the calibration sheet shows",
        ),
    ] = (0.0, 0.0)
    language: Annotated[
        Language,
        Meta(description="language of the printed words"),
    ] = "en"
    pages: Annotated[
        Literal["whole", "half"],
        _for(
            ("box", "booklet"),
            "whole pages (A4), or half pages (A5) in the order to fold and staple",
        ),
    ] = "whole"
    position: Annotated[_Text, _for(("position",), "the layings to print")] = ""
    pile: Annotated[Literal[1, 2, 3], _for(("solution",), "pile of Arlequin")] = 1
    frame: Annotated[
        _Text,
        _for(
            ("puzzle",),
            "figure of the frame: 4x4, cross, staircase, ring, heart, or rows as .xx./xxxx/.xx.",
        ),
    ] = "4x4"
    seed: Annotated[
        _Text, _for(("puzzle", "solution"), "seed; another one gives another puzzle")
    ] = "0"

    @property
    def format(self) -> Paper:
        return PAPERS[self.paper]


class PageOptions(PrintOptions, frozen=True, kw_only=True):
    """The options of the print page."""

    from_page = True


def catalogue() -> tuple[Option, ...]:
    """List all options, in the order of `PrintOptions`."""
    return options_of(PrintOptions)


def print_options(data: Mapping[str, Any], *, from_page: bool = False) -> PrintOptions:
    """Read and check options from plain data; missing ones have their defaults.

    Raises `BadOptions`: `unknown_option`, `unknown_NAME` for a choice, `bad_NAME` for the others.
    """
    defaults = {
        option.name: default
        for option in catalogue()
        for what, default in option.default_of.items()
        if what == data.get("what") and option.name not in data
    }
    return read_options(
        PageOptions if from_page else PrintOptions,
        {**data, **defaults},
        lambda name, names: f"There is no print option {name}: the options are {names}.",
        lambda option, error: _refusal(option, data[option.name]) if option else BadOptions(error),
    )


def _refusal(option: Option, value: Any) -> BadOptions:
    """Describe what is wrong with the value of an option."""
    name = "print" if option.name == "what" else option.name
    written = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    match option.kind:
        case "choice":
            allowed = ", ".join(map(str, option.choices))
            text = f"There is no {name} {shorten(str(value))}: choose one of {allowed}."
            return BadOptions(text, f"unknown_{name}")
        case "switch":
            text = f"The option {name} must be on or off."
        case "text":
            text = f"The option {name} must be text."
        case "number":
            text = (
                f"The {name} of a domino must be its length, {option.least:g} to"
                f" {option.most:g} mm, or both sides, as in 48x24; not"
                f" {shorten(str(value))}."
            )
        case _:
            text = (
                f"The {name} must be two numbers from {option.least:g} to {option.most:g}"
                f" mm, such as 0.6,-1.1, not {shorten(written)}."
            )
    return BadOptions(text, f"bad_{name}")


def write_text(option: Option, what: str = "") -> str:
    """Write the default of an option as one types it; some prints have their own default."""
    default = option.default_of.get(what, option.default)
    values = default if option.kind == "pair" else (default,)
    return ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)


def read_texts(texts: Mapping[str, Any]) -> dict[str, Any]:
    """Convert options that were typed or are part of a URL to data for `print_options`.

    A domino may be 48 or 48x24, an offset is 0.6,-1.1. Unreadable values stay as they are, and
    `print_options` refuses them.
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
