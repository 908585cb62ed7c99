"""Whole games, step by step, and what each turn could have been worth at best.

Pure functions, which run in worker processes. A replay shows every hand: it is told of games that
are over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from .. import record as records
from ..errors import BadInput
from ..games import find
from ..games.alex import Alex
from ..games.bag import filled
from ..games.classic import Classic
from ..games.events import Ended, Passed, Proved, RoundBegan, TurnEnded
from ..games.game import Game, Step
from ..games.moves import Move, move_from_json, move_to_json
from ..games.plain import plain
from ..points import Turn
from ..record import Player
from .log import Moved, Settings, TableState, advance, opened
from .messages import seen

if TYPE_CHECKING:  # Workers need no database.
    from .store import StoredEntry

MOST_BYTES = 16_000_000
"""Of a replay: no game that anybody has played comes near."""


class Made(msgspec.Struct, frozen=True):
    """A move that was made at a table."""

    at: int
    entry: Moved


class Played(msgspec.Struct, frozen=True):
    """A game as it was played at a table: what its record and its replay are made from."""

    game: str
    options: Any
    players: tuple[Player, ...]
    seed: str
    moves: tuple[Made, ...]

    def steps(self) -> Iterator[tuple[Move | None, Step]]:
        """Each move and what it did; before the first, the beginning."""
        game = find(self.game)
        bag = filled(game.tiles(self.options).names, self.seed)
        step = game.start(len(self.players), self.options, bag)
        yield None, step
        for made in self.moves:
            move = move_from_json(made.entry.move)
            step = game.apply(step.state, move)
            yield move, step


def played(state: TableState, log: list[StoredEntry]) -> Played:
    """The game of a table, from its state and its whole log."""
    return Played(
        state.game.name,
        state.options,
        tuple(
            Player(name) if seat.program is None else Player(name, seat.program)
            for name, seat in zip(state.names(), state.seats, strict=True)
        ),
        state.seed,
        tuple(Made(one.at, one.entry) for one in log if isinstance(one.entry, Moved)),
    )


def record(game: Played) -> bytes:
    """The record of a table's game."""
    (_, start), *moves = game.steps()
    recorder = records.Recorder(find(game.game), game.options, list(game.players), game.seed, start)
    for move, step in moves:
        assert move is not None
        recorder.add(move, step)
    return records.dump(recorder.record())


def history(
    settings: Settings, seed: str, created: int, log: list[StoredEntry], seats: tuple[int, ...]
) -> bytes:
    """What has happened at a table so far, as the owner of some seats, or a spectator, saw it."""
    state = opened(settings, seed, created)
    told = [(0, created, seen(state, seats))]
    for stored in log:
        state = advance(state, stored.entry, stored.at)
        told.append((stored.number, stored.at, seen(state, seats)))
    return msgspec.json.encode(
        [
            {"version": version, "at": at, "events": plain(events)}
            for version, at, events in told
            if events
        ]
    )


def of_table(game: Played) -> bytes:
    """The replay of a table's game, with who made each move for the player, and when."""
    moves = [{"move": one.entry.move, "cause": one.entry.cause, "at": one.at} for one in game.moves]
    steps = [step for _, step in game.steps()]
    return _told(find(game.game), game.options, game.players, steps, moves)


def of_record(data: bytes) -> bytes:
    """The replay of a record, which is verified."""
    told = records.replay(records.load(data))
    game = find(told.record.game)
    moves = []
    for written in told.record.moves:
        bare = {key: value for key, value in written.items() if key not in records.EXPLAINED}
        moves.append({"move": move_to_json(move_from_json(bare))})
    options = game.parse_options(told.record.options)
    return _told(game, options, told.record.players, told.steps, moves)


def _told(
    game: Game,
    options: Any,
    players: Sequence[Player],
    steps: Sequence[Step],
    moves: list[dict[str, Any]],
) -> bytes:
    """A replay in the form of `docs/protocol.md`."""
    size = 0
    shown = []
    for move, step in zip(({}, *moves), steps, strict=True):
        shown.append(msgspec.Raw(msgspec.json.encode({**move, **_shown(game, step)})))
        size += len(shown[-1])
        if size > MOST_BYTES:
            raise BadInput("This game is too long to be shown.", "too_hard")
    return msgspec.json.encode(
        {
            "game": game.name,
            "options": options,
            "players": players,
            "start": shown[0],
            "steps": shown[1:],
            "turns": turns(game, steps),
            "outcome": game.outcome(steps[-1].state),
        }
    )


def _shown(game: Game, step: Step) -> dict[str, Any]:
    """What everybody sees after a step, but for the options, which never change; and all hands."""
    view = plain(game.view(step.state, None))
    del view["options"]
    hands = getattr(step.state, "hands", None)
    return {"events": plain(step.events), "view": view, "hands": hands}


def turns(game: Game, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The turns of a game with classic points, or the rounds of Alex, each beside the best one."""
    if isinstance(game, Classic):
        return _classic_turns(steps)
    return _rounds(steps) if isinstance(game, Alex) else []


def _classic_turns(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """A turn goes from the first move that could lead to a laying (a call, too) to its end."""
    found = []
    first: int | None = None
    for number, (before, after) in enumerate(pairwise(steps)):
        if before.state.phase != "play":
            continue
        first = number if first is None else first
        for event in after.events:
            if isinstance(event, TurnEnded | Passed):
                start = steps[first].state
                found.append(
                    {
                        "player": event.player,
                        "first": first,
                        "last": number,
                        "points": event.turn_points if isinstance(event, TurnEnded) else 0,
                        "best": _best(start.table.best_turn(start.hands[event.player])),
                    }
                )
                first = None
                break
    return found


def _rounds(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Who has shown a turn in each round, and for what announcement; nobody, and nothing, else."""
    found = []
    first = 0
    for number, step in enumerate(steps[1:]):
        if any(isinstance(event, RoundBegan | Ended) for event in step.events):
            start = steps[first].state
            proved = next((event for event in step.events if isinstance(event, Proved)), None)
            found.append(
                {
                    "player": proved.player if proved else None,
                    "first": first,
                    "last": number,
                    "points": proved.shown if proved else 0,
                    "announced": proved.points if proved else 0,
                    "best": _best(start.table.best_turn(start.drawn)),
                }
            )
            first = number + 1
    return found


def _best(turn: Turn | None) -> dict[str, Any] | None:
    return None if turn is None else turn.to_json()
