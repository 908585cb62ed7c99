"""The fast interface for bots that search: layings are numbers, and points are plain integers.

Like `table.py`, this is ordinary Python that the build compiles with the types of `search.pxd`.
"""

from __future__ import annotations

from ..core.errors import BadInput, IllegalLaying
from ..core.notation import Laying
from .best_turn import all_points
from .table import ClassSignature, Table

DEFAULT_DEPTH = 8
"""The default maximum depth of a search, in layings."""


def _like_search(table: Table, depth: int = DEFAULT_DEPTH) -> None:
    """Has the arguments of `Search`."""


class Search:
    """A private copy of a table, to try layings on by the thousand.

        >>> search = Search(Table("PRYGB+0@0,0"))
        >>> number, points = max(search.layings("BRYGB"), key=lambda pair: pair[1])
        >>> search.place(number)
        >>> search.unplace()
        >>> str(search.laying(number)), points
        ('BRYGB+2@1,1', 4)

    Numbers of layings mean the same on every table with the same dominoes, and sort as their text
    does. `depth` is how many layings may be placed at once. Points come from what is precomputed,
    without laying anything. What is refused changes nothing, as on a table; and like a table, a
    search belongs to one thread.
    """

    __signature__ = ClassSignature(_like_search)  # type: ClassSignature

    def __init__(self, table: Table, depth: int = DEFAULT_DEPTH) -> None:
        if not isinstance(table, Table) or type(depth) is not int or not 1 <= depth <= 500:
            raise BadInput("A search needs a table and a depth of 1 to 500 layings.", "bad_search")
        self._table = table._roomy(depth)
        self._most = depth
        self._depth = 0

    @property
    def depth(self) -> int:
        """The number of placed layings."""
        return self._depth

    def layings(self, name: str) -> list[tuple[int, int]]:
        """List every legal laying of a domino: its number and its points."""
        return all_points(self._table, self._table._free_tile(name))

    def place(self, number: int) -> None:
        """Lay a domino by the number of its laying; raise `IllegalLaying` if it does not fit."""
        if self._depth == self._most:
            raise BadInput(f"This search can be at most {self._most} layings deep.", "too_deep")
        laying = self.laying(number)
        table = self._table
        table._place(table._check(laying), table._cell(laying.x, laying.y))
        table.placed.append(laying)
        self._depth += 1

    def unplace(self) -> None:
        """Take the last laying back."""
        if not self._depth:
            raise IllegalLaying("The search has nothing to take back.", "empty")
        self._table._unplace()
        self._table.placed.pop()
        self._depth -= 1

    def laying(self, number: int) -> Laying:
        """Return the laying of a number."""
        count = self._table.lookup.count
        size = len(self._table.lookup.coordinate)
        if type(number) is not int or not (
            0 <= number < 8 * count << 24 and number >> 12 & 4095 < size and number & 4095 < size
        ):
            raise IllegalLaying("There is no laying with this number.", "bad_number")
        found: Laying = self._table._laying_of(number)
        return found

    def number(self, laying: Laying | str) -> int:
        """Return the number of a legal laying."""
        if not isinstance(laying, Laying):
            laying = Laying.parse(laying)
        table = self._table
        pose = table._check(laying)
        return int(table._key_of(pose, table._cell(laying.x, laying.y)))
