"""Online tables over HTTP: creation, seats, moves, records, replays and pictures."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from starlette.responses import Response

from ....core.errors import Forbidden, IllegalMove
from ....games.game_texts import GameTexts
from ....hosting import encoder
from ....hosting.commands import check_begun, list_visible_seats
from ....hosting.protocol import TableSummary
from ....hosting.replays import (
    GameReplay,
    HistoryEntry,
    make_logged_game,
    replay_table,
    write_game_record,
    write_history,
)
from ....hosting.requests import (
    HintAnswer,
    HintRequest,
    NewMove,
    NewPlayer,
    NewTable,
    Rematch,
    SeatTaken,
    SpectatorView,
    TableCreated,
    TableVersion,
    answer_hint,
    make_settings,
    show_to_spectator,
)
from ....hosting.seat_answers import SolverHint
from ...payload import Payload, compress_async
from ...schemas import LanguageQuery, PictureStyle
from ...single_flight import Computation
from ...tables.live import LiveTable
from ...workers import jobs
from ..context import (
    PICTURES,
    ApiCall,
    SeatPath,
    TablePath,
    find_watchable,
    load_finished_game,
    load_log,
    make_picture_response,
)
from ..menu import GameEntry, find_game_texts, list_game_entries
from ..routing import Routes

routes: Routes = Routes("/api")

MIN_LONG_LOG = 1001
"""Entries from which a log counts as long; most games have a few hundred."""


class LobbyQuery(msgspec.Struct):
    """The maximum number of tables."""

    most: Annotated[int, Meta(ge=1, le=100)] = 50


class GamePath(msgspec.Struct):
    """Which game."""

    game: Annotated[str, Meta(max_length=30)]


class TablePicturePath(TablePath):
    """A table, and the format of its picture."""

    kind: Literal["svg", "png"]


async def answer_about(
    call: ApiCall, live: LiveTable, name: str, compute: Computation[bytes], *key: Hashable
) -> Payload:
    """An answer about a table at its version, computed once for all clients.

    Concurrent answers about long logs are limited, in all and for each address.
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
async def games(call: ApiCall) -> list[GameEntry]:
    """All games with their numbers of players, options and bots."""
    return await list_game_entries(call.tables.packages)


@routes.add("GET", "/games/{game}/texts")
async def game_texts(call: ApiCall, path: GamePath, query: LanguageQuery) -> GameTexts:
    """What a game of an installed package calls its moves, events and options."""
    return await find_game_texts(call.tables.packages, path.game, query.language)


@routes.add("GET", "/tables", answer=list[TableSummary])
async def lobby(call: ApiCall, query: LobbyQuery) -> Payload:
    """Public tables that wait for players or play."""
    return await call.services.lobby.encode(query.most)


@routes.add("POST", "/tables", status=201)
async def create(call: ApiCall, body: NewTable) -> TableCreated:
    """Set a table up. The token owns the seats of the host and the guests."""
    live, token = await call.tables.creator.create(
        make_settings(body), body.host, body.guests, call.address
    )
    seats = live.seats_of(token)
    table = encoder.summarize(live.id, live.state)
    return TableCreated(live.id, token if seats else None, seats, table)


@routes.add("GET", "/tables/{id}")
async def fetch(call: ApiCall, path: TablePath) -> SpectatorView:
    """A table as a spectator sees it."""
    live = await call.tables.find(path.id)
    return show_to_spectator(encoder.summarize(live.id, live.state), live.state)


@routes.add("POST", "/tables/{id}/seats/{seat}", status=201)
async def sit(call: ApiCall, path: SeatPath, body: NewPlayer) -> SeatTaken:
    """Take a free seat. Keep the token: only its holder can play in the seat."""
    live = await call.tables.find(path.id)
    return SeatTaken(live.id, path.seat, await call.tables.commands.sit(live, path.seat, body.name))


@routes.add("DELETE", "/tables/{id}/seats/{seat}", token=True)
async def leave(call: ApiCall, path: SeatPath) -> TableVersion:
    """Leave a seat: it becomes free, or a bot plays on."""
    live = await call.tables.find(path.id)
    await call.services.challenges.check_leaving(live)
    return TableVersion(await call.tables.commands.leave(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/seats/{seat}/return", token=True)
async def come_back(call: ApiCall, path: SeatPath) -> TableVersion:
    """Return to your seat, where a bot has played for you."""
    live = await call.tables.find(path.id)
    return TableVersion(await call.tables.commands.come_back(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/seats/{seat}/replace", token=True)
async def replace_absent(call: ApiCall, path: SeatPath) -> TableVersion:
    """Let a bot play for another player who has been absent longer than the agreed time."""
    live = await call.tables.find(path.id)
    return TableVersion(await call.tables.commands.replace_absent(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/seats/{seat}/remove", token=True)
async def remove(call: ApiCall, path: SeatPath) -> TableVersion:
    """Remove a guest before the game begins; only for the host, the first player at the table."""
    live = await call.tables.find(path.id)
    return TableVersion(await call.tables.commands.remove(live, path.seat, call.token))


@routes.add("POST", "/tables/{id}/moves", token=True)
async def move(call: ApiCall, path: TablePath, body: NewMove) -> TableVersion:
    """Make a move; the answer arrives when the move is durable."""
    live = await call.tables.find(path.id)
    seats = live.seats_of(call.token)
    return TableVersion(
        await call.tables.commands.move(live, seats, body.move, body.version, body.id)
    )


@routes.add("POST", "/tables/{id}/seats/{seat}/hint", token=True)
async def hint(call: ApiCall, path: SeatPath, body: HintRequest) -> HintAnswer:
    """Ask the solver in a race, if the table allows it; all players see that it has helped."""
    live = await call.tables.find(path.id)
    call.tables.commands.check_hint(live, path.seat, call.token)
    state = live.state
    seconds = call.services.questions.solver_seconds
    if state.game.is_installed:
        ask = call.tables.packages.find_hint
        answer = await call.wait(ask(state, path.seat, body.width, seconds, call.address))
    else:
        view = state.game.view(state.game_state, path.seat)
        answer = await call.ask_solver(jobs.find_hint, state.game.name, view, body.width, seconds)
    found = msgspec.json.decode(answer, type=SolverHint)
    version = state.version
    if found.possible is not None:  # If the solver gave up, it has not helped.
        hint = call.tables.commands.hint
        version = await hint(live, path.seat, call.token, body.question, body.id)
    return answer_hint(version, body.question, found)


@routes.add("POST", "/tables/{id}/rematch", token=True)
async def rematch(call: ApiCall, path: TablePath) -> Rematch:
    """The table of the rematch: all players get the same one."""
    live = await call.tables.find(path.id)
    if not live.seats_of(call.token):
        raise Forbidden("Only players can ask for a rematch.", "not_your_seat")
    next_table = await call.tables.commands.rematch(live, call.address)
    return Rematch(next_table.id, encoder.summarize(next_table.id, next_table.state))


@routes.add("GET", "/tables/{id}/record", answer=dict[str, Any], token=True)
async def record(call: ApiCall, path: TablePath) -> Payload:
    """The record so far; with seed and draws after the end of the game (docs/records.md)."""
    live = await find_watchable(call, path.id)
    state = live.state
    check_begun(state)

    async def compute() -> bytes:
        log = await load_log(call, live.id, state)
        game = make_logged_game(state, log)
        return await call.ask_about_game(game.game, write_game_record, game)

    return await answer_about(call, live, "record", compute)


@routes.add("GET", "/tables/{id}/history", answer=list[HistoryEntry], token=True)
async def history(call: ApiCall, path: TablePath) -> Payload:
    """All events so far, as the sockets of this viewer have received them."""
    live = await find_watchable(call, path.id)
    state = live.state
    seats = list_visible_seats(state, live.seats_of(call.token))

    async def compute() -> bytes:
        log = await load_log(call, live.id, state)
        settings = state.settings
        return await call.ask_about_game(
            settings.game, write_history, settings, state.seed, live.created, log, seats
        )

    return await answer_about(call, live, "history", compute, seats)


@routes.add("GET", "/tables/{id}/replay", answer=GameReplay, token=True)
async def replay(call: ApiCall, path: TablePath) -> Payload:
    """A finished game, step by step, with all hands."""
    live = await find_watchable(call, path.id)

    async def compute() -> bytes:
        game = await load_finished_game(call, live)
        return await call.ask_about_game(game.game, replay_table, game)

    return await answer_about(call, live, "replay", compute)


@routes.add("GET", "/tables/{id}/picture.{kind}", media=PICTURES, token=True, refuses=[501])
async def picture(call: ApiCall, path: TablePicturePath, query: PictureStyle) -> Response:
    """A picture of the dominoes on the table."""
    live = await find_watchable(call, path.id)
    game_state = live.state.game_state
    table = None if game_state is None else game_state.table
    if table is None:
        raise IllegalMove("This table has no domino to draw.", "nothing_to_draw")
    data = await call.ask_quick(jobs.draw_picture, table, path.kind, query)
    return make_picture_response(data, path.kind)
