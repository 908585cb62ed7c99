"""Players without an open page are notified of their turns, by web push and by mail."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from dalapapa.client import Server
from dalapapa.core.errors import BadInput
from dalapapa.hosting import seat_answers
from dalapapa.hosting.tokens import hash_token
from dalapapa.server.notify import scheduler as room
from dalapapa.server.notify import subscriptions, webpush
from dalapapa.server.notify.config import NotifyConfig, is_address, read_notify_config
from dalapapa.server.notify.scheduler import NotificationScheduler
from dalapapa.server.notify.webpush import (
    Browser,
    check_browser,
    decode_base64url,
    encode_base64url,
    encrypt,
    load_private_key,
)
from dalapapa.server.ops.admin import Admin
from dalapapa.server.storage.retention import DAY_MS, Retention
from dalapapa.server.storage.schema import asked_addresses, metadata, subscribers, tables
from dalapapa.server.storage.store import Store
from dalapapa.texts import LANGUAGES, texts
from tests.support import forking
from tests.support.fake_services import (
    Mailbox,
    PretendBrowser,
    PushService,
    check_signature,
    mail_server,
    push_service,
)
from tests.support.notified import (
    CONTACT,
    URL,
    Two,
    all_sent,
    by_mail,
    by_push,
    link_in,
    press,
    rows,
    run_notifier,
    silence,
)
from tests.support.old_databases import upgrade_schema
from tests.support.serving import PATIENCE, LateClock, Served, first, refusal, served
from tests.support.thoroughness import daily
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service() as service:
        yield service


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    async with mail_server() as box:
        yield box


# -- web push ------------------------------------------------------------------------------------


def test_the_example_of_the_rfc() -> None:
    """RFC 8291, section 5."""
    browser = Browser(
        "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    check_browser(browser)
    ours = load_private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    text = b"When I grow up, I want to be a watermelon"
    assert encode_base64url(
        encrypt(text, browser, ours, decode_base64url("DGv6ra1nlYgDCS1FRnbzlw"))
    ) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def test_a_turn_is_notified_once_and_only_to_absent_players(
    service: PushService, database: str
) -> None:
    browser = PretendBrowser()
    async with run_notifier(by_push(), database) as here, Server(here.url) as server:
        offered = await server.ask("GET", "/notices")
        assert not offered["mail"]
        two = await Two(server).sit()
        endpoint = service.endpoint()
        answer = await two.ask(1, "/push", **browser.subscription(endpoint), language="fr")
        assert answer == {"push": [endpoint], "mail": None} == await two.read_subscriptions(1)
        assert (await two.read_subscriptions(0))["push"] == []
        await two.turn(0)
        [got] = await service.wait(1)
        message = json.loads(browser.read(got.body))
        assert message["title"] == "C’est à toi de jouer"
        assert message["url"] == f"/t/{two.id}"
        assert message["body"].endswith(": Ann, Bob")
        assert two.tokens[1] not in json.dumps(message)
        claims = check_signature(got.headers["authorization"], service.url, offered["push"])
        assert claims["sub"] == CONTACT
        assert got.headers["content-encoding"] == "aes128gcm"
        assert 0 < int(got.headers["ttl"]) <= room.PUSH_LIFETIME_S
        assert re.fullmatch(r"[\w-]{1,32}", got.headers["topic"])

        await silence(here)
        await two.turn(1)
        await two.turn(0)
        await service.wait(2)
        assert service.got[1].headers["topic"] == got.headers["topic"], "one replaces the other"
        await two.turn(1)

        # A player with an open page needs no notification; one who unsubscribed gets none.
        async with server.watch(two.id, two.tokens[1]):
            await two.turn(0)
            await silence(here)
        await two.turn(1)
        assert (await two.ask(1, "/push/stop", endpoint=endpoint))["push"] == []
        await two.turn(0)
        await silence(here)
        assert len(service.got) == 2
        assert await rows(here.store) == []


async def test_a_killed_process_loses_no_notification(service: PushService, database: str) -> None:
    """The move is made by a process without notifications; the next process sends them."""
    browser = PretendBrowser()
    async with served(database) as here, Server(here.url) as server:
        key = here.services.notices.key
        assert key == ""
        assert await server.ask("GET", "/notices") == {"push": None, "mail": False}
        two = await Two(server).sit()
        subscription = browser.subscription(service.endpoint())
        assert await refusal(two.ask(1, "/push", **subscription)) == "no_push"
    async with run_notifier(by_push(), database) as here, Server(here.url) as server:
        two.server = server
        key = here.services.notices.key
        await two.ask(1, "/push", **subscription)
    async with served(database) as here, Server(here.url) as server:
        two.server = server
        await two.turn(0)
    async with run_notifier(by_push(), database) as here, Server(here.url):
        [got] = await service.wait(1)
        check_signature(got.headers["authorization"], service.url, key)
        await silence(here)
    async with run_notifier(by_push(), database) as here:
        await silence(here)
        assert len(service.got) == 1


def notify_until_killed(database: str, notify: NotifyConfig) -> None:
    """A process that notifies, and waits for answers without a limit."""

    async def run() -> None:
        async with run_notifier(notify, database) as here:
            if here.services.notices.sender is not None:
                here.services.notices.sender.timeout_s = 600
            await asyncio.Event().wait()

    asyncio.run(run())


@contextlib.asynccontextmanager
async def kill_while_notifying(database: str, notify: NotifyConfig) -> AsyncIterator[None]:
    """It is killed as soon as its message has come, before the answer."""
    process = forking.CONTEXT.Process(target=notify_until_killed, args=(database, notify))
    process.start()
    try:
        yield
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.thorough
async def test_a_kill_between_a_push_and_its_answer(service: PushService, tmp_path: Path) -> None:
    """The next process sends it once more, in place of the first; then never again."""
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    subscription = PretendBrowser().subscription(service.endpoint(answer="slow"))
    async with run_notifier(by_push(), database) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await two.ask(1, "/push", **subscription)
    async with served(database) as here, Server(here.url) as server:
        two.server = server
        await two.turn(0)
    async with kill_while_notifying(database, by_push()):
        await service.wait(1)
    service.endpoint(answer="201")
    async with run_notifier(by_push(), database) as here:
        await service.wait(2)
        await silence(here)
    async with run_notifier(by_push(), database) as here:
        await silence(here)
    assert len(service.got) == 2
    assert len({got.headers["topic"] for got in service.got}) == 1, "one replaces the other"


async def test_a_kill_between_a_mail_and_its_answer(box: Mailbox, tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    box.stuck = True
    async with served(database, notify=by_mail(box)) as here, Server(here.url) as server:
        two = await Two(server).sit()
        assert here.services.notices.rounds
        here.services.notices.rounds.cancel()  # It is asked for, and not yet sent.
        await two.mail(1)
    async with kill_while_notifying(database, by_mail(box)):
        await box.wait(1)
    box.stuck = False
    async with run_notifier(by_mail(box), database) as here:
        await box.wait(2)
        await silence(here)
    async with run_notifier(by_mail(box), database) as here:
        await silence(here)
    assert len(box.got) == 2
    assert len({mail["Message-ID"] for mail in box.got}) == 1, "a mail program shows one"


async def test_one_of_two_processes_sends_notifications(
    service: PushService, postgres_database: str
) -> None:
    browser = PretendBrowser()
    async with run_notifier(by_push(), postgres_database) as there, Server(there.url) as other:
        async with run_notifier(by_push(), postgres_database) as here, Server(here.url) as server:
            assert here.services.notices.key == there.services.notices.key
            two = await Two(server).sit()
            await two.ask(1, "/push", **browser.subscription(service.endpoint()))
            for count, where in ((1, other), (2, server)):
                two.server = where
                await two.turn(0)
                await service.wait(count)
                await silence(there)
                await two.turn(1)
            assert len(service.got) == 2, "once for each turn"

            # A page at the other process is a page, too.
            live = await there.tables.find(two.id)
            async with server.watch(two.id, two.tokens[1]):
                await wait_until(
                    lambda: any(1 in one.seats for one in live.presence.elsewhere.values()),
                    "news of the page at the other process",
                )
                two.server = other
                await two.turn(0)

                async def put_off() -> bool:
                    [row] = await rows(here.store)
                    return bool(row.due and row.due > here.services.notices.clock.now() + 5_000)

                await wait_until(put_off, "a notice that is put off")
            assert len(service.got) == 2
            await two.turn(1)
        # The process that is left goes on.
        await two.turn(0)
        await service.wait(3)


@pytest.mark.parametrize("answer", ["404", "410"])
async def test_a_browser_that_is_gone_is_forgotten(service: PushService, answer: str) -> None:
    browser = PretendBrowser()
    async with run_notifier(by_push()) as here, Server(here.url) as server:
        endpoint = service.endpoint("gone", answer)
        two, others = await Two(server).sit(), await Two(server).sit()
        for each in (two, others):
            await each.ask(1, "/push", **browser.subscription(endpoint))
        await two.turn(0)
        await service.wait(1)

        async def forgotten() -> bool:
            return await rows(here.store) == []

        await wait_until(forgotten, "a store without the browser that is gone")


ANSWERS = ["slow", "503", "429", "rude", "huge", "redirect", "400"]


@pytest.mark.parametrize("answer", daily(ANSWERS, {"slow", "503", "huge", "redirect"}))
async def test_misbehaving_services_do_not_delay_other_notifications(
    service: PushService, answer: str
) -> None:
    browser, clock = PretendBrowser(), LateClock()
    async with run_notifier(by_push(), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await two.ask(1, "/push", **browser.subscription(service.endpoint("bad", answer)))
        await two.ask(1, "/push", **browser.subscription(service.endpoint("good")))
        await two.turn(0)
        await wait_until(
            lambda: {"/good", "/bad"} <= {got.path for got in service.got}, "both notices"
        )
        await all_sent(here)
        assert "/elsewhere" not in {got.path for got in service.got}
        [bad] = [row for row in await rows(here.store) if row.address.endswith("/bad")]
        if answer in ("huge", "redirect", "400"):
            assert bad.news is None, "sent or refused: there is nothing to try again"
            return
        assert (bad.tries, bad.news is None) == (1, False)
        service.answers["/bad"] = "201"
        clock.ahead += 130_000
        await silence(here)
        assert [got.path for got in service.got].count("/bad") == 2
        [bad] = [row for row in await rows(here.store) if row.address.endswith("/bad")]
        assert (bad.news, bad.tries) == (None, 0)


@pytest.mark.thorough
async def test_attempts_to_notify_end_at_some_time(service: PushService) -> None:
    browser, clock = PretendBrowser(), LateClock()
    async with run_notifier(by_push(), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await two.ask(1, "/push", **browser.subscription(service.endpoint("bad", "503")))
        for _ in range(room.MAX_FAILURES):
            await two.turn(0)
            for _ in range(room.MAX_TRIES):
                await silence(here)
                clock.ahead += room.MAX_RETRY_MS
            await two.turn(1)
        await silence(here)
        assert await rows(here.store) == []
        assert len(service.got) == room.MAX_FAILURES * room.MAX_TRIES


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://10.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://printer.local/x",
        "https://push.example.org:22/x",
        "https://user:word@push.example.org/x",
        "https://push.example.org/x#part",
        "https://push.example.org/a b",
        "https://push.example.org/\r\nhost: x",
        "https:///x",
        "https://[bad/x",
        "ftp://push.example.org/x",
        "https://püsh.example.org/x",
        "https://push.example.org/" + "x" * 1000,
    ],
)
def test_impossible_push_addresses_are_refused(endpoint: str) -> None:
    wanted = PretendBrowser().subscription(endpoint)
    browser = Browser(wanted["endpoint"], wanted["p256dh"], wanted["auth"])
    with pytest.raises(BadInput) as caught:
        check_browser(browser)
    assert caught.value.code == "bad_endpoint"


def test_malformed_push_keys_are_refused() -> None:
    good = PretendBrowser().subscription("https://push.example.org/x")
    for name, wrong in (("p256dh", "AAAA"), ("p256dh", "é"), ("auth", "AA"), ("auth", "!")):
        bad = {**good, name: wrong}
        with pytest.raises(BadInput) as caught:
            check_browser(Browser(bad["endpoint"], bad["p256dh"], bad["auth"]))
        assert caught.value.code == "bad_push_keys"


async def test_names_of_inner_addresses_are_not_followed(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public name may be given a private address at any time."""
    sender = webpush.Sender(CONTACT, load_private_key(webpush.generate_key()))
    port = service.url.rpartition(":")[2]
    wanted = PretendBrowser().subscription(f"https://localhost:{port}/one")
    browser = Browser(wanted["endpoint"], wanted["p256dh"], wanted["auth"])
    assert (await sender.send(browser, b"{}", "topic", 60, 0)).what == "lost"
    await sender.close()
    assert service.got == []


# -- games that take days ------------------------------------------------------------------------


async def test_times_run_out_and_bots_move_without_viewers(service: PushService) -> None:
    browser, clock = PretendBrowser(), LateClock()
    async with run_notifier(by_push(), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit(clock={"kind": "turn", "seconds": 3 * 86_400})
        await two.ask(1, "/push", **browser.subscription(service.endpoint()))
        await silence(here)
        assert service.got == [], "it is Ann's turn"
        clock.ahead += 3 * 86_400_000 + 5_000
        [got] = await service.wait(1)
        message = json.loads(browser.read(got.body))
        assert message["title"] == texts("notices")["turn"]["en"]
        assert not here.tables.held(two.id).viewers  # type: ignore[union-attr]

        three = await server.create(seats=[None, "random", None], host="Ann", pace=0)
        bob = await server.sit(three["id"], 2, "Bob")
        wanted = browser.subscription(service.endpoint())
        await server.ask("POST", f"/tables/{three['id']}/notices/push", bob, **wanted)
        pair = Two(server)
        pair.id, pair.tokens = three["id"], [three["token"]]
        await pair.turn(0)
        await wait_until(
            lambda: [got for got in service.got[1:] if three["id"] in str(tag(browser, got))],
            "the notice of the second table",
        )


def tag(browser: PretendBrowser, got: Any) -> str:
    found: str = json.loads(browser.read(got.body))["tag"]
    return found


async def test_the_beginning_the_end_and_the_rematch(service: PushService) -> None:
    browser = PretendBrowser()
    async with run_notifier(by_push()) as here, Server(here.url) as server:
        created = await server.create(seats=[None, None], host="Ann", pace=0)
        two = Two(server)
        two.id, two.tokens = created["id"], [created["token"]]
        two.tokens.append(await server.sit(two.id, 1, "Bob"))
        for seat in (0, 1):
            await two.ask(seat, "/push", **browser.subscription(service.endpoint(f"seat-{seat}")))
        for seat in (0, 1):
            await server.leave(two.id, seat, two.tokens[seat])
        # Bots play on; a player who has left gets no notification.
        async with asyncio.timeout(PATIENCE), server.watch(two.id) as viewer:
            while viewer.table.get("phase") != "over":
                await viewer.changed()
        await silence(here)
        assert service.got == []

        waiting = await server.create(seats=[None, None], host="Ann")
        two.id, two.tokens = waiting["id"], [waiting["token"]]
        await two.ask(0, "/push", **browser.subscription(service.endpoint("host")))
        await silence(here)
        two.tokens.append(await server.sit(two.id, 1, "Bob"))
        await service.wait(1)
        assert json.loads(browser.read(service.got[0].body))["title"] == "It’s your turn"

        await play_to_the_end(here, two.id)
        await silence(here)
        assert json.loads(browser.read(service.got[-1].body))["title"] == "The game is over"
        again = await server.ask("POST", f"/tables/{two.id}/rematch", two.tokens[1])
        await wait_until(
            lambda: tag(browser, service.got[-1]) == again["id"], "the notice of the rematch"
        )
        [row] = [row for row in await rows(here.store) if row.owner == hash_token(two.tokens[0])]
        assert row.table_id == again["id"]


async def play_to_the_end(here: Served, id: str) -> None:
    """Without a page."""
    live = await here.tables.find(id)
    while (state := live.state).phase == "playing":
        [seat] = state.game.next_actors(state.game_state)
        moves = json.loads(
            seat_answers.list_moves(state.game.name, state.game.view(state.game_state, seat), None)
        )
        await here.tables.commands.move(live, (seat,), first(moves))


# -- mail ----------------------------------------------------------------------------------------


async def test_mails_are_confirmed_sent_and_stopped(box: Mailbox, database: str) -> None:
    clock = LateClock()
    async with run_notifier(by_mail(box), database, clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        answer = await two.mail(1)
        assert answer == {"push": [], "mail": {"address": "bob@example.org", "state": "asked"}}
        [asked] = await box.wait(1)
        assert "Ann" not in asked.as_string()
        assert "Bob" not in asked.as_string(), "strangers get no words of strangers"
        assert asked["To"] == "bob@example.org"
        await two.turn(0)
        await silence(here)
        assert len(box.got) == 1, "nothing before it is confirmed"

        confirm = link_in(asked.get_content(), "confirm")
        assert (await server.http.get(confirm.removeprefix("/api"))).status_code == 200
        assert (await two.read_subscriptions(1))["mail"]["state"] == "asked", (
            "looking confirms nothing"
        )
        assert "Thank you" in await press(here, confirm)
        assert (await two.read_subscriptions(1))["mail"]["state"] == "on"
        await two.turn(1)
        await two.turn(0)
        _, mail = await box.wait(2)
        text = mail.get_content()
        assert f"{URL}/t/{two.id}" in text.splitlines()
        assert two.tokens[1] not in text
        assert "Hello Bob" in text
        assert "Ann" in text
        stop = link_in(text, "stop")
        assert mail["List-Unsubscribe"] == f"<{URL}{stop}>"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert mail["Auto-Submitted"] == "auto-generated"

        # The same browser need not confirm another table; another browser must.
        again = await Two(server).sit()
        assert (await again.mail(1))["mail"]["state"] == "on"
        wanted = {"address": "bob@example.org", "proof": "x" * 20}
        assert await refusal(again.ask(0, "/mail", **wanted)) == "asked_already"
        clock.ahead += DAY_MS + 1
        stranger = await again.ask(0, "/mail", **wanted)
        assert stranger["mail"]["state"] == "asked"

        assert "no more" in await press(here, stop)
        assert await rows(here.store) == []
        assert "no longer" in await press(here, stop)


async def test_no_token_is_stored(box: Mailbox, database: str) -> None:
    """Neither with a seat nor with a subscription: only its hash (docs/http-api.md)."""
    async with run_notifier(by_mail(box), database) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await two.mail(1)
        await two.turn(0)
        async with here.store.reading() as connection:
            stored = [
                repr(row)
                for table in metadata.sorted_tables
                for row in await connection.execute(select(table))
            ]
        assert any(hash_token(two.tokens[1]) in row for row in stored)
        for token in two.tokens:
            assert not any(token in row for row in stored)


async def test_an_upgrade_deletes_stored_tokens(database: str) -> None:
    """Schema 0007 deletes tokens, 0008 the mail subscriptions whose consent is not proved."""
    token = "t" * 22
    store = Store(database)
    async with store.engine.begin() as connection:
        await connection.run_sync(upgrade_schema, "0006")
        table = {
            "id": "old", "created": 0, "changed": 0, "phase": "waiting", "visibility": "private",
            "seed": "", "settings": "{}",
        }  # fmt: skip
        await connection.execute(tables.insert().values(table))
        common = {
            "table_id": "old", "owner": hash_token(token), "language": "en", "state": "on",
            "created": 0, "looked": 0, "told": "w", "tries": 0, "failures": 0,
        }  # fmt: skip
        for kind, secret in (("mail", token), ("push", "key secret")):
            row = {"id": kind, "mark": kind, "kind": kind, "address": f"{kind}@old.org"}
            await connection.execute(subscribers.insert().values(common | row | {"secret": secret}))
    kept_secrets = select(subscribers.c.kind, subscribers.c.secret)
    async with store.engine.begin() as connection:
        await connection.run_sync(upgrade_schema, "0007")
        found = (await connection.execute(kept_secrets)).all()
        assert {row.kind: row.secret for row in found} == {"mail": "", "push": "key secret"}
    await store.open()
    async with store.reading() as connection:
        found = (await connection.execute(kept_secrets)).all()
        assert {row.kind: row.secret for row in found} == {"push": "key secret"}
    await store.close()
    if not store.postgres:
        file = Path(store.engine.url.database or "")
        kept = b"".join(one.read_bytes() for one in file.parent.glob(f"{file.name}*"))
        assert token.encode() not in kept
        assert b"mail@old.org" not in kept


async def test_strangers_get_no_further_mails(box: Mailbox) -> None:
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        for number in range(5):
            two = await Two(server).sit()
            wanted = {"address": "stranger@example.org", "proof": f"browser number {number}"}
            if number == 0:
                await two.ask(1, "/mail", **wanted)
                await silence(here)
                continue
            code = await refusal(two.ask(1, "/mail", **wanted))
            assert code == "asked_already"
            assert await rows(here.store) != []
            clock.ahead += DAY_MS + 1
            if number < 3:
                await two.ask(1, "/mail", **wanted)
                await silence(here)  # A later question would replace one that is not sent yet.
        assert box.to == ["stranger@example.org"] * 3
        await Retention(here.store, clock=clock).sweep()
        async with here.store.reading() as connection:
            kept = (await connection.execute(select(asked_addresses))).all()
        assert all("stranger" not in row.mark for row in kept)
        assert [
            row for row in await rows(here.store) if row.created < clock.now() - 2 * DAY_MS
        ] == []
    limits = {"consents_per_hour": 1}
    async with served(None, clock, by_mail(box), **limits) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await two.mail(1)
        assert await refusal(two.mail(0, "another@example.org")) == "too_fast"


@pytest.mark.parametrize(
    "address",
    ["", "bob", "bob@", "@example.org", "a@b", "a b@example.org", "bob@example.org\nBcc: x@y.zz",
     "bob@exa mple.org", "<bob@example.org>", "bob@example.org,ann@example.org", "böb@example.org",
     "x" * 65 + "@example.org"],
)  # fmt: skip
async def test_malformed_mail_addresses_are_refused(address: str) -> None:
    assert not is_address(address)


async def test_an_address_that_bounces(box: Mailbox) -> None:
    clock = LateClock()
    box.refused["missing@example.org"] = 550
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        assert await refusal(two.mail(1, "no address")) == "bad_mail"
        await two.mail(1, "missing@example.org")

        def tried(times: int) -> bool:
            return box.asked == times

        for tries in range(1, room.MAX_REFUSED_MAILS + 1):
            await wait_until(partial(tried, tries), f"mail number {tries}")
            await all_sent(here)
            clock.ahead += room.MAX_RETRY_MS

        async def said() -> bool:
            return bool(
                (await two.read_subscriptions(1))["mail"] == {"address": "", "state": "refused"}
            )

        await wait_until(said, "an address that is refused")
        assert "missing@example.org" not in str(await rows(here.store))
        await two.turn(0)
        await silence(here)
        assert box.asked == room.MAX_REFUSED_MAILS
        # Another address takes its place.
        assert (await two.mail(1, "bob@example.org"))["mail"]["state"] == "asked"
        assert len(await box.wait(1)) == 1


async def test_a_mail_server_that_is_away_is_tried_again(box: Mailbox) -> None:
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        box.refused["bob@example.org"] = 451
        await two.mail(1)
        await wait_until(lambda: box.asked, "a mail")
        await all_sent(here)
        box.refused.clear()
        clock.ahead += room.MIN_RETRY_MS + 1
        [mail] = await box.wait(1)
        assert mail["To"] == "bob@example.org"


def test_every_language_has_all_mail_texts() -> None:
    said = texts("notices")
    for name, each in said.items():
        for language in LANGUAGES:
            found = each[language]
            assert isinstance(found, str)
            wanted = set(re.findall(r"\{\w+\}", str(each["en"])))
            assert set(re.findall(r"\{\w+\}", found)) == wanted, (name, language)


# -- privacy and settings ------------------------------------------------------------------------


async def test_forgotten_players_get_no_notifications(service: PushService, database: str) -> None:
    browser = PretendBrowser()
    async with run_notifier(by_push(), database) as here, Server(here.url) as server:
        two, gone = await Two(server).sit(), await Two(server).sit()
        for each in (two, gone):
            await each.ask(1, "/push", **browser.subscription(service.endpoint()))
        assert await refusal(two.server.ask("GET", f"/tables/{two.id}/notices", "x")) == (
            "not_your_seat"
        )
        async with Admin.open(here.store.url) as admin:
            await admin.delete([gone.id])
            assert len(await rows(here.store)) == 1
            await admin.forget([two.tokens[1]])
        assert await rows(here.store) == []


async def test_the_browsers_of_a_player_are_limited(service: PushService) -> None:
    browser = PretendBrowser()
    async with run_notifier(by_push()) as here, Server(here.url) as server:
        two = await Two(server).sit()
        for number in range(subscriptions.MAX_BROWSERS):
            await two.ask(1, "/push", **browser.subscription(service.endpoint(str(number))))
        more = browser.subscription(service.endpoint("more"))
        assert await refusal(two.ask(1, "/push", **more)) == "too_many_notices"
        known = browser.subscription(service.endpoint("1"))
        assert len((await two.ask(1, "/push", **known))["push"]) == subscriptions.MAX_BROWSERS


def test_settings(tmp_path: Any) -> None:
    assert not read_notify_config({}).any
    assert read_notify_config({"push": CONTACT}).push == CONTACT
    word = tmp_path / "word"
    word.write_text("secret\n")
    mail = {"smtp": "mail.example.org:2525", "sender": "t@example.org", "url": f"{URL}/"}
    full = read_notify_config({**mail, "user": "t", "password_file": str(word)})
    assert full.server() == ("mail.example.org", 2525)
    assert full.password() == "secret"
    assert full.url == URL
    assert read_notify_config({**mail, "smtp": "mail.example.org"}).server() == (
        "mail.example.org",
        587,
    )
    for wrong in (
        {"pusch": "x"}, {"push": "me"}, {"push": 1}, {"smtp": "mail.example.org"},
        {**mail, "sender": "no address"}, {**mail, "url": "play.example.org"},
        {**mail, "user": "t"}, {**mail, "user": "t", "password_file": "/nowhere"},
        {**mail, "smtp": "two words"}, {**mail, "security": "perhaps"},
    ):  # fmt: skip
        with pytest.raises(BadInput) as caught:
            read_notify_config(wrong)
        assert caught.value.code == "bad_notify"
        assert "\n" not in str(caught.value)


async def test_notifications_are_off_by_default() -> None:
    async with served() as here, Server(here.url) as server:
        assert isinstance(here.services.notices, NotificationScheduler)
        assert here.services.notices.rounds is None
        two = await Two(server).sit()
        assert await refusal(two.mail(1)) == "no_mail"
        assert await two.read_subscriptions(1) == {"push": [], "mail": None}
