"""HTTP and JSON: setting tables up, finding them, their records, replays and pictures.

What a seat may do needs its token: `Authorization: Bearer TOKEN`. Refusals are
`{"code", "message"}`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import asdict
from starlette.responses import Response

from ....core.errors import Forbidden, IllegalMove
from ....games import DEFAULT
from ....hosting import encoder
from ....hosting.entries import HintQuestion
from ....hosting.protocol import TableSummary
from ...payload import Payload, compress_async
from ...schemas import Body, HistoryEntry, PictureStyle, Replay
from ...single_flight import Computation
from ...tables.live import LiveTable
from ...tables.settings import read_settings
from ...workers import jobs, replays
from ..common import (
    PICTURE_TYPES,
    PersonName,
    SeatPath,
    TablePath,
    find_watchable,
    load_finished_game,
    load_log,
    picture_response,
)
from ..context import Call
from ..menu import GameEntry, list_games
from ..routing import Routes

routes = Routes("/api")

MIN_LONG_LOG = 1001
"""Entries of a log that counts as long; most games have some hundred."""


class NewTable(Body, frozen=True, kw_only=True):
    """A table to set up. Whoever has no program in `seats` is a person."""

    game: str = DEFAULT
    options: dict[str, Any] = field(default_factory=dict)
    seats: Annotated[
        tuple[str | None, ...],
        Meta(
            min_length=1, max_length=10,
            description="For each seat the name of a program, or null for a person.",
        ),
    ] = (None, "greedy")  # fmt: skip
    host: Annotated[PersonName, Meta(description="Your name; null: just watch.")] | None = None
    guests: Annotated[
        tuple[PersonName, ...], Meta(max_length=9, description="Names of others at your screen.")
    ] = ()
    visibility: Literal["public", "private"] = "private"
    spectators: Annotated[
        Literal["none", "public", "all"],
        Meta(
            description="What is shown without a token: nothing, the table, or all hands as well;"
            " with `all`, players can look at each other's hands, too."
        ),
    ] = "public"
    clock: dict[str, Any] = field(default_factory=dict)
    pace: Annotated[
        int, Meta(ge=0, le=10_000, description="Milliseconds a program takes for a move.")
    ] = 700
    aids: Literal["all", "places", "none"] = "all"
    hands: Literal["own", "open"] = "own"
    absence: Annotated[
        int,
        Meta(ge=0, le=86_400, description="Seconds until others may replace an absent player."),
    ] = 0
    countdown: Annotated[
        int, Meta(ge=0, le=60, description="Seconds until a race begins, once everybody sits.")
    ] = 3
    hints: Annotated[
        Literal["yes", "alone", "no"],
        Meta(description="Whether the solver helps in a race: always, one player alone, or never."),
    ] = "alone"


class NewPlayer(Body, frozen=True, kw_only=True):
    """Who sits down."""

    name: PersonName


class NewMove(Body, frozen=True, kw_only=True):
    """A move over HTTP."""

    move: dict[str, Any]
    version: int | None = None
    id: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class HintAsked(Body, frozen=True, kw_only=True):
    """What the solver is asked about one's own frame in a race."""

    question: HintQuestion = "place"
    width: Annotated[
        int, Meta(ge=1, le=60, description="Of the frame to try first, if it may lie either way.")
    ] | None = None  # fmt: skip
    id: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class LobbyQuery(msgspec.Struct):
    """How many tables at most."""

    most: Annotated[int, Meta(ge=1, le=100)] = 50


class TablePicturePath(TablePath):
    """Which kind of picture of which table."""

    kind: Literal["svg", "png"]


class Created(msgspec.Struct):
    """A new table, and the seats that its token owns."""

    id: str
    token: str | None
    seats: tuple[int, ...]
    table: TableSummary


class TableView(msgspec.Struct):
    """A table as a spectator sees it."""

    version: int
    table: TableSummary
    views: dict[str, dict[str, Any]]
    hands: tuple[tuple[str, ...], ...] | UnsetType = UNSET


class Seated(msgspec.Struct):
    """A seat that was taken, and the token that owns it."""

    id: str
    seat: int
    token: str


class Version(msgspec.Struct):
    """Of the table, with what was asked for."""

    version: int


class HintTold(msgspec.Struct):
    """Whether the frame can be completed (null: not known), and a laying if one was asked for."""

    version: int
    possible: bool | None
    laying: str | None
    width: Annotated[int, Meta(description="Of the frame that it belongs to.")] | None


class Rematch(msgspec.Struct):
    """The table at which all meet again."""

    id: str
    table: TableSummary


async def answer_about(
    call: Call, live: LiveTable, name: str, compute: Computation[bytes], *key: Hashable
) -> Payload:
    """An answer about a table at its version, computed once for all who ask for it.

    Each address has few answers about long logs computed at the same time.
    """
    version = live.state.version

    async def compute_payload() -> Payload:
        if version < MIN_LONG_LOG:
            return await compress_async(await compute())
        long_logs = call.services.long_logs
        long_logs.take(call.address)
        try:
            return await compress_async(await compute())
        finally:
            long_logs.leave(call.address)

    return await call.find_or_compute((name, live.id, *key), version, compute_payload)


@routes.add("GET", "/games")
async def games(_call: Call) -> list[GameEntry]:
    """All games with their numbers of players, options and programs."""
    return list_games()


@routes.add("GET", "/tables", answer=list[TableSummary])
async def lobby(call: Call, query: LobbyQuery) -> Payload:
    """Public tables that wait for players or play."""
    return await call.services.lobby.encode(query.most)


@routes.add("POST", "/tables", status=201)
async def create(call: Call, body: NewTable) -> Created:
    """Set a table up. The token owns the seats of the host and the guests."""
    settings = asdict(body)
    del settings["host"], settings["guests"]
    settings["seats"] = [{"program": program} for program in body.seats]
    live, token = await call.tables.creator.create(
        read_settings(settings), body.host, body.guests, call.address
    )
    seats = live.seats_of(token)
    table = encoder.summarize(live.id, live.state)
    return Created(live.id, token if seats else None, seats, table)


@routes.add("GET", "/tables/{id}")
async def fetch(call: Call, path: TablePath) -> TableView:
    """A table as a spectator sees it."""
    live = await call.tables.find(path.id)
    state = live.state
    hands = encoder.open_hands(state, ())
    return TableView(
        state.version,
        encoder.summarize(live.id, state),
        encoder.build_views(state, ()),
        UNSET if hands is None else hands,
    )


@routes.add("POST", "/tables/{id}/seats/{seat}", status=201)
async def sit(call: Call, path: SeatPath, body: NewPlayer) -> Seated:
    """Take a free seat. Keep the token: it is the seat."""
    live = await call.tables.find(path.id)
    return Seated(live.id, path.seat, await call.tables.commands.sit(live, path.seat, body.name))


@routes.add("DELETE", "/tables/{id}/seats/{seat}", token=True)
async def leave(call: Call, path: SeatPath) -> Version:
    """Leave a seat: it is free again, or a program plays on."""
    live = await call.tables.find(path.id)
    await call.services.challenges.check_leaving(live)
    return Version(await call.tables.commands.leave(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/seats/{seat}/return", token=True)
async def come_back(call: Call, path: SeatPath) -> Version:
    """Play on where a program stood in."""
    live = await call.tables.find(path.id)
    return Version(await call.tables.commands.come_back(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/seats/{seat}/replace", token=True)
async def replace_absent(call: Call, path: SeatPath) -> Version:
    """Let a program play for another player who has been absent for as long as was agreed on."""
    live = await call.tables.find(path.id)
    return Version(await call.tables.commands.replace_absent(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/seats/{seat}/remove", token=True)
async def remove(call: Call, path: SeatPath) -> Version:
    """Send a guest away before the game begins; for the host, who sits here longest."""
    live = await call.tables.find(path.id)
    return Version(await call.tables.commands.remove(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/moves", token=True)
async def move(call: Call, path: TablePath, body: NewMove) -> Version:
    """Make a move; the answer comes when it is durable."""
    live = await call.tables.find(path.id)
    seats = live.seats_of(call.token)
    return Version(await call.tables.commands.move(live, seats, body.move, body.version, body.id))


@routes.add("POST", "/tables/{id}/seats/{seat}/hint", token=True)
async def hint(call: Call, path: SeatPath, body: HintAsked) -> HintTold:
    """Ask the solver in a race, where that was agreed on; everybody sees that it has helped."""
    live = await call.tables.find(path.id)
    call.tables.commands.check_hint(live, path.seat, call.token)
    state = live.state
    view = state.game.view(state.game_state, path.seat)
    seconds = call.services.questions.solver_seconds
    found = await call.ask_solver(jobs.hint, state.game.name, view, body.width, seconds)
    told = msgspec.json.decode(found, type=jobs.HintFound)
    if told.possible is None:  # That is no help.
        return HintTold(state.version, None, None, None)
    version = await call.tables.commands.hint(live, path.seat, call.token, body.question, body.id)
    if body.question == "possible":
        return HintTold(version, told.possible, None, None)
    return HintTold(version, told.possible, told.laying, told.width)


@routes.add("POST", "/tables/{id}/rematch", token=True)
async def rematch(call: Call, path: TablePath) -> Rematch:
    """The same table again; everybody who asks gets the same one."""
    live = await call.tables.find(path.id)
    if not live.seats_of(call.token):
        raise Forbidden("Only players ask for a rematch.", "not_your_seat")
    again = await call.tables.commands.rematch(live, call.address)
    return Rematch(again.id, encoder.summarize(again.id, again.state))


@routes.add("GET", "/tables/{id}/record", answer=dict[str, Any], token=True)
async def record(call: Call, path: TablePath) -> Payload:
    """The record so far; with seed and draws once the game is over (docs/records.md)."""
    live = await find_watchable(call, path.id)
    if live.state.game_state is None:
        raise IllegalMove("The game has not begun.", "not_begun")
    state = live.state

    async def compute() -> bytes:
        log = await load_log(call, live.id, state)
        return await call.ask_shared(replays.write_record, replays.make_logged_game(state, log))

    return await answer_about(call, live, "record", compute)


@routes.add("GET", "/tables/{id}/history", answer=list[HistoryEntry], token=True)
async def history(call: Call, path: TablePath) -> Payload:
    """All events so far, as the sockets of this viewer were told them."""
    live = await find_watchable(call, path.id)
    state = live.state
    seats = live.seats_of(call.token)
    if state.phase == "over":  # Then everybody may see everything.
        seats = tuple(range(len(state.seats)))

    async def compute() -> bytes:
        log = await load_log(call, live.id, state)
        about = (state.settings, state.seed, live.created, log, seats)
        return await call.ask_shared(replays.write_history, *about)

    return await answer_about(call, live, "history", compute, seats)


@routes.add("GET", "/tables/{id}/replay", answer=Replay, token=True)
async def replay(call: Call, path: TablePath) -> Payload:
    """A game that is over, step by step, with all hands."""
    live = await find_watchable(call, path.id)

    async def compute() -> bytes:
        return await call.ask_shared(replays.replay_table, await load_finished_game(call, live))

    return await answer_about(call, live, "replay", compute)


@routes.add(
    "GET",
    "/tables/{id}/picture.{kind}",
    media=tuple(PICTURE_TYPES.values()),
    token=True,
    refuses=[501],
)
async def picture(call: Call, path: TablePicturePath, query: PictureStyle) -> Response:
    """A picture of what lies on the table."""
    live = await find_watchable(call, path.id)
    game_state = live.state.game_state
    table = None if game_state is None else game_state.table
    if table is None:
        raise IllegalMove("There is nothing on this table to draw.", "nothing_to_draw")
    data = await call.ask_quick(jobs.picture, table, path.kind, asdict(query))
    return picture_response(data, path.kind)
