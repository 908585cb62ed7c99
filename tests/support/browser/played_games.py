"""Games that are played by the client, while a browser waits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from dalapapa.client import Refused, Server
from dalapapa.core.tiles import standard
from tests.support.browser.process import Process
from tests.support.thoroughness import THOROUGH

T = TypeVar("T")


def run_in_thread(play: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in another thread: the browser has the event loop of this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, play).result()


def play_against_bot(server: Process, **settings: Any) -> tuple[str, str]:
    """Play a game against a bot to its end; return its table and the token of its player."""

    async def play() -> tuple[str, str]:
        async with Server(server.url) as at:
            new = await at.create(
                game="classic", seats=[None, "novice"], host="Ann", pace=0, **settings
            )
            await play_to_the_end(at, new["id"], new["token"])
            return new["id"], new["token"]

    return run_in_thread(play())


async def play_to_the_end(at: Server, table: str, token: str) -> None:
    async with at.watch(table, token) as seat:
        while seat.table["phase"] == "playing":
            if not (moves := await seat.legal(0)):
                await seat.changed()
                continue
            wanted = next((move for move in moves if move["move"] == "end"), moves[-1])
            try:
                await seat.move(wanted)
            except Refused:
                await seat.changed()


def choose_few_dominoes(game: str) -> dict[str, Any]:
    """Choose options for a short game; Gone is short anyway. `make test-all` plays with all."""
    if THOROUGH or game == "gone":
        return {}
    known = standard("72" if game == "72" else "120").tiles[:24]
    names = [{"name": one.name, "recto": one.face("+"), "verso": one.face("-")} for one in known]
    return {"set": names}
