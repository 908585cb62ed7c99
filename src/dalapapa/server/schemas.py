"""Questions and answers of the HTTP API: OpenAPI is generated from these structs."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..drawing.palettes import PaletteName
from ..hosting.questions import Position, SetName
from ..hosting.requests import Body
from ..texts import Language

Cause = Literal["player", "program", "time"]


class LanguageQuery(msgspec.Struct):
    """The language of an answer."""

    language: Language = "en"


class PictureStyle(Body, frozen=True, kw_only=True):
    """The style of a picture."""

    shape: Literal["rounds", "squares", "octagons"] = "rounds"
    palette: PaletteName = "classic"
    symbols: bool = False
    theme: Literal["light", "dark"] = "light"
    pieces: Literal["black", "white"] = "black"
    names: bool = False
    numbers: bool = False


class PositionPicture(PictureStyle, frozen=True, kw_only=True):
    """A position to draw, and the style."""

    position: Position = ""
    set: SetName = "120"


# -- answers ---------------------------------------------------------------------------------


class Refusal(msgspec.Struct, omit_defaults=True):
    """Why a request was refused."""

    code: str
    message: str
    values: dict[str, float | str] = {}
    """The numbers in the message, if there are any."""


# -- problems and prints ----------------------------------------------------------------------


class PrintedPage(msgspec.Struct):
    """A page of a print; sizes are in millimetres."""

    title: str
    width: float
    height: float
