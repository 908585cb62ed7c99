"""Budgets of connections and addresses, and the top talkers that operators see."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from dalapapa.server.traffic import talkers
from dalapapa.server.traffic.limits import MAX_ADDRESSES, Limits, is_from_this_machine
from dalapapa.server.traffic.talkers import Budget, Counts, Rate, Talkers
from tests.support import flooding
from tests.support.serving import PATIENCE, LateClock, served

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> LateClock:
    clock = LateClock()
    clock.stand()
    return clock


def test_a_budget_may_be_overdrawn_and_refills() -> None:
    budget = Budget(Rate(frames=100, bytes=1000), now=10)
    assert (budget.frames_left, budget.bytes_left) == (300, 3000)
    budget.frames_left -= 350
    assert budget.wait_s() == pytest.approx(0.5)
    used_up = []
    for now in (10.0, 10.4, 10.6):
        budget.fill(now)
        used_up.append(budget.is_used_up)
    assert used_up == [True, True, False]
    budget.bytes_left = -5000
    assert budget.wait_s() == pytest.approx(5)
    budget.fill(100)
    assert (budget.frames_left, budget.bytes_left) == (300, 3000), "no more than a burst"


async def test_sockets_of_one_address_share_its_budget(clock: LateClock) -> None:
    heard = Talkers(Limits(frames_an_address=500), clock)
    talker = heard.open("192.0.2.1")
    meters = [heard.meter_socket(talker) for _ in range(5)]
    assert not any(meter.spend(290, 1000) for meter in meters)
    assert meters[0].spend(290, 1000), "the sixth part of a burst is one too many"
    assert not heard.meter_socket(heard.open("192.0.2.2")).spend(290, 1000)
    clock.ahead += 2000
    assert meters[0].has_budget()


async def test_more_messages_bring_more_frames_and_bytes() -> None:
    heard = Talkers(Limits(messages_per_second=10_000))
    assert heard.socket_rate == Rate(30_000, 10_000_000)
    assert heard.address_rate == heard.socket_rate


async def test_top_talkers_are_few_and_those_that_were_slowed_come_first(
    clock: LateClock,
) -> None:
    heard = Talkers(Limits(), clock)
    for number in range(40):
        talker = heard.find(f"192.0.2.{number}")
        talker.frames = 100 * number
        talker.requests = number
    assert sorted(heard.find_top()) == sorted(f"192.0.2.{n}" for n in range(30, 40))
    heard.find("192.0.2.3").note_pause(0.5, "frames")
    heard.find("192.0.2.4").refusals += 3
    top = heard.find_top()
    assert list(top)[:2] == ["192.0.2.4", "192.0.2.3"]
    assert len(top) == talkers.MAX_TOP
    figures = heard.list_figures()
    assert len(figures) == talkers.MAX_TOP * len(Counts._fields)
    assert figures["192.0.2.4", "refusals"] == 3


async def test_people_are_not_named(clock: LateClock) -> None:
    heard = Talkers(Limits(), clock)
    heard.find("192.0.2.1").frames = talkers.MIN_TOP_EVENTS - 1
    assert heard.find_top() == {}


async def test_addresses_are_forgotten_after_minutes(clock: LateClock) -> None:
    heard = Talkers(Limits(), clock)
    gone, here = heard.find("192.0.2.1"), heard.open("192.0.2.2")
    gone.frames = here.frames = 5000
    for _ in range(talkers.WINDOWS - 1):
        heard.rotate()
        assert len(heard.find_top()) == 2
    heard.rotate()
    assert heard.find_top() == {}
    assert len(heard) == 1
    heard.close(here)
    heard.rotate()
    assert len(heard) == 0


async def test_the_number_of_addresses_is_bounded_and_connected_ones_stay() -> None:
    heard = Talkers(Limits())
    kept = heard.open("192.0.2.1")
    for number in range(MAX_ADDRESSES + 50):
        heard.find(f"2001:db8:{number:x}::/64")
    assert len(heard) <= MAX_ADDRESSES
    assert heard.find("192.0.2.1") is kept


async def test_an_address_is_logged_once_in_a_window(
    clock: LateClock, caplog: pytest.LogCaptureFixture
) -> None:
    heard = Talkers(Limits(), clock)
    one, other = heard.find("192.0.2.1"), heard.find("2001:db8::/64")
    for _ in range(9):
        one.note_pause(1.0, "frames")
    assert not caplog.records, "a short burst is not worth a line"
    for _ in range(50):
        one.note_pause(1.0, "frames")
        one.report("An address sends too much: the server closed one of its sockets.")
    other.report("An address sends too much: the server closed one of its sockets.")
    named = [record.facts["address"] for record in caplog.records]  # type: ignore[attr-defined]
    assert named == ["192.0.2.1", "2001:db8::/64"]
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    heard.rotate()
    one.report("An address sends too much: the server closed one of its sockets.")
    assert len(caplog.records) == 3


@pytest.mark.parametrize(
    ("client", "headers", "private"),
    [
        ("127.0.0.1", [], True),
        ("::1", [], True),
        ("::ffff:127.0.0.1", [], True),
        ("192.168.1.7", [], False),
        ("2001:db8::1", [], False),
        ("127.0.0.1", [(b"x-forwarded-for", b"192.0.2.1")], False),
        ("127.0.0.1", [(b"forwarded", b"for=192.0.2.1")], False),
        ("testclient", [], False),
    ],
)
def test_loopback_addresses_are_on_this_machine(
    client: str, headers: list[tuple[bytes, bytes]], private: bool
) -> None:
    scope = {"client": (client, 1), "headers": headers}
    assert is_from_this_machine(scope) == private


async def test_metrics_name_addresses_to_this_machine_alone() -> None:
    async with (
        served() as here,
        httpx.AsyncClient(
            base_url=here.url, trust_env=False, timeout=PATIENCE, verify=False
        ) as http,
    ):
        here.app.state.gate.talkers.find("192.0.2.77").note_pause(20, "frames")
        text = (await http.get("/metrics")).text
        assert 'dalapapa_top_talkers{address="192.0.2.77",kind="paused_seconds"} 20' in text
        behind_a_proxy = {"x-forwarded-for": "192.0.2.1"}
        text = (await http.get("/metrics", headers=behind_a_proxy)).text
        assert "192.0.2.77" not in text
        assert "dalapapa_top_talkers" not in text
        assert "dalapapa_pauses_total" in text


# -- attack 1, as the operator sees it -----------------------------------------------------------


def find_address_in_metrics(url: str, _: Path) -> str | None:
    text = httpx.get(f"{url}/metrics", trust_env=False, timeout=PATIENCE, verify=False).text
    found = re.findall(
        r'^dalapapa_top_talkers\{address="([^"]+)",kind="paused_seconds"\} ([\d.]+)$',
        text, re.MULTILINE,
    )  # fmt: skip
    paused = {address: float(seconds) for address, seconds in found if float(seconds) > 0}
    return max(paused, key=lambda address: paused[address], default=None)


def find_address_in_log(_: str, log: Path) -> str | None:
    found = re.findall(r" WARNING An address \S.* address=(\S+) ", log.read_text())
    return found[0] if found else None


@pytest.mark.thorough
@pytest.mark.parametrize("find", [find_address_in_metrics, find_address_in_log])
def test_an_operator_finds_the_address_within_a_minute(
    find: Callable[[str, Path], str | None], tmp_path: Path
) -> None:
    """While a spectator sends empty pongs, and players play: by metrics alone, or the log alone."""
    log = tmp_path / "log"
    with flooding.server(tmp_path, 200, log) as process:
        found = asyncio.run(flooding.watch_attack(process, "empty pongs", 60, log, find))
    assert found == "127.0.0.2"
