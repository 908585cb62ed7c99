"""Questions about positions, records and rules that need no online table; workers answer them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.responses import Response

from .... import rulebook
from ....coach.encode import BestTurn
from ....hosting import questions
from ....hosting.replays import GameReplay, replay_record
from ... import schemas
from ...workers import jobs
from ...workers.packages import read_record_game
from ..context import PICTURES, ApiCall, make_picture_response
from ..in_play import check_not_in_play
from ..routing import RecordBody, Routes

routes: Routes = Routes("/api")


class PicturePath(msgspec.Struct):
    """The format of a picture."""

    kind: Literal["svg", "png"]


class RulesPath(msgspec.Struct):
    """The game of a page of rules."""

    game: Annotated[str, Meta(max_length=20)]


class RulesQuery(msgspec.Struct):
    """The language of a page of rules."""

    language: Annotated[str, Meta(max_length=20)] = "en"


@routes.add("POST", "/legal", answer=dict[str, list[questions.Scored]], refuses=[403, 409])
async def legal(call: ApiCall, body: questions.LegalQuestion) -> bytes:
    """All legal layings of each domino with their classic points, the best first."""
    check_not_in_play(call.services.sockets, call.address, body.position)
    return await call.ask_quick(jobs.answer_by(questions.list_legal), body)


@routes.add("POST", "/groups", answer=list[questions.GroupForm], refuses=[409])
async def groups(call: ApiCall, body: questions.TableQuestion) -> bytes:
    """The open and closed groups of discs."""
    return await call.ask_quick(jobs.answer_by(questions.find_groups), body)


@routes.add("POST", "/best", answer=list[BestTurn], refuses=[403, 409])
async def best(call: ApiCall, body: questions.BestQuestion) -> bytes:
    """The exact best classic turns with one or two dominoes."""
    check_not_in_play(call.services.sockets, call.address, body.position)
    return await call.ask_quick(jobs.answer_by(questions.find_best), body)


@routes.add("POST", "/solve", answer=questions.Solutions, refuses=[409])
async def solve(call: ApiCall, body: questions.FrameQuestion) -> bytes:
    """Fill a frame, or prove that it is impossible; the solver gives up after a while."""
    return await call.ask_solver(jobs.solve, body, call.services.questions.solver_seconds)


@routes.add("GET", "/picture.{kind}", media=PICTURES, refuses=[409, 501])
async def picture(call: ApiCall, path: PicturePath, query: schemas.PositionPicture) -> Response:
    """A picture of a position."""
    data = await call.ask_quick(jobs.draw_position_picture, query, path.kind)
    return make_picture_response(data, path.kind)


@routes.add("POST", "/replay", answer=GameReplay)
async def replay(call: ApiCall, body: RecordBody) -> bytes:
    """Verify a record, and show its game step by step."""
    game = read_record_game(body.data)
    return await call.wait(call.ask_about_game(game, replay_record, body.data))


@routes.add("GET", "/rules/{game}", refuses=[404])
async def rules(_call: ApiCall, path: RulesPath, query: RulesQuery) -> rulebook.Rules:
    """The rules of a game as Markdown, with the content of their figures."""
    return rulebook.load_rules(path.game, query.language)
