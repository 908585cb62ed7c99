"""A request as routes see it, and the workers that answer what takes a while.

Questions to the solver take seconds; problems, advice and prints a part of one: they wait apart,
so that all others are answered at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request

from ...core.errors import Malformed, Unavailable
from ..traffic.limits import Limits, address_of
from ..workers.pool import CORES, Workers

if TYPE_CHECKING:
    from ..app import Services
    from ..tables.tables import Tables

SECONDS = 20
"""For any question but those to the solver; the usual ones take a hundredth of one."""

GRACE = 5
"""Seconds that the solver may take beyond its time until its worker is ended."""

NICE = 10
"""People's moves and programs come first."""

MAX_TOKEN = 200
"""Letters of the header that brings a token."""

T = TypeVar("T")


class Questions:
    """The workers that answer."""

    def __init__(self, limits: Limits) -> None:
        number, seconds = max(1, CORES // 2), limits.solver_seconds
        self.quick = Workers(
            number, SECONDS, limits.make_slots(limits.questions_at_once), NICE, "quick"
        )
        self.slow = Workers(number, SECONDS, limits.make_slots(limits.slow_at_once), NICE, "slow")
        self.solver = Workers(
            number, seconds + GRACE, limits.make_slots(limits.solver_at_once), NICE, "solver"
        )
        self.solver_seconds = seconds

    @property
    def waiting(self) -> int:
        """Questions that wait or are worked on."""
        return self.quick.pending + self.slow.pending + self.solver.pending

    def close(self) -> None:
        """End the workers."""
        for workers in (self.quick, self.slow, self.solver):
            workers.close()


class Call:
    """A request: who asks, and with what it can be answered, as long as somebody waits."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.tables: Tables = self.services.tables
        self.address = address_of(request.scope)
        self.token = ""
        """What the sender holds, on routes that ask for it."""

    def read_token(self) -> None:
        """Take the token from its header."""
        header = self.request.headers.get("authorization", "")
        if len(header) > MAX_TOKEN:
            raise Malformed(f"The header authorization has more than {MAX_TOKEN} letters.")
        kind, _, token = header.partition(" ")
        self.token = token.strip() if kind.lower() == "bearer" else ""

    async def quick(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The answer to a question that is answered at once."""
        return await self._ask(self.services.questions.quick, job, args)

    async def worked_out(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The same for all who ask, even if some of them leave."""
        return await self.services.questions.quick.ask(job, *args, address=self.address)

    async def slow(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The answer to one that takes a part of a second, or more."""
        return await self._ask(self.services.questions.slow, job, args)

    async def solver(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """The answer of the solver."""
        return await self._ask(self.services.questions.solver, job, args)

    async def _ask(self, workers: Workers, job: Callable[..., T], args: tuple[Any, ...]) -> T:
        return await self.wait(workers.ask(job, *args, address=self.address))

    async def wait(self, answer: Coroutine[Any, Any, T]) -> T:
        """An answer, unless the client leaves first."""
        asking = asyncio.create_task(answer)
        leaving = asyncio.create_task(self._left())
        try:
            await asyncio.wait((asking, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise Unavailable("Nobody waits for this answer.", "busy")
            if asking.cancelled():  # By workers that end; this request goes on.
                raise Unavailable("The server stops.", "busy")
            return asking.result()
        finally:
            asking.cancel()
            leaving.cancel()

    async def _left(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass
