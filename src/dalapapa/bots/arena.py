"""Games between programs: one, or many on several cores, the same for the same seed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from ..errors import BadOptions
from ..files import write
from ..games import find
from ..games.bag import filled
from ..games.events import Outcome
from ..games.game import Game
from ..games.moves import Move, TimeUp
from ..games.plain import plain
from ..record import Player, Recorder, dump
from .bot import SECONDS, Bot, Time
from .external import PREFIX, External
from .players import USUAL, make_bot

SECONDS_A_MOVE = 5
"""Simulated time that a program takes for a move, where time matters."""

BATCH = 20
"""Games that a worker plays between two reports of progress."""


class Simulation(msgspec.Struct, frozen=True):
    """What to play: everything that the results depend on."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    games: int
    records: str | None = None
    """A folder for the records, or None."""
    seconds: float = SECONDS
    """What a turn may take a program that thinks ahead."""


class Score(msgspec.Struct, frozen=True):
    """The result of one game."""

    outcome: Outcome
    moves: int
    layings: int


def game_seed(seed: str, number: int) -> str:
    """The seed of game `number` (from 0) of a simulation."""
    return sha256(f"{seed}/game {number}".encode()).hexdigest()[:32]


def bot_seed(seed: str, seat: int) -> str:
    """The seed of the program in a seat, which tells it nothing about the bag."""
    return sha256(f"{seed}/seat {seat}".encode()).hexdigest()[:32]


class Programs:
    """A table of programs: which one acts next, and when a time has run out.

    Where several may act at once, chance decides who is quickest. Time is simulated: each
    move takes a program SECONDS_A_MOVE, and they think side by side.
    """

    def __init__(
        self, game: Game, players: tuple[str, ...], seed: str, seconds: float = SECONDS
    ) -> None:
        self.game = game
        time = Time(seconds, clocked=False)
        self.bots = [_seated(name, game, bot_seed(seed, n), time) for n, name in enumerate(players)]
        self.chance = Random(f"{seed}/pace")
        self.timer = 0
        self.seconds_left = 0.0

    def next_move(self, state: Any) -> Move:
        """The next move of a game that is not over."""
        asked = self.game.asked(state)
        timer = self.game.timer(state)
        if timer is not None:
            if timer.number != self.timer:
                self.timer, self.seconds_left = timer.number, timer.seconds
            self.seconds_left -= SECONDS_A_MOVE / len(asked)
            if self.seconds_left < 0:
                return TimeUp(timer.number)
        seat = self._quickest(asked) if len(asked) > 1 else asked[0]
        bot, view = self.bots[seat], self.game.view(state, seat)
        if isinstance(bot, External):
            return bot.choose_by(view, lambda move: self.game.apply(state, move))
        return bot.choose(view)

    def close(self, **last: Any) -> None:
        """End the programs that are processes."""
        for bot in self.bots:
            if isinstance(bot, External):
                bot.close(**last)

    def _quickest(self, asked: tuple[int, ...]) -> int:
        """Who acts first of several: chance decides, and the pace of their programs."""
        left = self.chance.random() * sum([self.bots[seat].pace for seat in asked])
        for seat in asked[:-1]:
            left -= self.bots[seat].pace
            if left < 0:
                return seat
        return asked[-1]


def _seated(name: str, game: Game, seed: str, time: Time = USUAL) -> Bot:
    """A program by name, or by its command. Commands are for simulations, never for a server."""
    if name.startswith(PREFIX):
        return External(name, game, seed, time)
    return make_bot(name, game, seed, time)


def play_one(
    game: Game, players: tuple[str, ...], options: Any, seed: str, seconds: float = SECONDS
) -> tuple[Recorder, Score]:
    """One game between programs, from the first draw to its end."""
    programs = Programs(game, players, seed, seconds)
    start = game.start(len(players), options, filled(game.tiles(options).names, seed))
    who = [Player(f"{name} {seat}", name) for seat, name in enumerate(players, start=1)]
    recorder = Recorder(game, options, who, seed, start)
    state = start.state
    try:
        while (outcome := game.outcome(state)) is None:
            move = programs.next_move(state)
            step = game.apply(state, move)
            recorder.add(move, step)
            state = step.state
        programs.close(outcome=plain(outcome))
    finally:
        programs.close()
    return recorder, Score(outcome, len(recorder.moves), game.laid(state))


def play_batch(simulation: Simulation, numbers: range) -> list[Score]:
    """Some of the games of a simulation, in order; records are written as they end."""
    game = find(simulation.game)
    options = game.parse_options(simulation.options)
    scores = []
    for number in numbers:
        seed = game_seed(simulation.seed, number)
        recorder, score = play_one(game, simulation.players, options, seed, simulation.seconds)
        if simulation.records is not None:
            path = Path(simulation.records, f"{simulation.game}-{number:06}.json")
            write(str(path), dump(recorder.record()))
        scores.append(score)
    return scores


def check(simulation: Simulation) -> None:
    """Refuse what cannot be played, before anything is."""
    game = find(simulation.game)
    options = game.parse_options(simulation.options)
    game.start(len(simulation.players), options, filled(game.tiles(options).names, ""))
    if not simulation.seed.isprintable():
        raise BadOptions("A seed is printable text.", "bad_seed")
    for name in simulation.players:
        _seated(name, game, "")


def simulate(
    simulation: Simulation,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
    engine: str = "local",
) -> list[Score]:
    """All games of a simulation, the same on every engine. `progress` is told how many are done.

    `local` uses processes of this machine; `ray` a Ray cluster (extra `ray`).
    """
    check(simulation)
    batches = [
        range(start, min(start + BATCH, simulation.games))
        for start in range(0, simulation.games, BATCH)
    ]
    scores: list[Score] = []
    run = _run_on_ray if engine == "ray" else _run
    for batch in run(simulation, batches, jobs):
        scores += batch
        progress(len(batch))
    return scores


def _run(simulation: Simulation, batches: list[range], jobs: int) -> Iterator[list[Score]]:
    if jobs == 1 or len(batches) == 1:
        for numbers in batches:
            yield play_batch(simulation, numbers)
        return
    with ProcessPoolExecutor(min(jobs, len(batches))) as workers:
        yield from workers.map(play_batch, [simulation] * len(batches), batches)


def _run_on_ray(simulation: Simulation, batches: list[range], jobs: int) -> Iterator[list[Score]]:
    try:
        import ray
    except ImportError:
        raise BadOptions("Ray is not installed: pip install 'dalapapa[ray]'.", "no_ray") from None
    if not ray.is_initialized():
        # `jobs` sizes a cluster of our own; an address in RAY_ADDRESS takes precedence.
        cores = None if "RAY_ADDRESS" in os.environ else jobs
        ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False)
    remote = ray.remote(play_batch)
    for task in [remote.remote(simulation, numbers) for numbers in batches]:
        yield ray.get(task)


def summary(simulation: Simulation, scores: list[Score]) -> dict[str, Any]:
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
