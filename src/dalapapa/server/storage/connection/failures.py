"""When the database fails: what an error of a driver means, and until when requests are refused."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import DBAPIError

from ....core.errors import DalapapaError, Unavailable
from ...monitoring.logging_setup import logger
from ...tasks import cancel_tasks

DATA_CLASS, INTEGRITY_CLASS = "22", "23"
"""The first two characters of SQLSTATE, the error codes of SQL."""

SQLITE_REASONS = {sqlite3.SQLITE_FULL: "disk_full", sqlite3.SQLITE_READONLY: "read_only"}
"""The reasons by the primary code of SQLite."""

POSTGRES_REASONS = {"53100": "disk_full", "25006": "read_only"}

SILENCE_S = 2.0
"""Without any answer for this long, a timeout is the database's; else one statement was slow."""

PING_INTERVAL_S = 0.5

PROBE_INTERVAL_S = 0.5


def is_row_error(error: Exception) -> bool:
    """Whether the row is invalid, and the database works."""
    refused = sqlite3.IntegrityError | sqlite3.DataError | sqlite3.InterfaceError | UnicodeError
    return isinstance(error, refused) or _read_class(error) in (DATA_CLASS, INTEGRITY_CLASS)


def is_missing_table(error: Exception) -> bool:
    """Whether the table of an entry is missing."""
    return isinstance(error, sqlite3.IntegrityError) or _read_class(error) == INTEGRITY_CLASS


def _read_class(error: Exception) -> str:
    """The class of an error of PostgreSQL, whose driver is an extra; empty for other errors."""
    return str(getattr(error, "sqlstate", None) or "")[:2]


def find_reason(error: BaseException | None) -> str | None:
    """Why the database refuses to write anything; None if the error is about something else."""
    for _ in range(4):  # Our refusal, SQLAlchemy's error, its adapter's, and the driver's.
        if error is None:
            break
        code = getattr(error, "sqlite_errorcode", None)
        found = SQLITE_REASONS.get(code & 0xFF) if isinstance(code, int) else None
        found = found or POSTGRES_REASONS.get(getattr(error, "sqlstate", None) or "")
        if found:
            return found
        error = getattr(error, "orig", None) or error.__cause__
    return None


def explain_failure(error: BaseException) -> str:
    """The reason why a database cannot be opened."""
    if isinstance(error, ConnectionRefusedError):
        return "no server answers at this address."
    if isinstance(error, TypeError):
        return "its URL has an unknown option."
    if isinstance(error, OverflowError):
        return "its URL has an invalid port."
    return first_line(error)


def first_line(error: BaseException) -> str:
    """The first line of a driver's message."""
    inner = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return (str(inner).splitlines() or [type(inner).__name__])[0][:200]


class Outage:
    """Whether PostgreSQL answers: one request finds out, and the others need not wait.

    Requests wait for each other: those of one table for its lock, new tables for the count. If each
    of them waited for a database that hangs, the tenth would wait ten times as long as the first.
    So after one timeout requests are refused immediately, until `ping` raises nothing.
    """

    def __init__(
        self, ping: Callable[[], Awaitable[None]], now: Callable[[], float] = time.monotonic
    ) -> None:
        self.ping = ping
        self.now = now
        self.is_on: bool = False
        self._answered = now()
        self._pinging: asyncio.Task[None] | None = None

    def check(self) -> None:
        """Refuse a request while the database does not answer."""
        if self.is_on:
            raise make_outage_error()

    def note_answer(self) -> None:
        self._answered = self.now()
        self.is_on = False

    def note_timeout(self) -> None:
        if not self.is_on and self.now() - self._answered > SILENCE_S:
            self.is_on = True
            if self._pinging is None or self._pinging.done():
                self._pinging = asyncio.create_task(self._ping_until_answered())

    async def close(self) -> None:
        await cancel_tasks([self._pinging])

    async def _ping_until_answered(self) -> None:
        while self.is_on:
            try:
                await self.ping()
            except DalapapaError:
                await asyncio.sleep(PING_INTERVAL_S)
            else:
                self.note_answer()


def make_outage_error() -> Unavailable:
    """What a client receives while the database does not answer."""
    return Unavailable("The database does not answer: try again.", "no_database")


class WriteTrouble:
    """Whether the database can be written: the disk may be full, or the database read-only.

    A database becomes read-only when a file system is mounted again after an error, or when
    PostgreSQL fails over to a replica. Reading goes on, and every write is tried, because a small
    one may still fit. The log says once that writes fail, and, when `probe` raises nothing, that
    they work again.
    """

    def __init__(self, probe: Callable[[], Awaitable[None]]) -> None:
        self.probe = probe
        self.reason: str | None = None
        """`disk_full` or `read_only`; None: writes work, as far as anyone knows."""
        self._probing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def note(self, reason: str, words: str) -> None:
        """A write has failed for this reason; `words` are the database's own."""
        if reason == self.reason:
            return
        self.reason = reason
        logger.warning("cannot write to the database (%s), so nothing is stored: %s", reason, words)
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._probe_until_written())

    async def close(self) -> None:
        """Probe no more. A probe that is under way ends by itself: SQLite cannot be interrupted."""
        self._closing.set()
        if self._probing is not None:
            await self._probing

    async def _probe_until_written(self) -> None:
        while self.reason is not None and not self._closing.is_set():
            try:
                await self.probe()
            except DalapapaError:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), PROBE_INTERVAL_S)
            else:
                self.reason = None
                logger.warning("the database is writable again")


def make_write_error() -> Unavailable:
    """What a client receives for a request that the database cannot store."""
    return Unavailable(
        "The server cannot write to its database now: try again later.", "no_database"
    )
