"""The events that the host of tables gets from its worker, and their effects: JSON texts.

Effects have an order: `writes` and `deleted` must be durable before any message or reply leaves the
worker.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ...core.errors import DalapapaError
from ...hosting.encoder import OwnTableSummary
from ...hosting.entries import Written, read_entry, write_entry
from ...hosting.refusals import find_status
from ...hosting.stored import StoredEntry, StoredTable

TableId = Annotated[str, Meta(max_length=32, pattern=r"^device-[A-Za-z0-9_-]+$")]


MISSING = msgspec.Raw(b"")
"""Nothing was given: no JSON text is empty."""


class StoredLine(msgspec.Struct, frozen=True):
    """An entry of a log as the device stores it."""

    number: int
    at: int
    entry: Written
    nonce: str | None = None


def write_line(stored: StoredEntry) -> StoredLine:
    """An entry in its stored form."""
    return StoredLine(stored.number, stored.at, write_entry(stored.entry), stored.nonce)


def read_line(line: StoredLine) -> StoredEntry:
    """The inverse of `write_line`; refuses invalid moves."""
    return StoredEntry(line.number, line.at, read_entry(line.entry), line.nonce)


class RequestRefusal(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    code: str
    message: str
    status: int = 409
    values: dict[str, float | str] | UnsetType = UNSET


# -- events --------------------------------------------------------------------------------------


class Request(msgspec.Struct, frozen=True, tag="request", tag_field="type"):
    """A request of a page, as to the server's HTTP API."""

    id: int
    method: str
    path: str
    token: str = ""
    body: msgspec.Raw = msgspec.Raw(b"{}")


class Open(msgspec.Struct, frozen=True, tag="open", tag_field="type"):
    """A page begins to watch a table; its session has the messages of a socket."""

    session: str
    table: str


class Say(msgspec.Struct, frozen=True, tag="say", tag_field="type"):
    """A message of a session (`hosting.protocol.FromClient`)."""

    session: str
    message: msgspec.Raw


class Close(msgspec.Struct, frozen=True, tag="close", tag_field="type"):
    """A session has ended."""

    session: str


class Load(msgspec.Struct, frozen=True, tag="load", tag_field="type"):
    """A table from the store; without `table`, the store does not have it."""

    id: str
    table: msgspec.Raw = MISSING
    log: msgspec.Raw = msgspec.Raw(b"[]")


class Answer(msgspec.Struct, frozen=True, tag="answer", tag_field="type"):
    """The other worker has answered a question; without `answer`, it has failed."""

    id: int
    answer: msgspec.Raw = MISSING
    error: RequestRefusal | None = None


class Tick(msgspec.Struct, frozen=True, tag="tick", tag_field="type"):
    """Time has passed."""


Event = Request | Open | Say | Close | Load | Answer | Tick


class Timed(msgspec.Struct, frozen=True):
    """An event and its time, in milliseconds since 1970."""

    now: int
    event: Event


# -- effects -------------------------------------------------------------------------------------


class DeviceTableSummary(OwnTableSummary):
    """A table in the list of one's own; tables with the same bag have the same `commitment`."""

    commitment: str = ""


class Write(msgspec.Struct, frozen=True):
    """What to store of a table: new entries and, of a new one, the table itself."""

    id: str
    log: list[StoredLine]
    summary: DeviceTableSummary
    """The table in the list of one's own, so that a page lists it without the engine."""
    table: StoredTable | UnsetType = UNSET


class Sent(msgspec.Struct, frozen=True):
    """A message for a session (`hosting.protocol.FromServer`)."""

    session: str
    message: msgspec.Raw


class RequestReply(msgspec.Struct, frozen=True):
    """The answer to a request, or its refusal."""

    id: int
    answer: Any = UNSET
    error: RequestRefusal | UnsetType = UNSET


class ThinkingQuestion(msgspec.Struct, frozen=True):
    """A question for the worker that thinks (`edition.methods`)."""

    id: int
    method: str
    arguments: Any


class Effects(msgspec.Struct, omit_defaults=True):
    """What follows from an event."""

    writes: list[Write] = msgspec.field(default_factory=list)
    deleted: list[str] = msgspec.field(default_factory=list)
    """Tables to delete from the store."""
    sent: list[Sent] = msgspec.field(default_factory=list)
    closed: list[str] = msgspec.field(default_factory=list)
    """Sessions that have ended; their last message says why."""
    replies: list[RequestReply] = msgspec.field(default_factory=list)
    questions: list[ThinkingQuestion] = msgspec.field(default_factory=list)
    cancelled: list[int] = msgspec.field(default_factory=list)
    """Questions whose answers no one waits for."""
    refused: RequestRefusal | None = None
    """The event is too large, too deep, or malformed; nothing was done."""
    load: str | None = None
    """The event concerns a table that must be loaded first: then repeat it. Nothing else was
    done."""
    wake_at: int | None = None
    """When the next tick is due, if no other event comes before."""


def make_refusal(error: DalapapaError) -> RequestRefusal:
    """A refusal with the code, the sentence and the status that the server gives."""
    return RequestRefusal(error.code, str(error), find_status(type(error)), error.values or UNSET)
