"""How the classic game is reviewed (rules 1): turn by turn, over the same deals.

Every turn is compared with the one that the coach would have played, by what its player could
know; the games that build on this one count their turns in the same way.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from ...bots.bot import Time
from ...bots.estimate import Estimate, estimate_bounded_mean
from ...bots.lookahead import Lookahead
from ...coach.advice import judge_turn
from ...coach.futures import NO_TURN, Futures, make_onlooker
from ...coach.reasons import compare_turns, describe_parts
from ...coach.reviewer import (
    TURN_REVIEW_S,
    PlayedTurn,
    Progress,
    Review,
    Reviewed,
    TableReviewer,
    find_spans,
)
from ...core.points import Turn
from ..events import Passed, TurnEnded
from ..game import Step
from ..moves import Move
from .rules import ClassicState, ClassicView

StateT = TypeVar("StateT", bound=ClassicState)

DEALS = 300
"""Deals that a turn, or a moment, is played on with, for one player."""

TURNS = 60
"""Turns of a long game; of a longer one, each gets less thought."""


class PointsReviewer(TableReviewer[StateT]):
    """Of a game whose turns are those of the classic game: for points, with one or two dominoes."""

    @staticmethod
    def turns(steps: Sequence[Step[StateT]]) -> list[PlayedTurn]:
        """A turn goes from the first move that could lead to a laying (a call, too) to its end."""
        found = []
        for first, last, event in find_spans(steps, TurnEnded | Passed):
            start, player = steps[first].state, steps[last].state.active
            points = event.turn_points if isinstance(event, TurnEnded) else 0
            layings = tuple([laid.laying for laid in steps[last].state.turn])
            best = start.table.best_turn(start.hands[player], start.options.charge)
            lost = best.points - points if best else 0
            found.append(PlayedTurn(player, first, last, layings, points, best, lost))
        return found


class ClassicReviewer(PointsReviewer[ClassicState]):
    """Chances to win, by what everybody could know."""

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:
        """A long game is not looked at for longer, but with less patience."""
        self.seconds *= min(1, TURNS / max(1, len(self.turns(self.steps))))
        return super().review(names, moves, progress)

    def starts(self, played: Sequence[PlayedTurn]) -> list[int]:
        """All of them: nothing is played to its end."""
        return [one.first for one in played]

    def chances(self, position: int) -> tuple[Estimate, ...]:
        state = self.steps[position].state
        before = (state.active - 1) % state.players
        futures = make_onlooker(self.game.view(state, before), f"{self.key}/moment {position}")
        found = futures.after(NO_TURN, self._deals(futures))
        return tuple(
            [
                estimate_bounded_mean([shares[seat] for _, shares in found], 0)
                for seat in range(state.players)
            ]
        )

    def _deals(self, futures: Futures) -> array[int]:
        count = round(DEALS * self.seconds / TURN_REVIEW_S / futures.prospect.players)
        return futures.deals(max(2, count))

    def reviewed(self, number: int, played: PlayedTurn) -> Reviewed:
        """What the coach would have played, by what the player could know."""
        if not played.layings or played.player is None:
            return super().reviewed(number, played)
        state = self.steps[played.first].state
        view: ClassicView = self.game.view(state, played.player)
        turn = Turn(played.layings, played.points)
        time = Time(self.seconds, clocked=False)
        seed = f"{self.key}/turn {number}"
        wished = Lookahead(time, 1.0, Random(seed)).turn(view)
        futures = Futures(view, f"{seed}/deals")

        def won(*turns: Turn) -> list[list[float]]:
            deals = self._deals(futures)
            return [
                [shares[view.player] for _, shares in futures.after(one, deals)] for one in turns
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
        charge = state.options.charge
        mine, theirs = (judge_turn(state.table, view.hand, one, charge) for one in (better, turn))
        verdict = True if lost.low > 0 else None
        over = futures.ends(better) or futures.ends(turn)
        return Reviewed(
            number,
            played,
            chance,
            better,
            futures.estimate(most, better),
            lost,
            (
                describe_parts(mine.parts),
                compare_turns(mine, theirs, verdict, view.bag_count, over),
            ),
        )


def _wins(found: tuple[Turn, list[float]]) -> float:
    return sum(found[1])


def _more(most: list[float], own: list[float]) -> list[float]:
    """How much more one turn wins than another, deal by deal."""
    return [more - less for more, less in zip(most, own, strict=True)]


def _same(one: Turn, other: Turn) -> bool:
    """Whether two turns leave the same table."""
    return set(one.layings) == set(other.layings)
