"""The game of an online table from its log: its record, history, replay and review.

A replay shows all hands, so that it is made only of finished games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from .. import coach
from .. import record as records
from ..coach.encode import BestTurn, ReplayTurn, encode_played, encode_turn
from ..coach.reviewer import StandIns
from ..coach.reviews import NO_STAND_INS, list_turns, select_stand_ins
from ..core.errors import IllegalMove, TooHard
from ..core.points import ClosedGroup
from ..games import find_game
from ..games.bag import fill_bag, hash_seed
from ..games.events import Laid, Outcome
from ..games.game import AnyGame, State, Step
from ..games.moves import End, Move, move_to_json
from ..games.plain import to_plain
from ..games.turns import TurnState
from ..games.undo import drop_undone, select_steps
from ..record import Player
from .encoder import visible_events
from .entries import Cause, Entry, Moved
from .settings import Settings
from .state import TableState, replay_states

MAX_REPLAY_BYTES = 16_000_000
"""No game between people comes near."""


class Log(Protocol):
    """The log of a table."""

    def entries(self) -> Iterable[tuple[int, int, Entry]]:
        """Number, time and entry of each."""


class HistoryEntry(msgspec.Struct):
    """What happened at one version of a table."""

    version: int
    at: int
    events: list[dict[str, Any]]


class ReplayMoment(msgspec.Struct, kw_only=True):
    """What a spectator sees, all hands (null if the game has none), and whose turn it is."""

    events: list[dict[str, Any]]
    view: dict[str, Any]
    hands: list[list[str]] | None
    acting: tuple[int, ...]


class ReplayStep(msgspec.Struct, kw_only=True):
    """A move, and the table after it; only moves at tables have `cause` and `at`."""

    move: dict[str, Any]
    cause: Cause | UnsetType = UNSET
    at: int | UnsetType = UNSET
    events: list[dict[str, Any]]
    view: dict[str, Any]
    hands: list[list[str]] | None
    acting: tuple[int, ...]


class GameReplay(msgspec.Struct, kw_only=True):
    """A whole game, step by step; only races at tables have `begins` and `hints`."""

    game: str
    options: dict[str, Any]
    players: list[Player]
    begins: int | UnsetType = UNSET
    hints: list[int] | UnsetType = UNSET
    start: ReplayMoment
    steps: list[ReplayStep]
    turns: list[ReplayTurn]
    outcome: Outcome


class ComparedEarned(msgspec.Struct):
    """What a laying has earned."""

    contacts: int
    groups: list[ClosedGroup]


class ComparedPart(msgspec.Struct):
    """What a laying has earned, and what it cost."""

    earned: ComparedEarned
    charge: int


class ComparedTurn(msgspec.Struct):
    """A turn, and the score after it; `best` is the best possible turn."""

    layings: list[str]
    parts: list[ComparedPart]
    points: int
    others: int
    """Points since the turn before that no turn earned, such as payments in Auction."""
    total: int
    best: BestTurn | None
    lost: int
    stand_in: bool
    """Whether a bot played it for the player."""


class ComparedGame(msgspec.Struct):
    """A game of a challenge; `own`: no bot and no clock has moved for the player."""

    name: str
    score: int
    scores: list[int]
    won: bool
    own: bool
    turns: list[ComparedTurn]
    rest: int
    """Points after the last turn, such as payments, or marks that count at the end."""


class TableMove(msgspec.Struct, frozen=True):
    """A move that was made at a table, and when."""

    at: int
    entry: Moved


class LoggedGame(msgspec.Struct, frozen=True):
    """The game of a table, from which its record, its replay and its review are made."""

    game: str
    options: object
    players: tuple[Player, ...]
    seed: str
    log: Log
    begins: int | None = None
    """When the race began, if it is one."""
    hints: tuple[int, ...] = ()
    """How often the solver has helped each player."""

    @property
    def moves(self) -> tuple[TableMove, ...]:
        """The moves, in order."""
        resolve = find_game(self.game).resolve_move
        return tuple(
            TableMove(at, Moved(resolve(entry.move), entry.cause))
            for _, at, entry in self.log.entries()
            if isinstance(entry, Moved)
        )

    @property
    def stand_ins(self) -> dict[int, int]:
        """The moves that bots made for persons, with their seats.

        To end a turn decides nothing: it belongs to who has laid.
        """
        found = {}
        for number, made in enumerate(self.moves):
            seat = getattr(made.entry.move, "player", None)
            if seat is None or made.entry.cause == "player" or isinstance(made.entry.move, End):
                continue
            if self.players[seat].program is UNSET:
                found[number] = seat
        return found

    def parse_options(self) -> Any:
        """The options as the game has them: a server knows those of a package as plain data."""
        return find_game(self.game).parse_options(self.options)

    def steps(self) -> list[Step[State]]:
        """The beginning, and what each move did."""
        game, options = find_game(self.game), self.parse_options()
        bag = fill_bag(game.tiles(options).names, self.seed)
        steps: list[Step[State]] = [game.start(len(self.players), options, bag)]
        for made in self.moves:
            steps.append(game.apply(steps[-1].state, made.entry.move))
        return steps


def make_logged_game(state: TableState, log: Log) -> LoggedGame:
    """The game of a table, from its state and its whole log."""
    return LoggedGame(
        state.game.name,
        state.options,
        tuple(
            Player(name) if seat.program is None else Player(name, seat.program)
            for name, seat in zip(state.names(), state.seats, strict=True)
        ),
        state.seed,
        log,
        state.begins,
        tuple(seat.hints for seat in state.seats),
    )


def write_game_record(game: LoggedGame) -> bytes:
    """The record of a table's game."""
    start, *steps = game.steps()
    recorder = records.Recorder(
        find_game(game.game), game.parse_options(), list(game.players), game.seed, start
    )
    for made, step in zip(game.moves, steps, strict=True):
        recorder.add(made.entry.move, step)
    return records.dump(recorder.record())


def write_history(
    settings: Settings, seed: str, created: int, log: Log, seats: tuple[int, ...]
) -> bytes:
    """All events of a table as the owner of some seats, or a spectator, has seen them."""
    entries = ((entry, at) for _, at, entry in log.entries())
    return msgspec.json.encode(
        [
            HistoryEntry(state.version, state.at, to_plain(events))
            for state in replay_states(settings, seed, created, entries)
            if (events := visible_events(state, seats))
        ]
    )


def replay_table(game: LoggedGame) -> bytes:
    """The replay of a table's game, with the cause and the time of each move."""
    made = game.moves
    moves = [one.entry.move for one in made]
    replay = _replay(
        find_game(game.game), game.options, game.players, game.steps(), moves, made, game.stand_ins
    )
    if game.begins is not None:
        replay.begins, replay.hints = game.begins, list(game.hints)
    return msgspec.json.encode(replay)


def replay_record(data: bytes) -> bytes:
    """The replay of a record, which is verified."""
    verified = records.replay(records.load(data))
    game, options = find_game(verified.record.game), verified.steps[0].state.options
    return msgspec.json.encode(
        _replay(game, options, verified.record.players, verified.steps, verified.moves)
    )


def _replay(
    game: AnyGame,
    options: object,
    players: Sequence[Player],
    steps: Sequence[Step[State]],
    moves: Sequence[Move],
    made: Sequence[TableMove] = (),
    stand_ins: StandIns = NO_STAND_INS,
) -> GameReplay:
    """A replay without the moves that were taken back; `made` are the moves of a table."""
    kept = drop_undone(moves, steps)
    steps, own = select_steps(kept, steps), select_stand_ins(kept, stand_ins)
    outcome = game.outcome(steps[-1].state)
    if outcome is None:
        raise IllegalMove("The game is not over.", "not_over")
    shown = []
    size = 0
    for number, step in zip(kept, steps[1:], strict=True):
        replay_step = ReplayStep(
            move=move_to_json(moves[number]),
            cause=made[number].entry.cause if made else UNSET,
            at=made[number].at if made else UNSET,
            **asdict(_show(game, step)),
        )
        shown.append(msgspec.Raw(msgspec.json.encode(replay_step)))
        size += len(shown[-1])
        if size > MAX_REPLAY_BYTES:
            raise TooHard("This game is too long to show.")
    return GameReplay(
        game=game.name,
        options=msgspec.to_builtins(options),
        players=list(players),
        start=_show(game, steps[0]),
        # Encoded steps take less memory than views as Python objects.
        steps=cast(list[ReplayStep], shown),
        turns=[encode_played(turn) for turn in list_turns(game, steps, own)],
        outcome=outcome,
    )


def _show(game: AnyGame, step: Step[State]) -> ReplayMoment:
    """What everyone sees after a step, and all hands; the options never change."""
    view = to_plain(game.view(step.state, None))
    del view["options"]
    hands = step.state.hands if isinstance(step.state, TurnState) else None
    return ReplayMoment(
        events=to_plain(step.events),
        view=view,
        hands=to_plain(hands),
        acting=game.turn_actors(step.state),
    )


def review_logged_game(game: LoggedGame) -> coach.Review:
    """The coach's review of a table's game."""
    names = [player.name for player in game.players]
    moves = [made.entry.move for made in game.moves]
    # The random numbers of the review must not follow from the seed, which decides hidden draws.
    rules, key = find_game(game.game), hash_seed(game.seed)
    return coach.review_game(rules, names, game.steps(), moves, key, stand_ins=game.stand_ins)


def compare_logged_game(state: TableState, log: Log, seat: int) -> ComparedGame | None:
    """The turns of a seat in a finished game of a challenge; None if the game was closed."""
    game = state.game
    outcome = None if state.closed is not None else game.outcome(state.game_state)
    if outcome is None:
        return None
    logged = make_logged_game(state, log)
    made = [one.entry for one in logged.moves]
    every = logged.steps()
    kept = drop_undone([one.move for one in made], every)
    steps, stand_ins = select_steps(kept, every), select_stand_ins(kept, logged.stand_ins)
    turns: list[ComparedTurn] = []
    total = 0
    for turn in list_turns(game, steps, stand_ins):
        if turn.player != seat:
            continue
        laid = [
            event
            for step in steps[turn.first + 1 : turn.last + 2]
            for event in step.events
            if isinstance(event, Laid) and event.player == seat and event.scores
        ]
        points = turn.points if turn.announced is None else turn.announced
        scores = getattr(steps[turn.last + 1].state, "scores", None)
        before, total = total, total + points if scores is None else scores[seat]
        turns.append(
            ComparedTurn(
                [str(laying) for laying in turn.layings],
                [
                    ComparedPart(
                        ComparedEarned(one.earned.contacts, list(one.earned.groups)), one.charge
                    )
                    for one in laid
                ],
                points,
                total - before - points,
                total,
                encode_turn(turn.best),
                turn.lost,
                turn.stand_in,
            )
        )
    counts_points = getattr(state.game_state, "scores", None) is not None
    return ComparedGame(
        state.names()[seat],
        outcome.scores[seat],
        list(outcome.scores),
        seat in outcome.winners,
        all(one.cause == "player" for one in made if getattr(one.move, "player", None) == seat),
        turns,
        outcome.scores[seat] - total if counts_points else 0,
    )
