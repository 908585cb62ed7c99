"""Logging: lines with time and level for the operator, as text or as JSON.

Nothing secret is logged: no tokens, seeds, names, or ids of tables, and addresses only on request.
All code that logs follows this rule; as a second line of defence, everything that looks like a key
is redacted. A repeated warning is written a few times a minute, with a count.
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

logger: logging.Logger = logging.getLogger("dalapapa")
"""The logger of the server."""

LogFormat = Literal["text", "json"]
Level = Literal["warning", "info", "debug"]

REQUEST: ContextVar[str | None] = ContextVar("request", default=None)

REQUEST_ID = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:-]{7,63}")
"""The form of ids that are accepted from proxies."""

KEY = re.compile(r"(?<![\w-])[\w-]{16,}(?![\w-])", re.ASCII)
"""What may be an id of a table (16 characters), a token (22), a seed (32) or a hash (64)."""

CODE_NAME = re.compile(
    r"_*([A-Z][a-z]{2,})+(Error|Exception|Warning|Disconnect|Timeout)"
    r"|_*[a-z]{2,}(\d{0,2}[_-]+[a-z]{2,})+\d{0,2}_*",
    re.ASCII,
)
"""Names in code: `WebSocketDisconnect`, `timeout_graceful_shutdown`. One key in 20,000 could be
the name of a class, so such a name must end like that of an error."""

HEX = re.compile(r"[0-9a-f]*\d[0-9a-f]*")

REDACTED = "[...]"

LOG_ADDRESSES = False

REPEAT_WINDOW_S = 60.0
"""Seconds in which the same line is written `MAX_REPEATS` times."""
MAX_REPEATS = 10

MAX_REMEMBERED_LINES = 500


def choose_request_id(given: bytes | None) -> str:
    """Return the id that a proxy gave to a request if it is valid, else a new one."""
    if given is not None and REQUEST_ID.fullmatch(given):
        return given.decode()
    return secrets.token_hex(8)


def redact_keys(text: str) -> str:
    """Replace everything that may be a key."""
    return KEY.sub(_redact, text)


def _redact(match: re.Match[str]) -> str:
    word = match[0]
    harmless = CODE_NAME.fullmatch(word) and not HEX.fullmatch(word)
    return word if harmless else REDACTED


class RepeatFilter(logging.Filter):
    """Limits how often the same line is written, and counts the others."""

    def __init__(self, clock: SystemClock = SYSTEM_CLOCK) -> None:
        super().__init__()
        self.clock = clock
        self._seen: dict[tuple[str, int, str], list[float]] = {}
        """When each line was first written in its window, and how often."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; lines below warnings are not limited."""
        if record.levelno < logging.WARNING:
            return True
        key = (record.name, record.levelno, str(record.msg))
        now = self.clock.monotonic()
        since, count = self._seen.get(key, (now, 0))
        if now - since >= REPEAT_WINDOW_S:
            record.more = max(0, int(count) - MAX_REPEATS)
            since, count = now, 0
        if len(self._seen) >= MAX_REMEMBERED_LINES:
            self._seen.clear()
        self._seen[key] = [since, count + 1]
        return count < MAX_REPEATS


class TextFormatter(logging.Formatter):
    """Formats time, level and message; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        facts = make_facts(record)
        trace = facts.pop("traceback", None)
        head = [facts.pop(name) for name in ("time", "level", "message")]
        rest = [f"{name}={value}" for name, value in facts.items() if name != "logger"]
        line = " ".join(map(str, [head[0], str(head[1]).upper(), head[2], *rest]))
        return line if trace is None else f"{line}\n{trace}"


class JsonFormatter(logging.Formatter):
    """Formats each record as one JSON document."""

    def format(self, record: logging.LogRecord) -> str:
        return msgspec.json.encode(make_facts(record)).decode()


def make_facts(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields of a log line."""
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    message = " ".join(record.getMessage().split())
    facts: dict[str, Any] = {
        "time": at.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": redact_keys(message)[:2000],
    }
    request = REQUEST.get()
    if request is not None:
        facts["request"] = request
    more: int = getattr(record, "more", 0)
    if more:
        facts["more_like_it"] = more
    extra: dict[str, Any] = getattr(record, "facts", {})
    facts.update(extra)
    # The pool's tracebacks are about connections that were lost while they were being closed.
    if record.exc_info and not record.name.startswith("sqlalchemy.pool"):
        facts["traceback"] = redact_keys(logging.Formatter().formatException(record.exc_info))
    return facts


def configure(form: LogFormat = "text", level: Level = "warning", addresses: bool = False) -> None:
    """Send everything that is logged to standard error, in this format."""
    global LOG_ADDRESSES
    LOG_ADDRESSES = addresses
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    handler.addFilter(RepeatFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logger.setLevel(level.upper())


def make_address_fact(scope: MutableMapping[str, Any]) -> dict[str, str]:
    """Return the address of a client, if addresses are logged."""
    return {"address": scope["client"][0]} if LOG_ADDRESSES and scope.get("client") else {}
