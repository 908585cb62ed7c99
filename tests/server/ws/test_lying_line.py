"""Whole games through a line that lies: the client plays them, and is never stranded."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import msgspec
import pytest

from dalapapa.client import Server
from tests.support.lying_line import Line
from tests.support.paths import ROOT
from tests.support.serving import PATIENCE, PLENTY, running, uncounted

pytestmark = pytest.mark.anyio

BUILD = ROOT / "scripts" / "build_web.py"

GAMES: dict[str, dict[str, Any]] = {
    "classic": {},
    "auction": {},
    "conquest": {},
    "gone": {},
    "72": {},
    "alex": {"options": {"end": "rounds", "rounds": 3}},
    "puzzle": {"seats": [None]},
    "arlequin": {"seats": [None]},
}
"""What each table has besides a person and a bot."""


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
async def test_whole_games_are_played_without_a_reload(seed: int) -> None:
    async with (
        running(messages_per_second=PLENTY, messages_at_once=PLENTY) as url,
        Server(url) as server,
    ):
        line = Line(url, seed)
        async with line.open() as near:
            tables = []
            for game, more in GAMES.items():
                asked = {"seats": [None, "random"], "host": "Ann", "pace": 0, "game": game, **more}
                new = await server.create(**asked)
                tables.append({"id": new["id"], "token": new["token"], "game": game})
            task = {"line": near, "server": url, "seed": seed, "tables": tables}
            player = await asyncio.create_subprocess_exec(
                sys.executable, os.fspath(BUILD), "node", "test.mjs", "player",
                env={**uncounted(), "PLAYER": msgspec.json.encode(task).decode()},
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            async with asyncio.timeout(PATIENCE):
                result, _ = await player.communicate()
        assert player.returncode == 0, result.decode()
        for table in tables:
            async with server.watch(table["id"], table["token"]) as seat:
                assert seat.table["phase"] == "over"
    assert min(line.lies.values()) > 0, f"it was an honest line: {line.lies}"
