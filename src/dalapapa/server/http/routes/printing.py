"""Print and play over HTTP: the PDF, and its pages as pictures beforehand.

The options are those of `dalapapa print`; worker processes draw.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from ....printing import (
    catalogue,
    flip_picture,
    kept_sheets,
    make_pdf,
    preview,
    print_options,
    read_texts,
)
from ...schemas import Body
from ..context import Call
from ..routing import Routes

MAX_TEXT = 20_000
"""Letters of an option: a position may be long."""

routes = Routes("/api/print")

PDF = ("application/pdf",)
SVG = ("image/svg+xml",)


PrintQuery: Any = msgspec.defstruct(
    "PrintQuery",
    [
        (
            option.name,
            Annotated[str, Meta(max_length=MAX_TEXT, description=option.description)] | UnsetType,
            UNSET,
        )
        for option in catalogue()
    ],
    bases=(Body,),
    frozen=True,
    kw_only=True,
)
"""What to print, and how, as one would type it: made from the options themselves."""


PageQuery: Any = msgspec.defstruct(
    "PageQuery",
    [("page", Annotated[int, Meta(ge=1, le=1000)], 1)],
    bases=(PrintQuery,),
    frozen=True,
    kw_only=True,
)
"""A print, and which of its pages."""


class EdgeQuery(msgspec.Struct):
    """On which edge."""

    edge: Literal["long", "short"] = "long"


class Page(msgspec.Struct):
    """A page of a print; sizes in millimetres."""

    title: str
    width: float
    height: float


def data_of(query: Any) -> dict[str, Any]:
    """Options for `print_options`, which checks them."""
    given = {name: text for name, text in asdict(query).items() if text is not UNSET}
    given.pop("page", None)
    return read_texts(given)


def pages(data: dict[str, Any]) -> bytes:
    """The pages of a print as JSON; in a worker."""
    sheets = kept_sheets(print_options(data, from_page=True))
    return msgspec.json.encode([Page(one.title, one.width, one.height) for one in sheets])


def page_svg(data: dict[str, Any], number: int) -> bytes:
    """One page as a picture; in a worker."""
    return preview(data, number, from_page=True).encode()


@routes.add("GET", "/dalapapa.pdf", media=PDF, refuses=[409, 501])
async def pdf(call: Call, query: PrintQuery) -> bytes:
    """The print as a PDF; the same options give the same bytes."""
    return await call.slow(partial(make_pdf, data_of(query), from_page=True))


@routes.add("GET", "/pages", answer=list[Page], refuses=[409, 501])
async def listed(call: Call, query: PrintQuery) -> bytes:
    """The pages that a print will have."""
    return await call.slow(pages, data_of(query))


@routes.add("GET", "/page.svg", media=SVG, refuses=[404, 409, 501])
async def page(call: Call, query: PageQuery) -> bytes:
    """One page of a print as a picture."""
    return await call.slow(page_svg, data_of(query), query.page)


@routes.add("GET", "/flip.svg", media=SVG)
async def flip(_call: Call, query: EdgeQuery) -> bytes:
    """How paper is turned over on an edge, as a picture."""
    return flip_picture(query.edge).encode()
