"""Games between programs: one, or many on several cores, the same for the same seed."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Timer
from time import monotonic, process_time
from typing import Any, TypeVar

import msgspec

from ..core.errors import BadOptions
from ..core.extras import require
from ..core.files import write
from ..core.interrupts import deaf
from ..core.notation import shortened
from ..games import find_game
from ..games.bag import fill_bag
from ..games.events import Outcome
from ..games.game import AnyGame, State, Step
from ..games.moves import AnyMove, Move, TimeUp, read_move
from ..games.plain import to_plain
from ..record import Player, Recorder, dump
from .bot import TURN_S, Bot, Time, choose_quickest
from .external import PREFIX, ExternalBot, check_command, split_command
from .process import BotProcess
from .registry import make_bot

Task = TypeVar("Task")
Result = TypeVar("Result")

LONG_TURN_S = 5.0
"""Seconds for a turn with which compiled code may not hear Ctrl+C for a while: it runs apart."""

TASKS_AHEAD = 32
"""Tasks for each worker that are handed out before their results are wanted."""

TERMINATE_LIMIT_S = 0.5
"""Seconds that a worker gets to end the programs it has started: it may have to wait for a core."""

START_RETRY_S = 0.01
"""Seconds that the start of a program may still take."""


class Simulation(msgspec.Struct, frozen=True):
    """What to play: everything that the results depend on."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    games: int
    records: str | None = None
    """A folder for the records, or None."""
    seconds: float = TURN_S
    """What a turn may take a program that thinks ahead."""


class Score(msgspec.Struct, frozen=True):
    """The result of one game."""

    outcome: Outcome
    moves: int
    layings: int


def derive_game_seed(seed: str, number: int) -> str:
    """The seed of game `number` (from 0) of a simulation."""
    return sha256(f"{seed}/game {number}".encode()).hexdigest()[:32]


def derive_bot_seed(seed: str, seat: int) -> str:
    """The seed of the program in a seat, which tells it nothing about the bag."""
    return sha256(f"{seed}/seat {seat}".encode()).hexdigest()[:32]


Seat = str | Bot[Any] | type[Bot[Any]]
"""A program as it is given: its name, or somebody's own one."""


class BotSeats:
    """A table of programs: which one acts next, and when a time has run out.

    Where several may act at once, chance decides who is quickest, and their pace. Time is
    simulated: each move takes as long as it would take people, who think side by side. In a seat
    of None sits a person, who is never asked.
    """

    def __init__(
        self, game: AnyGame, players: Sequence[Seat | None], seed: str, seconds: float = TURN_S
    ) -> None:
        self.game = game
        time = Time(seconds, clocked=False)
        self.bots = {
            seat: seat_bot(given, game, derive_bot_seed(seed, seat), time)
            for seat, given in enumerate(players)
            if given is not None
        }
        self.rng = Random(f"{seed}/pace")
        self.timer = 0
        self.seconds_left = 0.0
        self.turn_times: list[list[float]] = [[] for _ in players]
        """Of each seat, what its turns have taken: seconds of the processor, this process's own."""

    def play(
        self, state: State, heard: Callable[[Move, Step[State]], None] = lambda *_: None
    ) -> State:
        """Play a game to its end: the last state. `heard` is told every move and its step."""
        try:
            while (outcome := self.game.outcome(state)) is None:
                move = self.next_move(state)
                step = self.game.apply(state, move)
                heard(move, step)
                state = step.state
            self.close(outcome=to_plain(outcome))
        finally:
            self.close()
        return state

    def next_move(self, state: State) -> Move:
        """The next move of a game that is not over."""
        asked = [seat for seat in self.game.asked(state) if seat in self.bots]
        if not asked:
            asked = [seat for seat in self.game.actors(state) if seat in self.bots][:1]
        views = [self.game.view(state, seat) for seat in asked]
        rates = [1 / self.bots[seat].seconds(view) for seat, view in zip(asked, views, strict=True)]
        timer = self.game.timer(state)
        if timer is not None:
            if timer.number != self.timer:
                self.timer, self.seconds_left = timer.number, timer.seconds
            self.seconds_left -= 1 / sum(rates)
            if self.seconds_left < 0:
                return TimeUp(timer.number)
        place = choose_quickest(rates, self.rng.random()) if len(asked) > 1 else 0
        seat, view = asked[place], views[place]
        bot = self.bots[seat]
        started = process_time()
        if isinstance(bot, ExternalBot):
            move = bot.choose_by(view, lambda move: self.game.apply(state, move))
        else:
            move = self._chosen(bot, view)
        spent, times = process_time() - started, self.turn_times[seat]
        if getattr(view, "turn", ()) and times:
            times[-1] += spent
        else:
            times.append(spent)
        return move

    def _chosen(self, bot: Bot[Any], view: Any) -> Move:
        """What a program chooses; a program of somebody's own may write it as people do."""
        chosen: object = bot.choose(view)
        if isinstance(chosen, AnyMove):
            return chosen  # type: ignore[return-value]  # All kinds are listed in Move.
        return read_move(chosen, view.player, lambda: self.game.legal_moves(view))

    def close(self, **last: Any) -> None:
        """End the programs that are processes."""
        for bot in self.bots.values():
            if isinstance(bot, ExternalBot):
                bot.close(**last)


def seat_bot(given: Seat, game: AnyGame, seed: str, time: Time | None = None) -> Bot[Any]:
    """A program by name, by its command, or of somebody's own. Servers allow names only."""
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
                f"{given.__name__} cannot be made without arguments ({error}): give an instance.",
                "bad_bot",
            ) from None
    if not isinstance(bot, Bot):
        raise BadOptions(
            f"A program is a name, a Bot or a class of bots, not {shortened(given)}.", "bad_bot"
        )
    bot.sit_down(game, seed)
    return bot


def check_bot(given: Seat, game: AnyGame) -> None:
    """Refuse what cannot play, before anything is started."""
    if isinstance(given, str) and given.startswith(PREFIX):
        check_command(split_command(given))
    else:
        seat_bot(given, game, "")


def name_bot(given: Seat) -> str:
    """What a program is called in records and results: by its class, if it is somebody's own."""
    if isinstance(given, str):
        return given
    return given.__name__ if isinstance(given, type) else type(given).__name__


def play_game(
    game: AnyGame, players: tuple[str, ...], options: object, seed: str, seconds: float = TURN_S
) -> tuple[Recorder, Score]:
    """One game between programs, from the first draw to its end."""
    programs = BotSeats(game, players, seed, seconds)
    start = game.start(len(players), options, fill_bag(game.tiles(options).names, seed))
    who = [Player(f"{name} {seat}", name) for seat, name in enumerate(players, start=1)]
    recorder = Recorder(game, options, who, seed, start)
    state = programs.play(start.state, recorder.add)
    outcome = game.outcome(state)
    assert outcome is not None
    return recorder, Score(outcome, len(recorder.moves), game.laid(state))


def play_numbered_game(simulation: Simulation, number: int) -> Score:
    """One of the games of a simulation; its record is written when it ends."""
    game = find_game(simulation.game)
    options = game.parse_options(simulation.options)
    seed = derive_game_seed(simulation.seed, number)
    recorder, score = play_game(game, simulation.players, options, seed, simulation.seconds)
    if simulation.records is not None:
        path = Path(simulation.records, f"{simulation.game}-{number:06}.json")
        write(str(path), dump(recorder.record()))
    return score


def check_simulation(simulation: Simulation) -> None:
    """Refuse what cannot be played, before anything is."""
    game = find_game(simulation.game)
    options = game.parse_options(simulation.options)
    game.start(len(simulation.players), options, fill_bag(game.tiles(options).names, ""))
    if not simulation.seed.isprintable():
        raise BadOptions("A seed is printable text.", "bad_seed")
    for name in simulation.players:
        check_bot(name, game)


def simulate(
    simulation: Simulation,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
    engine: str = "local",
) -> list[Score]:
    """All games of a simulation, the same on every engine. `progress` is told how many are done.

    `local` uses processes of this machine; `ray` a Ray cluster (extra `ray`).
    """
    scores: list[Score] = []
    for score in play_games(simulation, jobs, engine):
        scores.append(score)
        progress(1)
    return scores


def play_games(simulation: Simulation, jobs: int = 1, engine: str = "local") -> Generator[Score]:
    """The games of a simulation, one after the other: who stops early has the first ones."""
    check_simulation(simulation)
    work, apart = partial(play_numbered_game, simulation), simulation.seconds > LONG_TURN_S
    return run_tasks(work, range(simulation.games), jobs, engine, apart)


def run_tasks(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int = 1,
    engine: str = "local",
    apart: bool = False,
) -> Generator[Result]:
    """What `work` makes of each task, in their order, whoever is done first.

    `jobs` processes of this machine share the tasks (0: one for each core); one is this process
    itself, unless `apart` is true. The engine `ray` hands them to a Ray cluster.
    """
    jobs = jobs or count_cores()
    if engine == "ray":
        yield from _spread_on_ray(work, tasks, jobs)
    elif (jobs == 1 or len(tasks) <= 1) and not apart:
        yield from map(work, tasks)
    else:
        yield from _spread_on_processes(work, tasks, max(1, min(jobs, len(tasks))))


def _spread_on_processes(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[Result]:
    """The processes end with this, whether all is done or nobody waits for the rest any more."""
    others = set(active_children())
    workers = ProcessPoolExecutor(jobs, initializer=_begin)
    waiting: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            if len(waiting) == TASKS_AHEAD * jobs:
                yield waiting.popleft().result()
            with deaf():  # Here the processes start.
                waiting.append(workers.submit(_carry_out_or_end, work, task))
        while waiting:
            yield waiting.popleft().result()
    except BaseException:  # Also if the generator is closed.
        workers.shutdown(wait=False, cancel_futures=True)
        _end([process for process in active_children() if process not in others])
        raise
    workers.shutdown()


def _begin() -> None:
    """A worker that is told to end ends the programs that it has started."""
    signal.signal(signal.SIGTERM, _told_to_end)


def _told_to_end(*_: object) -> None:
    if BotProcess.starting:  # First it gets to know the program: else that would outlive it.
        Timer(START_RETRY_S, os.kill, [os.getpid(), signal.SIGTERM]).start()
    else:
        sys.exit()


def _carry_out_or_end(work: Callable[[Task], Result], task: Task) -> Result:
    try:
        return work(task)
    except SystemExit:
        os._exit(0)  # Else the pool would take it for the result, and go on.


def _end(processes: Sequence[BaseProcess]) -> None:
    """End workers: politely, then surely."""
    for process in processes:
        process.terminate()
    end = monotonic() + TERMINATE_LIMIT_S
    for process in processes:
        process.join(max(0.0, end - monotonic()))
        process.kill()


def count_cores() -> int:
    """The processor's cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _spread_on_ray(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[Result]:
    require("ray", code="no_ray")
    import ray

    if not ray.is_initialized():
        # `jobs` sizes a cluster of our own; an address in RAY_ADDRESS takes precedence.
        own = None if "RAY_ADDRESS" in os.environ else jobs
        ray.init(num_cpus=own, include_dashboard=False, log_to_driver=False)
    remote = ray.remote(_carry_out)
    for result in [remote.remote(work, task) for task in tasks]:
        yield ray.get(result)


def _carry_out(work: Callable[[Task], Result], task: Task) -> Result:
    return work(task)


def summarize(simulation: Simulation, scores: list[Score]) -> dict[str, Any]:
    """The public form of `dalapapa simulate --json`: the same for the same seed."""
    seats = range(len(simulation.players))
    games = len(scores)

    def mean(values: list[int]) -> float:
        return round(sum(values) / games, 4)

    return {
        "game": simulation.game,
        "players": list(simulation.players),
        "options": simulation.options,
        "seed": simulation.seed,
        "games": games,
        "wins": [sum(seat in score.outcome.winners for score in scores) for seat in seats],
        "shared": sum(len(score.outcome.winners) > 1 for score in scores),
        "score_mean": [mean([score.outcome.scores[seat] for score in scores]) for seat in seats],
        "score_min": [min(score.outcome.scores[seat] for score in scores) for seat in seats],
        "score_max": [max(score.outcome.scores[seat] for score in scores) for seat in seats],
        "moves_mean": mean([score.moves for score in scores]),
        "dominoes_mean": mean([score.layings for score in scores]),
        "reasons": {
            reason: sum(score.outcome.reason == reason for score in scores)
            for reason in sorted({score.outcome.reason for score in scores})
        },
    }
