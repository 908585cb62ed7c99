"""Paired games between bots: the ladder (`docs/ladder.md`), and one bot compared with another.

Every pair plays each of its bags once from every seat, so that the luck of the draw is the same
for both. With more than two players, one of the first bot sits among several of the second.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from copy import deepcopy
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ..core.errors import BadInput, BadOptions
from ..core.files import add_line, format_name, read, write
from ..core.notation import shorten
from ..drawing.chart import ChartRow, Panel, draw_chart
from ..games import DEFAULT, find_game
from ..games.bag import fill_bag
from ..games.game import AnyGame, Game
from .arena import (
    LONG_TURN_S,
    BotSeats,
    Seat,
    Simulation,
    check_bot,
    check_simulation,
    count_cores,
    derive_game_seed,
    describe_failures,
    name_bot,
    run_tasks,
)
from .bot import TURN_S, check_seconds
from .estimate import Estimate, Meeting, compute_ratings, estimate_mean, estimate_wins
from .levels import LEVELS, MEDIUM

DEFAULT_BAGS = 100

MIN_BAGS = 2
"""The smallest number of bags of a pair that shows how bags differ."""

MAX_DISTANCE = 2
"""Steps between bots that meet: neighbours alone would add up their errors, and if they are far
apart, one nearly always wins, which says little."""

MAX_JOURNAL_BYTES = 1_000_000_000

MAX_LEAD = 1e9
"""The largest lead that is read from a journal, which may be damaged."""


class Ladder(msgspec.Struct, frozen=True):
    """The games to play: everything that the results depend on."""

    game: str
    programs: tuple[str, ...] = tuple(LEVELS)
    """The bots, from the weakest to the strongest, as far as is known."""
    players: int = 2
    """At a table."""
    options: dict[str, Any] = {}
    seed: str = "0"
    games: int = 0
    """The games of each pair, a multiple of `players`; 0 for the default."""
    seconds: float = TURN_S
    """The time for a turn of a bot that looks ahead."""
    apart: int = MAX_DISTANCE

    @property
    def bags(self) -> int:
        return self.games // self.players or DEFAULT_BAGS

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs that meet, by their places in `programs`."""
        numbers = range(len(self.programs))
        return [pair for pair in combinations(numbers, 2) if pair[1] - pair[0] <= self.apart]

    @property
    def anchor(self) -> int:
        """The place of the bot whose Elo is 0: medium, or else the first."""
        return self.programs.index(MEDIUM.name) if MEDIUM.name in self.programs else 0


class PlayedBag(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one bag, played from every seat: means for the first bot of a pair."""

    share: Annotated[float, Meta(ge=0, le=1)]
    """The share of victories; a shared one counts in part."""
    lead: Annotated[float, Meta(ge=-MAX_LEAD, le=MAX_LEAD)]
    """The lead over the best of the others, in points."""
    times: tuple[tuple[float, ...], tuple[float, ...]]
    """The processor time of each turn of both bots, in seconds."""
    failures: tuple[int, int] = (0, 0)
    """The moves that both bots lost, because they failed."""


def check_ladder(ladder: Ladder) -> None:
    """Refuse what cannot be played, before any game starts."""
    names = ladder.programs
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadOptions("A ladder needs at least two bots, each named once.", "bad_levels")
    if ladder.players < 2:
        raise BadOptions("A ladder needs at least two players at each table.", "bad_players")
    for name in names:
        check_simulation(
            Simulation(ladder.game, (name,) * ladder.players, ladder.options, ladder.seed, 1)
        )
    least = MIN_BAGS * ladder.players
    if ladder.games and (ladder.games % ladder.players or ladder.games < least):
        raise BadOptions(
            f"Each pair plays every bag from each of the {ladder.players} seats, so the"
            f" number of games must be a multiple of {ladder.players} and at least"
            f" {least}, not {ladder.games}.",
            "bad_games",
        )


def play_ladder(
    ladder: Ladder,
    jobs: int = 0,
    progress: Callable[[int], None] = lambda _: None,
    engine: str = "local",
    journal: str | None = None,
) -> list[list[PlayedBag]]:
    """Play all games: the bags of each pair, the same on every engine and number of processes.

    `progress` gets how many games are done. A `journal` is a file that stores the bags one by one,
    so that the same ladder can continue after an interruption.
    """
    met: list[list[PlayedBag]] = [[] for _ in ladder.pairs]
    for place, bag in play_bags(ladder, jobs, engine, journal):
        met[place].append(bag)
        progress(ladder.players)
    return met


def play_bags(
    ladder: Ladder, jobs: int = 0, engine: str = "local", journal: str | None = None
) -> Generator[tuple[int, PlayedBag]]:
    """Play the bags of all pairs, each with its pair's place in `pairs`; those of a journal first.

    Every pair plays a bag before any plays the next, so that stopping early gives a smaller ladder.
    """
    check_ladder(ladder)
    known = read_journal(journal, ladder) if journal is not None else []
    # The pairs that think longest come first, so that no core waits for them at the end.
    places = list(reversed(range(len(ladder.pairs)))) * ladder.bags
    yield from zip(places, known, strict=False)
    tasks = [
        (ladder, ladder.pairs[place], number // len(ladder.pairs))
        for number, place in enumerate(places)
    ][len(known) :]
    with closing(run_tasks(play_bag, tasks, jobs, engine, ladder.seconds > LONG_TURN_S)) as played:
        for place, bag in zip(places[len(known) :], played, strict=True):
            if journal is not None:
                add_line(journal, msgspec.json.encode(bag))
            yield place, bag


def cut_ladder(ladder: Ladder, met: list[list[PlayedBag]]) -> tuple[Ladder, list[list[PlayedBag]]]:
    """The smaller ladder that is complete when a ladder stops early; it may have 0 games."""
    rounds = min(map(len, met))
    rounds = rounds if rounds >= MIN_BAGS else 0
    smaller = msgspec.structs.replace(ladder, games=rounds * ladder.players)
    return smaller, [bags[:rounds] for bags in met]


def read_journal(path: str, ladder: Ladder) -> list[PlayedBag]:
    """The bags that a journal has, in the order in which they are played."""
    game = find_game(ladder.game)
    dominoes = game.tiles(game.parse_options(ladder.options)).fingerprint
    # Journals without an order have the bags of one pair after the other.
    more = {"dominoes": dominoes, "order": "bags"}
    head = msgspec.json.encode({**msgspec.to_builtins(ladder), **more})
    if not Path(path).exists():
        write(path, head + b"\n")
    *lines, cut_off = read(path, MAX_JOURNAL_BYTES).split(b"\n")
    if lines[:1] != [head]:
        raise BadInput(
            f"{format_name(path)} is not the journal of this ladder: use the options that"
            " it began with, or another file.",
            "other_ladder",
        )
    if cut_off:
        write(path, b"\n".join([*lines, b""]))
    try:
        return [msgspec.json.decode(line, type=PlayedBag) for line in lines[1:]]
    except msgspec.DecodeError as error:
        raise BadInput(f"{format_name(path)}: {error}.", "other_ladder") from None


def play_bag(task: tuple[Ladder, tuple[int, int], int]) -> PlayedBag:
    """One bag of a pair."""
    ladder, pair, number = task
    game = find_game(ladder.game)
    one, other = (ladder.programs[place] for place in pair)
    # Each pair has its own bags, which do not depend on other bots of the ladder.
    seed = derive_game_seed(f"{ladder.seed}/{one} - {other}", number)
    options = game.parse_options(ladder.options)
    return play_from_every_seat(game, options, (one, other), ladder.players, seed, ladder.seconds)


def play_from_every_seat(
    game: AnyGame,
    options: object,
    pair: tuple[Seat, Seat],
    players: int,
    seed: str,
    seconds: float = TURN_S,
) -> PlayedBag:
    """Play one bag: the first bot of a pair sits in each seat in turn, the other in the rest."""
    one, other = pair
    shares, leads = [], []
    times: tuple[list[float], list[float]] = [], []
    failures = [0, 0]
    for seat in range(players):
        # An instance starts each game as it was given.
        seats = [deepcopy(one if place == seat else other) for place in range(players)]
        bots = BotSeats(game, seats, seed, seconds)
        start = game.start(players, options, fill_bag(game.tiles(options).names, seed))
        outcome = game.outcome(bots.play(start.state))
        assert outcome is not None
        winners = outcome.winners or range(players)  # A race may end without a winner.
        shares.append((seat in winners) / len(winners))
        others = [score for place, score in enumerate(outcome.scores) if place != seat]
        leads.append(outcome.scores[seat] - max(others))
        for place, spent in enumerate(bots.turn_times):
            times[place != seat].extend(spent)
            failures[place != seat] += bots.failures[place]
    return PlayedBag(
        share=sum(shares) / players,
        lead=sum(leads) / players,
        times=(tuple(times[0]), tuple(times[1])),
        failures=(failures[0], failures[1]),
    )


def summarize_ladder(
    ladder: Ladder, met: list[list[PlayedBag]], times: bool = False
) -> dict[str, Any]:
    """The public form of `dalapapa ladder --json`: the same for the same seed.

    With `times`, it includes the time of turns, which does not follow from the seed.
    """
    pairs = list(zip(ladder.pairs, met, strict=True))
    meetings = [Meeting(*pair, [bag.share for bag in bags]) for pair, bags in pairs]
    elo = compute_ratings(len(ladder.programs), meetings, ladder.anchor, ladder.players)
    summary: dict[str, Any] = {
        "game": ladder.game,
        "players": ladder.players,
        "options": ladder.options,
        "seed": ladder.seed,
        "seconds": ladder.seconds,
        "games": ladder.bags * ladder.players,
        "anchor": ladder.programs[ladder.anchor],
        "programs": [
            {"name": name, **_round_estimate("elo", found, 1)}
            for name, found in zip(ladder.programs, elo, strict=True)
        ],
        "pairs": [
            {
                "one": ladder.programs[one],
                "other": ladder.programs[other],
                **_round_estimate(
                    "wins", estimate_wins([bag.share for bag in bags], ladder.players), 4
                ),
                **_round_estimate("lead", estimate_mean([bag.lead for bag in bags]), 2),
            }
            for (one, other), bags in pairs
        ],
    }
    for number, bot in enumerate(summary["programs"]):
        failures = sum(
            bag.failures[pair.index(number)]
            for pair, bags in pairs
            if number in pair
            for bag in bags
        )
        if failures:
            bot["failures"] = failures
    if times:
        for number, bot in enumerate(summary["programs"]):
            spent = [
                turn
                for pair, bags in pairs
                if number in pair
                for bag in bags
                for turn in bag.times[pair.index(number)]
            ]
            bot["turn_mean"] = round(sum(spent) / max(len(spent), 1), 6)
            bot["turn_longest"] = round(max(spent, default=0.0), 6)
    return summary


def _round_estimate(name: str, found: Estimate, digits: int) -> dict[str, Any]:
    def number(value: float) -> float:
        return round(value, digits) + 0.0  # Without a minus before 0.

    return {
        name: number(found.value),
        f"{name}_interval": [number(found.low), number(found.high)],
    }


def make_panel(summary: dict[str, Any]) -> Panel:
    """A summary as part of a picture, the strongest at the top."""
    rows = [
        ChartRow(bot["name"], bot["elo"], *bot["elo_interval"])
        for bot in sorted(summary["programs"], key=lambda bot: -bot["elo"])
    ]
    players, games, seconds = (summary[name] for name in ("players", "games", "seconds"))
    note = f"{players} players, {games} games a pair, {seconds:g} s a turn"
    return Panel(summary["game"], note, tuple(rows))


def draw_ladder(summary: dict[str, Any]) -> str:
    """A summary as SVG: the Elo of each bot with its interval."""
    return draw_chart([make_panel(summary)], f"Elo, {summary['anchor']} is 0")


def list_wins_against_anchor(summary: dict[str, Any]) -> dict[str, float]:
    """The share of games that each bot won against the anchor: `wins` of a summary.

    For a table of two, where one wins what the other loses.
    """
    anchor = summary["anchor"]
    won = {pair["one"]: pair["wins"] for pair in summary["pairs"] if pair["other"] == anchor}
    lost = {pair["other"]: pair["wins"] for pair in summary["pairs"] if pair["one"] == anchor}
    return {**won, **{name: round(1 - share, 4) for name, share in lost.items()}}


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
    failures: tuple[int, int] = (0, 0)
    """The moves that both lost, because they are bots that failed: then the rest says little."""

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
        failed = describe_failures((self.one, self.other), self.failures)
        verdict = "\n".join(failed) or sure[self.better]
        return (
            f"{self.one} against {self.other}: {self.games} games of {self.game},"
            f" seed {self.seed}\n"
            f"  wins  {wins.value:>7.1%}   95 % interval {wins.low:.1%} to {wins.high:.1%}\n"
            f"  lead  {lead.value:>+7.2f}   95 % interval {lead.low:+.2f} to {lead.high:+.2f}\n"
            f"{verdict}"
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
            raise BadOptions(
                f"{name} must be a number above 0, not {shorten(value)}.", f"bad_{name}"
            )
    check_seconds(seconds)
    if players < 2:
        raise BadOptions("A comparison of two bots needs at least two players.", "bad_players")
    if not seed.isprintable():
        raise BadOptions("A seed must be printable text.", "bad_seed")
    for bot in (one, other):
        check_bot(bot, rules)
    names = name_bot(one), name_bot(other)
    bags = max(2, -(-games // players))  # A single bag does not show how bags differ.
    seeds = [derive_game_seed(f"{seed}/{names[0]} - {names[1]}", number) for number in range(bags)]
    work = partial(play_from_every_seat, rules, chosen, (one, other), players, seconds=seconds)
    met = []
    for bag in run_tasks(work, seeds, _choose_jobs(work) if jobs is None else jobs):
        met.append(bag)
        progress(players)
    wins = estimate_wins([bag.share for bag in met], players)
    lead = estimate_mean([bag.lead for bag in met])
    failures = sum(bag.failures[0] for bag in met), sum(bag.failures[1] for bag in met)
    return Comparison(*names, rules.name, players, bags * players, seed, wins, lead, failures)


def _choose_jobs(work: object) -> int:
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
