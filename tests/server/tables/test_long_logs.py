"""Long logs, the list of tables and taking back: made once, kept, bounded."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dalapapa.client import Refused, Server
from dalapapa.games.moves import Undo
from dalapapa.hosting import commands
from dalapapa.hosting.entries import Moved
from dalapapa.server.listings.lobby import MAX_LIST_AGE_S, drop_long_options
from dalapapa.server.payload import compress_async
from dalapapa.server.tables import undo_limit
from dalapapa.server.tables.registry import MAX_ENTRIES_PER_STEP
from tests.support import flooding
from tests.support.serving import LateClock, Served, refusal, served
from tests.support.thoroughness import daily
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Served]:
    """A server with a table that has a long log."""
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    await flooding.filled(database, 1500)
    async with served(database, share_an_address=1) as here:
        yield here


async def test_many_long_logs_are_replayed_in_turns(
    here: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each turn of the event loop about as much as of one table, so that no move waits."""
    stored, log = (
        await here.store.load(flooding.LONG_TABLE),
        await here.store.log(flooding.LONG_TABLE),
    )
    assert stored is not None
    ids = [f"copy{number}" for number in range(8)]
    for id in ids:
        await here.store.create(msgspec.structs.replace(stored, id=id), "playing", log[:200])
    registry = here.tables.registry
    applied: list[int] = [0]
    apply_entry = registry.apply_entry

    def apply_counted(*arguments: Any) -> None:
        applied[-1] += 1
        apply_entry(*arguments)

    async def count_turns() -> None:
        while True:
            await run_other_tasks()
            applied.append(0)

    monkeypatch.setattr(registry, "apply_entry", apply_counted)
    counting = asyncio.create_task(count_turns())
    found = await asyncio.gather(*map(here.tables.find, ids))
    counting.cancel()
    assert sum(applied) == 8 * 200
    assert {live.state.version for live in found} == {200}
    assert max(applied) <= 3 * MAX_ENTRIES_PER_STEP


@pytest.mark.parametrize("what", daily(["history", "record"], ["history"]))
async def test_a_long_log_is_replayed_once_for_all_callers(
    here: Served, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    lines = here.store.lines

    async def counted(id: str, most: int | None = None) -> Any:
        read.append(id)
        return await lines(id, most)

    async with Server(here.url) as server:
        await server.ask("GET", f"/tables/{flooding.LONG_TABLE}")  # Loaded.
        monkeypatch.setattr(here.store, "lines", counted)
        path = f"/tables/{flooding.LONG_TABLE}/{what}"
        found = await asyncio.gather(*(server.http.get(path) for _ in range(10)))
        assert {one.status_code for one in found} == {200}
        assert len({one.content for one in found}) == 1
        assert found[0].headers["content-encoding"] == "gzip"
        plain = await server.http.get(path, headers={"Accept-Encoding": "identity"})
        assert plain.content == found[0].content
        assert read == [flooding.LONG_TABLE]


@pytest.mark.thorough
async def test_one_address_can_have_few_long_logs_replayed_at_once(here: Served) -> None:
    places = here.services.long_logs
    for _ in range(2):
        places.take("127.0.0.1")
    async with Server(here.url) as server:
        path = f"/tables/{flooding.LONG_TABLE}/history"
        assert await refusal(server.ask("GET", path)) == "too_many"
        server.http.headers["X-Forwarded-For"] = "192.0.2.1"
        assert len(await server.ask("GET", path)) > 1000


async def test_answers_are_cached_within_bounds() -> None:
    async with served() as here:
        answers = here.services.answers
        answers.max_bytes = 1000
        for number in range(10):
            answer = await answers.get(number, 1, lambda: compress_async(bytes(range(256))))
            assert gzip.decompress(answer.gzipped) == answer.data
        assert answers.bytes <= 1000
        assert answers.find(9, 1) is not None
        assert answers.find(0, 1) is None
        await answers.get("long", 1, lambda: compress_async(b"x" * 2000))
        assert answers.find("long", 1) is None, "what has no room is not kept"
    assert (await compress_async(b"x" * 100_000)).size < 110_000


# -- the list of tables --------------------------------------------------------------------------


async def test_the_list_of_tables_is_cached_and_updated_immediately(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = LateClock()
    clock.stand()
    async with served(clock=clock) as here, Server(here.url) as server:
        looked = 0
        lobby = here.store.lobby

        async def counted(most: int) -> Any:
            nonlocal looked
            looked += 1
            return await lobby(most)

        monkeypatch.setattr(here.store, "lobby", counted)
        monkeypatch.setattr(here.tables, "find", None)  # Nothing is loaded for a list.
        new = await server.create(seats=[None, None], host="Ann", visibility="public")
        for most in (1, 50, 50, 100):
            assert len(await server.ask("GET", f"/tables?most={most}")) == 1
        assert looked == 1
        clock.ahead += int(1000 * MAX_LIST_AGE_S)
        await server.ask("GET", "/tables")
        assert looked == 2
        await server.create(seats=[None, None], host="Eve")
        await server.ask("GET", "/tables")
        assert looked == 2, "a private one changes nothing"
        monkeypatch.undo()
        await server.sit(new["id"], 1, "Bob")
        (answer,) = await server.ask("GET", "/tables")
        assert answer["phase"] == "playing"
        assert [seat["name"] for seat in answer["seats"]] == ["Ann", "Bob"]


async def test_long_options_are_sent_to_viewers_of_the_table_only() -> None:
    assert drop_long_options({"target": 60, "set": {"tiles": "x" * 300}, "n" * 300: 1}) == {
        "target": 60
    }
    async with served() as here, Server(here.url) as server:
        names = ["x" * 190, "y" * 190]
        new = await server.create(game="gone", options={"names": names}, visibility="public",
                                  seats=[None, None])  # fmt: skip
        assert new["table"]["options"] == {"names": names}
        (answer,) = await server.ask("GET", "/tables")
        assert answer["options"] == {}


# -- taking back ---------------------------------------------------------------------------------


async def test_undoing_again_and_again_cannot_fill_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_limit, "MAX_UNDOS_AT_ONCE", 5)
    clock = LateClock()
    clock.stand()
    async with served(clock=clock) as here, Server(here.url) as server:
        new = await server.create(
            game="puzzle", seats=[None, None], host="Ann", guests=["Bob"], countdown=0
        )
        path = f"/tables/{new['id']}/moves"

        async def play(move: str, player: int = 0, **more: Any) -> Any:
            body = {"player": player, "move": move, **more}
            return await server.ask("POST", path, new["token"], move=body)

        for _ in range(5):
            await play("take", tile="PRYGB")
            await play("put_back")
        await play("take", tile="PRYGB")
        answer = await server.http.post(
            path,
            json={"move": {"player": 0, "move": "put_back"}},
            headers={"Authorization": f"Bearer {new['token']}"},
        )
        assert (answer.status_code, answer.json()["code"]) == (429, "undone_too_fast")
        wait = int(answer.headers["retry-after"])
        assert wait == 1 / undo_limit.UNDOS_PER_SECOND
        await play("take", player=1, tile="PRYBG")
        await play("put_back", player=1)  # Everybody has their own.
        clock.ahead += 1000 * wait
        await play("put_back")
        await play("take", tile="PRYGB")
        with pytest.raises(Refused):
            await play("put_back")
        clock.ahead += 1_000_000
        monkeypatch.setattr(
            commands,
            "MAX_VERSION_TO_UNDO",
            (await server.ask("GET", f"/tables/{new['id']}"))["version"],
        )
        with pytest.raises(Refused) as caught:
            await play("put_back")
        assert caught.value.code == "too_much_undone"
        history = await server.ask("GET", f"/tables/{new['id']}/history")
        assert json.dumps(history).count('"went_back"') == 7
        await play("give_up")


async def test_people_never_reach_the_limit_of_undos() -> None:
    """A hundred times at once, and thirty times a minute for as long as a game takes."""
    clock = LateClock()
    clock.stand()
    made = undo_limit.UndoLimit(clock)
    async with served(clock=clock) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
        state = (await here.tables.find(new["id"])).state
        taking = Moved(Undo(0))
        for _ in range(100):
            made.check(state, taking)
        for _ in range(1800):
            clock.ahead += 2000
            made.check(state, taking)
