"""Games played on from a moment, with the hidden dominoes dealt again.

In the classic game, every deal is played until all players have had a turn, by the best turns for
points; the value of the scores then is the chance to win the race to the target
(`bots/chances.py`). All other games are played to their end by `medium` bots.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from ..bots import make_bot
from ..bots.bot import shuffle
from ..bots.estimate import Estimate, estimate_bounded_mean, make_exact
from ..bots.lookahead import Prospect
from ..core.points import Turn
from ..games.bag import Bag
from ..games.game import Game, OptionsT, ViewT
from ..games.turns import SharedTableState, TargetView, TurnState

StateT = TypeVar("StateT", bound=SharedTableState)

Shares = tuple[float, ...]
"""Each player's chance to win; the sum is less than 1 if games can end without a winner."""

NO_TURN = Turn((), 0)
"""The turn of a spectator, before the next turn begins."""

PLAYOUT_BOT = "greedy"
"""The bot that plays on in all other games: the name of medium in games without levels."""


def play_on(prospect: Prospect, turn: Turn, deals: array[int]) -> list[tuple[int, Shares]]:
    """For each deal, the points of the next player after a turn, and each player's chance."""
    played, _ = prospect.outlook.play(turn.layings, prospect.list_kept(turn), deals)
    known: dict[tuple[int, ...], Shares] = {}
    found = []
    for start in range(0, len(played), prospect.turns):
        line = tuple(played[start : start + prospect.turns])
        if line not in known:
            known[line] = prospect.estimate_shares(turn.points, line)
        found.append((line[0], known[line]))
    return found


def estimate_chance(prospect: Prospect, values: Sequence[float], *turns: Turn) -> Estimate:
    """The mean of chances after a turn, or of their differences, between -1 and 1."""
    if all(map(prospect.is_over_after, turns)):
        return make_exact(values[0])
    return estimate_bounded_mean(values, 0 if len(turns) == 1 else -1)


def make_onlooker(view: TargetView, seed: str) -> Prospect:
    """The prospect of a spectator; `view` is that of the player who had the last turn."""
    return Prospect(replace(view, hand=(), turn=()), Random(seed))


def play_out(
    game: Game[OptionsT, StateT, ViewT], state: StateT, count: int, seed: str
) -> list[Shares]:
    """Play games between bots from a state on, with the hidden dominoes dealt again."""
    return [_to_the_end(game, state, f"{seed}/{number}") for number in range(count)]


def _to_the_end(game: Game[OptionsT, StateT, ViewT], state: StateT, seed: str) -> Shares:
    now = redeal(state, seed)
    bots = [make_bot(PLAYOUT_BOT, game, f"{seed}/seat {seat}") for seat in range(state.players)]
    rng = Random(f"{seed}/quickest")
    while (outcome := game.outcome(now)) is None:
        # All are equally quick. No time runs out, because bots say when they have nothing more.
        asked = game.next_actors(now)
        seat = asked[int(rng.random() * len(asked))]
        now = game.apply(now, bots[seat].choose(game.view(now, seat))).state
    return compute_shares(outcome.winners, state.players)


def redeal(state: StateT, seed: str) -> StateT:
    """Deal the hidden dominoes again, in the hands and in the bag, without the real seed."""
    hands = state.hands if isinstance(state, TurnState) else ()
    hidden = sorted([*state.bag.names, *(name for hand in hands for name in hand)])
    pool = shuffle(hidden, Random(seed))
    dealt = []
    for hand in hands:
        dealt.append(tuple(pool[: len(hand)]))
        del pool[: len(hand)]
    bag = Bag(tuple(pool), seed)
    return replace(state, bag=bag, hands=tuple(dealt)) if hands else replace(state, bag=bag)


def compute_shares(winners: tuple[int, ...], players: int) -> Shares:
    """Each player's share of the victory of a game that is over."""
    return tuple([(seat in winners) / max(1, len(winners)) for seat in range(players)])
