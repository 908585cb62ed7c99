"""Whole games, step by step, what each turn could have been worth at best, and their reviews.

Pure functions, which run in worker processes. A replay shows every hand: it is told of games that
are over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ... import coach
from ... import record as records
from ...coach.encode import review_to_json
from ...coach.reviews import list_turns
from ...core.errors import TooHard
from ...games import find_game
from ...games.bag import fill_bag, hash_seed
from ...games.game import AnyGame, State, Step
from ...games.moves import Move, move_to_json
from ...games.plain import to_plain
from ...games.turns import TurnState
from ...games.undo import drop_undone, select_steps
from ...hosting.encoder import visible_events
from ...hosting.log import Entry, Moved, Settings, TableState, Written, advance, opened, read_entry
from ...record import Player
from ...texts import LANGUAGES
from ..storage.archive import Line
from ..storage.quarantine import reading

MAX_BYTES = 16_000_000
"""Of a replay: no game that anybody has played comes near."""


class Log(msgspec.Struct, frozen=True):
    """The log of a table on its way to a worker: only there anybody reads what its rows hold."""

    table: str
    packed: bytes

    def entries(self) -> Iterator[tuple[int, int, Entry]]:
        """Number, time and entry; `DamagedTable` where a row holds none."""
        with reading(self.table):
            lines = msgspec.msgpack.decode(self.packed, type=list[Line])
        for line in lines:
            with reading(self.table, line.number):
                entry = read_entry(_written.decode(line.entry))
            yield line.number, line.at, entry


_written = msgspec.json.Decoder(Written)


def log_of(table: str, lines: Sequence[Line]) -> Log:
    """The log of a table for a worker."""
    return Log(table, msgspec.msgpack.encode(lines))


class Made(msgspec.Struct, frozen=True):
    """A move that was made at a table."""

    at: int
    entry: Moved


class Played(msgspec.Struct, frozen=True):
    """A game as it was played at a table: what its record and its replay are made from."""

    game: str
    options: object
    players: tuple[Player, ...]
    seed: str
    log: Log
    begins: int | None = None
    """When the race began, if it was one."""
    hints: tuple[int, ...] = ()
    """How often the solver has helped each player."""

    @property
    def moves(self) -> tuple[Made, ...]:
        """The moves, in order."""
        found = self.log.entries()
        return tuple(Made(at, entry) for _, at, entry in found if isinstance(entry, Moved))

    def steps(self) -> list[Step[State]]:
        """The beginning, and what each move did."""
        game = find_game(self.game)
        bag = fill_bag(game.tiles(self.options).names, self.seed)
        steps: list[Step[State]] = [game.start(len(self.players), self.options, bag)]
        for made in self.moves:
            steps.append(game.apply(steps[-1].state, made.entry.move))
        return steps


def played(state: TableState, log: Log) -> Played:
    """The game of a table, from its state and its whole log."""
    return Played(
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


def record(game: Played) -> bytes:
    """The record of a table's game."""
    start, *steps = game.steps()
    recorder = records.Recorder(
        find_game(game.game), game.options, list(game.players), game.seed, start
    )
    for made, step in zip(game.moves, steps, strict=True):
        recorder.add(made.entry.move, step)
    return records.dump(recorder.record())


def history(settings: Settings, seed: str, created: int, log: Log, seats: tuple[int, ...]) -> bytes:
    """What has happened at a table so far, as the owner of some seats, or a spectator, saw it."""
    state = opened(settings, seed, created)
    told = [(0, created, visible_events(state, seats))]
    for number, at, entry in log.entries():
        state = advance(state, entry, at)
        told.append((number, at, visible_events(state, seats)))
    return msgspec.json.encode(
        [
            {"version": version, "at": at, "events": to_plain(events)}
            for version, at, events in told
            if events
        ]
    )


def of_table(game: Played) -> bytes:
    """The replay of a table's game, with who made each move for the player, and when."""
    made = game.moves
    moves = [one.entry.move for one in made]
    told = [
        {"move": move_to_json(one.entry.move), "cause": one.entry.cause, "at": one.at}
        for one in made
    ]
    race = {} if game.begins is None else {"begins": game.begins, "hints": game.hints}
    return _told(find_game(game.game), game.options, game.players, game.steps(), moves, told, race)


def of_record(data: bytes) -> bytes:
    """The replay of a record, which is verified."""
    told = records.replay(records.load(data))
    game = find_game(told.record.game)
    moves = [{"move": move_to_json(move)} for move in told.moves]
    options = told.steps[0].state.options
    return _told(game, options, told.record.players, told.steps, told.moves, moves, {})


def _told(
    game: AnyGame,
    options: object,
    players: Sequence[Player],
    steps: Sequence[Step[State]],
    moves: Sequence[Move],
    told: Sequence[dict[str, Any]],
    race: dict[str, Any],
) -> bytes:
    """A replay in the form of `docs/protocol.md`: without what was taken back."""
    kept = drop_undone(moves, steps)
    steps = select_steps(kept, steps)
    size = 0
    shown = []
    for move, step in zip(({}, *[told[number] for number in kept]), steps, strict=True):
        shown.append(msgspec.Raw(msgspec.json.encode({**move, **_shown(game, step)})))
        size += len(shown[-1])
        if size > MAX_BYTES:
            raise TooHard("This game is too long to be shown.")
    return msgspec.json.encode(
        {
            "game": game.name,
            "options": options,
            "players": players,
            **race,
            "start": shown[0],
            "steps": shown[1:],
            "turns": [turn.to_json() for turn in list_turns(game, steps)],
            "outcome": game.outcome(steps[-1].state),
        }
    )


def _shown(game: AnyGame, step: Step[State]) -> dict[str, Any]:
    """What everybody sees after a step, but for the options, which never change; and all hands."""
    view = to_plain(game.view(step.state, None))
    del view["options"]
    hands = step.state.hands if isinstance(step.state, TurnState) else None
    return {"events": to_plain(step.events), "view": view, "hands": hands}


def review_of_table(game: Played) -> dict[str, bytes]:
    """The coach's review of a table's game, in every language."""
    names = [player.name for player in game.players]
    moves = [made.entry.move for made in game.moves]
    # Its chance does not come from the seed, from which the hidden draws follow.
    rules, key = find_game(game.game), hash_seed(game.seed)
    return _in_words(coach.review_game(rules, names, game.steps(), moves, key))


def review_of_record(data: bytes) -> dict[str, bytes]:
    """The coach's review of a record, which is verified, in every language."""
    return _in_words(coach.review_record(records.replay(records.load(data))))


def _in_words(review: coach.Review) -> dict[str, bytes]:
    """The answers in the form of `docs/protocol.md`: sentences cost little, reviews much."""
    return {
        language: msgspec.json.encode(review_to_json(review, language)) for language in LANGUAGES
    }
