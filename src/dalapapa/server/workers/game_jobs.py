"""Jobs about games of packages: the only functions of a server that import a package.

They run in worker processes (`packages.py` asks for them), each as `in_package(point, job, ...)`,
which imports the one package that it needs. Answers are bytes, errors are those of `core/errors.py`
or a `GameFailure`: unpickling them never imports a package. Moves cross between the processes in
the form of records (`games/moves.py`). Those of a kind that only the game knows are read and
checked here; in the server process each is a `ForeignMove`, which is plain data.
"""

from __future__ import annotations

import inspect
import logging
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from ... import games
from ...bots import list_levels, make_bot
from ...bots.bot import Bot, read_choice
from ...bots.installed import InstalledBot, choose_least, find_registered, try_bot
from ...bots.registry import list_own_bots
from ...core import errors
from ...core.errors import BrokenGame, DalapapaError
from ...core.notation import print_position
from ...games import make_entry
from ...games.bag import fill_bag
from ...games.game import AnyGame, State, View
from ...games.game_texts import read_game_texts
from ...games.installed import check_moves, format_error, load_game, try_game
from ...games.moves import move_to_json
from ...games.plain import to_plain
from ...games.turns import TargetOptions, TurnState
from ...hosting.entries import Entry
from ...hosting.layings import sort_moves
from ...hosting.seat_answers import check_move_count
from ...hosting.settings import Settings, find_tiles
from ...hosting.state import STAND_IN_BOT, Seat, TableState, advance, open_table
from .jobs import check_list_size, find_hint
from .remote_games import (
    MAX_TABLE_BYTES,
    BotDescription,
    GameDescription,
    PackagePoint,
    RemoteEvent,
    RemoteState,
    RemoteTable,
    describe_tiles,
    select_shared,
)

T = TypeVar("T")

Paces = Mapping[str, float]
"""The paces of the bots of other packages at a table, by name."""

logger: logging.Logger = logging.getLogger("dalapapa")

_encode = msgspec.msgpack.Encoder().encode
_encode_json = msgspec.json.Encoder().encode
_loaded: dict[PackagePoint, AnyGame] = {}


class GameFailure(BrokenGame):
    """What a package did wrong, in one line for the operator."""

    @property
    def reason(self) -> str:
        """The line."""
        return str(self)


def in_package(point: PackagePoint, job: Callable[..., T], *args: Any) -> T:
    """Run a job that needs the game of an entry point; the job finds it by its name."""

    def load_and_run() -> T:
        if point not in _loaded:
            _loaded[point] = load_game(point.to_entry_point())
        game = _loaded[point]
        games.LOADED[game.name] = game  # Another package may have tried to take its name.
        return job(*args)

    return guard_package(load_and_run)


def run_about_game(point: PackagePoint, name: str, job: Callable[..., T], *args: Any) -> T:
    """Run a job about a finished game, for any pool: a failure becomes the refusal for players."""
    try:
        return in_package(point, job, *args)
    except GameFailure as failure:
        what = getattr(job, "__name__", "a job")
        logger.warning("The game %s (%s) is broken: %s: %s", name, point.value, what, failure)
        raise BrokenGame(f"The game {name} is broken: it cannot continue.") from None


def guard_package(job: Callable[..., T], *args: Any) -> T:
    """Run a job that may fail in any way; refusals pass, all other errors are `GameFailure`."""
    try:
        try:
            return job(*args)
        except DalapapaError as error:
            refusal = _as_own_error(error)
    except (Exception, SystemExit) as error:
        raise GameFailure(format_error(error)) from None
    raise refusal


def _as_own_error(error: DalapapaError) -> DalapapaError:
    """The same refusal in a class of `core/errors.py`: a package may have derived its own."""
    kind = next(one for one in type(error).__mro__ if one.__module__ == errors.__name__)
    own: DalapapaError = kind(str(error))
    own.code = str(error.code)
    own.values = {
        str(name): value if type(value) in (int, str) else float(value)
        for name, value in error.values.items()
    }
    return own


# -- the catalogue -------------------------------------------------------------------------------


def describe_game(point: PackagePoint) -> bytes:
    """Try a game, and describe it."""
    return guard_package(_describe_game, point)


def _describe_game(point: PackagePoint) -> bytes:
    game = try_game(point.to_entry_point())
    games.LOADED[game.name] = game
    options = game.parse_options({})
    _check_states_travel(game, options)
    bots: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    failure = ""
    try:
        bots, levels = list_own_bots(game), list_levels(game)
    except Exception as error:
        failure = format_error(error)
    entry = make_entry(game)
    return _encode_json(
        GameDescription(
            game.name,
            type(game).__module__,
            entry.players,
            entry.options,
            bool(game.is_race),
            (inspect.getdoc(game) or "").partition("\n")[0],
            options.charge if isinstance(options, TargetOptions) else None,
            bots,
            levels,
            failure,
            read_game_texts(game),
        )
    )


def _check_states_travel(game: AnyGame, options: Any) -> None:
    """Refuse a game whose states cannot go from one worker to another."""
    players = game.seats[0]
    step = game.start(players, options, fill_bag(game.tiles(options).names, "trial"))
    settings, seats = Settings(game.name, ()), tuple([Seat(None)] * players)
    state = TableState(
        settings, game, "", seats, game_state=step.state, options=options, events=step.events
    )
    msgspec.msgpack.decode(_encode_bounded(_pack_table(state, {})), type=RemoteTable)


def describe_bot(point: PackagePoint) -> bytes:
    """Try a bot, and describe it."""
    return guard_package(_describe_bot, point)


def _describe_bot(point: PackagePoint) -> bytes:
    bot = try_bot(point.to_entry_point())
    kind = bot.kind
    return _encode_json(BotDescription(bot.name, bot.title, bot.description, kind.games, kind.pace))


# -- tables --------------------------------------------------------------------------------------


def open_packed(settings: Settings, seed: str, paces: Paces, at: int) -> bytes:
    """A new table, and its dominoes."""
    packed = _pack_table(open_table(settings, seed, at), paces)
    return _encode_bounded((packed, find_tiles(settings).identity))


def advance_packed(
    settings: Settings,
    seed: str,
    paces: Paces,
    packed: RemoteTable,
    pickled: bytes | None,
    entries: Sequence[tuple[Entry, int]],
) -> tuple[bytes, DalapapaError | None]:
    """The states of a table after each of some entries, and the refusal of the entry after them.

    Only the last state is complete: no viewer sees the others.
    """
    game = games.find_game(settings.game)
    game_state = None if pickled is None else pickle.loads(pickled)
    state = TableState(settings, game, seed, game_state=game_state, **select_shared(packed))
    states: list[RemoteTable] = []
    refusal = None
    for number, (entry, at) in enumerate(entries, start=1):
        try:
            state = advance(state, entry, at)
        except DalapapaError as error:
            refusal = _as_own_error(error)
            break
        states.append(_pack_table(state, paces, is_shown=number == len(entries)))
    return _encode_bounded(states), refusal


def anonymize_options(settings: Settings, names: Sequence[str], seat: int) -> bytes:
    """The options of a game between these players, without the name of one of them."""
    game, known = games.find_game(settings.game), list(names)
    known[seat] = game.anonymize(known[seat], seat)
    return _encode(game.complete_options(settings.options, known))


def _pack_table(state: TableState, paces: Paces, is_shown: bool = True) -> RemoteTable:
    fields = select_shared(state)
    fields["options"] = msgspec.to_builtins(state.options)
    game_state = None if state.game_state is None else _pack_state(state, paces, is_shown)
    events = tuple(map(_pack_event, state.events)) if is_shown else ()
    return RemoteTable(**fields, game_state=game_state, events=events)


def _pack_state(table: TableState, paces: Paces, is_shown: bool) -> RemoteState:
    game, state = table.game, table.game_state
    if not isinstance(state, State):
        raise TypeError(f"a state must be a State, not a {type(state).__name__}")
    viewers = (None, *range(len(table.seats))) if is_shown else ()
    views = {viewer: _view(game, state, viewer) for viewer in viewers}
    acting, next_acting = game.actors(state), game.next_actors(state)
    invited = game.actors_out_of_turn(state)
    if not {*acting, *next_acting, *invited} <= set(range(len(table.seats))):
        raise ValueError(f"the seats {acting}, {next_acting} and {invited} are to act")
    layout = state.table
    return RemoteState(
        phase=state.phase,
        outcome=game.outcome(state),
        pickled=pickle.dumps(state, pickle.HIGHEST_PROTOCOL) if is_shown else b"",
        acting=acting,
        next_acting=next_acting,
        invited=invited,
        clock_seat=game.clock_player(state),
        seconds={
            seat: _count_seconds(game, bot, views[seat], paces)
            for seat in next_acting
            if is_shown and (bot := table.seats[seat].played_by) is not None
        },
        views=tuple([_encode_json(to_plain(view)) for view in views.values()]),
        hands=state.hands if isinstance(state, TurnState) else None,
        position=None if layout is None else print_position(layout.layings),
        tiles=None if layout is None else describe_tiles(layout.tiles),
    )


def _pack_event(event: Any) -> RemoteEvent:
    full = _encode_json(to_plain(event))
    redacted = event.redact(None)
    hidden = full if redacted is event else _encode_json(to_plain(redacted))
    return RemoteEvent(getattr(event, "player", None), full, hidden)


def _encode_bounded(answer: Any) -> bytes:
    """Encode what a game says about a table; refuse what is too large for the server."""
    encoded = _encode(answer)
    if len(encoded) > MAX_TABLE_BYTES:
        raise ValueError(f"a table takes {len(encoded)} bytes")
    return encoded


def _view(game: AnyGame, state: Any, viewer: int | None) -> Any:
    view = game.view(state, viewer)
    if not isinstance(view, View):
        raise TypeError(f"a view is a {type(view).__name__}")
    return view


# -- moves ---------------------------------------------------------------------------------------


def list_packed_moves(
    name: str, pickled: bytes, seat: int, tile: str | None, fixed_order: bool
) -> bytes:
    """The legal moves of a seat, or only the layings of one domino."""
    game = games.find_game(name)
    view = _view(game, pickle.loads(pickled), seat)
    moves = game.legal_moves(view) if tile is None else game.legal_layings(view, tile)
    if tile is None:
        check_move_count(len(moves))
    check_moves(game, moves)
    if fixed_order:
        moves = sort_moves(moves)
    encoded = _encode_json([move_to_json(move) for move in moves])
    check_list_size(len(encoded))
    return encoded


def choose_packed_move(
    name: str, pickled: bytes, seat: int, bot: str, seed: str, given_up: bool
) -> bytes:
    """The move of a bot; the least move in place of one that was given up."""
    game = games.find_game(name)
    view = _view(game, pickle.loads(pickled), seat)
    if given_up:
        move = choose_least(game, view, given_up)
    else:
        move = read_choice(_make_bot(game, bot, seed).choose(view), game, view)
    return _encode_json(move_to_json(move))


def find_packed_hint(
    name: str, pickled: bytes, seat: int, width: int | None, seconds: float
) -> bytes:
    """The hint of the solver for a seat."""
    view = _view(games.find_game(name), pickle.loads(pickled), seat)
    return find_hint(name, view, width, seconds)


def _make_bot(game: AnyGame, name: str, seed: str) -> Bot[Any]:
    """A bot by name; if its package is not installed, the one that every game has."""
    if name in list_own_bots(game):
        return make_bot(name, game, seed)
    registered = find_registered(name)
    if registered is None or not registered.plays(game):
        return make_bot(STAND_IN_BOT, game, seed)
    return InstalledBot(registered, game, seed)


def _count_seconds(game: AnyGame, bot: str, view: Any, paces: Paces) -> float:
    if bot in paces:
        seconds = game.thinking_time(view, paces[bot])
    else:
        seconds = _make_bot(game, bot, "").seconds(view)
    if not seconds > 0:
        raise ValueError(f"a move takes {seconds} seconds")
    return seconds
