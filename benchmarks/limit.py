"""What thinking ahead can bring in the classic game of two, beside the most points now.

    python -m benchmarks.limit --positions 200 --deals 200 --seconds 0.25 1
    python -m benchmarks.limit --candidates 400 --seconds
    python -m benchmarks.limit --turns 12 --seconds 0.25

Positions come from games of medium, not near the end, where only victory counts. Each promising
turn is played on with deals of all that the player cannot see, everybody making the best turn for
points; its value is the own lead some turns later. `the best by other deals` is what so many deals
can find out; `the best in hindsight` chooses by the very deals that it is measured by, so no player
who sees only the own dominoes can gain more on average; a player who knew the opponent's dominoes
could gain what the last line says. Means in points a turn more than medium's turn, with 95 %
intervals.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from dalapapa.bots import Time, make_bot
from dalapapa.bots.arena import derive_game_seed
from dalapapa.bots.estimate import estimate_mean
from dalapapa.bots.lookahead import Lookahead, Prospect, list_promising
from dalapapa.core.points import Turn
from dalapapa.games import find_game
from dalapapa.games.bag import fill_bag
from dalapapa.kernel.lookup import lookup_of
from dalapapa.kernel.outlook import Outlook

NEAR = 18
"""Points below the target from which the end is near: three turns."""
SHARE = 0.08
"""Of all turns, those that are looked at: from many games, few of each."""


class Option(NamedTuple):
    """A turn: what it is worth on average, and against what the opponent really has in hand."""

    turn: Turn
    judged: float
    worth: float
    elsewhere: float
    """By other deals."""
    really: float


def situations(seed: str) -> Iterator[tuple[Any, list[str]]]:
    """Views of the player to move, each with the opponent's dominoes, from games of medium."""
    game = find_game("classic")
    options = game.parse_options({})
    rng = Random(seed)
    number = 0
    while True:
        bots = [make_bot("medium", game, f"{seat}") for seat in range(2)]
        bag = fill_bag(game.tiles(options).names, derive_game_seed(seed, number))
        state: Any = game.start(2, options, bag).state
        number += 1
        while game.outcome(state) is None:
            view = game.view(state, state.active)
            early = state.phase == "play" and max(state.scores) < options.target - NEAR
            if early and not state.turn and rng.random() < SHARE:
                yield view, state.hands[1 - state.active]
            state = game.apply(state, bots[state.active].choose(view)).state


def compare_options(
    view: Any, theirs: list[str], chosen: list[Turn], arguments: argparse.Namespace, rng: Random
) -> list[Option]:
    """Medium's turn, the chosen ones and the most promising ones, with what they are worth."""
    index = lookup_of(view.table.tiles).index
    prospect = Prospect(view, rng)
    judged = {turn: prospect.judge(turn) for turn in list_promising(view)}
    after: int = arguments.turns
    deals: int = arguments.deals
    turns = sorted(judged, key=lambda turn: -judged[turn])[: arguments.candidates]
    medium = view.table.best_turn(view.hand)
    tables = {frozenset(turn.layings): turn for turn in (medium, *chosen, *turns)}
    outlook = Outlook(view.table, 2, after, [index[name] for name in view.hand])

    def dealt(hand: list[int]) -> array[int]:
        rows = array("i")
        for _ in range(deals):
            pool = sorted(set(outlook.unseen) - set(hand))
            rng.shuffle(pool)
            rows.extend([*hand, *pool][: outlook.stride])
        return rows

    def lead(turn: Turn, rows: array[int]) -> float:
        laid = {laying.tile for laying in turn.layings}
        kept = [index[name] for name in view.hand if name not in laid]
        points, _ = outlook.play(turn.layings, kept, rows)
        return (
            turn.points
            + sum(
                (-1 if number % 2 == 0 else 1) * sum(points[number::after])
                for number in range(after)
            )
            / deals
        )

    unknown, others, known = dealt([]), dealt([]), dealt([index[name] for name in theirs])
    return [
        Option(
            turn,
            judged.get(turn, prospect.judge(turn)),
            lead(turn, unknown),
            lead(turn, others),
            lead(turn, known),
        )
        for turn in tables.values()
    ]


def think_ahead(view: Any, seconds: float, number: int) -> Turn:
    """The expert's turn."""
    turn = Lookahead(Time(seconds, clocked=False), 1.0, Random(number)).turn(view)
    assert turn is not None
    return turn


def show(what: str, gains: dict[str, list[float]]) -> None:
    """Print what each choice has gained over medium's turn, position by position."""
    positions = len(next(iter(gains.values())))
    grid = Grid(what, "points a turn", title=f"{positions} positions")
    for title, values in gains.items():
        gained = estimate_mean(values)
        grid.add_row(title, f"{gained.value:+.3f} ± {gained.high - gained.value:.3f}")
    Console().print(grid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument(
        "--seconds", type=float, nargs="*", default=[0.25], help="seconds for a turn"
    )
    parser.add_argument("--candidates", type=int, default=16, help="turns to compare")
    parser.add_argument("--turns", type=int, default=4, help="turns to play on")
    parser.add_argument("--seed", default="limit")
    arguments = parser.parse_args()
    gains: dict[str, list[float]] = {}
    found = situations(arguments.seed)
    for number in track(range(arguments.positions), "positions"):
        view, theirs = next(found)
        rng = Random(f"{arguments.seed}/{number}")
        chosen = [think_ahead(view, seconds, number) for seconds in arguments.seconds]
        options = compare_options(view, theirs, chosen, arguments, rng)
        tables = {frozenset(option.turn.layings): option for option in options}
        choices = {"by judgement alone": max(options, key=lambda option: option.judged)}
        for seconds, turn in zip(arguments.seconds, chosen, strict=True):
            choices[f"by expert, {seconds:g} s"] = tables[frozenset(turn.layings)]
        choices["the best by other deals"] = max(options, key=lambda option: option.elsewhere)
        choices["the best in hindsight"] = max(options, key=lambda option: option.worth)
        for title, option in choices.items():
            gains.setdefault(title, []).append(option.worth - options[0].worth)
        clairvoyant = max(options, key=lambda option: option.really)
        title = "the best against the real dominoes"
        gains.setdefault(title, []).append(clairvoyant.really - options[0].really)
    show("choice", gains)


if __name__ == "__main__":
    main()
