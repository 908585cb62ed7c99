"""Starting figures that the table lays, at random but legal (rules 4 and 7)."""

from __future__ import annotations

from hashlib import sha256

from ..errors import BadOptions
from ..kernel.table import Table
from .bag import Bag


def lay_figure(table: Table, bag: Bag, size: int) -> Bag:
    """Lay so many dominoes of the bag; what does not fit goes back (`docs/records.md`)."""
    aside: list[str] = []
    while len(table) < size:
        drawn, bag = bag.draw(1)
        if not drawn:
            raise BadOptions(f"No figure of {size} can be laid with these dominoes.", "bad_set")
        layings = table.legal(drawn[0])
        if not layings:
            aside.append(drawn[0])
            continue
        chance = sha256(f"{bag.seed}/figure/{len(table)}".encode()).digest()
        table.lay(layings[int.from_bytes(chance[:8]) % len(layings)])
    return bag.put_back(tuple(aside)) if aside else bag
