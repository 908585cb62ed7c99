"""Print and play over HTTP: the PDF and pictures of its pages, with options of `dalapapa print`."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from ....hosting.requests import Body
from ....printing import catalogue, flip_picture, make_pdf, read_texts
from ...schemas import PrintedPage
from ...workers import prints
from ..context import ApiCall
from ..routing import Routes

MAX_OPTION = 20_000
"""Characters of an option: a position may be long."""

routes: Routes = Routes("/api/print")

PDF = ("application/pdf",)
SVG = ("image/svg+xml",)


def _accept_text(description: str) -> Any:
    return Annotated[str, Meta(max_length=MAX_OPTION, description=description)] | UnsetType


OPTIONS = [(option.name, _accept_text(option.description), UNSET) for option in catalogue()]
PrintQuery: Any = msgspec.defstruct("PrintQuery", OPTIONS, bases=(Body,), frozen=True, kw_only=True)
"""The options of a print as texts, made from the catalogue of options."""

PAGE = ("page", Annotated[int, Meta(ge=1, le=1000)], 1)
PageQuery: Any = msgspec.defstruct(
    "PageQuery", [PAGE], bases=(PrintQuery,), frozen=True, kw_only=True
)
"""A print, and which of its pages."""


class EdgeQuery(msgspec.Struct):
    """The edge to turn paper on."""

    edge: Literal["long", "short"] = "long"


def read_options(query: Any) -> dict[str, Any]:
    """The options of a query, for `print_options`, which checks them."""
    given = {name: text for name, text in asdict(query).items() if text is not UNSET}
    given.pop("page", None)
    return read_texts(given)


@routes.add("GET", "/dalapapa.pdf", media=PDF, refuses=[409, 501])
async def pdf(call: ApiCall, query: PrintQuery) -> bytes:
    """The print as a PDF; the same options give the same bytes."""
    return await call.ask_slow(partial(make_pdf, read_options(query), from_page=True))


@routes.add("GET", "/pages", answer=list[PrintedPage], refuses=[409, 501])
async def list_pages(call: ApiCall, query: PrintQuery) -> bytes:
    """The pages of a print."""
    return await call.ask_slow(prints.list_pages, read_options(query))


@routes.add("GET", "/page.svg", media=SVG, refuses=[404, 409, 501])
async def page(call: ApiCall, query: PageQuery) -> bytes:
    """One page of a print as a picture."""
    return await call.ask_slow(prints.draw_page, read_options(query), query.page)


@routes.add("GET", "/flip.svg", media=SVG)
async def flip(_call: ApiCall, query: EdgeQuery) -> bytes:
    """How paper is turned over on an edge, as a picture."""
    return flip_picture(query.edge).encode()
