"""Compares two bots by paired games, with an interval."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from ..core.errors import BadOptions
from ..core.notation import shorten
from ..games import DEFAULT, find_game
from ..games.game import AnyGame, Game
from .arena import Seat, check_bot, count_cores, derive_game_seed, name_bot, run_tasks
from .bot import TURN_S
from .elo import estimate_wins
from .estimate import Estimate, estimate_mean
from .ladder import PlayedBag, play_from_every_seat


class Comparison(msgspec.Struct, frozen=True):
    """The results of a bot against another; `print` shows them as a small table."""

    one: str
    other: str
    game: str
    players: int
    games: int
    seed: str
    wins: Estimate
    """The share of games that `one` won, with its interval; shared victories count in part."""
    lead: Estimate
    """The lead of `one` over the best of the others, in points a game, with its interval."""

    @property
    def fair_share(self) -> float:
        """The share that a bot of equal strength would win: a half at a table of two."""
        return 1 / self.players

    @property
    def better(self) -> bool | None:
        """Whether `one` wins more than its share (True) or less (False); None if it is not sure."""
        if self.wins.low > self.fair_share:
            return True
        return False if self.wins.high < self.fair_share else None

    def __str__(self) -> str:
        sure = {
            True: f"{self.one} is stronger than {self.other}.",
            False: f"{self.one} is weaker than {self.other}.",
            None: "The difference is not significant: play more games.",
        }
        wins, lead = self.wins, self.lead
        return (
            f"{self.one} against {self.other}: {self.games} games of {self.game},"
            f" seed {self.seed}\n"
            f"  wins  {wins.value:>7.1%}   95 % interval {wins.low:.1%} to {wins.high:.1%}\n"
            f"  lead  {lead.value:>+7.2f}   95 % interval {lead.low:+.2f} to {lead.high:+.2f}\n"
            f"{sure[self.better]}"
        )


def compare(
    one: Seat,
    other: Seat,
    games: int = 200,
    game: str | AnyGame = DEFAULT,
    *,
    seed: str | int = "0",
    players: int = 2,
    options: Mapping[str, Any] | None = None,
    seconds: float = TURN_S,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Comparison:
    """Let two bots play, and estimate the difference between them.

    A bot is a name, a `Bot` or a class of bots. Every bag is played once from each seat, so
    that the luck of the draw is the same for both; `games` is rounded up to whole bags. The same
    seed gives the same result. With more than two `players`, one of the first sits among several of
    the second. An instance is copied for each game, so that it learns nothing on the way.

    All cores are used where processes can be forked and the bots can be pickled, unless `jobs` is
    given. `progress` gets how many games are done.
    """
    rules = game if isinstance(game, Game) else find_game(game)
    rules.check_players(players)
    chosen = rules.parse_options(dict(options or {}))
    seed = str(seed)
    for name, value in (("games", games), ("jobs", 1 if jobs is None else jobs)):
        if type(value) is not int or value < 1:
            raise BadOptions(f"{name} is a number above 0, not {shorten(value)}.", f"bad_{name}")
    if players < 2:
        raise BadOptions("To compare two bots, two players or more are needed.", "bad_players")
    if not seed.isprintable():
        raise BadOptions("A seed must be printable text.", "bad_seed")
    for bot in (one, other):
        check_bot(bot, rules)
    names = name_bot(one), name_bot(other)
    bags = max(2, -(-games // players))  # A single bag does not show how bags differ.
    seeds = [derive_game_seed(f"{seed}/{names[0]} - {names[1]}", number) for number in range(bags)]
    work = partial(_play, rules, chosen, (one, other), players, seconds)
    met = []
    for bag in run_tasks(work, seeds, _jobs(work) if jobs is None else jobs):
        met.append(bag)
        progress(players)
    wins = estimate_wins([bag.share for bag in met], players)
    lead = estimate_mean([bag.lead for bag in met])
    return Comparison(*names, rules.name, players, bags * players, seed, wins, lead)


def _play(
    game: AnyGame,
    options: object,
    pair: tuple[Seat, Seat],
    players: int,
    seconds: float,
    seed: str,
) -> PlayedBag:
    return play_from_every_seat(game, options, pair, players, seed, seconds)


def _jobs(work: object) -> int:
    """The number of processes: all cores, if the caller's script needs no preparation for that.

    Processes that are not forked import the script again, which must be prepared for it, and
    classes that are defined inside a function cannot be pickled.
    """
    if multiprocessing.get_start_method() != "fork":
        return 1
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError):
        return 1
    return count_cores()
