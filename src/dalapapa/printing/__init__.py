"""Print and play: exact PDFs of everything that belongs to the game.

`make_sheets` turns options (`options.py`) into pages, as values in millimetres (`sheet.py`). The
PDF, the previews, the tests and the sides of a stapled booklet all read these values. `make_pdf`
writes them as a PDF, always the same bytes for the same options; `preview` writes one page as SVG.
The command `dalapapa print` and the print page of the browser both call this package, which
touches no files of users.

`pages/` has a module for each kind of page. The booklet has its own small typesetter
(`typeset.py`), because reportlab's cannot produce such values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..core.errors import BadOptions, NotFound
from ..core.tiles import TileSet, standard
from .options import CUSTOM_SET_PRINTS as CUSTOM_SET_PRINTS
from .options import WHAT as WHAT
from .options import PrintOptions as PrintOptions
from .options import catalogue as catalogue
from .options import print_options as print_options
from .options import read_texts as read_texts
from .sheet import Sheet


def make_sheets(options: PrintOptions, tiles: TileSet | None = None) -> tuple[Sheet, ...]:
    """Make the pages of a print. `tiles` is a custom set, for `CUSTOM_SET_PRINTS` only."""
    if tiles and options.what not in CUSTOM_SET_PRINTS:
        raise BadOptions(
            f"Only the prints {', '.join(CUSTOM_SET_PRINTS)} accept a set of your own, not"
            f" {options.what}.",
            "usage",
        )
    sheets = _sheets(options, tiles or standard("72" if options.what == "72" else "120"))
    if options.ink == "grey":
        from .designs import convert_to_greys

        return tuple(map(convert_to_greys, sheets))
    return sheets


def _sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    # Imported when needed: a browser asks for one kind of page at a time.
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
    """Make a PDF from plain data; wrong data raises `BadOptions` (`print_options`).

    With `from_page`, the print names the fields of the print page instead of options.
    """
    options = print_options(data, from_page=from_page)
    return to_pdf(make_sheets(options), options)


def to_pdf(
    sheets: Sequence[Sheet], options: PrintOptions, advance: Callable[[int], None] = lambda _: None
) -> bytes:
    """Write sheets as a PDF with a title, an outline and embedded fonts."""
    from .pdf import write_pdf
    from .texts import say

    key = f"design_{options.design}" if options.what == "set" else options.what
    title = "Dalapapa 72" if key == "72" else f"Dalapapa – {say(key, options.language)}"
    return write_pdf(sheets, title, options.language, advance)


@lru_cache(maxsize=16)
def get_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """Make sheets, and cache the last results: previews request pages one by one."""
    return make_sheets(options)


def preview(data: Mapping[str, Any], number: int, *, from_page: bool = False) -> str:
    """Draw page `number`, counted from 1, as SVG."""
    from .svg import write_svg

    sheets = get_sheets(print_options(data, from_page=from_page))
    if not 1 <= number <= len(sheets):
        raise NotFound(f"There is no page {number}: the last one is {len(sheets)}.", "unknown_page")
    return write_svg(sheets[number - 1])


def flip_picture(edge: str) -> str:
    """Draw, as SVG, how the paper is turned over on its long or short edge."""
    from .pages.calibration import flip_sheet
    from .svg import write_svg

    return write_svg(flip_sheet(edge))
