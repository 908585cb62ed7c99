"""Connections to PostgreSQL that are given up: without a line in the log, and without waiting.

asyncpg leaves the error of a connection that is given up while it is made where nobody looks, and
asyncio would show a traceback for each of them; whoever asked was refused already.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

CLOSE_TIMEOUT_S = 0.25
"""For the goodbye to PostgreSQL; SQLAlchemy would wait 2 s before it refuses a request."""

LOST = "unexpected connection_lost() call"
"""What asyncpg says of a connection that ends before its first answer."""


def give_up_quietly() -> None:
    """From now on, in the event loop that runs."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    if getattr(before, "quiet", False):
        return

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, ConnectionError) and str(error) == LOST:
            return
        if before is None:
            loop.default_exception_handler(context)
        else:
            before(loop, context)

    handle.quiet = True  # type: ignore[attr-defined]
    loop.set_exception_handler(handle)


def make_connection_class() -> type[Any]:
    """Make the class of connections that do not wait for a database that hangs to say goodbye."""
    import asyncpg

    class BrieflyClosing(asyncpg.Connection):  # type: ignore[misc]
        """Closes within `CLOSE_TIMEOUT_S`."""

        async def close(self, *, timeout: float | None = None) -> None:
            """Say goodbye, and do not wait long for the answer; without one, it is aborted."""
            with contextlib.suppress(TimeoutError):
                await super().close(timeout=min(timeout or CLOSE_TIMEOUT_S, CLOSE_TIMEOUT_S))

    return BrieflyClosing
