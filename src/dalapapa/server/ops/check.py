"""Whether the tables of a database can be played on: `dalapapa check` (`docs/hosting.md`).

Every table is read and played through, as the server does when somebody opens it. Few are in memory
at once, and a server may go on meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import aclosing

import msgspec

from ...core.errors import BadInput, BrokenGame, DamagedTable, OtherSet
from ...core.tiles import check_identity
from ...hosting.log import Entry, Rematched, Renewed, Sat, TableState, advance, opened, tiles_of
from ..storage.quarantine import mark_of, reading
from ..storage.store import ID, Rows, Store, StoredEntry, StoredTable
from ..tables.settings import check_bots

CODE = "bad_tables"
"""Of what is not in the form of a table."""

OWNER = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"[!-~]{1,64}")


class Checked(msgspec.Struct):
    """What a look at all tables came to."""

    tables: int = 0
    damaged: int = 0
    early: int = 0
    """Tables of versions before November 2026, which had other dominoes: nobody can open them."""


async def check_tables(store: Store, tell: Callable[[str], None]) -> Checked:
    """Look at all tables, and tell a line for each that is damaged."""
    found = Checked()
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
                    tell(f"{_named(row.id)}: {error}")
            except BrokenGame as error:
                found.damaged += 1
                tell(problem(error, row.id))
    return found


def _check(rows: Rows) -> None:
    table, log = rows.read()
    state = played_through(table, log)
    said: list[tuple[str, object, str]] = [
        ("phase", "over", state.phase)
    ]  # Only games that are over are archived.
    if rows.table is not None:
        said = [
            ("phase", rows.table.phase, state.phase),
            ("visibility", rows.table.visibility, state.settings.visibility),
        ]
    with reading(rows.id):
        for name, kept, true in said:
            if kept != true:
                raise BadInput(f"its row says {name} {kept!r}, but it is {true!r}.", CODE)


def problem(error: BrokenGame, id: str = "") -> str:
    """A line for who may see the database: which table, at which entry, and what is wrong."""
    if not isinstance(error, DamagedTable):
        return f"{_named(id)}: {error}"
    place = "" if error.entry is None else f"entry {error.entry}: "
    return f"{_named(error.table)}: {place}{error.what}"


def _named(id: str) -> str:
    """A table by its id and, as logs name it, by its mark."""
    shown = id if isinstance(id, str) and ID.fullmatch(id) else ascii(id)
    return f"{shown} (#{mark_of(id)})"


def played_through(table: StoredTable, log: list[StoredEntry]) -> TableState:
    """The state after a whole log, as the server would come to it; raises `DamagedTable`."""
    with reading(table.id):
        if not (ID.fullmatch(table.id) and SEED.fullmatch(table.seed)):
            raise BadInput("this is not the id or the seed of a table.", CODE)
        check_identity("This table", table.set, tiles_of(table.settings))
        check_bots(table.settings)
        state = opened(table.settings, table.seed, table.created)
    for one in log:
        with reading(table.id, one.number):
            check_entry(one.entry)
            state = advance(state, one.entry, one.at)
    return state


def check_entry(entry: Entry) -> None:
    """Owners and tables are compared as they are: they have to look like it."""
    if isinstance(entry, Sat | Renewed) and not OWNER.fullmatch(entry.owner):
        raise BadInput("its owner is not the hash of a token.", CODE)
    if isinstance(entry, Rematched) and not ID.fullmatch(entry.table):
        raise BadInput("its rematch is not a table.", CODE)
