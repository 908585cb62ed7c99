"""The coach over HTTP: advice for a position, and reviews of games that are over.

A review takes seconds, of some games half a minute. Workers of their own make it, once for
everybody who asks, and it is kept for a while: the same game always has the same review.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

from ....core.errors import BadInput
from ....texts import Language
from ...schemas import Advice, CoachQuestion, Review
from ...tables.in_play import check_not_in_play
from ...traffic.limits import Limits
from ...workers import jobs, replays
from ...workers.pool import CORES, Workers
from ..context import NICE, Call
from ..routing import Record, Routes
from .tables import TablePath, over_game, watched

SECONDS = 120
"""For one review; usual ones take up to fifteen."""

KEPT, KEPT_BYTES = 100, 32_000_000
"""Reviews that are remembered, and what all of them may take; a usual one has 100 kB."""

routes = Routes("/api")

Texts = dict[str, bytes]
"""A review in every language."""


class CachedReview:
    """A review that is wanted, made, or there."""

    def __init__(self) -> None:
        self.task: asyncio.Task[Texts]
        self.waiting = 0
        """Who waits for it."""
        self.begun = False

    def begin(self) -> None:
        """It is being made."""
        self.begun = True

    @property
    def told(self) -> bool:
        """Whether it is there."""
        return self.task.done() and not self.refused

    @property
    def refused(self) -> bool:
        """Whether it will never be there."""
        return self.task.cancelled() or (self.task.done() and self.task.exception() is not None)

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(map(len, self.task.result().values()))


class Reviews:
    """The workers that review, and what they have found."""

    def __init__(self, limits: Limits) -> None:
        number = max(1, CORES // 2)
        slots = limits.make_slots(limits.reviews_at_once)
        self.workers = Workers(number, SECONDS, slots, NICE, "review")
        self._kept: OrderedDict[str, CachedReview] = OrderedDict()
        self._tasks: set[asyncio.Task[Texts]] = set()
        """Reviews under way, also those that will not be kept."""

    def close(self) -> None:
        """End the workers, and what waits for them."""
        for task in self._tasks:
            task.cancel()
        self.workers.close()

    def clear(self) -> None:
        """Drop all reviews, because they may contain a name that was forgotten.

        Requests that wait for a review get it, and it is not kept.
        """
        self._kept.clear()

    async def of(
        self, name: str, job: Callable[..., Texts], *args: Any, address: str = ""
    ) -> Texts:
        """The review of the game of that name.

        Whoever leaves does not stop it for others; one that nobody waits for is not begun. It takes
        a place of who asks first: others of a family may look at the same game.
        """
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = CachedReview()
            making = self.workers.ask(job, *args, address=address, on_start=kept.begin)
            kept.task = asyncio.create_task(making)
            self._tasks.add(kept.task)
            kept.task.add_done_callback(self._tasks.discard)
            kept.task.add_done_callback(lambda _: self._tidy(name, kept))
        self._kept.move_to_end(name)
        kept.waiting += 1
        try:
            return await asyncio.shield(kept.task)
        finally:
            kept.waiting -= 1
            if not kept.waiting and not kept.begun:
                kept.task.cancel()
                self._forget(name, kept)

    @property
    def under_way(self) -> int:
        """Reviews that are made, or wait for that."""
        return self.workers.pending

    def _tidy(self, name: str, kept: CachedReview) -> None:
        """What was refused may be asked again, and of what is there only the latest is kept."""
        if kept.refused:
            self._forget(name, kept)
        told = [old for old, one in self._kept.items() if one.told]
        size = sum(self._kept[old].size for old in told)
        while len(told) > KEPT or size > KEPT_BYTES:
            size -= self._kept.pop(told.pop(0)).size

    def _forget(self, name: str, kept: CachedReview) -> None:
        if self._kept.get(name) is kept:
            del self._kept[name]


class LanguageQuery(msgspec.Struct):
    """In which language."""

    language: Language = "en"


@routes.add("POST", "/coach", answer=Advice, refuses=[403, 409])
async def advise(call: Call, body: CoachQuestion) -> bytes:
    """The best turns of a classic position: points in parts, what each leaves, and why."""
    if body.began >= len(body.scores):
        raise BadInput(f"There is no seat {body.began} to begin.", "bad_first")
    check_not_in_play(call.services.sockets, call.address, body.position)
    return await call.slow(jobs.advise, body)


@routes.add("POST", "/review", answer=Review)
async def of_record(call: Call, body: Record, query: LanguageQuery) -> bytes:
    """Verify a record, and tell what its turns lost, how the chances went, what was missed."""
    name = sha256(body.data).hexdigest()
    review = call.services.reviews.of(
        name, replays.review_of_record, body.data, address=call.address
    )
    return (await call.wait(review))[query.language]


@routes.add("GET", "/tables/{id}/review", answer=Review, token=True)
async def of_table(call: Call, path: TablePath, query: LanguageQuery) -> bytes:
    """The same of a table's game that is over."""
    live = await watched(call, path.id)
    # With the version: a name that was forgotten since makes another review.
    name = f"table {path.id} {live.state.version}"
    game = await over_game(call, live)
    review = call.services.reviews.of(name, replays.review_of_table, game, address=call.address)
    return (await call.wait(review))[query.language]
