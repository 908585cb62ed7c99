"""Requests about the tables of a device: those of the server's HTTP API that a device can answer.

The structs and the answers are the server's (`hosting/requests.py`, docs/http-api.md).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from ...core.errors import Conflict, Forbidden, IllegalMove, Malformed, MissingExtra
from ...hosting import encoder
from ...hosting.commands import (
    check_begun,
    check_may_watch,
    check_other_player,
    check_over,
    check_owner,
    derive_rematch_id,
    hash_hint_id,
    list_rematch_seats,
    list_visible_seats,
    make_rematch_settings,
    make_removal,
    seat_people,
)
from ...hosting.entries import Entry, Hinted, Left, Rematched, Returned, Sat
from ...hosting.moved import MovedTable, pack_table, shift_times, unpack_table, verify_table
from ...hosting.protocol import DEVICE_PREFIX
from ...hosting.replays import (
    LoggedGame,
    make_logged_game,
    replay_table,
    write_game_record,
    write_history,
)
from ...hosting.requests import (
    Body,
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
from ...hosting.seat_answers import SolverHint
from ...hosting.state import TableState, check_hint, clean_name
from ...hosting.tokens import hash_token
from ..messages import read_json
from .messages import DeviceTableSummary, Request, TableId, Write, write_line
from .table import DeviceTable, build_table, write_table
from .tables import DeviceTables

T = TypeVar("T")

HINT_SECONDS = 5.0
"""The time of the solver for one hint."""

Continue = Callable[[bytes], Any]


class Later(NamedTuple):
    """The answer follows from the other worker's answer to a question."""

    question: int
    then: Continue


class DeviceCall(NamedTuple):
    """A request, and what its handler needs to answer it."""

    tables: DeviceTables
    request: Request
    match: Mapping[str, str]
    query: Mapping[str, str]

    @property
    def table(self) -> DeviceTable:
        """The table of the path."""
        return self.tables.find(self.match["id"])

    @property
    def seat(self) -> int:
        """The seat of the path."""
        return int(self.match["seat"])

    def read(self, kind: type[T]) -> T:
        """The body of the request."""
        return read_json(self.request.body, kind)

    def ask(self, method: str, arguments: dict[str, Any], then: Continue) -> Later:
        """Ask the other worker about the table."""
        table = self.table
        log = [write_line(one) for one in table.log]
        about = {"table": table.stored, "log": log, **arguments}
        return Later(self.tables.ask(method, about), then)


_PICTURE = re.compile(r"/tables/[\w-]{1,32}/picture\.\w+")

PATH_PARTS = {"id": r"[\w-]{1,32}", "seat": r"\d", "challenge": r"device-[\w-]{1,50000}"}
"""The forms of what varies in paths."""

Handler = Callable[[DeviceCall], Any]
ROUTES: list[tuple[str, re.Pattern[str], Handler]] = []


def route(method: str, path: str) -> Callable[[Handler], Handler]:
    """Declare the handler of a request, with the path of the HTTP API."""
    pattern = path
    for name, form in PATH_PARTS.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}>{form})")

    def add(handler: Handler) -> Handler:
        ROUTES.append((method, re.compile(pattern, re.ASCII), handler))
        return handler

    return add


def answer_request(tables: DeviceTables, request: Request) -> Any:
    """The answer to a request, or `Later`; raises refusals."""
    path, _, query = request.path.partition("?")
    for method, pattern, handler in ROUTES:
        if method == request.method and (found := pattern.fullmatch(path)):
            return handler(DeviceCall(tables, request, found.groupdict(), _read_query(query)))
    if _PICTURE.fullmatch(path):
        raise MissingExtra("A device draws no pictures of tables.", "no_pictures")
    raise Malformed("A device does not answer this request.")


def _read_query(text: str) -> dict[str, str]:
    """The fields of a query, which have nothing that would be escaped."""
    return {name: value for name, _, value in (field.partition("=") for field in text.split("&"))}


# -- tables --------------------------------------------------------------------------------------


@route("POST", "/tables")
def create(call: DeviceCall) -> TableCreated:
    """Set a table up; its token owns the seats of the host and the guests."""
    body = call.read(NewTable)
    settings = make_settings(body)
    token = secrets.token_urlsafe(16)
    seated = seat_people(settings, body.host, body.guests, hash_token(token))
    id = DEVICE_PREFIX + secrets.token_urlsafe(12)
    table = call.tables.create(settings, seated, id)
    seats = table.seats_of(token)
    return TableCreated(id, token if seats else None, seats, _summarize(table))


@route("GET", "/tables")
def list_held(call: DeviceCall) -> list[DeviceTableSummary]:
    """The tables in memory: a full storage does not have them."""
    return [table.summarize() for table in call.tables.tables.values()]


@route("DELETE", "/tables/{id}")
def delete(call: DeviceCall) -> None:
    """Delete a table, also one that cannot be read; with `version`, only if it is still that."""
    wanted = call.query.get("version")
    if wanted is not None and str(call.table.state.version) != wanted:
        raise Conflict("The table has changed in the meantime.", "stale")
    call.tables.delete(call.match["id"])


@route("GET", "/tables/{id}/log")
def fetch_log(call: DeviceCall) -> MovedTable:
    """The whole table, for a file or for a server."""
    return pack_table(call.table.stored, call.table.log)


class FiledTable(Body, frozen=True, kw_only=True):
    """A table of a file, with its id."""

    id: TableId
    table: MovedTable


@route("POST", "/tables/check")
def check_filed_table(call: DeviceCall) -> Write:
    """Verify a table of a file; the answer is what to store of it."""
    body = call.read(FiledTable)
    verify_table(body.table)
    return write_table(build_table(*unpack_table(body.table, body.id)))


@route("POST", "/tables/from-server")
def take_from_server(call: DeviceCall) -> TableCreated:
    """Continue a table of a server here; its tokens stay valid."""
    body = shift_times(call.read(MovedTable), call.tables.now)
    verify_table(body)
    id = DEVICE_PREFIX + secrets.token_urlsafe(12)
    table = call.tables.add(*unpack_table(body, id))
    token = call.request.token
    return TableCreated(id, token, table.seats_of(token), _summarize(table))


def _summarize(table: DeviceTable) -> Any:
    return encoder.summarize(table.id, table.state)


@route("GET", "/tables/{id}")
def fetch(call: DeviceCall) -> SpectatorView:
    """A table as a spectator sees it."""
    return show_to_spectator(_summarize(call.table), call.table.state)


# -- seats ---------------------------------------------------------------------------------------


@route("POST", "/tables/{id}/seats/{seat}")
def sit(call: DeviceCall) -> SeatTaken:
    """Take a free seat."""
    name, token = clean_name(call.read(NewPlayer).name), secrets.token_urlsafe(16)
    call.tables.act(call.table, lambda _: Sat(call.seat, name, hash_token(token)))
    return SeatTaken(call.table.id, call.seat, token)


@route("DELETE", "/tables/{id}/seats/{seat}")
def leave(call: DeviceCall) -> TableVersion:
    """Leave a seat: it becomes free, or a bot plays on."""
    return _act_as_owner(call, Left(call.seat))


@route("POST", "/tables/{id}/seats/{seat}/return")
def come_back(call: DeviceCall) -> TableVersion:
    """Return to a seat where a bot has played."""
    return _act_as_owner(call, Returned(call.seat))


@route("POST", "/tables/{id}/seats/{seat}/replace")
def replace_absent(call: DeviceCall) -> TableVersion:
    """Refuse to replace a player: everyone who plays on a device is there."""
    check_other_player(call.table.seats_of(call.request.token), call.seat)
    raise IllegalMove("This player still has time.", "not_absent")


@route("POST", "/tables/{id}/seats/{seat}/remove")
def remove(call: DeviceCall) -> TableVersion:
    """Send a guest away before the game."""
    own = call.table.seats_of(call.request.token)
    return TableVersion(
        call.tables.act(call.table, lambda state: make_removal(state, own, call.seat))
    )


def _act_as_owner(call: DeviceCall, entry: Entry, move_id: str | None = None) -> TableVersion:
    check_owner(call.table.seats_of(call.request.token), call.seat)
    return TableVersion(call.tables.act(call.table, lambda _: entry, move_id))


# -- moves ---------------------------------------------------------------------------------------


@route("POST", "/tables/{id}/moves")
def move(call: DeviceCall) -> TableVersion:
    """Make a move."""
    body = call.read(NewMove)
    seats = call.table.seats_of(call.request.token)
    return TableVersion(call.tables.move(call.table, seats, body.move, body.version, body.id))


@route("POST", "/tables/{id}/seats/{seat}/hint")
def request_hint(call: DeviceCall) -> Later:
    """Ask the solver in a race, if the table allows it."""
    body, state = call.read(HintRequest), call.table.state
    check_owner(call.table.seats_of(call.request.token), call.seat)
    check_hint(state, call.seat, call.tables.now)
    arguments = {"seat": call.seat, "width": body.width, "seconds": HINT_SECONDS}
    return call.ask("hint", arguments, lambda data: _record_hint(call, body, state, data))


def _record_hint(call: DeviceCall, body: HintRequest, asked: TableState, data: bytes) -> HintAnswer:
    """Record that the solver has helped: all players see it."""
    found, version = msgspec.json.decode(data, type=SolverHint), asked.version
    if found.possible is not None:  # If the solver gave up, it has not helped.
        entry = Hinted(call.seat, body.question)
        version = _act_as_owner(call, entry, hash_hint_id(call.seat, body.id)).version
    return answer_hint(version, body.question, found)


@route("POST", "/tables/{id}/rematch")
def rematch(call: DeviceCall) -> Rematch:
    """The table of the rematch; the same one for every request."""
    tables, table = call.tables, call.table
    if not table.seats_of(call.request.token):
        raise Forbidden("Only players can ask for a rematch.", "not_your_seat")
    seated = list_rematch_seats(table.state)
    if table.state.rematch is not None:
        again = tables.find(table.state.rematch)
    else:
        id = DEVICE_PREFIX + derive_rematch_id(table.id, table.state.seed)
        again = tables.create(make_rematch_settings(table.state), seated, id)
        tables.act(table, lambda _: Rematched(id))
    return Rematch(again.id, _summarize(again))


# -- games ---------------------------------------------------------------------------------------


def _find_watchable(call: DeviceCall) -> DeviceTable:
    """A table that the sender may watch; some tables admit no spectators."""
    table = call.table
    check_may_watch(table.state, table.seats_of(call.request.token))
    return table


def find_finished_game(call: DeviceCall) -> LoggedGame:
    """A finished game that the sender may watch."""
    table = _find_watchable(call)
    check_begun(table.state)
    check_over(table.state)
    return make_logged_game(table.state, table)


@route("GET", "/tables/{id}/record")
def record(call: DeviceCall) -> msgspec.Raw:
    """The record so far; with seed and draws after the end of the game."""
    table = _find_watchable(call)
    check_begun(table.state)
    return msgspec.Raw(write_game_record(make_logged_game(table.state, table)))


@route("GET", "/tables/{id}/history")
def history(call: DeviceCall) -> msgspec.Raw:
    """All events so far, as the sessions of this viewer have received them."""
    table = _find_watchable(call)
    seats = list_visible_seats(table.state, table.seats_of(call.request.token))
    stored = table.stored
    return msgspec.Raw(write_history(stored.settings, stored.seed, stored.created, table, seats))


@route("GET", "/tables/{id}/replay")
def replay(call: DeviceCall) -> msgspec.Raw:
    """A finished game, step by step, with all hands."""
    return msgspec.Raw(replay_table(find_finished_game(call)))


@route("GET", "/tables/{id}/review")
def request_review(call: DeviceCall) -> Later:
    """The coach's review of a finished game."""
    find_finished_game(call)
    language = call.query.get("language", "en")
    return call.ask("review_table", {"language": language}, msgspec.Raw)
