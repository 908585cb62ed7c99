"""Running a server: what it logs, whether it is ready, and what it counts."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sqlite3
import sys
from base64 import b64encode
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.pool import AsyncAdaptedQueuePool

from dalapapa import cli
from dalapapa.client import Refused, Server
from dalapapa.core.errors import Unavailable
from dalapapa.server.monitoring import logging_setup, metrics
from dalapapa.server.monitoring.exposition import collect_histogram, encode_families
from dalapapa.server.storage.readiness import Readiness
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.registry import TableRegistry
from tests.support import postgres
from tests.support.metrics import list_names, parse_metrics
from tests.support.paths import ROOT
from tests.support.serving import PATIENCE, LateClock, first, served, wait_for_no_sockets

pytestmark = pytest.mark.anyio

METRICS = (*metrics.READINGS, *metrics.COUNTERS, *metrics.HISTOGRAMS)


# -- logs ----------------------------------------------------------------------------------------


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What is logged as JSON, with everything that may be asked for but addresses."""
    root, ours = logging.getLogger(), logging.getLogger("dalapapa")
    before = root.handlers[:], root.level, ours.level
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    logging_setup.configure("json", "debug")
    root.handlers.extend(before[0])
    yield stream
    root.handlers[:], root.level, _ = before
    ours.setLevel(before[2])


async def failures(id: str, token: str) -> set[str]:
    """The server itself makes a mistake, in an application of its own; what must not be logged."""

    async def fail(self: TableRegistry, *about: Any) -> Any:
        raise RuntimeError(f"{about} of {token}")

    async def ask() -> None:
        async with served() as here, Server(here.url) as server:
            named = {"x-request-id": "a-proxys-own"}
            answer = await server.http.get(f"/tables/{id}", headers=named)
            assert (answer.status_code, answer.json()["code"]) == (500, "failed")
            assert answer.headers["x-request-id"] == "a-proxys-own"
            assert answer.headers["x-content-type-options"] == "nosniff"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TableRegistry, "find", fail)
        with pytest.raises(AssertionError, match="a request failed"):  # As any test notices.
            await ask()
    return {id, token}


def test_a_connection_lost_while_closing_is_logged_in_one_line(lines: io.StringIO) -> None:
    """SQLAlchemy's pools log by their own class, whose loggers are below the one of all pools."""
    pool = AsyncAdaptedQueuePool(creator=lambda: None)  # type: ignore[arg-type]
    try:
        raise asyncio.CancelledError
    except asyncio.CancelledError:
        pool.logger.error("Exception terminating connection", exc_info=True)
    (line,) = lines.getvalue().splitlines()
    facts = json.loads(line)
    assert facts["message"] == "Exception terminating connection"
    assert "traceback" not in facts


async def test_nothing_secret_is_logged(lines: io.StringIO) -> None:
    """A game, refusals of all kinds and failures: no key, name or address is in any line."""
    secrets = {"127.0.0.1", "Jacqueline", "Guillaume"}
    async with served() as here, Server(here.url) as server:
        new = await server.create(seats=[None, None, "random"], host="Jacqueline", pace=0)
        id, token = new["id"], new["token"]
        other = await server.sit(id, 1, "Guillaume")
        seed = (await here.tables.find(id)).state.seed
        secrets |= {id, token, other, seed}
        async with server.watch(id, token) as one, server.watch(id, other) as two:
            for _ in range(6):
                for viewer in (one, two):
                    moves = await viewer.legal()
                    if moves:
                        await viewer.move(first(moves), id=f"mark-{token}")
            with pytest.raises(Refused):
                await one.move({"player": 1, "move": "end"})
            with pytest.raises(Refused):
                await one.move({"player": 0, "move": id})
        for method, path in (
            ("GET", f"/tables/{id}x"), ("GET", f"/tables/{id}/review"), ("GET", f"/{token}"),
            ("DELETE", f"/tables/{id}/seats/7"), ("POST", f"/tables/{id}/seats/0"),
            ("GET", f"/tables/{id}/replay?{token}={seed}"),
        ):  # fmt: skip
            with pytest.raises(Refused):
                await server.ask(method, path, token)
    secrets |= await failures(id, token)
    logged = lines.getvalue()
    assert "a request failed" in logged
    assert "Traceback" in logged
    assert '"route":"/api/tables/{id}/replay"' in logged
    assert '"request":"a-proxys-own"' in logged
    for secret in secrets:
        assert secret not in logged
    for line in logged.splitlines():
        facts = json.loads(line)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", facts["time"])
        assert facts["level"] in ("debug", "info", "warning", "error")
        if facts["message"] == "answered":
            assert re.fullmatch("[0-9a-f]{16}|a-proxys-own", facts["request"])


def test_texts_that_look_like_keys_are_redacted() -> None:
    keys = ["NfxBcwozKomFpskbuDssvg", "KomFpskbuDssvgxo", "kfpskbudssvgxoqa"]  # Of letters alone.
    # The same in every run: one in 300,000 has dashes where a name has them, and would be kept.
    chance = Random(121)
    for _ in range(500):
        random = (b64encode(chance.randbytes(length), b"-_") for length in (12, 16))
        keys += (one.rstrip(b"=").decode() for one in random)
        keys += chance.randbytes(16).hex(), chance.randbytes(32).hex()
    for key in keys:
        assert key not in logging_setup.redact_keys(f"Table '{key}' at /api/tables/{key}?x={key}")
    for plain in (
        "WebSocketDisconnect in timeout_graceful_shutdown", "sqlalchemy.exc.OperationalError:",
        'File "/opt/dalapapa/python3.11/site-packages/starlette/_exception_handler.py", line 42',
        "UnicodeDecodeError: 'utf-8' codec", "the database: unable to open database file",
    ):  # fmt: skip
        assert logging_setup.redact_keys(plain) == plain


@pytest.mark.parametrize(
    ("given", "kept"),
    [(b"7f9c24e8-3b12-4fef", True), (b"", False), (b"short", False), (b"a" * 65, False),
     (b"with space here", False), (b"line\nbreak-here", False), ("é".encode() * 8, False)],
)  # fmt: skip
def test_the_request_id_of_a_proxy_is_used_if_valid(given: bytes, kept: bool) -> None:
    assert (logging_setup.choose_request_id(given) == given.decode()) is kept
    assert re.fullmatch("[0-9a-f]{16}", logging_setup.choose_request_id(None))


def test_repeated_warnings_are_logged_a_few_times_and_then_counted() -> None:
    clock = LateClock()
    clock.stand()
    filter = logging_setup.RepeatFilter(clock)

    def written(message: str = "a request to the database failed: %s") -> str | None:
        record = logging.LogRecord("dalapapa", logging.WARNING, "", 0, message, ("gone",), None)
        return logging_setup.TextFormatter().format(record) if filter.filter(record) else None

    passed = [written() for _ in range(50)]
    assert len([line for line in passed if line]) == logging_setup.MAX_REPEATS
    assert written("another: %s")
    clock.ahead += int(1000 * logging_setup.REPEAT_WINDOW_S)
    line = written()
    assert line is not None
    assert line.endswith(
        "WARNING a request to the database failed: gone"
        f" more_like_it={50 - logging_setup.MAX_REPEATS}"
    )


# -- readiness -----------------------------------------------------------------------------------


async def ready(http: httpx.AsyncClient, url: str) -> tuple[int, str]:
    answer = await http.get(f"{url}/ready")
    return answer.status_code, "ready" if answer.status_code == 200 else answer.json()["code"]


@pytest.mark.parametrize(
    ("trouble", "code"),
    [("PRAGMA query_only = ON", "read_only"), ("PRAGMA max_page_count = 1", "disk_full")],
)
async def test_not_ready_when_no_move_can_be_made_durable(trouble: str, code: str) -> None:
    clock = LateClock()
    clock.stand()
    async with (
        served(clock=clock) as here,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE, verify=False) as http,
    ):
        assert await ready(http, here.url) == (200, "ready")
        pool = here.store.engine.sync_engine.pool

        with sqlite3.connect(here.store.engine.url.database or "") as other:
            other.execute("VACUUM")  # No page is left over for what comes.

        # It stays until the server ends: a probe may be waiting inside of it, and SQLAlchemy goes
        # through the list of listeners meanwhile.
        @event.listens_for(pool, "checkout")
        def spoil(connection: Any, *_: Any) -> None:
            connection.cursor().execute(trouble)

        assert await ready(http, here.url) == (200, "ready"), "it is remembered for a second"
        clock.ahead += 1000
        assert await ready(http, here.url) == (503, code)
        assert (await http.get(f"{here.url}/health")).text == "ok\n"
        assert "\ndalapapa_ready 0.0\n" in (await http.get(f"{here.url}/metrics")).text
        with sqlite3.connect(here.store.engine.url.database or "") as other:
            assert other.execute("SELECT count(*) FROM tables").fetchone() == (0,)


async def test_concurrent_readiness_checks_try_once() -> None:
    clock = LateClock()
    clock.stand()
    async with (
        served(clock=clock) as here,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE, verify=False) as http,
    ):
        commits = 0

        @event.listens_for(here.store.engine.sync_engine, "commit")
        def count(_: Any) -> None:
            nonlocal commits
            commits += 1

        responses = await asyncio.gather(*(ready(http, here.url) for _ in range(50)))
        assert set(responses) == {(200, "ready")}
        assert commits == 1
        here.services.readiness.stopping = True
        assert await ready(http, here.url) == (503, "stopping")


async def test_not_ready_while_postgres_is_stopped() -> None:
    clock = LateClock()
    with postgres.server() as url:
        store = Store(url)
        await store.open()
        readiness = Readiness(store, clock)
        await readiness.check()
    clock.ahead += 1000
    with pytest.raises(Unavailable) as caught:
        await readiness.check()
    assert caught.value.code == "no_database"
    assert not readiness.last
    await readiness.close()
    await store.close()


# -- metrics -------------------------------------------------------------------------------------


async def test_figures_of_a_game() -> None:
    async with served() as here, Server(here.url) as server:

        async def figures() -> dict[str, float]:
            return parse_metrics((await server.http.get(f"{here.url}/metrics")).text)

        before = await figures()
        new = await server.create(seats=[None, "random"], host="Ann", pace=0)
        async with server.watch(new["id"], new["token"]) as seat:
            made = 0
            while made < 4:
                moves = await seat.legal()
                if moves:
                    await seat.move(first(moves))
                    made += 1
                else:
                    await seat.changed()
            with pytest.raises(Refused):
                await seat.move({"player": 1, "move": "end"})
        with pytest.raises(Refused):
            await server.ask("GET", "/tables/none/replay")
        await wait_for_no_sockets(here)
        after = await figures()

        def grown(name: str) -> float:
            return after.get(name, 0) - before.get(name, 0)

        assert grown("dalapapa_move_seconds_count") == made
        assert grown('dalapapa_move_seconds_bucket{le="+Inf"}') == made
        assert 0 < grown("dalapapa_move_seconds_sum") < 60
        assert grown("dalapapa_commit_seconds_count") == grown("dalapapa_commit_entries_count")
        assert grown("dalapapa_commit_entries_sum") >= made
        assert grown('dalapapa_question_seconds_count{job="think",kind="program"}') >= 1
        assert after['dalapapa_workers{kind="program"}'] >= 1
        assert grown("dalapapa_sockets_opened_total") == 1
        assert grown('dalapapa_sockets_closed_total{reason="left"}') == 1
        assert grown('dalapapa_refusals_total{code="not_your_seat"}') == 1
        route = 'method="GET",route="/api/tables/{id}/replay",status="404"'
        assert grown(f"dalapapa_http_requests_total{{{route}}}") == 1
        assert grown('dalapapa_http_seconds_count{route="/api/tables/{id}/replay"}') == 1
        assert after["process_resident_memory_bytes"] > 10_000_000


def test_a_histogram_counts_values_up_to_each_bound() -> None:
    one = metrics.Histogram("x_seconds", "Some.", (1.0, 2.5), "kind")
    for value in (0.5, 1.0, 2.0, 9.0):
        one.observe(value, 'a "b"')
    kind = 'kind="a \\"b\\""'
    assert parse_metrics(encode_families([collect_histogram(one)]).decode()) == {
        f'x_seconds_bucket{{{kind},le="1"}}': 2,
        f'x_seconds_bucket{{{kind},le="2.5"}}': 3,
        f'x_seconds_bucket{{{kind},le="+Inf"}}': 4,
        f"x_seconds_sum{{{kind}}}": 12.5,
        f"x_seconds_count{{{kind}}}": 4,
    }


def test_the_number_of_label_values_is_bounded() -> None:
    one = metrics.Counter("x_total", "Some.", "code")
    for number in range(2 * metrics.MAX_SERIES):
        one.add(f"made_up_{number}")
    assert len(one.values) <= metrics.MAX_SERIES + 1
    assert one.values["other",] == metrics.MAX_SERIES


def test_every_figure_of_the_dashboard_exists() -> None:
    board = json.loads((ROOT / "deploy/grafana.json").read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert len(asked) > 20
    named = {
        name
        for expression in asked
        for name in re.findall(r"\b(?:dalapapa|process)_\w+", expression)
    }
    assert named <= list_names()
    shown = {re.sub("_(bucket|sum|count)$", "", name) for name in named}
    assert shown == {figure.name for figure in METRICS}


def test_every_figure_is_documented() -> None:
    page = (ROOT / "docs/monitoring.md").read_text()
    listed = re.findall(r"^\| `((?:dalapapa|process)_\w+)`", page, re.MULTILINE)
    assert sorted(listed) == sorted(figure.name for figure in METRICS)


# -- units ---------------------------------------------------------------------------------------


def test_units_start_existing_commands() -> None:
    """Every command in `deploy/` is one of ours, with options that it has."""
    commands = []
    for unit in sorted((ROOT / "deploy").glob("*.service")):
        commands += re.findall(r"/bin/dalapapa (\w+) ([^'\n]*)", unit.read_text())
    assert {name for name, _ in commands} == {"play", "backup"}
    for name, words in commands:
        command = cli.commands.commands[name]
        command.make_context(name, words.split(), resilient_parsing=False)
    for unit in (ROOT / "deploy").glob("*.s*"):
        for other in re.findall(r"dalapapa[\w@-]*\.(?:socket|service|timer)", unit.read_text()):
            there = re.sub(r"@\w+\.", "@.", other)
            assert (ROOT / "deploy" / there).exists(), other
