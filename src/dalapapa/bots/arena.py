"""Games between bots: one, or many on several cores. The same seed gives the same games."""

from __future__ import annotations

import logging
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from operator import add
from pathlib import Path
from random import Random
from threading import Event, Timer
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ..core.errors import BadOptions, Unavailable
from ..core.files import write
from ..core.interrupts import Terminated, ignore_sigint
from ..core.notation import shorten
from ..games import find_game
from ..games.bag import fill_bag
from ..games.events import Outcome
from ..games.game import AnyGame, State, Step
from ..games.moves import Move, TimeUp
from ..games.plain import to_plain
from ..record import Player, Recorder, dump
from .bot import TURN_S, Bot, Time, choose_quickest, read_choice
from .external import PREFIX, BotProcess, ExternalBot, check_command, split_command
from .installed import InstalledBot
from .ray_engine import run_on_ray
from .registry import make_bot

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.process import BaseProcess

Task = TypeVar("Task")
Result = TypeVar("Result")

logger: logging.Logger = logging.getLogger("dalapapa")

LONG_TURN_S = 5.0
"""With longer turns, compiled code may react late to Ctrl+C, so games run in other processes."""

TASKS_AHEAD = 32
"""Tasks for each worker that are submitted before their results are needed."""

MAX_LOSSES = 3
"""Workers that may be lost one after the other without any result."""

TERMINATE_LIMIT_S = 0.5
"""The time that a worker gets to end the external programs that it has started."""

START_RETRY_S = 0.01
"""The pause before a worker tries again to end, while it starts an external program."""


class Simulation(msgspec.Struct, frozen=True):
    """The games to play: everything that the results depend on."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    games: int
    records: str | None = None
    seconds: float = TURN_S
    """The time for a turn of a bot that looks ahead."""


class Score(msgspec.Struct, frozen=True):
    """The result of one game."""

    outcome: Outcome
    moves: int
    layings: int
    failures: tuple[int, ...] = ()
    """The moves that each player lost, because it is a bot that failed."""


def derive_game_seed(seed: str, number: int) -> str:
    """The seed of game `number` (from 0) of a simulation."""
    return sha256(f"{seed}/game {number}".encode()).hexdigest()[:32]


def derive_bot_seed(seed: str, seat: int) -> str:
    """The seed of the bot in a seat, which reveals nothing about the bag."""
    return sha256(f"{seed}/seat {seat}".encode()).hexdigest()[:32]


Seat = str | Bot[Any] | type[Bot[Any]]
"""A bot as callers give it: its name, an instance, or a class."""


class BotSeats:
    """The bots of a game, which decide about the next move and about timers that have run out.

    Where several may act, their pace and chance decide who is quickest. Time is simulated: each
    move takes as long as it would take people, who think at the same time. A seat of None belongs
    to a person, who is never asked.
    """

    def __init__(
        self, game: AnyGame, players: Sequence[Seat | None], seed: str, seconds: float = TURN_S
    ) -> None:
        self.game = game
        time = Time(seconds, clocked=False)
        self.bots: dict[int, Bot[Any]] = {
            seat: seat_bot(given, game, derive_bot_seed(seed, seat), time)
            for seat, given in enumerate(players)
            if given is not None
        }
        self.rng: Random = Random(f"{seed}/pace")
        self.seconds_left: dict[int, float] = {}
        """The time of each timer that runs, by number."""
        self.turn_times: list[list[float]] = [[] for _ in players]
        """For each seat, the processor time of its turns in this process, in seconds."""

    def play(
        self, state: State, on_step: Callable[[Move, Step[State]], None] = lambda *_: None
    ) -> State:
        """Play a game to its end; return the last state. `on_step` gets each move and its step."""
        try:
            while (outcome := self.game.outcome(state)) is None:
                move = self.next_move(state)
                step = self.game.apply(state, move)
                on_step(move, step)
                state = step.state
            self.close(outcome=to_plain(outcome))
        finally:
            self.close()
        return state

    def _let_time_pass(self, state: State, seconds: float) -> int | None:
        """Count down the timers that run; the number of the one that has run out."""
        timers = [self.game.timer(state), self.game.time_limit(state)]
        self.seconds_left = {
            timer.number: self.seconds_left.get(timer.number, timer.seconds) - seconds
            for timer in timers
            if timer is not None
        }
        first = min(self.seconds_left, key=self.seconds_left.__getitem__, default=None)
        return None if first is None or self.seconds_left[first] >= 0 else first

    def next_move(self, state: State) -> Move:
        """The next move of a game that is not over."""
        asked = [seat for seat in self.game.next_actors(state) if seat in self.bots]
        if not asked:
            asked = [seat for seat in self.game.actors(state) if seat in self.bots][:1]
        views = [self.game.view(state, seat) for seat in asked]
        rates = [1 / self.bots[seat].seconds(view) for seat, view in zip(asked, views, strict=True)]
        ended = self._let_time_pass(state, 1 / sum(rates))
        if ended is not None:
            return TimeUp(ended)
        place = choose_quickest(rates, self.rng.random()) if len(asked) > 1 else 0
        seat, view = asked[place], views[place]
        bot = self.bots[seat]
        started = process_time()
        if isinstance(bot, ExternalBot):
            move = bot.choose_by(view, lambda move: self.game.apply(state, move))
        else:
            move = read_choice(bot.choose(view), self.game, view)
        spent, times = process_time() - started, self.turn_times[seat]
        if getattr(view, "turn", ()) and times:
            times[-1] += spent
        else:
            times.append(spent)
        return move

    @property
    def failures(self) -> tuple[int, ...]:
        """The moves that the bot in each seat has lost, because it failed."""
        bots = [self.bots.get(seat) for seat in range(len(self.turn_times))]
        return tuple(
            [bot.failures if isinstance(bot, InstalledBot | ExternalBot) else 0 for bot in bots]
        )

    def close(self, **last: Any) -> None:
        """End the bots that are processes."""
        for bot in self.bots.values():
            if isinstance(bot, ExternalBot):
                bot.close(**last)


def seat_bot(given: Seat, game: AnyGame, seed: str, time: Time | None = None) -> Bot[Any]:
    """Make a bot for a seat, by its name, its command, or as given. Servers allow names only."""
    if isinstance(given, str):
        if given.startswith(PREFIX):
            return ExternalBot(given, game, seed, time or Time())
        return make_bot(given, game, seed, time)
    bot: object = given
    if isinstance(given, type) and issubclass(given, Bot):
        try:
            bot = given()
        except TypeError as error:
            raise BadOptions(
                f"{given.__name__} needs arguments ({error}): pass an instance of it.",
                "bad_bot",
            ) from None
    if not isinstance(bot, Bot):
        raise BadOptions(
            f"A bot must be a name, a Bot or a subclass of Bot, not {shorten(given)}.", "bad_bot"
        )
    bot.time = time or Time()
    bot.sit_down(game, seed)
    return bot


def check_bot(given: Seat, game: AnyGame) -> None:
    """Refuse a bot that cannot play, before anything starts."""
    if isinstance(given, str) and given.startswith(PREFIX):
        check_command(split_command(given))
    else:
        seat_bot(given, game, "")


def name_bot(given: Seat) -> str:
    """The name of a bot in records and results: that of its class, if it is not given by name."""
    if isinstance(given, str):
        return given
    return given.__name__ if isinstance(given, type) else type(given).__name__


def play_game(
    game: AnyGame,
    players: tuple[str, ...],
    options: msgspec.Struct,
    seed: str,
    seconds: float = TURN_S,
) -> tuple[Recorder, Score]:
    """Play one game between bots, from the first draw to its end."""
    bots = BotSeats(game, players, seed, seconds)
    start = game.start(len(players), options, fill_bag(game.tiles(options).names, seed))
    who = [Player(f"{name} {seat}", name) for seat, name in enumerate(players, start=1)]
    recorder = Recorder(game, options, who, seed, start)
    state = bots.play(start.state, recorder.add)
    outcome = game.outcome(state)
    assert outcome is not None
    layings = game.count_laid(state)
    return recorder, Score(outcome, len(recorder.moves), layings, bots.failures)


def play_numbered_game(simulation: Simulation, number: int) -> Score:
    """Play one of the games of a simulation, and write its record when it ends."""
    game = find_game(simulation.game)
    options = game.parse_options(simulation.options)
    seed = derive_game_seed(simulation.seed, number)
    recorder, score = play_game(game, simulation.players, options, seed, simulation.seconds)
    if simulation.records is not None:
        path = Path(simulation.records, f"{simulation.game}-{number:06}.json")
        write(str(path), dump(recorder.record()))
    return score


def check_simulation(simulation: Simulation) -> None:
    """Refuse what cannot be played, before any game starts."""
    game = find_game(simulation.game)
    options = game.parse_options(simulation.options)
    game.start(len(simulation.players), options, fill_bag(game.tiles(options).names, ""))
    if not simulation.seed.isprintable():
        raise BadOptions("A seed must be printable text.", "bad_seed")
    for name in simulation.players:
        check_bot(name, game)


def play_games(simulation: Simulation, jobs: int = 1, engine: str = "local") -> Generator[Score]:
    """Play the games of a simulation in order: a caller that stops early has the first ones.

    `local` uses processes of this machine; `ray` a Ray cluster (extra `ray`). The scores are the
    same on every engine.
    """
    check_simulation(simulation)
    work = partial(play_numbered_game, simulation)
    always_fork = simulation.seconds > LONG_TURN_S
    return run_tasks(work, range(simulation.games), jobs, engine, always_fork)


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int = 1,
    engine: str = "local",
    always_fork: bool = False,
) -> Generator[Result]:
    """Run `work` on each task and yield the results in the order of the tasks.

    `jobs` processes of this machine share the tasks (0: one for each core). A single job runs in
    this process, unless `always_fork` is true. The engine `ray` sends them to a Ray cluster.
    """
    jobs = jobs or count_cores()
    if engine == "ray":
        yield from run_on_ray(work, tasks, jobs)
    elif (jobs == 1 or len(tasks) <= 1) and not always_fork:
        yield from map(work, tasks)
    else:
        yield from _run_on_processes(work, tasks, max(1, min(jobs, len(tasks))))


def _run_on_processes(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[Result]:
    """Run tasks in processes, which end with this generator, also when it is closed early."""
    # On first use: matches need no processes, and browsers have none.
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
    from multiprocessing import active_children

    others = set(active_children())
    workers = ProcessPoolExecutor(jobs, initializer=_handle_sigterm)
    fresh = iter(tasks)
    again: deque[tuple[Task, Future[Result] | None]] = deque()
    """Tasks of a pool that lost a worker, and the results that some have already."""
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    losses = 0
    is_first = True
    """Whether there is no result yet: the first one does not wait for the other tasks to start."""
    try:
        while True:
            try:
                while len(waiting) < TASKS_AHEAD * jobs:
                    if not again:
                        again.extend((task, None) for task in islice(fresh, 1))
                    if not again or (is_first and waiting and waiting[0][1].done()):
                        break
                    task, future = again[0]
                    if future is None:
                        with ignore_sigint():  # Here the processes start.
                            future = workers.submit(_run_or_exit, work, task)
                    waiting.append((task, future))
                    again.popleft()
                if not waiting:
                    break
                result = waiting[0][1].result()
            except BrokenExecutor:
                losses += 1
                if losses > MAX_LOSSES:
                    raise Unavailable(
                        f"A worker process ended unexpectedly {losses} times at the same place: it"
                        " was killed, perhaps because memory is short, or it crashed.",
                        "lost_worker",
                    ) from None
                logger.warning("A worker process ended unexpectedly: its games are played again.")
                workers.shutdown()
                workers = ProcessPoolExecutor(jobs, initializer=_handle_sigterm)
                known = [(task, future if _is_known(future) else None) for task, future in waiting]
                again.extendleft(reversed(known))
                waiting.clear()
            else:
                losses, is_first = 0, False
                waiting.popleft()
                yield result
    except BaseException:  # Also if the generator is closed.
        workers.shutdown(wait=False, cancel_futures=True)
        _end([process for process in active_children() if process not in others])
        raise
    workers.shutdown()


def _is_known(future: Future[Any]) -> bool:
    """Whether a task was finished before its pool lost a worker."""
    from concurrent.futures import BrokenExecutor

    return future.done() and not isinstance(future.exception(), BrokenExecutor)


def _handle_sigterm() -> None:
    """Let a worker that gets SIGTERM end the external programs that it has started."""
    signal.signal(signal.SIGTERM, _exit_on_sigterm)


def _exit_on_sigterm(*_: object) -> None:
    if not _has_task.is_set():  # The pool would print an exception in its initializer.
        os._exit(0)
    if BotProcess.starting:  # Its process is not known yet and would outlive this one.
        Timer(START_RETRY_S, os.kill, [os.getpid(), signal.SIGTERM]).start()
    else:
        raise Terminated


_has_task = Event()
"""Set while this process, a worker, runs a task, which may have started external programs."""


def _run_or_exit(work: Callable[[Task], Result], task: Task) -> Result:
    _has_task.set()
    try:
        return work(task)
    except SystemExit:
        os._exit(0)  # Otherwise the pool would take it for the result and continue.
    finally:
        _has_task.clear()


def _end(processes: Sequence[BaseProcess]) -> None:
    """End workers: first by SIGTERM, then by SIGKILL."""
    for process in processes:
        process.terminate()
    end = monotonic() + TERMINATE_LIMIT_S
    for process in processes:
        process.join(max(0.0, end - monotonic()))
        process.kill()


def count_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class SimulationTotals:
    """The results of a simulation so far. They need no more memory for more games."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        players = len(simulation.players)
        self.games = self.moves = self.layings = self.shared = 0
        self.wins = [0] * players
        self.score_sums = [0] * players
        self.score_min: list[int] = []
        self.score_max: list[int] = []
        self.failures = [0] * players
        self.reasons: Counter[str] = Counter()

    def add(self, score: Score) -> None:
        """Add a game."""
        outcome = score.outcome
        self.games += 1
        self.moves += score.moves
        self.layings += score.layings
        self.shared += len(outcome.winners) > 1
        for winner in outcome.winners:
            self.wins[winner] += 1
        scores = list(outcome.scores)
        self.score_sums = list(map(add, self.score_sums, scores))
        self.score_min = list(map(min, self.score_min or scores, scores))
        self.score_max = list(map(max, self.score_max or scores, scores))
        self.failures = list(map(add, self.failures, score.failures))
        self.reasons[outcome.reason] += 1

    def summarize(self) -> dict[str, Any]:
        """The public form of `dalapapa simulate --json`: the same for the same seed."""
        simulation = self.simulation

        def mean(total: int) -> float:
            return round(total / self.games, 4)

        return {
            "game": simulation.game,
            "players": list(simulation.players),
            "options": simulation.options,
            "seed": simulation.seed,
            "games": self.games,
            "wins": self.wins,
            "shared": self.shared,
            "score_mean": list(map(mean, self.score_sums)),
            "score_min": self.score_min,
            "score_max": self.score_max,
            "moves_mean": mean(self.moves),
            "dominoes_mean": mean(self.layings),
            "reasons": dict(sorted(self.reasons.items())),
            **({"failures": self.failures} if any(self.failures) else {}),
        }


def describe_failures(names: Sequence[str], failures: Sequence[int]) -> list[str]:
    """A sentence for each bot that has failed: its results do not show its strength."""
    return [
        (
            f"{name} failed at {count} move{'s' * (count != 1)} and got a default move"
            " instead: its results do not count."
        )
        for name, count in zip(names, failures, strict=True)
        if count
    ]
