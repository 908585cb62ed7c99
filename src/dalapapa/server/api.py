"""HTTP and JSON: setting tables up, finding them, their records, replays and pictures.

What a seat may do needs its token: `Authorization: Bearer TOKEN`. Refusals are
`{"code", "message"}`, as everywhere.
"""

from __future__ import annotations

from contextlib import suppress
from inspect import getdoc
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from pydantic import Field

from ..bots import levels_of
from ..errors import BadInput, Forbidden, IllegalMove, TooMany
from ..games import DEFAULT, REGISTRY, catalogue, find
from . import jobs, messages, replays
from .forms import PICTURES, RECORD, REFUSALS, Body, Happened, Look, Replay
from .limits import address_of
from .study_routes import Asked, document, drawn
from .tables import LiveTable, Tables, settings_from

router = APIRouter(prefix="/api", responses=REFUSALS)


class NewTable(Body):
    """A table to set up. Whoever has no program in `seats` is a person."""

    game: str = DEFAULT
    options: dict[str, Any] = Field(default={})
    seats: list[str | None] = Field(
        default=[None, "medium"], min_length=1, max_length=10,
        description="For each seat the name of a program, or null for a person.",
    )  # fmt: skip
    host: str | None = Field(None, max_length=100, description="Your name; null: just watch.")
    guests: list[Annotated[str, Field(max_length=100)]] = Field(
        default=[], max_length=9, description="Names of others at your screen."
    )
    visibility: Literal["public", "private"] = "private"
    spectators: Literal["none", "public", "all"] = "public"
    clock: dict[str, Any] = Field(default={})
    pace: int = Field(700, ge=0, le=10_000, description="Milliseconds a program takes for a move.")
    aids: Literal["all", "places", "none"] = "all"


class Name(Body):
    """Who sits down."""

    name: str = Field(max_length=100)


class NewMove(Body):
    """A move over HTTP."""

    move: dict[str, Any]
    version: int | None = None
    id: str | None = Field(None, min_length=1, max_length=64)


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
        raise Forbidden("Nobody may watch this table.", "no_spectators")


async def over_game(tables: Tables, live: LiveTable) -> replays.Played:
    """The game of a table; refused until it is over."""
    state = live.state
    if state.phase == "waiting":
        raise IllegalMove("The game has not begun.", "not_begun")
    if state.phase != "over":
        raise IllegalMove("The game is not over.", "not_over")
    return replays.played(state, await tables.store.log(live.id))


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    """All games with their numbers of players, options and programs."""
    return menu()


def menu() -> list[dict[str, Any]]:
    """The games as menus list them; one by somebody else says itself what it is about."""
    listed = []
    for entry in catalogue():
        game = find(entry.name)
        told = msgspec.to_builtins(entry) | {"programs": list(levels_of(game))}
        if entry.name not in REGISTRY:
            told["title"] = entry.name.replace("_", " ").capitalize()
            told["description"] = (getdoc(game) or "").partition("\n")[0]
        listed.append(told)
    return listed


@router.get("/tables")
async def lobby(
    tables: Found, most: Annotated[int, Query(ge=1, le=100)] = 50
) -> list[dict[str, Any]]:
    """Public tables that wait for players or play."""
    found = []
    for stored in await tables.store.lobby(most):
        with suppress(BadInput):  # Nobody can open it here: other dominoes, an unknown game.
            live = await tables.find(stored.id)
            found.append(messages.summary(live.id, live.state))
    return found


@router.post("/tables", status_code=201)
async def create(request: Request, tables: Found, new: NewTable) -> dict[str, Any]:
    """Set a table up. The token owns the seats of the host and the guests."""
    if not request.app.state.new_tables.take(address_of(request.scope)):
        raise TooMany("Too many new tables: wait a moment.", "too_fast")
    settings = settings_from(
        {
            "game": new.game,
            "options": new.options,
            "seats": [{"program": program} for program in new.seats],
            "visibility": new.visibility,
            "spectators": new.spectators,
            "clock": new.clock,
            "pace": new.pace,
            "aids": new.aids,
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
        raise Forbidden("Only players ask for a rematch.", "not_your_seat")
    again = await tables.rematch(live)
    return {"id": again.id, "table": messages.summary(again.id, again.state)}


@router.get("/tables/{id}/record", response_class=Response, responses=RECORD)
async def record(tables: Found, asked: Asked, id: TableId, token: Token) -> Response:
    """The record so far; with seed and draws once the game is over."""
    live = await tables.find(id)
    may_look(tables, live, token)
    state = live.state
    if state.game_state is None:
        raise IllegalMove("The game has not begun.", "not_begun")
    game = replays.played(state, await tables.store.log(id))
    return document(await asked.quick(replays.record, game))


@router.get("/tables/{id}/history", response_model=list[Happened])
async def history(tables: Found, asked: Asked, id: TableId, token: Token) -> Response:
    """All events so far, as the sockets of this viewer were told them."""
    live = await tables.find(id)
    may_look(tables, live, token)
    state = live.state
    seats = tables.seats_of(live, token)
    if state.phase == "over":  # Then everybody may see everything.
        seats = tuple(range(len(state.seats)))
    log = (await tables.store.log(id))[: state.version]
    words = (state.settings, state.seed, live.created, log, seats)
    return document(await asked.quick(replays.history, *words))


@router.get("/tables/{id}/replay", response_model=Replay)
async def replay(tables: Found, asked: Asked, id: TableId, token: Token) -> Response:
    """A game that is over, step by step, with all hands."""
    live = await tables.find(id)
    may_look(tables, live, token)
    return document(await asked.quick(replays.of_table, await over_game(tables, live)))


@router.get("/tables/{id}/picture.{kind}", response_class=Response, responses=PICTURES)
async def picture(
    tables: Found,
    asked: Asked,
    id: TableId,
    kind: Literal["svg", "png"],
    token: Token,
    look: Annotated[Look, Query()],
) -> Response:
    """A picture of what lies on the table."""
    live = await tables.find(id)
    may_look(tables, live, token)
    table = getattr(live.state.game_state, "table", None)
    if table is None:
        raise IllegalMove("There is nothing on this table to draw.", "nothing_to_draw")
    told = await asked.quick(jobs.picture, table, kind, look.model_dump())
    return drawn(told, kind)
