"""Who is at a table, what people say to each other, replacing absent players, and open hands."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from dalapapa.client import Server
from dalapapa.hosting import encoder
from dalapapa.hosting.entries import Left, Returned, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import advance, open_table
from dalapapa.server.tables import presence as presence_module
from dalapapa.server.tables import presence_bus as bus_module
from dalapapa.server.tables.presence import GRACE_MS, Occupancy, TablePresence
from dalapapa.server.tables.presence_bus import MAX_GREETINGS_AT_ONCE
from tests.support.online_games import start_duel
from tests.support.serving import PATIENCE, Served, refusal, served
from tests.support.sockets import AdjustableClock, RawSocket, open_raw, open_silent
from tests.support.two_processes import open_two_processes
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

START = 1_790_000_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> AdjustableClock:
    monkeypatch.setattr(bus_module, "COLLECT_DELAY_S", 0.02)
    return AdjustableClock()


@pytest.fixture
async def here(clock: AdjustableClock) -> AsyncIterator[Served]:
    async with served(clock=clock) as here:
        yield here


@pytest.fixture
async def server(here: Served) -> AsyncIterator[Server]:
    async with Server(here.url) as server:
        yield server


@contextlib.asynccontextmanager
async def seated(url: str, table: str, *tokens: str) -> AsyncIterator[RawSocket]:
    """A socket that wants to know who is there."""
    async with open_silent(url, table) as viewer:
        await viewer.say(type="hello", tokens=tokens, **{"with": ["company", "what is to come"]})
        assert (await viewer.hear())["type"] == "table"
        yield viewer


def states(message: dict[str, Any]) -> list[str | None]:
    return [seat["state"] for seat in message["seats"]]


async def until(viewer: RawSocket, *expected: str | None, spectators: int = 0) -> dict[str, Any]:
    """Wait until the presence is like this."""
    while True:
        message = await viewer.hear("company")
        if (states(message), message["spectators"]) == (list(expected), spectators):
            return message


def look_again(here: Served) -> None:
    """Let all waiting tasks look again after a test has put the clock forward."""
    for live in here.tables.registry.cache.values():
        here.tables.presence.update_soon(live, 0)


async def noticed(here: Served, table: str, seat: int) -> None:
    """Wait until the server has noticed that a seat has no socket any more."""
    live = await here.tables.find(table)
    await wait_until(lambda: seat not in live.presence.here, f"a server that misses seat {seat}")


# -- one table, without a server -------------------------------------------------------------------


class FakeGuest:
    """A socket that is open."""

    def __init__(self, *seats: int) -> None:
        self.seats = seats

    def on_presence(self, message: bytes) -> None: ...

    def on_reaction(self, message: bytes) -> None: ...


def waiting_for_ann(**settings: Any) -> tuple[Any, dict[int, int]]:
    """A classic table at which the game waits for the first seat since the start."""
    state = open_table(Settings("classic", (SeatPlan(), SeatPlan()), **settings), "5eed" * 8, START)
    for seat, name in enumerate(("Ann", "Bob")):
        state = advance(state, Sat(seat, name, f"{seat}" * 64), START)
    return state, {0: START}


def test_a_short_break_is_no_absence() -> None:
    state, waits = waiting_for_ann()
    presence = TablePresence(START)
    ann, bob = FakeGuest(0), FakeGuest(1)
    presence.guests |= {ann, bob, FakeGuest()}
    presence.update(START)
    shown = presence.describe(state, waits, START)
    assert ([seat.state for seat in shown.seats], shown.spectators) == (["here", "here"], 1)
    presence.guests.discard(ann)
    presence.update(START + 1000)
    assert presence.describe(state, waits, START + 999 + GRACE_MS).seats[0].state == "here"
    assert presence.next_absence([0, 1], START + 1000) == START + 1000 + GRACE_MS
    away = presence.describe(state, waits, START + 1000 + GRACE_MS).seats[0]
    assert (away.state, away.since, away.replace) == ("away", START + 1000, None)
    presence.guests.add(ann)
    presence.update(START + 90_000)
    assert presence.describe(state, waits, START + 90_000).seats[0].state == "here"


def test_a_player_at_another_process_is_present() -> None:
    presence = TablePresence(START)
    presence.elsewhere["other"] = Occupancy((1,), 2)
    presence.update(START)
    assert presence.absent_since(1) is None
    assert presence.spectators == 2
    del presence.elsewhere["other"]
    presence.update(START + 5)
    assert presence.absent_since(1) == START + 5
    assert presence.absent_since(0) == START, "what was before is unknown"


def test_the_time_of_an_absence_counts_on_turn_only() -> None:
    state, waits = waiting_for_ann(absence=120)
    presence = TablePresence(START - 3_600_000)  # Away for an hour when the turn came.
    assert presence.replaceable_at(state, waits, 0) == START + 120_000
    assert presence.replaceable_at(state, waits, 1) is None, "no player waits for him"
    presence.guests.add(FakeGuest(0))
    presence.update(START)
    assert presence.replaceable_at(state, waits, 0) is None
    assert TablePresence(START).replaceable_at(*waiting_for_ann(), 0) is None, (
        "nothing was agreed on"
    )


def test_a_replaced_player_is_absent_until_the_return() -> None:
    state, waits = waiting_for_ann(absence=120)
    gone = advance(state, Left(0, by=1), START)
    assert (gone.seats[0].away, gone.seats[0].replaced) == (True, True)
    assert TablePresence(START).describe(gone, waits, START).seats[0].state == "left"
    assert not advance(state, Left(0), START).seats[0].replaced
    back = advance(gone, Returned(0), START)
    assert (back.seats[0].away, back.seats[0].replaced) == (False, False)
    assert msgspec.json.encode(Left(0)) == b'{"type":"left","seat":0}', "as it always was"


# -- sockets ---------------------------------------------------------------------------------------


async def test_presence_is_sent_to_viewers_that_ask_for_it(
    server: Server, here: Served, clock: AdjustableClock
) -> None:
    table, ann, bob = await start_duel(server, "classic")
    async with seated(server.url, table, ann) as hers, open_raw(server.url, table) as old:
        async with seated(server.url, table, bob):
            await until(hers, "here", "here", spectators=1)
        await noticed(here, table, 1)
        clock.ahead += GRACE_MS
        look_again(here)
        message = await until(hers, "here", "away", spectators=1)
        assert "replace" not in message["seats"][1]
        async with seated(server.url, table, bob):
            await until(hers, "here", "here", spectators=1)
        await server.leave(table, 1, bob)
        await until(hers, "here", "left", spectators=1)
        await old.say(type="ping", id="p")
        kinds = [(await old.hear())["type"] for _ in range(2)]
        assert kinds == ["table", "pong"], "a client that did not ask hears nothing new"


async def test_a_reloaded_page_is_no_change_of_presence(
    server: Server, here: Served, clock: AdjustableClock
) -> None:
    table, ann, bob = await start_duel(server, "classic")
    async with seated(server.url, table, ann) as hers:
        for _ in range(5):
            async with seated(server.url, table, bob) as his:
                await until(his, "here", "here")
            look_again(here)
        await noticed(here, table, 1)
        clock.ahead += GRACE_MS
        look_again(here)
        heard = [states(await hers.hear("company"))]
        while heard[-1] != ["here", "away"]:
            heard.append(states(await hers.hear("company")))
    assert heard in ([["here", "here"], ["here", "away"]], [["here", "away"]])


async def test_greetings_reach_all_viewers_and_are_limited(
    server: Server, clock: AdjustableClock
) -> None:
    clock.stand()
    table, ann, bob = await start_duel(server, "classic")
    async with (
        seated(server.url, table, ann) as hers,
        seated(server.url, table, bob) as his,
        seated(server.url, table) as spectator,
    ):
        await hers.say(type="greet", id="g", seat=0, greeting="well_played")
        for viewer in (hers, his, spectator):
            assert await viewer.hear("greeting") == {
                "type": "greeting", "seat": 0, "greeting": "well_played",
            }  # fmt: skip
        assert (await hers.hear("done"))["id"] == "g"
        for seat, code in ((1, "not_your_seat"), (7, "not_your_seat")):
            await hers.say(type="greet", id="x", seat=seat, greeting="hello")
            assert (await hers.hear("refused"))["code"] == code
        await spectator.say(type="greet", id="x", seat=0, greeting="hello")
        assert (await spectator.hear("refused"))["code"] == "not_your_seat"
        await hers.say(type="greet", id="x", seat=0, greeting="you fool")
        assert (await hers.hear("refused"))["code"] == "malformed_message"
        for _ in range(MAX_GREETINGS_AT_ONCE):
            await hers.say(type="greet", id="many", seat=0, greeting="oops")
        while (answer := await hers.hear("refused", "done"))["type"] == "done":
            pass
        assert (answer["id"], answer["code"]) == ("many", "too_often")
        await his.say(type="greet", id="b", seat=1, greeting="thanks")
        assert (await his.hear("done"))["id"] == "b", "everybody counts on their own"


async def test_a_reminder_reaches_the_player_for_whom_the_table_waits(
    server: Server, clock: AdjustableClock
) -> None:
    table, ann, bob = await start_duel(server, "classic")
    async with seated(server.url, table, bob) as his, seated(server.url, table) as spectator:
        await his.say(type="remind", id="1", seat=0)
        assert (await his.hear("done"))["reached"] is False, "no page of hers is open"
        async with seated(server.url, table, ann) as hers:
            await his.say(type="remind", id="2", seat=0)
            assert (await his.hear("refused"))["code"] == "too_often"
            clock.ahead += bus_module.REMINDER_INTERVAL_MS
            await his.say(type="remind", id="3", seat=0)
            assert await hers.hear("reminder") == {"type": "reminder", "seat": 0, "by": 1}
            assert (await his.hear("done"))["reached"] is True
            for viewer, seat, code in (
                (his, 1, "not_awaited"),
                (his, 9, "not_awaited"),
                (hers, 1, "not_awaited"),
                (hers, 0, "not_awaited"),
                (spectator, 0, "not_your_seat"),
            ):
                await viewer.say(type="remind", id="x", seat=seat)
                assert (await viewer.hear("refused"))["code"] == code


async def test_others_can_replace_an_absent_player_by_a_bot_after_a_time(
    server: Server, here: Served, clock: AdjustableClock
) -> None:
    table, ann, bob = await start_duel(server, "classic", absence=120)

    def replace(seat: int, token: str) -> Any:
        return server.ask("POST", f"/tables/{table}/seats/{seat}/replace", token)

    async with seated(server.url, table, bob) as his:
        clock.ahead += 100_000
        assert await refusal(replace(0, bob)) == "not_absent"
        clock.ahead += 20_000
        look_again(here)
        message = await until(his, "away", "here")
        assert message["seats"][0]["replace"] <= clock.now()
        assert await refusal(replace(0, ann)) == "not_your_seat"
        assert await refusal(replace(0, "stranger")) == "not_your_seat"
        assert await refusal(replace(7, bob)) == "unknown_seat"
        async with seated(server.url, table, ann) as hers:
            await until(hers, "here", "here")
            assert await refusal(replace(0, bob)) == "not_absent", "she is back"
        await noticed(here, table, 0)
        clock.ahead += 120_000
        await replace(0, bob)
        seat = (await his.hear("table"))["table"]["seats"][0]
        assert (seat["away"], seat["replaced"]) == (True, True)
        await until(his, "left", "here")
        moved = await his.hear("table")
        assert moved["events"][0]["event"] == "laid", "the program plays"
        await server.come_back(table, 0, ann)
        while seat["away"]:
            seat = (await his.hear("table"))["table"]["seats"][0]
        assert not seat["replaced"]


async def test_no_player_is_replaced_without_that_option(
    server: Server, clock: AdjustableClock
) -> None:
    table, _, bob = await start_duel(server, "classic")
    clock.ahead += 10**9
    replaced = server.ask("POST", f"/tables/{table}/seats/0/replace", bob)
    assert await refusal(replaced) == "not_absent"


# -- open hands ------------------------------------------------------------------------------------


async def test_open_hands_are_visible_to_all_and_other_hands_are_not(server: Server) -> None:
    for hands, spectators in (("open", "public"), ("open", "none"), ("own", "public")):
        table, ann, _ = await start_duel(server, "classic", hands=hands, spectators=spectators)
        async with (
            open_silent(server.url, table) as hers,
            open_silent(server.url, table) as spectator,
        ):
            await hers.say(type="hello", tokens=[ann])
            message = await hers.hear()
            await spectator.say(type="hello")
            watched = await spectator.hear()
        assert message["table"]["hands"] == hands
        if hands == "own":
            assert "hands" not in message
        else:
            assert [len(hand) for hand in message["hands"]] == [1, 1]
            assert message["hands"][0] == message["views"]["0"]["hand"]
        public = (hands, spectators) == ("open", "public")
        assert ("hands" in watched) == public
        assert ("hands" in await server.ask("GET", f"/tables/{table}")) == public


def test_draws_with_open_hands_are_public() -> None:
    state, _ = waiting_for_ann(hands="open")
    text = encoder.encode_table("table", state, (0,), START, True).decode()
    assert all(name in text for hand in state.game_state.hands for name in hand)
    assert state.seed not in text
    closed, _ = waiting_for_ann()
    text = encoder.encode_table("table", closed, (0,), START, True).decode()
    assert not any(name in text for name in closed.game_state.hands[1])


# -- several processes -----------------------------------------------------------------------------


class Guest(FakeGuest):
    """Hears everything."""

    def __init__(self, *seats: int) -> None:
        super().__init__(*seats)
        self.heard: list[Any] = []
        self.something = asyncio.Event()

    def on_presence(self, message: bytes) -> None:
        self.heard.append(msgspec.json.decode(message))
        self.something.set()

    on_reaction = on_presence

    async def until(self, *states: str, spectators: int = 0) -> None:
        def so(message: dict[str, Any]) -> bool:
            seats = [seat["state"] for seat in message.get("seats", ())]
            return (seats, message.get("spectators")) == ([*states], spectators)

        while not (self.heard and so(self.heard[-1])):
            self.something.clear()
            await self.something.wait()

    async def until_said(self, kind: str) -> Any:
        while not (found := [message for message in self.heard if message["type"] == kind]):
            self.something.clear()
            await self.something.wait()
        return found[-1]


def test_presence_across_processes(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "COLLECT_DELAY_S", 0.02)
    monkeypatch.setattr(presence_module, "GRACE_MS", 200)

    async def meet() -> None:
        async with asyncio.timeout(PATIENCE), open_two_processes(postgres_database) as (one, two):
            people = Settings("classic", (SeatPlan(), SeatPlan()))
            live, _ = await one.creator.create(people, "Ann", ("Bob",))
            same = await two.find(live.id)
            ann, bob, spectator = Guest(0), Guest(1), Guest()
            one.presence.enter(live, ann)
            await ann.until("here", "away")
            two.presence.enter(same, bob)
            two.presence.enter(same, spectator)
            await ann.until("here", "here", spectators=1)
            await bob.until("here", "here", spectators=1)
            two.presence.greet(same, (1,), 1, "hello")
            assert (await ann.until_said("greeting"))["seat"] == 1
            assert two.presence.remind(same, (1,), 0), "her page is open at the other process"
            assert (await ann.until_said("reminder"))["by"] == 1
            assert live.presence.reminded_at
            two.presence.leave(same, bob)
            await ann.until("here", "away", spectators=1)
            await two.presence.close()  # The process ends, and says so.
            await ann.until("here", "away", spectators=0)

    asyncio.run(meet())


def test_viewers_of_a_dead_process_are_absent(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_module, "COLLECT_DELAY_S", 0.02)
    monkeypatch.setattr(presence_module, "GRACE_MS", 200)
    monkeypatch.setattr(bus_module, "HEARTBEAT_INTERVAL_S", 0.1)

    async def meet() -> None:
        async with asyncio.timeout(PATIENCE), open_two_processes(postgres_database) as (one, two):
            live, _ = await one.creator.create(
                Settings("classic", (SeatPlan(), SeatPlan())), "Ann", ("Bob",)
            )
            same = await two.find(live.id)
            ann = Guest(0)
            one.presence.enter(live, ann)
            two.presence.enter(same, Guest(1))
            await ann.until("here", "here")
            two.presence._heartbeat.cancel()  # type: ignore[union-attr]
            await ann.until("here", "away")

    asyncio.run(meet())
