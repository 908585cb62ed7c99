"""A request as handlers see it: its sender, the services, and how to wait for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

from starlette.requests import Request

from ...core.errors import Malformed, Unavailable
from ..payload import Payload
from ..services import Services
from ..single_flight import Computation
from ..tables.tables import Tables
from ..traffic.limits import address_of
from ..workers.pool import Workers

MAX_TOKEN_HEADER = 200

T = TypeVar("T")


class ApiCall:
    """A request, and what its handler needs to answer it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.services: Services = request.app.state.services
        self.tables: Tables = self.services.tables
        self.address = address_of(request.scope)
        self.token = ""

    def read_token(self) -> None:
        header = self.request.headers.get("authorization", "")
        if len(header) > MAX_TOKEN_HEADER:
            raise Malformed(f"The header authorization has more than {MAX_TOKEN_HEADER} letters.")
        kind, _, token = header.partition(" ")
        self.token = token.strip() if kind.lower() == "bearer" else ""

    async def ask_quick(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """Run a job of a few milliseconds in a worker."""
        return await self._ask(self.services.questions.quick, job, args)

    async def ask_shared(self, job: Callable[..., bytes], *args: Any) -> bytes:
        """Run a quick job for several clients: it does not end when this one leaves."""
        return await self.services.questions.quick.ask(job, *args, address=self.address)

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
                raise Unavailable("The client has left.", "busy")
            if asking.cancelled():  # By workers that end; this request goes on.
                raise Unavailable("The server stops.", "busy")
            return asking.result()
        finally:
            asking.cancel()
            leaving.cancel()

    async def _wait_until_client_leaves(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass
