"""`dalapapa admin forget`: the name is in no answer, no cache and no file any more."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from dalapapa.client import Server
from dalapapa.core.errors import BadInput
from dalapapa.hosting.state import FORGOTTEN_OWNER
from dalapapa.server.app import ROUTES
from dalapapa.server.http.routing import Route
from dalapapa.server.ops.admin import Admin
from dalapapa.server.payload import Payload, compress_async
from dalapapa.server.storage import forgetting
from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.schema import entries
from dalapapa.server.storage.store import Store
from dalapapa.server.traffic.limits import Limits
from dalapapa.server.workers.reviews import Reviews
from tests.support.command_line import run
from tests.support.jobs import run_jobs_here
from tests.support.online_games import play_to_the_end
from tests.support.serving import PATIENCE, Served, refusal, served
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio

NAME = "Quetzalcoatlus Zweig"
UNKNOWN = "unknown-unknown-unknown"


class Party:
    """A player with an unmistakable name, at every kind of table."""

    def __init__(self, here: Served, server: Server) -> None:
        self.here = here
        self.server = server
        self.tables: dict[str, str] = {}
        """By id: the token."""
        self.duel = ""
        """The table of the game that is a challenge."""
        self.challenge = ""

    async def play(self) -> None:
        """Play a game to its end, challenge others to it, race, and wait for others in public."""
        ask = self.server.ask
        new = await self.server.create(
            game="classic", options={"target": 60}, pace=0, seats=["novice", None], host=NAME
        )
        await play_to_the_end(self.server, new["id"], new["token"])
        self.duel = new["id"]
        self.tables[self.duel] = new["token"]
        made = await ask("POST", f"/tables/{new['id']}/challenge", new["token"])
        self.challenge = made["id"]
        race = await self.server.create(
            game="puzzle", seats=[None, None], host=NAME, guests=["Bob"], countdown=0
        )
        async with self.server.watch(race["id"], race["token"]) as seat:
            await seat.move({"player": 0, "move": "give_up"})
        for more in ({"game": "classic"}, {"game": "gone", "guests": ["Bob"]}):
            one = await self.server.create(
                **{"seats": [None, None], "host": NAME, "visibility": "public", **more}
            )
            self.tables[one["id"]] = one["token"]
        self.tables[race["id"]] = race["token"]

    async def answers(self) -> dict[str, str]:
        """What every route says that says something of these tables."""
        paths = [
            "/api/tables",
            *(f"{page}/{id}" for page in ("/t", "/replay") for id in self.tables),
        ]
        paths.append(f"/challenge/{self.challenge}")
        asked = [(path, "") for path in paths]
        for route in ROUTES:
            if isinstance(route, Route) and route.method == "GET" and "{id}" in route.path:
                path = route.path.replace("{kind}", "svg")
                ids = self.tables
                if "challenge" in path:
                    ids = {self.challenge: self.tables[self.duel]}
                asked += [
                    (path.replace("{id}", id), token)
                    for id, own in ids.items()
                    for token in ("", own)
                    if not (id == self.duel and path.endswith("review"))  # It takes too long.
                ]
        found = {}
        for path, token in asked:
            headers = {"authorization": f"Bearer {token}"} if token else {}
            answer = await self.server.http.get(self.here.url + path, headers=headers)
            found[f"{path} {token}"] = answer.text
        own = [{"id": id, "token": token} for id, token in self.tables.items()]
        found["own"] = json.dumps(await self.server.ask("POST", "/own-tables", tables=own))
        for id, token in self.tables.items():
            async with self.server.watch(id, token) as seat:
                found[f"socket {id}"] = json.dumps([seat.table, seat.views])
        return found


def files_with(folder: Path, text: str) -> list[str]:
    """The files of a database that contain some text, wherever in them."""
    found = [path for path in folder.iterdir() if path.name.startswith("tables.db")]
    assert found
    return [path.name for path in found if text.encode() in path.read_bytes()]


async def test_forget_finds_a_game_that_is_archived_meanwhile(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(sqlite_database) as here, Server(here.url) as server:
        race = await server.create(
            game="puzzle", seats=[None, None], host=NAME, guests=["Bob"], countdown=0
        )
        async with server.watch(race["id"], race["token"]) as seat:
            await seat.move({"player": 0, "move": "give_up"})
        async with Admin.open(sqlite_database) as admin:
            forget = admin._forget

            async def forget_too_late(id: str, owner: str) -> tuple[int, int]:
                assert await Retention(admin.store).archive_tables([id]) == [id]
                return await forget(id, owner)

            monkeypatch.setattr(admin, "_forget", forget_too_late)
            async with asyncio.timeout(PATIENCE):
                done = await admin.forget([race["token"]])
            log = await admin.store.lines(race["id"])
        assert (done.tables, done.seats, done.names, done.unknown) == (1, 2, 2, [])
        assert not any(NAME in line.entry for line in log)


async def test_forget_finds_a_game_that_is_archived_again(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(sqlite_database) as here, Server(here.url) as server:
        race = await server.create(
            game="puzzle", seats=[None, None], host=NAME, guests=["Bob"], countdown=0
        )
        async with server.watch(race["id"], race["token"]) as seat:
            await seat.move({"player": 0, "move": "give_up"})
        async with Admin.open(sqlite_database) as admin:
            archive = Retention(admin.store).archive_tables
            assert await archive([race["id"]]) == [race["id"]]
            revive = admin._revive
            sweeps = iter([True])

            async def revive_before_a_sweep(owners: set[str]) -> bool:
                is_found = await revive(owners)
                if next(sweeps, False):
                    assert await archive([race["id"]]) == [race["id"]]
                return is_found

            monkeypatch.setattr(admin, "_revive", revive_before_a_sweep)
            done = await admin.forget([race["token"]])
            log = await admin.store.lines(race["id"])
        assert (done.tables, done.seats, done.names, done.unknown) == (1, 2, 2, [])
        assert log
        assert not any(NAME in line.entry for line in log)


@pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgres", marks=pytest.mark.thorough)], indirect=True
)
async def test_forget_removes_a_name_from_all_answers_and_files(
    database: str, tmp_path: Path
) -> None:
    async with served(database) as here, Server(here.url) as server:
        party = Party(here, server)
        await party.play()
        before = {name for name, text in (await party.answers()).items() if NAME in text}
        for route in ("record", "replay", "review", "challenges", "comparison", "own", "socket"):
            assert any(route in name for name in before), f"{route} names its players"
        if "sqlite" in database:
            assert files_with(tmp_path, NAME)
        async with Admin.open(database) as admin:
            done = await admin.forget([*party.tables.values()])
        assert (done.tables, done.unknown, done.erased) == (4, [], True)

        async def named() -> list[str]:
            return [name for name, text in (await party.answers()).items() if NAME in text]

        # The server looks once a second whether an operator has changed something.
        await wait_until(lambda: not here.services.answers.bytes, "caches that were cleared")
        assert not await named()
        if "sqlite" in database:
            assert not files_with(tmp_path, NAME), "while the server runs"
    if "sqlite" in database:
        assert not files_with(tmp_path, NAME)


async def test_a_cached_review_is_computed_again_after_forget(sqlite_database: str) -> None:
    """Without waiting until the server notices: the next request reads the table."""
    async with served(sqlite_database) as here, Server(here.url) as server:
        race = await server.create(
            game="puzzle", seats=[None, None], host=NAME, guests=["Bob"], countdown=0
        )
        async with server.watch(race["id"], race["token"]) as seat:
            await seat.move({"player": 0, "move": "give_up"})
        path = f"/tables/{race['id']}/review"
        assert NAME in json.dumps(await server.ask("GET", path))
        async with Admin.open(sqlite_database) as admin:
            await admin.forget([race["token"]])
        assert NAME not in json.dumps(await server.ask("GET", path))


async def test_forget_erases_what_earlier_versions_left_in_free_pages(
    sqlite_database: str, tmp_path: Path
) -> None:
    """Archived and deleted rows of a file that was written without secure_delete."""
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host=NAME)
    file = sqlite_database.partition("///")[2]
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE old (text)")
        connection.executemany("INSERT INTO old VALUES (?)", [(NAME * 50,)] * 100)
        connection.execute("DROP TABLE old")
    assert files_with(tmp_path, NAME)
    async with Admin.open(sqlite_database) as admin:
        assert (await admin.forget([new["token"]])).erased
    assert not files_with(tmp_path, NAME)


async def test_archived_games_lose_the_name_as_well(sqlite_database: str, tmp_path: Path) -> None:
    async with served(sqlite_database) as here, Server(here.url) as server:
        race = await server.create(
            game="puzzle", seats=[None, None], host=NAME, guests=["Bob"], countdown=0
        )
        async with server.watch(race["id"], race["token"]) as seat:
            await seat.move({"player": 0, "move": "give_up"})
        async with Admin.open(sqlite_database) as admin:
            assert (await admin.retire(RetentionPolicy(over=0))).archived == 1
            done = await admin.forget([race["token"]])
        assert (done.tables, done.unknown) == (1, [])
        record = await server.record(race["id"])
        assert NAME.encode() not in record
    assert not files_with(tmp_path, NAME)


async def test_a_table_that_cannot_be_replayed_loses_the_name(
    sqlite_database: str, tmp_path: Path
) -> None:
    """A damaged table, or one whose game is gone, must not keep the name, or stop the rest."""
    async with served(sqlite_database) as here, Server(here.url) as server:
        made = [await server.create(seats=[None, None], host=NAME) for _ in range(3)]
    file = sqlite_database.partition("///")[2]
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO entries VALUES (?, 2, 1, NULL, 'x')", (made[0]["id"],))
        game = "UPDATE tables SET settings = replace(settings, 'classic', 'gone_away') WHERE id = ?"
        connection.execute(game, (made[1]["id"],))
    async with Admin.open(sqlite_database) as admin:
        done = await admin.forget([one["token"] for one in made])
    assert (done.tables, done.seats, done.names, done.unknown) == (3, 1, 3, [])
    assert not files_with(tmp_path, NAME)
    store = Store(sqlite_database)
    await store.open()
    async with store.transaction() as reader:
        texts = (await reader.execute(select(entries.c.entry))).scalars().all()
    await store.close()
    assert sum(FORGOTTEN_OWNER in text for text in texts) == 3


async def test_an_endless_reader_is_reported(
    sqlite_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the log of SQLite cannot be emptied, and the name may still stand in it."""
    monkeypatch.setattr(forgetting, "ERASE_TIMEOUT_S", 0.1)
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host=NAME)
        file = sqlite_database.partition("///")[2]
        with contextlib.closing(sqlite3.connect(file)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM tables").fetchall()
            async with Admin.open(sqlite_database) as admin:
                done = await admin.forget([new["token"]])
                assert (done.seats, done.erased) == (1, False)
                reader.rollback()
                again = await admin.forget([new["token"]])
                assert (again.unknown, again.erased) == ([new["token"]], True)
    assert not files_with(tmp_path, NAME)


# -- caches --------------------------------------------------------------------------------------


async def test_clearing_drops_answers_also_those_under_way() -> None:
    async with served() as here:
        answers = here.services.answers
        begun = asyncio.Event()

        async def make() -> Payload:
            await begun.wait()
            return await compress_async(NAME.encode())

        await answers.get("made", 1, lambda: compress_async(NAME.encode()))
        waiting = asyncio.create_task(answers.get("under way", 1, make))
        await run_other_tasks(5)
        here.tables.sync.on_forget()
        assert (answers.bytes, answers.find("made", 1)) == (0, None)
        begun.set()
        assert (await waiting).data == NAME.encode(), "the request came before"
        assert (answers.bytes, answers.find("under way", 1)) == (0, None)


async def test_cleared_reviews_are_gone_also_those_under_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_jobs_here(monkeypatch)
    reviews = Reviews(Limits())
    begun = asyncio.Event()

    async def slow() -> dict[str, bytes]:
        await begun.wait()
        return {"en": NAME.encode()}

    async def other() -> dict[str, bytes]:
        return {"en": b"other"}

    waiting = asyncio.create_task(reviews.get("one", 0, slow))  # type: ignore[arg-type]
    await run_other_tasks(5)
    reviews.cache.clear()
    begun.set()
    assert (await waiting)["en"] == NAME.encode()
    again: Any = other
    assert (await reviews.get("one", 0, again))["en"] == b"other"
    reviews.cache.clear()
    await wait_until(lambda: reviews.under_way == 0, "the end of all reviews")
    await reviews.close()


# -- unknown tokens ------------------------------------------------------------------------------


async def test_forget_names_unknown_tokens_and_ends_with_1(sqlite_database: str) -> None:
    url = sqlite_database.replace("+aiosqlite", "")
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann")
        other = await server.create(seats=[None, None], host="Bob")

        async def forget(*words: str) -> Any:
            given = ("forget", f"--database={url}", "--yes", *words)
            return await asyncio.to_thread(run, "admin", *given)

        malformed = await forget(new["token"], "no token!")
        assert malformed.code == 2
        assert "Error (bad_token)" in malformed.err
        link = f"{here.url}/t/{new['id']}#seat={UNKNOWN}"
        mixed = await forget(link, new["token"], UNKNOWN, UNKNOWN)
        assert mixed.code == 1
        assert mixed.out == "1 table: 1 seat given up, 1 name deleted.\n"
        assert mixed.err.count("Unknown") == 2
        assert link in mixed.err
        assert f"Unknown: {UNKNOWN}\n" in mixed.err
        assert new["token"] not in mixed.err
        as_json = await forget("--json", UNKNOWN, other["token"])
        assert as_json.code == 1
        assert json.loads(as_json.out) == {
            "tables": 1, "seats": 1, "names": 1, "unknown": [UNKNOWN], "erased": True,
        }  # fmt: skip
        alone = await forget(UNKNOWN)
        assert alone.code == 1
        again = await forget(new["token"])
        assert (again.code, f"Unknown: {new['token']}" in again.err) == (1, True)
        known = await forget((await server.create(seats=[None, None], host="Cas"))["token"])
        assert (known.code, known.err) == (0, "")


async def test_a_malformed_token_forgets_nothing(sqlite_database: str) -> None:
    async with served(sqlite_database) as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host=NAME)
        async with Admin.open(sqlite_database) as admin:
            assert await refusal(admin.forget([new["token"], "?"]), BadInput) == "bad_token"
        answer = await server.ask("GET", f"/tables/{new['id']}")
        assert NAME in json.dumps(answer)


async def test_a_challenge_alone_makes_a_token_known(sqlite_database: str) -> None:
    """The table of an attempt may be gone, and its row still names the player."""
    token = "some-token-of-an-attempt"
    async with served(sqlite_database) as here, Server(here.url) as server:
        party = Party(here, server)
        await party.play()
        path = f"/challenges/{party.challenge}/attempts"
        begun = await server.ask("POST", path, token, name=NAME)
        async with Admin.open(sqlite_database) as admin:
            await admin.delete([begun["table"]])
            done = await admin.forget([token])
        assert (done.tables, done.unknown) == (0, [])
