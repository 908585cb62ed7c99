"""The planes of a board, the numbers of layings and phases, and the arrays that are written.

`docs/environments/index.md` is their page. They stand apart, because what the compiled kernel knows
as a number of C cannot be imported from it.
"""

from __future__ import annotations

from typing import Any, Protocol

LAID, SIDES, TURN, GROUP, CLOSED, MARKED = 0, 1, 17, 18, 20, 22
"""The first plane of each kind: `SIDES` has 16 planes, the last three kinds 2 (east, south)."""

POSES = 8
"""The planes of actions for each slot of the hand: two faces, four rotations."""

MAX_CELL_VALUE = 127
"""The largest value of a cell of a plane."""

FACE = 7
"""The colours of a face."""

SETUP, PLAY, OVER = range(3)
"""The phases of an episode."""


class NumberArray(Protocol):
    """A flat array of numbers, of NumPy or of Python: the kernel needs neither."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: Any, /) -> Any: ...

    def __setitem__(self, place: Any, value: Any, /) -> None: ...
