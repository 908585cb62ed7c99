"""Episodes of the classic game, Auction and Conquest (rules 1 to 3).

Like `table.py`, this is ordinary Python that the build compiles with the types of
`episode_points.pxd`. Methods have the names of those in `games/classic/rules.py`,
`games/auction/rules.py` and `games/conquest/rules.py`, which explain them.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from ..core.tiles import TileSet
from .episode import Chance, Episode, EpisodeArrays, Terms
from .lookup import GROUP_COUNT
from .planes import OVER, PLAY, SETUP

END, PASS, FOLLOW, DECLINE, BIDS = range(5)
"""The actions without a place: the last ones are bids, each two points higher than the one before.
"""

BID_STEP = 2


class ClassicTerms(NamedTuple):
    """The options of the classic game."""

    target: int
    first: int
    hand: int
    """The size of a refilled hand."""
    charge: int
    """The cost of the second domino of a turn, and of each after it."""


class ClassicEpisode(Episode):
    """The classic game (rules 1)."""

    def __init__(
        self,
        tiles: TileSet,
        terms: Terms,
        window: int,
        rows: EpisodeArrays,
        chance: Chance,
        options: ClassicTerms,
    ) -> None:
        super().__init__(tiles, terms, window, rows, chance)
        self.target: int = options.target
        self.first: int = options.first
        self.hand: int = options.hand
        self.charge: int = options.charge
        self.passed: int = 0
        """The players, as bits, who passed or were passed over since the last laying."""
        self.last_round: bool = False

    def _deal(self) -> None:
        self.passed = 0
        self.last_round = False
        self.phase = SETUP
        self.active = self.first
        self._let_all_draw(1)

    def _let_all_draw(self, count: int) -> None:
        for number in range(self.players):
            self._draw((self.first + number) % self.players, count)

    def _after_laying(self, contacts: int, points: int) -> None:  # noqa: ARG002
        if self.phase == SETUP:
            self._next_in_setup()
        else:
            self.scores[self.active] += points - (self.charge if self.turn else 0)
            self.turn += 1
            self.passed = 0
            self._paint_turn(1)

    def _next_in_setup(self) -> None:
        while self.phase == SETUP:
            self.active = (self.active + 1) % self.players
            if self.active == self.first:
                self.phase = PLAY
                self._let_all_draw(self.hand)
                if not self._begin_turn():
                    self._end_turn()
            else:
                self._exchange_unlayable()
                if self.held[self.active]:
                    break

    def _exchange_unlayable(self) -> None:
        seat = self.active
        unlayable: list[int] = []
        while self.held[seat] and not self._can_lay(False):
            unlayable.append(self.hands[seat * self.stride])
            self.held[seat] = 0
            self._draw(seat, 1)
        self._put_back(unlayable)

    def _choose(self, number: int) -> None:
        if number == END:
            self._draw(self.active, self.hand - self.held[self.active])
        else:
            self.passed |= 1 << self.active
        self._end_turn()

    def _end_turn(self) -> None:
        self._paint_turn(0)
        while True:
            for seat in range(self.players):
                if self.scores[seat] >= self.target:
                    self.last_round = True
            if self.last_round and self._ends_round():
                self._end_game()
                break
            self.active: int = (self.active + 1) % self.players
            if self._begin_turn():
                break

    def _ends_round(self) -> bool:
        return (self.active + 1) % self.players == self.first

    def _begin_turn(self) -> bool:
        """Whether the game is over, or the active player has something to play with."""
        if self.passed == (1 << self.players) - 1:
            self._end_game()
            return True
        if self.held[self.active]:
            self._reset_turn()
            return True
        self.passed |= 1 << self.active
        return False

    def _reset_turn(self) -> None:
        self.turn = 0

    def _end_game(self) -> None:
        self.turn: int = 0
        self.phase: int = OVER

    def _allow(self) -> None:
        self.actor: int = self.active
        self._allow_layings(self.charge if self.turn else 0, False)
        if self.turn:
            self.painter.allow(self.other_from + END)
        else:
            self._allow_if_stuck(PASS, False)

    def _write_facts(self, seat: int) -> None:
        self._write_fact(self.target)
        self._write_fact(self.turn)
        self._write_fact(self.last_round)
        self._write_more()
        for step in range(self.players):
            other = (seat + step) % self.players
            self._write_fact(other == self.active)
            self._write_fact(self.held[other])
            self._write_fact(self.scores[other])
            self._write_more_of(other)

    def _write_more(self) -> None:
        """Write what only a variant has, of the game."""

    def _write_more_of(self, seat: int) -> None:
        """Write what only a variant has, of a player."""


class AuctionEpisode(ClassicEpisode):
    """Auction (rules 2): whom the rules ask, clockwise, is asked here."""

    def __init__(
        self,
        tiles: TileSet,
        terms: Terms,
        window: int,
        rows: EpisodeArrays,
        chance: Chance,
        options: ClassicTerms,
        repeated: bool,
    ) -> None:
        super().__init__(tiles, terms, window, rows, chance, options)
        self.repeated = repeated
        self.bids: int = terms.others - BIDS
        self.bid: int = 0
        self.holder: int = 0
        self.asked: int = 0
        self.out: int = 0
        """The auction in progress, if `bid` is not 0; `out` are players, as bits."""
        self.declined: int = 0
        self.home: int = 0
        self.auctioned: bool = False

    def _deal(self) -> None:
        self.bid = self.declined = self.home = 0
        self.auctioned = False
        ClassicEpisode._deal(self)

    def _reset_turn(self) -> None:
        self.turn = self.bid = self.declined = 0
        self.auctioned = False
        self.home = self.active

    def _ends_round(self) -> bool:
        home = (self.home + self.players - self.first) % self.players
        jump = (self.active + self.players - self.home) % self.players
        return home + jump + 1 >= self.players

    def _allow(self) -> None:
        caller = self._next_caller()
        if self.bid:
            self.actor = self.asked
            self.painter.allow(self.other_from + PASS)
            if self.asked == self.active:
                self.painter.allow(self.other_from + FOLLOW)
            elif self.held[self.asked]:
                self._allow_bids()
        elif caller >= 0:
            self.actor: int = caller
            self.painter.allow(self.other_from + DECLINE)
            self._allow_bids()
        else:
            ClassicEpisode._allow(self)

    def _next_caller(self) -> int:
        """Return the next player who may call an auction and has not declined, or -1."""
        if self.phase == PLAY and not self.turn and not self.auctioned:
            for step in range(1, self.players):
                seat = (self.active + step) % self.players
                if self.held[seat] and not self.declined >> seat & 1:
                    return seat
        return -1

    def _allow_bids(self) -> None:
        for number in range(self.bids):
            self.painter.allow(self.other_from + BIDS + number)

    def _choose(self, number: int) -> None:
        if self.bid:
            if number == PASS:
                self.out |= 1 << self.asked
            else:
                self.holder = self.asked
                if number >= BIDS:
                    self.bid += BID_STEP * (number - BIDS + 1)
            self._go_round()
        elif number >= BIDS:
            self.bid = BID_STEP * (number - BIDS + 1)
            self.holder = self.asked = self.actor
            self.out = 0
            self._go_round()
        elif number == DECLINE:
            self.declined |= 1 << self.actor
        else:
            ClassicEpisode._choose(self, number)

    def _go_round(self) -> None:
        for step in range(1, self.players):
            seat = (self.asked + step) % self.players
            if not self.out >> seat & 1 and seat != self.holder:
                self.asked = seat
                break
        else:
            self._end_auction()

    def _end_auction(self) -> None:
        if self.holder == self.active:
            self.scores[self.active] -= self.bid // 2
        else:
            self.scores[self.holder] -= self.bid
            self.scores[self.active] += self.bid
        self.active: int = self.holder
        self.bid = 0
        if self.repeated:
            self.declined = (1 << self.players) - 1 - (1 << self.active)
        else:
            self.auctioned = True

    def _write_more(self) -> None:
        self._write_fact(self.auctioned)
        self._write_fact(self.bid)

    def _write_more_of(self, seat: int) -> None:
        running = self.bid != 0
        self._write_fact(self.declined >> seat & 1)
        self._write_fact(running and self.holder == seat)
        self._write_fact(running and self.asked == seat)
        self._write_fact(running and self.out >> seat & 1)


class ConquestEpisode(ClassicEpisode):
    """Conquest (rules 3)."""

    def __init__(
        self,
        tiles: TileSet,
        terms: Terms,
        window: int,
        rows: EpisodeArrays,
        chance: Chance,
        options: ClassicTerms,
        finish_round: bool,
    ) -> None:
        super().__init__(tiles, terms, window, rows, chance, options)
        self.finish_round = finish_round
        self.marks_each: int = terms.marks // terms.players
        self.marks_left: array[int] = array("i", bytes(4 * terms.players))
        self.marked: bool = False

    def _deal(self) -> None:
        self.marked = False
        for seat in range(self.players):
            self.marks_left[seat] = self.marks_each
        ClassicEpisode._deal(self)

    def _reset_turn(self) -> None:
        self.turn = 0
        self.marked = False

    def _after_laying(self, contacts: int, points: int) -> None:
        ClassicEpisode._after_laying(self, contacts, points)
        self.marks.remove_crowded(self.table)

    def _ends_round(self) -> bool:
        return not self.finish_round or ClassicEpisode._ends_round(self)

    def _mark(self, x: int, y: int) -> None:
        self.marks.put(self.active, x, y)
        self.marks_left[self.active] -= 1
        self.marked = True

    def _allow(self) -> None:
        if self.marked:
            self.actor: int = self.active
            self.painter.allow(self.other_from + END)
        else:
            ClassicEpisode._allow(self)
            if self.turn and self.marks_left[self.active]:
                self._allow_marks()

    def _allow_marks(self) -> None:
        """Each group without a mark, if no own mark is on a group of its colour."""
        marks, table = self.marks, self.table
        marks.tally(table)
        colours = 0
        for number in range(marks.count):
            if marks.owners[number] == self.active:
                colours |= marks.colour_of(table, marks.edge_of(table, number))
        for group in range(1, table.mem[table.counters_at + GROUP_COUNT] + 1):
            if not marks.is_group(table, group) or marks.marked[group]:
                continue
            if not colours & marks.colour_of(table, marks.heads[group]):
                self._allow_mark(group)

    def _end_game(self) -> None:
        table = self.table
        for number in range(self.marks.count):
            group = self.marks.group_of(table, number)
            if not table.mem[table.open_at + group]:
                self.scores[self.marks.owners[number]] += table.mem[table.size_at + group]
        ClassicEpisode._end_game(self)

    def _write_more(self) -> None:
        self._write_fact(self.marked)

    def _write_more_of(self, seat: int) -> None:
        self._write_fact(self.marks_left[seat])
