"""Whether the tables of a database can be played on: `dalapapa check` (`docs/operations.md`).

Every table is read and replayed, as the server does when a client opens it. Few are in memory at a
time, and a server may run meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import aclosing

import msgspec

from ...bots import list_bots
from ...core.errors import BadInput, BrokenGame, DamagedTable, OtherSet
from ...core.tiles import check_identity
from ...games import find_game
from ...hosting.entries import Entry, Rematched, Renewed, Sat
from ...hosting.settings import check_bots, find_tiles
from ...hosting.state import TableState, replay_states
from ...hosting.stored import StoredEntry, StoredTable
from ..storage.quarantine import mark_of, reading
from ..storage.rows import ID, TableRows
from ..storage.store import Store

CODE = "bad_tables"
"""The code for data that is not in the form of a table."""

OWNER = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"[!-~]{1,64}")


class CheckResult(msgspec.Struct):
    """How many tables were checked, and how many of them cannot be opened."""

    tables: int = 0
    damaged: int = 0
    early: int = 0
    """Tables of versions before November 2026, which had other dominoes: they cannot be opened."""


async def check_tables(store: Store, report: Callable[[str], None]) -> CheckResult:
    """Replay all tables, few at a time, and report a line for each that is damaged."""
    found = CheckResult()
    async with aclosing(store.rows(at_one_moment=False)) as rows:
        async for row in rows:
            found.tables += row.table is not None or row.data is not None
            try:
                _check(row)
            except OtherSet as error:
                if row.read()[0].set is None:
                    found.early += 1
                else:
                    found.damaged += 1
                    report(f"{_format_name(row.id)}: {error}")
            except BrokenGame as error:
                found.damaged += 1
                report(describe_broken_table(error, row.id))
    return found


def _check(rows: TableRows) -> None:
    table, log = rows.read()
    state = replay_checked(table, log)
    # Only finished games are archived.
    columns: list[tuple[str, object, str]] = [("phase", "over", state.phase)]
    if rows.table is not None:
        columns = [
            ("phase", rows.table.phase, state.phase),
            ("visibility", rows.table.visibility, state.settings.visibility),
        ]
    with reading(rows.id):
        for name, kept, true in columns:
            if kept != true:
                raise BadInput(f"its row says {name} {kept!r}, but its log says {true!r}.", CODE)


def describe_broken_table(error: BrokenGame, id: str = "") -> str:
    """A line for the operator: which table, at which entry, and what is wrong."""
    if not isinstance(error, DamagedTable):
        return f"{_format_name(id)}: {error}"
    place = "" if error.entry is None else f"entry {error.entry}: "
    return f"{_format_name(error.table)}: {place}{error.what}"


def _format_name(id: str) -> str:
    """The id of a table, and its mark in logs."""
    shown = id if isinstance(id, str) and ID.fullmatch(id) else ascii(id)
    return f"{shown} (#{mark_of(id)})"


def replay_checked(table: StoredTable, log: list[StoredEntry]) -> TableState:
    """The state after a whole log, with all checks; raises `DamagedTable`."""
    with reading(table.id):
        if not (ID.fullmatch(table.id) and SEED.fullmatch(table.seed)):
            raise BadInput("this is not the id or the seed of a table.", CODE)
        check_identity("This table", table.set, find_tiles(table.settings).identity)
        check_bots(table.settings, list_bots(find_game(table.settings.game)))
        entries = ((stored.entry, stored.at) for stored in log)
        states = replay_states(table.settings, table.seed, table.created, entries)
        state = next(states)
    for stored in log:
        with reading(table.id, stored.number):
            check_entry(stored.entry)
            state = next(states)
    return state


def check_entry(entry: Entry) -> None:
    """Refuse owners and rematches that are not in the form of hashes and ids."""
    if isinstance(entry, Sat | Renewed) and not OWNER.fullmatch(entry.owner):
        raise BadInput("its owner must be the hash of a token.", CODE)
    if isinstance(entry, Rematched) and not ID.fullmatch(entry.table):
        raise BadInput("its rematch must be the id of a table.", CODE)
