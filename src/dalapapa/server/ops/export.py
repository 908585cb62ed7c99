"""All tables as one file, and back: `dalapapa export` and `dalapapa import` (`docs/hosting.md`).

JSON lines: what the file is, one line for each table with its settings, seed and log, and at the
end how many there were, so that a file that was cut off is noticed. Nothing is believed: the whole
file is read and played through `log.advance` before the database is touched. A file that is none is
refused; a table that cannot be played on is left out, on the way out and on the way in, and named.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import asdict
from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from ...core.errors import BadInput, BrokenGame, DalapapaError, DamagedTable, OtherSet, Unavailable
from ...core.files import find_temporary_folder, format_name
from ...core.notation import shortened
from ...core.tiles import SetIdentity
from ...hosting.log import MAX_NAME, Entry, Settings, Written, read_entry, write_entry
from ..storage.quarantine import reading
from ..storage.store import ID, Found, Store, StoredEntry, StoredTable, attempts, challenges, finds
from .check import CODE, Checked, check_tables, played_through, problem
from .unpacking import MAX_SIZE_MB, MEGABYTE, BoundedWriter, check_size

MAX_LINE = 32_000_000
"""Bytes of a line: one table, whose log has at most 20,000 entries (`log.MAX_ENTRIES`)."""

MAX_HEAD = 1000
"""Bytes of the first line, which says what the file is."""

MAX_LOG = 200_000
"""Entries of a log that are read."""

MAX_LINES = 20_000_000
"""Of a file."""

MAX_BESIDE = 1_000_000
"""Challenges and counts of a file: they are in memory at once."""

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
    log: Annotated[tuple[EntryTold, ...], Meta(max_length=MAX_LOG)]
    set: SetIdentity | None = None
    """The dominoes it is played with. Early files name none: their tables had others."""


class Tail(msgspec.Struct, frozen=True, tag="end", tag_field="line", forbid_unknown_fields=True):
    """The last line: how many tables there were."""

    tables: int


class AttemptTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who has taken a challenge up."""

    owner: Annotated[str, Meta(max_length=64)]
    table_id: Annotated[str, Meta(max_length=32, pattern=f"^{ID.pattern}$")]
    at: Time
    name: Annotated[str, Meta(max_length=MAX_NAME)] | None = None


class ChallengeTold(
    msgspec.Struct, frozen=True, tag="challenge", tag_field="line", forbid_unknown_fields=True
):
    """After the tables: one challenge."""

    id: Annotated[str, Meta(max_length=32, pattern=f"^{ID.pattern}$")]
    created: Time
    changed: Time
    seed: Annotated[str, Meta(max_length=64)]
    settings: Settings
    attempts: Annotated[tuple[AttemptTold, ...], Meta(max_length=MAX_LOG)]


class FindsTold(
    msgspec.Struct, frozen=True, tag="finds", tag_field="line", forbid_unknown_fields=True
):
    """After the tables: how many have found the problem of a day."""

    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    kind: Literal["turn", "frame"]
    count: Annotated[int, Meta(ge=0, lt=2**31)]


Beside = ChallengeTold | FindsTold
"""What is kept beside tables."""

Line = Head | Told | ChallengeTold | FindsTold | Tail
_decoder = msgspec.json.Decoder(Line)


class Exported(msgspec.Struct, frozen=True):
    """What an export came to."""

    tables: int
    left_out: int
    """Tables of other dominoes, which nobody can open and no import would take."""
    damaged: int = 0
    """Tables that cannot be read or played on: left out as well."""


class Arrived(msgspec.Struct, frozen=True):
    """What an import came to."""

    new: int
    already: int
    """Tables that were there, and stay as they were."""
    damaged: int = 0
    """Tables that cannot be played on: left out."""


Tell = Callable[[str], None]
"""Takes a line about a table that is left out."""


def _nobody(_line: str) -> None:
    """Whoever does not ask is not told."""


# -- out -------------------------------------------------------------------------------------


async def export_tables(
    url: str, path: str, tell: Tell = _nobody, max_bytes: int | None = None, source: str = ""
) -> Exported:
    """Write all tables of a database that can be opened, as they are at one moment, to a file.

    `max_bytes` is for a database that is not trusted, `source` the name for its refusal.
    """
    count = left_out = damaged = 0
    async with opened_store(url, there=True) as store, aclosing(_everything(store)) as found:
        with _draft(path) as file:
            stream = BoundedWriter(file, source or path, max_bytes)
            stream.write(_line(Head()))
            async for one in found:
                try:
                    stream.write(_line(_told(one)))
                    count += 1
                except OtherSet:
                    left_out += 1
                except BrokenGame as error:
                    damaged += 1
                    tell(problem(error, "" if isinstance(one, DamagedTable) else one[0].id))
            for beside in await _beside(store):
                stream.write(_line(beside))
            stream.write(_line(Tail(count)))
    return Exported(count, left_out, damaged)


async def _beside(store: Store) -> list[Beside]:
    """Challenges with those who took them up, and counts."""
    async with store.transaction(patient=True) as connection:
        played: dict[str, list[AttemptTold]] = {}
        for row in await connection.execute(select(attempts).order_by(attempts.c.at)):
            told = AttemptTold(row.owner, row.table_id, row.at, row.name)
            played.setdefault(row.challenge, []).append(told)
        made: list[Beside] = [
            ChallengeTold(
                row.id, row.created, row.changed, row.seed,
                msgspec.json.decode(row.settings, type=Settings), tuple(played.get(row.id, ())),
            )
            for row in await connection.execute(select(challenges).order_by(challenges.c.id))
        ]  # fmt: skip
        counted = await connection.execute(select(finds).order_by(finds.c.date, finds.c.kind))
        return [*made, *(FindsTold(date, kind, count) for date, kind, count in counted)]


def _log(log: list[StoredEntry]) -> tuple[EntryTold, ...]:
    return tuple(
        [
            EntryTold(one.number, one.at, msgspec.to_builtins(write_entry(one.entry)), one.nonce)
            for one in log
        ]
    )


async def _everything(store: Store) -> AsyncGenerator[Found, None]:
    try:
        async with aclosing(store.everything()) as found:
            async for one in found:
                yield one
    except (OSError, SQLAlchemyError) as error:
        raise _unanswered(error) from None


def _unanswered(error: Exception) -> Unavailable:
    reason = (str(getattr(error, "orig", None) or error).splitlines() or ["no reason"])[0]
    return Unavailable(f"The database does not answer: {reason[:200]}.", "no_database")


def _told(found: Found) -> Told:
    """A table that an import would take."""
    if isinstance(found, DamagedTable):
        raise found
    table, log = found
    try:
        played_through(table, log)
    except DamagedTable as error:
        if error.kind != "unknown_game":  # Of one not installed here, an import elsewhere decides.
            raise
        if table.set is None:
            raise OtherSet("This table does not name its dominoes.") from None
    return Told(table.id, table.created, table.settings, table.seed, _log(log), table.set)


def _line(value: Line) -> bytes:
    return msgspec.json.encode(value) + b"\n"


@contextmanager
def _draft(path: str) -> Iterator[IO[bytes]]:
    """A file that takes its name when it is whole. Only its owner may read it: it holds seeds."""
    target = Path(path)
    draft = None
    try:
        if target.exists() and not target.is_file():
            raise BadInput(f"{format_name(path)}: this is not a file.", "unwritable_path")
        handle, draft = tempfile.mkstemp(prefix=".dalapapa-", dir=target.parent)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).replace(target)
        draft = None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{format_name(path)}: {reason}.", "unwritable_path") from None
    finally:
        if draft is not None:
            Path(draft).unlink(missing_ok=True)


async def check_database(url: str, tell: Tell) -> Checked:
    """Look at all tables of a database, and tell a line for each that is damaged."""
    try:
        async with opened_store(url, there=True) as store:
            return await check_tables(store, tell)
    except (OSError, SQLAlchemyError) as error:
        raise _unanswered(error) from None


# -- in --------------------------------------------------------------------------------------


async def import_tables(
    url: str, path: str, tell: Tell = _nobody, max_bytes: int = MAX_SIZE_MB * MEGABYTE
) -> Arrived:
    """Read the tables of a file (`-`: standard input) into a database, all that can be played on.

    A table that is there already stays as it is, for it may have gone on. A file of more than
    `max_bytes` is refused.
    """
    with _reading(path, max_bytes) as stream:
        name = "Standard input" if path == "-" else format_name(path)
        beside: list[Beside] = []
        found = _tables(stream, name, beside)
        phases = [_phase_or_none(line, where, tell) for line, where in found]
        stream.seek(0)
        coming = zip(_tables(stream, name), phases, strict=True)
        good = (
            _stored(line, phase)
            for (line, _), phase in coming
            if phase is not None and isinstance(line, Told)
        )
        async with opened_store(url) as store:
            new = await store.restore(good)
            await _take_in(store, beside)
    damaged = phases.count(None)
    return Arrived(new, len(phases) - damaged - new, damaged)


def _phase_or_none(told: Told | BadInput, where: str, tell: Tell) -> str | None:
    try:
        return _phase(told, where)
    except BadInput as error:
        tell(str(error))
        return None


@contextmanager
def _reading(path: str, max_bytes: int) -> Iterator[IO[bytes]]:
    """A file that is read twice; standard input is kept for that."""
    with ExitStack() as stack:
        try:
            if path != "-":
                stream: IO[bytes] = stack.enter_context(Path(path).open("rb"))
            else:
                stream = stack.enter_context(tempfile.TemporaryFile(dir=find_temporary_folder()))
                if sys.stdin is not None:
                    shutil.copyfileobj(
                        sys.stdin.buffer, BoundedWriter(stream, "Standard input", max_bytes)
                    )
            check_size("Standard input" if path == "-" else path, stream.seek(0, 2), max_bytes)
            stream.seek(0)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no file can have this name"
            raise BadInput(f"{format_name(path)}: {reason}.", "unreadable_file") from None
        yield stream


async def _take_in(store: Store, beside: list[Beside]) -> None:
    """What is kept beside tables; what is there already stays as it is."""
    added = (postgresql if store.postgres else sqlite).insert
    async with store.transaction(patient=True) as connection:
        for one in beside:
            row = asdict(one)
            if isinstance(one, FindsTold):
                await connection.execute(added(finds).values(row).on_conflict_do_nothing())
                continue
            played = row.pop("attempts")
            row["settings"] = msgspec.json.encode(one.settings).decode()
            await connection.execute(added(challenges).values(row).on_conflict_do_nothing())
            for attempt in played:
                values = {"challenge": one.id, **asdict(attempt)}
                await connection.execute(added(attempts).values(values).on_conflict_do_nothing())


def _tables(
    stream: IO[bytes], name: str, beside: list[Beside] | None = None
) -> Iterator[tuple[Told | BadInput, str]]:
    """The tables of a file, or why one is none, each with the place where it stands.

    What else there is goes to `beside`.
    """
    begins = stream.readline(MAX_HEAD + 1)
    if len(begins) > MAX_HEAD or not isinstance(_decode(begins, f"{name}, line 1"), Head):
        raise BadInput(f"{name}: this is not a file of tables.", CODE)
    seen: set[str] = set()
    count = others = 0
    for line in itertools.count(2):
        where = f"{name}, line {line}"
        if line > MAX_LINES or others > MAX_BESIDE:
            raise BadInput(f"{where}: a file cannot have more tables and challenges.", "too_large")
        match _read(stream, where):
            case ChallengeTold() | FindsTold() as more:
                others += 1
                if beside is not None:
                    beside.append(more)
                continue
            case Told() as told if told.id not in seen:
                seen.add(told.id)
                yield told, where
            case BadInput() as error:
                yield error, where
            case Tail(tables=tables) if tables == count and not stream.read(1):
                return
            case _:
                raise BadInput(f"{where}: this line does not belong here.", CODE)
        count += 1


def _read(stream: IO[bytes], where: str) -> Line | BadInput:
    line = stream.readline(MAX_LINE + 1)
    if len(line) > MAX_LINE:
        raise BadInput(f"{where}: more than {MAX_LINE} bytes.", "too_large")
    return _decode(line, where)


def _decode(line: bytes, where: str) -> Line | BadInput:
    if not line.endswith(b"\n"):
        raise BadInput(f"{where}: the file ends too early.", CODE)
    try:
        read: Line = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return BadInput(f"{where}: this is not a table: {error}.", CODE)
    return read


def _phase(told: Told | BadInput, where: str) -> str:
    """Play a table through, as the server would; where it stands then."""
    if isinstance(told, BadInput):
        raise told
    try:
        table, _, log = _stored(told, "")
        return played_through(table, log).phase
    except DamagedTable as error:
        place = where if error.entry is None else f"{where}, entry {error.entry}"
        raise BadInput(f"{place}: {error.what}", error.kind) from None
    except DalapapaError as error:
        raise BadInput(f"{where}: {error}", error.code) from None


def _entry(told: EntryTold) -> Entry:
    try:
        entry: Written = msgspec.convert(told.entry, Written)
    except msgspec.ValidationError as error:
        raise BadInput(f"this is not an entry: {error}.", CODE) from None
    if unknown := told.entry.keys() - {"type", *entry.__struct_fields__}:
        raise BadInput(f"this is not an entry: it has {shortened(min(unknown))}.", CODE)
    return read_entry(entry)


def _stored(told: Told, phase: str) -> tuple[StoredTable, str, list[StoredEntry]]:
    log = []
    for number, one in enumerate(told.log, start=1):
        with reading(told.id, number):
            if one.number != number:
                raise BadInput(f"its number is {one.number}.", CODE)
            log.append(StoredEntry(one.number, one.at, _entry(one), _mark(one.nonce)))
    return StoredTable(told.id, told.created, told.settings, told.seed, told.set), phase, log


def _mark(nonce: str | None) -> str | None:
    """A sender's mark; PostgreSQL keeps no text with a zero in it."""
    return None if nonce is None or "\0" in nonce else nonce


# -- the database ----------------------------------------------------------------------------


@asynccontextmanager
async def opened_store(url: str, there: bool = False) -> AsyncIterator[Store]:
    """A store, open; if it has to be there, a wrong name does not make an empty one."""
    store = Store(url)
    try:
        file = store.engine.url.database or ""
        if there and not store.postgres and not Path(file).is_file():
            name = format_name(file) or "Without a file"
            raise Unavailable(f"{name}: there is no such database.", "no_database")
        await store.open()
        yield store
    finally:
        await store.close()
