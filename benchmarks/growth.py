"""A database with a million finished games beside an empty one, and an archive in partitions.

    python -m benchmarks growth            (a million: some 7 GB in temporary files, and minutes)
    GROWTH=50000 python -m benchmarks growth

Both databases are asked in turn, three times; each figure is the middle one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from sqlalchemy import text

from dalapapa.server.storage.store import Store
from tests.support import growing, postgres

from .report import Column, Effort, Row, Rows, Section, format_time

GAMES = int(os.environ.get("GROWTH", "1_000_000"))
LIVE = GAMES // 50
"""Tables that wait for players or play, beside them."""

ROUNDS = 3
MONTHS = 36
PARTITIONED = min(GAMES, 200_000)
"""Rows of the archive that are kept both ways."""

WHAT = {
    "start": "start-up of the store",
    "lobby": "list of 50 tables",
    "open_live": "a table read",
    "open_archived": "an archived table read",
    "create": "a table set up",
    "move": "a move kept",
    "archive": "a game archived, in a batch",
    "export": "the first tables of an export",
}


async def fill(url: str, games: int, live: int) -> tuple[float, float]:
    """Seconds that it took, and bytes of the database for each archived game."""
    store = Store(url)
    await store.open()
    try:
        began = time.perf_counter()
        await growing.fill(store, games, 0)
        size = await _size(store)
        if live:
            await growing.fill_live(store, live)
        return time.perf_counter() - began, size / max(1, games)
    finally:
        await store.close()


async def _size(store: Store) -> float:
    async with store.reading() as connection:
        if store.postgres:
            asked = text("SELECT pg_total_relation_size('archive')")
            return float((await connection.execute(asked)).scalar_one())
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
        return float(pages) * float(
            (await connection.execute(text("PRAGMA page_size"))).scalar_one()
        )


@contextlib.contextmanager
def databases() -> Iterator[dict[str, tuple[str, str]]]:
    """For each kind of store, one that stays empty and one to fill."""
    with tempfile.TemporaryDirectory() as folder, postgres.server() as url:
        files = [f"sqlite+aiosqlite:///{folder}/{name}.db" for name in ("empty", "full")]
        yield {
            "SQLite": (files[0], files[1]),
            "PostgreSQL": (postgres.fresh_database(url), postgres.fresh_database(url)),
        }


def measure(_effort: Effort) -> Rows:
    rows: Rows = {}
    with databases() as found:
        for kind, (empty, full) in found.items():
            asyncio.run(fill(empty, growing.DIFFERENT, 0))
            seconds, size = asyncio.run(fill(full, GAMES, LIVE))
            print(f"{kind}: {GAMES:,} games in {seconds:.0f} s, {size:,.0f} bytes each",
                  file=sys.stderr)  # fmt: skip
            times: dict[str, list[Any]] = {empty: [], full: []}
            for _ in range(ROUNDS):
                for url, kept in times.items():
                    kept.append(asyncio.run(growing.measured(url)))
            for name, what in WHAT.items():
                rows[f"{kind}: {what}"] = {
                    "empty": median(getattr(one, name) for one in times[empty]),
                    "full": median(getattr(one, name) for one in times[full]),
                }
        rows.update(asyncio.run(partitions(found["PostgreSQL"][1])))
    return rows


async def partitions(url: str) -> Rows:
    """The archive as one table beside one with a partition a month: find, and delete a month."""
    store = Store(url)
    await store.open()
    try:
        async with store.writing() as connection:

            async def do(statement: str) -> None:
                await connection.exec_driver_sql(statement)

            columns = "id varchar(32), created bigint, changed bigint, seen bigint, data bytea"
            await do(f"CREATE TABLE plain ({columns}, PRIMARY KEY (id))")
            await do("CREATE INDEX ON plain (changed)")
            await do(f"CREATE TABLE parts ({columns}, PRIMARY KEY (id, changed))"
                     " PARTITION BY RANGE (changed)")  # fmt: skip
            for month in range(MONTHS):
                await do(f"CREATE TABLE part{month} PARTITION OF parts"
                         f" FOR VALUES FROM ({month}) TO ({month + 1})")  # fmt: skip
            for kept in ("plain", "parts"):
                await do(f"ALTER TABLE {kept} ALTER data SET STORAGE EXTERNAL")
            await do("INSERT INTO plain SELECT id, created,"
                     f" (row_number() OVER () * {MONTHS} - 1) / {PARTITIONED}, seen, data"
                     f" FROM archive LIMIT {PARTITIONED}")  # fmt: skip
            await do("INSERT INTO parts SELECT * FROM plain")
        async with store.autocommit() as connection:
            await connection.execute(text("VACUUM ANALYZE"))
        found: dict[str, dict[str, float]] = {}
        for kept in ("plain", "parts"):
            async with store.reading() as connection:
                asked = text("SELECT id FROM plain ORDER BY md5(id) LIMIT 300")
                ids = (await connection.execute(asked)).scalars().all()
                times = []
                for id in ids:
                    began = time.perf_counter()
                    one = text(f"SELECT data FROM {kept} WHERE id = :id")
                    (await connection.execute(one, {"id": id})).one()
                    times.append(time.perf_counter() - began)
            began = time.perf_counter()
            async with store.writing() as connection:
                gone = (
                    "DELETE FROM plain WHERE changed = 0" if kept == "plain" else "DROP TABLE part0"
                )
                await connection.exec_driver_sql(gone)
            found[kept] = {"find": median(times), "month": time.perf_counter() - began}
        async with store.writing() as connection:
            await connection.exec_driver_sql("DROP TABLE plain")
            await connection.exec_driver_sql("DROP TABLE parts")
    finally:
        await store.close()
    month = PARTITIONED // MONTHS
    titles = {"find": f"one of {PARTITIONED:,} found", "month": f"a month of {month:,} deleted"}
    return {
        f"{MONTHS} partitions instead of one table: {title}": {
            "empty": found["plain"][name],
            "full": found["parts"][name],
        }
        for name, title in titles.items()
    }


def _ratio(row: Row) -> str:
    return f"{row['full'] / row['empty']:.2f}"


RATIO = Column("ratio", _ratio)
SECTION = Section(
    f"Growth: {GAMES:,} archived games and {LIVE:,} live tables beside none",
    (
        Column("empty (one table)", lambda row: format_time(row["empty"])),
        Column("full (partitions)", lambda row: format_time(row["full"])),
        RATIO,
    ),
    RATIO,
    measure,
)
