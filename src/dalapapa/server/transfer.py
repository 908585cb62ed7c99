"""All tables as one file, and back: `dalapapa export` and `dalapapa import` (`docs/hosting.md`).

JSON lines: what the file is, one line for each table with its settings, seed and log, and at the
end how many there were, so that a file that was cut off is noticed. Nothing is believed: the whole
file is played through `log.advance` before the database is touched; then all of it comes in, or
nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Annotated, Any, Literal

import msgspec
from msgspec import Meta
from sqlalchemy.exc import SQLAlchemyError

from ..bots import programs_of
from ..errors import BadInput, DalapapaError, Unavailable
from ..files import shown
from ..games import find
from ..notation import shortened
from ..tiles import SetIdentity, check_identity
from .log import (
    Entry,
    Rematched,
    Sat,
    Settings,
    Written,
    advance,
    opened,
    read_entry,
    tiles_of,
    write_entry,
)
from .store import ID, Store, StoredEntry, StoredTable

CODE = "bad_tables"
"""Of a file that is not what `export` writes."""

MAX_LINE = 256_000_000
"""Bytes of a line: more than a million moves."""

OWNER = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"[!-~]{1,64}")

Time = Annotated[int, Meta(ge=0, lt=2**53)]


class Head(msgspec.Struct, frozen=True, tag="head", tag_field="line", forbid_unknown_fields=True):
    """The first line."""

    format: Literal["dalapapa-tables/1"] = "dalapapa-tables/1"


class EntryTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a log, as `StoredEntry`."""

    number: int
    at: Time
    entry: dict[str, Any]
    nonce: Annotated[str, Meta(max_length=64)] | None = None


class Told(msgspec.Struct, frozen=True, tag="table", tag_field="line", forbid_unknown_fields=True):
    """A line in between: one table."""

    id: str
    created: Time
    settings: Settings
    seed: str
    log: tuple[EntryTold, ...]
    set: SetIdentity | None = None
    """The dominoes it is played with. Early files name none: their tables had others."""


class Tail(msgspec.Struct, frozen=True, tag="end", tag_field="line", forbid_unknown_fields=True):
    """The last line: how many tables there were."""

    tables: int


Line = Head | Told | Tail
_decoder = msgspec.json.Decoder(Line)


class Exported(msgspec.Struct, frozen=True):
    """What an export came to."""

    tables: int
    left_out: int
    """Tables of other dominoes, which nobody can open and no import would take."""


class Arrived(msgspec.Struct, frozen=True):
    """What an import came to."""

    new: int
    already: int
    """Tables that were there, and stay as they were."""


# -- out -------------------------------------------------------------------------------------


async def export_tables(url: str, path: str) -> Exported:
    """Write all tables of a database that can be opened, as they are at one moment, to a file."""
    count = left_out = 0
    async with _opened(url, there=True) as store, aclosing(_everything(store)) as found:
        with _draft(path) as stream:
            stream.write(_line(Head()))
            async for told in found:
                if _of_other_dominoes(told):
                    left_out += 1
                    continue
                stream.write(_line(told))
                count += 1
            stream.write(_line(Tail(count)))
    return Exported(count, left_out)


def _of_other_dominoes(told: Told) -> bool:
    try:
        return told.set != tiles_of(told.settings).identity
    except BadInput:  # A game that is not installed here: an import elsewhere decides.
        return told.set is None


async def _everything(store: Store) -> AsyncGenerator[Told, None]:
    try:
        async with aclosing(store.everything()) as found:
            async for table, log in found:
                yield Told(
                    table.id, table.created, table.settings, table.seed, _log(log), table.set
                )
    except msgspec.MsgspecError as error:
        raise BadInput(f"The database has a table that cannot be read: {error}.", CODE) from None
    except (OSError, SQLAlchemyError) as error:
        reason = (str(getattr(error, "orig", None) or error).splitlines() or ["no reason"])[0]
        raise Unavailable(f"The database does not answer: {reason[:200]}.", "no_database") from None


def _log(log: list[StoredEntry]) -> tuple[EntryTold, ...]:
    return tuple(
        [
            EntryTold(one.number, one.at, msgspec.to_builtins(write_entry(one.entry)), one.nonce)
            for one in log
        ]
    )


def _line(value: Line) -> bytes:
    return msgspec.json.encode(value) + b"\n"


@contextmanager
def _draft(path: str) -> Iterator[IO[bytes]]:
    """A file that takes its name when it is whole. Only its owner may read it: it holds seeds."""
    target = Path(path)
    draft = None
    try:
        if target.exists() and not target.is_file():
            raise BadInput(f"{shown(path)}: this is not a file.", "unwritable_path")
        handle, draft = tempfile.mkstemp(prefix=".dalapapa-", dir=target.parent)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).replace(target)
        draft = None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{shown(path)}: {reason}.", "unwritable_path") from None
    finally:
        if draft is not None:
            Path(draft).unlink(missing_ok=True)


# -- in --------------------------------------------------------------------------------------


async def import_tables(url: str, path: str) -> Arrived:
    """Read the tables of a file (`-`: standard input) into a database: all of them or none.

    A table that is there already stays as it is, for it may have gone on.
    """
    with _reading(path) as stream:
        name = "Standard input" if path == "-" else shown(path)
        phases = [_phase(told, where) for told, where in _tables(stream, name)]
        stream.seek(0)
        coming = zip(_tables(stream, name), phases, strict=True)
        async with _opened(url) as store:
            new = await store.restore(_stored(told, phase) for (told, _), phase in coming)
    return Arrived(new, len(phases) - new)


@contextmanager
def _reading(path: str) -> Iterator[IO[bytes]]:
    """A file that is read twice; standard input is kept for that."""
    with ExitStack() as stack:
        try:
            if path != "-":
                stream: IO[bytes] = stack.enter_context(Path(path).open("rb"))
            else:
                stream = stack.enter_context(tempfile.TemporaryFile())
                if sys.stdin is not None:
                    shutil.copyfileobj(sys.stdin.buffer, stream)
                stream.seek(0)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no file can have this name"
            raise BadInput(f"{shown(path)}: {reason}.", "unreadable_file") from None
        yield stream


def _tables(stream: IO[bytes], name: str) -> Iterator[tuple[Told, str]]:
    """The tables of a file, each with the place where it stands."""
    if not isinstance(_read(stream, f"{name}, line 1"), Head):
        raise BadInput(f"{name}: this is not a file of tables.", CODE)
    seen: set[str] = set()
    while True:
        where = f"{name}, line {len(seen) + 2}"
        match _read(stream, where):
            case Told() as told if told.id not in seen:
                seen.add(told.id)
                yield told, where
            case Tail(tables=tables) if tables == len(seen) and not stream.read(1):
                return
            case _:
                raise BadInput(f"{where}: this line does not belong here.", CODE)


def _read(stream: IO[bytes], where: str) -> Line:
    line = stream.readline(MAX_LINE + 1)
    if len(line) > MAX_LINE:
        raise BadInput(f"{where}: more than {MAX_LINE} bytes.", "too_large")
    if not line.endswith(b"\n"):
        raise BadInput(f"{where}: the file ends too early.", CODE)
    try:
        read: Line = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(f"{where}: this is not a table: {error}.", CODE) from None
    return read


def _phase(told: Told, where: str) -> str:
    """Play a table through, as the server would; where it stands then."""
    if not (ID.fullmatch(told.id) and SEED.fullmatch(told.seed)):
        raise BadInput(f"{where}: this is not the id or the seed of a table.", CODE)
    place = where
    try:
        known = programs_of(find(told.settings.game))
        for plan in told.settings.seats:
            if plan.program is not None and plan.program not in known:
                raise BadInput("There is no such program.", "unknown_bot")
        check_identity("This table", told.set, tiles_of(told.settings))
        state = opened(told.settings, told.seed, told.created)
        for number, one in enumerate(told.log, start=1):
            place = f"{where}, entry {number}"
            if one.number != number:
                raise BadInput(f"its number is {one.number}.", CODE)
            state = advance(state, _entry(one), one.at)
    except DalapapaError as error:
        raise BadInput(f"{place}: {error}", error.code) from None
    return state.phase


def _entry(told: EntryTold) -> Entry:
    try:
        entry: Written = msgspec.convert(told.entry, Written)
    except msgspec.ValidationError as error:
        raise BadInput(f"this is not an entry: {error}.", CODE) from None
    if unknown := told.entry.keys() - {"type", *entry.__struct_fields__}:
        raise BadInput(f"this is not an entry: it has {shortened(min(unknown))}.", CODE)
    # Owners and tables are compared as they are: they have to look like it.
    if isinstance(entry, Sat) and not OWNER.fullmatch(entry.owner):
        raise BadInput("its owner is not the hash of a token.", CODE)
    if isinstance(entry, Rematched) and not ID.fullmatch(entry.table):
        raise BadInput("its rematch is not a table.", CODE)
    return read_entry(entry)


def _stored(told: Told, phase: str) -> tuple[StoredTable, str, list[StoredEntry]]:
    log = [StoredEntry(one.number, one.at, _entry(one), _mark(one.nonce)) for one in told.log]
    return StoredTable(told.id, told.created, told.settings, told.seed, told.set), phase, log


def _mark(nonce: str | None) -> str | None:
    """A sender's mark; PostgreSQL keeps no text with a zero in it."""
    return None if nonce is None or "\0" in nonce else nonce


# -- the database ----------------------------------------------------------------------------


@asynccontextmanager
async def _opened(url: str, there: bool = False) -> AsyncIterator[Store]:
    """A store, open; if it has to be there, a wrong name does not make an empty one."""
    store = Store(url)
    try:
        file = store.engine.url.database or ""
        if there and not store.postgres and not Path(file).is_file():
            raise Unavailable(f"{shown(file)}: there is no such database.", "no_database")
        await store.open()
        yield store
    finally:
        await store.close()
