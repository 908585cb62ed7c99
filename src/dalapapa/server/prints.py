"""Print and play over HTTP: the PDF, and its pages as pictures beforehand.

The options are those of `dalapapa print`; worker processes draw.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, create_model

from ..printing import (
    catalogue,
    flip_picture,
    kept_sheets,
    make_pdf,
    preview,
    print_options,
    read_texts,
)
from .forms import REFUSALS, Body
from .study_routes import Asked, document, drawn

MAX_TEXT = 20_000
"""Letters of an option: a position may be long."""

router = APIRouter(prefix="/api/print", responses=REFUSALS)

PDF: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/pdf": {}}, "description": "The print."}
}
SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {}}, "description": "A page."}
}

Wishes: Any = create_model(
    "Wishes",
    __base__=Body,
    __doc__="What to print, and how, as one would type it.",
    **{
        option.name: (
            str | None,
            Field(None, max_length=MAX_TEXT, description=option.description),
        )
        for option in catalogue()
    },  # type: ignore[call-overload]
)
"""Made from the options themselves, so that no list is kept twice."""


class Page(BaseModel):
    """A page of a print; sizes in millimetres."""

    title: str
    width: float
    height: float


class PageWishes(Wishes):  # type: ignore[misc]
    """A print, and which of its pages."""

    page: int = Field(1, ge=1, le=1000)


def data_of(wishes: BaseModel) -> dict[str, Any]:
    """Options for `print_options`, which checks them."""
    told = wishes.model_dump(exclude_none=True)
    told.pop("page", None)
    return read_texts(told)


def file(data: dict[str, Any]) -> bytes:
    """The print as a PDF; in a worker. What it says of options, it says of the print page."""
    return make_pdf(data, from_page=True)


def pages(data: dict[str, Any]) -> bytes:
    """The pages of a print as JSON; in a worker."""
    sheets = kept_sheets(print_options(data, from_page=True))
    return msgspec.json.encode(
        [{"title": sheet.title, "width": sheet.width, "height": sheet.height} for sheet in sheets]
    )


def page_svg(data: dict[str, Any], number: int) -> bytes:
    """One page as a picture; in a worker."""
    return preview(data, number, from_page=True).encode()


@router.get("/dalapapa.pdf", response_class=Response, responses=PDF)
async def pdf(asked: Asked, wishes: Annotated[Wishes, Query()]) -> Response:
    """The print as a PDF; the same options give the same bytes."""
    return Response(await asked.slow(file, data_of(wishes)), media_type="application/pdf")


@router.get("/pages", response_model=list[Page])
async def listed(asked: Asked, wishes: Annotated[Wishes, Query()]) -> Response:
    """The pages that a print will have."""
    return document(await asked.slow(pages, data_of(wishes)))


@router.get("/page.svg", response_class=Response, responses=SVG)
async def page(asked: Asked, wishes: Annotated[PageWishes, Query()]) -> Response:
    """One page of a print as a picture."""
    return drawn(await asked.slow(page_svg, data_of(wishes), wishes.page), "svg")


@router.get("/flip.svg", response_class=Response, responses=SVG)
async def flip(edge: Literal["long", "short"] = "long") -> Response:
    """How paper is turned over on an edge, as a picture."""
    return drawn(flip_picture(edge).encode(), "svg")
