"""What routes share: a request as handlers see it, paths, pictures, and what a sender may watch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Hashable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from ...core.errors import Malformed, Unavailable
from ...hosting.commands import check_begun, check_may_watch, check_over
from ...hosting.replays import LoggedGame, make_logged_game
from ...hosting.state import TableState
from ...texts import LANGUAGES
from ..payload import Payload
from ..services import Services
from ..single_flight import Computation
from ..tables.live import LiveTable
from ..tables.tables import Tables
from ..traffic.limits import address_of
from ..workers import replays
from ..workers.pool import Workers

MAX_TOKEN_HEADER = 200

PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
PICTURES = tuple(PICTURE_TYPES.values())

DAY_CACHE = {"cache-control": "public, max-age=86400"}
"""For answers that never change."""

T = TypeVar("T")


class ApiCall:
    """A request, and what its handler needs to answer it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.tables: Tables = self.services.tables
        self.address: str = address_of(request.scope)
        self.token: str = ""

    def read_token(self) -> None:
        header = self.request.headers.get("authorization", "")
        if len(header) > MAX_TOKEN_HEADER:
            raise Malformed(
                f"The Authorization header must have at most {MAX_TOKEN_HEADER} characters."
            )
        kind, _, token = header.partition(" ")
        self.token = token.strip() if kind.lower() == "bearer" else ""

    async def ask_quick(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """Run a job of a few milliseconds in a worker."""
        return await self._ask(self.services.questions.quick, job, args)

    async def ask_about_game(self, game: str, job: Callable[..., bytes], *args: Any) -> bytes:
        """Run a quick job about a game from its log or record, in a worker that has its package.

        It may be for several clients: it does not end when this one leaves.
        """
        quick = self.services.questions.quick
        return await self.tables.packages.ask_about_game(
            game, quick, job, *args, address=self.address
        )

    async def ask_slow(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """Run a job that takes a part of a second, or more, in a worker."""
        return await self._ask(self.services.questions.slow, job, args)

    async def ask_solver(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """Run a job of the solver in a worker."""
        return await self._ask(self.services.questions.solver, job, args)

    async def _ask(self, workers: Workers, job: Callable[..., T], args: tuple[Any, ...]) -> T:
        return await self.wait(workers.ask(job, *args, address=self.address))

    async def find_or_compute(
        self, key: Hashable, version: Hashable, compute: Computation[Payload]
    ) -> Payload:
        """An answer from the cache; without it, wait until it is computed or the client leaves."""
        answers = self.services.answers
        if (known := answers.find(key, version)) is not None:
            return known
        return await self.wait(answers.get(key, version, compute))

    async def wait(self, answer: Coroutine[Any, Any, T]) -> T:
        """Wait for an answer, unless the client leaves first."""
        asking = asyncio.create_task(answer)
        leaving = asyncio.create_task(self._wait_until_client_leaves())
        try:
            await asyncio.wait((asking, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise Unavailable("The client disconnected.", "busy")
            if asking.cancelled():  # By workers that end; this request goes on.
                raise Unavailable("The server is stopping: try again later.", "busy")
            return asking.result()
        finally:
            asking.cancel()
            leaving.cancel()

    async def _wait_until_client_leaves(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


class TablePath(msgspec.Struct):
    """Which table."""

    id: Annotated[str, Meta(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]


class SeatPath(TablePath):
    """Which seat of which table."""

    seat: Annotated[int, Meta(ge=0, le=9)]


def negotiate_language(accepted: str, languages: Collection[str] = LANGUAGES) -> str:
    """The first language of an `Accept-Language` header that is available, else English."""
    wanted = (part.strip()[:2].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in languages), "en")


def make_picture_response(data: bytes, kind: str) -> Response:
    """The answer with a picture."""
    return Response(data, media_type=PICTURE_TYPES[kind])


async def find_watchable(call: ApiCall, id: str) -> LiveTable:
    """A table that the sender may watch; some tables admit no spectators."""
    live = await call.tables.find(id)
    check_may_watch(live.state, live.seats_of(call.token))
    return live


async def load_finished_game(call: ApiCall, live: LiveTable) -> LoggedGame:
    """The game of a table; refused until it is over."""
    state = live.state
    check_begun(state)
    check_over(state)
    return make_logged_game(state, await load_log(call, live.id, state))


async def load_log(call: ApiCall, id: str, state: TableState) -> replays.TableLog:
    """The log of a table up to a state, for a worker."""
    return replays.pack_log(id, await call.tables.store.lines(id, state.version))
