"""Failures inside the server: what was opened is closed, and each has its own status."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from websockets.exceptions import InvalidHandshake

from dalapapa import client
from dalapapa.client import Disconnected, Viewer
from dalapapa.core import errors
from dalapapa.core.errors import Unavailable
from dalapapa.hosting.refusals import find_status
from dalapapa.server import services
from dalapapa.server.clock import SYSTEM_CLOCK
from dalapapa.server.http.context import ApiCall
from dalapapa.server.http.middleware import ObserveMiddleware
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.notify.scheduler import NotificationScheduler
from dalapapa.server.notify.webpush import MAX_PUSH_BYTES, encode_push_message
from dalapapa.server.services import open_services
from dalapapa.server.storage import readiness
from dalapapa.server.storage.readiness import Readiness
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.tables import Tables
from dalapapa.server.traffic.connection_gate import ConnectionGate
from dalapapa.server.traffic.limits import Limits
from tests.support.serving import PATIENCE
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio


# -- starting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failing", ["store", "tables", "notices", "Retention", "Questions", "ViewerSessions", "Lobby"]
)
async def test_a_failed_start_closes_what_was_opened(
    failing: str, sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    closed: list[str] = []

    def fail(*_: object, **__: object) -> Any:
        raise RuntimeError(failing)

    for name, kind in {"store": Store, "tables": Tables, "notices": NotificationScheduler}.items():
        watch(kind, name, opened, closed, monkeypatch)
        if name == failing:
            monkeypatch.setattr(kind, "open", fail)
    if failing[0].isupper():
        monkeypatch.setattr(services, failing, fail)
    before = asyncio.all_tasks()
    start = open_services(
        sqlite_database,
        Limits(),
        SYSTEM_CLOCK,
        RetentionPolicy(),
        ConnectionGate(Limits(), SYSTEM_CLOCK),
        NotifyConfig(),
    )
    with pytest.raises(RuntimeError, match=failing):
        async with start:
            pass
    assert set(closed) >= set(opened)
    assert closed == sorted(closed, key=["notices", "tables", "store"].index), "the last one first"
    assert asyncio.all_tasks() == before, "nothing goes on by itself"


def watch(
    kind: Any, name: str, opened: list[str], closed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Note what is opened and closed."""
    real_open, real_close = kind.open, kind.close

    async def note_open(self: Any) -> None:
        opened.append(name)
        await real_open(self)

    async def note_close(self: Any) -> None:
        closed.append(name)
        await real_close(self)

    monkeypatch.setattr(kind, "open", note_open)
    monkeypatch.setattr(kind, "close", note_close)


# -- readiness -----------------------------------------------------------------------------------


async def test_readiness_is_tried_again_after_an_unexpected_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fails = True

    async def write(*_: object) -> None:
        if fails:
            raise ZeroDivisionError

    monkeypatch.setattr(Store, "try_to_write", write)
    monkeypatch.setattr(readiness, "CACHE_DURATION_S", 0.0)
    ready = Readiness(Store("sqlite+aiosqlite:///unused"), SYSTEM_CLOCK)
    for _ in range(2):
        with pytest.raises(Unavailable) as caught:
            await ready.check()
        assert caught.value.code == "no_database"
    fails = False
    await ready.check()
    await ready.close()


# -- questions -----------------------------------------------------------------------------------


def call_of_a_client_that_waits() -> ApiCall:
    call = ApiCall.__new__(ApiCall)

    async def receive() -> dict[str, str]:
        await asyncio.Event().wait()
        return {"type": "http.request"}

    call.request = SimpleNamespace(receive=receive)  # type: ignore[assignment]
    return call


async def test_a_question_that_is_cancelled_stays_cancelled() -> None:
    """Else `asyncio.timeout` around it would not work."""
    waiting = asyncio.Event()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await call_of_a_client_that_waits().wait(waiting.wait())
    task = asyncio.create_task(call_of_a_client_that_waits().wait(waiting.wait()))
    await run_other_tasks()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_question_whose_workers_end_is_refused() -> None:
    async def ended() -> None:
        raise asyncio.CancelledError

    with pytest.raises(Unavailable) as caught:
        async with asyncio.timeout(PATIENCE):
            await call_of_a_client_that_waits().wait(ended())
    assert caught.value.code == "busy"


async def test_a_request_that_a_stopping_server_cancels_is_answered() -> None:
    sent: list[Any] = []

    async def endless(*_: object) -> None:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": [], "method": "GET", "path": "/"}
    middleware: Any = ObserveMiddleware(endless)
    task = asyncio.create_task(middleware(scope, endless, send))
    await run_other_tasks()
    task.cancel()
    await task
    assert sent[0]["status"] == 503
    assert msgspec.json.decode(sent[1]["body"])["code"] == "busy"


# -- statuses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (errors.BadInput, 422),
        (errors.UnknownDomino, 422),
        (errors.MalformedLaying, 422),
        (errors.BadOptions, 422),
        (errors.BadRecord, 422),
        (errors.Malformed, 422),
        (errors.TooHard, 422),
        (errors.IllegalMove, 409),
        (errors.IllegalLaying, 409),
        (errors.Conflict, 409),
        (errors.NotFound, 404),
        (errors.TooMany, 429),
        (errors.Unavailable, 503),
    ],
)
def test_only_refusals_of_the_rules_are_conflicts(
    kind: type[errors.DalapapaError], status: int
) -> None:
    assert find_status(kind) == status


# -- the client ----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [OSError(), TimeoutError(), InvalidHandshake(), ValueError()])
async def test_a_table_that_cannot_be_reached_is_a_refusal(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _enter(error, Disconnected, monkeypatch)


async def test_an_error_in_the_code_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    await _enter(TypeError(), TypeError, monkeypatch)


async def _enter(
    error: Exception, expected: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def connect(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(client, "connect", connect)
    with pytest.raises(expected):
        async with Viewer("http://127.0.0.1:1", "id", ()):
            pass


# -- web push ------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["a", "é", "€", "😀", '"', "\x01", "\n"])
def test_a_push_message_is_always_whole_json(letter: str) -> None:
    for length in (0, 10, 480, 3000, 20_000):
        message = {
            "table": "id",
            "url": "/t/id",
            "tag": "id",
            "title": "é",
            "body": length * letter,
        }
        data = encode_push_message(message)
        assert len(data) <= MAX_PUSH_BYTES
        shown = msgspec.json.decode(data)
        assert {**shown, "body": ""} == {**message, "body": ""}
        if shown["body"] != message["body"]:
            assert shown["body"].endswith("…")
            assert message["body"].startswith(shown["body"][:-1])
            assert len(data) > MAX_PUSH_BYTES - 20, "no more is cut than needed"
