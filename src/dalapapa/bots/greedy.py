"""The most points now, in every game: what a player does with what the own `Sight` shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..games.alex import AlexView, own_best
from ..games.auction import AuctionView
from ..games.conquest import ConquestView, markable
from ..games.dalapapa72 import REPLAY_PRICE, View72, free_territories
from ..games.gone import GoneView
from ..games.moves import (
    Announce,
    Call,
    Decline,
    End,
    Follow,
    Lay,
    Mark,
    Move,
    NoMore,
    Pass,
    Raise,
    Replay,
)
from ..notation import Laying
from ..points import SECOND_DOMINO_CHARGE, Group, Turn
from .sight import Sight

TURN_OF_ANOTHER = 6
"""About what a turn brings: what somebody else loses when one buys it (rules 2)."""

WORTH_A_MARK = 4
"""A smaller group is left alone until the end is near: there are only three marks (rules 3)."""

END_IS_NEAR = 15
"""Points below the target from which marks are no longer saved."""

ALL_TURNS = 100_000
"""More turns than two dominoes allow."""

WORTH_A_MARKER = 3
"""Cells of a territory that a marker is spent on before the bag runs low (rules 8)."""

WORTH_A_REPLAY = 4
"""Cells that a further turn must close to be worth two tokens (rules 8)."""


def classic(view: Any, sight: Sight) -> Move:
    """The best turn, domino by domino."""
    return _begun(view.viewer, sight.turn(view))


def _begun(player: int, turn: Turn | None) -> Move:
    """The first move of a turn."""
    if turn is None:
        return Pass(player)
    return Lay(player, turn.layings[0]) if turn.layings else End(player)


def auction(view: AuctionView, sight: Sight) -> Move:
    """Bids what a turn is worth.

    To buy a turn costs the bid and gives it to the one who sells, who also loses a turn: worth it
    up to half of what both make together. To follow costs half the bid and saves the whole of it.
    """
    player = view.viewer
    assert player is not None
    if view.bidding is None and player == view.active:
        # Who plays next is open: anybody may buy the turn. So only points count.
        return _begun(player, sight.richest(view))
    best = sight.best(view.table, view.hand)
    worth = best.points if best else 0
    if player == view.active:
        assert view.bidding is not None
        return Follow(player) if 3 * view.bidding.bid < 2 * worth else Pass(player)
    bid = view.bidding.bid + 2 if view.bidding else 2
    worthwhile = bool(view.hand) and 2 * bid < worth + TURN_OF_ANOTHER and bid < worth
    if view.bidding is None:
        return Call(player, bid) if worthwhile else Decline(player)
    return Raise(player, bid) if worthwhile else Pass(player)


def conquest(view: ConquestView, sight: Sight) -> Move:
    """The best turn, and then a mark on the best group."""
    player = view.viewer
    assert player is not None
    if view.marked:
        return End(player)
    move = classic(view, sight)
    if not isinstance(move, End):
        return move
    groups = view.table.groups()
    free = [group for group in groups if markable(groups, group, view.marks, player)]
    if not view.marks_left[player] or not free:
        return move

    def value(group: Group) -> float:
        return group.size if group.closed else group.size / 2

    best = max(free, key=value)
    near = max(view.scores) >= view.options.target - END_IS_NEAR
    return Mark(player, best.discs[0]) if near or value(best) >= WORTH_A_MARK else move


def gone(view: GoneView, sight: Sight) -> Move:
    """As many discs as possible: fewer dominoes to draw, and more turns."""
    player = view.viewer
    assert player is not None
    best: tuple[int, Laying] | None = None
    for name in view.hand:
        for laying, earned in sight.layings(view.table, name):
            if best is None or earned.contacts > best[0]:
                best = earned.contacts, laying
    return Pass(player) if best is None else Lay(player, best[1])


def alex(view: AlexView, sight: Sight) -> Move:
    """Announces the best turn, if it is more than was announced already, and shows it."""
    player = view.viewer
    assert player is not None
    if view.phase == "show":
        return _shown(view, player)
    best = sight.best(view.table, view.drawn) if view.drawn else None
    if best is not None and best.points > view.announced:
        return Announce(player, best.points, view.round)
    return NoMore(player, view.announced, view.round)


def _shown(view: AlexView, player: int) -> Move:
    """Lays the turn that was announced: not a better one that was not seen then."""
    announced = own_best(view.announcements, player)
    shown = sum(laid.earned.points - laid.charge for laid in view.turn)
    charge = SECOND_DOMINO_CHARGE if view.turn else 0
    if (view.turn and shown >= announced) or not view.drawn:
        return End(player)

    needed = announced - shown + charge
    best = view.table.best_turn(view.drawn)
    if best is not None and best.points > needed:
        turns = view.table.best_turns(view.drawn, ALL_TURNS)
        best = min([turn for turn in turns if turn.points >= needed], key=lambda turn: turn.points)
    return End(player) if best is None else Lay(player, best.layings[0])


def dalapapa72(view: View72, sight: Sight) -> Move:
    """Closes the largest territories it can, marks them, and plays again when that pays."""
    player = view.viewer
    assert player is not None
    tokens = view.tokens[player]
    if view.laid is not None:
        if view.markers_left[player]:
            least = WORTH_A_MARKER if view.bag_count > 2 * len(view.hand_counts) else 1
            free = free_territories(view.table, view.markers)
            if free and free[0].size >= least:
                return Mark(player, free[0].discs[0])
        again = _best_laying(view, sight, tokens - REPLAY_PRICE)
        if tokens >= REPLAY_PRICE and again is not None and again[0] >= WORTH_A_REPLAY:
            return Replay(player)
        return End(player)
    tokens = tokens if view.phase == "play" else 1
    # Only who has nothing to lay passes: before that, even a beginner looks everywhere.
    best = _best_laying(view, sight, tokens) or _best_laying(view, Sight(), tokens)
    return Pass(player) if best is None else Lay(player, best[1])


def _best_laying(view: View72, sight: Sight, tokens: int) -> tuple[float, Laying] | None:
    """The laying that is worth most with so many tokens: cells closed, and tokens half a cell."""
    best: tuple[float, Laying] | None = None
    for name in view.hand:
        for laying, earned in sight.layings(view.table, name):
            if earned.contacts == 1 and tokens < 1:
                continue
            worth = earned.group_points + (earned.contacts - 2) / 2
            if best is None or worth > best[0]:
                best = worth, laying
    return best


CHOICES: dict[str, Callable[[Any, Sight], Move]] = {
    "classic": classic,
    "auction": auction,
    "conquest": conquest,
    "gone": gone,
    "alex": alex,
    "72": dalapapa72,
}
