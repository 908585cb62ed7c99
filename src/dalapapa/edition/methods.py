"""What a page may ask its engine, by name (`METHODS`).

Answers have the form of the server's messages for games, and of its HTTP routes for reviews,
problems and turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from .. import __version__, library, record
from ..bots.arena import derive_bot_seed
from ..bots.bot import TURN_S
from ..bots.registry import list_levels
from ..coach.encode import CoachReview, encode_review
from ..coach.reviewer import TURN_REVIEW_S, Progress
from ..coach.reviews import review_record
from ..games import REGISTRY
from ..games.bag import make_seed
from ..games.events import Outcome
from ..games.moves import move_from_json, move_to_json
from ..games.plain import to_plain
from ..hosting import questions
from ..kernel.table import Table
from ..match import Match
from ..texts import Language
from . import examples, requests, thinking
from .logs import GameLog, Matches, refuse_programs
from .messages import Arguments, check_depth

Seat = Annotated[int, Meta(ge=0, le=9)]

matches: Matches = Matches()


# -- the engine ---------------------------------------------------------------------------------


class NoArguments(Arguments, frozen=True):
    """No arguments."""


class Description(msgspec.Struct):
    """The engine: its version, whether its kernel is compiled, and the levels of each game."""

    version: str
    compiled: bool
    games: dict[str, tuple[str, ...]]


def describe(_: NoArguments, __: Progress) -> Description:
    """Describe the engine."""
    compiled = not str(import_module(Table.__module__).__file__).endswith((".py", ".pyc"))
    levels = {name: list_levels(game) for name, game in REGISTRY.items()}
    return Description(__version__, compiled, levels)


# -- positions and problems -----------------------------------------------------------------------


class FrameArguments(questions.FrameQuestion, frozen=True, kw_only=True):
    """A frame to fill, and the time for it."""

    seconds: Annotated[float, Meta(gt=0, le=600)] = 10.0


def fill_frame(asked: FrameArguments, _: Progress) -> questions.Solutions:
    """Fill a frame, prove that it is impossible, or give up when the time is over."""
    deadline = time.monotonic() + asked.seconds
    return questions.solve_frame(asked, lambda _: time.monotonic() > deadline)


# -- games --------------------------------------------------------------------------------------


class GameArguments(Arguments, frozen=True):
    """A game and its players; a random seed, if none is given."""

    game: str
    players: Annotated[tuple[str, ...], Meta(max_length=10)]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    seed: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class Turned(msgspec.Struct):
    """A game after a move: its log, which the page keeps, and what it shows."""

    log: GameLog
    events: list[Any]
    to_act: tuple[int, ...]
    timer: int | None
    """The seconds of the time that runs now."""
    outcome: Outcome | None


def begin_game(asked: GameArguments, _: Progress) -> Turned:
    """Begin a game."""
    log = GameLog(asked.game, asked.players, asked.seed or make_seed(), asked.options)
    match = matches.get(log)
    return _describe_match(log, match, match.events)


class MoveArguments(Arguments, frozen=True):
    """The log of a game, and a move in the form of records."""

    log: GameLog
    move: dict[str, Any]


def apply_move(asked: MoveArguments, _: Progress) -> Turned:
    """Make a move."""
    log, match, events = matches.play(asked.log, move_from_json(asked.move))
    return _describe_match(log, match, events)


def _describe_match(log: GameLog, match: Match, events: tuple[Any, ...]) -> Turned:
    timer = None if match.timer is None else match.timer.seconds
    return Turned(log, [to_plain(event) for event in events], match.to_act, timer, match.outcome)


class SeatArguments(Arguments, frozen=True):
    """A seat of a game; None is a spectator."""

    log: GameLog
    seat: Seat | None = None
    tile: questions.TileName | None = None
    """List only the layings of this domino."""


class Seen(msgspec.Struct):
    """What a viewer may see and do; `legal` is None in a game with too many moves for a list."""

    view: Any
    legal: list[dict[str, Any]] | None


def show_view(asked: SeatArguments, _: Progress) -> Seen:
    """What a player or a spectator may see, with the legal moves."""
    match = matches.get(asked.log)
    view = match.view(asked.seat)
    if asked.seat is not None and asked.tile is not None:
        legal = match.game.legal_layings(view, asked.tile)
    elif match.game.many_moves:
        return Seen(to_plain(view), None)
    else:
        legal = view.legal
    return Seen(to_plain(view), [move_to_json(move) for move in legal])


class BotArguments(Arguments, frozen=True):
    """A bot, and the seat of a game for which it chooses."""

    log: GameLog
    seat: Seat
    bot: Annotated[str, Meta(max_length=40)]


def choose_move(asked: BotArguments, _: Progress) -> dict[str, Any]:
    """The move of a bot, from what the seat may see.

    It depends on the log alone, as at the server's tables.
    """
    match = matches.get(asked.log)
    own = sum(move.player == asked.seat for move in match.moves)
    seed = derive_bot_seed(f"{asked.log.seed}/{own}", asked.seat)
    bot = library.make_bot(asked.bot, match.game, seed)
    return move_to_json(bot.choose(match.view(asked.seat)))


class BotsGameArguments(GameArguments, frozen=True):
    """A game between bots, and the time for a turn of those that look ahead."""

    seconds: Annotated[float, Meta(gt=0, le=60)] = TURN_S


def play_bots_game(asked: BotsGameArguments, _: Progress) -> str:
    """Play a whole game between bots; returns its record."""
    refuse_programs(asked.players)
    match = Match(
        asked.game, players=asked.players, seed=asked.seed, options=asked.options,
        seconds=asked.seconds,
    )  # fmt: skip
    match.run()
    return record.dump(match.record()).decode()


# -- records ------------------------------------------------------------------------------------


class LogArguments(Arguments, frozen=True):
    """The log of a game."""

    log: GameLog


def write_record(asked: LogArguments, _: Progress) -> str:
    """The record of a game as a file; without its seed and draws until it is over."""
    return record.dump(matches.get(asked.log).record()).decode()


class RecordArguments(Arguments, frozen=True):
    """A record: the text of its file."""

    record: str


def verify_record(asked: RecordArguments, _: Progress) -> dict[str, Any]:
    """Verify a record; returns its moves with points in parts, and the result."""
    return _read_record(asked.record).to_json()


class ReviewArguments(Arguments, frozen=True):
    """A record, the language of the review, and the coach's time for a turn."""

    record: str
    language: Language = "en"
    seconds: Annotated[float, Meta(gt=0, le=10)] = TURN_REVIEW_S


def review(asked: ReviewArguments, report: Progress) -> CoachReview:
    """The coach's review of a verified record; `report` gets the share that is done."""
    replayed = _read_record(asked.record)
    return encode_review(review_record(replayed, asked.seconds, report), asked.language)


def _read_record(text: str) -> record.Replay:
    data = text.encode("utf-8", "replace")
    check_depth(data)
    return record.replay(record.load(data))


# -- methods ------------------------------------------------------------------------------------


class Method(NamedTuple):
    """A function, and the type of its arguments."""

    arguments: type[Any]
    function: Callable[[Any, Progress], Any]


METHODS: Mapping[str, Method] = {
    "describe": Method(NoArguments, describe),
    "legal": Method(questions.LegalQuestion, lambda asked, _: questions.list_legal(asked)),
    "best": Method(questions.BestQuestion, lambda asked, _: questions.find_best(asked)),
    "solve": Method(FrameArguments, fill_frame),
    "problem": Method(questions.ShownProblemQuery, lambda asked, _: questions.show_problem(asked)),
    "begin": Method(GameArguments, begin_game),
    "play": Method(MoveArguments, apply_move),
    "view": Method(SeatArguments, show_view),
    "choose": Method(BotArguments, choose_move),
    "simulate": Method(BotsGameArguments, play_bots_game),
    "record": Method(LogArguments, write_record),
    "verify": Method(RecordArguments, verify_record),
    "review": Method(ReviewArguments, review),
    "run_examples": Method(examples.ExamplesArguments, examples.run_examples),
    "request": Method(requests.RequestArguments, requests.answer_api_request),
    "think": Method(thinking.ThinkArguments, thinking.think),
    "hint": Method(thinking.HintArguments, thinking.find_table_hint),
    "review_table": Method(thinking.ReviewTableArguments, thinking.review_table),
    "compare_table": Method(thinking.CompareTableArguments, thinking.compare_table),
}
"""Each is a pure function of its arguments, except that `begin` and `simulate` may draw a seed."""
