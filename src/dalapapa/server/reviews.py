"""The coach over HTTP: advice for a position, and reviews of games that are over.

A review takes seconds, of some games half a minute. Workers of their own make it, once for
everybody who asks, and it is kept for a while: the same game always has the same review.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from ..errors import BadInput
from . import forms, jobs, replays
from .api import Found, TableId, Token, may_look, over_game
from .limits import Limits
from .study_routes import NICE, RECORD_BODY, Asked, body_of, document
from .workers import CORES, Workers

SECONDS = 120
"""For one review; usual ones take up to fifteen."""

KEPT, KEPT_BYTES = 100, 32_000_000
"""Reviews that are remembered, and what all of them may take; a usual one has 100 kB."""

router = APIRouter(prefix="/api", responses=forms.REFUSALS)

Told = dict[str, bytes]
"""A review in every language."""


class Kept:
    """A review that is wanted, made, or there."""

    def __init__(self) -> None:
        self.task: asyncio.Task[Told]
        self.waiting = 0
        """Who waits for it."""
        self.begun = False

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
        self.workers = Workers(number, SECONDS, nice=NICE)
        self.places = limits.places(limits.reviews_at_once)
        self._turns = asyncio.Semaphore(number)
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def close(self) -> None:
        """End the workers, and what waits for them."""
        for kept in self._kept.values():
            kept.task.cancel()
        self.workers.close()

    async def of(self, name: str, job: Callable[..., Told], *args: Any, address: str = "") -> Told:
        """The review of the game of that name.

        Whoever leaves does not stop it for others; one that nobody waits for is not begun. It takes
        a place of who asks first: others of a family may look at the same game.
        """
        kept = self._kept.get(name)
        if kept is None:
            self.places.take(address)
            kept = self._kept[name] = Kept()
            kept.task = asyncio.create_task(self._made(kept, job, args))
            kept.task.add_done_callback(lambda _: self.places.leave(address))
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
        return len(self.places)

    async def _made(self, kept: Kept, job: Callable[..., Told], args: tuple[Any, ...]) -> Told:
        async with self._turns:
            kept.begun = True
            return await self.workers.ask(job, *args)

    def _tidy(self, name: str, kept: Kept) -> None:
        """What was refused may be asked again, and of what is there only the latest is kept."""
        if kept.refused:
            self._forget(name, kept)
        told = [old for old, one in self._kept.items() if one.told]
        size = sum(self._kept[old].size for old in told)
        while len(told) > KEPT or size > KEPT_BYTES:
            size -= self._kept.pop(told.pop(0)).size

    def _forget(self, name: str, kept: Kept) -> None:
        if self._kept.get(name) is kept:
            del self._kept[name]


def reviews_of(request: Request) -> Reviews:
    """The reviews of this process."""
    found: Reviews = request.app.state.reviews
    return found


Shelf = Annotated[Reviews, Depends(reviews_of)]
Language = Annotated[forms.Language, Query()]


@router.post("/coach", response_model=forms.Advice)
async def advise(asked: Asked, question: forms.CoachQuestion) -> Response:
    """The best turns of a classic position: points in parts, what each leaves, and why."""
    if question.began >= len(question.scores):
        raise BadInput(f"There is no seat {question.began} to begin.", "bad_first")
    situation = question.model_dump(include={"scores", "target", "began"})
    told = await asked.slow(
        jobs.advise,
        question.position,
        question.hand,
        question.set,
        situation,
        question.top,
        question.language,
    )
    return document(told)


@router.post("/review", response_model=forms.Review, openapi_extra=RECORD_BODY)
async def of_record(
    asked: Asked,
    reviews: Shelf,
    data: Annotated[bytes, Depends(body_of)],
    language: Language = "en",
) -> Response:
    """Verify a record, and tell what its turns lost, how the chances went, what was missed."""
    name = sha256(data).hexdigest()
    told = await asked.wait(reviews.of(name, replays.review_of_record, data, address=asked.address))
    return document(told[language])


@router.get("/tables/{id}/review", response_model=forms.Review)
async def of_table(
    tables: Found,
    asked: Asked,
    reviews: Shelf,
    id: TableId,
    token: Token,
    language: Language = "en",
) -> Response:
    """The same of a table's game that is over."""
    live = await tables.find(id)
    may_look(tables, live, token)
    game = await over_game(tables, live)
    told = await asked.wait(
        reviews.of(f"table {id}", replays.review_of_table, game, address=asked.address)
    )
    return document(told[language])
