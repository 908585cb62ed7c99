"""How the classic game is reviewed (rules 1): turn by turn, over the same deals.

Every turn is compared with the one that the coach would have played, by what its player could
know; the games that build on this one count their turns in the same way.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from ...bots.bot import Time
from ...bots.estimate import Estimate, estimate_bounded_mean
from ...bots.lookahead import Lookahead, Prospect
from ...coach.advice import judge_turn
from ...coach.futures import NO_TURN, estimate_chance, make_onlooker, play_on
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
from .rules import ClassicState, ClassicView, StateT

REVIEW_DEALS = 300
"""The deals with which a turn or a moment is played on, divided by the players."""

LONG_GAME_TURNS = 60
"""Turns of a long game; in a longer one, each gets less time."""


class PointsReviewer(TableReviewer[StateT]):
    """Reviews games whose turns are those of the classic game: one or two dominoes for points."""

    @staticmethod
    def turns(steps: Sequence[Step[StateT]]) -> list[PlayedTurn]:
        """The turns, each from the first move that could lead to a laying (or a call) on."""
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
    """Chances to win, by what the players could know."""

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:
        """Review a game; the turns of a long one get less time each."""
        self.seconds *= min(1, LONG_GAME_TURNS / max(1, len(self.turns(self.steps))))
        return super().review(names, moves, progress)

    def starts(self, played: Sequence[PlayedTurn]) -> list[int]:
        """All moments: no game is played to its end."""
        return [one.first for one in played]

    def chances(self, position: int) -> tuple[Estimate, ...]:
        state = self.steps[position].state
        before = (state.active - 1) % state.players
        prospect = make_onlooker(self.game.view(state, before), f"{self.key}/moment {position}")
        found = play_on(prospect, NO_TURN, self._deals(prospect))
        by_seat = zip(*(shares for _, shares in found), strict=True)
        return tuple([estimate_bounded_mean(shares, 0) for shares in by_seat])

    def _deals(self, prospect: Prospect) -> array[int]:
        count = round(REVIEW_DEALS * self.seconds / TURN_REVIEW_S / prospect.players)
        return prospect.deals(max(2, count))

    def review_turn(self, number: int, played: PlayedTurn) -> Reviewed:
        """Compare a turn with the coach's choice, by what the player could know."""
        if not played.layings or played.player is None:
            return super().review_turn(number, played)
        state = self.steps[played.first].state
        view: ClassicView = self.game.view(state, played.player)
        turn = Turn(played.layings, played.points)
        time = Time(self.seconds, clocked=False)
        seed = f"{self.key}/turn {number}"
        chosen = Lookahead(time, 1.0, Random(seed)).turn(view)
        prospect = Prospect(view, Random(f"{seed}/deals"))

        def estimate_wins(*turns: Turn) -> list[list[float]]:
            deals = self._deals(prospect)
            found = [play_on(prospect, one, deals) for one in turns]
            return [[shares[view.player] for _, shares in one] for one in found]

        # The same layings in another order leave the same table.
        laid = set(turn.layings)
        others = [one for one in (chosen, played.best) if one and set(one.layings) != laid]
        own, *found = estimate_wins(turn, *others)
        pairs = zip(others, found, strict=True)
        better, most = max(pairs, key=lambda pair: sum(pair[1]), default=(turn, own))
        if estimate_chance(prospect, _subtract_wins(most, own), turn, better).low > 0:
            # A turn may have been chosen for its luck with these deals: judge it by others.
            own, most = estimate_wins(turn, better)
        chance = estimate_chance(prospect, own, turn)
        if sum(most) <= sum(own):
            return Reviewed(number, played, chance)
        lost = estimate_chance(prospect, _subtract_wins(most, own), turn, better)
        if lost.low <= 0 and better.points <= turn.points:  # The difference may be chance.
            return Reviewed(number, played, chance, lost_chance=lost)
        charge = state.options.charge
        mine, theirs = (judge_turn(state.table, view.hand, one, charge) for one in (better, turn))
        verdict = True if lost.low > 0 else None
        over = any(map(prospect.is_over_after, (better, turn)))
        reason = compare_turns(mine, theirs, verdict, view.bag_count, over)
        return Reviewed(
            number,
            played,
            chance,
            better,
            estimate_chance(prospect, most, better),
            lost,
            (describe_parts(mine.parts), reason),
        )


def _subtract_wins(most: list[float], own: list[float]) -> list[float]:
    """How much more one turn wins than another, deal by deal."""
    return [more - less for more, less in zip(most, own, strict=True)]
