"""Challenges over HTTP: creation from a game, attempts of others, and comparison."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ....core.errors import DamagedTable, NotFound
from ....games.bag import hash_seed
from ....hosting.replays import ComparedGame
from ....hosting.requests import AttemptBegun, NewAttempt, NewChallenge
from ....hosting.settings import Clock
from ....hosting.tokens import hash_token
from ...payload import Payload, compress_async
from ...tables.challenges import Attempt, Challenge, find_attempt, select_compared
from ...workers.comparisons import compare_game
from ...workers.replays import pack_log
from ..context import ApiCall, TablePath
from ..routing import Routes

routes: Routes = Routes("/api")


class ChallengePath(msgspec.Struct):
    """The id of a challenge."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]


class AttemptSummary(msgspec.Struct):
    """An attempt; without a name if its game was removed."""

    name: str | None
    phase: Literal["playing", "over", "removed"]
    original: bool
    yours: bool


class ChallengeSummary(msgspec.Struct):
    """A challenge as anyone with the link may see it."""

    id: str
    created: int
    game: str
    options: dict[str, Any]
    seats: list[str | None]
    """For each seat the name of its bot; null for the seat to play."""
    seat: int
    clock: Clock
    aids: Literal["all", "places", "none"]
    hands: Literal["own", "open"]
    commitment: str
    attempts: list[AttemptSummary]
    table: str | None
    """The table of your own attempt."""


class ComparedAttempt(msgspec.Struct):
    """A finished attempt."""

    table: str
    original: bool
    played: ComparedGame


class ChallengeComparison(msgspec.Struct):
    """All finished attempts, the best first; the numbers of unfinished and removed ones."""

    seed: str
    attempts: list[ComparedAttempt]
    playing: int
    removed: int


@routes.add("POST", "/tables/{id}/challenge", status=201, token=True)
async def make(call: ApiCall, path: TablePath) -> NewChallenge:
    """Make a challenge from your own finished game against bots."""
    live = await call.tables.find(path.id)
    return NewChallenge(await call.services.challenges.make(live, call.token))


@routes.add("GET", "/challenges/{id}", token=True)
async def show(call: ApiCall, path: ChallengePath) -> ChallengeSummary:
    """The challenge, its attempts, and the state of your own attempt."""
    challenge = await call.services.challenges.find(path.id)
    attempts = await call.services.challenges.attempts(path.id)
    return _summarise(challenge, attempts, call.token)


def _summarise(challenge: Challenge, attempts: list[Attempt], token: str) -> ChallengeSummary:
    settings = challenge.settings
    own = find_attempt(attempts, hash_token(token)) if token else None
    shown = [
        AttemptSummary(one.name, one.phase, one.at < challenge.created, one is own)
        for one in select_compared(attempts, own)
    ]
    return ChallengeSummary(
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
        shown,
        None if own is None else own.table,
    )


@routes.add("POST", "/challenges/{id}/attempts", status=201, token=True)
async def begin(call: ApiCall, path: ChallengePath, body: NewAttempt) -> AttemptBegun:
    """Begin an attempt with a token of your own choice; each token has one attempt."""
    challenges = call.services.challenges
    challenge = await challenges.find(path.id)
    attempt = await challenges.begin(challenge, call.token, body.name, call.address)
    return AttemptBegun(attempt.table, challenge.seat)


@routes.add("GET", "/challenges/{id}/comparison", token=True)
async def compare(call: ApiCall, path: ChallengePath) -> ChallengeComparison:
    """The turns of all attempts; only for players who have finished their own."""
    challenges = call.services.challenges
    challenge = await challenges.find(path.id)
    attempts = await challenges.attempts(path.id)
    own = challenges.check_finished(attempts, call.token)
    over = [attempt for attempt in attempts if attempt.phase == "over"]
    compared: list[ComparedAttempt] = []
    for attempt in select_compared(over, own):
        if game := await _compare_game(call, challenge, attempt):
            original = attempt.at < challenge.created
            compared.append(ComparedAttempt(attempt.table, original, game))
    compared.sort(key=_rank)
    playing = sum(attempt.phase == "playing" for attempt in attempts)
    removed = len(select_compared(over, own)) - len(compared) + len(attempts) - len(over) - playing
    return ChallengeComparison(challenge.seed, compared, playing, removed)


def _rank(attempt: ComparedAttempt) -> tuple[bool, bool, int]:
    """The order of a comparison: players without help first, then winners, then by score."""
    played = attempt.played
    return not played.own, not played.won, -played.score


async def _compare_game(
    call: ApiCall, challenge: Challenge, attempt: Attempt
) -> ComparedGame | None:
    """A finished attempt, computed once for all clients; None if its table is gone or damaged."""

    async def compute() -> Payload:
        stored = await store.load(attempt.table)
        if stored is None:
            raise NotFound("The server no longer has this game.", "unknown_table")
        log = pack_log(attempt.table, await store.lines(attempt.table))
        game = await call.ask_about_game(
            stored.settings.game, compare_game,
            stored.settings, stored.seed, stored.created, log, challenge.seat,
        )  # fmt: skip
        return await compress_async(game)

    store = call.tables.store
    try:
        # The name is the version: it changes if an operator removes it.
        payload = await call.find_or_compute(("compared", attempt.table), attempt.name, compute)
    except (DamagedTable, NotFound):
        return None
    return msgspec.json.decode(payload.data, type=ComparedGame | None)
