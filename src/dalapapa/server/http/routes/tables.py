"""HTTP and JSON: setting tables up, finding them, their records, replays and pictures.

What a seat may do needs its token: `Authorization: Bearer TOKEN`. Refusals are
`{"code", "message"}`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import getdoc
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import asdict, replace
from starlette.responses import Response

from ....bots import list_levels
from ....bots.installed import list_offered
from ....core.errors import BrokenGame, Forbidden, IllegalMove
from ....games import DEFAULT, REGISTRY, Entry, find_game, list_entries
from ....games.installed import guard
from ....games.turns import TargetOptions
from ....hosting import encoder
from ....hosting.log import HintQuestion, TableState
from ....hosting.protocol import TableSummary
from ...schemas import Body, HistoryEntry, PictureStyle, Replay
from ...tables.live import LiveTable
from ...tables.settings import read_settings
from ...workers import jobs, replays
from ..compression import Packed
from ..context import Call
from ..routing import Routes
from .analysis import PICTURES, picture_response

routes = Routes("/api")

LONG = 1000
"""Entries of a long log; a usual game has some hundred."""

Making = Callable[[], Awaitable[bytes]]

PersonName = Annotated[str, Meta(max_length=100)]


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


class TablePath(msgspec.Struct):
    """Which table."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]


class SeatPath(TablePath):
    """Which seat of which table."""

    seat: Annotated[int, Meta(ge=0, le=9)]


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


async def watched(call: Call, id: str) -> LiveTable:
    """A table that the sender may watch: some games want no spectators."""
    live = await call.tables.find(id)
    state = live.state
    secret = state.settings.spectators == "none" and state.phase != "over"
    if secret and not live.seats_of(call.token):
        raise Forbidden("Nobody may watch this table.", "no_spectators")
    return live


async def over_game(call: Call, live: LiveTable) -> replays.Played:
    """The game of a table; refused until it is over."""
    state = live.state
    if state.phase == "waiting":
        raise IllegalMove("The game has not begun.", "not_begun")
    if state.phase != "over":
        raise IllegalMove("The game is not over.", "not_over")
    return replays.played(state, await log_of(call, live.id, state))


async def log_of(call: Call, id: str, state: TableState) -> replays.Log:
    """The log of a table up to a state, for a worker."""
    return replays.log_of(id, await call.tables.store.lines(id, state.version))


async def once(call: Call, live: LiveTable, what: str, making: Making, *key: object) -> Packed:
    """An answer about a table as it is now, made once for everybody who asks for the same.

    Of long logs, one address has few made at a time.
    """
    kept, version = call.services.kept, live.state.version
    name = (what, live.id, version, *key)
    if (found := kept.get(name)) is not None:
        return found

    async def made() -> bytes:
        if version <= LONG:
            return await making()
        call.services.long_logs.take(call.address)
        try:
            return await making()
        finally:
            call.services.long_logs.leave(call.address)

    return await call.wait(kept.of(name, made()))


class ProgramEntry(msgspec.Struct, frozen=True):
    """What a menu says about a program by somebody else."""

    name: str
    title: str
    description: str


class GameEntry(Entry, frozen=True, omit_defaults=True):
    """What a menu says about a game; one by somebody else says itself what it is about."""

    programs: tuple[str, ...]
    title: str = ""
    description: str = ""
    guests: tuple[ProgramEntry, ...] = ()
    """Programs by others, whose strength nobody has measured."""
    charge: int | UnsetType = UNSET
    """Of a game by somebody else in which turns earn points: what each domino after the first
    costs, unless its options say otherwise."""


@routes.add("GET", "/games")
async def games(_call: Call) -> list[GameEntry]:
    """All games with their numbers of players, options and programs."""
    return menu()


def menu() -> list[GameEntry]:
    """The games as menus list them."""
    listed = []
    for entry in list_entries():
        game = find_game(entry.name)
        guests = [ProgramEntry(one.name, one.title, one.description) for one in list_offered(game)]
        try:
            with guard(game, "its programs"):
                levels, options = list_levels(game), game.parse_options({})
        except BrokenGame:  # The log names it; the other games are offered.
            continue
        told = GameEntry(entry.name, entry.players, entry.options, levels, guests=tuple(guests))
        if entry.name not in REGISTRY:
            if isinstance(options, TargetOptions):
                told = replace(told, charge=options.charge)
            title = entry.name.replace("_", " ").capitalize()
            told = replace(told, title=title, description=(getdoc(game) or "").partition("\n")[0])
        listed.append(told)
    return listed


@routes.add("GET", "/tables", answer=list[TableSummary])
async def lobby(call: Call, query: LobbyQuery) -> Packed:
    """Public tables that wait for players or play."""
    return await call.services.lobby.told(query.most)


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
    found = await call.solver(jobs.hint, state.game.name, view, body.width, seconds)
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
async def record(call: Call, path: TablePath) -> Packed:
    """The record so far; with seed and draws once the game is over (docs/records.md)."""
    live = await watched(call, path.id)
    if live.state.game_state is None:
        raise IllegalMove("The game has not begun.", "not_begun")
    state = live.state

    async def made() -> bytes:
        log = await log_of(call, live.id, state)
        return await call.worked_out(replays.record, replays.played(state, log))

    return await once(call, live, "record", made)


@routes.add("GET", "/tables/{id}/history", answer=list[HistoryEntry], token=True)
async def history(call: Call, path: TablePath) -> Packed:
    """All events so far, as the sockets of this viewer were told them."""
    live = await watched(call, path.id)
    state = live.state
    seats = live.seats_of(call.token)
    if state.phase == "over":  # Then everybody may see everything.
        seats = tuple(range(len(state.seats)))

    async def made() -> bytes:
        log = await log_of(call, live.id, state)
        about = (state.settings, state.seed, live.created, log, seats)
        return await call.worked_out(replays.history, *about)

    return await once(call, live, "history", made, seats)


@routes.add("GET", "/tables/{id}/replay", answer=Replay, token=True)
async def replay(call: Call, path: TablePath) -> Packed:
    """A game that is over, step by step, with all hands."""
    live = await watched(call, path.id)

    async def made() -> bytes:
        return await call.worked_out(replays.of_table, await over_game(call, live))

    return await once(call, live, "replay", made)


@routes.add(
    "GET",
    "/tables/{id}/picture.{kind}",
    media=tuple(PICTURES.values()),
    token=True,
    refuses=[501],
)
async def picture(call: Call, path: TablePicturePath, query: PictureStyle) -> Response:
    """A picture of what lies on the table."""
    live = await watched(call, path.id)
    game_state = live.state.game_state
    table = None if game_state is None else game_state.table
    if table is None:
        raise IllegalMove("There is nothing on this table to draw.", "nothing_to_draw")
    data = await call.quick(jobs.picture, table, path.kind, asdict(query))
    return picture_response(data, path.kind)
