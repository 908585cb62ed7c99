"""A full disk: moves are refused, nothing is lost or doubled, and play goes on with more room."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import event

from dalapapa.client import RefusedForNow, Server
from dalapapa.server.tables import driver as driver_module
from dalapapa.server.tables import sync as sync_module
from tests.support.online_games import choose_move
from tests.support.serving import PATIENCE, Served, served

pytestmark = pytest.mark.anyio


class Disk:
    """How much room the database has: SQLite refuses more as on a disk that is full."""

    def __init__(self, here: Served) -> None:
        self.pages = 2**30
        event.listen(here.store.engine.sync_engine, "checkout", self._limit)
        appender: Any = here.store.appender
        self._connect = appender.connect
        appender.connect = self._limited

    def _limited(self) -> Any:
        connection = self._connect()
        self._limit(connection)
        return connection

    def _limit(self, connection: Any, *_: object) -> None:
        cursor = connection.cursor()
        # Never less than there is.
        cursor.execute(f"PRAGMA max_page_count = {self.pages}")
        cursor.close()


async def test_moves_are_refused_while_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for module in (driver_module, sync_module):
        monkeypatch.setattr(module, "RETRY_DELAY_S", 0.02)
    async with asyncio.timeout(PATIENCE), served() as here, Server(here.url) as server:
        disk = Disk(here)
        new = await server.create(game="classic", seats=[None, None], host="A", guests=["B"])
        robots = await server.create(game="classic", seats=["novice"] * 2, pace=0)
        async with server.watch(new["id"], new["token"]) as seat:
            accepted = [await seat.move(await choose_move(seat), id="first")]
            disk.pages = 1
            async with server.watch(robots["id"]) as robot:
                refused, number, move = 0, 0, await choose_move(seat)
                while refused < 5:  # There may be some room in the last page.
                    number += 1
                    try:
                        accepted.append(await seat.move(move, id=f"move {number}"))
                        move = await choose_move(seat)
                    except RefusedForNow as error:
                        assert error.code == "no_database"
                        refused += 1
                table = {"game": "classic", "seats": [None, None], "host": "C"}
                made = [server.create(**table) for _ in range(20)]
                answers = await asyncio.gather(*made, return_exceptions=True)
                assert isinstance(answers[-1], RefusedForNow)
                # Who looks is still answered.
                assert (await server.ask("GET", f"/tables/{new['id']}"))["version"] == accepted[-1]
                assert (await here.store.log(new["id"]))[-1].number == accepted[-1]
                stood = robot.version
                disk.pages = 2**30
                accepted.append(await seat.move(move, id=f"move {number}"))
                assert await seat.move(move, id=f"move {number}") == accepted[-1], "not made twice"
                while robot.version < stood + 3:  # Programs go on by themselves.
                    await robot.changed()
        log = await here.store.log(new["id"])
        assert [one.number for one in log] == list(range(1, len(log) + 1))
        assert accepted == list(range(3, len(log) + 1))
    assert "full" in caplog.text, "the log says why"
