"""Questions about positions, games and rules that need no table; worker processes answer them."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import asdict
from starlette.responses import Response

from .... import rulebook
from ....coach.encode import BestTurn
from ... import schemas
from ...tables.in_play import check_not_in_play
from ...workers import jobs, replays
from ..common import PICTURE_TYPES, picture_response
from ..context import Call
from ..routing import Record, Routes

routes = Routes("/api")


class PicturePath(msgspec.Struct):
    """Which kind of picture."""

    kind: Literal["svg", "png"]


class PositionPicture(schemas.PictureStyle, frozen=True, kw_only=True):
    """A position to draw, and the style."""

    position: schemas.Position = ""
    set: schemas.SetName = "120"


class RulesPath(msgspec.Struct):
    """Which rules."""

    game: Annotated[str, Meta(max_length=20)]


class RulesQuery(msgspec.Struct):
    """In which language."""

    language: Annotated[str, Meta(max_length=20)] = "en"


class Rules(msgspec.Struct):
    """A page of the rules, and what its figures show."""

    text: str
    figures: dict[str, dict[str, Any]]


@routes.add("POST", "/legal", answer=dict[str, list[schemas.Scored]], refuses=[403, 409])
async def legal(call: Call, body: schemas.LegalQuestion) -> bytes:
    """For each domino every legal laying with its classic points, the best first."""
    check_not_in_play(call.services.sockets, call.address, body.position)
    return await call.ask_quick(jobs.legal, body)


@routes.add("POST", "/groups", answer=list[schemas.GroupForm], refuses=[409])
async def groups(call: Call, body: schemas.TableQuestion) -> bytes:
    """The groups of discs, open and closed."""
    return await call.ask_quick(jobs.groups, body)


@routes.add("POST", "/best", answer=list[BestTurn], refuses=[403, 409])
async def best(call: Call, body: schemas.BestQuestion) -> bytes:
    """The best classic turns with one or two dominoes, exactly."""
    check_not_in_play(call.services.sockets, call.address, body.position)
    return await call.ask_quick(jobs.best, body)


@routes.add("POST", "/solve", answer=schemas.Solutions, refuses=[409])
async def solve(call: Call, body: schemas.FrameQuestion) -> bytes:
    """Fill a frame, or prove that it cannot be done; gives up after a while."""
    return await call.ask_solver(jobs.solve, body, call.services.questions.solver_seconds)


@routes.add("GET", "/picture.{kind}", media=tuple(PICTURE_TYPES.values()), refuses=[409, 501])
async def picture(call: Call, path: PicturePath, query: PositionPicture) -> Response:
    """A picture of a position."""
    style = asdict(query)
    position, tiles = style.pop("position"), style.pop("set")
    data = await call.ask_quick(jobs.picture_of, position, tiles, path.kind, style)
    return picture_response(data, path.kind)


@routes.add("POST", "/replay", answer=schemas.Replay)
async def replay(call: Call, body: Record) -> bytes:
    """Verify a record, and show its game step by step."""
    return await call.ask_quick(replays.replay_record, body.data)


@routes.add("GET", "/rules/{game}", refuses=[404])
async def rules(_call: Call, path: RulesPath, query: RulesQuery) -> Rules:
    """The rules of a game as Markdown, and what the figures they name show."""
    return _rules(path.game, query.language)


@cache
def _rules(game: str, language: str) -> Rules:
    text = rulebook.page(game, language)
    figures = rulebook.figures()
    names = re.findall(r"\(figure:([^)]+)\)", text)
    return Rules(text, {name: figures[name] for name in names})
