"""The coach over HTTP: advice for a position, and reviews of games that are over.

A review takes seconds. Workers of their own make it, once for everybody who asks, and it is
kept for a while: the same game always has the same review.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from ..errors import BadInput
from . import answers, forms, replays
from .api import Found, TableId, Token, may_look, over_game
from .limits import Limits
from .questions import NICE, RECORD_BODY, Asked, body_of, document
from .workers import CORES, Workers

SECONDS = 120
"""For one review; usual ones take less than ten."""

KEPT = 100
"""Reviews that are remembered."""

router = APIRouter(prefix="/api", responses=forms.REFUSALS)

Told = dict[str, bytes]
"""A review in every language."""


class Reviews:
    """The workers that review, and what they have found."""

    def __init__(self, limits: Limits) -> None:
        self.workers = Workers(max(1, CORES // 2), SECONDS, limits.reviews_at_once, NICE)
        self._kept: OrderedDict[str, asyncio.Task[Told]] = OrderedDict()

    def close(self) -> None:
        """End the workers."""
        self.workers.close()

    async def of(self, name: str, job: Callable[..., Told], *words: Any) -> Told:
        """The review of the game of that name; whoever leaves does not stop it for others."""
        task = self._kept.get(name)
        if task is None:
            task = asyncio.create_task(self.workers.ask(job, *words))
            self._kept[name] = task
            task.add_done_callback(lambda done: self._forget_refusal(name, done))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(name)
        return await asyncio.shield(task)

    def _forget_refusal(self, name: str, task: asyncio.Task[Told]) -> None:
        """What was refused because the server was busy may be asked again."""
        if (task.cancelled() or task.exception()) and self._kept.get(name) is task:
            del self._kept[name]


def reviews_of(request: Request) -> Reviews:
    """The reviews of this process."""
    found: Reviews = request.app.state.reviews
    return found


Kept = Annotated[Reviews, Depends(reviews_of)]
Language = Annotated[forms.Language, Query()]


@router.post("/coach", response_model=forms.Advice)
async def advise(asked: Asked, question: forms.CoachQuestion) -> Response:
    """The best turns of a classic position: points in parts, what each leaves, and why."""
    if question.began >= len(question.scores):
        raise BadInput(f"There is no seat {question.began} to begin.", "bad_first")
    situation = question.model_dump(include={"scores", "target", "began"})
    told = await asked.quick(
        answers.advise,
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
    reviews: Kept,
    data: Annotated[bytes, Depends(body_of)],
    language: Language = "en",
) -> Response:
    """Verify a record, and tell what its turns lost, how the chances went, what was missed."""
    name = sha256(data).hexdigest()
    told = await asked.wait(reviews.of(name, replays.review_of_record, data))
    return document(told[language])


@router.get("/tables/{id}/review", response_model=forms.Review)
async def of_table(
    tables: Found,
    asked: Asked,
    reviews: Kept,
    id: TableId,
    token: Token,
    language: Language = "en",
) -> Response:
    """The same of a table's game that is over."""
    live = await tables.find(id)
    may_look(tables, live, token)
    game = await over_game(tables, live)
    told = await asked.wait(reviews.of(f"table {id}", replays.review_of_table, game))
    return document(told[language])
