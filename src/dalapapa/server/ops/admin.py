"""Operator actions on the tables of a running server: `dalapapa admin`.

They change the database beside its servers, which are notified immediately by PostgreSQL. With
SQLite, servers poll a counter of such changes in the file once a second.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import BadInput, DalapapaError, DamagedTable, NotFound, Unavailable
from ...core.notation import shorten
from ...hosting.entries import Closed, Entry, Forgotten, Sat, Written, write_entry
from ...hosting.settings import Settings
from ...hosting.state import FORGOTTEN_OWNER, MAX_SENTENCE_LENGTH, TableState, advance, remove_name
from ...hosting.stored import StoredEntry, replay_log
from ...hosting.tokens import hash_token
from ..clock import SYSTEM_CLOCK, SystemClock
from ..storage.archive import unpack
from ..storage.forgetting import erase_traces, forget_entries
from ..storage.notifications import DELETED, FORGOTTEN, note_admin_change, notify_of_entry
from ..storage.quarantine import reading
from ..storage.retention import DAY_MS, Retention, SweepResult, remove_attempt_names
from ..storage.retention_policy import RetentionPolicy
from ..storage.rows import ID, entry_columns, entry_row
from ..storage.schema import archive, attempts, entries, subscribers, tables
from ..storage.store import Store
from ..tables.tables import Tables
from ..workers.bots import BotWorkers
from .export import open_store

TOKEN = re.compile(r"(?:.*#seat=)?([\w-]{16,64})", re.ASCII)
"""A token, or the link of a seat, which contains one."""

MAX_GAMES_PER_QUERY = 100
"""Archived games that are searched together."""

GAME = re.compile(r'\{"game":"(\w+)"')
GAME_PREFIX_LENGTH = 50
"""Letters of a table's settings that contain the name of its game."""


class Filter(msgspec.Struct, frozen=True):
    """Selects tables; ages are days since the last entry."""

    phase: str | None = None
    game: str | None = None
    older: float | None = None
    newer: float | None = None

    def conditions(self, now: int) -> list[ColumnElement[bool]]:
        found: list[ColumnElement[bool]] = []
        if self.phase is not None:
            found.append(tables.c.phase == self.phase)
        if self.game is not None:
            begins = f'{{"game":"{self.game}"'
            found.append(func.substr(tables.c.settings, 1, len(begins)) == begins)
        if self.older is not None:
            found.append(tables.c.changed < now - int(self.older * DAY_MS))
        if self.newer is not None:
            found.append(tables.c.changed >= now - int(self.newer * DAY_MS))
        return found


class ListedTable(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    phase: str
    visibility: str
    created: int
    changed: int
    entries: int


class Overview(msgspec.Struct, frozen=True):
    """The latest of the selected tables, and how many there are of each kind."""

    count: int
    phases: dict[str, int]
    games: dict[str, int]
    archived: int
    """Games in the archive, which the other numbers do not include."""
    tables: list[ListedTable]


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat, without its token."""

    name: str | None
    program: str | None
    taken: bool
    away: bool


class TableInfo(msgspec.Struct, frozen=True):
    """A table, without its seed and its tokens."""

    id: str
    phase: str
    archived: bool
    created: int
    changed: int
    settings: Settings
    seats: tuple[SeatInfo, ...]
    entries: dict[str, int]
    bytes: int
    closed: str | None = None
    rematch: str | None = None
    trouble: str | None = None
    """Why it cannot be replayed, if it cannot."""


class ForgetResult(msgspec.Struct, frozen=True):
    """What `forget` has removed."""

    tables: int
    seats: int
    """Seats that are free now, or played by a bot."""
    names: int
    """Entries that had a name, and no longer do."""
    unknown: list[str]
    """Tokens and links that own nothing here, as they were given."""
    erased: bool
    """Whether the traces are gone from the files of the database, too (`forgetting.py`)."""


class Admin:
    """The operator actions on one database."""

    def __init__(self, store: Store, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.store = store
        self.clock = clock
        self.tables: Tables = Tables(store, BotWorkers(), clock)

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str) -> AsyncIterator[Admin]:
        async with open_store(url, there=True) as store:
            admin = cls(store)
            try:
                yield admin
            finally:
                await admin.tables.close()

    async def overview(self, wanted: Filter, most: int) -> Overview:
        conditions = wanted.conditions(self.clock.now())
        begins = func.substr(tables.c.settings, 1, GAME_PREFIX_LENGTH)
        counted = select(tables.c.phase, begins, func.count()).where(*conditions)
        size = select(func.count()).where(entries.c.table_id == tables.c.id).scalar_subquery()
        latest: Select[Any] = (
            select(tables.c.id, begins, tables.c.phase, tables.c.visibility, tables.c.created,
                   tables.c.changed, size)
            .where(*conditions).order_by(tables.c.changed.desc(), tables.c.id).limit(most)
        )  # fmt: skip
        phases: Counter[str] = Counter()
        games: Counter[str] = Counter()
        async with self.store.transaction() as connection:
            grouped = await connection.execute(counted.group_by(tables.c.phase, begins))
            for phase, start, count in grouped:
                phases[phase] += count
                games[_game(start)] += count
            rows = (await connection.execute(latest)).all()
            kept = await connection.scalar(select(func.count()).select_from(archive))
        listed = [ListedTable(id, _game(start), *facts) for id, start, *facts in rows]
        return Overview(
            phases.total(), dict(sorted(phases.items())), dict(sorted(games.items())),
            int(kept or 0), listed,
        )  # fmt: skip

    async def inspect(self, id: str) -> TableInfo:
        """One table, as far as it can be read."""
        _check(id)
        size = select(func.coalesce(func.sum(func.length(entries.c.entry)), 0))
        async with self.store.transaction() as connection:
            row = (await connection.execute(select(tables).where(tables.c.id == id))).first()
            length = await connection.scalar(size.where(entries.c.table_id == id))
            kept = (await connection.execute(select(archive).where(archive.c.id == id))).first()
        stored = await self.store.load(id)
        if stored is None:
            raise NotFound("There is no such table.", "unknown_table")
        archived = row is None and kept is not None
        phase = "over" if row is None else row.phase
        there = row if row is not None else kept
        changed = stored.created if there is None else there.changed
        if row is None and kept is not None:
            length = len(kept.data)
        log = await self.store.log(id)
        kinds = Counter(type(one.entry).__name__.lower() for one in log)
        seats: tuple[SeatInfo, ...] = ()
        trouble = closed = rematch = None
        try:
            state = replay_log(stored, log)
            closed, rematch = state.closed, state.rematch
            seats = tuple(
                SeatInfo(seat.name, seat.program, seat.owner is not None, seat.away)
                for seat in state.seats
            )
        except DalapapaError as error:
            trouble = str(error)
        return TableInfo(
            id, phase, archived, stored.created, changed, stored.settings, seats, dict(kinds),
            int(length or 0), closed, rematch, trouble,
        )  # fmt: skip

    async def close(self, id: str, sentence: str = "") -> int:
        """Close a table with one sentence for its viewers; return its new version."""
        _check(id)
        words = " ".join(sentence.split())
        if len(words) > MAX_SENTENCE_LENGTH:
            raise BadInput(
                f"The sentence can have at most {MAX_SENTENCE_LENGTH} characters.", "too_long"
            )
        live = await self.tables.find(id)
        entry = Closed(words) if words else Closed()
        version = await self.tables.commands.act(live, lambda _: entry)
        async with self._change():
            pass
        return version

    async def delete(self, ids: list[str]) -> int:
        """Delete tables; return how many of them existed."""
        for id in ids:
            _check(id)
        count = 0
        async with self._change() as connection:
            for id in ids:
                await connection.execute(delete(entries).where(entries.c.table_id == id))
                for kept in (tables, archive):
                    gone = await connection.execute(delete(kept).where(kept.c.id == id))
                    count += gone.rowcount
                await connection.execute(remove_attempt_names([id]))
                await notify_of_entry(self.store, connection, id, DELETED)
        return count

    async def forget(self, given: list[str]) -> ForgetResult:
        """Remove the names of the owners of tokens, or of links with tokens, from all tables.

        Seats at waiting tables are free again; in games, a bot plays. The moves stay in the records
        of the other players. Then the traces of this and of earlier calls are erased from the
        files.
        """
        owners = {word: hash_token(_token(word)) for word in given}
        seats = names = 0
        touched: set[str] = set()
        wanted = set(owners.values())
        known: set[str] = set()
        async with self._change() as connection:
            for kept in (attempts, subscribers):
                gone = delete(kept).where(kept.c.owner.in_(wanted)).returning(kept.c.owner)
                known.update((await connection.execute(gone)).scalars())
        is_archived = True
        while is_archived:  # A server may archive a game again before its turn comes.
            for owner in wanted:
                for id in await self._find_tables(owner):
                    touched.add(id)
                    known.add(owner)
                    freed, renamed = await self._forget(id, owner)
                    seats, names = seats + freed, names + renamed
            is_archived = await self._revive(wanted)
        async with self._change() as connection:
            await notify_of_entry(self.store, connection, "", FORGOTTEN)
        unknown = [word for word, owner in owners.items() if owner not in known]
        erased = await erase_traces(self.store)
        return ForgetResult(len(touched), seats, names, unknown, erased)

    async def _find_tables(self, owner: str) -> list[str]:
        """The tables, without the archive, where an entry gave a seat to an owner."""
        gave_seat = entries.c.entry.like('{"type":"%"owner":"' + owner + '"%')
        found = select(entries.c.table_id).where(gave_seat).distinct()
        async with self.store.transaction() as connection:
            return list((await connection.execute(found)).scalars())

    async def _revive(self, owners: set[str]) -> bool:
        """Take the games of owners out of the archive, where entries cannot be changed.

        Return whether there were any.
        """
        is_found = False
        last = ""
        while True:
            some = select(archive.c.id, archive.c.data).where(archive.c.id > last)
            async with self.store.reading() as connection:
                found = await connection.execute(
                    some.order_by(archive.c.id).limit(MAX_GAMES_PER_QUERY)
                )
                rows = found.all()
            if not rows:
                return is_found
            for row in rows:
                with suppress(DamagedTable), reading(row.id):
                    texts = [line.entry for line in unpack(row.id, row.data).log]
                    if any(owner in text for text in texts for owner in owners):
                        is_found |= await self.store.revive(row.id)
            last = rows[-1].id

    async def retire(self, keep: RetentionPolicy) -> SweepResult:
        """Archive and remove the tables that are due, as servers do regularly."""
        swept = await Retention(self.store, keep, self.clock).sweep()
        async with self._change():
            pass
        return swept

    async def _forget(self, id: str, owner: str) -> tuple[int, int]:
        """Free the seats of an owner at a table, and rewrite the entries with the name."""
        while True:  # Until no other process has written to this table meanwhile.
            state = await self._replay_readable(id)
            rename = _number_player if state is None else partial(remove_name, state.game)
            old = forget_entries(await self._readable_entries(id), owner, rename)
            now, new = self.clock.now(), []
            if state is not None:
                for seat in [n for n, seat in enumerate(state.seats) if seat.owner == owner]:
                    state = advance(state, entry := Forgotten(seat), now)
                    new.append(StoredEntry(state.version, now, entry))
            if await self._rewrite(id, old, new, "" if state is None else state.phase):
                return len(new), sum(isinstance(one, Sat) for one in old.values())
            await self.store.revive(id)  # It may have been archived meanwhile.

    async def _readable_entries(self, id: str) -> dict[int, Written]:
        """The readable entries of a table by number; a damaged table has others, too."""
        here = select(entries.c.number, entries.c.entry).where(entries.c.table_id == id)
        async with self.store.reading() as connection:
            rows = (await connection.execute(here.order_by(entries.c.number))).all()
        found: dict[int, Written] = {}
        for row in rows:
            with suppress(msgspec.DecodeError):
                found[row.number] = msgspec.json.decode(row.entry, type=Written)
        return found

    async def _replay_readable(self, id: str) -> TableState | None:
        """The state of a table; None if it is damaged or its game is not installed."""
        try:
            stored, log = await self.store.load(id), await self.store.log(id)
            if stored is None:
                return None
            return replay_log(stored, log)
        except Unavailable:
            raise
        except DalapapaError:
            return None

    async def _rewrite(
        self, id: str, old: dict[int, Entry], new: list[StoredEntry], phase: str
    ) -> bool:
        """Change old entries and append new ones, all or nothing.

        Return False if another process was first.
        """
        try:
            async with self._change() as connection:
                # Tables are archived under the same lock, so that no old entry gets there.
                locked = select(tables.c.id).where(tables.c.id == id).with_for_update()
                await connection.execute(locked)
                if new:
                    rows = [entry_columns(entry_row(id, one, "")) for one in new]
                    await connection.execute(insert(entries), rows)
                    change = {"changed": new[-1].at, "phase": phase}
                    await connection.execute(update(tables).where(tables.c.id == id).values(change))
                    await notify_of_entry(self.store, connection, id, new[-1].number)
                for number, entry in old.items():
                    text = msgspec.json.encode(write_entry(entry)).decode()
                    here = (entries.c.table_id == id) & (entries.c.number == number)
                    rewrite = update(entries).where(here).values(entry=text)
                    if (await connection.execute(rewrite)).rowcount != 1:
                        raise NotFound("There is no such entry.", "unknown_table")
        except NotFound:  # The number is taken, or the table is gone.
            return False
        return True

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that the servers of the database notice."""
        async with self.store.writing() as connection:
            yield connection
            await note_admin_change(self.store, connection)


def _check(id: str) -> None:
    if not ID.fullmatch(id):
        raise NotFound("There is no such table.", "unknown_table")


def _number_player(entry: Sat) -> Sat:
    """The entry with a number instead of a name, for games that are not installed."""
    return Sat(entry.seat, f"player {entry.seat + 1}", FORGOTTEN_OWNER)


def _token(given: str) -> str:
    found = TOKEN.fullmatch(given.strip())
    if found is None:
        raise BadInput(
            f"{shorten(given)} is neither a token nor a link to a seat: nothing was deleted.",
            "bad_token",
        )
    return found[1]


def _game(settings: str) -> str:
    found = GAME.match(settings)
    return found[1] if found else "?"
