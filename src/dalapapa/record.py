"""Records: one JSON document for each game (`docs/records.md`, `record.schema.json`).

Replaying the moves is the one way to read a record. Points, draws and result in it are
checked against the rules, never trusted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from os import PathLike, fspath
from typing import Any, NamedTuple

import msgspec

from .core.errors import BadInput, BadRecord, DalapapaError
from .core.files import read
from .core.names import make_line, shorten_name
from .core.notation import shorten
from .core.options import write_options
from .core.tiles import SetIdentity, check_identity
from .games import find_game
from .games.bag import fill_bag, hash_seed
from .games.events import Drew, Event, Laid, Outcome, RoundBegan, list_score_changes
from .games.game import AnyGame, State, Step
from .games.moves import Move, move_to_json
from .kernel.table import Table

FORMAT = "dalapapa-record/1"
EXPLAINED = ("points", "parts", "others", "draws")
"""The fields that a record adds to a move; all follow from the rules."""
MAX_RECORD_BYTES = 4_000_000
"""A larger file is refused: the longest game is far smaller."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player in a seat: a person, or the bot with the name `program`."""

    name: str
    program: str | msgspec.UnsetType = msgspec.UNSET


def make_printable(name: str) -> str:
    """A player's name without line breaks or control characters, for terminals and pictures."""
    return make_line(shorten_name(name, 40), "?")


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dominoes that a player drew, or (None) that were drawn and shown to all."""

    player: int | None
    tiles: list[str]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The record of a game. That of a running game has no seed and no draws."""

    format: str
    game: str
    options: dict[str, Any]
    players: list[Player]
    commitment: str
    moves: list[dict[str, Any]]
    set: SetIdentity | None = None
    """The dominoes of the game. Every record names them; None is refused as too old."""
    seed: str | None = None
    draws: list[Draw] | None = None
    """The draws before the first move."""
    result: Outcome | None = None


class PlayedMove(NamedTuple):
    """A move of a record, its events, and the table after it."""

    move: Move
    events: tuple[Event, ...]
    position: Table | None
    """Frozen; None in a race, in which each player fills a frame."""


class Replay(msgspec.Struct, frozen=True):
    """A verified record: `for move, events, position in replay`."""

    record: Record
    moves: tuple[Move, ...]
    entries: list[dict[str, Any]]
    """Each move with its points in parts and, if it has a player, the score after it."""
    outcome: Outcome
    steps: tuple[Step[State], ...]
    """The states, the first one included."""

    def __iter__(self) -> Iterator[PlayedMove]:
        for move, events, position in zip(self.moves, self.events, self.positions[1:], strict=True):
            yield PlayedMove(move, events, position)

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.record.game

    @property
    def players(self) -> list[Player]:
        """The players, by seat."""
        return self.record.players

    @property
    def events(self) -> tuple[tuple[Event, ...], ...]:
        """The events of each move."""
        return tuple([step.events for step in self.steps[1:]])

    @property
    def positions(self) -> tuple[Table | None, ...]:
        """The table before the first move and after each one; None in a race."""
        return tuple([step.state.table for step in self.steps])

    @property
    def result(self) -> Outcome:
        """How it ended."""
        return self.outcome

    def __repr__(self) -> str:
        names = ", ".join(make_printable(player.name) for player in self.players)
        points = " - ".join(map(str, self.outcome.scores))
        moves = f"{len(self)} move{'s' * (len(self) != 1)}"
        return f"<Replay {self.game}: {names}; {points} after {moves}, {self.outcome.reason}>"

    def _repr_html_(self) -> str:
        """The last table and the moves, for notebooks."""
        names = [escape(make_printable(player.name)) for player in self.players]
        rows = [
            (
                "" if move.player is None else names[move.player],
                escape(str(move)),
                f"{entry['points']:+}",
                entry.get("score", ""),
            )
            for move, entry in zip(self.moves, self.entries, strict=True)
        ]
        table = self.positions[-1]
        cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
        head = "<tr><th>player</th><th>move</th><th>points</th><th>score</th></tr>"
        return (
            f"<p>{escape(repr(self))}</p>{'' if table is None else table._repr_svg_()}"
            f"<details><summary>{len(self)} moves</summary><table>{head}"
            f"{''.join(f'<tr>{row}</tr>' for row in cells)}</table></details>"
        )

    def to_json(self) -> dict[str, Any]:
        """The public form of `dalapapa replay --json`."""
        return {
            "game": self.record.game,
            "players": [player.name for player in self.record.players],
            "moves": self.entries,
            "scores": list(self.outcome.scores),
            "winners": list(self.outcome.winners),
            "reason": self.outcome.reason,
        }


class Recorder:
    """Records a game while it is played."""

    def __init__(
        self,
        game: AnyGame,
        options: msgspec.Struct,
        players: list[Player],
        seed: str,
        start: Step[State],
    ) -> None:
        self.game = game
        self.options = options
        self.players = players
        self.seed = seed
        self.start = start
        self.moves: list[tuple[Move, Step[State]]] = []

    def add(self, move: Move, step: Step[State]) -> None:
        """Note a move and what it did."""
        self.moves.append((move, step))

    def record(self) -> Record:
        """The record so far: seed and draws are in it only once the game is over."""
        last = self.moves[-1][1] if self.moves else self.start
        outcome = self.game.outcome(last.state)
        over = outcome is not None
        return Record(
            FORMAT,
            self.game.name,
            write_options(self.options),
            self.players,
            hash_seed(self.seed),
            [_entry(move, step.events, over) for move, step in self.moves],
            self.game.tiles(self.options).identity,
            self.seed if over else None,
            _draws(self.start.events) if over else None,
            outcome,
        )


def _entry(move: Move, events: tuple[Event, ...], with_draws: bool) -> dict[str, Any]:
    """A move as the record writes it."""
    entry = move_to_json(move)
    changes = list_score_changes(events)
    entry["points"] = sum(points for player, points in changes if player == move.player)
    others = [{"player": who, "points": n} for who, n in changes if who != move.player]
    if others:
        entry["others"] = others
    for event in events:
        if isinstance(event, Laid) and event.scores:
            entry["parts"] = _parts(event)
    draws = _draws(events)
    if with_draws and draws:
        entry["draws"] = msgspec.to_builtins(draws)
    return entry


def _parts(laid: Laid) -> dict[str, Any]:
    parts = laid.earned.to_json()
    del parts["points"]
    return {**parts, "charge": laid.charge}


def _draws(events: tuple[Event, ...]) -> list[Draw]:
    draws = []
    for event in events:
        if isinstance(event, Drew) and event.tiles:
            draws.append(Draw(event.player, list(event.tiles)))
        elif isinstance(event, RoundBegan):
            draws.append(Draw(None, list(event.tiles)))
    return draws


def dump(record: Record) -> bytes:
    """A record as a file: JSON, a move on each line."""
    data = msgspec.to_builtins(record)
    moves = ",\n".join("    " + json.dumps(move, ensure_ascii=False) for move in data.pop("moves"))
    lines = [f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in data.items()]
    lines.append('  "moves": [' + (f"\n{moves}\n  ]" if moves else "]"))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def load(data: bytes) -> Record:
    """Load a record from the bytes of a file. `replay` verifies its content."""
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord(f"A record can have at most {MAX_RECORD_BYTES} bytes.", "record_too_large")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        record = msgspec.json.decode(data, type=Record)
        json.loads(data, object_pairs_hook=_once)
    except msgspec.ValidationError as error:
        raise BadRecord(f"This is not a record: {_fault(error)}.", "malformed_record") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        place = re.search(r"[0-9]+", str(error))
        reason = f"the error is at byte {place[0]}" if place else "it is not readable"
        reason = "it is cut off" if "truncated" in str(error) else reason
        raise BadRecord(f"This is not JSON: {reason}.", "malformed_record") from None
    if record.format != FORMAT:
        raise BadRecord(
            f"The format must be {FORMAT!r}, not {shorten(record.format)}.",
            "unknown_format",
        )
    return record


def _fault(error: msgspec.ValidationError) -> str:
    """Describe what is wrong with the form of a record."""
    said = str(error)
    at = re.search(r" - at `\$\.?(.*)`$", said)
    place = f" in {at[1][:100]}" if at and at[1] else ""
    if field := re.search(r"missing required field `(.*?)`", said):
        return f"{field[1]} is missing{place}"
    if field := re.search(r"unknown field `(.*?)`", said):
        return f"{shorten(field[1])} is unknown{place}"
    return f"{at[1][:100]} has a wrong value" if at and at[1] else "it is not an object"


def _once(pairs: list[tuple[str, Any]]) -> None:
    """Refuse an object with a repeated key: two readers could read two games."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadRecord(f"This is not a record: {shorten(twice)} occurs twice.", "malformed_record")


def read_source(source: object) -> Record:
    """The record in a file, or in its bytes."""
    data: object = source
    if isinstance(source, str | PathLike):
        data = read(fspath(source), MAX_RECORD_BYTES)
    elif hasattr(source, "read"):
        data = source.read(MAX_RECORD_BYTES + 1)
    if not isinstance(data, bytes):
        raise BadInput(
            f"A record must be a file or its bytes, not {shorten(source)}.", "bad_record"
        )
    return load(data)


class PlayedRecord(NamedTuple):
    """The moves of a record, played again."""

    seed: str
    start: Step[State]
    moves: list[Move]
    steps: list[Step[State]]
    """The steps of the moves."""
    entries: list[dict[str, Any]]


def replay(record: Record, game: AnyGame | None = None) -> Replay:
    """Play a record again and compare all its content with what the rules give.

    `game` has the rules, if the record is of a game that no package registers.
    """
    rules = game or find_game(record.game)
    _, start, moves, steps, entries = play_again(record, rules)
    outcome = rules.outcome((steps or [start])[-1].state)
    if outcome is None:
        raise BadRecord(
            "The game is not over after the last move, but the record reveals its seed.", "not_over"
        )
    _compare("At the end", "result", record.result, outcome)
    return Replay(record, tuple(moves), entries, outcome, (start, *steps))


def play_again(record: Record, game: AnyGame, seed: str | None = None) -> PlayedRecord:
    """Play the moves of a record, and compare its draws and points with what the rules give.

    The record of a running game has neither seed nor draws, so that it needs `seed`.
    """
    if game.name != record.game:
        raise BadRecord(f"The record is of {shorten(record.game)}, not {game.name}.", "other_game")
    has_undo = any(move.get("move") == "undo" for move in record.moves)
    options = game.parse_options(game.read_stored_options(record.options, has_undo))
    game.check_players(len(record.players))
    tiles = game.tiles(options)
    check_identity("This record", record.set, tiles.identity)
    is_open = record.seed is not None
    seed = record.seed if seed is None else seed
    if seed is None:
        raise BadRecord(
            "The game is not over: you can verify its record when it contains the seed.", "running"
        )
    if hash_seed(seed) != record.commitment:
        raise BadRecord("The seed does not match its commitment.", "wrong_seed")
    bag = fill_bag(tiles.names, seed)
    start: Step[State] = game.start(len(record.players), options, bag)
    if is_open:
        _compare("Before the first move", "draws", record.draws, _draws(start.events))
    steps, moves, entries = [start], [], []
    scores = [0] * len(record.players)
    for number, written in enumerate(record.moves, start=1):
        place = f"Move {number}"
        bare = {key: value for key, value in written.items() if key not in EXPLAINED}
        try:
            move = game.read_move(bare)
            step = game.apply(steps[-1].state, move)
        except DalapapaError as error:
            raise BadRecord(f"{place}: {error}", error.code) from None
        entry = _entry(move, step.events, with_draws=is_open)
        _check_entry(place, written, entry, scores)
        moves.append(move)
        entries.append(entry)
        steps.append(step)
    return PlayedRecord(seed, start, moves, steps[1:], entries)


def _check_entry(
    place: str, written: dict[str, Any], entry: dict[str, Any], scores: list[int]
) -> None:
    """Compare a move as written with what the rules give, and add its points."""
    for key in EXPLAINED:
        if key in written and written[key] is None:
            raise BadRecord(f"{place}: {key} is null.", f"wrong_{key}")
        _compare(place, key, written.get(key), entry.get(key))
    for change in entry.get("others", ()):
        scores[change["player"]] += change["points"]
    if entry["player"] is not None:
        scores[entry["player"]] += entry["points"]
        entry["score"] = scores[entry["player"]]


def _compare(place: str, what: str, written: object, true: object) -> None:
    """Refuse a record that differs from what the rules give."""
    # As text, because Python treats True, 1 and 1.0 as equal.
    shown, right = (
        json.dumps(msgspec.to_builtins(value), sort_keys=True) for value in (written, true)
    )
    if shown != right:
        shown, right = (text if text != "null" else "nothing" for text in (shown[:200], right))
        raise BadRecord(
            f"{place}: the record says {what} {shown}, the rules give {right}.", f"wrong_{what}"
        )
