"""`dalapapa admin`, beside a running server; and hosts who send guests away."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from dalapapa import record
from dalapapa.client import Server, Viewer
from dalapapa.core.errors import BadInput, DalapapaError, Forbidden, IllegalMove
from dalapapa.games import REGISTRY, find_game
from dalapapa.hosting.entries import CLOSED, Closed, Forgotten, Left, Removed, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import FORGOTTEN_OWNER, TableState, advance, open_table
from dalapapa.hosting.tokens import hash_token
from dalapapa.server.ops.admin import Admin, Filter
from dalapapa.server.runtime.run import add_driver
from dalapapa.server.storage.retention import SweepResult
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from tests.support.command_line import Answer, run
from tests.support.serving import PATIENCE, LateClock, Served, first, refusal, served
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio


def waiting(game: str = "classic", people: int = 3) -> TableState:
    return open_table(Settings(game, (SeatPlan(),) * people), "seed", 0)


def sat(state: TableState, seat: int, name: str, owner: str) -> TableState:
    return advance(state, Sat(seat, name, owner), 0)


# -- the log -------------------------------------------------------------------------------------


def test_the_host_can_remove_guests_before_the_game() -> None:
    state = sat(sat(waiting(), 1, "Ann", "a"), 0, "Bob", "b")
    assert state.host == 1, "who sits longest"
    for wrong in (Removed(1, 0), Removed(1, 1), Removed(0, 0), Removed(0, 2)):
        with pytest.raises(Forbidden) as caught:
            advance(state, wrong, 0)
        assert caught.value.code == "not_host"
    with pytest.raises(IllegalMove) as free:
        advance(state, Removed(2, 1), 0)
    assert free.value.code == "seat_free"
    after = advance(state, Removed(0, 1), 0)
    assert after.seats[0].free
    assert after.removed == ("b",)
    again = sat(after, 0, "Bob", "b2")
    begun = sat(again, 2, "Cas", "c")
    with pytest.raises(IllegalMove) as late:
        advance(begun, Removed(0, 1), 0)
    assert late.value.code == "already_begun"


def test_the_next_player_becomes_host_when_the_host_leaves() -> None:
    state = sat(sat(sat(waiting(people=4), 2, "Ann", "a"), 3, "Bob", "b"), 0, "Cas", "c")
    assert advance(state, Left(2), 0).host == 3
    assert waiting().host is None


def test_a_closed_table_accepts_no_players() -> None:
    state = advance(sat(waiting(), 0, "Ann", "a"), Closed(), 0)
    assert (state.phase, state.closed) == ("over", CLOSED)
    for entry in (Sat(1, "Bob", "b"), Closed("Again.")):
        with pytest.raises(IllegalMove) as caught:
            advance(state, entry, 0)
        assert caught.value.code == "table_closed"
    assert advance(state, Forgotten(0), 0).seats[0].name is None


@pytest.mark.parametrize("name", [*REGISTRY])
def test_games_begin_the_same_with_erased_names(name: str) -> None:
    """A game treats the replacements of names as it treats names."""
    game = find_game(name)
    for called in ("Anna Magdalena", "Ÿves", "A" * 30, "å"):
        nameless = game.anonymize(called, 1)
        assert called not in (nameless, game.anonymize(nameless, 0))
        assert game.anonymize(nameless, 1) == nameless
        others = [f"other {number}" for number in range(game.seats[0] - 2)]
        people = [["Bob", one, *others][: game.seats[0]] for one in (called, nameless)]
        started = []
        for names in people:
            table = Settings(name, (SeatPlan(),) * len(names))
            state = open_table(table, "seed", 0)
            for seat, one in enumerate(names):
                state = sat(state, seat, one, FORGOTTEN_OWNER)
            started.append(game.next_actors(state.game_state))
        assert started[0] == started[1]


# -- over HTTP and sockets -----------------------------------------------------------------------


class Guest(Viewer):
    """A viewer that counts messages about its removal."""

    removed = 0

    def _take(self, message: dict[str, Any]) -> DalapapaError | None:
        self.removed += message["type"] == "removed"
        return super()._take(message)


async def test_a_guest_who_is_removed_gets_a_message() -> None:
    async with served() as here, Server(here.url) as server:
        new = await server.create(seats=[None, None, None], host="Ann")
        id = new["id"]
        bob = await server.sit(id, 1, "Bob")
        async with Guest(here.url, id, (bob,)) as guest, server.watch(id, new["token"]) as host:
            assert host.table["host"] == 0
            path = f"/tables/{id}/seats/1/remove"
            assert await refusal(server.ask("POST", path, bob)) == "not_host"
            assert await refusal(server.ask("POST", path)) == "not_host"
            assert guest.yours == [1]
            await server.ask("POST", path, new["token"])
            await wait_until(lambda: guest.removed and not guest.yours, "a guest who was removed")
            await wait_until(lambda: host.table["seats"][1]["free"], "a host who sees it")
            assert await refusal(server.ask("POST", path, new["token"])) == "seat_free"
            await server.sit(id, 1, "Bob again")
        async with Guest(
            here.url, id, (bob,)
        ) as late:  # A guest who was away gets the message later.
            await wait_until(lambda: late.removed, "a guest who comes back and was removed")
        assert (guest.removed, late.removed) == (1, 1)


# -- beside a running server ---------------------------------------------------------------------


async def ended(viewer: Viewer) -> DalapapaError:
    """The last message to a viewer."""
    with pytest.raises(DalapapaError) as caught:
        async with asyncio.timeout(PATIENCE):
            await _watch(viewer)
    return caught.value


async def _watch(viewer: Viewer) -> None:
    while True:
        await viewer.changed()


async def test_closing_and_deleting_beside_a_running_server(database: str) -> None:
    async with (
        served(database) as here,
        Server(here.url) as server,
        Admin.open(database) as admin,
    ):
        ids = [(await server.create(seats=[None, None], host="Ann"))["id"] for _ in range(4)]
        async with (
            server.watch(ids[0]) as one,
            server.watch(ids[1]) as two,
            server.watch(ids[2]) as three,
            server.watch(ids[3]) as four,
        ):
            await admin.close(ids[0])
            await admin.close(ids[1], "We  sweep\nthe hall.")
            assert await admin.delete([ids[2], "unknown"]) == 1
            messages = [await ended(viewer) for viewer in (one, two, three)]
            assert [error.code for error in messages] == [
                "table_closed", "table_closed", "unknown_table",
            ]  # fmt: skip
            assert [str(error) for error in messages[:2]] == [CLOSED, "We sweep the hall."]
            assert [error.values for error in messages[:2]] == [
                {},
                {"reason": "We sweep the hall."},
            ]
            await server.sit(ids[3], 1, "Bob")  # All others play on.
            await asyncio.wait_for(four.changed(), PATIENCE)
        codes = [await refusal(server.ask("GET", f"/tables/{id}")) for id in ids[:3]]
        assert codes == ["table_closed", "table_closed", "unknown_table"]
        assert await refusal(admin.close(ids[0]), DalapapaError) == "table_closed"
        assert await refusal(admin.close("none"), DalapapaError) == "unknown_table"
        assert await refusal(admin.close(ids[3], "x" * 301), BadInput) == "too_long"


async def test_a_move_that_meets_a_closing_is_refused(sqlite_database: str) -> None:
    """SQLite: before the server has looked, its next entry finds the number taken."""
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann")
        async with Admin.open(sqlite_database) as admin:
            await admin.close(new["id"])
            assert await refusal(server.sit(new["id"], 1, "Bob")) == "table_closed"


async def played(here: Served, server: Server, game: str, seats: int, moves: int) -> Any:
    """A table with Ann and others, after some moves."""
    names = ["Bob", "Cas", "Dan"][: seats - 1]
    new = await server.create(
        game=game, seats=[None] * seats, host="Ann", spectators="all", countdown=0
    )
    tokens = [
        new["token"],
        *[await server.sit(new["id"], n + 1, one) for n, one in enumerate(names)],
    ]
    async with server.watch(new["id"], *tokens) as all_of_them:
        for _ in range(moves):
            for seat in range(seats):
                if legal := await all_of_them.legal(seat):
                    await all_of_them.move(first(legal))
                    break
    return new["id"], tokens


async def test_forget_works_beside_a_running_server(database: str) -> None:
    async with (
        served(database) as here,
        Server(here.url) as server,
        Admin.open(database) as admin,
    ):
        id, tokens = await played(here, server, "gone", 3, 4)
        lobby = await server.create(seats=[None, None], host="Annabelle")
        before = json.loads(await server.record(id, tokens[1]))
        async with server.watch(id, tokens[0]) as hers, server.watch(lobby["id"]) as waits:
            link = f"{here.url}/t/{id}#seat={tokens[0]}"
            report = await admin.forget([link, lobby["token"]])
            assert (report.tables, report.seats, report.names) == (2, 2, 2)
            async with asyncio.timeout(PATIENCE):
                while hers.yours or "Ann" in json.dumps([hers.table, hers.views]):
                    await hers.changed()
                while not waits.table["seats"][0]["free"]:
                    await waits.changed()
            assert hers.table["seats"][0]["away"], "a program plays"
        after = json.loads(await server.record(id, tokens[1]))
        assert len(after["moves"]) >= len(before["moves"])
        assert after["moves"][: len(before["moves"])] == before["moves"]
        assert "Ann" not in json.dumps(after)
        assert [one["name"] for one in after["players"]][1:] == ["Bob", "Cas"]
        again = await admin.forget(tokens[:1])
        assert (again.tables, again.seats, again.names) == (0, 0, 0)
        assert await refusal(admin.forget(["no token!"]), BadInput) == "bad_token"
    # Nothing of it is in the database, and all is played through as it was.
    store = Store(database)
    await store.open()
    found = {rows.id: rows.read() async for rows in store.rows()}
    assert "Ann" not in repr(found)
    for secret in (hash_token(tokens[0]), hash_token(lobby["token"])):
        assert secret not in repr(found)
    table, log = found[id]
    state = open_table(table.settings, table.seed, table.created)
    for one in log:
        state = advance(state, one.entry, one.at)
    await store.close()


async def test_records_of_finished_games_stay_verifiable(sqlite_database: str) -> None:
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(game="72", seats=[None, "random"], host="Ann", pace=0)
        async with server.watch(new["id"], new["token"]) as seat:
            while seat.table["phase"] != "over":
                if legal := await seat.legal():
                    await seat.move(first(legal))
                else:
                    await seat.changed()
        async with Admin.open(sqlite_database) as admin:
            assert await admin.retire(RetentionPolicy(over=0)) == SweepResult(archived=1)
            there = await admin.inspect(new["id"])
            assert (there.archived, there.phase, there.seats[0].name) == (True, "over", "Ann")
            assert (await admin.overview(Filter(), 10)).archived == 1
            # Where nothing can be changed, it is taken out first.
            assert (await admin.forget([new["token"]])).seats == 1
            assert not (await admin.inspect(new["id"])).archived
            assert (await admin.inspect(new["id"])).seats[0].name == "player 1"

        async def record_without_name() -> bytes | None:
            kept = await server.record(new["id"])
            return None if b"Ann" in kept else kept

        kept = await wait_until(record_without_name, "a record without the name")
        record.replay(record.load(kept))


async def test_lists_filter_and_count(database: str) -> None:
    clock = LateClock()
    async with served(database, clock) as here, Server(here.url) as server:
        for game in ("classic", "classic", "gone"):
            await server.create(game=game, seats=[None, None], host="Ann")
        new = await server.create(game="classic", seats=["random", "random"])
        clock.ahead += 3 * 86_400_000
        await server.create(game="72", seats=[None, None], host="Ann")
        async with Admin.open(database) as admin:
            admin.clock = clock
            everything = await admin.overview(Filter(), 2)
            assert (everything.count, len(everything.tables)) == (5, 2)
            assert everything.phases == {"playing": 1, "waiting": 4}
            assert everything.games == {"72": 1, "classic": 3, "gone": 1}
            for wanted, count in (
                (Filter(phase="playing"), 1), (Filter(game="classic"), 3),
                (Filter(game="class"), 0),
                (Filter(older=2), 4), (Filter(newer=2), 1), (Filter("waiting", "gone", 1), 1),
            ):  # fmt: skip
                assert (await admin.overview(wanted, 10)).count == count
            seen = await admin.inspect(new["id"])
            assert (seen.phase, seen.trouble, seen.entries) == ("playing", None, {})
            with pytest.raises(DalapapaError):
                await admin.inspect("none")


# -- the command line ----------------------------------------------------------------------------


async def test_the_command_line(sqlite_database: str) -> None:
    url = sqlite_database.replace("+aiosqlite", "")
    assert add_driver(url) == sqlite_database
    where = f"--database={url}"
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann")
        other = await server.create(seats=[None, None], host="Bob")

        async def admin(*words: str, given: str = "") -> Answer:
            return await asyncio.to_thread(
                run, "admin", words[0], where, *words[1:], stdin=given.encode()
            )

        listed = await admin("list", "--json")
        assert json.loads(listed.out)["phases"] == {"waiting": 2}
        assert new["id"] in (await admin("list")).out
        seen = await admin("inspect", new["id"])
        assert "seat 0: Ann" in seen.out
        seed = (await here.tables.find(new["id"])).state.seed
        shown = (await admin("inspect", new["id"], "--json")).out
        for secret in (seed, new["token"], hash_token(new["token"])):
            assert secret not in shown
        refused = await admin("delete", new["id"], given="")
        assert (refused.code, "--yes" in refused.err) == (2, True)
        ids = (await admin("list", "--ids", "--phase=waiting")).out
        assert sorted(ids.split()) == sorted([new["id"], other["id"]])
        closed = await admin("close", "--yes", "--say=Good night.", new["id"])
        assert closed.code == 0
        forgotten = await admin("forget", "--yes", "--json", other["token"])
        assert forgotten.code == 0
        assert json.loads(forgotten.out) == {
            "tables": 1, "seats": 1, "names": 1, "unknown": [], "erased": True,
        }  # fmt: skip
        deleted = await admin("delete", "--yes", "-", given=ids)
        assert deleted.out == "2 tables deleted.\n"
        assert json.loads((await admin("list", "--json")).out)["count"] == 0
        swept = await admin("retire", "--yes", "--keep=over=1", "--json")
        assert json.loads(swept.out) == {"archived": 0, "removed": 0}


async def test_a_wrong_path_creates_no_database(sqlite_database: str) -> None:
    async def look() -> None:
        async with Admin.open(sqlite_database):
            pass

    assert await refusal(look(), DalapapaError) == "no_database"
