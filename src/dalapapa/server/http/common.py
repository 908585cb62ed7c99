"""What several routes share: paths, languages, pictures, and which tables a sender may watch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import Response

from ...core.errors import Forbidden, IllegalMove
from ...hosting.state import TableState
from ...texts import LANGUAGES
from ..tables.live import LiveTable
from ..workers import replays
from .context import ApiCall

PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}

DAY_CACHE = {"cache-control": "public, max-age=86400"}
"""For answers that never change."""

PersonName = Annotated[str, Meta(max_length=100)]


class TablePath(msgspec.Struct):
    """Which table."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]


class SeatPath(TablePath):
    """Which seat of which table."""

    seat: Annotated[int, Meta(ge=0, le=9)]


def negotiate_language(accepted: str, languages: Collection[str] = LANGUAGES) -> str:
    """The first language of an `Accept-Language` header that is available, else English."""
    wanted = (part.strip()[:2].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in languages), "en")


def make_picture_response(data: bytes, kind: str) -> Response:
    """The answer with a picture."""
    return Response(data, media_type=PICTURE_TYPES[kind])


async def find_watchable(call: ApiCall, id: str) -> LiveTable:
    """A table that the sender may watch; some tables admit no spectators."""
    live = await call.tables.find(id)
    state = live.state
    is_secret = state.settings.spectators == "none" and state.phase != "over"
    if is_secret and not live.seats_of(call.token):
        raise Forbidden("Only players may watch this table.", "no_spectators")
    return live


async def load_finished_game(call: ApiCall, live: LiveTable) -> replays.LoggedGame:
    """The game of a table; refused until it is over."""
    state = live.state
    if state.phase == "waiting":
        raise IllegalMove("The game has not begun.", "not_begun")
    if state.phase != "over":
        raise IllegalMove("The game is not over.", "not_over")
    return replays.make_logged_game(state, await load_log(call, live.id, state))


async def load_log(call: ApiCall, id: str, state: TableState) -> replays.TableLog:
    """The log of a table up to a state, for a worker."""
    return replays.pack_log(id, await call.tables.store.lines(id, state.version))
