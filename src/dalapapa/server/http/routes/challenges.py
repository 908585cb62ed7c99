"""Challenges over HTTP: made from a game, looked at, taken up, and compared afterwards."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ....coach.reviews import list_turns
from ....core.errors import DamagedTable
from ....core.points import ClosedGroup
from ....games.bag import fill_bag, hash_seed
from ....games.events import Laid
from ....games.undo import drop_undone, select_steps
from ....hosting.log import Clock, Moved, Settings, advance, opened
from ...schemas import BestTurn, Body
from ...tables.challenges import Attempt, Challenge, of, shown
from ...tables.tokens import hash_token
from ...workers.replays import Log, log_of
from ..context import Call
from ..routing import Routes
from .tables import PersonName, TablePath

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


class ComparedEarned(msgspec.Struct):
    """What a laying has earned."""

    contacts: int
    groups: list[ClosedGroup]


class ComparedPart(msgspec.Struct):
    """What a laying has earned, and what it cost."""

    earned: ComparedEarned
    charge: int


class ComparedTurn(msgspec.Struct):
    """A turn, and the score after it; `best` is the best that was possible."""

    layings: list[str]
    parts: list[ComparedPart]
    points: int
    total: int
    best: BestTurn | None
    lost: int


class ComparedGame(msgspec.Struct):
    """How a game of a challenge went; `own`: no program and no clock has moved for the player."""

    name: str
    score: int
    scores: list[int]
    won: bool
    own: bool
    turns: list[ComparedTurn]


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
    own = of(found, hash_token(token)) if token else None
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
            for one in shown(found, own)
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
    for attempt in shown(over, own):
        if game := await _game(call, challenge, attempt):
            original = attempt.at < challenge.created
            compared.append(ComparedAttempt(attempt.table, original, game))
    compared.sort(key=lambda one: (not one.played.own, not one.played.won, -one.played.score))
    playing = sum(one.phase == "playing" for one in found)
    removed = len(shown(over, own)) - len(compared) + len(found) - len(over) - playing
    return Comparison(challenge.seed, compared, playing, removed)


async def _game(call: Call, challenge: Challenge, attempt: Attempt) -> ComparedGame | None:
    """An attempt as it was played, worked out once; None if it cannot be shown any more."""
    kept, store = call.services.kept, call.tables.store
    key = ("compared", attempt.table, attempt.name)
    packed = kept.get(key)
    if packed is None:
        try:
            stored = await store.load(attempt.table)
            if stored is None:
                return None
            log = log_of(attempt.table, await store.lines(attempt.table))
            about = stored.settings, stored.seed, stored.created, log, challenge.seat
            packed = await call.wait(kept.of(key, call.worked_out(compared, *about)))
        except DamagedTable:
            return None
    return msgspec.json.decode(packed.data, type=ComparedGame | None)


def compared(settings: Settings, seed: str, created: int, log: Log, seat: int) -> bytes:
    """The game in a seat as JSON; null if it was closed. In a worker."""
    state = opened(settings, seed, created)
    made: list[Moved] = []
    for _, at, entry in log.entries():
        state = advance(state, entry, at)
        if isinstance(entry, Moved):
            made.append(entry)
    game = state.game
    outcome = None if state.closed is not None else game.outcome(state.game_state)
    if outcome is None:
        return b"null"
    bag = fill_bag(game.tiles(state.options).names, seed)
    every = [game.start(len(state.seats), state.options, bag)]
    for one in made:
        every.append(game.apply(every[-1].state, one.move))
    steps = select_steps(drop_undone([one.move for one in made], every), every)
    turns: list[ComparedTurn] = []
    total = 0
    for turn in list_turns(game, steps):
        if turn.player != seat:
            continue
        laid = [
            event
            for step in steps[turn.first + 1 : turn.last + 2]
            for event in step.events
            if isinstance(event, Laid) and event.player == seat and event.scores
        ]
        scores = getattr(steps[turn.last + 1].state, "scores", None)
        total = total + turn.points if scores is None else scores[seat]
        turns.append(
            ComparedTurn(
                [str(laying) for laying in turn.layings],
                [
                    ComparedPart(
                        ComparedEarned(one.earned.contacts, list(one.earned.groups)), one.charge
                    )
                    for one in laid
                ],
                turn.points,
                total,
                None if turn.best is None else msgspec.convert(turn.best.to_json(), BestTurn),
                turn.lost,
            )
        )
    own = all(one.cause == "player" for one in made if getattr(one.move, "player", None) == seat)
    return msgspec.json.encode(
        ComparedGame(
            state.names()[seat],
            outcome.scores[seat],
            list(outcome.scores),
            seat in outcome.winners,
            own,
            turns,
        )
    )
