"""How a bot plays Conquest (rules 3): the classic turn, and marks on groups.

Levels that look ahead count a mark like points: a closed group by its discs, an open one by what
such groups bring on average. So closing a group that can be marked counts twice, and a turn that
ends the game is judged by who has won.
"""

from __future__ import annotations

from ...bots.levels import LevelBot
from ...bots.lookahead import Lookahead, list_promising
from ...core.points import Group, Turn
from ...kernel.lookup import lookup_of
from ...kernel.outlook import Outlook
from ...kernel.table import Table
from ..classic.bot import start_turn
from ..moves import End, Mark, Move
from .rules import ConquestView, can_mark, find_group

MIN_MARKED_DISCS = 4
"""The smallest group that gets a mark before the end is near: there are only three marks."""

END_DISTANCE_POINTS = 15
"""Points below the target from which marks are no longer saved."""

TURN_POINTS = 6
"""Points that a turn brings on average."""

OPEN_GROUP_DISCS_PER_TURN = 0.15
MAX_OPEN_GROUP_DISCS = 2.5
"""Discs that an open group brings at the end, for each turn to come and at most. Its size does not
matter: larger groups close less often. Fitted to 8400 groups of games of medium."""

MARK_DISCS_PER_TURN = 1.5
"""Discs that a mark must bring for each own turn left, at most `MIN_MARKED_DISCS`."""

JUDGED_TURNS_PER_S = 400
"""Turns compared per second, on a slow machine."""

MIN_JUDGED_TURNS = 8

# What a turn leaves, in points, as in `lookahead.py`; measured against medium.
REPLY_SHARE = 0.75
"""The share of an unseen hand's points that the next player gets."""
KEPT_SHARE = 0.4
"""The share of the points of the kept domino, compared with another one."""
MEAN_DOMINO_POINTS = 4.7
"""The points that a domino earns."""
NEW_HAND_POINTS = 0.3
"""The points that two new dominoes bring more than a kept and a new one."""

VICTORY_POINTS = 1000
"""The value of a victory, or of a defeat: more than all points."""


class ConquestBot(LevelBot[ConquestView]):
    """The best turn, and then a mark on the best group."""

    def choose(self, view: ConquestView) -> Move:
        player, sight = view.player, self.sight
        if view.marked:
            return End(player)
        if isinstance(sight, Lookahead) and view.phase == "play":
            plan = Conqueror(view, player)
            move = start_turn(player, plan.turn(sight))
            return plan.choose_mark() or move if isinstance(move, End) else move
        move = start_turn(player, sight.turn(view))
        if not isinstance(move, End):
            return move
        groups = view.table.groups()
        free = [group for group in groups if can_mark(groups, group, view.marks, player)]
        if not view.marks_left[player] or not free:
            return move

        def value(group: Group) -> float:
            return group.size if group.closed else group.size / 2

        best = max(free, key=value)
        near = max(view.scores) >= view.options.target - END_DISTANCE_POINTS
        return Mark(player, best.discs[0]) if near or value(best) >= MIN_MARKED_DISCS else move


class Conqueror:
    """The value of turns and marks for one player, in points."""

    def __init__(self, view: ConquestView, player: int) -> None:
        self.view = view
        self.player = player
        self.index: dict[str, int] = lookup_of(view.table.tiles).index
        self.turns_left: float = max(0.0, (view.options.target - max(view.scores)) / TURN_POINTS)
        """The number of turns that each player has left, estimated."""

    def turn(self, sight: Lookahead) -> Turn | None:
        """The turn that is worth most, including marks and what it leaves."""
        turns = list_promising(self.view)
        if len(turns) < 2:
            return sight.richest(self.view)
        hand = [self.index[name] for name in self.view.hand]
        charge = self.view.options.charge
        outlook = Outlook(self.view.table, len(self.view.scores), 2, hand, charge)
        most = max(MIN_JUDGED_TURNS, int(JUDGED_TURNS_PER_S * sight.share * sight.time.seconds))
        return max(turns[:most], key=lambda turn: self.rate(turn, outlook))

    def choose_mark(self) -> Move | None:
        """Put a mark on the best group, if it is worth one of three."""
        if not self.view.marks_left[self.player]:
            return None
        over = self._ends(0)
        groups = self.view.table.groups()
        worth, best = self._best_mark(groups, over)
        if best is None or (worth < self._least() and not over):
            return None
        return Mark(self.player, best.discs[0])

    def _ends(self, points: int) -> bool:
        """Whether so many points more end the game with this turn."""
        options = self.view.options
        reached = max(self.view.scores[self.player] + points, *self.view.scores) >= options.target
        last = (self.player + 1) % len(self.view.scores) == options.first
        return reached and (last or not options.finish_round)

    def _least(self) -> float:
        """Discs that make a mark worth while: all three should be put in time."""
        if self.turns_left < self.view.marks_left[self.player]:
            return 0.0
        return min(MIN_MARKED_DISCS, MARK_DISCS_PER_TURN * self.turns_left)

    def _best_mark(self, groups: list[Group], over: bool) -> tuple[float, Group | None]:
        """The group on which a mark of this player brings most, and how much that is."""
        open_ones = min(
            MAX_OPEN_GROUP_DISCS,
            OPEN_GROUP_DISCS_PER_TURN * self.turns_left * len(self.view.scores),
        )
        best: tuple[float, Group | None] = (0.0, None)
        for group in groups:
            worth = group.size if group.closed else 0.0 if over else open_ones
            if worth > best[0] and can_mark(groups, group, self.view.marks, self.player):
                best = worth, group
        return best

    def rate(self, turn: Turn, outlook: Outlook) -> float:
        """The value of a turn, with the mark that may follow it."""
        table = self.view.table.copy()
        for laying in turn.layings:
            table.lay(laying)
        over = self._ends(turn.points)
        mark = 0.0
        if self.view.marks_left[self.player]:
            mark, _ = self._best_mark(table.groups(), over)
        if over:
            return self._judge_end(table, turn.points + mark)
        laid = {laying.tile for laying in turn.layings}
        kept = [self.index[name] for name in self.view.hand if name not in laid]
        own, _, expected = outlook.leaves(turn.layings, kept)
        worth = turn.points - REPLY_SHARE * expected
        worth += KEPT_SHARE * (own - MEAN_DOMINO_POINTS) if kept else NEW_HAND_POINTS
        return worth + max(0.0, mark - self._least())

    def _judge_end(self, table: Table, more: float) -> float:
        """The value of a turn that ends the game, with all marks counted."""
        groups = table.groups()
        totals: list[float] = list(self.view.scores)
        totals[self.player] += more
        for mark in self.view.marks:
            group = find_group(groups, mark.disc)
            if group is not None and group.closed:
                totals[mark.player] += group.size
        lead = totals[self.player] - max(
            total for seat, total in enumerate(totals) if seat != self.player
        )
        return lead + (VICTORY_POINTS if lead > 0 else -VICTORY_POINTS if lead < 0 else 0)
