"""A game in progress: people and bots in seats, moves one after the other, and a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from os import PathLike, fspath
from typing import IO, Any, Generic, TypedDict, Unpack, overload

from .bots.arena import BotSeats, Seat
from .bots.bot import TURN_S, ViewT
from .core.errors import BadInput, BadOptions, Conflict, DalapapaError, IllegalMove
from .core.files import write
from .core.notation import Laying, shorten, suggest
from .games import DEFAULT, find_game
from .games.bag import fill_bag
from .games.events import Event, Outcome, list_score_changes
from .games.game import AnyGame, Game, State, Step, Timer
from .games.moves import Move, TimeUp, read_move
from .games.plain import to_plain
from .kernel.table import Position, Table
from .match_input import (
    find_bot,
    list_players,
    list_recorded,
    read_game_name,
    read_hands,
    read_match_options,
    read_position,
    read_scores,
    read_seats,
    read_seed,
)
from .record import Player, Record, Recorder, Replay, dump, play_again, read_source

TYPE_CHECKING = False

OTHER_NAMES = {
    "legal_moves": "legal",
    **dict.fromkeys(("current_player", "to_move", "to_play", "turn"), "to_act"),
    **dict.fromkeys(("history", "move_stack"), "moves"),
    **dict.fromkeys(("is_over", "is_game_over", "game_over", "done", "finished"), "over"),
    **dict.fromkeys(("result", "winner", "winners"), "outcome"),
    **dict.fromkeys(("push", "move", "make_move", "apply"), "play"),
    **dict.fromkeys(("pop", "undo_move", "take_back"), "undo"),
    **dict.fromkeys(("hand", "hands"), "view(seat).hand"),
    **dict.fromkeys(("board", "position", "layout"), "table"),
    **dict.fromkeys(("score", "points"), "scores"),
    **dict.fromkeys(("write", "dump"), "save"),
}
"""What programs may expect of a match under other names."""


class MatchChoices(TypedDict, total=False):
    """What a match may be given by name."""

    seed: str | int | None
    options: Mapping[str, Any] | None
    seconds: float
    position: Position | None
    hands: Sequence[str | Sequence[str]] | None
    scores: Sequence[int] | None


class Match(Generic[ViewT]):
    """A game of any kind, played move by move.

        >>> match = Match("classic", players=["Ann", "medium"], seed="tuesday")
        >>> events = match.play(match.legal[0])
        >>> match.run()  # Medium plays its turn; then it is up to Ann again.
        >>> match.to_act
        (0,)

    A player is the name of a bot (a level such as `medium`, or a bot of an installed package), a
    `Bot` or a class of bots, or else a person of that name, for whom the caller makes the moves. A
    number means so many people. All draws follow from `seed`; without it, they are random.
    `options` are those of the game (`dalapapa games` lists them); a set of dominoes may be given as
    a `TileSet`. `seconds` is the time for a turn of a bot that looks ahead.

    A turn game can begin in the middle: with a `position`, `hands` (else they are drawn) and
    `scores`, and with the turn of the player who would begin. It has no record. `Match.resume`
    continues a recorded game.

    Time is never measured. Where a sandglass runs (`timer`), `play("time_up")` ends it. Between
    bots, time is simulated.

    Refused moves raise an error of `dalapapa.core.errors` and change nothing. A match belongs to
    one thread at a time: two that change it at once are refused (`in_use`). Give others a
    `copy()`, or pickle it. Views, events and tables that it hands out never change and may be
    shared.
    """

    @overload
    def __init__(
        self: Match[Any],
        game: str = ...,
        players: Sequence[Seat] | int = ...,
        **more: Unpack[MatchChoices],
    ) -> None: ...

    @overload
    def __init__(
        self,
        game: Game[Any, Any, ViewT],
        players: Sequence[Seat] | int = ...,
        **more: Unpack[MatchChoices],
    ) -> None: ...

    def __init__(
        self,
        game: str | AnyGame = DEFAULT,
        players: Sequence[Seat] | int = 2,
        *,
        seed: str | int | None = None,
        options: Mapping[str, Any] | None = None,
        seconds: float = TURN_S,
        position: Position | None = None,
        hands: Sequence[str | Sequence[str]] | None = None,
        scores: Sequence[int] | None = None,
    ) -> None:
        rules = game if isinstance(game, Game) else find_game(read_game_name(game))
        seats = read_seats(players)
        rules.check_players(len(seats))
        bots = [find_bot(seat, rules) for seat in seats]
        names = list_players(seats, bots)
        chosen = read_match_options(options)
        if None in bots:
            chosen = rules.complete_options(chosen, [player.name for player in names])
        agreed = rules.parse_options(chosen)
        shuffled = read_seed(seed)
        bag = fill_bag(rules.tiles(agreed).names, shuffled)
        start: Step[State] = rules.start(len(seats), agreed, bag)
        self._first_scores = (0,) * len(seats)
        self._is_set_up = position is not None or hands is not None or scores is not None
        if self._is_set_up:
            self._first_scores = read_scores(scores, len(seats))
            table = read_position(position, rules.tiles(agreed))
            held = read_hands(hands, table, len(seats), agreed)
            start = rules.set_up(start.state, table, held, self._first_scores)
        self._sit_down(Recorder(rules, agreed, names, shuffled, start), bots, seconds)

    def _sit_down(self, recorder: Recorder, bots: list[Seat | None], seconds: float) -> None:
        self._recorder = recorder
        self._game, self._options = recorder.game, recorder.options
        self._players, self._seed = recorder.players, recorder.seed
        self._bots = BotSeats(recorder.game, bots, recorder.seed, seconds)
        self._busy = False

    # -- the state -----------------------------------------------------------------------

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self._game

    @property
    def options(self) -> Any:
        """The options of the game, with defaults for those that were not given."""
        return self._options

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, clockwise: `name`, and `program` if it is a bot."""
        return tuple(self._players)

    @property
    def seed(self) -> str:
        """The seed of all draws, which players must not see."""
        return self._seed

    @property
    def state(self) -> State:
        """The complete state, including hidden parts. What one player sees is `view`."""
        return self._step.state

    @property
    def _step(self) -> Step[State]:
        moves = self._recorder.moves
        return moves[-1][1] if moves else self._recorder.start

    @property
    def table(self) -> Table | None:
        """The table, frozen; None in a race, in which each player fills a frame."""
        return self.state.table

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple([move for move, _ in self._recorder.moves])

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, from the first draws on, including those that only some may see."""
        steps = [self._recorder.start, *[step for _, step in self._recorder.moves]]
        return tuple([event for step in steps for event in step.events])

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the players; in a race, those of its end."""
        if self.outcome is not None:
            return self.outcome.scores
        scores = list(self._first_scores)
        for player, points in list_score_changes(self.events):
            scores[player] += points
        return tuple(scores)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._game.outcome(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; several in an auction or a race, none at the end."""
        return self._game.actors(self.state)

    @property
    def timer(self) -> Timer | None:
        """The time that runs now, such as Alex's sandglass; `play("time_up")` ends it."""
        return self._game.timer(self.state) or self._game.time_limit(self.state)

    @property
    def legal(self) -> list[Move]:
        """The legal moves of all who may act, seat by seat; each names its `player`.

        Bids and announcements have no limit: only the next few are listed. If a time runs, the last
        move says that it has run out. For a single seat, use `match.view(seat).legal`.
        """
        return [*(move for seat in self.to_act for move in self._legal(seat)), *self._time_up()]

    def _legal(self, seat: int) -> list[Move]:
        return self._game.legal_moves(self._game.view(self.state, seat))

    def _list_for(self, seat: int) -> list[Move]:
        return [*self._legal(seat), *self._time_up()]

    def view(self, seat: int | str | None = None) -> ViewT:
        """What a player may see, by seat or name; without one, what a spectator sees."""
        view: ViewT = self._game.view(self.state, None if seat is None else self._seat(seat))
        return view

    def _seat(self, given: int | str) -> int:
        names = [player.name for player in self._players]
        if isinstance(given, str) and names.count(given) == 1:
            return names.index(given)
        if type(given) is not int or given not in range(len(names)):
            raise BadOptions(
                f"There is no player {shorten(given)}: choose one of {', '.join(names)}.",
                "unknown_viewer",
            )
        return given

    # -- playing -------------------------------------------------------------------------

    def play(
        self, move: Move | Mapping[str, Any] | str | object, seat: int | str | None = None
    ) -> tuple[Event, ...]:
        """Make a move; returns its events, which explain every point.

        A move is one of `legal`, a `Laying`, text (`PRYGB+0@0,0`, `end`, `pass`, `undo`, `call 6`)
        or a dict as in records. `seat` is needed only if several players could make it.
        """
        with self._alone():
            return self._play(self._read(move, None if seat is None else self._seat(seat)))

    def _play(self, move: Move) -> tuple[Event, ...]:
        step = self._game.apply(self.state, move)
        self._recorder.add(move, step)
        if self.outcome is not None:
            self._bots.close(outcome=to_plain(self.outcome))
        return step.events

    def _read(self, given: object, seat: int | None) -> Move:
        """Read a move, by the player who can make it."""
        acting = self.to_act
        if seat is None and len(acting) > 1 and isinstance(given, str | Laying):
            found = {move for who in acting for move in self._legal_as(given, who)}
            if len(found) != 1:
                raise IllegalMove(
                    f"Several players can act ({', '.join(map(str, acting))}): choose one"
                    " with seat=.",
                    "whose_move",
                )
            return found.pop()
        who = seat if seat is not None else next(iter(acting), 0)
        legal = partial(self._list_for, who)
        return read_move(given, who, legal, self._game.move_types)

    def _legal_as(self, given: object, seat: int) -> list[Move]:
        """Read a move, if it is a legal one of this player."""
        legal = self._list_for(seat)
        try:
            move = read_move(given, seat, lambda: legal, self._game.move_types)
        except IllegalMove as error:
            if error.code == "malformed_move":
                raise
            return []
        return [move] if move in legal else []

    def _time_up(self) -> list[Move]:
        return [TimeUp(self.timer.number)] if self.timer else []

    def undo(self) -> tuple[Event, ...]:
        """Take back the last laying (or mark) of the turn, where the rules allow it.

        A draw is never taken back; to try moves, play them on a `copy()`.
        """
        return self.play("undo")

    def run(self, moves: int | None = None) -> Outcome | None:
        """Let bots play until a person is to act, or to the end; returns the outcome if it is over.

        `moves` is a limit. In a race a person may always act, so that nothing happens here: use
        `step`.
        """
        with self._alone():
            left = -1 if moves is None else moves
            while left and not self.over:
                if any(seat not in self._bots.bots for seat in self._game.next_actors(self.state)):
                    break
                self._step_once()
                left -= 1
        return self.outcome

    def step(self) -> tuple[Event, ...]:
        """Let a bot make one move; returns its events.

        Where several bots may act, simulated time decides which one is quickest.
        """
        with self._alone():
            if self.over:
                raise IllegalMove("The game is over.", "game_over")
            if not any(seat in self._bots.bots for seat in self.to_act):
                raise IllegalMove("It is the turn of a person, not of a bot.", "not_your_turn")
            return self._step_once()

    def _step_once(self) -> tuple[Event, ...]:
        try:
            return self._play(self._bots.next_move(self.state))
        except DalapapaError as error:
            who = ", ".join(self._players[seat].name for seat in self.to_act)
            error.add_note(f"This was a move of {who}.")
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuse a second thread, or a bot that plays on the match that asks it."""
        if self._busy:
            raise Conflict("This match is in use: use a copy() of it elsewhere.", "in_use")
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    # -- records and copies --------------------------------------------------------------

    def record(self) -> Record:
        """The record of the game; until it is over, without its seed and draws."""
        if self._is_set_up:
            raise BadInput(
                "This match has no record, because it began from a position: a record begins with"
                " the first move.",
                "no_record",
            )
        return self._recorder.record()

    def save(self, file: str | PathLike[str]) -> None:
        """Write the record to a file, which `read_record` can read once the game is over."""
        if not isinstance(file, str | PathLike):
            raise BadInput(f"The name of a file must be a path, not {shorten(file)}.", "bad_output")
        write(fspath(file), dump(self.record()))

    @classmethod
    def resume(
        cls,
        source: str | PathLike[str] | bytes | IO[bytes] | Record | Replay,
        move: int | None = None,
        *,
        seed: str | int | None = None,
        players: Sequence[Seat] | None = None,
        game: AnyGame | None = None,
        seconds: float = TURN_S,
    ) -> Match[Any]:
        """Continue a recorded game after its first `move` moves, or after all of them.

        The whole record is verified. That of a game that was not over has no seed: give it.
        `players` are those of the record, unless others play on; bots start again. `game` has the
        rules of a game that no package registers.
        """
        record = source.record if isinstance(source, Replay) else source
        if not isinstance(record, Record):
            record = read_source(record)
        rules = game or find_game(record.game)
        played = play_again(record, rules, None if seed is None else read_seed(seed))
        count = len(played.moves) if move is None else move
        if type(count) is not int or count not in range(len(played.moves) + 1):
            raise BadInput(
                f"move must be a number from 0 to {len(played.moves)}, the moves of this record,"
                f" not {shorten(move)}.",
                "bad_move",
            )
        if players is None:
            names, bots = list_recorded(record, rules)
        else:
            seats = read_seats(players)
            rules.check_players(len(seats))
            bots = [find_bot(seat, rules) for seat in seats]
            names = list_players(seats, bots)
        if len(names) != len(record.players):
            raise BadOptions(
                f"This record has {len(record.players)} players, not {len(names)}.", "bad_players"
            )
        options = rules.parse_options(record.options)
        recorder = Recorder(rules, options, names, played.seed, played.start)
        recorder.moves = list(zip(played.moves, played.steps, strict=True))[:count]
        match = object.__new__(cls)
        match._first_scores, match._is_set_up = (0,) * len(names), False
        match._sit_down(recorder, bots, seconds)
        return match

    def copy(self) -> Match[ViewT]:
        """An independent match in the same state; its bots choose as they would here."""
        same: Match[ViewT] = object.__new__(Match)
        vars(same).update(vars(self))
        start = self._recorder
        same._recorder = Recorder(start.game, start.options, start.players, start.seed, start.start)
        same._recorder.moves = start.moves[:]
        try:
            same._bots = deepcopy(self._bots, {id(self._game): self._game})
        except TypeError:
            raise BadInput(
                "A bot in this match cannot be copied, for example because it is a process.",
                "cannot_copy",
            ) from None
        same._busy = False
        return same

    __copy__ = copy

    def close(self) -> None:
        """End bots that are processes (`exec:`), as the end of the game does."""
        self._bots.close()

    def __enter__(self) -> Match[ViewT]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    if not TYPE_CHECKING:  # For type checkers, a misspelt name is an error.

        def __getattr__(self, name):
            """Explain what a name of other libraries is called here."""
            if hasattr(type(self), name):  # A property of ours failed: its own error says why.
                return object.__getattribute__(self, name)
            text = f"{type(self).__name__} has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(text)
            right = OTHER_NAMES.get(name)
            hint = f": use {right}" if right else f".{suggest(name, PUBLIC_NAMES)}"
            raise AttributeError(text + hint.rstrip("."))

    def __len__(self) -> int:
        return len(self._recorder.moves)

    def __bool__(self) -> bool:
        return True  # Also before the first move.

    def __repr__(self) -> str:
        names = ", ".join(player.name for player in self._players)
        points = " - ".join(map(str, self.scores))
        state = "over" if self.over else f"seat {', '.join(map(str, self.to_act))} to act"
        return f"<Match {self._game.name}: {names}; {points} after {len(self)} moves, {state}>"

    def _repr_svg_(self) -> str | None:
        """The table as a picture, which notebooks show."""
        return None if self.table is None else self.table._repr_svg_()


PUBLIC_NAMES = [name for name in vars(Match) if not name.startswith("_")]
