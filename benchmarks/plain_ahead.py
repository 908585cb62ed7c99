"""The expert of the classic game beside the plain way to think ahead, both against medium.

    python -m benchmarks.plain_ahead --games 1000 --levels medium,plain

The plain way: the 16 turns with most points, each played on with the same 24 deals for two
turns, the opponent's and the own next one, everybody making the best turn for points; the best
mean lead is laid. Paired games of two to 60, with 95 % intervals.
"""

from __future__ import annotations

import argparse
import multiprocessing
from random import Random

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from dalapapa.bots.bot import MoveBot
from dalapapa.bots.ladder import Ladder, play_ladder, summarize_ladder
from dalapapa.bots.lookahead import Prospect, list_promising
from dalapapa.bots.perception import Perception
from dalapapa.bots.registry import BOTS
from dalapapa.core.points import Turn
from dalapapa.games.classic.bot import start_turn
from dalapapa.games.moves import Move
from dalapapa.games.turns import TargetView

CANDIDATES = 16
DEALS = 24


class PlainAhead(Perception):
    """Compares turns by the mean lead after two more."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def turn(self, view: TargetView) -> Turn | None:
        turns = list_promising(view)[:CANDIDATES]
        if len(turns) < 2 or view.phase == "setup":
            return self.richest(view)
        prospect = Prospect(view, self.rng)
        deals = prospect.deals(DEALS)

        def lead(turn: Turn) -> float:
            points, _ = prospect.outlook.play(turn.layings, prospect.list_kept(turn), deals)
            theirs, own = sum(points[:: prospect.turns]), sum(points[1 :: prospect.turns])
            return turn.points + (own - theirs) / DEALS

        return max(turns, key=lead)


class PlainBot(MoveBot[TargetView]):
    """A program that thinks ahead in the plain way."""

    def choose(self, view: TargetView) -> Move:
        sight = PlainAhead(Random(f"{self.seed}/{len(view.table)}"))
        return start_turn(view.player, sight.turn(view))


BOTS["plain"] = lambda game, seed, _: PlainBot(game, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=1000, help="games of each pair")
    parser.add_argument(
        "--seconds", type=float, default=0.25, help="seconds for a turn of the expert"
    )
    parser.add_argument(
        "--levels", default="medium,plain,expert", help="the levels that play each other"
    )
    parser.add_argument("--seed", default="plain")
    arguments = parser.parse_args()
    multiprocessing.set_start_method("fork")  # So that the workers know the plain one, too.
    programs = tuple(arguments.levels.split(","))
    ladder = Ladder(
        "classic",
        programs,
        games=arguments.games,
        seconds=arguments.seconds,
        seed=arguments.seed,
    )
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("games", total=ladder.games * len(ladder.pairs))
        result = summarize_ladder(
            ladder, play_ladder(ladder, 0, lambda more: progress.advance(task, more)), True
        )
    grid = Grid("pair", "wins of the latter", "lead in points", title=f"{ladder.games} games each")
    for pair in result["pairs"]:
        low, high = pair["wins_interval"]
        less, more = pair["lead_interval"]
        grid.add_row(
            f"{pair['one']}, {pair['other']}",
            f"{1 - pair['wins']:.1%} ({1 - high:.1%} to {1 - low:.1%})",
            f"{-pair['lead']:+.2f} ({-more:+.2f} to {-less:+.2f})",
        )
    Console().print(grid)
    for program in result["programs"]:
        print(f"{program['name']}: {program['turn_mean']:.3f} s a turn")


if __name__ == "__main__":
    main()
