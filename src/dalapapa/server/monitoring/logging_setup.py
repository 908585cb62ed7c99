"""What the server says to its operator: lines with time and level, as text or as JSON.

Nothing secret is written: no tokens, seeds, names, or ids of tables, and addresses only on request.
Whoever logs keeps to that; as a second line of defence, everything that looks like a key is
blotted out. The same warning over and over is written a few times a minute, with a count.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from ..clock import SYSTEM_CLOCK, SystemClock

Form = Literal["text", "json"]
Level = Literal["warning", "info", "debug"]

REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
"""The id of the request that is answered."""

SANE = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:-]{7,63}")
"""An id that a proxy may have given to a request."""

KEY = re.compile(r"(?<![\w-])[\w-]{16,}(?![\w-])", re.ASCII)
"""What may be an id of a table (16 letters), a token (22), a seed (32) or a hash (64)."""

WORDS = re.compile(
    r"_*([A-Z][a-z]{2,})+(Error|Exception|Warning|Disconnect|Timeout)"
    r"|_*[a-z]{2,}(\d{0,2}[_-]+[a-z]{2,})+\d{0,2}_*",
    re.ASCII,
)
"""Names of a program: `WebSocketDisconnect`, `timeout_graceful_shutdown`.

One key in 20,000 could be the name of a class, so such a name must end like that of an error.
"""

HEX = re.compile(r"[0-9a-f]*\d[0-9a-f]*")

BLOT = "[...]"

ADDRESSES = False
"""Whether lines about requests tell from where they came."""

EVERY = 60.0
"""Seconds in which the same line is written `AT_MOST` times."""
AT_MOST = 10
MAX_KINDS = 500


def request_id(given: bytes | None) -> str:
    """The id of a request: the proxy's own if that is one, else a new one."""
    if given is not None and SANE.fullmatch(given):
        return given.decode()
    return secrets.token_hex(8)


def blotted(text: str) -> str:
    """A text without what may be a key."""
    return KEY.sub(_blot, text)


def _blot(found: re.Match[str]) -> str:
    word = found[0]
    harmless = WORDS.fullmatch(word) and not HEX.fullmatch(word)
    return word if harmless else BLOT


class Sparing(logging.Filter):
    """Lets the same line through a few times in a while, and then says how often it came."""

    def __init__(self, clock: SystemClock = SYSTEM_CLOCK) -> None:
        super().__init__()
        self.clock = clock
        self._seen: dict[tuple[str, int, str], list[float]] = {}
        """By what is said: since when, and how often."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; below warnings, the operator has asked for all."""
        if record.levelno < logging.WARNING:
            return True
        key = (record.name, record.levelno, str(record.msg))
        now = self.clock.monotonic()
        since, count = self._seen.get(key, (now, 0))
        if now - since >= EVERY:
            record.more = max(0, int(count) - AT_MOST)
            since, count = now, 0
        if len(self._seen) >= MAX_KINDS:
            self._seen.clear()
        self._seen[key] = [since, count + 1]
        return count < AT_MOST


class Line(logging.Formatter):
    """Time, level and what happened; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as text."""
        facts = told(record)
        trace = facts.pop("traceback", None)
        head = [facts.pop(name) for name in ("time", "level", "message")]
        rest = [f"{name}={value}" for name, value in facts.items() if name != "logger"]
        line = " ".join(map(str, [head[0], str(head[1]).upper(), head[2], *rest]))
        return line if trace is None else f"{line}\n{trace}"


class JsonLine(logging.Formatter):
    """One JSON document for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON."""
        return msgspec.json.encode(told(record)).decode()


def told(record: logging.LogRecord) -> dict[str, Any]:
    """All that is written of a record."""
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    message = " ".join(record.getMessage().split())
    facts: dict[str, Any] = {
        "time": at.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": blotted(message)[:2000],
    }
    request = REQUEST.get()
    if request is not None:
        facts["request"] = request
    more: int = getattr(record, "more", 0)
    if more:
        facts["more_like_it"] = more
    extra: dict[str, Any] = getattr(record, "facts", {})
    facts.update(extra)
    if record.exc_info:
        facts["traceback"] = blotted(logging.Formatter().formatException(record.exc_info))
    return facts


def configure(form: Form = "text", level: Level = "warning", addresses: bool = False) -> None:
    """From now on, everything that is logged goes to standard error in this form."""
    global ADDRESSES
    ADDRESSES = addresses
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLine() if form == "json" else Line())
    handler.addFilter(Sparing())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("dalapapa").setLevel(level.upper())
    handler.addFilter(_in_a_sentence)


def _in_a_sentence(record: logging.LogRecord) -> bool:
    """That a connection was lost while it was being closed needs no traceback."""
    if record.name.startswith("sqlalchemy.pool"):
        record.exc_info = None
    return True


def address(scope: MutableMapping[str, Any]) -> dict[str, str]:
    """From where a request came, if log lines should tell it."""
    return {"address": scope["client"][0]} if ADDRESSES and scope.get("client") else {}
