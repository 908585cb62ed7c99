"""Answers to `legal`: each list is computed once, in the event loop or by a worker process."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from ...core.errors import TooHard, TooMany, Unavailable
from ...hosting import layings, seat_answers
from ...hosting.layings import LayingsCache
from ...hosting.state import TableState
from ..single_flight import SingleFlightCache
from ..traffic.loop_share import LoopShare
from ..workers.packages import Packages
from ..workers.pool import Workers

T = TypeVar("T")


class MoveLister:
    """Lists legal moves for all sessions of a process."""

    def __init__(
        self, cache: LayingsCache, share: LoopShare, workers: Workers, packages: Packages
    ) -> None:
        self.cache = cache
        self.share = share
        self.workers = workers
        self.packages = packages
        self._requests = SingleFlightCache[bytes](max_entries=0)
        """Lists that workers are computing; `cache` keeps them."""

    async def list_moves(self, state: TableState, key: layings.TileKey, address: str) -> bytes:
        """Return a JSON list of the legal moves of a seat, for a client at an address."""
        number, _, seat, tile = key
        game, cache = state.game, self.cache
        known = cache.moves(number, state, seat)
        if known is not None:
            return known.encode(tile)
        listed = cache.find_list(key)
        if listed == b"":
            seat_answers.check_move_count(seat_answers.MAX_MOVES + 1)
        if listed is not None:
            return listed
        fixed_order = state.settings.aids != "all"
        if game.is_installed:
            ask_package = self.packages.list_moves
            return await self._share(
                key, lambda: ask_package(state, seat, tile, fixed_order, address)
            )
        view = game.view(state.game_state, seat)

        def ask_worker() -> Coroutine[Any, Any, bytes]:
            ask = self.workers.ask
            return ask(seat_answers.list_moves, game.name, view, tile, fixed_order, address=address)

        if game.many_moves and tile is None:
            return await self._share(key, ask_worker)
        if game.many_moves:
            listed = await self._compute(
                lambda: seat_answers.list_moves(game.name, view, tile), address
            )
            cache.keep_list(key, listed)
            return listed
        estimate = layings.estimate_layings(view)
        if estimate > layings.MAX_LOOP_LAYINGS:
            return await self._share(key, ask_worker)

        def compute() -> layings.SeatMoves:
            found = cache.moves(number, state, seat)  # By another session, meanwhile.
            return found or cache.compute_moves(number, state, seat)

        cheap = estimate <= layings.MAX_CHEAP_LAYINGS
        return (await self._compute(compute, address, cheap)).encode(tile)

    async def _compute(self, work: Callable[[], T], address: str, cheap: bool = True) -> T:
        """Compute in the event loop: immediately, or in a turn of the address."""
        share = self.share
        if not cheap or not share.allows(address):
            return await share.run(address, work)
        began = share.timer()
        found = work()
        share.charge(address, share.timer() - began)
        return found

    async def _share(
        self, key: layings.TileKey, ask: Callable[[], Coroutine[Any, Any, bytes]]
    ) -> bytes:
        """Ask a worker process for a list; requests for the same list share it."""
        is_own = False

        async def request() -> bytes:
            nonlocal is_own
            is_own = True
            try:
                moves = await ask()
            except TooHard as error:
                if error.code == "too_many_moves":
                    self.cache.keep_list(key, b"")
                raise
            self.cache.keep_list(key, moves)
            return moves

        while True:
            try:
                return await self._requests.get(key, None, request)
            except (TooMany, Unavailable):
                if is_own:
                    raise
                # The address that asked first waits for too many lists; this one may not.
