"""How a bot plays Dalapapa 72 (rules 8): territories, markers and tokens.

The first player to put the last marker takes the premium and leaves the others one turn. So
markers are also a tempo: putting them on small territories immediately wins against waiting for
large ones. Levels differ in which territory is too small, in whether they hurry when another
player is ahead, and in what they pay for playing again.
"""

from __future__ import annotations

from ...bots.levels import LevelBot
from ...bots.lookahead import Lookahead
from ...bots.perception import Perception
from ...core.notation import Laying
from ..moves import End, Lay, Mark, Move, Pass, PlayAgain
from .rules import REPLAY_PRICE, View72, find_free_territories

MIN_REPLAY_CELLS = 4
"""The minimum number of cells for which a second turn is worth two tokens."""

MIN_LOOKAHEAD_REPLAY_CELLS = 2
"""The same for levels that know that tokens are worth nothing at the end."""


class Bot72(LevelBot[View72]):
    """Closes the largest territories it can, marks them, and plays again when that pays."""

    def choose(self, view: View72) -> Move:
        player, sight = view.player, self.sight
        tokens = view.tokens[player]
        if view.laid is not None:
            return _choose_marker(view, player, sight, self.level.worth_a_marker) or _choose_end(
                view, player, sight
            )
        tokens = tokens if view.phase == "play" else 1
        # Passing needs a hand without a laying: even a beginner looks everywhere before.
        best = _best_laying(view, sight, tokens) or _best_laying(view, Perception(), tokens)
        return Pass(player) if best is None else Lay(player, best[1])


def _choose_marker(view: View72, player: int, sight: Perception, worth: int) -> Move | None:
    """Put a marker on the largest territory if it is `worth` one; on any, when in a hurry."""
    if not view.markers_left[player]:
        return None
    hurries = view.bag_count <= 2 * len(view.hand_counts) or view.last_turns is not None
    if isinstance(sight, Lookahead):
        hurries = hurries or min(view.markers_left) < view.markers_left[player]
    free = find_free_territories(view.table, view.markers)
    if free and free[0].size >= (1 if hurries else worth):
        return Mark(player, free[0].discs[0])
    return None


def _choose_end(view: View72, player: int, sight: Perception) -> Move:
    """End the turn, or play again for two tokens."""
    tokens = view.tokens[player] - REPLAY_PRICE
    if tokens < 0 or view.premium == player:  # After the last marker, nothing follows.
        return End(player)
    ahead = isinstance(sight, Lookahead)
    if ahead and view.last_turns is not None and (view.hand or view.bag_count):
        return PlayAgain(player)  # The last turn: tokens left over are worth nothing.
    again = _best_laying(view, sight, tokens)
    least = MIN_LOOKAHEAD_REPLAY_CELLS if ahead else MIN_REPLAY_CELLS
    return PlayAgain(player) if again is not None and again[0] >= least else End(player)


def _best_laying(view: View72, sight: Perception, tokens: int) -> tuple[float, Laying] | None:
    """The laying that is worth most with so many tokens; a token is worth half a cell."""
    best: tuple[float, Laying] | None = None
    for name in view.hand:
        for laying, earned in sight.layings(view.table, name):
            if earned.contacts == 1 and tokens < 1:
                continue
            worth = earned.group_points + (earned.contacts - 2) / 2
            if best is None or worth > best[0]:
                best = worth, laying
    return best
