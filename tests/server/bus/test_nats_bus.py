"""The bus over a real NATS server: interest, lost messages, and a broker that fails or lies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import nats
import pytest

from dalapapa.core.errors import BadInput
from dalapapa.server.bus import nats_bus as nats_bus_module
from dalapapa.server.bus.choose import check_bus, make_bus
from dalapapa.server.bus.nats_bus import TABLE_SUBJECT, NatsBus
from dalapapa.server.storage.store import Store
from dalapapa.server.storage.writer import Row
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.tables import Tables
from tests.support.command_line import run
from tests.support.nats import Broker
from tests.support.serving import PATIENCE
from tests.support.two_processes import WaitingViewer, make_settings_for_people, open_two_processes
from tests.support.waiting import wait_until

MAX_STALE_S = 5
"""Viewers may see the moves of other processes this much later when messages are lost."""

pytestmark = pytest.mark.anyio


class Watched:
    """A table with seats for people, and one viewer in each of two processes."""

    def __init__(self, here: Tables, there: Tables) -> None:
        self.here, self.there = here, there
        self.viewers = WaitingViewer(), WaitingViewer()
        self.seated = 0
        self.live: LiveTable
        self.live_there: LiveTable

    async def open(self) -> None:
        self.live, _ = await self.here.creator.create(make_settings_for_people(4), None)
        self.live_there = await self.there.find(self.live.id)
        self.here.driver.watch(self.live, self.viewers[0])
        self.there.driver.watch(self.live_there, self.viewers[1])

    async def sit(self) -> None:
        """One more entry, made here."""
        await self.here.commands.sit(self.live, self.seated, f"Player {self.seated}")
        self.seated += 1

    async def until_seen(self) -> None:
        """The viewer there sees all entries."""
        await self.viewers[1].until(self.live.state.version)


@pytest.fixture
async def tables(postgres_database: str, broker: Broker) -> AsyncIterator[tuple[Tables, Tables]]:
    async with open_two_processes(postgres_database, broker.url) as (here, there):
        await wait_until(lambda: are_connected(here, there), "connections")
        yield here, there


def is_away(tables: Tables) -> bool:
    return not are_connected(tables)


def are_connected(*processes: Tables) -> bool:
    return all(tables.bus is not None and tables.bus.is_connected for tables in processes)


@pytest.fixture
async def watched(tables: tuple[Tables, Tables]) -> Watched:
    table = Watched(*tables)
    await table.open()
    await followed(table.there, table.live.id)
    return table


async def followed(tables: Tables, table: str, is_followed: bool = True) -> None:
    """Wait until a process follows a table, or does so no more."""
    bus = tables.bus
    assert isinstance(bus, NatsBus)
    await wait_until(lambda: (table in bus._subscriptions) is is_followed, "a subscription")


@contextlib.asynccontextmanager
async def taking_at_most(seconds: float) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    began = loop.time()
    yield
    assert loop.time() < began + seconds


async def publish(broker: Broker, table: str, *messages: bytes) -> None:
    """Send messages about a table, as any program that reaches the broker can."""
    client = await nats.connect(broker.url)
    for message in messages:
        await client.publish(TABLE_SUBJECT + table, message)
    await client.flush()
    await client.close()


async def test_a_process_receives_only_what_concerns_its_tables(
    tables: tuple[Tables, Tables], broker: Broker
) -> None:
    here, there = tables
    assert here.bus is not None
    assert there.bus is not None
    table = Watched(here, there)
    await table.open()
    await followed(there, table.live.id)
    other, _ = await here.creator.create(make_settings_for_people(4), None)
    received = there.bus.received
    for seat in range(4):
        await here.commands.sit(other, seat, f"Player {seat}")
    await table.sit()
    await table.until_seen()
    assert there.bus.received == received + 1, "of the table that it follows"
    table.there.driver.unwatch(table.live_there, table.viewers[1])
    await followed(there, table.live.id, False)
    await table.sit()
    # What was sent before a message that there does arrive would have arrived before it.
    probe, _ = await here.creator.create(make_settings_for_people(2), None)
    table.there.driver.watch(await there.find(probe.id), WaitingViewer())
    await followed(there, probe.id)
    await publish(broker, probe.id, b"0")
    await wait_until(lambda: there.bus and there.bus.received > received + 1, "the probe")
    assert there.bus.received == received + 2


async def test_a_move_before_the_subscription_is_read(
    tables: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dalapapa.server.tables.sync.CHECK_INTERVAL_S", PATIENCE)
    table = Watched(*tables)
    table.live, _ = await table.here.creator.create(make_settings_for_people(4), None)
    table.live_there = await table.there.find(table.live.id)
    await table.sit()  # There, it is in memory, but not followed yet.
    table.there.driver.watch(table.live_there, table.viewers[1])
    await table.until_seen()


async def lose_announcement(watched: Watched, broker: Broker) -> None:
    """The process dies between the commit and the announcement."""
    announce, watched.here.store.announce = watched.here.store.announce, lambda _: None
    await watched.sit()
    watched.here.store.announce = announce


async def lose_broker(watched: Watched, broker: Broker) -> None:
    broker.kill()
    await watched.sit()


async def freeze_broker(watched: Watched, broker: Broker) -> None:
    broker.freeze()
    await watched.sit()


@pytest.mark.parametrize("lose", [lose_announcement, lose_broker, freeze_broker])
async def test_a_lost_announcement_costs_less_than_five_seconds(
    watched: Watched, broker: Broker, lose: Callable[[Watched, Broker], Awaitable[None]]
) -> None:
    await lose(watched, broker)
    try:
        async with taking_at_most(MAX_STALE_S):
            await watched.until_seen()
    finally:
        if lose is freeze_broker:
            broker.thaw()


async def test_announcements_go_on_when_the_broker_is_back(
    watched: Watched, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = watched.here, watched.there
    for _ in range(2):
        broker.kill()
        for tables in both:
            await wait_until(partial(is_away, tables), "a loss")
        await watched.sit()
        await asyncio.to_thread(broker.start)
        await wait_until(lambda: are_connected(*both), "the broker")
        await watched.until_seen()
    monkeypatch.setattr("dalapapa.server.tables.sync.CHECK_INTERVAL_S", PATIENCE)
    await watched.sit()
    await watched.until_seen()
    assert watched.viewers[1].versions == sorted(set(watched.viewers[1].versions))


async def test_without_a_broker_a_server_starts_and_plays(
    postgres_database: str, broker: Broker
) -> None:
    broker.kill()
    async with open_two_processes(postgres_database, broker.url) as (here, there):
        table = Watched(here, there)
        await table.open()
        await table.sit()
        async with taking_at_most(MAX_STALE_S):
            await table.until_seen()
        await asyncio.to_thread(broker.start)
        await followed(there, table.live.id)


async def test_repeated_reordered_and_false_messages_change_nothing(
    watched: Watched, broker: Broker
) -> None:
    await watched.sit()
    await watched.until_seen()
    lies = (b"1", b"0", b"1", b"-7", b"999999999999", b"1e3", b"", b"{", b"\xff{", b"[]",
            b'{"type":"here"}', b"2 2", b"9" * 10_000)  # fmt: skip
    await publish(broker, watched.live.id, *lies)
    await watched.sit()
    await watched.until_seen()
    assert watched.viewers[1].versions == [1, 2]
    assert watched.live_there.closing_error is None
    assert watched.live_there.state == watched.live.state


async def test_two_entries_of_a_commit_are_announced_once(postgres_database: str) -> None:
    bus = NatsBus(Store(postgres_database), "nats://127.0.0.1:1")
    rows = [Row("a", 1, 0, None, "", ""), Row("b", 5, 0, None, "", ""),
            Row("a", 2, 0, None, "", "")]  # fmt: skip
    bus._announce(rows)
    assert list(bus._queue) == [(f"{TABLE_SUBJECT}a", b"2"), (f"{TABLE_SUBJECT}b", b"5")]


async def test_presence_is_answered_where_a_table_is_not_followed(
    tables: tuple[Tables, Tables],
) -> None:
    """Before it sends a notification, a process asks whether the player has a page open."""
    here, there = tables
    table = Watched(here, there)
    table.live, _ = await here.creator.create(make_settings_for_people(2), "Ann")
    table.live_there = await there.find(table.live.id)
    here.driver.watch(table.live, table.viewers[0])

    class Page:
        seats = (0,)

        def on_presence(self, message: bytes) -> None: ...

        def on_reaction(self, message: bytes) -> None: ...

    page = Page()
    here.presence.enter(table.live, page)
    await followed(here, table.live.id)
    there.presence.ask(table.live_there)

    def is_known() -> bool:
        table.live_there.presence.update(table.live_there.time.now())
        return 0 in table.live_there.presence.here

    await wait_until(is_known, "the answer about seat 0")
    here.presence.leave(table.live, page)
    there.presence.ask(table.live_there)
    await wait_until(lambda: not is_known(), "the answer that the page is closed")


async def test_messages_wait_for_the_broker_up_to_a_limit(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_bus_module, "MAX_QUEUED_MESSAGES", 3)
    bus = NatsBus(Store(postgres_database), "nats://127.0.0.1:1")
    for number in range(5):
        bus._announce([Row("a", number, 0, None, "", "")])
    assert [payload for _, payload in bus._queue] == [b"2", b"3", b"4"]


@pytest.mark.parametrize(
    "urls", ["", "nats://", "http://127.0.0.1:4222", "127.0.0.1:4222", "nats://host:x",
             "nats://a:4222,", "nats://a:4222,redis://b"],
)  # fmt: skip
def test_a_bus_that_cannot_be_is_refused(urls: str) -> None:
    with pytest.raises(BadInput, match="nats://") as refused:
        check_bus(urls)
    assert refused.value.code == "bad_bus"


def test_a_bus_needs_postgresql() -> None:
    done = run("play", "--no-browser", "--database=sqlite:///:memory:", "--bus=nats://127.0.0.1:1")
    assert done.code == 2
    assert "these need PostgreSQL" in done.err


def test_without_options_postgresql_is_the_bus(postgres_database: str) -> None:
    bus = make_bus(Store(postgres_database), None)
    assert bus is not None
    assert not bus.is_lossy
    assert make_bus(Store("sqlite+aiosqlite:///:memory:"), None) is None
