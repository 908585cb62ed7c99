"""Episodes of Dalapapa 72 (rules 8).

Like `table.py`, this is ordinary Python that the build compiles with the types of
`episode_72.pxd`. Methods have the names of those in `games/dalapapa72/rules.py`, which explains
them.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from ..core.tiles import TileSet
from .episode import Chance, Episode, EpisodeArrays, Terms
from .lookup import GROUP_COUNT
from .planes import OVER, PLAY, SETUP

END, PASS, REPLAY = range(3)
"""The actions without a place."""


class Terms72(NamedTuple):
    """The options and the material."""

    dealer: int
    """The seat of the dealer, or -1: drawn at random."""
    hand: int
    figure: int
    """Dominoes that the dealer lays."""
    reserve: int
    """Tokens that are in the reserve at first."""
    tokens: int
    """Tokens of each player at first."""
    replay_price: int
    premium: int


class Episode72(Episode):
    """Dalapapa 72. The premium belongs to player -1 as long as no player has taken it."""

    def __init__(
        self,
        tiles: TileSet,
        terms: Terms,
        window: int,
        rows: EpisodeArrays,
        chance: Chance,
        options: Terms72,
    ) -> None:
        super().__init__(tiles, terms, window, rows, chance)
        self.fixed_dealer: int = options.dealer
        self.hand: int = options.hand
        self.figure: int = options.figure
        self.first_reserve: int = options.reserve
        self.first_tokens: int = options.tokens
        self.replay_price: int = options.replay_price
        self.premium: int = options.premium
        self.markers_each: int = terms.marks // terms.players
        self.tokens: array[int] = array("i", bytes(4 * terms.players))
        self.markers_left: array[int] = array("i", bytes(4 * terms.players))
        self.dealer: int = 0
        self.reserve: int = 0
        self.passes: int = 0
        self.premium_owner: int = -1
        self.last_turns: int = -1

    def _deal(self) -> None:
        self.dealer = self.fixed_dealer
        if self.dealer < 0:
            self.dealer = self.chance.number(self.seed, "dealer") % self.players
        self.phase = SETUP
        self.active = self.dealer
        for seat in range(self.players):
            self.tokens[seat] = self.first_tokens
            self.markers_left[seat] = self.markers_each
        self.reserve = self.first_reserve
        self.passes = 0
        self.premium_owner = self.last_turns = -1
        self._draw(self.dealer, self.figure)

    def _after_laying(self, contacts: int, points: int) -> None:  # noqa: ARG002
        if self.phase == SETUP:
            self._next_in_setup()
        else:
            self.turn = 1
            self.passes = 0
            self._paint_turn(1)
            if contacts == 1:
                self._move_tokens(-1)
            elif contacts > 2:
                self._move_tokens(contacts - 2)

    def _next_in_setup(self) -> None:
        if not self.held[self.dealer]:
            self.phase = PLAY
            for step in range(1, self.players + 1):
                self._draw((self.dealer + step) % self.players, self.hand)
            self._begin_turn()

    def _move_tokens(self, tokens: int) -> None:
        tokens = min(tokens, self.reserve)
        self.tokens[self.active] += tokens
        self.reserve -= tokens

    def _choose(self, number: int) -> None:
        if number == END:
            self._draw(self.active, 1)
            self._end_turn()
        elif number == PASS:
            self._pass()
        else:
            self._paint_turn(0)
            self._move_tokens(-self.replay_price)
            self._draw(self.active, 1)
            self.turn = 0

    def _pass(self) -> None:
        if self.phase == SETUP:
            start = self.dealer * self.stride
            held = self.held[self.dealer]
            self.held[self.dealer] = 0
            self._put_back([self.hands[start + place] for place in range(held)])
            self._next_in_setup()
        else:
            if self._can_lay(False) and self.reserve:
                self.passes = 0
            else:
                self.passes += 1
            self._move_tokens(1)
            self._end_turn()

    def _mark(self, x: int, y: int) -> None:
        seat, table = self.active, self.table
        self.marks.put(seat, x, y)
        group = self.marks.group_of(table, self.marks.count - 1)
        self.markers_left[seat] -= 1
        self.scores[seat] += table.mem[table.size_at + group]
        if not self.markers_left[seat] and self.premium_owner < 0:
            self.premium_owner = seat
            self.scores[seat] += self.premium
            self.last_turns = self.players

    def _end_turn(self) -> None:
        self._paint_turn(0)
        if self.last_turns >= 0:
            self.last_turns -= 1
        if self.last_turns:
            self._begin_turn()
        else:
            self._end_game()

    def _begin_turn(self) -> None:
        self.active: int = (self.active + 1) % self.players
        self.turn = 0
        if not self.held[self.active] or self.passes >= self.players:
            self._end_game()

    def _end_game(self) -> None:
        self.turn: int = 0
        self.phase: int = OVER

    def _lay_elsewhere(self) -> None:
        """Find the laying of the most points, then the first one by its text.

        The rules list the legal layings of a domino in this order.
        """
        table = self.table
        several = self.phase == PLAY and not self.tokens[self.active]
        for slot in range(self.held[self.active]):
            best, chosen = -1, -1
            tile = self.hands[self.active * self.stride + slot]
            for key in self._list_keys(tile, several):
                column = table.lookup.coordinate[key >> 12 & 4095]
                row = table.lookup.coordinate[key & 4095]
                cell = (row & table.mask) << table.shift | (column & table.mask)
                table._cover(key >> 24, cell)
                points = self.painter.fresh_points(table)
                table._unplace()
                if points > best:
                    best, chosen = points, key
            if chosen >= 0:
                self._lay_key(slot, chosen)
                break

    def _allow(self) -> None:
        self.actor: int = self.active
        if self.turn:
            self.painter.allow(self.other_from + END)
            if self.premium_owner != self.active:
                self._allow_more()
        else:
            several = self.phase == PLAY and not self.tokens[self.active]
            self._allow_layings(0, several)
            self._allow_if_stuck(PASS, several)

    def _allow_more(self) -> None:
        """After a laying, except for the player who has taken the premium."""
        left = self.held[self.active] or self.bag_next < self.bag_end
        if self.tokens[self.active] >= self.replay_price and left:
            self.painter.allow(self.other_from + REPLAY)
        if self.markers_left[self.active]:
            self._allow_markers()

    def _allow_markers(self) -> None:
        """Each territory without a marker."""
        marks, table = self.marks, self.table
        marks.tally(table)
        for group in range(1, table.mem[table.counters_at + GROUP_COUNT] + 1):
            if table.mem[table.open_at + group] or marks.marked[group]:
                continue
            if marks.is_group(table, group):
                self._allow_mark(group)

    def _write_facts(self, seat: int) -> None:
        self._write_fact(self.reserve)
        self._write_fact(self.turn)
        self._write_fact(max(0, self.last_turns))
        for step in range(self.players):
            other = (seat + step) % self.players
            self._write_fact(other == self.active)
            self._write_fact(self.held[other])
            self._write_fact(self.scores[other])
            self._write_fact(other == self.dealer)
            self._write_fact(self.tokens[other])
            self._write_fact(self.markers_left[other])
            self._write_fact(other == self.premium_owner)
