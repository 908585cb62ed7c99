"""Print and play: exact PDFs of everything that belongs to the game.

`make_sheets` builds pages as data in millimetres from options (`options.py`); `make_pdf` writes
them as a PDF, always the same bytes for the same options, and `preview` one page as SVG. Nothing
here knows files: `dalapapa print` and the print page of the browser both come here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..core.errors import BadOptions, NotFound
from ..core.tiles import TileSet, standard
from .options import OWN_SET, WHAT, PrintOptions, catalogue, print_options, read_texts
from .sheet import Sheet

__all__ = [
    "OWN_SET",
    "WHAT",
    "PrintOptions",
    "catalogue",
    "flip_picture",
    "kept_sheets",
    "make_pdf",
    "make_sheets",
    "preview",
    "print_options",
    "read_texts",
    "to_pdf",
]


def make_sheets(options: PrintOptions, tiles: TileSet | None = None) -> tuple[Sheet, ...]:
    """The pages that options ask for. `tiles` is a custom set, for `OWN_SET` only."""
    if tiles and options.what not in OWN_SET:
        raise BadOptions(
            f"A set of your own is for the prints {', '.join(OWN_SET)}, not for {options.what}.",
            "usage",
        )
    sheets = _sheets(options, tiles or standard("72" if options.what == "72" else "120"))
    if options.ink == "grey":
        from .greys import in_greys

        return tuple(map(in_greys, sheets))
    return sheets


def _sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    # Each kind has its own module, and the browser asks for one of them: they load when needed.
    match options.what:
        case "scores":
            from .pages.scores import score_sheets

            return score_sheets(options)
        case "extras":
            from .pages.extras import extra_sheets

            return extra_sheets(options)
        case "calibration":
            from .pages.calibration import calibration_sheets

            return calibration_sheets(options)
        case "box":
            from .pages.box import box_sheets as make
        case "set":
            from .pages.dominoes import domino_sheets as make
        case "72":
            from .pages.fold import fold_sheets as make
        case "board":
            from .pages.board import board_sheets as make
        case "booklet":
            from .pages.booklet import booklet_sheets as make
        case "position":
            from .pages.pictures import position_sheets as make
        case "puzzle":
            from .pages.pictures import puzzle_sheets as make
        case "solution":
            from .pages.pictures import solution_sheets as make
    sheets = make(options, tiles)
    if options.cover and options.what in ("set", "72"):
        from .pages.cover import cover_sheets

        return (*cover_sheets(options, tiles), *sheets)
    return sheets


def make_pdf(data: Mapping[str, Any], *, from_page: bool = False) -> bytes:
    """The PDF that plain data asks for; wrong data raises `BadOptions` (`print_options`).

    `from_page` says that the print page asks: the print then names its fields.
    """
    options = print_options(data, from_page=from_page)
    return to_pdf(make_sheets(options), options)


def to_pdf(
    sheets: Sequence[Sheet], options: PrintOptions, advance: Callable[[int], None] = lambda _: None
) -> bytes:
    """Sheets as a PDF with a title, an outline and embedded fonts."""
    from .pdf import write_pdf
    from .texts import say

    key = f"design_{options.design}" if options.what == "set" else options.what
    title = "Dalapapa 72" if key == "72" else f"Dalapapa – {say(key, options.language)}"
    return write_pdf(sheets, title, options.language, advance)


@lru_cache(maxsize=16)
def kept_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """As `make_sheets`; the last are cached, because pages are requested one by one."""
    return make_sheets(options)


def preview(data: Mapping[str, Any], number: int, *, from_page: bool = False) -> str:
    """Page `number`, from 1, as SVG."""
    from .svg import write_svg

    sheets = kept_sheets(print_options(data, from_page=from_page))
    if not 1 <= number <= len(sheets):
        raise NotFound(f"There is no page {number}: there are {len(sheets)}.", "unknown_page")
    return write_svg(sheets[number - 1])


def flip_picture(edge: str) -> str:
    """How the paper is turned over on its long or short edge, as SVG."""
    from .pages.calibration import flip_sheet
    from .svg import write_svg

    return write_svg(flip_sheet(edge))
