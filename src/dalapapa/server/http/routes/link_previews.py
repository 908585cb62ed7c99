"""Pictures for link previews (`page_previews.py`); worker processes draw them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Annotated, Any

from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ....core.errors import MissingExtra
from ....hosting.questions import Position, ProblemQuery, SetName
from ....hosting.requests import Body
from ...payload import Payload, compress_async
from ...workers import preview_images
from .. import static
from ..context import DAY_CACHE, ApiCall, TablePath
from ..routing import Routes

routes: Routes = Routes("/api")

PNG = ("image/png",)

MINUTE_CACHE = {"cache-control": "public, max-age=60"}
"""For pictures of what changes."""


class PositionPreview(Body, frozen=True, kw_only=True):
    """A position to draw, and dominoes in hand."""

    position: Position = ""
    hand: Annotated[str, Meta(max_length=400, description="Names, separated by commas.")] = ""
    set: SetName = "120"


@routes.add("GET", "/preview.png", media=PNG, refuses=[404, 409])
async def position(call: ApiCall, query: PositionPreview) -> Response:
    """A picture of a position for link previews, 1200 by 630."""
    hand = tuple(filter(None, query.hand.split(",")))
    args = query.position, hand, query.set
    key = "preview", "position", *args
    return await _draw(call, DAY_CACHE, key, None, preview_images.draw_position_preview, *args)


@routes.add("GET", "/problem/preview.png", media=PNG, refuses=[404])
async def problem(call: ApiCall, query: ProblemQuery) -> Response:
    """A picture of a problem for link previews, without its solution."""
    key, request = ("preview", "problem", query.request), query.request
    return await _draw(call, DAY_CACHE, key, None, preview_images.draw_problem_preview, request)


@routes.add("GET", "/tables/{id}/preview.png", media=PNG)
async def table(call: ApiCall, path: TablePath) -> Response:
    """A picture of a table for link previews, as every spectator sees it."""
    live = await call.tables.find(path.id)
    state = live.state
    is_hidden = state.game_state is None or state.is_secret
    layout = None if is_hidden else state.game_state.table
    if layout is None or not len(layout):
        return _default_picture()
    key = "preview", "table", live.id
    return await _draw(
        call, MINUTE_CACHE, key, state.version, preview_images.draw_table_preview, layout
    )


async def _draw(
    call: ApiCall,
    headers: dict[str, str],
    key: Hashable,
    version: int | None,
    job: Callable[..., bytes],
    *args: Any,
) -> Response:
    """Draw a picture once for all clients; the default picture if an extra is missing."""

    async def draw() -> Payload:
        slow = call.services.questions.slow
        return await compress_async(await slow.ask(job, *args, address=call.address))

    try:
        picture = await call.find_or_compute(key, version, draw)
    except MissingExtra:
        return _default_picture()
    return Response(picture.data, headers=headers, media_type="image/png")


def _default_picture() -> Response:
    """The picture of the client's own files."""
    path = static.FOLDER / "preview.png"
    if not path.is_file():
        raise HTTPException(404)  # The browser client is not built.
    return Response(path.read_bytes(), headers=MINUTE_CACHE, media_type="image/png")
