"""HTTP and JSON: setting tables up, finding them, their records and pictures, and questions.

What a seat may do needs its token: `Authorization: Bearer TOKEN`. Refusals are
`{"code", "message"}`, as everywhere.
"""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from .. import solver
from ..errors import BadInput, IllegalMove
from ..games import catalogue
from ..notation import parse_position
from ..record import Player, Recorder, dump
from ..table import Table
from ..tiles import standard
from . import messages
from .log import Moved
from .tables import LiveTable, Tables, settings_from

MOST_POSITION = 20_000
"""Letters of a position."""


class Refusal(BaseModel):
    """Why something was not done."""

    code: str
    message: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Refusal, "description": "Refused."},
    503: {"model": Refusal, "description": "The server is full, or its database does not answer."},
}
PICTURES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {}, "image/png": {}}, "description": "The picture."}
}
RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {}}, "description": "The record (docs/records.md)."}
}

router = APIRouter(prefix="/api", responses=REFUSALS)


class Body(BaseModel):
    """What all bodies share: nothing that is not known."""

    model_config = ConfigDict(extra="forbid")


class NewTable(Body):
    """A table to set up. Whoever has no program in `seats` is a person."""

    game: str = "classic"
    options: dict[str, Any] = {}
    seats: list[str | None] = Field(
        default=[None, "greedy"], min_length=1, max_length=10,
        description="For each seat the name of a program, or null for a person.",
    )  # fmt: skip
    host: str | None = Field(None, max_length=100, description="Your name; null: just watch.")
    guests: list[Annotated[str, Field(max_length=100)]] = Field(
        default=[], max_length=9, description="Names of others at your screen."
    )
    visibility: Literal["public", "private"] = "private"
    spectators: Literal["none", "public", "all"] = "public"
    clock: dict[str, Any] = {}
    pace: int = Field(700, ge=0, le=10_000, description="Milliseconds a program takes for a move.")


class Name(Body):
    """Who sits down."""

    name: str = Field(max_length=100)


class NewMove(Body):
    """A move over HTTP."""

    move: dict[str, Any]
    version: int | None = None
    id: str | None = Field(None, min_length=1, max_length=64)


class Question(Body):
    """A position, and dominoes to lay."""

    position: str = Field("", max_length=MOST_POSITION)
    hand: list[Annotated[str, Field(max_length=20)]] = Field(min_length=1, max_length=2)
    top: int = Field(1, ge=1, le=100)
    set: Literal["120", "72"] = "120"


class Frame(Body):
    """A frame to fill with a pile, or with named dominoes."""

    width: int = Field(8, ge=1, le=60)
    height: int = Field(10, ge=1, le=60)
    pile: int | None = Field(None, ge=1, le=3)
    tiles: list[Annotated[str, Field(max_length=20)]] = Field(default=[], max_length=500)
    position: str = Field("", max_length=MOST_POSITION)
    faces: Literal["both", "recto"] = "both"
    count: int = Field(1, ge=1, le=100)
    seed: str = Field("0", max_length=64)
    set: Literal["120", "72"] = "120"


TableId = Annotated[str, Path(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Path(ge=0, le=9)]


def tables_of(request: Request) -> Tables:
    """The tables of this process."""
    found: Tables = request.app.state.tables
    return found


Found = Annotated[Tables, Depends(tables_of)]


def token_of(authorization: Annotated[str, Header(max_length=200)] = "") -> str:
    """The token that the sender holds."""
    kind, _, token = authorization.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


Token = Annotated[str, Depends(token_of)]


def may_look(tables: Tables, live: LiveTable, token: str) -> None:
    """Refuse spectators of a game that wants none."""
    state = live.state
    secret = state.settings.spectators == "none" and state.phase != "over"
    if secret and not tables.seats_of(live, token):
        raise IllegalMove("Nobody may watch this table.", "no_spectators")


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    """All games with their numbers of players and options."""
    listed: list[dict[str, Any]] = msgspec.to_builtins(catalogue())
    return listed


@router.get("/tables")
async def lobby(
    tables: Found, most: Annotated[int, Query(ge=1, le=100)] = 50
) -> list[dict[str, Any]]:
    """Public tables that wait for players or play."""
    found = []
    for stored in await tables.store.lobby(most):
        live = await tables.find(stored.id)
        found.append(messages.summary(live.id, live.state))
    return found


@router.post("/tables", status_code=201)
async def create(request: Request, tables: Found, new: NewTable) -> dict[str, Any]:
    """Set a table up. The token owns the seats of the host and the guests."""
    address = request.client.host if request.client else "?"
    if not request.app.state.new_tables.take(address):
        raise BadInput("Too many new tables: wait a moment.", "too_fast")
    settings = settings_from(
        {
            "game": new.game,
            "options": new.options,
            "seats": [{"program": program} for program in new.seats],
            "visibility": new.visibility,
            "spectators": new.spectators,
            "clock": new.clock,
            "pace": new.pace,
        }
    )
    live, token = await tables.create(settings, new.host, tuple(new.guests))
    seats = tables.seats_of(live, token)
    return {
        "id": live.id,
        "token": token if seats else None,
        "seats": seats,
        "table": messages.summary(live.id, live.state),
    }


@router.get("/tables/{id}")
async def fetch(tables: Found, id: TableId) -> dict[str, Any]:
    """A table as a spectator sees it."""
    live = await tables.find(id)
    return {
        "version": live.state.version,
        "table": messages.summary(live.id, live.state),
        "views": messages.views(live.state, ()),
    }


@router.post("/tables/{id}/seats/{seat}", status_code=201)
async def sit(tables: Found, id: TableId, seat: SeatNumber, body: Name) -> dict[str, Any]:
    """Take a free seat. Keep the token: it is the seat."""
    live = await tables.find(id)
    token = await tables.sit(live, seat, body.name)
    return {"id": live.id, "seat": seat, "token": token}


@router.delete("/tables/{id}/seats/{seat}")
async def leave(tables: Found, id: TableId, seat: SeatNumber, token: Token) -> dict[str, Any]:
    """Leave a seat: it is free again, or a program plays on."""
    live = await tables.find(id)
    return {"version": await tables.leave(live, seat, token)}


@router.post("/tables/{id}/seats/{seat}/return")
async def come_back(tables: Found, id: TableId, seat: SeatNumber, token: Token) -> dict[str, Any]:
    """Play on where a program stood in."""
    live = await tables.find(id)
    return {"version": await tables.come_back(live, seat, token)}


@router.post("/tables/{id}/moves")
async def move(tables: Found, id: TableId, body: NewMove, token: Token) -> dict[str, Any]:
    """Make a move; the answer comes when it is durable."""
    live = await tables.find(id)
    seats = tables.seats_of(live, token)
    return {"version": await tables.move(live, seats, body.move, body.version, body.id)}


@router.post("/tables/{id}/rematch")
async def rematch(tables: Found, id: TableId, token: Token) -> dict[str, Any]:
    """The same table again; everybody who asks gets the same one."""
    live = await tables.find(id)
    if not tables.seats_of(live, token):
        raise IllegalMove("Only players ask for a rematch.", "not_your_seat")
    again = await tables.rematch(live)
    return {"id": again.id, "table": messages.summary(again.id, again.state)}


@router.get("/tables/{id}/record", response_class=Response, responses=RECORD)
async def record(tables: Found, id: TableId, token: Token) -> Response:
    """The record so far; with seed and draws once the game is over."""
    live = await tables.find(id)
    may_look(tables, live, token)
    state = live.state
    if state.game_state is None:
        raise IllegalMove("The game has not begun.", "not_begun")
    data = await asyncio.to_thread(_record, live, await tables.store.log(id))
    return Response(data, media_type="application/json")


def _record(live: LiveTable, log: list[Any]) -> bytes:
    """Play the log again and write it down."""
    from ..games.bag import filled
    from ..games.moves import move_from_json

    state = live.state
    game, options = state.game, state.options
    players = [
        Player(name) if seat.program is None else Player(name, seat.program)
        for name, seat in zip(state.names(), state.seats, strict=True)
    ]
    bag = filled(game.tiles(options).names, state.seed)
    step = game.start(len(players), options, bag)
    recorder = Recorder(game, options, players, state.seed, step)
    for stored in log:
        if isinstance(stored.entry, Moved):
            move = move_from_json(stored.entry.move)
            step = game.apply(step.state, move)
            recorder.add(move, step)
    return dump(recorder.record())


@router.get("/tables/{id}/picture.{kind}", response_class=Response, responses=PICTURES)
async def picture(
    tables: Found, id: TableId, kind: Literal["svg", "png"], token: Token
) -> Response:
    """A picture of what lies on the table."""
    live = await tables.find(id)
    may_look(tables, live, token)
    table = getattr(live.state.game_state, "table", None)
    if table is None:
        raise IllegalMove("There is nothing on this table to draw.", "nothing_to_draw")
    return await asyncio.to_thread(_picture, table, kind)


@router.get("/picture.{kind}", response_class=Response, responses=PICTURES)
async def picture_of(
    kind: Literal["svg", "png"],
    position: Annotated[str, Query(max_length=MOST_POSITION)] = "",
    set: Literal["120", "72"] = "120",
) -> Response:
    """A picture of a position."""
    table = Table.parse(position, standard(set))
    return await asyncio.to_thread(_picture, table, kind)


def _picture(table: Table, kind: str) -> Response:
    from .. import drawing

    svg = drawing.draw(table.layings, table.tiles)
    if kind == "svg":
        return Response(svg, media_type="image/svg+xml")
    return Response(drawing.to_png(svg), media_type="image/png")


@router.post("/best")
async def best(question: Question) -> list[dict[str, Any]]:
    """The best classic turns with one or two dominoes, exactly."""
    table = Table.parse(question.position, standard(question.set))
    turns = await asyncio.to_thread(table.best_turns, question.hand, question.top)
    return [turn.to_json() for turn in turns]


@router.post("/solve")
async def solve(request: Request, question: Frame) -> dict[str, Any]:
    """Fill a frame, or prove that it cannot be done; gives up after a while."""
    tiles = standard(question.set)
    names = question.tiles or [t.name for t in tiles.tiles if t.pile == (question.pile or 1)]
    laid = parse_position(question.position)
    until = time.monotonic() + request.app.state.limits.solver_seconds
    found = await asyncio.to_thread(
        solver.solve,
        solver.Frame.rectangle(question.width, question.height),
        tiles,
        names,
        laid,
        faces=question.faces,
        count=question.count,
        seed=question.seed,
        stop=lambda _: time.monotonic() > until,
    )
    return {
        "solutions": [[str(laying) for laying in layout] for layout in found.solutions],
        "complete": found.complete,
        "nodes": found.nodes,
    }
