"""What tests of tables do by the client of a server: moves, and waiting for what they bring."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from dalapapa.client import Refused, Server, Viewer
from tests.support.serving import PATIENCE, first


def take(player: int, tile: str) -> dict[str, Any]:
    """A move of Puzzle."""
    return {"player": player, "move": "take", "tile": tile}


def give_up(player: int) -> dict[str, Any]:
    return {"player": player, "move": "give_up"}


async def until(viewer: Viewer, true: Callable[[], Any]) -> None:
    """Wait until the viewer has heard of something."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await viewer.changed()


async def play_on(viewer: Viewer) -> None:
    """Play all own seats until the game is over."""
    async with asyncio.timeout(PATIENCE):
        while viewer.table["phase"] == "playing":
            for seat in viewer.yours:
                if moves := await viewer.legal(seat):
                    with contextlib.suppress(Refused):  # Another player was quicker.
                        await viewer.move(first(moves))
                    break
            else:
                await viewer.changed()


async def answer(
    server: Server, method: str, path: str, body: Any = None, token: str | None = None
) -> tuple[int, Any]:
    """The status and the JSON of an answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    given = await server.http.request(method, path, json=body, headers=headers)
    assert given.headers["content-type"] == "application/json"
    return given.status_code, given.json()
