"""The interface of a game: how it starts, how moves change it, and what one viewer may see.

A game is a pure state machine. `apply(state, move)` always validates and returns the new
state with the events that explain it; the old state does not change. Nothing here does I/O,
reads a clock or uses global random numbers: the bag is in the state, and when a time runs out, a
server or a simulation makes the move `TimeUp`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeAlias, TypeVar, final, get_args

import msgspec
from msgspec.structs import replace

from ..core.errors import BadOptions, BadSet, IllegalMove
from ..core.geometry import Disc
from ..core.notation import Laying, shorten
from ..core.options import Option, options_of
from ..core.tiles import TileSet
from ..kernel.solver import Hint, Stop, carry_on
from ..kernel.table import Table
from .bag import Bag
from .events import Ended, Event, Outcome
from .moves import AnyMove, ForeignMove, Lay, Move, PlayersMove, TimeUp, move_from_json
from .options import parse_options

T = TypeVar("T")
OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
StateT = TypeVar("StateT", bound="State")
ViewT = TypeVar("ViewT", bound="View")
StateT_co = TypeVar("StateT_co", bound="State", covariant=True)

find_game: Callable[[str], AnyGame]
"""Finds a game by name. The registry (`games/__init__.py`), which imports this module, sets it."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a game at one moment. This class has the fields of all games."""

    options: Any  # Each game declares its own type.
    phase: str
    """Which moves are possible now; `over` at the end."""
    outcome: Outcome | None = None

    @property
    def players(self) -> int:
        raise NotImplementedError

    @property
    def table(self) -> Table | None:
        """The common table; None in a race."""
        return None

    @property
    def before(self) -> State | None:
        """The state that undo returns to; None if there is none."""
        return None

    def rest(self) -> None:
        """Release the memory of all tables until the next move: people think for a long time."""
        state: State | None = self
        while state is not None:
            if state.table is not None:
                state.table.rest()
            state = state.before


class View(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What one viewer sees of a state. This class has the fields of all games.

    Beside its fields, which alone are sent and compared, it knows the rules that made it.
    """

    game: str
    viewer: int | None
    """A player, or None for a spectator."""
    options: Any
    phase: str
    can_undo: bool = False
    outcome: Outcome | None

    @property
    def player(self) -> int:
        """The viewer, who must be a player."""
        if self.viewer is None:
            raise BadOptions("A spectator cannot play.", "unknown_viewer")
        return self.viewer

    def with_rules(self, rules: AnyGame) -> Self:
        """This view, which then knows its rules."""
        vars(self)["rules"] = rules
        return self

    @property
    def legal(self) -> list[Move]:
        """The legal moves of the viewer (`Game.legal_moves`); empty if the viewer cannot act."""
        if self.viewer is None:
            return []
        # A copy that was pickled has no rules; those of its name are the same, if they have one.
        rules: AnyGame = vars(self).get("rules") or find_game(self.game)  # noqa: F821
        return rules.legal_moves(self)


class Step(msgspec.Struct, Generic[StateT_co], frozen=True):
    """The state after a move, and what the move changed."""

    state: StateT_co
    events: tuple[Event, ...]


class Timer(msgspec.Struct, frozen=True):
    """A time that runs now. Once it is over, a server or a simulation makes `TimeUp(number)`."""

    number: int
    """A new number for each new start."""
    seconds: int
    """From the moment at which this number appeared."""


class PlacedMark(msgspec.Struct, frozen=True):
    """A player's mark on a group, given by one of its discs."""

    player: int
    disc: Disc


class FrameHint(Hint, frozen=True):
    """A hint, and how wide the frame is that the laying belongs to."""

    width: int | None = None


class GameParts(NamedTuple):
    """The classes that a game of another package brings besides its rules."""

    bot: type[Any] | None = None
    """A subclass of `bots.levels.LevelBot`, which has all levels."""
    reviewer: type[Any] | None = None
    """A subclass of `coach.reviewer.Reviewer`."""
    observer: type[Any] | None = None
    """A subclass of `adapters.observer.Observer`."""
    texts: Callable[[], Mapping[str, Any]] | None = None
    """Loads what its moves, events and options are called, by language (`game_texts.py`)."""


MOVE_S = 0.7
"""The time that a person takes for a move in a turn: enough to see what happens."""

LAYING_S = 2.0
"""The time to lay a domino whose place is known, in a frame or to show a turn."""


class Game(ABC, Generic[OptionsT, StateT, ViewT]):
    """The rules of one game. It is stateless: everything about a game is in its states.

    Its types are its type arguments: `class Own(Game[Options, State, View])`.
    """

    name: str
    seats: range
    options: type[OptionsT]
    """The type of the options, with defaults and ranges (`options.py`)."""
    state_type: type[StateT]
    view_type: type[ViewT]
    move_types: ClassVar[tuple[type[PlayersMove], ...]] = ()
    """The kinds of moves that this game has besides ours (`docs/extending.md`)."""
    many_moves = False
    """Whether there may be so many legal moves that listing them takes long."""
    is_race = False
    """Whether all play at once: a table counts down to the start, and may help (`hint`)."""
    is_installed: ClassVar[bool] = False
    """Whether a worker process runs the game, because it is from another package: only the proxy
    of such a game in a server has this (`server/workers/remote_games.py`)."""
    parts: ClassVar[GameParts] = GameParts()
    """For games of other packages; those of our games are in `bots.py`, `reviewers.py` and
    `observers.py`. A variant inherits the bot only."""

    def __init_subclass__(cls) -> None:
        if "outcome" in vars(cls):
            raise TypeError(f"{cls.__name__} must not define outcome: define winners instead")
        for base in cls.__dict__.get("__orig_bases__", ()):
            types = get_args(base)
            if len(types) == 3 and not any(isinstance(one, TypeVar) for one in types):
                cls.options, cls.state_type, cls.view_type = types

    def start(self, players: int, options: object, bag: Bag) -> Step[StateT]:
        """The first state, with a bag in a fixed order."""
        self.check_players(players)
        return self.begin(players, self.parse_options(options), bag)

    @abstractmethod
    def begin(self, players: int, options: OptionsT, bag: Bag) -> Step[StateT]:
        """The first state. The number of players and the options have been checked."""

    def set_up(
        self,
        state: StateT,
        table: Table,
        hands: tuple[tuple[str, ...], ...] | None,
        scores: tuple[int, ...],
    ) -> Step[StateT]:
        """The first state of a game that goes on from a position; hands may have to be drawn."""
        del state, table, hands, scores
        raise BadOptions(f"A match of {self.name} cannot begin from a position.", "no_position")

    @abstractmethod
    def apply(self, state: StateT, move: Move) -> Step[StateT]:
        """Validate and carry out a move; raises `IllegalMove` or `IllegalLaying`."""

    @final
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return state.outcome

    def winners(self, state: StateT, scores: tuple[int, ...]) -> tuple[int, ...]:  # noqa: ARG002
        """The players who win with these scores: one, several who share the victory, or none.

        `state` is the last one before the end. By default, the highest score wins. States, views,
        events, records and rewards all have what this returns once, when the game ends.
        """
        best = max(scores)
        return tuple([seat for seat, score in enumerate(scores) if score == best])

    def view(self, state: StateT, viewer: int | None) -> ViewT:
        """What one player, or a spectator (None), may see. Nothing else of a state is ever sent.

        The fields of the view's type are the list of what is shown; fields that the state has by
        the same name are taken from it.
        """
        if viewer is not None and (type(viewer) is not int or viewer not in range(state.players)):
            raise BadOptions(
                f"viewer must be the number of a seat, or None for a spectator, not {viewer!r}.",
                "unknown_viewer",
            )
        shown = self.state_fields(state)
        shown.update(self.view_fields(state, viewer), game=self.name, viewer=viewer)
        return self.view_type(**shown).with_rules(self)

    def state_fields(self, state: StateT) -> dict[str, Any]:
        """The fields that the view takes from the state unchanged: the same for all viewers."""
        names, values = _in_both(type(state), self.view_type)
        return dict(zip(names, values(state), strict=True))

    def view_fields(self, state: StateT, viewer: int | None) -> dict[str, Any]:  # noqa: ARG002
        """The fields of the view that the state does not have, or has in another form."""
        return {}

    def position(
        self, table: Table, hand: Sequence[str], scores: Sequence[int], options: OptionsT
    ) -> ViewT:
        """The view of the player to move, seat 0, of a position to analyse."""
        del table, hand, scores, options
        raise BadOptions(f"The coach cannot analyse positions of {self.name}.", "no_advice")

    @abstractmethod
    def legal_moves(self, view: ViewT) -> list[Move]:
        """The moves of the viewer that are legal now, in a stable order, without undo.

        The list is complete unless a game says otherwise (bids have no upper limit). It is made
        from a view, so that bots need nothing that a person would not see.
        """

    def legal_layings(self, view: ViewT, tile: str) -> list[Move]:
        """The legal moves that lay this domino, in the same order."""
        return [
            move
            for move in self.legal_moves(view)
            if isinstance(move, Lay) and move.laying.tile == tile
        ]

    @abstractmethod
    def actors(self, state: StateT) -> tuple[int, ...]:
        """The players who may act now; empty once the game is over."""

    def next_actors(self, state: StateT) -> tuple[int, ...]:
        """The players whom a table of bots asks next: one, or several of whom the quickest acts."""
        return self.actors(state)[:1]

    def actors_out_of_turn(self, state: StateT) -> tuple[int, ...]:  # noqa: ARG002
        """The players who may act out of turn: the table does not wait for them."""
        return ()

    def turn_actors(self, state: StateT) -> tuple[int, ...]:
        """The players whose turn it is."""
        invited = self.actors_out_of_turn(state)
        return tuple([seat for seat in self.actors(state) if seat not in invited])

    def playable_tiles(self, view: ViewT) -> tuple[str, ...]:  # noqa: ARG002
        """The dominoes that the viewer may lay now, or try while others play."""
        return ()

    def can_try(self, view: ViewT) -> bool:  # noqa: ARG002
        """Whether the viewer may try layings that are not legal now."""
        return True

    def has_aids(self, view: ViewT) -> bool:  # noqa: ARG002
        """Whether a table may mark legal places now, and show what they bring."""
        return True

    def thinking_time(self, view: ViewT, pace: float) -> float:  # noqa: ARG002
        """The seconds that a move takes a person who sees `view`; `pace` is 1 for medium.

        In turns, others only need time to see the move. Where the quickest acts (rules 5 to 7), a
        level has a pace, too. These are means: a server or a simulation decides by chance who acts
        next.
        """
        return MOVE_S

    def clock_player(self, state: StateT) -> int | None:
        """The player for whom the table's clock runs; None if several play at the same time."""
        asked = self.next_actors(state)
        return asked[0] if len(asked) == 1 else None

    def timer(self, state: StateT) -> Timer | None:  # noqa: ARG002
        """The time that runs now, if any."""
        return None

    def time_limit(self, state: StateT) -> Timer | None:  # noqa: ARG002
        """The time of the whole game if it runs beside `timer`; their numbers differ."""
        return None

    def hint(self, view: ViewT, stop: Stop = carry_on, width: int | None = None) -> FrameHint:
        """In a race, on request: a next laying, or that the frame cannot be completed.

        Where a frame may lie either way, the one of that width is tried first. It takes up to a
        second (`solver.HINT_NODES`) and is therefore not part of a move.
        """
        del view, stop, width
        raise IllegalMove("This game has no hints.", "no_hints")

    @abstractmethod
    def tiles(self, options: OptionsT) -> TileSet:
        """The set that a game with these options is played with."""

    @abstractmethod
    def count_laid(self, state: StateT) -> int:
        """How many dominoes have been laid."""

    def read_move(self, data: Any) -> Move:
        """A move in the form of records, of our kinds or one of this game."""
        return move_from_json(data, self.move_types)

    def resolve_move(self, move: Move) -> Move:
        """The move, also if it has come through code that does not know the game."""
        return self.read_move(move.data) if isinstance(move, ForeignMove) else move

    def read_stored_options(self, options: dict[str, Any], has_undo: bool) -> dict[str, Any]:  # noqa: ARG002
        """The options of a stored game; those that it does not have are as they were before.

        `has_undo` says whether its moves take back any, or may still do so.
        """
        return options

    def write_new_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options of a new online table, with those that older tables do not have."""
        return options

    def complete_options(self, options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:  # noqa: ARG002
        """The options of a game between people of these names, before they are parsed."""
        return options

    def anonymize(self, name: str, seat: int) -> str:  # noqa: ARG002
        """A name that replaces that of a player who wants to be forgotten.

        `complete_options` gives the same options with it. A name made here stays as it is.
        """
        return f"player {seat + 1}"

    def check_players(self, players: int) -> None:
        """Refuse a number of players that the game is not for."""
        if type(players) is not int:
            raise BadOptions(
                f"The number of players must be a whole number, not {shorten(players)}.",
                "bad_players",
            )
        if players not in self.seats:
            raise BadOptions(
                f"{self.name} is for {self.seats[0]} to {self.seats[-1]} players, not {players}.",
                "bad_players",
            )

    def parse_options(self, data: object) -> OptionsT:
        """Read options from plain data, or check them again; missing ones have their default."""
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

    def menu(self) -> tuple[Option, ...]:
        """The options that players agree on, for menus, the command line and docs."""
        return options_of(self.options)

    def check_player(self, state: StateT, move: Move) -> None:
        """Refuse a move after the end, or of a player who is not at the table."""
        if state.phase == "over":
            raise IllegalMove("The game is over.", "game_over")
        if not isinstance(move, AnyMove):
            raise IllegalMove("This is not a move.", "malformed_move")
        if isinstance(move, TimeUp):
            timers = (self.timer(state), self.time_limit(state))
            if type(move.timer) is not int or all(
                timer is None or move.timer != timer.number for timer in timers
            ):
                raise IllegalMove("This timer is not running.", "no_timer")
        elif type(move.player) is not int or move.player not in range(state.players):
            raise IllegalMove("This table has no such player.", "unknown_player")

    def check_laying(self, move: Lay) -> None:
        """Refuse a move whose laying is none."""
        laying = move.laying
        if not (
            isinstance(laying, Laying) and isinstance(laying.tile, str) and laying.tile.isalnum()
        ):
            raise IllegalMove("This is not a laying.", "malformed_move")

    def check_disc(self, disc: object) -> None:
        """Refuse what is not the address of a disc."""
        if not (isinstance(disc, tuple) and len(disc) == 2 and all(type(n) is int for n in disc)):
            raise IllegalMove("A disc must be two whole numbers.", "malformed_move")

    def no_such_move(self) -> IllegalMove:
        """The refusal of a move that belongs to another game."""
        return IllegalMove(f"{self.name} has no such move.", "malformed_move")

    @final
    def finish(
        self, state: StateT, scores: tuple[int, ...], reason: str, events: list[Event]
    ) -> Step[StateT]:
        """End the game: the one place where its outcome is made."""
        outcome = Outcome(scores, self.winners(state, scores), reason)
        events.append(Ended(outcome))
        return Step(replace(state, phase="over", outcome=outcome), tuple(events))


AnyGame: TypeAlias = Game[Any, Any, Any]


@cache
def _in_both(
    state: type[State], view: type[View]
) -> tuple[tuple[str, ...], Callable[[State], tuple[Any, ...]]]:
    """The fields that both types have, and a getter for them."""
    names = tuple([name for name in view.__struct_fields__ if name in state.__struct_fields__])
    return names, attrgetter(*names)  # There are several: options, phase, outcome.


def replace_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The items with another one at a place."""
    return (*items[:place], item, *items[place + 1 :])


def add_points(scores: tuple[int, ...], player: int, points: int) -> tuple[int, ...]:
    """The scores after a player got (or lost) points."""
    return replace_item(scores, player, scores[player] + points)
