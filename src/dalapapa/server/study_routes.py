"""Questions about positions, games and rules that need no table; worker processes answer them.

Those to the solver take seconds; problems, advice and prints a part of one: they wait apart, so
that all others are answered at once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.requests import ClientDisconnect

from .. import rulebook
from ..errors import BadInput, Unavailable
from ..tiles import standard
from . import forms, jobs, replays
from .limits import Limits, address_of
from .workers import CORES, Workers

SECONDS = 20
"""For any question but those to the solver; the usual ones take a hundredth of one."""

GRACE = 5
"""Seconds that the solver may take beyond its time until its worker is ended."""

NICE = 10
"""People's moves and programs come first."""

router = APIRouter(prefix="/api", responses=forms.REFUSALS)

T = TypeVar("T")


class Questions:
    """The workers that answer."""

    def __init__(self, limits: Limits) -> None:
        number, seconds = max(1, CORES // 2), limits.solver_seconds
        self.quick = Workers(number, SECONDS, limits.places(limits.questions_at_once), NICE)
        self.slow = Workers(number, SECONDS, limits.places(limits.slow_at_once), NICE)
        self.solver = Workers(number, seconds + GRACE, limits.places(limits.solver_at_once), NICE)
        self.solver_seconds = seconds

    @property
    def waiting(self) -> int:
        """Questions that wait or are worked on."""
        return self.quick.asked + self.slow.asked + self.solver.asked

    def close(self) -> None:
        """End the workers."""
        for workers in (self.quick, self.slow, self.solver):
            workers.close()


class Question:
    """A question over HTTP: it is asked as long as somebody waits for the answer."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.questions: Questions = request.app.state.questions
        self.address = address_of(request.scope)

    async def quick(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The answer to a question that is answered at once."""
        return await self._asked(self.questions.quick, job, args)

    async def slow(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The answer to one that takes a part of a second, or more."""
        return await self._asked(self.questions.slow, job, args)

    async def solver(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The answer of the solver."""
        return await self._asked(self.questions.solver, job, args)

    async def _asked(self, workers: Workers, job: Callable[..., T], args: tuple[Any, ...]) -> T:
        return await self.wait(workers.ask(job, *args, address=self.address))

    async def wait(self, answer: Coroutine[Any, Any, T]) -> T:
        """An answer, unless whoever asked leaves before."""
        asking = asyncio.create_task(answer)
        leaving = asyncio.create_task(self._left())
        try:
            await asyncio.wait((asking, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise Unavailable("Nobody waits for this answer.", "busy")
            return asking.result()
        except asyncio.CancelledError:  # Of a request, and only by a server that stops.
            raise Unavailable("The server stops.", "busy") from None
        finally:
            asking.cancel()
            leaving.cancel()

    async def _left(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


Asked = Annotated[Question, Depends(Question)]


def document(data: bytes) -> Response:
    """JSON that is written already."""
    return Response(data, media_type="application/json")


def drawn(data: bytes, kind: str) -> Response:
    """A picture."""
    return Response(data, media_type="image/svg+xml" if kind == "svg" else "image/png")


@router.post("/legal", response_model=dict[str, list[forms.Scored]])
async def legal(asked: Asked, question: forms.LegalQuestion) -> Response:
    """For each domino every legal laying with its classic points, the best first."""
    told = await asked.quick(jobs.legal, question.position, question.tiles, question.set)
    return document(told)


@router.post("/groups", response_model=list[forms.Group])
async def groups(asked: Asked, question: forms.TableQuestion) -> Response:
    """The groups of discs, open and closed."""
    return document(await asked.quick(jobs.groups, question.position, question.set))


@router.post("/best", response_model=list[forms.BestTurn])
async def best(asked: Asked, question: forms.BestQuestion) -> Response:
    """The best classic turns with one or two dominoes, exactly."""
    told = await asked.quick(
        jobs.best, question.position, question.hand, question.top, question.set
    )
    return document(told)


@router.post("/solve", response_model=forms.Solutions)
async def solve(asked: Asked, question: forms.FrameQuestion) -> Response:
    """Fill a frame, or prove that it cannot be done; gives up after a while."""
    tiles = standard(question.set).tiles
    frame = jobs.FrameToFill(
        (question.width, question.height),
        question.tiles or [tile.name for tile in tiles if tile.pile == (question.pile or 1)],
        question.position,
        question.faces,
        question.count,
        question.seed,
        question.set,
    )
    return document(await asked.solver(jobs.solve, frame, asked.questions.solver_seconds))


@router.get("/picture.{kind}", response_class=Response, responses=forms.PICTURES)
async def picture(
    asked: Asked, kind: Literal["svg", "png"], look: Annotated[forms.PositionLook, Query()]
) -> Response:
    """A picture of a position."""
    style = look.model_dump(exclude={"position", "set"})
    told = await asked.quick(jobs.picture_of, look.position, look.set, kind, style)
    return drawn(told, kind)


async def body_of(request: Request) -> bytes:
    """The bytes that were sent: the worker reads them."""
    try:
        return await request.body()
    except ClientDisconnect:
        raise BadInput("The record did not arrive.", "malformed_record") from None


RECORD_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A record (docs/records.md).",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


@router.post("/replay", response_model=forms.Replay, openapi_extra=RECORD_BODY)
async def replay(asked: Asked, data: Annotated[bytes, Depends(body_of)]) -> Response:
    """Verify a record, and show its game step by step."""
    return document(await asked.quick(replays.of_record, data))


@router.get("/rules/{game}")
async def rules(
    game: Annotated[str, Path(max_length=20)],
    language: Annotated[str, Query(max_length=20)] = "en",
) -> forms.Rules:
    """The rules of a game as Markdown, and what the figures they name show."""
    return _rules(game, language)


@cache
def _rules(game: str, language: str) -> forms.Rules:
    text = rulebook.page(game, language)
    figures = rulebook.figures()
    names = re.findall(r"\(figure:([^)]+)\)", text)
    return forms.Rules(text=text, figures={name: figures[name] for name in names})
