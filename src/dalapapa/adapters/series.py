"""The games that follow from the seed of an environment, and the moments that it can return to."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..bots.arena import derive_game_seed
from ..bots.bot import Bot
from ..core.tiles import TileSet
from ..games.bag import make_seed, shuffle_by_seed


class GameSeries:
    """The sequence of games that follows from a seed, from number 0 on; else they are random."""

    def __init__(self, tiles: TileSet, seed: int | None = None) -> None:
        numbers = {name: number for number, name in enumerate(sorted(tiles.names))}
        self._dominoes = tuple([numbers[name] for name in tiles.names])
        self.restart(seed)

    def restart(self, seed: int | None) -> None:
        self._seed = make_seed() if seed is None else str(seed)
        self._next = 0

    def seed(self) -> str:
        found = derive_game_seed(self._seed, self._next)
        self._next += 1
        return found

    def order(self, seed: str) -> tuple[int, ...]:
        """The dominoes of a full bag as numbers of the kernel, in the order of draws."""
        return shuffle_by_seed(self._dominoes, seed, 0)


class SavedState(NamedTuple):
    """A moment of an environment, which another one of the same form can go on from."""

    form: tuple[Any, ...]
    series: GameSeries
    values: dict[str, Any]
    bots: dict[int, Bot[Any]]
