"""A new token for a seat: what the old one still opens, which is nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from dalapapa.client import Server, Viewer
from dalapapa.hosting.entries import Renewed, Sat
from dalapapa.hosting.state import FORGOTTEN_OWNER
from dalapapa.hosting.tokens import hash_token
from dalapapa.server.http.routes.seat_tokens import TokenRenewed
from dalapapa.server.notify.subscriptions import make_mark
from dalapapa.server.ops.admin import Admin
from dalapapa.server.ops.check import CheckResult, check_tables
from dalapapa.server.ops.export import export_tables, import_tables
from dalapapa.server.services import TOKEN_RENEWAL_BURST
from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.schema import subscribers
from tests.support.challenges import (
    compare_attempts,
    make_challenge,
    play_challenge,
    read_challenge,
)
from tests.support.online_games import give_up, start_duel
from tests.support.serving import LateClock, Served, a_second_later, conforms, refusal, served
from tests.support.thoroughness import SQLITE_EVERY_DAY
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

NEW, NEWER = "a-new-token-of-ann", "a-newer-token-of-ann"


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served() as here:
        yield here


@pytest.fixture
async def server(here: Served) -> AsyncIterator[Server]:
    async with Server(here.url) as server:
        yield server


async def renew(
    server: Server, table: str, token: str, new: str | None = NEW, seat: int = 0
) -> dict[str, Any]:
    body = {} if new is None else {"new": new}
    answer: dict[str, Any] = await server.ask(
        "POST", f"/tables/{table}/seats/{seat}/token", token, **body
    )
    conforms(answer, TokenRenewed)
    return answer


async def until_version(viewer: Viewer, version: int) -> None:
    while viewer.version < version:
        await viewer.changed()


# -- the seat --------------------------------------------------------------------------------------


async def test_the_old_token_loses_the_seat_immediately(here: Served, server: Server) -> None:
    table, ann, bob = await start_duel(server, "classic", spectators="none")
    async with server.watch(table, ann) as old, server.watch(table, bob) as other:
        assert (old.yours, list(old.views)) == ([0], ["0"])
        renewed = await renew(server, table, ann)
        assert renewed == {"id": table, "seat": 0, "token": NEW, "tables": [table]}
        await until_version(old, 3)
        assert (old.yours, old.views) == ([], {}), "who has the old link sees nothing"
        assert await refusal(old.legal(0)) == "not_your_seat"
        await until_version(other, 3)
        assert other.yours == [1], "nothing has changed for others"
    move = {"player": 0, "move": "end"}
    for asked in (
        server.ask("POST", f"/tables/{table}/moves", ann, move=move),
        server.ask("DELETE", f"/tables/{table}/seats/0", ann),
        renew(server, table, ann, NEWER),
    ):
        assert await refusal(asked) == "not_your_seat"
    assert await refusal(server.ask("GET", f"/tables/{table}/history", ann)) == "no_spectators"
    async with server.watch(table, NEW) as viewer:
        assert viewer.yours == [0]
        assert viewer.table["seats"][0]["name"] == "Ann"
        assert await viewer.legal(0)
    assert await server.ask("GET", f"/tables/{table}/history", NEW)
    (own,) = await server.ask("POST", "/own-tables", tables=[{"id": table, "token": NEW}])
    assert own["yours"] == [0]
    (own,) = await server.ask("POST", "/own-tables", tables=[{"id": table, "token": ann}])
    assert own["yours"] == []


async def test_the_server_makes_a_token_if_none_is_given(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    new = (await renew(server, table, ann, None))["token"]
    assert len(new) >= 22
    await give_up(server, table, 0, new)


async def test_all_seats_of_a_token_move(here: Served, server: Server) -> None:
    new = await server.create(
        game="puzzle", seats=[None] * 3, host="Ann", guests=["Ada"], countdown=0
    )
    bob = await server.sit(new["id"], 2, "Bob")
    await renew(server, new["id"], new["token"], seat=1)
    live = await here.tables.find(new["id"])
    assert live.seats_of(new["token"]) == ()
    assert live.seats_of(NEW) == (0, 1)
    assert live.seats_of(bob) == (2,)


async def test_asking_again_after_a_lost_answer_changes_nothing(
    here: Served, server: Server
) -> None:
    table, ann, _ = await start_duel(server)
    for _ in range(3):
        assert (await renew(server, table, ann))["token"] == NEW
    assert (await here.tables.find(table)).state.version == 3


async def test_impossible_renewals_are_refused(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    for new in ("short", "x" * 65, "with a space in the middle", ann):
        assert await refusal(renew(server, table, ann, new)) == "bad_token"
    assert await refusal(renew(server, table, ann, bob)) == "bad_token", "it owns another seat"
    for token in (bob, "a-stranger-of-some-kind"):
        assert await refusal(renew(server, table, token)) == "not_your_seat"
    assert await refusal(renew(server, table, ann, seat=7)) == "not_your_seat"
    assert await refusal(renew(server, "nothing-like-that", ann)) == "unknown_table"
    await server.ask("POST", f"/tables/{table}/moves", ann, move={"player": 0, "move": "give_up"})


async def test_the_log_is_not_filled_with_tokens() -> None:
    clock = LateClock()
    clock.stand()
    async with served(clock=clock) as here, Server(here.url) as server:
        table, token, _ = await start_duel(server)
        for number in range(TOKEN_RENEWAL_BURST):
            token = (await renew(server, table, token, f"token-of-ann-number-{number}"))["token"]
        assert await refusal(renew(server, table, token)) == "too_fast"
        clock.ahead = 60_000
        await renew(server, table, token)


async def test_processes_notify_each_other_of_new_tokens(postgres_database: str) -> None:
    async with (
        served(postgres_database) as one,
        served(postgres_database) as two,
        Server(one.url) as here,
        Server(two.url) as there,
    ):
        table, ann, _ = await start_duel(here, "classic", spectators="none")
        async with there.watch(table, ann) as old:
            await renew(here, table, ann)
            await until_version(old, 3)
            assert (old.yours, old.views) == ([], {})
        async with there.watch(table, NEW) as viewer:
            assert viewer.yours == [0]


# -- what belongs to it ----------------------------------------------------------------------------


async def test_rematches_follow_the_new_token(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    await give_up(server, table, 0, ann)
    again = (await server.ask("POST", f"/tables/{table}/rematch", bob))["id"]
    assert (await renew(server, table, ann))["tables"] == [table, again]
    assert await refusal(give_up(server, again, 0, ann)) == "not_your_seat"
    await give_up(server, again, 1, bob)
    third = (await server.ask("POST", f"/tables/{again}/rematch", NEW))["id"]
    await give_up(server, third, 0, NEW)


async def test_turn_notifications_follow_the_new_token(here: Served, server: Server) -> None:
    table, ann, bob = await start_duel(server)
    rows = []
    for number, (kind, token, address) in enumerate(
        [("push", ann, "https://push.example/1"), ("push", ann, "https://push.example/2"),
         ("mail", ann, "ann@example.org"), ("push", bob, "https://push.example/3")]
    ):  # fmt: skip
        place = address if kind == "push" else ""
        rows.append({
            "id": f"row{number}", "mark": make_mark(kind, table, hash_token(token), place),
            "table_id": table, "owner": hash_token(token), "kind": kind, "address": address,
            "secret": "", "language": "en", "state": "on", "proof": None, "created": 1,
            "looked": -1, "told": "w", "news": None, "due": None, "wake": None, "tries": 0,
            "failures": 0,
        })  # fmt: skip
    async with here.store.writing() as connection:
        await connection.execute(insert(subscribers), rows)
    for _ in range(2):  # Also if it is asked for again.
        await renew(server, table, ann)
        async with here.store.reading() as connection:
            found = (await connection.execute(select(subscribers))).all()
        by_id = {row.id: row for row in found}
        assert len(by_id) == 4
        assert [by_id[f"row{n}"].owner for n in range(4)] == [hash_token(NEW)] * 3 + [
            hash_token(bob)
        ]
        for row in found:
            place = row.address if row.kind == "push" else ""
            assert row.mark == make_mark(row.kind, table, row.owner, place)
    await here.services.notices.run_round()
    async with here.store.reading() as connection:
        assert len((await connection.execute(select(subscribers))).all()) == 4


async def test_attempts_at_challenges_follow_the_new_token(server: Server) -> None:
    id, _, ann = await make_challenge(server)
    bob = "bob-bob-bob-bob-bob"
    table = await play_challenge(server, id, bob)
    await renew(server, table, bob, seat=1)
    assert await refusal(compare_attempts(server, id, bob)) == "not_played"
    assert len((await compare_attempts(server, id, NEW))["attempts"]) == 2
    assert (await read_challenge(server, id, NEW))["table"] == table
    assert len((await compare_attempts(server, id, ann))["attempts"]) == 2


@pytest.mark.thorough
async def test_two_attempts_of_one_token_stay_two(server: Server) -> None:
    """A token that has an attempt at the same challenge does not take over another one."""
    id, _, ann = await make_challenge(server)
    bob, eve = "bob-bob-bob-bob-bob", "eve-eve-eve-eve-eve"
    table = await play_challenge(server, id, bob)
    await play_challenge(server, id, eve)
    await renew(server, table, bob, eve, seat=1)
    assert len((await compare_attempts(server, id, ann))["attempts"]) == 3


# -- in the long run -------------------------------------------------------------------------------


@SQLITE_EVERY_DAY
async def test_a_new_token_survives_archive_restart_and_export(
    database: str, tmp_path: Path
) -> None:
    file, other = str(tmp_path / "all.jsonl"), f"sqlite+aiosqlite:///{tmp_path / 'other.db'}"
    async with served(database) as here, Server(here.url) as server:
        table, ann, _ = await start_duel(server)
        await renew(server, table, ann)
        await give_up(server, table, 0, NEW)
        record = await server.ask("GET", f"/tables/{table}/record")
        assert (
            await Retention(here.store, RetentionPolicy(over=0), a_second_later()).sweep()
        ).archived == 1
    assert (await export_tables(database, file)).tables == 1
    (line,) = [one for one in Path(file).read_text().splitlines() if '"line":"table"' in one]
    entries = [one["entry"] for one in json.loads(line)["log"]]
    assert {"type": "renewed", "seat": 0, "owner": hash_token(NEW)} in entries
    await import_tables(other, file)
    for url in (database, other):
        async with served(url) as here, Server(here.url) as server:
            live = await here.tables.find(table)
            assert live.seats_of(NEW) == (0,)
            assert live.seats_of(ann) == ()
            assert await server.ask("GET", f"/tables/{table}/record") == record
            damaged: list[str] = []
            assert await check_tables(here.store, damaged.append) == CheckResult(tables=1), damaged


@SQLITE_EVERY_DAY
async def test_the_owner_of_a_new_token_can_be_forgotten(database: str) -> None:
    async with served(database) as here, Server(here.url) as server:
        table, ann, _ = await start_duel(server)
        await renew(server, table, ann)
        await renew(server, table, NEW, NEWER)
        async with Admin.open(database) as admin:
            for old in (ann, NEW):
                report = await admin.forget([old])
                assert (report.seats, report.names) == (0, 0), "an old link has no effect"
            report = await admin.forget([NEWER])
            assert (report.seats, report.names) == (1, 1)
        live = await here.tables.find(table)
        await wait_until(
            lambda: live.state.seats[0].owner == FORGOTTEN_OWNER, "a seat without an owner"
        )
        log = await here.store.log(table)
        assert [one.entry.owner for one in log if isinstance(one.entry, Sat | Renewed)].count(
            FORGOTTEN_OWNER
        ) == 3
        async with here.store.reading() as connection:
            rows = str((await connection.execute(text("SELECT * FROM entries"))).all())
        for word in ("Ann", hash_token(ann), hash_token(NEW), hash_token(NEWER)):
            assert word not in rows
    async with served(database) as here:
        assert (await here.tables.find(table)).state.phase == "playing"
