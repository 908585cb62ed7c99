"""How a bot bids (rules 2): by what a turn brings on average, or by the chance to win."""

from __future__ import annotations

from ...bots.bot import Time
from ...bots.chances import TURN_FREQUENCIES
from ...bots.levels import Level, LevelBot
from ...bots.lookahead import Lookahead, make_finish
from ..classic.bot import start_turn
from ..game import AnyGame
from ..moves import Call, Decline, Follow, Move, Pass, Raise
from .rules import LOWEST_BID, AuctionView, Bidding

OTHER_TURN_POINTS = 6
"""Points that a turn brings on average, which the player loses whose turn is bought."""

BID_LIMIT = 16
"""Bids are lower than this: no turn is worth more."""

OWN_TURN_SHARE, NEW_DOMINO_POINTS = 0.75, 1.7
"""The share of a player's best turn that is left when another player has played first, and the
points that a new domino adds. Fitted to 2800 turns of medium against medium."""

BUYER_POINTS = 4
"""Points added for another player who buys a turn: a player who pays once will pay again, and so
has more turns to come than the chances assume. Measured against medium."""

TURN_COUNT = 5
"""The number of turns of others that are considered, from poor to rich, all equally likely."""


class AuctionBot(LevelBot[AuctionView]):
    """Answers to auctions first; the turn itself is played as in the classic game."""

    # Bids decide, and more time only improves the laying: expert won 44 of 100 against strong.
    strongest = "strong"

    def __init__(self, game: AnyGame, level: Level, seed: str, time: Time) -> None:
        super().__init__(game, level, seed, time)
        self.sight.points_decide = False

    def choose(self, view: AuctionView) -> Move:
        player, sight = view.player, self.sight
        if view.bidding is None and player == view.active:
            return start_turn(player, sight.turn(view))
        best = sight.best(view.table, view.hand, view.options.charge)
        points = best.points if best else 0
        if isinstance(sight, Lookahead):
            return Prices(view, points).answer()
        return _by_points(view, player, points)


def _by_points(view: AuctionView, player: int, worth: int) -> Move:
    """Bid what a turn is worth.

    Buying a turn costs the bid and gives it to the seller, who also loses a turn: it pays up to
    half of what both turns bring. Following costs half the bid and saves the whole bid.
    """
    if player == view.active:
        assert view.bidding is not None
        return Follow(player) if 3 * view.bidding.bid < 2 * worth else Pass(player)
    bid = view.bidding.bid + 2 if view.bidding else LOWEST_BID
    worthwhile = bool(view.hand) and 2 * bid < worth + OTHER_TURN_POINTS and bid < worth
    if view.bidding is None:
        return Call(player, bid) if worthwhile else Decline(player)
    return Raise(player, bid) if worthwhile else Pass(player)


_TURN_POINTS = [points for points, often in enumerate(TURN_FREQUENCIES) for _ in range(often)]
OTHER_TURNS = [
    _TURN_POINTS[len(_TURN_POINTS) * (2 * n + 1) // (2 * TURN_COUNT)] for n in range(TURN_COUNT)
]
"""The middle of each fifth of all turns."""


class Prices:
    """The value of each end of an auction for one player, as a chance to win.

    The active player is expected to answer a bid by the same comparison, with a turn that the
    others do not know; the others are expected not to bid.
    """

    def __init__(self, view: AuctionView, points: int) -> None:
        self.view = view
        self.me: int = view.player
        self.finish = make_finish(view)
        self.points = points
        """The points of its own best turn now."""
        self.players: int = len(view.scores)

    def answer(self) -> Move:
        """Call, raise, follow or stay out: the answer that wins most often."""
        bidding = self.view.bidding
        if self.me == self.view.active:
            assert bidding is not None
            keeps = self.value_if_kept(self.me, bidding.bid, self.points)
            sells = self.value_if_sold(self.me, bidding.holder, bidding.bid, self.points)
            return Follow(self.me) if keeps > sells else Pass(self.me)
        least = bidding.bid + 2 if bidding else LOWEST_BID
        bids = range(least, BID_LIMIT, 2) if self.view.hand else range(0)
        worth = {bid: self._value_of_offer(self.me, bid) for bid in bids}
        best = max(worth, key=lambda bid: worth[bid], default=0)
        if not best or worth[best] <= self._value_of_staying_out(bidding):
            return Decline(self.me) if bidding is None else Pass(self.me)
        return Call(self.me, best) if bidding is None else Raise(self.me, best)

    def _value_of_staying_out(self, bidding: Bidding | None) -> float:
        """The value of letting the active player keep the turn, or the highest bidder have it."""
        if bidding is None or bidding.holder == self.view.active:
            bid = bidding.bid if bidding else 0
            values = [self.value_if_kept(self.me, bid, points) for points in OTHER_TURNS]
            return sum(values) / len(values)
        return self._value_of_offer(bidding.holder, bidding.bid)

    def _value_of_offer(self, buyer: int, bid: int) -> float:
        """The value after a bid: the active player follows, or sells the turn."""
        seller, bidding = self.view.active, self.view.bidding
        out = bidding is not None and seller in bidding.out
        values = []
        for points in OTHER_TURNS:
            follows = not out and (
                self.value_if_kept(seller, bid, points)
                > self.value_if_sold(seller, buyer, bid, points)
            )
            if follows:
                values.append(self.value_if_kept(self.me, bid, points))
            else:
                values.append(self.value_if_sold(self.me, buyer, bid, points))
        return sum(values) / len(values)

    def value_if_kept(self, player: int, bid: int, points: int) -> float:
        """The value for `player` if the active one pays half the bid and makes these points."""
        needs = self._needs()
        needs[self.view.active] += bid // 2 - points
        if player == self.me and self.me != self.view.active:
            return self._value_of_waiting(player, needs, self.view.active, self.points)
        return self._worth(player, needs, self.view.active)

    def value_if_sold(self, player: int, buyer: int, bid: int, points: int) -> float:
        """The value for `player` if `buyer` buys a turn in which its owner would make `points`.

        Only its owner knows a turn.
        """
        needs = self._needs()
        needs[buyer] += bid if buyer == self.me else bid - BUYER_POINTS
        needs[self.view.active] -= bid
        if player == self.me and buyer == self.me:
            needs[self.me] -= self.points
            return self._worth(player, needs, buyer)
        own = points if player == self.view.active else self.points
        values = []
        for others in OTHER_TURNS:
            played = needs[:]
            played[buyer] -= others
            if player == buyer:
                values.append(self._worth(player, played, buyer))
            else:
                values.append(self._value_of_waiting(player, played, buyer, own))
        return sum(values) / len(values)

    def _value_of_waiting(self, player: int, needs: list[int], played: int, points: int) -> float:
        """The value after a turn of another player, for one who would have made these points."""
        more = OWN_TURN_SHARE * points + NEW_DOMINO_POINTS - OTHER_TURN_POINTS
        whole = int(more // 1)
        one, other = needs[:], needs[:]
        one[player] -= whole
        other[player] -= whole + 1
        part = more - whole
        return (1 - part) * self._worth(player, one, played) + part * self._worth(
            player, other, played
        )

    def _needs(self) -> list[int]:
        return [self.view.options.target - score for score in self.view.scores]

    def _worth(self, player: int, needs: list[int], played: int) -> float:
        """The chance to win after a turn of the seat `played`, and a little for the lead."""
        first, home = self.view.options.first, self.view.active
        place = (home - first) % self.players + (played - home) % self.players
        over = place + 1 >= self.players and min(needs) <= 0
        return self.finish.worth(needs, played, player, over)
