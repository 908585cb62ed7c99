"""The schema of the database, version by version (Alembic)."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

LOCK_ID = 720_120
"""A number that no other program uses in PostgreSQL's advisory locks."""

FOLDER = Path(__file__).parent


def newest() -> str:
    """The version of the schema that this program works with."""
    return max(path.name for path in FOLDER.glob("versions/[0-9]*.py"))[:4]


async def upgrade(engine: AsyncEngine) -> None:
    """Bring the schema up to date; processes that start together wait for each other."""
    async with engine.connect() as connection:
        if await connection.run_sync(_version) == newest():
            return
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK_ID})
        else:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        await connection.run_sync(_upgrade)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _upgrade(connection: Connection) -> None:
    from alembic import command  # Slow to import, and seldom needed.
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
