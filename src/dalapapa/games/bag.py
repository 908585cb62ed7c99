"""The bag: shuffled once from the seed of the game, so that every draw can be verified.

The order follows from the seed by SHA-256 alone (`docs/records.md`), so that software in any
language can check it: the key of domino number i of the set (from 0) is bytes 8j to 8j+7,
j = i mod 4, of SHA-256("SEED/k/b") with b = i div 4; dominoes are drawn by ascending key.
k counts the reshuffles, which happen only when a domino goes back.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from struct import unpack_from
from typing import TypeVar

import msgspec

from ..core.errors import BadOptions
from ..kernel.table import Table


class Bag(msgspec.Struct, frozen=True):
    """The dominoes still in the bag, the next one first. The server never sends it."""

    names: tuple[str, ...]
    seed: str
    shuffles: int = 0

    def __len__(self) -> int:
        return len(self.names)

    def draw(self, count: int) -> tuple[tuple[str, ...], Bag]:
        """Up to `count` dominoes, fewer when the bag runs out, and the bag without them."""
        return self.names[:count], Bag(self.names[count:], self.seed, self.shuffles)

    def put_back(self, names: tuple[str, ...]) -> Bag:
        """The bag with more dominoes, shuffled again."""
        shuffles = self.shuffles + 1
        inside = tuple(sorted(self.names + names))
        return Bag(shuffle_by_seed(inside, self.seed, shuffles), self.seed, shuffles)


def fill_bag(names: tuple[str, ...], seed: str) -> Bag:
    """Make a full bag, in the order that follows from the seed."""
    return Bag(shuffle_by_seed(names, seed, 0), seed)


Domino = TypeVar("Domino", str, int)
"""A name, or the number that stands for it."""


def shuffle_by_seed(names: tuple[Domino, ...], seed: str, shuffles: int) -> tuple[Domino, ...]:
    """The dominoes in the order in which they are drawn."""
    stream = b"".join(
        [
            sha256(f"{seed}/{shuffles}/{block}".encode()).digest()
            for block in range((len(names) + 3) // 4)
        ]
    )
    keys = unpack_from(f">{len(names)}Q", stream)
    return tuple([names[number] for number in sorted(range(len(names)), key=keys.__getitem__)])


def draw_number(seed: str, purpose: str) -> int:
    """A number of 64 bits that follows from the seed."""
    return int.from_bytes(sha256(f"{seed}/{purpose}".encode()).digest()[:8])


def lay_figure(table: Table, bag: Bag, size: int) -> Bag:
    """Lay a random legal figure of `size` dominoes (rules 4, 7); what does not fit goes back."""
    unlayable: list[str] = []
    while len(table) < size:
        drawn, bag = bag.draw(1)
        if not drawn:
            raise BadOptions(f"These dominoes cannot form a figure of {size}.", "bad_set")
        layings = table.legal(drawn[0])
        if not layings:
            unlayable.append(drawn[0])
            continue
        table.lay(layings[draw_number(bag.seed, f"figure/{len(table)}") % len(layings)])
    return bag.put_back(tuple(unlayable)) if unlayable else bag


def make_seed() -> str:
    """A random seed: 128 bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def hash_seed(seed: str) -> str:
    """The commitment to a seed, which is published before the game: its SHA-256 as hex."""
    return sha256(seed.encode()).hexdigest()
