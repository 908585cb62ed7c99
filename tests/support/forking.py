"""Processes that start at once, because they are forked from one that has read the code.

Reading its own code is what a server, or one of its workers, takes longest for. A fork of this
process, which has threads, would not be safe; so there is one more process for it.
"""

from __future__ import annotations

import multiprocessing

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        *("dalapapa.cli", "dalapapa.client", "dalapapa.server.runtime.run"),
        *("dalapapa.server.workers.jobs", "dalapapa.server.workers.bots"),
        "dalapapa.server.workers.game_jobs",
        *("dalapapa.server.ws.wire", "alembic.command", "aiosqlite"),
        *("asyncpg", "httptools", "uvloop"),
    ]
)
