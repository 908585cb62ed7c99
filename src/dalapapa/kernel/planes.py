"""The planes of a board and the numbers of layings, and the arrays that they are written into.

`docs/adapters.md` is their page. They stand apart, because what the compiled kernel knows as a
number of C cannot be imported from it.
"""

from __future__ import annotations

from typing import Any, Protocol

LAID, SIDES, TURN, GROUP, CLOSED, MARKED = 0, 1, 17, 18, 20, 22
"""The first planes of each kind: `SIDES` has 16, the last three 2 each (east, south)."""

POSES = 8
"""Planes of actions for each slot of the hand: two faces, four rotations."""

MOST = 127
"""What a cell of a plane can hold."""

FACE = 7
"""Colours of a face."""


class Row(Protocol):
    """A flat array of numbers, be it NumPy's or Python's own: the kernel needs neither."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: Any, /) -> Any: ...

    def __setitem__(self, place: Any, value: Any, /) -> None: ...
