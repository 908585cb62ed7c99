"""The server of tests: the real application on a real port, with a database of its own.

Each error that the application logs (a traceback, a task that failed unseen) fails the test,
and so does an answer whose status the OpenAPI document does not have for its route.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette

from dalapapa import client
from dalapapa.client import Refused
from dalapapa.core.errors import DalapapaError
from dalapapa.server.app import ROUTES, create_app
from dalapapa.server.clock import SystemClock
from dalapapa.server.http.openapi import build_openapi
from dalapapa.server.http.routing import Route
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.runtime.run import listen, make_config
from dalapapa.server.services import Services
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.tables import Tables
from dalapapa.server.traffic.limits import limits_from
from dalapapa.server.workers import pool
from tests.support import forking, waiting
from tests.support.waiting import wait_until

pool.CONTEXT = forking.CONTEXT

PATIENCE = waiting.PATIENCE
PLENTY = 1_000_000
GENEROUS = {
    "requests_per_second": PLENTY,
    "requests_at_once": PLENTY,
    "pages_per_second": PLENTY,
    "pages_at_once": PLENTY,
    "tables_per_minute": PLENTY,
    "consents_per_hour": PLENTY,
    "sockets_an_address": PLENTY,
    "frames_an_address": PLENTY,
    "bytes_an_address": 100 * PLENTY,
    "share_an_address": 1,
    "computing_an_address": 1,
}
"""Limits for tests, which all come from one address."""


def uncounted() -> dict[str, str]:
    """The environment without coverage, which slows processes down; other tests are counted."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("COV_", "COVERAGE_"))}


START = datetime(2020, 3, 10, 9, tzinfo=UTC)
"""When the tests begin, by the clocks of their servers, on every date. Commands that tests
run beside a server have the clock of the machine, and come later."""

# The same in all processes of one run, because those that work on one database have one time.
_BEGAN = float(os.environ.setdefault("DALAPAPA_TESTS_BEGAN", repr(SystemClock().monotonic())))


class LateClock(SystemClock):
    """A clock that a test puts forward, by milliseconds. It has nothing to do with the real date.

    `ahead` is time that has passed. `stepped` is a person who sets the machine's clock: no time
    has passed. All clocks that no test has set show the same: so much after `START`.
    """

    ahead = 0
    stepped = 0
    _stands: float | None = None

    def __init__(self, shows: datetime | None = None) -> None:
        self._began = _BEGAN if shows is None else super().monotonic()
        self._start = int(1000 * (shows or START).timestamp())

    def now(self) -> int:
        passed = int(1000 * (self._seconds() - self._began))
        return self._start + passed + self.ahead + self.stepped

    def monotonic(self) -> float:
        return self._seconds() + self.ahead / 1000

    def stand(self) -> None:
        """Stop: from now on only `ahead` and `stepped` move it, however slow the machine is."""
        # A short binary fraction: adding whole seconds to it never rounds.
        self._stands = math.ceil(1024 * self._seconds()) / 1024

    def go_on(self) -> None:
        """Show the time that it would show if it had not stopped."""
        self._stands = None

    def _seconds(self) -> float:
        return super().monotonic() if self._stands is None else self._stands


def a_second_later() -> LateClock:
    """Make a clock that is a second ahead of all others."""
    clock = LateClock()
    clock.ahead = 1000
    return clock


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


class DocumentedStatuses:
    """Finds answers whose status the OpenAPI document does not have for their route."""

    def __init__(self, app: Any, undocumented: set[str]) -> None:
        self.app = app
        self.undocumented = undocumented

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def look(message: Any) -> None:
            route = scope.get("route")
            if message["type"] == "http.response.start" and isinstance(route, Route):
                status, method = str(message["status"]), scope["method"]
                ways = PATHS[route.path]
                expected = ways[method.lower()]["responses"] if method.lower() in ways else {"405"}
                if status not in expected:
                    self.undocumented.add(f"{method} {route.path}: {status}")
            await send(message)

        await self.app(scope, receive, look)


PATHS = build_openapi(ROUTES)["paths"]


class Server(uvicorn.Server):
    """A server that leaves Ctrl+C to the tests."""

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        return contextlib.nullcontext()


@contextlib.asynccontextmanager
async def server_from(url: str, address: str) -> AsyncIterator[client.Server]:
    """Open a client at another address of this machine."""
    async with client.Server(url) as server:
        await server.http.aclose()
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
        server.http = httpx.AsyncClient(
            base_url=f"{url}/api", timeout=30, trust_env=False, transport=transport, verify=False
        )
        yield server


@contextlib.asynccontextmanager
async def running(database_url: str | None = None, **limits: float) -> AsyncIterator[str]:
    """Run a server; yield its address."""
    async with served(database_url, None, None, **limits) as server:
        yield server.url


@contextlib.asynccontextmanager
async def served(
    database_url: str | None = None,
    clock: SystemClock | None = None,
    notify: NotifyConfig | None = None,
    proxies: Any = None,
    **limits: Any,
) -> AsyncIterator[Served]:
    """Run a server; yield it with its services. Its date is that of `LateClock`."""
    with contextlib.ExitStack() as stack:
        if database_url is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dalapapa-"))
            file = Path(folder, "tables.db")
            await copy_new_database(file)
            database_url = f"sqlite+aiosqlite:///{file}"
        stack.enter_context(no_errors())
        allowed = limits_from({**GENEROUS, **limits})
        app = create_app(database_url, allowed, clock or LateClock(), notify=notify)
        undocumented: set[str] = set()
        app.add_middleware(DocumentedStatuses, undocumented=undocumented)
        server = Server(make_config(app, proxies, log_config=None))
        listener = stack.enter_context(listen("127.0.0.1", 0))
        task = asyncio.create_task(server.serve([listener]))
        try:
            await wait_until(lambda: server.started or task.done(), "a server that has started")
            assert not task.done(), task.exception()
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", app)
        finally:
            server.should_exit = True
            await task
        assert not undocumented, f"not in the OpenAPI document: {sorted(undocumented)}"


_NEW_DATABASE: list[bytes] = []
"""A database with the newest schema and nothing in it; making one takes 0.1 seconds."""


async def copy_new_database(file: Path) -> None:
    """Write an empty database with the newest schema."""
    if _NEW_DATABASE:
        file.write_bytes(_NEW_DATABASE[0])
        return
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open()
    await store.close()
    _NEW_DATABASE.append(file.read_bytes())


async def wait_for_driver(live: LiveTable) -> None:
    """Wait until the driver of a table waits for a time or a change."""
    await wait_until(
        lambda: not live.wake_driver.is_set() and live.wake_driver._waiters,
        "a driver that waits",
    )


async def wait_for_no_driver(live: LiveTable) -> None:
    await wait_until(lambda: live.driver is None, "the end of the driver")


async def wait_for_no_sockets(here: Served) -> None:
    await wait_until(lambda: not here.services.sockets.open, "the end of all sockets")


@contextlib.contextmanager
def in_thread(**limits: float) -> Iterator[str]:
    """Run a server in a thread with its own event loop, for tests without one."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(running(None, **limits)) as url,
    ):
        yield url


@contextlib.contextmanager
def no_errors() -> Iterator[None]:
    """Fail if an error is logged inside."""
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
    """Choose a hasty move: lay the first domino that fits, then end the turn."""
    return next((move for move in moves if move["move"] in ("end", "decline")), moves[0])


async def refusal(asked: Awaitable[Any], kind: type[DalapapaError] = Refused) -> str:
    """Return the code of a refusal, whose message must be one line."""
    with pytest.raises(kind) as caught:
        await asked
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value.code


def conforms(answer: Any, kind: Any) -> None:
    """Check that an answer has the form of a struct, and no other field."""
    assert json.loads(msgspec.json.encode(msgspec.convert(answer, kind))) == answer
