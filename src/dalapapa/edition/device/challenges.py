"""Challenges of a device: games that others play with the same bag, in the same seat.

No server keeps them, so the id of a challenge contains it: settings, seed, dominoes, and the result
to beat. Each device compares the games that were played on it, and trusts the result in the link.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any, Literal

import msgspec

from ...core.errors import BadInput, DalapapaError, Forbidden, IllegalMove, NotFound
from ...core.tiles import SetIdentity, check_identity
from ...games.bag import hash_seed
from ...hosting.commands import anonymize_options, check_no_race, check_over, find_person
from ...hosting.entries import Sat
from ...hosting.moved import Seed
from ...hosting.protocol import DEVICE_PREFIX
from ...hosting.requests import AttemptBegun, NewAttempt, NewChallenge, PersonName
from ...hosting.settings import Clock, Settings, find_tiles, read_settings
from ...hosting.tokens import hash_token
from ..messages import check_depth
from .messages import TableId
from .requests import DeviceCall, Later, find_finished_game, route
from .table import DeviceTable, check_known_bots

MAX_CHALLENGE_BYTES = 40_000
"""More than the settings of any table, with a custom set."""


class ResultToBeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the player who made a challenge has played it, as the link says."""

    name: PersonName
    score: int
    won: bool


class LinkedChallenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the id of a challenge contains; `settings` without those that are the default."""

    settings: dict[str, Any]
    seed: Seed
    set: SetIdentity
    table: TableId
    """The table of the first game, which may be on this device."""
    result: ResultToBeat


class DeviceChallenge(msgspec.Struct):
    """A challenge as a page shows it; its attempts are the tables with the same commitment."""

    id: str
    game: str
    options: dict[str, Any]
    seats: list[str | None]
    seat: int
    clock: Clock
    aids: Literal["all", "places", "none"]
    hands: Literal["own", "open"]
    seed: str
    commitment: str
    original: str
    """The table of the first game, which may be on this device."""
    result: ResultToBeat


def write_challenge(challenge: LinkedChallenge) -> str:
    """The id that contains a challenge."""
    data = zlib.compress(msgspec.json.encode(challenge), 9)
    return DEVICE_PREFIX + urlsafe_b64encode(data).decode().rstrip("=")


def read_challenge(id: str) -> tuple[LinkedChallenge, Settings]:
    """The challenge that an id contains; refuses damaged links and those of other dominoes."""
    text = id.removeprefix(DEVICE_PREFIX)
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        data = zlib.decompressobj().decompress(packed, MAX_CHALLENGE_BYTES)
        check_depth(data)
        challenge = msgspec.json.decode(data, type=LinkedChallenge)
        settings = read_settings(challenge.settings)
        tiles = find_tiles(settings).identity
        find_person(settings)
        check_known_bots(settings)
    except (DalapapaError, ValueError, zlib.error, msgspec.MsgspecError):
        raise NotFound("This link contains no challenge.", "unknown_challenge") from None
    check_identity("This challenge", challenge.set, tiles)
    return challenge, settings


def _make_challenge(table: DeviceTable) -> LinkedChallenge:
    state = table.state
    check_over(state)
    check_no_race(state)
    seat = find_person(state.settings)
    outcome = state.game.outcome(state.game_state)
    if outcome is None or state.closed is not None:
        raise IllegalMove("The game is not over.", "not_over")
    settings = msgspec.structs.replace(
        state.settings,
        options=anonymize_options(state, seat),
        visibility="private",
        spectators="none",
    )
    usual = msgspec.to_builtins(Settings(settings.game, ()))
    written = msgspec.to_builtins(settings)
    changed = {key: value for key, value in written.items() if value != usual[key] or key == "game"}
    result = ResultToBeat(state.names()[seat], outcome.scores[seat], seat in outcome.winners)
    return LinkedChallenge(changed, state.seed, find_tiles(settings).identity, table.id, result)


@route("POST", "/tables/{id}/challenge")
def make(call: DeviceCall) -> NewChallenge:
    """Make a challenge from the own finished game: a link that contains it."""
    if not call.table.seats_of(call.request.token):
        raise Forbidden("Only the player of a game can make it a challenge.", "not_your_seat")
    return NewChallenge(write_challenge(_make_challenge(call.table)))


@route("GET", "/challenges/{challenge}")
def show(call: DeviceCall) -> DeviceChallenge:
    """The challenge that the id contains."""
    id = call.match["challenge"]
    challenge, settings = read_challenge(id)
    return DeviceChallenge(
        id,
        settings.game,
        settings.options,
        [plan.program for plan in settings.seats],
        find_person(settings),
        settings.clock,
        settings.aids,
        settings.hands,
        challenge.seed,
        hash_seed(challenge.seed),
        challenge.table,
        challenge.result,
    )


@route("POST", "/challenges/{challenge}/attempts")
def begin(call: DeviceCall) -> AttemptBegun:
    """A table with the bag of the challenge; the same one for every request with a token."""
    id, token, body = call.match["challenge"], call.request.token, call.read(NewAttempt)
    challenge, settings = read_challenge(id)
    if not token:
        raise BadInput("An attempt needs a token.", "bad_token")
    seat, owner = find_person(settings), hash_token(token)
    table = DEVICE_PREFIX + _derive_attempt_id(owner, id)
    try:
        call.tables.find(table)
    except NotFound:
        call.tables.create(settings, [Sat(seat, body.name, owner)], table, challenge.seed)
    return AttemptBegun(table, seat)


def _derive_attempt_id(owner: str, challenge: str) -> str:
    mark = sha256(f"the attempt of {owner} at {challenge}".encode()).digest()
    return urlsafe_b64encode(mark[:12]).decode()


@route("GET", "/tables/{id}/seats/{seat}/comparison")
def request_comparison(call: DeviceCall) -> Later:
    """The turns of a seat in a finished game; null if the game was closed."""
    find_finished_game(call)
    return call.ask("compare_table", {"seat": call.seat}, msgspec.Raw)
