"""Where push messages may go: public addresses, looked up once, without waiting for slow DNS."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpcore
import pytest
from sqlalchemy import insert

from dalapapa.client import Server
from dalapapa.server.notify import webpush
from dalapapa.server.notify.push_services import (
    MAX_UNPROVEN,
    PushServices,
    Resolver,
    Unreachable,
    is_public,
)
from dalapapa.server.notify.webpush import Browser, load_private_key
from dalapapa.server.storage.schema import subscribers
from tests.support.fake_services import PretendBrowser, push_service
from tests.support.notified import CONTACT, Two, by_push, rows, run_notifier
from tests.support.serving import LateClock
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.anyio


# -- addresses -----------------------------------------------------------------------------------

INSIDE = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1",
    "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "233.252.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1",
    "ff0e::1", "100::1", "2001:db8::1", "2001:2::1", "2001:10::1", "3fff::1", "5f00::1",
    # IPv4 inside IPv6: mapped, translated, compatible, NAT64, NAT64 of one network.
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "::127.0.0.1", "::10.0.0.1",
    "::9.9.9.9", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b::9.9.9.9",
    "64:ff9b:1::a00:1", "64:ff9b:1:ffff::1",
    # 6to4 and Teredo: of 127.0.0.1 and 10.0.0.1.
    "2002:7f00:1::1", "2002:a00:1::", "2001:0:a00:1::1", "2001:0:4136:e378:8000:63bf:80ff:fffe",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_a_network_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["9.9.9.9", "142.250.0.1", "2a00:1450:4001::a", "2600:1901::1", "::ffff:9.9.9.9"]
)
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_public(address)


def answer(*addresses: str) -> list[Any]:
    return [
        (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443))
        for one in addresses
    ]


async def test_a_name_with_one_inner_address_is_refused() -> None:
    for inner in ("10.0.0.1", "64:ff9b::a00:1", "::10.0.0.1"):
        resolver = Resolver(lambda *_, inner=inner: answer("9.9.9.9", inner))
        with pytest.raises(Unreachable):
            await resolver.find_address("push.example.org", 443)
    assert await Resolver(lambda *_: answer("9.9.9.9")).find_address("x.example.org", 443) == (
        "9.9.9.9"
    )
    with pytest.raises(OSError, match="no public address"):
        await Resolver(lambda *_: []).find_address("push.example.org", 443)


async def test_a_name_is_looked_up_once_for_check_and_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A DNS server that answers with a public address first and an inner one next wins nothing."""
    asked: list[str] = []
    connected: list[str] = []

    def rebind(host: str, *_: Any) -> list[Any]:
        asked.append(host)
        return answer("9.9.9.9" if len(asked) == 1 else "127.0.0.1")

    async def connect(_: Any, host: str, port: int, *__: Any, **___: Any) -> Any:
        connected.append(host)
        raise httpcore.ConnectError

    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *more, **_: rebind(host, *more))
    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    wanted = PretendBrowser().subscription("https://push.example.org/x")
    browser = Browser(wanted["endpoint"], wanted["p256dh"], wanted["auth"])
    sender = webpush.Sender(CONTACT, load_private_key(webpush.generate_key()))
    assert (await sender.send(browser, b"{}", "topic", 60, 0)).what == "later"
    assert (asked, connected) == (["push.example.org"], ["9.9.9.9"])
    assert (await sender.send(browser, b"{}", "topic", 60, 0)).what == "lost", "asked again"
    assert connected == ["9.9.9.9"]
    await sender.close()


# -- slow DNS ------------------------------------------------------------------------------------


class HangingDns:
    """Answers for literal addresses; other names hang until the test ends."""

    def __init__(self) -> None:
        self.end = threading.Event()
        self.hanging = 0
        self.most = 0
        self._lock = threading.Lock()

    def look_up(self, host: str, _port: int) -> list[Any]:
        if not host.endswith(".example"):
            return answer("127.0.0.1")
        with self._lock:
            self.hanging += 1
            self.most = max(self.most, self.hanging)
        assert self.end.wait(600)
        with self._lock:
            self.hanging -= 1
        raise socket.gaierror(socket.EAI_AGAIN, "at last")


@pytest.fixture
def dns() -> Iterator[HangingDns]:
    dns = HangingDns()
    yield dns
    dns.end.set()


async def test_lookups_have_a_time_limit_and_a_concurrency_limit(dns: HangingDns) -> None:
    resolver = Resolver(dns.look_up, private=True, timeout_s=0.05, max_parallel=3)
    names = [f"{number}.example" for number in range(8)]
    found = await asyncio.gather(
        *(resolver.find_address(name, 443) for name in names), return_exceptions=True
    )
    assert [type(each) for each in found] == [TimeoutError] * 8
    await wait_until(lambda: dns.most == 3, "three threads that hang")
    resolver.timeout_s = PATIENCE
    # The known services have threads of their own, which these could not take.
    assert await resolver.find_address("push.test", 443, is_known=True) == "127.0.0.1"
    dns.end.set()
    await wait_until(lambda: not dns.hanging, "threads that have ended")
    assert dns.most == 3, "threads that hang are counted until they end"
    assert await resolver.find_address("push.test", 443) == "127.0.0.1"


@pytest.mark.thorough
async def test_slow_dns_delays_no_other_endpoint(
    dns: HangingDns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of endpoints whose names hang, and one that works, which is due last."""

    def look_up(host: str, port: Any, *_: Any, **__: Any) -> list[Any]:
        found = dns.look_up(host, port)
        return [(*each[:4], (each[4][0], port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    clock, browser = LateClock(), PretendBrowser()
    async with (
        push_service() as service,
        run_notifier(by_push(), clock=clock) as here,
        Server(here.url) as server,
    ):
        sender = here.services.notices.sender
        assert sender
        sender.timeout_s = 600  # Only what limits slow DNS ends these.
        two = await Two(server).sit()
        await two.ask(1, "/push", **browser.subscription(service.endpoint()))
        await two.turn(0)
        await service.wait(1)
        await two.turn(1)
        [row] = await rows(here.store)
        bad = [
            row._asdict()
            | {"id": f"bad {number}", "mark": f"bad {number}", "created": row.created - 1}
            | {"address": f"http://{number}.site-{number}.example/x"}
            for number in range(600)
        ]
        async with here.store.writing() as connection:
            await connection.execute(insert(subscribers), bad)
        try:
            await two.turn(0)
            await asyncio.wait_for(service.wait(2), PATIENCE)
            assert dns.hanging, "the others wait"
        finally:
            dns.end.set()


def test_services_that_never_answered_share_few_slots() -> None:
    services = PushServices()
    taken = [
        services.take(f"https://{number}.{number}.example/x") for number in range(MAX_UNPROVEN + 5)
    ]
    assert sum(taken) == MAX_UNPROVEN
    known = "https://fcm.googleapis.com/fcm/send/x"
    assert services.take(known), "the services of browsers are known"
    one = "https://0.0.example/x"
    services.note_outcome(one, "sent")
    assert services.is_known("0.0.example")
    assert services.take(one), "a slot of the others"
    services.leave(one)
    services.leave(one)
    services.note_outcome(one, "later")
    assert not services.is_known("0.0.example")
    assert services.take(one)
    assert not services.take("https://more.example/x")
    services.note_outcome(known, "later")
    assert services.is_known("fcm.googleapis.com")


def test_names_of_one_domain_share_slots() -> None:
    """The owner of a domain has all names below it."""
    services = PushServices()
    taken = [services.take(f"https://{number}.evil.example/x") for number in range(10)]
    assert sum(taken) == 2
    assert not PushServices().is_known("fcm.googleapis.com.evil.example")
    assert not PushServices().is_known("evilpush.apple.com")
    assert PushServices().is_known("web.push.apple.com")
