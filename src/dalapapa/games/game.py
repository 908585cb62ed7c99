"""What all games share: how they start, go on, and what one viewer may see of them.

A game is a pure state machine. `apply(state, move)` always validates and returns the new
state with the events that explain it; the old state stays as it was. Nothing here does I/O,
reads a clock or draws from a global source of chance: the bag is in the state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar

import msgspec
import msgspec.inspect
from msgspec.structs import replace

from ..errors import BadOptions, BadSet, IllegalMove
from ..notation import Laying
from ..tiles import TileSet, from_rows, standard
from .bag import Bag
from .events import Drew, Event, Outcome
from .moves import Lay, Move

T = TypeVar("T")
S = TypeVar("S", bound=Any)
"""The state of a game."""


class TileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A domino of a set that is not one of the standard ones."""

    name: str
    recto: str
    verso: str


SetChoice = str | tuple[TileRow, ...]
"""In options: the name of a standard set, or all dominoes of another."""


def tile_set(choice: SetChoice) -> TileSet:
    """The set that options ask for."""
    if isinstance(choice, str):
        return standard(choice)
    rows = [(f"domino {n}", msgspec.to_builtins(row)) for n, row in enumerate(choice, start=1)]
    return from_rows("of this game", rows)


def set_choice(tiles: TileSet) -> SetChoice:
    """The inverse of `tile_set`."""
    for name in ("120", "72"):
        if tiles == standard(name):
            return name
    return tuple(TileRow(tile.name, tile.recto, tile.verso) for tile in tiles.tiles)


class Step(msgspec.Struct, frozen=True):
    """The state after a move, and what the move changed."""

    state: Any
    events: tuple[Event, ...]


class Game(ABC):
    """The rules of one game. Stateless: all there is to know is in the states."""

    name: str
    seats: range
    """How many players may take part."""
    options: type[msgspec.Struct]
    """The type of the options, with defaults and ranges."""

    @abstractmethod
    def start(self, players: int, options: Any, bag: Bag) -> Step:
        """The first state, with a bag in a fixed order."""

    @abstractmethod
    def apply(self, state: Any, move: Move) -> Step:
        """Validate and carry out a move; raises `IllegalMove` or `IllegalLaying`."""

    @abstractmethod
    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def view(self, state: Any, viewer: int | None) -> Any:
        """What one player, or a spectator (None), may see: the one door out of a state."""

    @abstractmethod
    def legal_moves(self, view: Any) -> list[Move]:
        """The moves of the viewer that are legal now, in a stable order, without undo.

        All of them, except where a game says otherwise (bids have no end). Built from a view,
        so that programs need nothing that a person would not see.
        """

    @abstractmethod
    def actors(self, state: Any) -> tuple[int, ...]:
        """Who may act now; nobody once the game is over."""

    def asked(self, state: Any) -> int:
        """Whom a table of programs asks next: one of the actors."""
        return self.actors(state)[0]

    @abstractmethod
    def tiles(self, options: Any) -> TileSet:
        """The set that a game with these options is played with."""

    def check_viewer(self, viewer: int | None, players: int) -> None:
        """Refuse a viewer who is neither a player nor a spectator: no door opens by accident."""
        if viewer is not None and (type(viewer) is not int or viewer not in range(players)):
            raise BadOptions(f"There is no player {viewer!r} to look.", "unknown_viewer")

    def check_player(self, state: Any, move: Move) -> None:
        """Refuse a move after the end, or of somebody who is not at the table."""
        if state.phase == "over":
            raise IllegalMove("The game is over.", "game_over")
        if not isinstance(move, Move):
            raise IllegalMove("This is not a move.", "malformed_move")
        if type(move.player) is not int or move.player not in range(state.players):
            raise IllegalMove("There is no such player at this table.", "unknown_player")

    def check_turn(self, state: Any, move: Move) -> None:
        """Refuse a move of anybody but the active player."""
        self.check_player(state, move)
        if move.player != state.active:
            raise IllegalMove(f"It is the turn of player {state.active}.", "not_your_turn")

    def check_disc(self, disc: Any) -> None:
        """Refuse what is not the address of a disc."""
        if not (isinstance(disc, tuple) and len(disc) == 2 and all(type(n) is int for n in disc)):
            raise IllegalMove("A disc is named by two whole numbers.", "malformed_move")

    def check_in_hand(self, state: Any, move: Lay) -> None:
        """Refuse the laying of a domino that the active player does not hold."""
        if not isinstance(move.laying, Laying):
            raise IllegalMove("This is not a laying.", "malformed_move")
        if move.laying.tile not in state.hands[state.active]:
            raise IllegalMove(
                f"{move.laying.tile} is not in the hand of player {state.active}.", "not_in_hand"
            )

    def check_players(self, players: int) -> None:
        """Refuse a number of players that the game is not for."""
        if type(players) is not int or players not in self.seats:
            raise BadOptions(
                f"{self.name} is for {self.seats[0]} to {self.seats[-1]} players, not {players}.",
                "bad_players",
            )

    def parse_options(self, data: Any) -> Any:
        """Options from plain data; what is missing has its default."""
        self._check_ranges(data)
        try:
            options = msgspec.convert(data, self.options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"Options of {self.name}: {error}.") from None
        try:
            self.tiles(options)
        except BadSet as error:
            raise BadOptions(f"Options of {self.name}: {error}", error.code) from None
        return options

    def _check_ranges(self, data: Any) -> None:
        """Say in a sentence which number is out of its range."""
        if not isinstance(data, dict):
            return
        info = msgspec.inspect.type_info(self.options)
        assert isinstance(info, msgspec.inspect.StructType)
        for field in info.fields:
            limits, value = _range_of(field.type), data.get(field.encode_name)
            if limits and type(value) is int and not limits[0] <= value <= limits[1]:
                name = f"The {field.name.replace('_', ' ')} of {self.name}"
                raise BadOptions(
                    f"{name} is {limits[0]} to {limits[1]}, not {value}.", f"bad_{field.name}"
                )


def _range_of(kind: Any) -> tuple[int, int] | None:
    """The least and the greatest value of an option that is a number."""
    if isinstance(kind, msgspec.inspect.IntType) and kind.ge is not None and kind.le is not None:
        return kind.ge, kind.le
    return None


def result_of(scores: tuple[int, ...], reason: str) -> Outcome:
    """The highest score wins; ties share."""
    best = max(scores)
    winners = tuple([seat for seat, score in enumerate(scores) if score == best])
    return Outcome(scores, winners, reason)


def drawn_by(state: S, seat: int, count: int, events: list[Event]) -> S:
    """The state after a player drew up to `count` dominoes; an empty bag gives nothing."""
    drawn, bag = state.bag.draw(count)
    if not drawn:
        return state
    events.append(Drew(seat, len(drawn), drawn))
    hands = with_item(state.hands, seat, state.hands[seat] + drawn)
    return replace(state, bag=bag, hands=hands)


def with_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The items with another one at a place."""
    return (*items[:place], item, *items[place + 1 :])


def with_points(scores: tuple[int, ...], player: int, points: int) -> tuple[int, ...]:
    """The scores after a player got (or lost) points."""
    return with_item(scores, player, scores[player] + points)
