"""How strong programs are: paired games, and what a turn takes them.

    python -m benchmarks.strength expert,medium [strong,medium ...] --games 200 --seconds 1

Each pair of programs plays every bag once from every seat, so that luck of the draw counts for
both alike. With more than two players, one of the first program sits among others of the
second. The interval (95 %) is that of means over bags. Times are of the processor, for whole
turns: machines are noisy.
"""

from __future__ import annotations

import argparse
import json
from math import sqrt
from statistics import mean, stdev
from time import process_time
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table as Grid

from dalapapa.bots import SECONDS
from dalapapa.bots.arena import Programs, game_seed
from dalapapa.games import Game, find
from dalapapa.games.bag import filled

from .report import in_time


class Met(NamedTuple):
    """One game: the share of the victory, the lead, and the times of the first program's turns."""

    share: float
    lead: int
    times: list[float]


class Timed(Programs):
    """Programs, one of which is timed."""

    def __init__(
        self, game: Game, players: tuple[str, ...], seed: str, seconds: float, seat: int
    ) -> None:
        super().__init__(game, players, seed, seconds)
        self.times: list[float] = []
        bot = self.bots[seat]
        choose = bot.choose

        def timed(view: Any) -> Any:
            started = process_time()
            move = choose(view)
            spent = process_time() - started
            if getattr(view, "turn", ()) and self.times:
                self.times[-1] += spent
            else:
                self.times.append(spent)
            return move

        bot.choose = timed  # type: ignore[method-assign]


def meet(
    game: Game, pair: tuple[str, str], players: int, options: Any, number: int, seconds: float
) -> Met:
    """Game `number`: the first program sits in each seat in turn, with the same bag."""
    seat = number % players
    seed = game_seed("strength", number // players)
    names = tuple([pair[seat != place] for place in range(players)])
    programs = Timed(game, names, seed, seconds, seat)
    state = game.start(players, options, filled(game.tiles(options).names, seed)).state
    while (outcome := game.outcome(state)) is None:
        state = game.apply(state, programs.next_move(state)).state
    share = (seat in outcome.winners) / max(len(outcome.winners), 1)
    others = [score for place, score in enumerate(outcome.scores) if place != seat]
    return Met(share, outcome.scores[seat] - max(others), programs.times)


def figures(met: list[Met], players: int) -> dict[str, float]:
    """Means with their intervals, over whole bags."""
    bags = [met[start : start + players] for start in range(0, len(met), players)]
    shares = [mean([one.share for one in bag]) for bag in bags]
    leads = [mean([one.lead for one in bag]) for bag in bags]
    times = [time for one in met for time in one.times]
    scale = 1.96 / sqrt(len(bags))
    return {
        "games": len(met),
        "wins": mean(shares),
        "wins +-": scale * stdev(shares),
        "lead": mean(leads),
        "lead +-": scale * stdev(leads),
        "a turn": mean(times),
        "longest": max(times),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pairs", nargs="+", metavar="ONE,OTHER")
    parser.add_argument("--game", default="classic")
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a turn")
    parser.add_argument("--progress", type=int, default=0, help="print every so many games")
    arguments = parser.parse_args()
    game = find(arguments.game)
    options = game.parse_options(arguments.options)
    grid = Grid(title=f"{game.name}, {arguments.players} players, {arguments.seconds} s a turn")
    for title in ("programs", "games", "wins", "lead", "a turn", "longest"):
        grid.add_column(title, justify="left" if title == "programs" else "right")
    for words in arguments.pairs:
        one, other = words.split(",")
        met: list[Met] = []
        for number in range(arguments.games - arguments.games % arguments.players):
            met.append(
                meet(game, (one, other), arguments.players, options, number, arguments.seconds)
            )
            if arguments.progress and len(met) % arguments.progress == 0:
                print(words, figures(met, arguments.players), flush=True)
        found = figures(met, arguments.players)
        grid.add_row(
            f"{one} - {other}",
            str(found["games"]),
            f"{found['wins']:.1%} ± {found['wins +-']:.1%}",
            f"{found['lead']:+.1f} ± {found['lead +-']:.1f}",
            in_time(found["a turn"]),
            in_time(found["longest"]),
        )
    Console().print(grid)


if __name__ == "__main__":
    main()
