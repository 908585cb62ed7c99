"""A PostgreSQL that hangs (SIGSTOP) is reported within seconds; nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from unittest import mock

import asyncpg
import pytest

from benchmarks.soak.servers import children
from dalapapa.client import RefusedForNow, Server, Viewer
from dalapapa.core.errors import Unavailable
from dalapapa.server.app import ROUTES
from dalapapa.server.http.openapi import build_openapi
from dalapapa.server.storage import notifications
from dalapapa.server.storage.connection import engine as engine_module
from dalapapa.server.storage.connection import failures
from dalapapa.server.storage.store import Store
from tests.support import postgres
from tests.support.online_games import ask_until_available, choose_move
from tests.support.processes import has_ended, process_state
from tests.support.serving import PATIENCE, served
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

SOON = 60
"""Seconds within which everyone is answered; it takes two, and a busy machine many more."""


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[str]:
    """A server that no other test needs."""
    with postgres.server() as url:
        yield url


@pytest.fixture(autouse=True)
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """The listener looks often whether it is still connected."""
    monkeypatch.setattr(notifications, "HEARTBEAT_TIMEOUT_S", 1)


def is_stopped(pid: int) -> bool:
    return process_state(pid) == "T"


@asynccontextmanager
async def hung(url: str, is_patient: bool = False) -> AsyncIterator[None]:
    """Nothing of PostgreSQL moves; what asks it gets a connection and no answer."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        first = int((await connection.fetchval("SELECT pg_read_file('postmaster.pid')")).split()[0])
    finally:
        await connection.close()
    stopped: list[int] = []

    async def stop(pid: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            stopped.append(pid)
            await wait_until(lambda: is_stopped(pid) or has_ended(pid), f"a stopped process {pid}")

    try:
        await stop(first)
        for pid in children(first):  # They are all: the first process starts no more.
            await stop(pid)
        if is_patient:
            yield
            return
        # Little patience with it, but only while it hangs.
        with (
            mock.patch.object(engine_module, "ANSWER_TIMEOUT_S", 1),
            mock.patch.object(failures, "SILENCE_S", 0.5),
        ):
            yield
    finally:
        for pid in reversed(stopped):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


@pytest.mark.thorough
async def test_a_hung_postgresql_is_reported_and_nothing_is_lost(own_postgres: str) -> None:
    async with served(own_postgres) as here, Server(here.url) as server:
        new = await server.create(game="classic", seats=[None, None], host="Ann", guests=["Bob"])
        async with server.watch(new["id"], new["token"]) as seat:
            await moved(seat, "first")
            version, move = seat.version, await choose_move(seat)
            for _ in range(2):
                async with hung(own_postgres):
                    await _everybody_is_refused(here.url, server, seat, move)
            made = await ask_until_available(lambda: seat.move(move, id="once"))
            assert made == version + 1
            assert await ask_until_available(lambda: seat.move(move, id="once")) == made
            log = await here.store.log(new["id"])
            assert [one.number for one in log] == list(range(1, made + 1))
            await moved(seat, "last")
        # The listener hears again, too.
        async with (
            served(own_postgres) as there,
            Server(there.url) as other,
            server.watch(new["id"]) as watching,
            other.watch(new["id"], new["token"]) as seat,
        ):
            version = watching.version
            await moved(seat, "elsewhere")
            async with asyncio.timeout(PATIENCE):
                while watching.version == version:
                    await watching.changed()


async def _everybody_is_refused(
    url: str, server: Server, seat: Viewer, move: dict[str, Any]
) -> None:
    began = time.monotonic()
    answers = await asyncio.gather(
        seat.move(move, id="once"),
        server.ask("GET", "/tables"),
        *(server.create(game="gone", seats=[None, None]) for _ in range(30)),
        return_exceptions=True,
    )
    if answers[0] == seat.version:
        answers.pop(0)  # It was on its way when PostgreSQL hung before, and is known by its id.
    for answer in answers:
        assert isinstance(answer, RefusedForNow), answer
        assert answer.code == "no_database"
    assert (await server.http.get(f"{url}/ready")).status_code == 503
    assert time.monotonic() - began < SOON


PROMISED_S = 5
"""For every answer, without the time that it takes while PostgreSQL works."""

OWN_TIME_FACTOR = 3
"""How much longer an answer takes on its own if all routes are asked at once, on a busy machine."""

OPERATIONS = [
    (method.upper(), path)
    for path, methods in build_openapi(ROUTES)["paths"].items()
    for method in methods
]

FROM_THE_DATABASE = {
    f"{method} {path}"
    for method, path in OPERATIONS
    if path.startswith("/api/tables") or "/challenges" in path
} | {"GET /ready", "POST /api/moved-tables", "POST /api/own-tables", "GET /api/problem/found"}
"""Operations that need the database."""

CACHED = {"GET /api/tables", "GET /ready"}
"""Those of them whose last answer is used for a second or longer."""


async def make_bodies(server: Server) -> dict[str, Any]:
    """What operations are asked with: bodies that are refused would not reach the database."""
    alone = await server.create(game="classic", seats=[None, None], host="Ann", guests=["Bob"])
    moved = await server.ask("POST", f"/tables/{alone['id']}/to-device", alone["token"])
    endpoint = "https://push.example.org/x"
    return {
        "/api/tables": {"game": "gone", "seats": [None, None]},
        "/api/tables/{id}/seats/{seat}": {"name": "Cid"},
        "/api/tables/{id}/moves": {"move": {"player": 0, "move": "end"}, "id": "x"},
        "/api/moved-tables": {"table": moved},
        "/api/tables/{id}/notices/push": {"endpoint": endpoint, "p256dh": "x", "auth": "x"},
        "/api/tables/{id}/notices/push/stop": {"endpoint": endpoint},
        "/api/tables/{id}/notices/mail": {"address": "cid@example.org", "proof": "x" * 16},
        "/api/challenges/{id}/attempts": {"name": "Cid"},
    }


@pytest.mark.thorough
async def test_every_operation_answers_within_five_seconds_while_postgresql_hangs(
    own_postgres: str,
) -> None:
    """Tables that are in memory, and others. One by one, some answers would take 15 seconds."""
    async with served(own_postgres) as here, Server(here.url) as server:
        bodies = await make_bodies(server)
        new = await server.create(game="classic", seats=[None, None], host="Ann", guests=["Bob"])
        bodies["/api/own-tables"] = {"tables": [{"id": new["id"], "token": new["token"]}]}
        values = {"seat": "0", "kind": "svg", "game": "classic", "key": "x" * 32}
        asked = {"authorization": f"Bearer {new['token']}"}
        codes: dict[str, set[str]] = {}

        async def ask(method: str, path: str, id: str) -> float:
            began = time.monotonic()
            body = bodies.get(path, {}) if method == "POST" else None
            url = here.url + path.format(id=id, **values)
            query = {"date": "2026-11-01"} if path == "/api/problem/found" else None
            answer = await server.http.request(method, url, json=body, headers=asked, params=query)
            if answer.status_code == 503:
                codes.setdefault(f"{method} {path}", set()).add(answer.json()["code"])
            return time.monotonic() - began

        asks = [(*one, id) for one in OPERATIONS for id in (new["id"], "elsewhere")]
        asks += [("GET", "/", ""), ("GET", "/t/{id}", new["id"]), ("GET", "/t/{id}", "elsewhere")]
        safe = [one for one in asks if one[0] == "GET"]
        own_time = max(await asyncio.gather(*(ask(*one) for one in safe)))
        assert not codes
        async with hung(own_postgres, is_patient=True), asyncio.timeout(PATIENCE):
            times = await asyncio.gather(*(ask(*one) for one in asks))
        allowed = PROMISED_S + OWN_TIME_FACTOR * own_time
        slow = {one: spent for one, spent in zip(asks, times, strict=True) if spent > allowed}
        assert not slow, (own_time, slow)
        assert set().union(*codes.values()) == {"no_database"}
        assert FROM_THE_DATABASE - codes.keys() <= CACHED
        await ask_until_available(lambda: version_of(server, new["id"]))


async def version_of(server: Server, id: str) -> int:
    return int((await server.ask("GET", f"/tables/{id}"))["version"])


async def test_starting_and_stopping_end_while_postgresql_hangs(own_postgres: str) -> None:
    store = Store(own_postgres)
    await store.open()
    await store.count()
    async with hung(own_postgres):
        began = time.monotonic()
        with pytest.raises(Unavailable) as refused:
            await Store(own_postgres).open()
        assert refused.value.code == "no_database"
        await store.close()
        assert time.monotonic() - began < SOON


async def moved(seat: Viewer, mark: str) -> None:
    move = await choose_move(seat)
    version = await ask_until_available(lambda: seat.move(move, id=mark))
    while seat.version < version:
        await seat.changed()
