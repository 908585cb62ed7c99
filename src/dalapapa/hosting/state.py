"""The state of an online table, and how it follows from its log.

The stored truth of a table is its settings, its seed and its log of entries. `advance` is the one
way from an entry to a state; it is pure and refuses what the rules or the seats do not allow. Times
are in milliseconds since 1970, by the server's clock; deadlines follow from the times in the log,
so that they survive a restart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from ..core.errors import BadOptions, Conflict, Forbidden, IllegalMove, NotFound
from ..core.names import make_line, shorten_name
from ..games import find_game
from ..games.bag import fill_bag
from ..games.events import CameBack, Event, GotHint, LeftTable, PassedOver, StoodIn, TurnEnded
from ..games.game import AnyGame, State, Step, Timer, replace_item
from ..games.moves import TimeUp
from .entries import (
    CLOSED,
    MOVED_TO_DEVICE,
    Closed,
    Entry,
    Forgotten,
    Hinted,
    Left,
    Moved,
    Rematched,
    Removed,
    Renewed,
    Resumed,
    Returned,
    Sat,
)
from .settings import Settings

MAX_NAME_LENGTH = 30

MAX_ENTRIES = 20_000
"""Entries of a log, which is replayed when its table is loaded: no game needs as many."""

MAX_SENTENCE_LENGTH = 300
"""Characters of the sentence with which the operator closes a table."""

FORGOTTEN_OWNER = "0" * 64
"""The owner of a seat whose player was forgotten: no token has this hash."""

MAX_REMOVED_GUESTS = 20
"""Guests whose removal a table remembers, so that their clients can be notified."""

STAND_IN_BOT = "greedy"
"""The bot that plays for a player who left, or whose time is up."""


class Seat(msgspec.Struct, frozen=True):
    """A place at the table."""

    program: str | None
    """The bot that the seat is for."""
    name: str | None = None
    owner: str | None = None
    away: bool = False
    """Its owner has left the game: a bot plays."""
    replaced: bool = False
    """The other players let the bot play."""
    hints: int = 0
    """How often the solver has helped."""
    since: int = 0
    """The version at which its player sat down."""

    @property
    def played_by(self) -> str | None:
        """The bot that plays now, if any."""
        return STAND_IN_BOT if self.away else self.program

    @property
    def free(self) -> bool:
        """Whether a person may take it."""
        return self.program is None and self.owner is None


class RunningTimer(msgspec.Struct, frozen=True):
    """A timer of the game, and when it runs out."""

    number: int
    deadline: int


class ClockState(msgspec.Struct, frozen=True):
    """Whose time runs, since when, and how many milliseconds each player has left."""

    player: int | None
    since: int
    left: tuple[int, ...]


class TableState(msgspec.Struct, frozen=True):
    """Everything about a table at one version."""

    settings: Settings
    game: AnyGame
    seed: str
    seats: tuple[Seat, ...]
    version: int = 0
    """Entries so far."""
    at: int = 0
    """When the last of them was made."""
    game_state: Any = None
    """None until all seats are taken."""
    options: Any = None
    """The options of the game as it is played."""
    events: tuple[Event, ...] = ()
    """The events of the last entry."""
    begins: int | None = None
    """When a race begins: earlier moves are refused."""
    timer: RunningTimer | None = None
    time_limit: RunningTimer | None = None
    """The time of the whole game, which runs beside `timer`."""
    clock: ClockState | None = None
    rematch: str | None = None
    removed: tuple[str, ...] = ()
    """The owners whom the host has sent away."""
    closed: str | None = None
    """The sentence with which the operator has closed it."""

    @property
    def host(self) -> int | None:
        """The seat of the player here longest, who may send others away before the game."""
        taken = [(seat.since, number) for number, seat in enumerate(self.seats) if seat.owner]
        return min(taken)[1] if taken else None

    @property
    def phase(self) -> Literal["waiting", "playing", "over"]:
        if self.closed is not None:
            return "over"
        if self.game_state is None:
            return "waiting"
        return "playing" if self.game.outcome(self.game_state) is None else "over"

    @property
    def is_full(self) -> bool:
        """Whether the log is as long as it may become."""
        return self.version >= MAX_ENTRIES

    @property
    def is_secret(self) -> bool:
        """Whether only players may see the game, until it is over."""
        return self.settings.spectators == "none" and self.phase != "over"

    @property
    def accepts_moves(self) -> bool:
        """Whether the game is played, and there is room for moves."""
        return self.phase == "playing" and not self.is_full

    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        numbered = enumerate(self.seats, start=1)
        return tuple([seat.name or f"{seat.program or 'player'} {n}" for n, seat in numbered])

    def next_timer(self) -> RunningTimer | None:
        """The timer that runs out next."""
        running = [timer for timer in (self.timer, self.time_limit) if timer is not None]
        return min(running, key=lambda timer: timer.deadline, default=None)

    def clock_deadline(self) -> int | None:
        """When the clock of the player to act runs out."""
        if self.clock is None or self.clock.player is None:
            return None
        left = self.clock.left[self.clock.player]
        if self.settings.clock.kind == "turn":
            left = 1000 * self.settings.clock.seconds
        return self.clock.since + left

    def turn_deadline(self) -> int | None:
        """When the next timer or clock of players runs out."""
        clock_over = self.clock_deadline()
        if self.timer is None:
            return clock_over
        return self.timer.deadline if clock_over is None else min(self.timer.deadline, clock_over)

    def deadline(self) -> int | None:
        """When the next timer or clock runs out."""
        ends = [] if self.time_limit is None else [self.time_limit.deadline]
        turn = self.turn_deadline()
        return min(ends if turn is None else [*ends, turn], default=None)


def open_table(settings: Settings, seed: str, at: int) -> TableState:
    """A new table without players; if all seats are for bots, the game begins."""
    game = find_game(settings.game)
    game.check_players(len(settings.seats))
    options = game.parse_options(settings.options)
    game.start(len(settings.seats), options, fill_bag(game.tiles(options).names, seed))
    seats = tuple([Seat(plan.program) for plan in settings.seats])
    return _begin_if_full(TableState(settings, game, seed, seats, at=at), at)


def refuse_closed(sentence: str) -> IllegalMove:
    """The refusal at a closed table; its values have the reason if the operator gave one."""
    if sentence == CLOSED:
        return IllegalMove(sentence, "table_closed")
    if sentence == MOVED_TO_DEVICE:
        return IllegalMove(sentence, "moved_to_device")
    return IllegalMove(sentence, "table_closed", reason=sentence)


def advance(state: TableState, entry: Entry, at: int) -> TableState:
    """The state after an entry, or a refusal."""
    if state.closed is not None and not isinstance(entry, Forgotten):
        raise refuse_closed(state.closed)
    if isinstance(entry, Moved):
        return _apply_moved(state, entry, at)
    after = replace(state, version=state.version + 1, at=at, events=())
    match entry:
        case Sat():
            return _apply_sat(after, entry, at)
        case Left():
            return _apply_left(after, entry)
        case Returned(seat=seat):
            return _apply_returned(after, seat)
        case Hinted():
            return _apply_hinted(after, entry, at)
        case Rematched(table=table):
            if state.phase != "over":
                raise IllegalMove("The game is not over.", "not_over")
            if state.rematch is not None:
                raise IllegalMove("This game already has a rematch.", "already_rematched")
            return replace(after, rematch=table)
        case Removed():
            return _apply_removed(after, entry)
        case Closed(sentence=sentence):
            return replace(
                after,
                closed=sentence[:MAX_SENTENCE_LENGTH] or CLOSED,
                timer=None,
                time_limit=None,
                clock=None,
            )
        case Forgotten(seat=seat):
            return _apply_forgotten(after, seat)
        case Renewed():
            return _apply_renewed(after, entry)
        case Resumed(timer=number):
            return replace(after, timer=_restart_timer(state, number, at))


def replay_states(
    settings: Settings, seed: str, created: int, entries: Iterable[tuple[Entry, int]]
) -> Iterator[TableState]:
    """The states of a table: the first one, and the one after each entry with its time."""
    state = open_table(settings, seed, created)
    yield state
    for entry, at in entries:
        state = advance(state, entry, at)
        yield state


def replay(
    settings: Settings, seed: str, created: int, entries: Iterable[tuple[Entry, int]]
) -> TableState:
    """The state of a table after all entries of its log."""
    # A list of all states would take megabytes.
    return deque(replay_states(settings, seed, created, entries), maxlen=1).pop()


def clean_name(name: str) -> str:
    """A name as it is stored: one line, not too long."""
    cleaned = shorten_name(" ".join(make_line(name).split()), MAX_NAME_LENGTH).strip()
    if not cleaned:
        raise BadOptions("A player needs a name.", "bad_name")
    return cleaned


def _seat(state: TableState, number: int) -> Seat:
    if type(number) is not int or number not in range(len(state.seats)):
        raise NotFound("There is no such seat at this table.", "unknown_seat")
    return state.seats[number]


def _apply_sat(state: TableState, entry: Sat, at: int) -> TableState:
    seat = _seat(state, entry.seat)
    if not seat.free:
        raise Conflict("This seat is taken.", "seat_taken")
    name = clean_name(entry.name)
    sat = replace(seat, name=name, owner=entry.owner, since=state.version)
    return _begin_if_full(replace(state, seats=replace_item(state.seats, entry.seat, sat)), at)


def _apply_left(state: TableState, entry: Left) -> TableState:
    seat = _seat(state, entry.seat)
    if seat.owner is None or seat.away:
        raise IllegalMove("No player has this seat.", "seat_free")
    if entry.by is not None:
        _seat(state, entry.by)
        if state.phase == "waiting":
            raise IllegalMove("The game has not begun: some seats are still free.", "not_begun")
    if state.phase == "waiting":
        return replace(state, seats=replace_item(state.seats, entry.seat, Seat(None)))
    gone = replace(seat, away=True, replaced=entry.by is not None)
    event = LeftTable(entry.seat) if entry.by is None else StoodIn(entry.seat, entry.by)
    events = (event,) if state.phase == "playing" else ()  # After the end, no bot plays.
    return replace(state, seats=replace_item(state.seats, entry.seat, gone), events=events)


def _apply_removed(state: TableState, entry: Removed) -> TableState:
    seat, by = _seat(state, entry.seat), _seat(state, entry.by)
    if state.phase != "waiting":
        raise IllegalMove(
            "The game has begun: you can no longer send guests away.", "already_begun"
        )
    if seat.owner is None:
        raise IllegalMove("No player has this seat.", "seat_free")
    host = None if state.host is None else state.seats[state.host].owner
    if by.owner != host or seat.owner == host:
        raise Forbidden("Only the host can send guests away.", "not_host")
    removed = (*state.removed, seat.owner)[-MAX_REMOVED_GUESTS:]
    return replace(state, seats=replace_item(state.seats, entry.seat, Seat(None)), removed=removed)


def remove_name(game: AnyGame, entry: Sat) -> Sat:
    """The entry without the person; the game stays as it was."""
    return Sat(entry.seat, game.anonymize(entry.name, entry.seat), FORGOTTEN_OWNER)


def _apply_forgotten(state: TableState, number: int) -> TableState:
    seat = _seat(state, number)
    if seat.owner is None:
        raise IllegalMove("No player has this seat.", "seat_free")
    gone = Seat(None)
    if state.game_state is not None:
        name = state.game.anonymize(seat.name or "", number)
        gone = replace(seat, name=name, owner=FORGOTTEN_OWNER, away=True, replaced=False)
    return replace(state, seats=replace_item(state.seats, number, gone))


def _apply_renewed(state: TableState, entry: Renewed) -> TableState:
    before = _seat(state, entry.seat).owner
    if before is None:
        raise IllegalMove("This seat is free: it has no token to replace.", "seat_free")
    seats = [replace(s, owner=entry.owner) if s.owner == before else s for s in state.seats]
    return replace(state, seats=tuple(seats))


def _apply_returned(state: TableState, number: int) -> TableState:
    seat = _seat(state, number)
    if not seat.away:
        raise IllegalMove("No bot plays for you in this seat.", "not_away")
    back = replace(seat, away=False, replaced=False)
    events = (CameBack(number),) if state.phase == "playing" else ()
    return replace(state, seats=replace_item(state.seats, number, back), events=events)


def _begin_if_full(state: TableState, at: int) -> TableState:
    """Begin the game if all seats are taken."""
    if state.game_state is not None or any(seat.free for seat in state.seats):
        return state
    game = state.game
    agreed = game.read_stored_options(state.settings.options, has_undo=True)
    options = game.parse_options(game.complete_options(agreed, state.names()))
    step = game.start(len(state.seats), options, fill_bag(game.tiles(options).names, state.seed))
    begins = at + 1000 * state.settings.countdown if game.is_race else None
    return _update_times(state, step, begins or at, options=options, begins=begins)


def _check_begun(state: TableState, at: int) -> None:
    if state.game_state is None:
        raise IllegalMove("The game has not begun: some seats are still free.", "not_begun")
    # Without a countdown nothing is refused: the clocks of several machines differ a little.
    if state.settings.countdown and state.begins is not None and at < state.begins:
        raise IllegalMove(
            "The race has not begun: wait for the start.", "too_early", wait=state.begins - at
        )


def check_hint(state: TableState, seat: int, at: int) -> None:
    """Refuse a hint that was not agreed on, or that makes no sense now."""
    _check_begun(state, at)
    if not state.game.is_race:
        raise IllegalMove("This game has no hints.", "no_hints")
    agreed = state.settings.hints
    if agreed == "no" or (agreed == "alone" and len(state.seats) > 1):
        raise IllegalMove("The players agreed to race without hints.", "no_hints")
    if state.phase == "over":
        raise IllegalMove("The game is over.", "game_over")
    if seat not in state.game.actors(state.game_state):
        raise IllegalMove("You have given up.", "gave_up")
    if _seat(state, seat).away:
        raise IllegalMove("A bot plays for you: return to your seat first.", "away")


def _apply_hinted(state: TableState, entry: Hinted, at: int) -> TableState:
    check_hint(state, entry.seat, at)
    seat = _seat(state, entry.seat)
    seats = replace_item(state.seats, entry.seat, replace(seat, hints=seat.hints + 1))
    return replace(state, seats=seats, events=(GotHint(entry.seat, entry.question),))


def _apply_moved(state: TableState, entry: Moved, at: int) -> TableState:
    _check_begun(state, at)
    if isinstance(entry.move, TimeUp):
        if entry.cause != "time":
            raise IllegalMove("Players cannot send time_up: the server does.", "malformed_move")
        _check_time_is_up(state, entry.move.timer, at)
    step = state.game.apply(state.game_state, state.game.resolve_move(entry.move))
    return _update_times(state, step, at, version=state.version + 1, at=at)


def _check_time_is_up(state: TableState, number: int, at: int) -> RunningTimer:
    for timer in (state.timer, state.time_limit):
        if timer is not None and timer.number == number and at >= timer.deadline:
            return timer
    raise IllegalMove("The time is not up yet.", "no_timer")


def _restart_timer(state: TableState, number: int, at: int) -> RunningTimer:
    """The timer with its whole time, if it is the one that has run out."""
    running = _check_time_is_up(state, number, at)
    timer = state.game.timer(state.game_state)
    if timer is None or running.number != number:
        raise IllegalMove("The time is not up yet.", "no_timer")
    return RunningTimer(number, at + 1000 * timer.seconds)


def _update_times(state: TableState, step: Step[State], since: int, **changes: Any) -> TableState:
    """The state after a step of the game and other changes, with its timer and clock."""
    running = _start_timer(state.timer, state.game.timer(step.state), since)
    limit = _start_timer(state.time_limit, state.game.time_limit(step.state), since)
    clock = _update_clock(state, step, since) if state.settings.clock.kind != "none" else None
    return replace(
        state,
        game_state=step.state,
        events=step.events,
        timer=running,
        time_limit=limit,
        clock=clock,
        **changes,
    )


def _start_timer(running: RunningTimer | None, timer: Timer | None, at: int) -> RunningTimer | None:
    """The timer that runs after a step: the same one if its number is the same."""
    if timer is None or (running is not None and running.number == timer.number):
        return None if timer is None else running
    return RunningTimer(timer.number, at + 1000 * timer.seconds)


def _update_clock(state: TableState, step: Step[State], at: int) -> ClockState:
    """The clock after a step; it runs for the player to act, and not where all act at once."""
    settings = state.settings.clock
    before = state.clock or ClockState(None, at, (1000 * settings.seconds,) * len(state.seats))
    player = state.game.clock_player(step.state)
    turned = any(isinstance(event, TurnEnded | PassedOver) for event in step.events)
    if player == before.player and not turned:
        return before
    left = before.left
    if before.player is not None:
        spent = max(0, at - before.since)
        rest = max(0, left[before.player] - spent) + 1000 * settings.increment
        left = replace_item(left, before.player, rest)
    return ClockState(player, at, left)
