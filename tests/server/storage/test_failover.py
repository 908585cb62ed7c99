"""A PostgreSQL with a standby: the primary is killed, the standby promoted, and games go on."""

from __future__ import annotations

import asyncio
import os
import signal
from urllib.parse import urlsplit

import pytest

from tests.support import postgres
from tests.support.crash import Party, started
from tests.support.postgres import Cluster, run_sql
from tests.support.serving import PATIENCE
from tests.support.waiting import wait_until

TABLES = 3
SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = '*'"
CONNECTED = "SELECT sync_state FROM pg_stat_replication"


def make_url(*clusters: Cluster) -> str:
    """One URL for both: the servers connect to the one that accepts writes."""
    hosts = "&".join(f"host=127.0.0.1:{urlsplit(each.url).port}" for each in clusters)
    name = urlsplit(clusters[0].url).path.removeprefix("/")
    return f"postgresql+asyncpg://dalapapa@/{name}?{hosts}&target_session_attrs=primary"


async def play_through_failover(primary: Cluster, standby: Cluster) -> int:
    """Kill the primary in the middle of games; how many moves were acknowledged and are there."""
    async with started(make_url(primary, standby), 2) as servers:
        party = Party(servers)
        tables = [await party.create("classic", [None, None]) for _ in range(TABLES)]
        async with asyncio.TaskGroup() as group:
            for table, token in tables:
                group.create_task(party.watch(table))
                for seat in (0, 1):
                    group.create_task(party.play(table, token, seat))
            await party.some_moves(30)
            os.kill(primary.pid, signal.SIGKILL)
            await asyncio.to_thread(run_sql, standby.url, "SELECT pg_promote()")
            await party.some_moves(30)
        acknowledged = await party.check()
        await party.verify_records()
        return acknowledged


@pytest.mark.thorough
def test_no_acknowledged_move_is_lost_when_the_primary_dies() -> None:
    """With synchronous replication, as docs/scaling.md describes it."""
    with postgres.killable() as primary, postgres.standby(primary) as standby:
        run_sql(primary.url, SYNCHRONOUS)
        run_sql(primary.url, "SELECT pg_reload_conf()")

        async def play() -> int:
            state = await wait_until(lambda: run_sql(primary.url, CONNECTED), "the standby")
            assert state in {"sync", "async"}
            await wait_until(lambda: run_sql(primary.url, CONNECTED) == "sync", "synchronous")
            async with asyncio.timeout(PATIENCE):
                return await play_through_failover(primary, standby)

        assert asyncio.run(play()) > 60
