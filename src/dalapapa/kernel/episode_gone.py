"""Episodes of Gone (rules 4).

Like `table.py`, this is ordinary Python that the build compiles with the types of
`episode_gone.pxd`. Methods have the names of those in `games/gone/rules.py`, which explains them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from ..core.errors import BadOptions
from ..core.tiles import TileSet
from .episode import Chance, Episode, EpisodeArrays, Terms
from .planes import OVER, PLAY

PASS = 0
"""The only action without a place."""


class GoneTerms(NamedTuple):
    """What the options lead to."""

    first: int
    """The seat that begins."""
    counts: Sequence[int]
    """The dominoes that each player draws."""
    figure: int
    """The dominoes that lie on the table at first."""
    lays_again: int
    """The discs after which a player lays again."""


class GoneEpisode(Episode):
    """Gone. There are no scores: the dominoes in hand count against their owners."""

    def __init__(
        self,
        tiles: TileSet,
        terms: Terms,
        window: int,
        rows: EpisodeArrays,
        chance: Chance,
        options: GoneTerms,
    ) -> None:
        super().__init__(tiles, terms, window, rows, chance)
        self.first: int = options.first
        self.counts: array[int] = array("i", options.counts)
        self.figure: int = options.figure
        self.lays_again: int = options.lays_again
        self.again: bool = False
        self.passes: int = 0

    def _deal(self) -> None:
        self.again = False
        self.passes = 0
        self.phase = PLAY
        self.active = self.first
        self._lay_figure()
        for step in range(self.players):
            seat = (self.first + step) % self.players
            self._draw(seat, self.counts[seat])
        self._count()

    def _lay_figure(self) -> None:
        """Lay the figure of `games/bag.py`."""
        unlayable: list[int] = []
        coordinate = self.table.lookup.coordinate
        while self.laid < self.figure:
            if self.bag_next == self.bag_end:
                raise BadOptions(
                    f"These dominoes cannot form a figure of {self.figure}.", "bad_set"
                )
            tile = self.bag[self.bag_next]
            self.bag_next += 1
            keys = self._list_keys(tile, False)
            if not keys:
                unlayable.append(tile)
                continue
            number = self.chance.number(self.seed, f"figure/{self.laid}")
            key = keys[number % len(keys)]
            self._put(key >> 24, coordinate[key >> 12 & 4095], coordinate[key & 4095])
        self._put_back(unlayable)

    def _count(self) -> None:
        for seat in range(self.players):
            self.scores[seat] = -self.held[seat]

    def _after_laying(self, contacts: int, points: int) -> None:  # noqa: ARG002
        seat = self.active
        self.passes = 0
        self.again = False
        if contacts == 1:
            self._draw(seat, 1)
        self._count()
        if not self.held[seat]:
            self.phase = OVER
        elif contacts >= self.lays_again:
            self.again = True
        else:
            self._next()

    def _choose(self, number: int) -> None:  # noqa: ARG002
        """Pass: that is the only move without a place."""
        self.passes = 0 if self.bag_next < self.bag_end else self.passes + 1
        self.again = False
        self._draw(self.active, 1)
        self._count()
        if self.passes >= self.players:
            self.phase: int = OVER
        else:
            self._next()

    def _next(self) -> None:
        self.active: int = (self.active + 1) % self.players

    def _allow(self) -> None:
        self.actor: int = self.active
        self._allow_layings(0, False)
        self._allow_if_stuck(PASS, False)

    def _write_facts(self, seat: int) -> None:
        self._write_fact(self.again)
        for step in range(self.players):
            other = (seat + step) % self.players
            self._write_fact(other == self.active)
            self._write_fact(self.held[other])
