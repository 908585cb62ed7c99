"""The review of a game that is over: what each turn lost, how the chances went, what was missed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

import msgspec

from ..bots.bot import Time
from ..bots.foresight import Foresight
from ..games import find
from ..games.bag import commitment
from ..games.classic import Classic
from ..games.dalapapa72 import Dalapapa72
from ..games.game import Game, Step
from ..games.gone import LAYS_AGAIN, Gone
from ..games.moves import Move, move_from_json
from ..games.race import Race
from ..points import Turn
from ..record import EXPLAINED, Replay
from .advice import judge
from .course import Played, Unit, course, unit_of
from .estimate import Estimate, exactly, mean_of, share_of
from .futures import NOTHING, Futures, onlooker, played_out, shares_of
from .leaves import parts_of
from .reasons import Remark, compared, doing
from .wrong_ways import NODES, Pace, WrongWay, paces, wrong_ways

SECONDS = 0.2
"""What the coach may think about a turn; everything it plays on grows with it."""

DEALS = 300
"""Deals that a turn of the classic game, or a moment of it, is played on with, for one player."""

WORK = {"auction": 13_000, "conquest": 2_500, "gone": 1_500, "alex": 900, "72": 2_000}
"""About how many moves are made from each moment, in games that are played to their end."""

USUAL = 60
"""Dominoes on a usual table, in the end: moves on a larger one take longer."""

GAMES = range(12, 201)
"""So many games, then: more where the end is near."""

MOMENTS = {"auction": 16, "conquest": 16, "gone": 16, "alex": 8, "72": 10}
"""Moments of a game that are looked at, in those games: the slower the programs, the fewer."""

FEWEST_MOMENTS = 3
"""So many at least, however long a game was."""

MOST_MOMENTS = 400
"""Of a race: all of them, in any that people have run."""

TURNS = 60
"""Turns of a long game; of a longer one, each gets less thought."""

MISSED = 3
"""The biggest chances missed."""

LEAST = 0.005
"""A chance to win that is smaller is no chance missed."""


class Moment(msgspec.Struct, frozen=True):
    """Where everybody stands, as an onlooker can know."""

    position: int
    """After so many moves."""
    chances: tuple[Estimate, ...]
    """Of each player to win; in a race, how much of the frame is full."""


class Reviewed(msgspec.Struct, frozen=True):
    """A turn that was played, or a wrong way of a race, beside what would have been better."""

    number: int
    """From 1."""
    played: Played
    chance: Estimate | None = None
    """Of its player to win after it, as that player could know (classic)."""
    better: Turn | None = None
    """What would have been better: it surely wins more often (classic), or it brings more."""
    better_chance: Estimate | None = None
    """After that one."""
    lost_chance: Estimate | None = None
    """How much more often the best other turn wins, over the same deals; None if none does."""
    remarks: tuple[Remark, ...] = ()
    """Why something else would have been better."""


class Summary(msgspec.Struct, frozen=True):
    """How a player did."""

    name: str
    turns: int
    best_turns: int
    """Turns that lost nothing."""
    lost: int
    pace: Pace | None = None
    """In a race."""


class Review(msgspec.Struct, frozen=True):
    """A game as the coach sees it."""

    game: str
    unit: Unit
    """What is lost."""
    measure: Literal["chance", "full"]
    """What the curve shows: chances to win, or how full the frames are."""
    players: tuple[Summary, ...]
    curve: tuple[Moment, ...]
    turns: tuple[Reviewed, ...]
    missed: tuple[int, ...]
    """The numbers of the turns with the biggest chances missed, the biggest first."""
    winners: tuple[int, ...]


Progress = Callable[[float], None]
"""Is told again and again which share of the work is done."""


def _silent(_: float) -> None:
    pass


def review_of_record(
    told: Replay, seconds: float = SECONDS, progress: Progress = _silent
) -> Review:
    """The review of a verified record."""
    moves = []
    for written in told.record.moves:
        bare = {key: value for key, value in written.items() if key not in EXPLAINED}
        moves.append(move_from_json(bare))
    names = [player.name for player in told.record.players]
    game = find(told.record.game)
    return review(game, names, told.steps, moves, told.record.commitment, seconds, progress)


def review(
    game: Game,
    names: Sequence[str],
    steps: Sequence[Step],
    moves: Sequence[Move],
    key: str,
    seconds: float = SECONDS,
    progress: Progress = _silent,
) -> Review:
    """The review of a game; `key` is what all its chance comes from."""
    if isinstance(game, Race):
        return _review_of_race(game, names, steps, moves, int(NODES * seconds / SECONDS))
    played = course(game, steps)
    coach = _Coach(game, steps, key, seconds)
    if coach.classic:  # A long game is not looked at for longer, but with less patience.
        coach.seconds *= min(1, TURNS / max(1, len(played)))
    starts = coach.starts(played)
    part = 1 / (len(played) + len(starts) + 1)
    turns, moments = [], []
    for number, one in enumerate(played, start=1):
        turns.append(coach.reviewed(number, one))
        progress(part)
    for start in starts:
        moments.append(coach.moment(start))
        progress(part)
    return Review(
        game=game.name,
        unit=unit_of(game),
        measure="chance",
        players=tuple([_summary(name, seat, turns) for seat, name in enumerate(names)]),
        curve=(*moments, coach.end()),
        turns=tuple(turns),
        missed=_missed(turns),
        winners=steps[-1].state.outcome.winners,
    )


def key_of(seed: str) -> str:
    """What the chance of a review comes from: not the seed, from which the hidden draws follow."""
    return commitment(seed)


def _summary(name: str, seat: int, turns: Sequence[Reviewed], pace: Pace | None = None) -> Summary:
    own = [turn.played for turn in turns if turn.played.player == seat]
    return Summary(
        name,
        len(own),
        sum(one.lost <= 0 for one in own),
        sum(max(0, one.lost) for one in own),
        pace,
    )


def _missed(turns: Sequence[Reviewed]) -> tuple[int, ...]:
    """First what surely cost a chance to win, then what cost most besides."""
    found = [turn for turn in turns if _cost(turn) > (0.0, 0)]
    found.sort(key=_cost, reverse=True)
    return tuple([turn.number for turn in found[:MISSED]])


def _cost(turn: Reviewed) -> tuple[float, int]:
    """What a turn cost: a chance to win, if that is sure; then what the game counts."""
    chance, lost = turn.lost_chance, max(0, turn.played.lost)
    if chance is None:  # Where chances are told, nothing better was found, whatever it brought.
        return 0.0, 0 if turn.chance else lost
    return chance.value if chance.low > 0 and chance.value >= LEAST else 0.0, lost


class _Coach:
    """Looks at the turns and moments of one game."""

    def __init__(self, game: Game, steps: Sequence[Step], key: str, seconds: float) -> None:
        self.game = game
        self.steps = steps
        self.key = key
        self.seconds = seconds
        self.classic = type(game) is Classic

    @property
    def _moves(self) -> float:
        """About how many moves are made from each moment: fewer on a large table."""
        large = len(self.steps[-1].state.table) / USUAL
        return WORK[self.game.name] * self.seconds / SECONDS / max(1, large)

    def _deals(self, futures: Futures) -> array[int]:
        count = round(DEALS * self.seconds / SECONDS / futures.prospect.players)
        return futures.deals(max(2, count))

    def reviewed(self, number: int, played: Played) -> Reviewed:
        """A turn, and what would have been better."""
        if self.classic and played.layings:
            return self._classic(number, played)
        if played.lost <= 0:
            return Reviewed(number, played)
        return Reviewed(number, played, better=played.best, remarks=self._remarks(played))

    def _remarks(self, played: Played) -> tuple[Remark, ...]:
        """What the best turn, for what the game counts, would have brought."""
        best = played.best
        assert best is not None
        if isinstance(self.game, Gone):
            again = best.points >= LAYS_AGAIN
            return (Remark("lays_again" if again else "draws_nothing", {"discs": best.points}),)
        if isinstance(self.game, Dalapapa72):
            return (Remark("cells_more", {"cells": best.points, "more": played.lost}),)
        parts = parts_of(self.steps[played.first].state.table, best.layings)
        text = "points_more"
        if isinstance(played.announced, int):
            text = "more_than_announced" if played.announced else "nobody_showed"
        more = best.points if text == "nobody_showed" else played.lost
        return doing(parts), Remark(text, {"points": more})

    def _classic(self, number: int, played: Played) -> Reviewed:
        """What the coach would have played, by what the player could know."""
        assert played.player is not None
        state = self.steps[played.first].state
        view = self.game.view(state, played.player)
        turn = Turn(played.layings, played.points)
        time = Time(self.seconds, clocked=False)
        seed = f"{self.key}/turn {number}"
        wished = Foresight(time, 1.0, Random(seed)).turn(view)
        futures = Futures(view, f"{seed}/deals")

        def won(*turns: Turn) -> list[list[float]]:
            deals = self._deals(futures)
            return [
                [shares[view.viewer] for _, shares in futures.after(one, deals)] for one in turns
            ]

        others = [one for one in (wished, played.best) if one and not _same(one, turn)]
        own, *found = won(turn, *others)
        better, most = max(zip(others, found, strict=True), key=_wins, default=(turn, own))
        if futures.estimate(_more(most, own), turn, better).low > 0:
            # What was chosen for its luck with some deals is judged by others.
            own, most = won(turn, better)
        chance = futures.estimate(own, turn)
        if sum(most) <= sum(own):
            return Reviewed(number, played, chance)
        lost = futures.estimate(_more(most, own), turn, better)
        if lost.low <= 0 and better.points <= turn.points:  # Chance, perhaps, and nothing else.
            return Reviewed(number, played, chance, lost_chance=lost)
        mine, theirs = (judge(state.table, view.hand, one) for one in (better, turn))
        verdict = True if lost.low > 0 else None
        over = futures.ends(better) or futures.ends(turn)
        return Reviewed(
            number,
            played,
            chance,
            better,
            futures.estimate(most, better),
            lost,
            (doing(mine.parts), compared(mine, theirs, verdict, view.bag_count, over)),
        )

    def starts(self, played: Sequence[Played]) -> list[int]:
        """The moments to look at: where turns begin, or some of them."""
        starts = [one.first for one in played]
        if self.classic:
            return starts
        most = MOMENTS[self.game.name]
        # The fewest games from each moment are half as long as this one, on average.
        least = GAMES[0] * len(self.steps) / 2
        affordable = int(most * self._moves / least)
        most = min(most, max(FEWEST_MOMENTS, affordable))
        if len(starts) <= most:
            return starts
        return [starts[number * len(starts) // most] for number in range(most)]

    def end(self) -> Moment:
        """The last moment, of which everything is known."""
        state = self.steps[-1].state
        shares = shares_of(state.outcome.winners, state.players)
        return Moment(len(self.steps) - 1, tuple([exactly(one) for one in shares]))

    def moment(self, position: int) -> Moment:
        """Everybody's chances at the beginning of a turn."""
        return Moment(position, self._chances(position))

    def _chances(self, position: int) -> tuple[Estimate, ...]:
        state = self.steps[position].state
        seed = f"{self.key}/moment {position}"
        if self.classic:
            before = (state.active - 1) % state.players
            futures = onlooker(self.game.view(state, before), seed)
            found = futures.after(NOTHING, self._deals(futures))
            return tuple(
                [mean_of([shares[seat] for _, shares in found], 0) for seat in range(state.players)]
            )
        games = int(self._moves / (len(self.steps) - position))
        count = min(GAMES[-1], max(GAMES[0], games))
        results = played_out(self.game, state, count, seed)
        return tuple(
            [share_of(sum(shares[seat] for shares in results), count)
             for seat in range(state.players)]
        )  # fmt: skip


def _wins(found: tuple[Turn, list[float]]) -> float:
    return sum(found[1])


def _more(most: list[float], own: list[float]) -> list[float]:
    """How much more one turn wins than another, deal by deal."""
    return [more - less for more, less in zip(most, own, strict=True)]


def _same(one: Turn, other: Turn) -> bool:
    """Whether two turns leave the same table."""
    return set(one.layings) == set(other.layings)


def _review_of_race(
    game: Race, names: Sequence[str], steps: Sequence[Step], moves: Sequence[Move], nodes: int
) -> Review:
    """How full the frames were, who took how many moves, and which layings led nowhere."""
    movers = [move.player for move in moves]
    ways = wrong_ways(game, steps, movers, nodes)
    turns = [_reviewed_way(number, way) for number, way in enumerate(ways, start=1)]
    pace = paces(game, steps, movers)
    return Review(
        game=game.name,
        unit="moves",
        measure="full",
        players=tuple([_summary(name, seat, turns, pace[seat]) for seat, name in enumerate(names)]),
        curve=_filling(game, steps),
        turns=tuple(turns),
        missed=_missed(turns),
        winners=steps[-1].state.outcome.winners,
    )


def _reviewed_way(number: int, way: WrongWay) -> Reviewed:
    text = "wrong_way_to_the_end" if way.stayed else "wrong_way"
    remark = Remark(text, {"tile": way.laying.tile, "moves": way.moves})
    played = Played(way.player, way.first, way.last, (way.laying,), 0, None, way.moves)
    return Reviewed(number, played, remarks=(remark,))


def _filling(game: Race, steps: Sequence[Step]) -> tuple[Moment, ...]:
    """How much of each frame is full, wherever that changes; not everywhere in long races."""
    needed = game.dominoes(steps[0].state.options)
    moments: list[Moment] = []
    for position, step in enumerate(steps):
        full = tuple([exactly(len(frame) / needed) for frame in step.state.frames])
        if not moments or full != moments[-1].chances or position == len(steps) - 1:
            moments.append(Moment(position, full))
    return (*moments[: -1 : len(moments) // MOST_MOMENTS + 1], moments[-1])
