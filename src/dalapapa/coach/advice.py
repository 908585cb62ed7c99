"""The best turns of a position with a hand: points in parts, what each leaves, and why."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta

from ..bots.estimate import Estimate, estimate_bounded_mean
from ..bots.lookahead import Prospect, list_promising
from ..core.errors import BadInput, BadOptions
from ..core.points import Turn
from ..games import DEFAULT, find_game
from ..games.options import to_set_choice
from ..games.turns import HAND, TargetView
from ..kernel.table import Table
from .futures import estimate_chance, play_on
from .reasons import Judged, Remark, compare_turns, compute_leaves, describe_parts, split_turn

MAX_COMPARED = 8
"""The number of turns that are played on: the best candidates and the one with most points."""

DEALS = 240
"""The number of deals with which each of them is played on."""


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a classic game beside its table."""

    scores: Annotated[tuple[int, ...], Meta(min_length=2, max_length=4)] = (0, 0)
    """The scores in the order of play; the first is that of the player to move."""
    target: int = 60
    began: int = 0
    """The player who began the round, in seats clockwise after the player to move."""


class RatedTurn(msgspec.Struct, frozen=True):
    """A possible turn."""

    judged: Judged
    next: Estimate
    """The points of the next player's best turn, with a dealt hand."""
    chance: Estimate
    remarks: tuple[Remark, ...]


class Advice(msgspec.Struct, frozen=True):
    """The best turns, the best chance to win first."""

    situation: Situation
    options: tuple[RatedTurn, ...]


LEVEL = Situation()


def advise(
    table: Table,
    hand: Sequence[str],
    situation: Situation = LEVEL,
    top: int = 5,
    deals: int = DEALS,
) -> Advice:
    """The best turns with one or two dominoes; empty if nothing can be laid."""
    view = make_view(table, hand, situation)
    turns = list_promising(view)
    if not len(table):  # Only the setup has an empty table, and lays one domino (rules 1).
        turns = [turn for turn in turns if len(turn.layings) == 1]
    if not turns:
        return Advice(situation, ())
    prospect = Prospect(view, Random("advice"))
    chosen = choose_candidates(prospect, turns, MAX_COMPARED)
    dealt = prospect.deals(deals)
    after = {turn: play_on(prospect, turn, dealt) for turn in chosen}
    won = {turn: sum(shares[0] for _, shares in after[turn]) for turn in chosen}
    chosen.sort(key=lambda turn: (-won[turn], -turn.points, str(turn.layings)))
    chosen = chosen[:top]
    judged = [judge_turn(table, hand, turn, view.options.charge) for turn in chosen]
    options = []
    for number, one in enumerate(judged):
        found = after[one.turn]
        # The first domino meets nothing.
        remarks = [describe_parts(one.parts)] if len(table) else []
        if len(judged) > 1:
            other = judged[1] if number == 0 else judged[0]
            more = [
                mine[0] - theirs[0]
                for (_, mine), (_, theirs) in zip(found, after[other.turn], strict=True)
            ]
            verdict = decide_sign(estimate_chance(prospect, more, one.turn, other.turn))
            over = prospect.is_over_after(one.turn) or prospect.is_over_after(other.turn)
            remarks.append(compare_turns(one, other, verdict, view.bag_count, over))
        points = [float(next_points) for next_points, _ in found]
        next_turn = estimate_bounded_mean(points, 0, max(points) + 1)
        chance = estimate_chance(prospect, [shares[0] for _, shares in found], one.turn)
        options.append(RatedTurn(one, next_turn, chance, tuple(remarks)))
    return Advice(situation, tuple(options))


def decide_sign(more: Estimate) -> bool | None:
    """Whether a turn wins more often (True) or less (False); None if that is not certain."""
    return more.value > 0 if more.low > 0 or more.high < 0 else None


def choose_candidates(prospect: Prospect, turns: list[Turn], most: int) -> list[Turn]:
    """The turns that look best before playing on, and the one with most points."""
    richest = turns[0]
    judged = {turn: prospect.judge(turn) for turn in turns}
    chosen = sorted(turns, key=lambda turn: -judged[turn])[:most]
    return chosen if richest in chosen else [*chosen[: most - 1], richest]


def judge_turn(table: Table, hand: Sequence[str], turn: Turn, charge: int) -> Judged:
    """The parts of a turn, and what it leaves."""
    return Judged(turn, split_turn(table, turn.layings, charge), compute_leaves(table, hand, turn))


def make_view(table: Table, hand: Sequence[str], situation: Situation) -> TargetView:
    """The view of the player to move in a classic game."""
    if not 1 <= len(hand) <= HAND:
        raise BadInput(f"A hand must have one or two dominoes, not {len(hand)}.", "bad_hand")
    players = len(situation.scores)
    game = find_game(DEFAULT)
    game.check_players(players)
    if situation.began not in range(players):
        raise BadOptions(
            f"began must be a seat from 0 to {players - 1}, not {situation.began}.", "bad_first"
        )
    options = game.parse_options(
        {
            "target": situation.target,
            "first": situation.began,
            "set": msgspec.to_builtins(to_set_choice(table.tiles)),
        }
    )
    table.best_turn(hand)  # Refuses dominoes that the set does not have, or that lie on the table.
    view: TargetView = game.position(table, hand, situation.scores, options)
    return view
