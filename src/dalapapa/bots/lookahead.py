"""Looks beyond the current turn: what the other players will make of the table that it leaves.

Every promising turn is judged by what each unseen domino could earn after it. The best of them
are played on with dealt dominoes until all players have had a turn; their value is the chance to
win from there. All turns get the same deals. The worse half is dropped repeatedly, so that time is
spent where the choice is close.
"""

from __future__ import annotations

from array import array
from collections import Counter
from math import inf
from random import Random
from time import perf_counter

from ..core.notation import Laying
from ..core.points import Turn
from ..games.turns import HAND, TargetView
from ..kernel.ending import Ending
from ..kernel.lookup import lookup_of
from ..kernel.outlook import Outlook
from .bot import Time, shuffle
from .chances import Finish, share_victory
from .perception import END_TURN, Perception

NO_DOMINO = -1
"""No domino in a deal, because the bag is empty (`outlook.py`)."""

MAX_JUDGED_TURNS = 400
"""Turns that are judged by what they leave, besides all those with one domino."""

MAX_PLAYED_TURNS = 24

MAX_SACRIFICE_POINTS = 7
"""Points below the best turn from which on a turn is never worth it."""

JUDGED_TURNS_PER_S = 4000
"""Turns that are judged, in a second for the whole turn: less than half of its time."""

PLAYED_TURNS_PER_S = 7000
"""Turns that are played on in a second, on a full table of a slow machine."""

EXACT_POSITIONS_PER_S = 20_000
"""Positions of the exact end, of which each lists all layings of a hand."""

INFINITE_LEAD = 10_000

SECOND_SHARE = 0.3
"""The share of the time of a turn for the second domino: it was planned with the first."""

JUDGEMENT_WEIGHT_DEALS = 60
"""The number of deals that weighs as much as the judgement of a turn without any."""

# What the next turns bring, fitted to 200 positions of medium against medium, 200 deals each.
REPLY_SHARE = 0.78
"""The share of an unseen hand's points that the next player gets."""
NEXT_TURN_SHARE = 0.72
"""The share of the points of the kept domino and an unseen one, or of two unseen ones, that is left
at the own next turn."""
TAKEN_SHARE = 0.5
"""The share of an unseen hand's points that the others will have taken by then."""
NEW_HAND_POINTS = 0.25
"""The points that two new dominoes bring in addition."""
SLOPE_STEP_POINTS = 2
"""Points up and down, to see what one is worth."""
LUCK_SHARE = 0.8
"""The share of the luck in the dealt hands that shows in the points."""


class Lookahead(Perception):
    """Sees everything, and looks ahead for some time.

    The work is counted, not timed, so that the same seed gives the same choice; the clock ends it
    only if a machine is far slower than expected.
    """

    def __init__(self, time: Time, share: float, rng: Random) -> None:
        self.time = time
        self.share = share
        self.rng = rng

    def turn(self, view: TargetView) -> Turn | None:
        turns = list_promising(view)
        if len(turns) < 2:
            return self.richest(view)
        share = self.share * (SECOND_SHARE if view.turn else 1 - SECOND_SHARE)
        seconds = self.time.seconds * share
        turns = turns[: max(MAX_PLAYED_TURNS, int(seconds * JUDGED_TURNS_PER_S))]
        deadline = perf_counter() + seconds if self.time.clocked else inf
        prospect = Prospect(view, self.rng)
        last = None
        if self.points_decide:
            last = _find_last_turn(prospect, int(seconds * EXACT_POSITIONS_PER_S), deadline)
        return last or _compare(prospect, turns, int(seconds * PLAYED_TURNS_PER_S), deadline)


def list_promising(
    view: TargetView, most: int = MAX_JUDGED_TURNS, sacrifice: int = MAX_SACRIFICE_POINTS
) -> list[Turn]:
    """The turns worth a second look, most points first, including the end of the turn if possible.

    Empty in a variant with hands of more than two, with which the kernel cannot play on.
    """
    if view.options.hand != HAND:
        return []
    if view.phase == "setup":
        return _starts(view)
    turns = view.table.best_turns(view.hand, most, view.options.charge)
    for name in view.hand:
        turns += [Turn((one,), earned.points) for one, earned in view.table.scored(name)]
    if view.turn:
        turns = [Turn(turn.layings, turn.points - view.charge) for turn in turns]
        turns.append(END_TURN)
    turns.sort(key=lambda turn: -turn.points)
    # The same dominoes in another order leave the same table.
    tables: dict[frozenset[Laying], Turn] = {}
    for turn in turns:
        if turn.points > turns[0].points - sacrifice:
            tables.setdefault(frozenset(turn.layings), turn)
    return list(tables.values())


def _starts(view: TargetView) -> list[Turn]:
    """The layings that complete the starting position, which earn nothing (rules 1)."""
    if view.viewer != make_finish(view).last or not len(view.table):
        return []
    layings = [laying for name in view.hand for laying in view.table.legal(name)]
    return [Turn((laying,), 0) for laying in layings]


def make_finish(view: TargetView) -> Finish:
    """How the game ends."""
    return Finish(len(view.scores), view.options.first)


def _find_last_turn(prospect: Prospect, budget: int, deadline: float) -> Turn | None:
    """The best turn when two play and the bag is empty, so that nothing is hidden.

    None in any other case, and if no turn could be followed to the end.
    """
    view = prospect.view
    if len(view.scores) != 2 or view.phase != "play" or view.bag_count:
        return None
    hand = [prospect.index[name] for name in view.hand]
    needs = [view.options.target - view.scores[seat] for seat in (prospect.me, 1 - prospect.me)]
    last = 0 if prospect.finish.last == prospect.me else 1
    hands = hand, prospect.outlook.unseen
    ending = Ending(view.table, hands, needs, last, budget, view.options.charge)
    best, lead = None, -INFINITE_LEAD
    for turn in list_promising(view, budget, INFINITE_LEAD):
        found = ending.worth(turn.layings, turn.points, lead)
        if ending.spent or perf_counter() > deadline:
            break
        if found > lead:
            best, lead = turn, found
    return best


def _compare(prospect: Prospect, turns: list[Turn], work: int, deadline: float) -> Turn:
    """The best of these turns, by playing on about `work` turns."""
    judged = {turn: prospect.judge(turn) for turn in turns}
    left = sorted(turns, key=lambda turn: -judged[turn])[:MAX_PLAYED_TURNS]
    rounds = (len(left) - 1).bit_length()
    won = dict.fromkeys(left, 0.0)
    dealt = 0

    def worth(turn: Turn) -> float:
        return (JUDGEMENT_WEIGHT_DEALS * judged[turn] + won[turn]) / (
            JUDGEMENT_WEIGHT_DEALS + dealt
        )

    for _ in range(rounds):
        deals = prospect.deals(work // (rounds * prospect.turns * len(left)))
        dealt += len(deals) // prospect.outlook.stride
        for turn in left:
            won[turn] += prospect.sum_wins(turn, deals)
            if perf_counter() > deadline:
                return left[0]
        left.sort(key=lambda turn: -worth(turn))
        del left[(len(left) + 1) // 2 :]
    return left[0]


class Prospect:
    """The consequences of a player's turns, as far as that player can know."""

    def __init__(self, view: TargetView, rng: Random) -> None:
        self.view = view
        self.me: int = view.player
        self.finish: Finish = make_finish(view)
        self.rng = rng
        self.players: int = len(view.scores)
        self.index: dict[str, int] = lookup_of(view.table.tiles).index
        # Once the bag is empty, the game is played to its end.
        self.turns: int = self.players * (1 if view.bag_count else HAND)
        hand = [self.index[name] for name in view.hand]
        self.outlook: Outlook = Outlook(
            view.table, self.players, self.turns, hand, view.options.charge
        )

    def list_kept(self, turn: Turn) -> list[int]:
        """The dominoes in hand that a turn does not lay."""
        laid = {laying.tile for laying in turn.layings}
        return [self.index[name] for name in self.view.hand if name not in laid]

    def judge(self, turn: Turn) -> float:
        """An estimate of the chance to win after a turn, from what each domino could earn then."""
        kept = self.list_kept(turn)
        _, beside, expected = self.outlook.leaves(turn.layings, kept)
        next_own = (
            NEXT_TURN_SHARE * beside - TAKEN_SHARE * expected + (0.0 if kept else NEW_HAND_POINTS)
        )
        *rivals, me = self._slopes(turn.points)
        return (
            self.estimate_win(turn.points, ()) + me * next_own + rivals[0] * REPLY_SHARE * expected
        )

    def _slopes(self, points: int) -> list[float]:
        """The value of a point more for each player, the next one first, after a turn.

        It is measured over several points, because near the end a single one may decide.
        """
        needs = self._needs(points)
        if self.finish.is_over(needs, self.me):
            return [0.0] * self.players

        def worth(needs: list[int]) -> float:
            return self.finish.worth(needs, self.me, self.me, over=False)

        slopes = []
        for number in range(1, self.players + 1):
            seat = (self.me + number) % self.players
            more, less = needs[:], needs[:]
            more[seat] -= SLOPE_STEP_POINTS
            less[seat] += SLOPE_STEP_POINTS
            slopes.append((worth(more) - worth(less)) / (2 * SLOPE_STEP_POINTS))
        return slopes

    def deals(self, count: int) -> array[int]:
        """Hands for the others, and draws for all, from the dominoes that the player cannot see.

        One shuffle serves as many deals as possible, so that dominoes appear about equally often.
        """
        setup = self.view.phase == "setup"
        counts = [
            HAND if setup else self.view.hand_counts[(self.me + number) % self.players]
            for number in range(1, self.players)
        ]
        drawn = min(len(self.outlook.unseen) - sum(counts), HAND * self.turns)
        dealt = array("i")
        pool: list[int] = []
        for _ in range(max(count, 1)):
            if len(pool) < sum(counts) + drawn:
                pool = shuffle(self.outlook.unseen, self.rng)
            for size in counts:
                dealt.extend(pool[:size] + [NO_DOMINO] * (HAND - size))
                del pool[:size]
            dealt.extend(pool[:drawn] + [NO_DOMINO] * (HAND * self.turns - drawn))
            del pool[:drawn]
        return dealt

    def sum_wins(self, turn: Turn, deals: array[int]) -> float:
        """The chances to win after a turn, added up over the deals, less the luck in them."""
        played, luck = self.outlook.play(turn.layings, self.list_kept(turn), deals)
        columns = [played[number :: self.turns] for number in range(self.turns)]
        lines = Counter(zip(*columns, strict=True))
        won = sum(times * self.estimate_win(turn.points, line) for line, times in lines.items())
        if self.view.bag_count:
            for slope, more in zip(self._slopes(turn.points), luck, strict=True):
                won -= LUCK_SHARE * slope * more
        return won

    def estimate_win(self, points: int, line: tuple[int, ...]) -> float:
        """The chance to win, and a little for the lead, if these turns bring these points."""
        needs, seat, over = self._after(points, line)
        return self.finish.worth(needs, seat, self.me, over)

    def estimate_shares(self, points: int, line: tuple[int, ...]) -> tuple[float, ...]:
        """Each player's chance to win then; the sum is 1."""
        needs, seat, over = self._after(points, line)
        players = range(self.players)
        if over:
            return tuple([share_victory(needs, player) for player in players])
        chances = [self.finish.chance(needs, seat, player) for player in players]
        whole = sum(chances)
        return tuple([one / whole for one in chances])

    def is_over_after(self, turn: Turn) -> bool:
        """Whether the game is over with this turn (rules 1: the last round)."""
        return self.finish.is_over(self._needs(turn.points), self.me)

    def _after(self, points: int, line: tuple[int, ...]) -> tuple[list[int], int, bool]:
        """After these turns: what each player needs, who was last, and whether the game is over."""
        needs = self._needs(points)
        seat = self.finish.play(needs, self.me, line)
        played_out = bool(line) and not self.view.bag_count
        return needs, seat, played_out or self.finish.is_over(needs, seat)

    def _needs(self, points: int) -> list[int]:
        """The points that each player needs to the target, after this turn has brought `points`."""
        needs = [self.view.options.target - score for score in self.view.scores]
        needs[self.me] -= points
        return needs
