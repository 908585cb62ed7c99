"""The server of tests: the real application on a real port, with a database of its own.

Whatever the application logs as an error (a traceback, a task that failed unseen) fails the test.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette

from dalapapa.client import Refused
from dalapapa.errors import DalapapaError
from dalapapa.server.app import Services, create_app
from dalapapa.server.clock import SYSTEM_CLOCK, SystemClock
from dalapapa.server.limits import limits_from
from dalapapa.server.notify_settings import Notify
from dalapapa.server.run import configured, listen
from dalapapa.server.store import Store
from dalapapa.server.tables import Tables

PATIENCE = 120
"""Seconds for what takes a moment; a busy machine may need many."""

PLENTY = 1_000_000
GENEROUS = {
    "requests_per_second": PLENTY,
    "requests_at_once": PLENTY,
    "pages_per_second": PLENTY,
    "pages_at_once": PLENTY,
    "tables_per_minute": PLENTY,
    "consents_per_hour": PLENTY,
    "sockets_an_address": PLENTY,
    "share_an_address": 1,
}
"""All tests come from one address."""


def uncounted() -> dict[str, str]:
    """An environment without coverage: it slows a process down, and other tests count."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("COV_", "COVERAGE_"))}


class LateClock(SystemClock):
    """A clock that a test puts forward, by milliseconds: so much time has passed.

    `stepped` is somebody setting the machine's clock: no time has passed.
    """

    ahead = 0
    stepped = 0

    def now(self) -> int:
        return super().now() + self.ahead + self.stepped

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead / 1000


class Served(NamedTuple):
    """A server that runs in this event loop."""

    url: str
    app: Starlette

    @property
    def services(self) -> Services:
        found: Services = self.app.state.services
        return found

    @property
    def tables(self) -> Tables:
        return self.services.tables

    @property
    def store(self) -> Store:
        return self.services.store


class Server(uvicorn.Server):
    """Ctrl-C ends the tests, not the server."""

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        return contextlib.nullcontext()


@contextlib.asynccontextmanager
async def running(database_url: str | None = None, **limits: float) -> AsyncIterator[str]:
    """The address of a server that lives as long as the context."""
    async with served(database_url, SYSTEM_CLOCK, None, **limits) as server:
        yield server.url


@contextlib.asynccontextmanager
async def served(
    database_url: str | None = None,
    clock: SystemClock = SYSTEM_CLOCK,
    notify: Notify | None = None,
    **limits: Any,
) -> AsyncIterator[Served]:
    """The same, with a look inside."""
    with contextlib.ExitStack() as stack:
        if database_url is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dalapapa-"))
            database_url = f"sqlite+aiosqlite:///{Path(folder, 'tables.db')}"
        stack.enter_context(no_errors())
        allowed = limits_from({**GENEROUS, **limits})
        app = create_app(database_url, allowed, clock, notify=notify)
        server = Server(configured(app, log_config=None))
        listener = stack.enter_context(listen("127.0.0.1", 0))
        task = asyncio.create_task(server.serve([listener]))
        try:
            while not server.started:
                assert not task.done(), task.exception()
                await asyncio.sleep(0.005)
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", app)
        finally:
            server.should_exit = True
            await task


@contextlib.contextmanager
def in_thread(**limits: float) -> Iterator[str]:
    """A server in a thread with an event loop of its own, for tests that have none."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(running(None, **limits)) as url,
    ):
        yield url


@contextlib.contextmanager
def no_errors() -> Iterator[None]:
    """Fails if an error is logged inside."""
    found: list[str] = []
    texts = logging.Formatter()

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(texts.format(record))

    handler = Handler(logging.ERROR)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
    assert not found, "\n".join(found)


def first(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The move that a hasty player makes: lay the first domino that fits, then end the turn."""
    return next((move for move in moves if move["move"] in ("end", "decline")), moves[0])


async def refusal(asked: Awaitable[Any], kind: type[DalapapaError] = Refused) -> str:
    """The code with which a question is refused, in one sentence."""
    with pytest.raises(kind) as caught:
        await asked
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value.code


def conforms(told: Any, kind: Any) -> None:
    """An answer is of its form, and has no field that the form does not name."""
    assert json.loads(msgspec.json.encode(msgspec.convert(told, kind))) == told
