"""Databases as earlier versions left them."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from dalapapa.server.storage import migrations
from dalapapa.server.storage.store import Store
from tests.support.paths import FIXTURES

VERSIONS = {"0.1.0": "0002"}
"""Versions of the product, and of the database schema that each had."""


def read_old_tables(version: str) -> list[dict[str, Any]]:
    """Read what the tables of a version came to, as its fixture says."""
    found: list[dict[str, Any]] = json.loads((FIXTURES / f"version-{version}.json").read_text())
    return found


async def fill_old_database(database: str, version: str) -> None:
    """Fill an empty database as a version left it."""
    sql = gzip.decompress((FIXTURES / f"version-{version}.sql.gz").read_bytes()).decode()
    store = Store(database)
    if not store.postgres:
        with closing(sqlite3.connect(store.engine.url.database or "")) as connection:
            connection.executescript(sql)
        return
    with closing(sqlite3.connect(":memory:")) as source:
        source.executescript(sql)
        source.row_factory = sqlite3.Row
        rows = {
            table: [dict(row) for row in source.execute(f"SELECT * FROM {table}")]
            for table in ("tables", "entries")
        }
    async with store.engine.begin() as target:
        await target.run_sync(upgrade_schema, VERSIONS[version])
        for table, found in rows.items():
            columns = list(found[0])
            values = ", ".join(f":{name}" for name in columns)
            insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"
            await target.execute(text(insert), found)
    await store.engine.dispose()


def upgrade_schema(connection: Connection, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))
    config.attributes["connection"] = connection
    command.upgrade(config, version)
