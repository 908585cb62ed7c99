"""The host of the tables of a device: what it stores, its bots and clocks, and bad input.

What it has in common with the server is tested in `tests/protocol`.
"""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from dalapapa.client import Disconnected, Refused, Server, Viewer
from dalapapa.edition.device.driver import THINKING_LIMIT_MS
from dalapapa.edition.device.host import DeviceHost
from dalapapa.edition.device.tables import MAX_UNWATCHED_TABLES
from dalapapa.edition.messages import MAX_DEPTH
from dalapapa.games import REGISTRY
from dalapapa.games.moves import Announce, move_to_json
from dalapapa.record import load, replay
from tests.support.device_server import Device, served_device
from tests.support.online_games import give_up, play_to_the_end, read_deadline, start_duel
from tests.support.playing import until
from tests.support.serving import LateClock, first, refusal
from tests.support.sockets import open_silent

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> LateClock:
    return LateClock()


@pytest.fixture
async def served(clock: LateClock) -> AsyncIterator[tuple[str, Device]]:
    async with served_device(clock) as served:
        yield served


@pytest.fixture
def device(served: tuple[str, Device]) -> Device:
    return served[1]


@pytest.fixture
async def server(served: tuple[str, Device]) -> AsyncIterator[Server]:
    async with Server(served[0]) as server:
        yield server


def tick(device: Device, clock: LateClock, milliseconds: int) -> None:
    """Let time pass, and tell the host."""
    clock.ahead += milliseconds
    device.send(type="tick")


# -- storage -------------------------------------------------------------------------------------


async def test_a_table_goes_on_after_the_worker_has_ended(server: Server, device: Device) -> None:
    new = await server.create(game="classic", seats=[None, None], host="Ann", guests=["Bob"])
    async with server.watch(new["id"], new["token"]) as viewer:
        seat = viewer.views["0"]["active"]
        await viewer.move((await viewer.legal(seat))[0])
        version, view = viewer.version, viewer.views
        device.restart()
        with pytest.raises(Disconnected):
            await until(viewer, lambda: False)
    async with server.watch(new["id"], new["token"]) as viewer:
        assert (viewer.version, viewer.views) == (version, view)
        seat = viewer.views["0"]["active"]
        move = (await viewer.legal(seat))[0]
        assert await viewer.move(move, id="another id") == version + 1
        device.restart()
    path = f"/tables/{new['id']}/moves"
    again = await server.ask("POST", path, new["token"], move=move, id="another id")
    assert again == {"version": version + 1}, "an id is known after a restart"
    assert len(device.store[new["id"]]["log"]) == version + 1


async def test_entries_are_stored_before_they_are_sent() -> None:
    host = DeviceHost()
    asked = {"type": "request", "id": 1, "method": "POST", "path": "/tables", "body": {}}
    effects = _handle(host, asked)
    (write,) = effects["writes"]
    assert write["table"]["id"] == write["id"] == effects["replies"][0]["answer"]["id"]
    assert write["summary"]["phase"] == "waiting"
    sit = {"type": "request", "id": 2, "method": "POST", "path": f"/tables/{write['id']}/seats/0"}
    effects = _handle(host, {**sit, "body": {"name": "Ann"}})
    (write,) = effects["writes"]
    assert "table" not in write
    assert [line["entry"]["type"] for line in write["log"]] == ["sat"]
    assert write["summary"]["yours"] == [0]


def _handle(host: DeviceHost, event: dict[str, Any], now: int = 1) -> dict[str, Any]:
    text = msgspec.json.encode({"now": now, "event": event}).decode()
    effects: dict[str, Any] = msgspec.json.decode(host.handle(text))
    return effects


async def test_a_damaged_table_is_refused_and_others_go_on(server: Server, device: Device) -> None:
    good, bad = [(await server.create(seats=[None, None], host="Ann"))["id"] for _ in range(2)]
    whole = device.store[bad]
    for damage in (
        {"table": {**whole["table"], "id": good}},
        {"table": {**whole["table"], "settings": {"game": "chess"}}},
        {"table": 5},
        {"log": [{**whole["log"][0], "number": 2}]},
        {"log": [{**whole["log"][0], "entry": {"type": "castled"}}]},
        {
            "log": [
                {**whole["log"][0], "entry": {"type": "sat", "seat": 7, "name": "", "owner": ""}}
            ]
        },
        {"log": None},
    ):
        device.store[bad] = {**copy.deepcopy(whole), **damage}
        device.restart()
        assert await refusal(server.ask("GET", f"/tables/{bad}")) == "damaged_table", damage
        assert (await server.ask("GET", f"/tables/{good}"))["version"] == 1
        async with open_silent(server.url, bad) as socket:
            assert [message["code"] for message in await socket.end()] == ["damaged_table"]
    device.store[bad] = {**whole, "table": {**whole["table"], "set": None}}
    device.restart()
    assert await refusal(server.ask("GET", f"/tables/{bad}")) == "other_set"
    device.store[bad] = whole
    device.restart()
    assert (await server.ask("GET", f"/tables/{bad}"))["version"] == 1


async def test_a_table_that_is_read_again_later_opens(server: Server, device: Device) -> None:
    """A refusal lasts for one event: a storage may fail once, and a file may bring a table."""
    new = await server.create(seats=[None, None], host="Ann")
    stored = device.store.pop(new["id"])
    device.restart()
    assert await refusal(server.ask("GET", f"/tables/{new['id']}")) == "unknown_table"
    device.store[new["id"]] = stored
    assert (await server.ask("GET", f"/tables/{new['id']}"))["version"] == 1


async def test_tables_without_viewers_leave_the_memory(server: Server, device: Device) -> None:
    watched = await server.create(seats=[None, None], host="Ann")
    async with server.watch(watched["id"], watched["token"]) as viewer:
        ids = [(await server.create(seats=[None, None], host="Ann"))["id"] for _ in range(20)]
        held = device.host.tables.tables
        assert set(held) == {watched["id"], *ids[-MAX_UNWATCHED_TABLES:]}
        assert (await server.ask("GET", f"/tables/{ids[0]}"))["version"] == 1
        await server.sit(watched["id"], 1, "Bob")
        await until(viewer, lambda: viewer.version == 2)


async def test_a_deleted_table_is_gone_for_all_its_viewers(server: Server, device: Device) -> None:
    new = await server.create(seats=[None, "novice"], host="Ann", pace=0)
    async with server.watch(new["id"], new["token"]) as viewer:
        await server.ask("DELETE", f"/tables/{new['id']}")
        with pytest.raises(Refused, match="no such table"):
            await until(viewer, lambda: False)
    assert new["id"] not in device.store
    assert await refusal(server.ask("GET", f"/tables/{new['id']}")) == "unknown_table"
    assert not device.thoughts
    for other in (new["id"], "device-unknown"):
        assert await server.ask("DELETE", f"/tables/{other}") is None, "it may be repeated"


async def test_a_damaged_table_can_be_deleted(server: Server, device: Device) -> None:
    new = await server.create(seats=[None, None], host="Ann")
    device.store[new["id"]]["table"] = 5
    device.restart()
    await server.ask("DELETE", f"/tables/{new['id']}")
    assert not device.store


# -- files ---------------------------------------------------------------------------------------


async def test_tables_that_only_the_memory_has_are_listed(server: Server, device: Device) -> None:
    ids = {(await server.create(seats=[None, None], host="Ann"))["id"] for _ in range(2)}
    summaries = [stored["summary"] for stored in device.store.values()]
    device.store.clear()
    listed = await server.ask("GET", "/tables")
    assert listed == summaries
    assert {one["id"] for one in listed} == ids
    for id in ids:
        assert (await server.ask("GET", f"/tables/{id}/log"))["log"]


async def test_a_table_of_a_file_is_verified(server: Server, device: Device) -> None:
    id, ann, bob = await start_duel(server, "classic")
    async with server.watch(id, ann, bob) as viewer:
        await play_turns(viewer, 8)
    table = await server.ask("GET", f"/tables/{id}/log")
    write = await server.ask("POST", "/tables/check", id=id, table=table)
    stored = device.store.pop(id)
    assert write["table"] == stored["table"]
    assert write["summary"] == stored["summary"]
    assert [line["entry"] for line in write["log"]] == [line["entry"] for line in stored["log"]]
    device.store[id] = write
    device.restart()
    async with server.watch(id, ann, bob) as viewer:
        await play_turns(viewer, 10)


async def test_viewers_get_a_longer_log_of_a_file(server: Server, device: Device) -> None:
    new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
    id = new["id"]
    async with server.watch(id, new["token"]) as viewer:
        await play_turns(viewer, 8)
    whole = device.store[id]
    device.store[id] = {**whole, "log": whole["log"][:5]}
    device.restart()
    async with server.watch(id, new["token"]) as viewer:
        assert viewer.version == 5
        device.store[id] = whole
        device.send(type="load", id=id, table=whole["table"], log=whole["log"])
        await until(viewer, lambda: viewer.version == 8)
        await play_turns(viewer, 9)


async def test_a_damaged_table_of_a_file_is_refused(server: Server, device: Device) -> None:
    id, _, _ = await start_duel(server, "classic")
    whole = await server.ask("GET", f"/tables/{id}/log")
    log = whole["log"]
    for damage, code in (
        ({"log": [log[0], log[0]]}, "bad_log"),
        ({"log": [{"at": 1}]}, "malformed"),
        ({"log": None}, "malformed"),
        ({"seed": ""}, "malformed"),
        ({"settings": {"game": "chess", "seats": []}}, "unknown_game"),
        ({"set": {"name": "120", "fingerprint": "x"}}, "other_set"),
    ):
        body: dict[str, Any] = {"id": id, "table": {**whole, **damage}}
        assert await refusal(server.ask("POST", "/tables/check", **body)) == code, damage
    body = {"id": "a-table-of-a-server", "table": whole}
    assert await refusal(server.ask("POST", "/tables/check", **body)) == "malformed"


async def test_a_table_that_has_changed_is_not_deleted(server: Server, device: Device) -> None:
    """While a table moves to a server, a bot may move here."""
    id, _, _ = await start_duel(server, "classic")
    version = len((await server.ask("GET", f"/tables/{id}/log"))["log"])
    path = f"/tables/{id}?version="
    assert await refusal(server.ask("DELETE", f"{path}{version - 1}")) == "stale"
    await server.ask("DELETE", f"{path}{version}")
    assert id not in device.store


async def test_deep_and_malformed_events_are_refused() -> None:
    host = DeviceHost()
    deep = "[" * (MAX_DEPTH + 1)
    for text in (deep, "", "{}", '{"now": 1, "event": {"type": "castle"}}', "\ud800"):
        assert msgspec.json.decode(host.handle(text))["refused"]["code"] == "malformed"
    body: Any = {"game": [[[[[[[[[]]]]]]]]]}
    asked = {"type": "request", "id": 1, "method": "POST", "path": "/tables", "body": body}
    assert _handle(host, asked)["replies"][0]["error"]["code"] == "malformed"


async def test_a_rematch_is_found_after_the_worker_has_ended(
    server: Server, device: Device
) -> None:
    """The request concerns two tables, and the host asks for one after the other."""
    table, ann, bob = await start_duel(server)
    await give_up(server, table, 0, ann)
    again = await server.ask("POST", f"/tables/{table}/rematch", ann)
    device.restart()
    assert await server.ask("POST", f"/tables/{table}/rematch", bob) == again


# -- bots and clocks -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", REGISTRY)
async def test_bots_play_every_game_and_its_record_verifies(server: Server, game: str) -> None:
    options = {"end": "rounds", "rounds": 2} if game == "alex" else {}
    seats = ["novice"] * max(2, REGISTRY[game].seats[0])
    new = await server.create(game=game, seats=seats, pace=0, countdown=0, options=options)
    async with server.watch(new["id"]) as viewer:
        if REGISTRY[game].is_race:  # A whole race takes minutes.
            await until(viewer, lambda: viewer.version > 2)
            return
    await play_to_the_end(server, new["id"])
    replayed = replay(load(await server.record(new["id"])))
    assert [player.program for player in replayed.record.players] == seats
    review = await server.ask("GET", f"/tables/{new['id']}/replay")
    assert review["outcome"]["scores"] == list(replayed.outcome.scores)


async def test_equal_play_gives_equal_replies_from_the_same_bag(
    server: Server, device: Device
) -> None:
    """A bot's moves depend on the table alone, also after the thinking worker was ended."""
    new = await server.create(game="classic", seats=[None, "medium"], host="Ann", pace=0)
    records = []
    stored = copy.deepcopy(device.store[new["id"]])
    for _ in range(2):
        device.store[new["id"]] = copy.deepcopy(stored)
        device.restart()
        async with server.watch(new["id"], new["token"]) as viewer:
            await play_turns(viewer, 30)
        records.append([line["entry"] for line in device.store[new["id"]]["log"][:30]])
    assert records[0] == records[1]


async def play_turns(viewer: Viewer, version: int) -> None:
    while viewer.version < version:
        if moves := [move for seat in viewer.yours for move in await viewer.legal(seat)]:
            await viewer.move(first(moves))
        else:
            await viewer.changed()


async def test_a_bot_waits_for_its_pace_and_rests_without_viewers(
    server: Server, device: Device, clock: LateClock
) -> None:
    clock.stand()
    new = await server.create(game="classic", seats=["novice", "novice"], pace=1000)
    tick(device, clock, 5000)
    assert device.store[new["id"]]["log"] == []
    async with server.watch(new["id"]) as viewer:
        tick(device, clock, 999)
        assert not device.thoughts
        tick(device, clock, 1)
        await until(viewer, lambda: viewer.version == 1)
    assert device.host.tables.tables[new["id"]].plan is None


async def test_a_bot_moves_for_a_player_whose_time_is_over(
    server: Server, device: Device, clock: LateClock
) -> None:
    clock.stand()
    new = await server.create(
        game="classic", seats=[None, None], host="Ann", guests=["Bob"],
        clock={"kind": "turn", "seconds": 5},
    )  # fmt: skip
    async with server.watch(new["id"], new["token"]) as viewer:
        tick(device, clock, 4999)
        assert viewer.version == 2
        tick(device, clock, 1)
        await until(viewer, lambda: viewer.version == 3)
    assert device.store[new["id"]]["log"][-1]["entry"]["cause"] == "time"


async def test_a_timer_ends_while_a_bot_thinks(
    server: Server, device: Device, clock: LateClock
) -> None:
    clock.stand()
    device.is_thinking_allowed.clear()
    new = await server.create(
        game="alex", seats=[None, "random"], host="Ann", options={"sandglass": 30}, pace=0
    )
    async with server.watch(new["id"], new["token"]) as viewer:
        await viewer.move(move_to_json(Announce(0, 1, 1)))
        assert viewer.table["timer"] is not None
        assert device.thoughts
        tick(device, clock, 31_000)
        await until(viewer, lambda: viewer.version == 3)
        assert viewer.views["0"]["phase"] == "show"
    device.is_thinking_allowed.set()


@pytest.mark.parametrize("left", ["closed", "asleep"])
async def test_a_sandglass_that_no_player_saw_run_out_starts_again(
    server: Server, device: Device, clock: LateClock, left: str
) -> None:
    """The page was closed, or the device slept with the page open."""
    clock.stand()
    new = await server.create(
        game="alex", seats=[None, None], host="Ann", guests=["Bob"], options={"sandglass": 30}
    )  # fmt: skip
    async with server.watch(new["id"], new["token"]) as viewer:
        await viewer.move(move_to_json(Announce(0, 1, 1)))
        if left == "asleep":
            tick(device, clock, 100_000)
            await until(viewer, lambda: read_deadline(viewer) > clock.now())
    if left == "closed":
        tick(device, clock, 100_000)
    async with server.watch(new["id"], new["token"]) as viewer:
        await until(viewer, lambda: read_deadline(viewer) > clock.now())
        assert viewer.views["0"]["phase"] == "sandglass"
        assert read_deadline(viewer) - clock.now() == 30_000
        tick(device, clock, 30_500)
        await until(viewer, lambda: viewer.views["0"]["phase"] == "show")
    kinds = [line["entry"]["type"] for line in device.store[new["id"]]["log"]]
    assert kinds[-3:] == ["moved", "resumed", "moved"]


async def test_a_thought_for_a_player_who_returned_is_cancelled(
    server: Server, device: Device
) -> None:
    device.is_thinking_allowed.clear()
    table, ann, bob = await start_duel(server, "classic", pace=0)
    async with server.watch(table, ann, bob) as viewer:
        active = viewer.views["0"]["active"]
        token = (ann, bob)[active]
        await server.leave(table, active, token)
        assert len(device.thoughts) == 1
        await server.come_back(table, active, token)
        assert not device.thoughts
        device.is_thinking_allowed.set()
        await viewer.move((await viewer.legal(active))[0])


async def test_a_thought_for_a_turn_that_is_over_is_cancelled(
    server: Server, device: Device, clock: LateClock
) -> None:
    """Also where several may act after it, as in the next round of Alex."""
    clock.stand()
    device.is_thinking_allowed.clear()
    table, ann, bob = await start_duel(server, "alex", options={"sandglass": 30}, pace=0)
    async with server.watch(table, ann, bob) as viewer:
        await viewer.move(move_to_json(Announce(0, 1, 1)))
        await server.leave(table, 0, ann)
        tick(device, clock, 31_000)
        await until(viewer, lambda: viewer.views["1"]["phase"] == "show")
        assert len(device.thoughts) == 1
        tick(device, clock, 31_000)
        await until(viewer, lambda: viewer.views["1"]["phase"] == "look")
        assert not device.thoughts
    device.is_thinking_allowed.set()


async def test_a_failed_bot_is_asked_again(
    server: Server, device: Device, clock: LateClock
) -> None:
    clock.stand()
    device.is_thinking_allowed.clear()
    new = await server.create(game="classic", seats=["novice", "novice"], pace=0)
    async with server.watch(new["id"]) as viewer:
        (question,) = device.thoughts
        device.thoughts.pop(question).cancel()
        device.send(type="answer", id=question)
        assert not device.thoughts
        device.is_thinking_allowed.set()
        tick(device, clock, 500)
        await until(viewer, lambda: viewer.version >= 1)


async def test_a_bot_that_hangs_is_asked_again(
    server: Server, device: Device, clock: LateClock
) -> None:
    clock.stand()
    device.is_thinking_allowed.clear()
    new = await server.create(game="classic", seats=["novice", "novice"], pace=0)
    async with server.watch(new["id"]) as viewer:
        (question,) = device.thoughts
        assert device.wake_at is not None  # Without another event, too.
        tick(device, clock, THINKING_LIMIT_MS - 1)
        assert list(device.thoughts) == [question]
        tick(device, clock, 1)
        assert question not in device.thoughts
        device.is_thinking_allowed.set()
        tick(device, clock, 1)
        await until(viewer, lambda: viewer.version >= 1)


async def test_hints_come_from_the_other_worker(server: Server) -> None:
    new = await server.create(game="arlequin", seats=[None], host="Ann", hints="yes", countdown=0)
    path = f"/tables/{new['id']}/seats/0/hint"
    reply = await server.ask("POST", path, new["token"], width=10, id="one")
    assert (reply["version"], reply["possible"], reply["width"]) == (2, True, 10)
    assert await server.ask("POST", path, new["token"], width=10, id="one") == reply
    assert await refusal(server.ask("POST", path, "stranger")) == "not_your_seat"


async def test_a_finished_game_is_reviewed(server: Server) -> None:
    options = {"end": "rounds", "rounds": 2}  # A short game: a review takes a while.
    new = await server.create(game="alex", seats=["novice"] * 2, pace=0, options=options)
    path = f"/tables/{new['id']}/review"
    assert await refusal(server.ask("GET", path)) == "not_over"
    await play_to_the_end(server, new["id"])
    review = await server.ask("GET", f"{path}?language=fr")
    assert review["turns"]
    assert await refusal(server.ask("GET", f"{path}?language=xx")) == "malformed"


async def test_pictures_are_refused_in_one_sentence(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    with pytest.raises(Refused, match="draws no pictures") as refused:
        await server.ask("GET", f"/tables/{table}/picture.svg", ann)
    assert refused.value.code == "no_pictures"


async def test_unknown_requests_are_refused(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    for method, path in (("GET", "/lobby"), ("POST", f"/tables/{table}/challenge"), ("GET", "//")):
        with pytest.raises(Refused):
            await server.ask(method, path, ann)
    await give_up(server, table, 0, ann)
