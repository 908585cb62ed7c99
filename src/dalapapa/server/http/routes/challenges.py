"""Challenges over HTTP: made from a game, looked at, taken up, and compared afterwards."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ....core.errors import DamagedTable, NotFound
from ....games.bag import hash_seed
from ....hosting.settings import Clock
from ...payload import Payload, compress_async
from ...schemas import Body, ComparedGame
from ...tables.challenges import Attempt, Challenge, find_attempt, select_compared
from ...tables.tokens import hash_token
from ...workers.comparisons import compare_game
from ...workers.replays import pack_log
from ..common import PersonName, TablePath
from ..context import Call
from ..routing import Routes

routes = Routes("/api")


class ChallengePath(msgspec.Struct):
    """Which challenge."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]


class NewAttempt(Body, frozen=True, kw_only=True):
    """Who takes up a challenge."""

    name: PersonName


class Challenged(msgspec.Struct):
    """The challenge that was made of a game."""

    id: str


class AttemptTold(msgspec.Struct):
    """Somebody who plays, or has played; without a name if the game was not kept."""

    name: str | None
    phase: Literal["playing", "over", "removed"]
    original: bool
    yours: bool


class ChallengeTold(msgspec.Struct):
    """What everybody with the link may know of a challenge."""

    id: str
    created: int
    game: str
    options: dict[str, Any]
    seats: list[str | None]
    """For each seat the name of its program; null for the one that is played."""
    seat: int
    clock: Clock
    aids: Literal["all", "places", "none"]
    hands: Literal["own", "open"]
    commitment: str
    attempts: list[AttemptTold]
    table: str | None
    """That of your own attempt."""


class Begun(msgspec.Struct):
    """Your own attempt: its seat belongs to your token."""

    table: str
    seat: int


class ComparedAttempt(msgspec.Struct):
    """An attempt that is over."""

    table: str
    original: bool
    played: ComparedGame


class Comparison(msgspec.Struct):
    """All attempts that are over, the best first; how many go on, and how many are gone."""

    seed: str
    attempts: list[ComparedAttempt]
    playing: int
    removed: int


@routes.add("POST", "/tables/{id}/challenge", status=201, token=True)
async def make(call: Call, path: TablePath) -> Challenged:
    """Make a challenge of one's own game against programs that is over."""
    live = await call.tables.find(path.id)
    return Challenged(await call.services.challenges.make(live, call.token))


@routes.add("GET", "/challenges/{id}", token=True)
async def look(call: Call, path: ChallengePath) -> ChallengeTold:
    """What is played, who has played it, and how far one's own attempt is."""
    challenge = await call.services.challenges.find(path.id)
    return _told(challenge, await call.services.challenges.attempts(path.id), call.token)


def _told(challenge: Challenge, found: list[Attempt], token: str) -> ChallengeTold:
    settings = challenge.settings
    own = find_attempt(found, hash_token(token)) if token else None
    return ChallengeTold(
        challenge.id,
        challenge.created,
        settings.game,
        settings.options,
        [plan.program for plan in settings.seats],
        challenge.seat,
        settings.clock,
        settings.aids,
        settings.hands,
        hash_seed(challenge.seed),
        [
            AttemptTold(one.name, one.phase, one.at < challenge.created, one is own)
            for one in select_compared(found, own)
        ],
        None if own is None else own.table,
    )


@routes.add("POST", "/challenges/{id}/attempts", status=201, token=True)
async def begin(call: Call, path: ChallengePath, body: NewAttempt) -> Begun:
    """Take a challenge up, with a token that you have made up; the same token has one attempt."""
    challenges = call.services.challenges
    challenge = await challenges.find(path.id)
    attempt = await challenges.begin(challenge, call.token, body.name, call.address)
    return Begun(attempt.table, challenge.seat)


@routes.add("GET", "/challenges/{id}/comparison", token=True)
async def compare(call: Call, path: ChallengePath) -> Comparison:
    """Everybody's turns, for those whose own attempt is over."""
    challenges = call.services.challenges
    challenge = await challenges.find(path.id)
    found = await challenges.attempts(path.id)
    own = challenges.check_finished(found, call.token)
    over = [one for one in found if one.phase == "over"]
    compared: list[ComparedAttempt] = []
    for attempt in select_compared(over, own):
        if game := await _compare_game(call, challenge, attempt):
            original = attempt.at < challenge.created
            compared.append(ComparedAttempt(attempt.table, original, game))
    compared.sort(key=lambda one: (not one.played.own, not one.played.won, -one.played.score))
    playing = sum(one.phase == "playing" for one in found)
    removed = len(select_compared(over, own)) - len(compared) + len(found) - len(over) - playing
    return Comparison(challenge.seed, compared, playing, removed)


async def _compare_game(call: Call, challenge: Challenge, attempt: Attempt) -> ComparedGame | None:
    """An attempt as it was played, computed once; None if it cannot be shown any more."""

    async def compute() -> Payload:
        stored = await store.load(attempt.table)
        if stored is None:
            raise NotFound("This game is gone.", "unknown_table")
        log = pack_log(attempt.table, await store.lines(attempt.table))
        about = stored.settings, stored.seed, stored.created, log, challenge.seat
        return await compress_async(await call.ask_shared(compare_game, *about))

    store = call.tables.store
    try:
        # The name is a part of the version: an operator may forget it.
        payload = await call.find_or_compute(("compared", attempt.table), attempt.name, compute)
    except (DamagedTable, NotFound):
        return None
    return msgspec.json.decode(payload.data, type=ComparedGame | None)
