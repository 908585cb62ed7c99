"""The history of a table for late viewers: the same events that earlier viewers got."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from dalapapa.client import Refused, Server
from tests.support.serving import first, running


def events(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for entry in history for event in entry["events"]]


@pytest.mark.parametrize("game", ["classic", "auction", "alex", "72"])
def test_history_equals_the_messages_on_the_sockets(game: str) -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(
                game=game, seats=[None, None], host="Ann", pace=0, countdown=0
            )
            path = f"/tables/{new['id']}/history"
            async with (
                server.watch(new["id"], new["token"]) as ann,
                server.watch(new["id"]) as spectator,
            ):
                assert await server.ask("GET", path, new["token"]) == []
                token = await server.sit(new["id"], 1, "Bob")
                async with server.watch(new["id"], token) as bob:
                    for _ in range(12):
                        for seat in (ann, bob):
                            with contextlib.suppress(Refused):
                                if moves := await seat.legal():
                                    await seat.move(first(moves))
                    version = max(ann.version, bob.version)
                    for viewer in (ann, spectator):
                        while viewer.version < version:
                            await viewer.changed()
                for viewer, key in ((ann, new["token"]), (spectator, None)):
                    answer = await server.ask("GET", path, key)
                    assert events(answer) == list(viewer.events)
                    numbers = [entry["version"] for entry in answer]
                    assert numbers == sorted(set(numbers))
                    assert all(entry["at"] > 0 for entry in answer)
                hidden = [e for e in events(answer) if e["event"] == "drew" and e["tiles"]]
                assert not hidden

    asyncio.run(go())


def test_history_is_refused_to_strangers() -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(seats=[None, "greedy"], host="Ann", spectators="none")
            path = f"/tables/{new['id']}/history"
            assert await server.ask("GET", path, new["token"])
            for token in (None, "wrong"):
                with pytest.raises(Refused) as refused:
                    await server.ask("GET", path, token)
                assert refused.value.code == "no_spectators"
            with pytest.raises(Refused) as refused:
                await server.ask("GET", "/tables/none/history")
            assert refused.value.code == "unknown_table"

    asyncio.run(go())


def test_after_the_end_history_shows_every_draw() -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(seats=["greedy", "greedy"], pace=0)
            async with server.watch(new["id"]) as spectator:
                while spectator.table["phase"] != "over":
                    await spectator.changed()
            answer = events(await server.ask("GET", f"/tables/{new['id']}/history"))
            assert all(event["tiles"] for event in answer if event["event"] == "drew")
            assert answer[-1]["event"] == "ended"

    asyncio.run(go())
