"""Connections to PostgreSQL that are given up while they are made say nothing in the log.

asyncpg leaves the error of such a connection where nobody looks, and asyncio would show a traceback
for each of them; whoever asked was refused already.
"""

from __future__ import annotations

import asyncio
from typing import Any

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
