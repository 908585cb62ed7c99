"""Export and import of all tables as one file (`docs/operations.md`).

The file has JSON lines: a head, one line for each table with its settings, seed and log, and the
number of tables at the end, so that a truncated file is noticed. An import trusts nothing: it reads
and replays the whole file before it changes the database. A file in another form is refused; tables
that cannot be played on are left out of exports and imports, and reported.
"""

from __future__ import annotations

import itertools
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
from sqlalchemy.exc import SQLAlchemyError

from ...core.errors import BadInput, BrokenGame, DalapapaError, DamagedTable, OtherSet, Unavailable
from ...core.files import find_temporary_folder, format_name, make_draft, sync_file
from ...core.notation import shorten
from ...core.tiles import SetIdentity
from ...hosting.entries import Entry, Written, read_entry, write_entry
from ...hosting.settings import Settings
from ...hosting.state import MAX_NAME_LENGTH
from ...hosting.stored import StoredEntry, StoredTable
from ..storage.quarantine import reading
from ..storage.rows import ID, ReadResult
from ..storage.schema import attempts, challenges, finds
from ..storage.store import Store
from .check import CODE, CheckResult, check_tables, describe_broken_table, replay_checked
from .untrusted_files import MAX_SIZE_MB, MEGABYTE, BoundedWriter, check_size

MAX_LINE = 32_000_000
"""Bytes of a line: one table, whose log has at most 20,000 entries (`state.MAX_ENTRIES`)."""

MAX_HEAD = 1000
"""Bytes of the first line, which says what the file is."""

MAX_LOG = 200_000

MAX_LINES = 20_000_000

MAX_BESIDE = 1_000_000
"""The maximum number of challenges and counts in a file, which are all in memory together."""

Time = Annotated[int, Meta(ge=0, lt=2**53)]


class FileLine(msgspec.Struct, frozen=True, tag_field="line", forbid_unknown_fields=True):
    """A line of the file; `line` says which one."""


class Head(FileLine, frozen=True, tag="head"):
    """The first line."""

    format: Literal["dalapapa-tables/1"] = "dalapapa-tables/1"


class EntryLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a log, as `StoredEntry`."""

    number: int
    at: Time
    entry: dict[str, Any]
    nonce: Annotated[str, Meta(max_length=64)] | None = None


class TableLine(FileLine, frozen=True, tag="table"):
    """A line between head and end: one table."""

    id: str
    created: Time
    settings: Settings
    seed: str
    log: Annotated[tuple[EntryLine, ...], Meta(max_length=MAX_LOG)]
    set: SetIdentity | None = None
    """The dominoes it is played with. Early files name none: their tables had others."""


class Tail(FileLine, frozen=True, tag="end"):
    """The last line: how many tables there were."""

    tables: int


class AttemptLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attempt at a challenge."""

    owner: Annotated[str, Meta(max_length=64)]
    table_id: Annotated[str, Meta(max_length=32, pattern=f"^{ID.pattern}$")]
    at: Time
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] | None = None


class ChallengeLine(FileLine, frozen=True, tag="challenge"):
    """A line after the tables: one challenge."""

    id: Annotated[str, Meta(max_length=32, pattern=f"^{ID.pattern}$")]
    created: Time
    changed: Time
    seed: Annotated[str, Meta(max_length=64)]
    settings: Settings
    attempts: Annotated[tuple[AttemptLine, ...], Meta(max_length=MAX_LOG)]


class SolvedProblemLine(FileLine, frozen=True, tag="finds"):
    """A line after the tables: how many browsers have solved the problem of a day."""

    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    kind: Literal["turn", "frame"]
    count: Annotated[int, Meta(ge=0, lt=2**31)]


OtherLine = ChallengeLine | SolvedProblemLine

Line = Head | TableLine | ChallengeLine | SolvedProblemLine | Tail
_decoder = msgspec.json.Decoder(Line)


class ExportResult(msgspec.Struct, frozen=True):
    """How many tables were exported, and how many left out."""

    tables: int
    left_out: int
    """Tables of other dominoes, which cannot be opened or imported."""
    damaged: int = 0
    """Tables that cannot be read or played on: left out as well."""


class ImportResult(msgspec.Struct, frozen=True):
    """How many tables were imported, and how many left out."""

    new: int
    already: int
    """Tables that exist in the database; they stay as they are."""
    damaged: int = 0
    """Tables that cannot be played on: left out."""


Report = Callable[[str], None]


def _ignore(_line: str) -> None:
    """Drop a line."""


async def export_tables(
    url: str, path: str, report: Report = _ignore, max_bytes: int | None = None, source: str = ""
) -> ExportResult:
    """Write all tables of a database that can be opened, as they are at one moment, to a file.

    `max_bytes` is for a database that is not trusted, `source` the name for its refusal.
    """
    count = left_out = damaged = 0
    async with open_store(url, there=True) as store, aclosing(_read_all(store)) as found:
        with _write_file(path) as file:
            stream = BoundedWriter(file, source or path, max_bytes)
            stream.write(_line(Head()))
            async for one in found:
                try:
                    stream.write(_line(_table_line(one)))
                    count += 1
                except OtherSet:
                    left_out += 1
                except BrokenGame as error:
                    damaged += 1
                    id = "" if isinstance(one, DamagedTable) else one[0].id
                    report(describe_broken_table(error, id))
            for beside in await _read_other(store):
                stream.write(_line(beside))
            stream.write(_line(Tail(count)))
    return ExportResult(count, left_out, damaged)


async def _read_other(store: Store) -> list[OtherLine]:
    """Challenges with their attempts, and counts of solved problems."""
    async with store.transaction(patient=True) as connection:
        played: dict[str, list[AttemptLine]] = {}
        for row in await connection.execute(select(attempts).order_by(attempts.c.at)):
            attempt = AttemptLine(row.owner, row.table_id, row.at, row.name)
            played.setdefault(row.challenge, []).append(attempt)
        made: list[OtherLine] = [
            ChallengeLine(
                row.id, row.created, row.changed, row.seed,
                msgspec.json.decode(row.settings, type=Settings), tuple(played.get(row.id, ())),
            )
            for row in await connection.execute(select(challenges).order_by(challenges.c.id))
        ]  # fmt: skip
        counted = await connection.execute(select(finds).order_by(finds.c.date, finds.c.kind))
        return [*made, *(SolvedProblemLine(date, kind, count) for date, kind, count in counted)]


async def _read_all(store: Store) -> AsyncGenerator[ReadResult, None]:
    try:
        async with aclosing(store.read_all()) as found:
            async for one in found:
                yield one
    except (OSError, SQLAlchemyError) as error:
        raise _make_silence_error(error) from None


def _make_silence_error(error: Exception) -> Unavailable:
    reason = (str(getattr(error, "orig", None) or error).splitlines() or ["no reason"])[0]
    return Unavailable(f"The database does not answer: {reason[:200]}.", "no_database")


def _table_line(found: ReadResult) -> TableLine:
    """The line of a table; refuses one that an import would not take."""
    if isinstance(found, DamagedTable):
        raise found
    table, log = found
    try:
        replay_checked(table, log)
    except DamagedTable as error:
        if error.kind != "unknown_game":  # If the game is not installed here, the import decides.
            raise
        if table.set is None:
            raise OtherSet("This table does not name its dominoes.") from None
    lines = [
        EntryLine(one.number, one.at, msgspec.to_builtins(write_entry(one.entry)), one.nonce)
        for one in log
    ]
    return TableLine(table.id, table.created, table.settings, table.seed, tuple(lines), table.set)


def _line(value: Line) -> bytes:
    return msgspec.json.encode(value) + b"\n"


@contextmanager
def _write_file(path: str) -> Iterator[IO[bytes]]:
    """A stream to a file that gets its name when it is complete; only its owner may read it."""
    with make_draft(path) as draft:
        if Path(path).exists() and not Path(path).is_file():
            raise BadInput(f"{format_name(path)}: this is not a file.", "unwritable_path")
        with draft.open("wb") as stream:
            yield stream
        sync_file(draft)
        draft.replace(path)


async def check_database(url: str, report: Report) -> CheckResult:
    """Check all tables of a database, and report a line for each that is damaged."""
    try:
        async with open_store(url, there=True) as store:
            return await check_tables(store, report)
    except (OSError, SQLAlchemyError) as error:
        raise _make_silence_error(error) from None


async def import_tables(
    url: str, path: str, report: Report = _ignore, max_bytes: int = MAX_SIZE_MB * MEGABYTE
) -> ImportResult:
    """Read the tables of a file (`-`: standard input) into a database, if they can be played on.

    A table that exists stays as it is, because its game may have gone on. A file of more than
    `max_bytes` is refused.
    """
    with _reading(path, max_bytes) as stream:
        name = "Standard input" if path == "-" else format_name(path)
        beside: list[OtherLine] = []
        phases: list[str | None] = []
        for table_line, where in _tables(stream, name, beside):
            try:
                phases.append(_phase(table_line, where))
            except BadInput as error:
                report(str(error))
                phases.append(None)
        stream.seek(0)
        coming = zip(_tables(stream, name), phases, strict=True)
        good = (
            _read_stored(line, phase)
            for (line, _), phase in coming
            if phase is not None and isinstance(line, TableLine)
        )
        async with open_store(url) as store:
            new = await store.restore(good)
            await _store_other(store, beside)
    damaged = phases.count(None)
    return ImportResult(new, len(phases) - damaged - new, damaged)


@contextmanager
def _reading(path: str, max_bytes: int) -> Iterator[IO[bytes]]:
    """A file that can be read twice; standard input is copied for that."""
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


async def _store_other(store: Store, beside: list[OtherLine]) -> None:
    """Store challenges and counts; existing ones stay as they are."""
    async with store.transaction(patient=True) as connection:
        for one in beside:
            row = asdict(one)
            if isinstance(one, SolvedProblemLine):
                await connection.execute(store.insert_new(finds), row)
                continue
            played = row.pop("attempts")
            row["settings"] = msgspec.json.encode(one.settings).decode()
            await connection.execute(store.insert_new(challenges), row)
            rows = [{"challenge": one.id, **asdict(attempt)} for attempt in played]
            if rows:
                await connection.execute(store.insert_new(attempts), rows)


def _tables(
    stream: IO[bytes], name: str, beside: list[OtherLine] | None = None
) -> Iterator[tuple[TableLine | BadInput, str]]:
    """The tables of a file, or their errors, with their places; other lines go to `beside`."""
    begins = stream.readline(MAX_HEAD + 1)
    if len(begins) > MAX_HEAD or not isinstance(_decode(begins, f"{name}, line 1"), Head):
        raise BadInput(f"{name}: this is not an export of tables.", CODE)
    seen: set[str] = set()
    count = others = 0
    for line in itertools.count(2):
        where = f"{name}, line {line}"
        if line > MAX_LINES or others > MAX_BESIDE:
            raise BadInput(f"{where}: the file has too many tables or challenges.", "too_large")
        match _read(stream, where):
            case ChallengeLine() | SolvedProblemLine() as more:
                others += 1
                if beside is not None:
                    beside.append(more)
                continue
            case TableLine() as table_line if table_line.id not in seen:
                seen.add(table_line.id)
                yield table_line, where
            case BadInput() as error:
                yield error, where
            case Tail(tables=tables) if tables == count and not stream.read(1):
                return
            case _:
                raise BadInput(f"{where}: this line must not be here.", CODE)
        count += 1


def _read(stream: IO[bytes], where: str) -> Line | BadInput:
    line = stream.readline(MAX_LINE + 1)
    if len(line) > MAX_LINE:
        raise BadInput(f"{where}: the line has more than {MAX_LINE} bytes.", "too_large")
    return _decode(line, where)


def _decode(line: bytes, where: str) -> Line | BadInput:
    if not line.endswith(b"\n"):
        raise BadInput(f"{where}: the file ends too early.", CODE)
    try:
        read: Line = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return BadInput(f"{where}: this is not a table: {error}.", CODE)
    return read


def _phase(table_line: TableLine | BadInput, where: str) -> str:
    """Replay a table as the server would; return its phase after that."""
    if isinstance(table_line, BadInput):
        raise table_line
    try:
        table, _, log = _read_stored(table_line, "")
        return replay_checked(table, log).phase
    except DamagedTable as error:
        place = where if error.entry is None else f"{where}, entry {error.entry}"
        raise BadInput(f"{place}: {error.what}", error.kind) from None
    except DalapapaError as error:
        raise BadInput(f"{where}: {error}", error.code) from None


def _entry(entry_line: EntryLine) -> Entry:
    try:
        entry: Written = msgspec.convert(entry_line.entry, Written)
    except msgspec.ValidationError as error:
        raise BadInput(f"this is not an entry: {error}.", CODE) from None
    if unknown := entry_line.entry.keys() - {"type", *entry.__struct_fields__}:
        raise BadInput(
            f"this is not an entry: it has the unknown field {shorten(min(unknown))}.", CODE
        )
    return read_entry(entry)


def _read_stored(table_line: TableLine, phase: str) -> tuple[StoredTable, str, list[StoredEntry]]:
    log = []
    for number, one in enumerate(table_line.log, start=1):
        with reading(table_line.id, number):
            if one.number != number:
                raise BadInput(f"its number must be {number}, not {one.number}.", CODE)
            # PostgreSQL stores no text with a zero byte.
            nonce = None if "\0" in (one.nonce or "") else one.nonce
            log.append(StoredEntry(one.number, one.at, _entry(one), nonce))
    table = StoredTable(
        table_line.id, table_line.created, table_line.settings, table_line.seed, table_line.set
    )
    return table, phase, log


@asynccontextmanager
async def open_store(url: str, there: bool = False) -> AsyncIterator[Store]:
    """An open store; with `there`, a wrong name is refused instead of creating an empty one."""
    store = Store(url)
    try:
        file = store.engine.url.database or ""
        if there and not store.postgres and not Path(file).is_file():
            name = format_name(file) or "memory"
            raise Unavailable(f"There is no database in {name}.", "no_database")
        await store.open()
        yield store
    finally:
        await store.close()
