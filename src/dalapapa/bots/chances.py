"""The chance to win a race to the target (rules 1, End), from scores alone.

The model: in each turn every player makes points like those of a good turn, independently of all
else; the player who is ahead when a round ends with the target reached has won. `lookahead.py`
considers what the table offers beyond that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

TURN_FREQUENCIES = (0, 0, 3, 45, 151, 192, 189, 144, 103, 67, 43, 24, 19, 9, 4, 2, 3, 1, 1)
"""How often, of a thousand, the best turn brings 0, 1, 2 ... points: medium against medium, after
ten turns."""

TOTAL_FREQUENCY = sum(TURN_FREQUENCIES)

MAX_DISTANCE_POINTS = 60
"""The largest distance from the target; beyond it, only the distances between players count."""

MAX_ROUNDS = 30
"""Rounds after which the target is assumed to be reached."""

LEAD_POINT_VALUE = 0.005
"""The value of a point of lead, added to the chance to win; a point changes that by up to 0.05."""


class Arrival:
    """When a player who needs so many points reaches the target, and how far beyond it."""

    def __init__(self, need: int) -> None:
        self.missing: list[float] = []
        """By number of turns: the chance that the target is still ahead."""
        self.beyond: list[list[float]] = []
        """By number of turns: the chance to arrive just then, so many points beyond it."""
        ahead = {need: 1.0} if need > 0 else {}
        arrived = {-need: 1.0} if need <= 0 else {}
        self._note(ahead, arrived)
        after: dict[int, float] = {}
        for turn in range(MAX_ROUNDS):
            before = ahead
            if turn == 0 and need <= 0:
                before = {need: 1.0}  # A turn more although the target is reached: the last round.
            after, arrived = {}, {}
            for left, chance in before.items():
                for points, times in enumerate(TURN_FREQUENCIES):
                    if times:
                        part = chance * times / TOTAL_FREQUENCY
                        if left > points:
                            after[left - points] = after.get(left - points, 0.0) + part
                        else:
                            arrived[points - left] = arrived.get(points - left, 0.0) + part
            ahead = after
            self._note(ahead, arrived)

    def _note(self, ahead: dict[int, float], arrived: dict[int, float]) -> None:
        self.missing.append(sum(ahead.values()))
        most = max(arrived, default=-1)
        self.beyond.append([arrived.get(points, 0.0) for points in range(most + 1)])


arrival = lru_cache(maxsize=4096)(Arrival)


@lru_cache(maxsize=1 << 17)
def chance_to_win(needs: tuple[int, ...], still: int, player: int) -> float:
    """The chance of `player` to win; a shared victory counts approximately for its share.

    `needs` are points to the target, in the order of play, starting with the next player; the first
    `still` of them have a turn before the round is over.
    """
    cut = min(needs) - MAX_DISTANCE_POINTS
    if cut > 0:
        needs = tuple([need - cut for need in needs])
    mine = arrival(needs[player])
    others = [
        (arrival(need), 1 if seat < still else 0)
        for seat, need in enumerate(needs)
        if seat != player
    ]
    extra = 1 if player < still else 0
    won = 0.0
    for number in range(MAX_ROUNDS):
        beyond = mine.beyond[number + extra]
        behind = [1.0] * len(beyond)
        going_on = mine.missing[number + extra]
        for other, more in others:
            missing, rival = other.missing[number + more], other.beyond[number + more]
            below = missing
            for points in range(len(beyond)):
                level = rival[points] if points < len(rival) else 0.0
                behind[points] *= below + level / 2
                below += level
            going_on *= missing
        for arrived, ahead in zip(beyond, behind, strict=True):
            won += arrived * ahead
        if going_on < 1e-5:
            break
    return won


class Finish:
    """The end of a game for points: the round in which a player reaches the target.

    `needs` are points to the target by seat.
    """

    def __init__(self, players: int, first: int) -> None:
        self.players = players
        self.last: int = (first - 1) % players
        """The seat that ends a round."""

    def is_over(self, needs: Sequence[int], seat: int) -> bool:
        """Whether the game is over after a turn of this seat."""
        return seat == self.last and min(needs) <= 0

    def play(self, needs: list[int], seat: int, line: Sequence[int]) -> int:
        """Let the next players make these points until the game is over; return the last one."""
        for points in line:
            if self.is_over(needs, seat):
                break
            seat = (seat + 1) % self.players
            needs[seat] -= points
        return seat

    def chance(self, needs: Sequence[int], seat: int, player: int) -> float:
        """The chance to win if the game goes on after a turn of this seat."""
        ahead = [(seat + 1 + number) % self.players for number in range(self.players)]
        order = tuple([needs[one] for one in ahead])
        return chance_to_win(order, ahead.index(self.last) + 1, ahead.index(player))

    def worth(self, needs: Sequence[int], seat: int, player: int, over: bool) -> float:
        """The chance to win, and a little for the lead, so that bots stay careful at the end."""
        lead = min([need for one, need in enumerate(needs) if one != player]) - needs[player]
        won = share_victory(needs, player) if over else self.chance(needs, seat, player)
        return won + LEAD_POINT_VALUE * lead


def share_victory(needs: Sequence[int], player: int) -> float:
    """The share of a victory when the game is over: equal scores share it."""
    least = min(needs)
    return 1 / needs.count(least) if needs[player] == least else 0.0
