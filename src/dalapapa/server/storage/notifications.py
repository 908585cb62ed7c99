"""Notifications between server processes: PostgreSQL's NOTIFY, and a counter in SQLite files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from .store import Store
from .writer import CHANNEL

DELETED = 0
"""The number of an entry that announces that its table was deleted."""

FORGOTTEN = -1
"""The number of an entry that announces that names were removed: servers clear their caches."""

PRESENCE_CHANNEL = "dalapapa_company"
"""The channel of presence (`tables/presence_bus.py`)."""

HEARTBEAT_TIMEOUT_S = 5
"""Silence after which a listener asks whether PostgreSQL is still there."""

_NOTIFY_ENTRY = select(func.pg_notify(CHANNEL, bindparam("news")))
_NOTIFY_PRESENCE = select(func.pg_notify(PRESENCE_CHANNEL, bindparam("news")))


async def notify_of_entry(
    store: Store, connection: AsyncConnection, table: str, number: int
) -> None:
    """Notify all processes of an entry when the transaction commits (PostgreSQL only)."""
    if store.postgres:
        await connection.execute(_NOTIFY_ENTRY, {"news": f"{table} {number}"})


async def publish_presence(store: Store, posts: list[str]) -> None:
    """Send posts about presence to all processes (PostgreSQL only)."""
    async with store.transaction() as connection:
        await connection.execute(_NOTIFY_PRESENCE, [{"news": post} for post in posts])


async def receive_notifications(
    store: Store,
    on_entry: Callable[[str, int], None],
    on_begin: Callable[[], None],
    on_presence: Callable[[str], None],
) -> None:
    """Call back for each entry that other processes append, and each post (PostgreSQL only).

    Calls `on_begin` as soon as it listens, because earlier notifications may have been missed.
    Returns, or raises, when the connection is lost.
    """
    ended = asyncio.Event()

    def receive_entries(_connection: Any, process: int, _channel: str, payload: str) -> None:
        if process != store.writer_process:  # Our own are applied already.
            for item in payload.split(","):
                table, _, number = item.rpartition(" ")
                on_entry(table, int(number))

    def receive_post(_connection: Any, _process: int, _channel: str, payload: str) -> None:
        on_presence(payload)

    async with store.answer_timeout() as timeout, store.engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        driver.add_termination_listener(lambda _: ended.set())
        try:
            await driver.add_listener(CHANNEL, receive_entries)
            await driver.add_listener(PRESENCE_CHANNEL, receive_post)
            timeout.reschedule(None)
            on_begin()
            while not ended.is_set():
                try:
                    async with asyncio.timeout(HEARTBEAT_TIMEOUT_S):
                        await ended.wait()
                except TimeoutError:
                    await driver.execute("SELECT 1", timeout=HEARTBEAT_TIMEOUT_S)
        finally:
            await connection.invalidate()


async def count_admin_changes(store: Store) -> int:
    """How many changes `dalapapa admin` has made in this file (SQLite only)."""
    async with store.autocommit() as connection:
        found = await connection.exec_driver_sql("PRAGMA user_version")
        return int(found.scalar_one())


async def note_admin_change(store: Store, connection: AsyncConnection) -> None:
    """Count a change in a file of SQLite, which servers poll; PostgreSQL has notifications."""
    if not store.postgres:
        found = await connection.exec_driver_sql("PRAGMA user_version")
        count = int(found.scalar_one()) % 2_000_000_000 + 1
        await connection.exec_driver_sql(f"PRAGMA user_version = {count}")
