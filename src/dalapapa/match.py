"""A game in progress: people and bots in seats, moves one after the other, and a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from os import PathLike, fspath
from typing import Any

from .bots.arena import BotSeats, Seat, name_bot
from .bots.bot import TURN_S, Bot
from .bots.external import PREFIX
from .bots.registry import is_misspelt, list_bots, make_unknown_bot
from .core.errors import BadInput, BadOptions, Conflict, DalapapaError, IllegalMove
from .core.files import write
from .core.notation import Laying, shorten
from .core.tiles import TileSet
from .games import DEFAULT, find_game
from .games.bag import fill_bag, make_seed
from .games.events import Event, Outcome, list_score_changes
from .games.game import AnyGame, Game, State, Step, Timer, View
from .games.moves import Move, TimeUp, read_move
from .games.options import to_set_choice
from .games.plain import to_plain
from .kernel.table import Table
from .record import Player, Record, Recorder, dump


class Match:
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

    Time is never measured. Where a sandglass runs (`timer`), `play("time_up")` ends it. Between
    bots, time is simulated.

    Refused moves raise an error of `dalapapa.core.errors` and change nothing. A match belongs to
    one thread at a time: two that change it at once are refused (`in_use`). Give others a
    `copy()`, or pickle it. Views, events and tables that it hands out never change and may be
    shared.
    """

    def __init__(
        self,
        game: str | AnyGame = DEFAULT,
        players: Sequence[Seat] | int = 2,
        *,
        seed: str | int | None = None,
        options: Mapping[str, Any] | None = None,
        seconds: float = TURN_S,
    ) -> None:
        self._game = game if isinstance(game, Game) else find_game(_name(game))
        seats = _seats(players)
        self._game.check_players(len(seats))
        self._seed = _seed(seed)
        asked = [self._find_bot(seat) for seat in seats]
        self._players = [_player(*pair) for pair in enumerate(zip(seats, asked, strict=True), 1)]
        chosen = _options(options)
        if None in asked:
            chosen = self._game.complete_options(chosen, [player.name for player in self._players])
        self._options = self._game.parse_options(chosen)
        bag = fill_bag(self._game.tiles(self._options).names, self._seed)
        start: Step[State] = self._game.start(len(seats), self._options, bag)
        self._bots = BotSeats(self._game, asked, self._seed, seconds)
        self._recorder = Recorder(self._game, self._options, self._players, self._seed, start)
        self._busy = False

    def _find_bot(self, seat: Seat) -> Seat | None:
        """The bot in a seat, or None for a person."""
        if not isinstance(seat, str):
            return seat
        if seat in list_bots(self._game) or seat.startswith(PREFIX):
            return seat
        if is_misspelt(seat, self._game):
            error = make_unknown_bot(seat, self._game)
            raise BadOptions(f"{error} A person's name must differ more from theirs.", error.code)
        return None

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
        scores = [0] * len(self._players)
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
        return self._game.timer(self.state)

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

    def view(self, seat: int | str | None = None) -> View:
        """What a player may see, by seat or name; without one, what a spectator sees."""
        view: View = self._game.view(self.state, None if seat is None else self._seat(seat))
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
        return self._recorder.record()

    def save(self, file: str | PathLike[str]) -> None:
        """Write the record to a file, which `read_record` can read once the game is over."""
        if not isinstance(file, str | PathLike):
            raise BadInput(f"The name of a file must be a path, not {shorten(file)}.", "bad_output")
        write(fspath(file), dump(self.record()))

    def copy(self) -> Match:
        """An independent match in the same state; its bots choose as they would here."""
        same = object.__new__(Match)
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

    def __enter__(self) -> Match:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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


def _name(game: object) -> str:
    if not isinstance(game, str):
        raise BadOptions(f"The name of a game must be text, not {shorten(game)}.", "unknown_game")
    return game


def _seats(players: object) -> list[Seat]:
    """The players of the seats, checked as far as possible without the game."""
    if type(players) is int:
        return [f"player {seat}" for seat in range(1, players + 1)]
    if isinstance(players, str | bytes) or not isinstance(players, Sequence):
        raise BadOptions(
            f"Players must be a list of names and bots, or a number, not {shorten(players)}.",
            "bad_players",
        )
    for one in players:
        bot = isinstance(one, Bot) or (isinstance(one, type) and issubclass(one, Bot))
        if not bot and not (isinstance(one, str) and one.strip() and one.isprintable()):
            raise BadOptions(
                f"A player must be the name of a person or a bot, or a Bot, not {shorten(one)}.",
                "bad_players",
            )
    return list(players)


def _player(number: int, who: tuple[Seat, Seat | None]) -> Player:
    """A player of the record; bots are numbered, because several may have the same name."""
    given, bot = who
    name = name_bot(given)
    return Player(name) if bot is None else Player(f"{name} {number}", name)


def _seed(given: object) -> str:
    if given is None:
        return make_seed()
    if type(given) is int:
        return str(given)
    if not isinstance(given, str) or not given.isprintable():
        raise BadOptions(f"A seed must be printable text, not {shorten(given)}.", "bad_seed")
    return given


def _options(given: object) -> dict[str, Any]:
    """Options as plain data; a set of dominoes may be given as such."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadOptions(f"Options must be a dict, not {shorten(given)}.")
    return {
        name: to_set_choice(value) if isinstance(value, TileSet) else value
        for name, value in given.items()
    }
