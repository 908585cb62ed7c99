"""What all games share: how they start, go on, and what one viewer may see of them.

A game is a pure state machine. `apply(state, move)` always validates and returns the new
state with the events that explain it; the old state stays as it was. Nothing here does I/O,
reads a clock or draws from a global source of chance: the bag is in the state, and time that
has run out is a move of its own, which a server or a simulation makes (`TimeUp`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from ..errors import BadOptions, BadSet, IllegalMove
from ..kernel.table import Table
from ..notation import Laying
from ..tiles import TileSet
from .bag import Bag
from .events import Event, Outcome
from .moves import AnyMove, Lay, Move, TimeUp
from .options import parse_options

T = TypeVar("T")


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a game at one moment; here, what all games have."""

    options: Any
    phase: str
    """What may be done now; `over` at the end."""
    outcome: Outcome | None = None

    @property
    def players(self) -> int:
        """How many take part."""
        raise NotImplementedError

    @property
    def table(self) -> Table | None:
        """What lies in the middle; nothing in a race."""
        return None

    @property
    def before(self) -> State | None:
        """What an undo would lead back to, where a game has that."""
        return None

    def rest(self) -> None:
        """Let the tables sleep until the next move: people think for a long time."""
        state: State | None = self
        while state is not None:
            if state.table is not None:
                state.table.rest()
            state = state.before


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one viewer sees of a state; here, what all games show."""

    game: str
    viewer: int | None
    """A player, or None for a spectator."""
    options: Any
    phase: str
    can_undo: bool = False
    outcome: Outcome | None


class Step(msgspec.Struct, frozen=True):
    """The state after a move, and what the move changed."""

    state: Any
    events: tuple[Event, ...]


class Timer(msgspec.Struct, frozen=True):
    """A time that runs now. Once it is over, somebody makes the move `TimeUp(number)`."""

    number: int
    """Which one: a new number is a new start."""
    seconds: int
    """From the moment at which this number appeared."""


class Game(ABC):
    """The rules of one game. Stateless: all there is to know is in the states."""

    name: str
    seats: range
    """How many players may take part."""
    options: type[msgspec.Struct]
    """The type of the options, with defaults and ranges (`options.py`)."""
    view_type: type[View]
    many_moves = False
    """Whether there may be so many legal moves that listing them takes a while."""

    def start(self, players: int, options: Any, bag: Bag) -> Step:
        """The first state, with a bag in a fixed order."""
        self.check_players(players)
        return self.begin(players, self.parse_options(options), bag)

    @abstractmethod
    def begin(self, players: int, options: Any, bag: Bag) -> Step:
        """The first state; number of players and options are checked already."""

    @abstractmethod
    def apply(self, state: Any, move: Move) -> Step:
        """Validate and carry out a move; raises `IllegalMove` or `IllegalLaying`."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        outcome: Outcome | None = state.outcome
        return outcome

    def view(self, state: Any, viewer: int | None) -> Any:
        """What one player, or a spectator (None), may see: the one door out of a state."""
        if viewer is not None and (type(viewer) is not int or viewer not in range(state.players)):
            raise BadOptions(f"There is no player {viewer!r} to look.", "unknown_viewer")
        return self.view_type(
            game=self.name,
            viewer=viewer,
            options=state.options,
            phase=state.phase,
            outcome=state.outcome,
            **self.view_fields(state, viewer),
        )

    @abstractmethod
    def view_fields(self, state: Any, viewer: int | None) -> dict[str, Any]:
        """What the view shows besides what every view does."""

    def position(
        self, table: Table, hand: Sequence[str], scores: Sequence[int], options: Any
    ) -> Any:
        """What the one to move, seat 0, sees of a position that was laid out to be studied."""
        del table, hand, scores, options
        raise BadOptions(f"{self.name} has no positions to study.", "no_advice")

    @abstractmethod
    def legal_moves(self, view: Any) -> list[Move]:
        """The moves of the viewer that are legal now, in a stable order, without undo.

        All of them, except where a game says otherwise (bids have no end). Built from a view,
        so that programs need nothing that a person would not see.
        """

    def legal_layings(self, view: Any, tile: str) -> list[Move]:
        """Those of the legal moves that lay this domino, in the same order."""
        return [
            move
            for move in self.legal_moves(view)
            if isinstance(move, Lay) and move.laying.tile == tile
        ]

    @abstractmethod
    def actors(self, state: Any) -> tuple[int, ...]:
        """Who may act now; nobody once the game is over."""

    def asked(self, state: Any) -> tuple[int, ...]:
        """Whom a table of programs asks next: one actor, or several of whom the quickest acts."""
        return self.actors(state)[:1]

    def clocked(self, state: Any) -> int | None:
        """Whose turn it is, so that the table's clock runs for them; nobody's if several play."""
        asked = self.asked(state)
        return asked[0] if len(asked) == 1 else None

    def timer(self, state: Any) -> Timer | None:  # noqa: ARG002
        """The time that runs now, if any."""
        return None

    @abstractmethod
    def tiles(self, options: Any) -> TileSet:
        """The set that a game with these options is played with."""

    @abstractmethod
    def laid(self, state: Any) -> int:
        """How many dominoes have been laid."""

    def at_table(self, options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:  # noqa: ARG002
        """The options of a game between people of these names, before they are parsed."""
        return options

    def check_players(self, players: int) -> None:
        """Refuse a number of players that the game is not for."""
        if type(players) is not int or players not in self.seats:
            raise BadOptions(
                f"{self.name} is for {self.seats[0]} to {self.seats[-1]} players, not {players}.",
                "bad_players",
            )

    def parse_options(self, data: Any) -> Any:
        """Options from plain data, or checked anew; what is missing has its default."""
        if isinstance(data, msgspec.Struct):
            try:
                data = msgspec.to_builtins(data)
            except TypeError as error:
                raise BadOptions(f"Options of {self.name}: {error}.") from None
        options = parse_options(self.name, self.options, data)
        try:
            self.tiles(options)
        except BadSet as error:
            raise BadOptions(f"Options of {self.name}: {error}", error.code) from None
        return options

    def check_player(self, state: State, move: Move) -> None:
        """Refuse a move after the end, or of somebody who is not at the table."""
        if state.phase == "over":
            raise IllegalMove("The game is over.", "game_over")
        if not isinstance(move, AnyMove):
            raise IllegalMove("This is not a move.", "malformed_move")
        if isinstance(move, TimeUp):
            timer = self.timer(state)
            if timer is None or type(move.timer) is not int or move.timer != timer.number:
                raise IllegalMove("This time is not running.", "no_timer")
        elif type(move.player) is not int or move.player not in range(state.players):
            raise IllegalMove("There is no such player at this table.", "unknown_player")

    def check_laying(self, move: Lay) -> None:
        """Refuse what only looks like a laying."""
        laying = move.laying
        if not (
            isinstance(laying, Laying) and isinstance(laying.tile, str) and laying.tile.isalnum()
        ):
            raise IllegalMove("This is not a laying.", "malformed_move")

    def check_disc(self, disc: Any) -> None:
        """Refuse what is not the address of a disc."""
        if not (isinstance(disc, tuple) and len(disc) == 2 and all(type(n) is int for n in disc)):
            raise IllegalMove("A disc is named by two whole numbers.", "malformed_move")

    def no_such_move(self) -> IllegalMove:
        """The refusal of a move that belongs to another game."""
        return IllegalMove(f"{self.name} knows no such move.", "malformed_move")


def result_of(scores: tuple[int, ...], reason: str) -> Outcome:
    """The highest score wins; ties share."""
    best = max(scores)
    winners = tuple([seat for seat, score in enumerate(scores) if score == best])
    return Outcome(scores, winners, reason)


def with_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The items with another one at a place."""
    return (*items[:place], item, *items[place + 1 :])


def with_points(scores: tuple[int, ...], player: int, points: int) -> tuple[int, ...]:
    """The scores after a player got (or lost) points."""
    return with_item(scores, player, scores[player] + points)
