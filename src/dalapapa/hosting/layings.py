"""What a seat may do, encoded for messages: once for each version, bounded, and in small steps.

Listing where dominoes fit takes microseconds for each laying, and there may be thousands. So the
work is a generator that yields after a few hundred (`sharing.py` runs it), its result is cached for
all viewers of the seat, and a list that would become too long is left out of messages.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from itertools import count
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

import msgspec

from ..core.notation import Laying
from ..core.points import Earned
from ..core.tiles import STANDARD
from ..games.game import AnyGame
from ..games.moves import Lay, Mark, Move, move_to_json
from ..games.turns import TargetView
from ..kernel.table import Table
from .state import TableState

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields between its steps and returns its result."""

MAX_SEAT_LAYINGS = 2_500
"""Layings listed for one seat; beyond, the seat has no `may`. Gone has up to 1,400."""

MAX_MAY_BYTES = 300_000
"""Bytes of `may` in one message; seats that do not fit are left out, first those off turn."""

MAX_CACHE_BYTES = 16_000_000
"""Bytes of lists that a process keeps; the longest unused ones are dropped."""

ENTRY_BYTES = 200
"""What a list takes besides its text."""

STEP_LAYINGS = 200
"""Layings that are scored in one step: about half a millisecond."""

MAX_CHEAP_LAYINGS = 1_000
"""An estimate; below, a list is made without a pause. The classic game always stays below."""

MAX_LOOP_LAYINGS = 4_000
"""The same; above, the list of legal moves is made by a worker process."""

LAYINGS_PER_DOMINO = 4
"""Places of a domino for each domino on the table, at most, with the standard sets..."""

MAX_LAYINGS_PER_DOMINO = 48
"""... and with any set: 6 half-discs, where it lies in 4 ways, with either face."""

_encode = msgspec.json.Encoder().encode
_numbers = count()


def next_number() -> int:
    """A number that no other online table of this process has: it outlives ids."""
    return next(_numbers)


# -- what a seat may do --------------------------------------------------------------------------


def names_of(view: Any) -> tuple[str, ...]:
    """The dominoes that a viewer may have to lay."""
    return tuple(dict.fromkeys((*getattr(view, "hand", ()), *getattr(view, "drawn", ()))))


def estimate_layings(view: Any) -> int:
    """How many layings a list would have at most, without looking for them; 0 in frames."""
    table: Table | None = getattr(view, "table", None)
    if table is None:
        return 0
    kinds = {(tile.recto, tile.verso) for tile in map(table.tiles.__getitem__, names_of(view))}
    each = LAYINGS_PER_DOMINO if table.tiles.name in STANDARD else MAX_LAYINGS_PER_DOMINO
    return len(kinds) * (len(table) + 2) * each


def count_layings(view: Any, most: int) -> int:
    """How many layings a list would have; counting ends above `most`."""
    table: Table | None = getattr(view, "table", None)
    total = 0
    known: dict[tuple[str, str], int] = {}
    for name in () if table is None else names_of(view):
        assert table is not None
        kind = (table.tiles[name].recto, table.tiles[name].verso)
        if kind not in known:
            known[kind] = len(table.legal(name))
        total += known[kind]
        if total > most:
            break
    return total


def encode_may(game: AnyGame, view: Any, points: bool) -> Steps[bytes | None]:
    """The `may` of a seat (`docs/socket.md`); None if it would be too long.

    With `points`, what each laying earns, the best first; else only the layings, in an order that
    says nothing about points. Dominoes with the same faces are looked at once.
    """
    table: Table = view.table
    hand = names_of(view)
    places: dict[tuple[str, str], list[Laying]] = {}
    kinds = {name: (table.tiles[name].recto, table.tiles[name].verso) for name in hand}
    total = 0
    for name, kind in kinds.items():
        if kind not in places:
            places[kind] = table.legal(name)
            yield
        total += len(places[kind])
        if total > MAX_SEAT_LAYINGS:
            return None
    legal = game.legal_moves(view)
    yield
    allowed = {move.laying for move in legal if isinstance(move, Lay)}
    shown = [*getattr(view, "hand", ()), *sorted({laying.tile for laying in allowed})]
    after: Table | None = None  # One copy for all: that of a long row has megabytes.
    endings: dict[tuple[str, str], list[str]] = {}
    parts = []
    for name in dict.fromkeys(shown):
        kind = kinds[name]
        if kind not in endings:
            found = [one for one in places[kind] if not allowed or one in allowed]
            if points:
                after = after or table.copy()
                endings[kind] = yield from _score(after, found)
            else:
                endings[kind] = [f'{_place(laying)}"' for laying in found]
            yield
        start = '{"laying":"' + name
        listed = ",".join([f"{start}{ending}}}" for ending in endings[kind]])
        parts.append(f'"{name}":[{listed}]')
    others: list[Move] = [move for move in legal if not isinstance(move, Lay)]
    if not points:
        others = sort_moves(others)
    moves = _encode([move_to_json(move) for move in others]).decode()
    lays = "true" if allowed else "false"
    is_next = isinstance(view, TargetView) and view.viewer == view.active
    more = _encode(
        {
            "hand": game.playable_tiles(view),
            "can_try": game.can_try(view),
            "charge": view.charge if is_next else 0,
            **({} if game.has_aids(view) else {"aids": False}),
        }
    ).decode()[1:]
    return f'{{"moves":{moves},"lays":{lays},"layings":{{{",".join(parts)}}},{more}'.encode()


def _place(laying: Laying) -> str:
    return f"{laying.side}{laying.rotation}@{laying.x},{laying.y}"


def _score(after: Table, layings: list[Laying]) -> Steps[list[str]]:
    """The ends of the JSON of some layings, the best first, tried on a table that is a copy."""
    known: dict[Earned, str] = {}
    found = []
    for number, laying in enumerate(layings, start=1):
        earned = after.lay(laying)
        after.take_back()
        if earned not in known:
            known[earned] = '",' + _encode(earned.to_json()).decode()[1:-1]
        found.append((-earned.points, _place(laying) + known[earned]))
        if number % STEP_LAYINGS == 0:
            yield
    found.sort(key=_first)
    return [ending for _, ending in found]


def _first(pair: tuple[int, str]) -> int:
    return pair[0]


def finish(steps: Steps[T]) -> T:
    """Make all steps without a pause."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


def sort_moves(moves: Iterable[Move]) -> list[Move]:
    """Moves in an order that follows from the hand and the places alone, not from points."""
    tiles: dict[str, int] = {}
    lays, marks, others = [], [], []
    for move in moves:
        if isinstance(move, Lay):
            tiles.setdefault(move.laying.tile, len(tiles))
            lays.append(move)
        elif isinstance(move, Mark):
            marks.append(move)
        else:
            others.append(move)
    lays.sort(key=lambda move: (tiles[move.laying.tile], str(move.laying)))
    marks.sort(key=lambda move: move.disc)
    return [*lays, *others, *marks]


class SeatMoves:
    """The legal moves of a seat, encoded: all of them, or those that lay one domino."""

    __slots__ = ("_by_tile", "_others", "size")

    def __init__(self, moves: list[Move]) -> None:
        self._by_tile: dict[str, bytes] = {}
        lays: dict[str, list[Any]] = {}
        others = []
        for move in moves:
            if isinstance(move, Lay):
                lays.setdefault(move.laying.tile, []).append(move_to_json(move))
            else:
                others.append(move_to_json(move))
        for tile, listed in lays.items():
            self._by_tile[tile] = _encode(listed)[1:-1]
        self._others = _encode(others)[1:-1]
        self.size: int = len(self._others) + sum(map(len, self._by_tile.values()))

    def encode(self, tile: str | None) -> bytes:
        """A JSON list."""
        if tile is not None:
            return b"[" + self._by_tile.get(tile, b"") + b"]"
        parts = [*self._by_tile.values(), self._others]
        return b"[" + b",".join([part for part in parts if part]) + b"]"


# -- once for all viewers ------------------------------------------------------------------------


class Computation(Generic[T]):
    """Steps that several wait for: any of them makes the next one."""

    def __init__(self, steps: Steps[T], finish: Callable[[T], None]) -> None:
        self._steps = steps
        self._finish = finish
        self.done: bool = False

    def advance(self) -> None:
        """Make one step."""
        try:
            next(self._steps)
        except StopIteration as end:
            self.done = True
            self._finish(end.value)
        except BaseException:
            self.done = True
            raise


Key = tuple[int, int, int]
"""The number of an online table, its version, and a seat."""

TileKey = tuple[int, int, int, str | None]
"""The same, and a domino, or None for all moves."""


class LayingsCache:
    """The lists of the seats of all online tables of a process, made when they are wanted."""

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self.max_bytes = max_bytes
        self.size: int = 0
        self.made: int = 0
        """How many lists were begun."""
        self._may: OrderedDict[Key, bytes | None] = OrderedDict()
        self._moves: OrderedDict[Key, SeatMoves] = OrderedDict()
        self._lists: OrderedDict[TileKey, bytes] = OrderedDict()
        """Lists of moves that workers have made; empty text: there are too many moves."""
        self._under_way: WeakValueDictionary[Key, Computation[bytes | None]] = WeakValueDictionary()

    def knows_may(self, number: int, state: TableState, seat: int) -> bool:
        """Whether nothing has to be computed for a seat."""
        return not has_may(state) or (number, state.version, seat) in self._may

    def may(self, number: int, state: TableState, seat: int) -> bytes | None:
        """The `may` of a seat, if it was computed and is not too long."""
        key = (number, state.version, seat)
        if key not in self._may:
            return None
        self._may.move_to_end(key)
        return self._may[key]

    def compute_may(self, number: int, state: TableState, seat: int) -> Computation[bytes | None]:
        """What computes it; the same for all who want it at the same time."""
        key = (number, state.version, seat)
        found = self._under_way.get(key)
        if found is None:
            self.made += 1
            game, now = state.game, state.game_state
            view = game.view(now, seat)
            rested = now.table.resting
            steps = encode_may(game, view, _shows_points(state, view))

            def finish(value: bytes | None) -> None:
                if rested:
                    now.rest()
                self._may[key] = value
                self._grow(len(value or b""))

            found = self._under_way[key] = Computation(steps, finish)
        return found

    def moves(self, number: int, state: TableState, seat: int) -> SeatMoves | None:
        """The legal moves of a seat, if they were listed."""
        key = (number, state.version, seat)
        if key in self._moves:
            self._moves.move_to_end(key)
        return self._moves.get(key)

    def compute_moves(self, number: int, state: TableState, seat: int) -> SeatMoves:
        """List them."""
        self.made += 1
        game, now = state.game, state.game_state
        rested = now.table is not None and now.table.resting
        view = game.view(now, seat)
        legal = game.legal_moves(view)
        if rested:
            now.rest()
        found = SeatMoves(legal if _shows_points(state, view) else sort_moves(legal))
        self._moves[number, state.version, seat] = found
        self._grow(found.size)
        return found

    def find_list(self, key: TileKey) -> bytes | None:
        """A list that a worker has made."""
        if key in self._lists:
            self._lists.move_to_end(key)
        return self._lists.get(key)

    def keep_list(self, key: TileKey, moves: bytes) -> None:
        """Keep what a worker has made."""
        if key in self._lists:
            self.size -= len(self._lists.pop(key)) + ENTRY_BYTES
        self._lists[key] = moves
        self._grow(len(moves))

    def _grow(self, size: int) -> None:
        """Make room for a list that was added; empty ones take a little, too."""
        self.size += size + ENTRY_BYTES
        while self.size > self.max_bytes and (self._may or self._moves or self._lists):
            most = max(len(self._may), len(self._moves), len(self._lists))
            if most == len(self._may):
                dropped = len(self._may.popitem(last=False)[1] or b"")
            elif most == len(self._moves):
                dropped = self._moves.popitem(last=False)[1].size
            else:
                dropped = len(self._lists.popitem(last=False)[1])
            self.size -= dropped + ENTRY_BYTES


def _shows_points(state: TableState, view: Any) -> bool:
    """Whether a list of layings may say what each earns."""
    return state.settings.aids == "all" and state.game.has_aids(view)


def has_may(state: TableState) -> bool:
    """Whether table messages list layings: in our games on a common table, while they go on.

    In a player's own frame a domino may lie nearly everywhere, and the view says where. Games by
    others may be slow, and are asked (`legal`).
    """
    now = state.game_state
    return not (
        now is None or state.game.is_installed or now.table is None or state.phase == "over"
    )
