"""Only the owner of a mail address subscribes it: attacks on consent, keys in links, and limits."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from dalapapa.client import Server
from dalapapa.core.errors import TooMany
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.notify.mail import format_mail_name
from dalapapa.server.notify.mail_limits import (
    MAX_NOTICE_BURST,
    NOTICE_INTERVAL_MS,
    MailLimits,
    normalize_address,
)
from dalapapa.server.notify.mail_links import SIGNATURE_LENGTH, find_id
from dalapapa.server.notify.scheduler import NotificationScheduler
from dalapapa.server.storage.retention import DAY_MS, Retention
from dalapapa.server.storage.schema import mailed_addresses, metadata
from dalapapa.server.storage.store import Store
from dalapapa.server.traffic.limits import limits_from
from tests.support.fake_services import Mailbox, mail_server
from tests.support.notified import (
    Two,
    all_sent,
    by_mail,
    link_in,
    press,
    rows,
    run_notifier,
    silence,
)
from tests.support.serving import LateClock, Served, refusal
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

ATTACKER = "mallory@example.net"
VICTIM = "victim@example.org"
HIS_PROOF = "the attacker's browser"
HER_PROOF = "the victim's browser"


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    async with mail_server() as box:
        yield box


async def subscribe(two: Two, seat: int, address: str, proof: str) -> Any:
    return await two.ask(seat, "/mail", address=address, proof=proof)


def mails_to(box: Mailbox, address: str) -> list[EmailMessage]:
    return [mail for mail in box.got if mail["To"] == address]


async def wait_for_mail(box: Mailbox, address: str) -> str:
    """The text of the last mail to an address."""
    await box.wait(1)
    while not mails_to(box, address):
        await box.wait(len(box.got) + 1)
    text: str = mails_to(box, address)[-1].get_content()
    return text


async def states(here: Served, address: str) -> list[str]:
    return sorted(row.state for row in await rows(here.store) if row.address == address)


async def take_key_then_change_address(here: Served, two: Two, box: Mailbox) -> str:
    """The attack: subscribe your own address, read the key, change the address."""
    await subscribe(two, 1, ATTACKER, HIS_PROOF)
    confirm = link_in(await wait_for_mail(box, ATTACKER), "confirm")
    await subscribe(two, 1, VICTIM, HIS_PROOF)
    await silence(here)
    return confirm


# -- attacks -------------------------------------------------------------------------------------


async def test_a_key_does_not_confirm_the_next_address(box: Mailbox) -> None:
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two = await Two(server).sit()
        confirm = await take_key_then_change_address(here, two, box)
        assert "no longer" in await press(here, confirm)
        assert await states(here, VICTIM) == ["asked"]
        await two.turn(0)
        await silence(here)
        assert len(mails_to(box, VICTIM)) == 1, "only the question"


async def test_a_stolen_consent_does_not_subscribe_further_tables(box: Mailbox) -> None:
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two, further = await Two(server).sit(), await Two(server).sit()
        await press(here, await take_key_then_change_address(here, two, box))
        answer = await subscribe(further, 1, VICTIM, HIS_PROOF)
        assert answer["mail"]["state"] == "asked"
        await further.turn(0)
        await silence(here)
        assert len(mails_to(box, VICTIM)) == 1


async def test_a_key_does_not_stop_the_mails_of_the_next_address(box: Mailbox) -> None:
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        hers, two = await Two(server).sit(), await Two(server).sit()
        await subscribe(hers, 1, VICTIM, HER_PROOF)
        await press(here, link_in(await wait_for_mail(box, VICTIM), "confirm"))
        clock.ahead += DAY_MS + 1
        confirm = await take_key_then_change_address(here, two, box)
        stop = confirm.replace("/confirm/", "/stop/")
        assert "no longer" in await press(here, stop)
        headers = [mail["List-Unsubscribe"] for mail in mails_to(box, ATTACKER)]
        for header in headers:
            assert "no longer" in await press(here, link_in(header, "stop"))
        assert await states(here, VICTIM) == ["asked", "on"]


async def test_a_pending_turn_is_not_sent_to_the_next_address(box: Mailbox) -> None:
    """A notice that is due goes to the address that has confirmed it, or to none."""
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two, other = await Two(server).sit(), await Two(server).sit()
        await subscribe(two, 1, ATTACKER, HIS_PROOF)
        await press(here, link_in(await wait_for_mail(box, ATTACKER), "confirm"))
        await subscribe(other, 1, VICTIM, HIS_PROOF)
        await silence(here)
        here.services.notices.grace_ms = 15_000
        await two.turn(0)
        await silence(here)
        assert [row.news for row in await rows(here.store) if row.address == ATTACKER] != [None]
        await subscribe(two, 1, VICTIM, HIS_PROOF)
        clock.ahead += 16_000
        await silence(here)
        assert len(mails_to(box, VICTIM)) == 1, "only the question"


# -- keys ----------------------------------------------------------------------------------------


def key_of(link: str) -> str:
    return link.rpartition("/")[2]


async def test_a_key_is_good_for_one_purpose_and_one_subscription(box: Mailbox) -> None:
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two, other = await Two(server).sit(), await Two(server).sit()
        await subscribe(two, 1, VICTIM, HER_PROOF)
        await subscribe(other, 1, ATTACKER, HIS_PROOF)
        hers = key_of(link_in(await wait_for_mail(box, VICTIM), "confirm"))
        his = key_of(link_in(await wait_for_mail(box, ATTACKER), "confirm"))
        [question] = mails_to(box, VICTIM)
        stop = key_of(link_in(question["List-Unsubscribe"], "stop"))
        assert stop != hers
        id = find_id(hers)
        assert len(hers) == len(id) + SIGNATURE_LENGTH
        flipped = hers[:-1] + ("A" if hers[-1] != "A" else "B")
        for forged in (stop, id, id + his[len(id) :], flipped, his[: len(id)] + hers[len(id) :]):
            link = f"/api/notices/confirm/{forged}"
            assert "no longer" in await press(here, link), forged
        for forged in (hers, id):
            assert "no longer" in await press(here, f"/api/notices/stop/{forged}"), forged
        assert await states(here, VICTIM) == ["asked"]


async def test_a_key_confirms_once(box: Mailbox) -> None:
    """Pressed again, the page says the same and changes nothing."""
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two, further = await Two(server).sit(), await Two(server).sit()
        await subscribe(two, 1, VICTIM, HER_PROOF)
        confirm = link_in(await wait_for_mail(box, VICTIM), "confirm")
        assert "Thank you" in await press(here, confirm)
        assert (await subscribe(further, 1, VICTIM, HER_PROOF))["mail"]["state"] == "on"
        before = [(row.id, row.state) for row in await rows(here.store)]
        assert "Thank you" in await press(here, confirm)
        assert [(row.id, row.state) for row in await rows(here.store)] == before
        # Another browser at the same seat begins again, and the old key is worthless.
        assert await refusal(subscribe(two, 1, VICTIM, HIS_PROOF)) == "asked_already"
        await two.ask(1, "/mail/stop")
        await further.ask(1, "/mail/stop")
        assert "no longer" in await press(here, confirm)


async def test_a_stop_link_works_while_the_subscription_exists(box: Mailbox) -> None:
    """Also after the next request of the same browser, another language, and a restart."""
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await subscribe(two, 1, VICTIM, HER_PROOF)
        confirm = link_in(await wait_for_mail(box, VICTIM), "confirm")
        await press(here, confirm)
        [question] = mails_to(box, VICTIM)
        stop = link_in(question["List-Unsubscribe"], "stop")
        await two.ask(1, "/mail", address=VICTIM, proof=HER_PROOF, language="de")
        again = NotificationScheduler(
            here.tables, NotifyConfig(), limits_from({}), here.services.notices.clock
        )
        await again.open()
        assert await again.subscriptions.find(key_of(stop), "stop"), "a server without mail"
        await again.close()
        assert "keine E-Mails mehr" in await press(here, stop)
        assert await rows(here.store) == []


async def test_no_key_is_stored(box: Mailbox) -> None:
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await subscribe(two, 1, VICTIM, HER_PROOF)
        key = key_of(link_in(await wait_for_mail(box, VICTIM), "confirm"))
        async with here.store.reading() as connection:
            for table in metadata.sorted_tables:
                for row in await connection.execute(select(table)):
                    assert key[-SIGNATURE_LENGTH:] not in repr(row)


async def test_stopping_a_question_keeps_confirmed_subscriptions(box: Mailbox) -> None:
    """And is not asked again for a month, by anyone."""
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        hers, two = await Two(server).sit(), await Two(server).sit()
        await subscribe(hers, 1, VICTIM, HER_PROOF)
        await press(here, link_in(await wait_for_mail(box, VICTIM), "confirm"))
        clock.ahead += DAY_MS + 1
        await subscribe(two, 1, VICTIM, HIS_PROOF)
        await silence(here)
        question = mails_to(box, VICTIM)[-1]
        assert "no more" in await press(here, link_in(question["List-Unsubscribe"], "stop"))
        assert await states(here, VICTIM) == ["on"]
        for _ in range(3):
            clock.ahead += DAY_MS + 1
            assert await refusal(subscribe(two, 1, VICTIM, HIS_PROOF)) == "asked_already"


# -- how often -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("Victim@Example.ORG", "victim@example.org"),
        ("victim+1@example.org", "victim@example.org"),
        ("v.i.c.tim+a.b@example.org", "victim@example.org"),
        ("+x@example.org", "+x@example.org"),
        ("victim@mail.example.org", "victim@mail.example.org"),
    ],
)
def test_addresses_are_counted_without_aliases(address: str, counted: str) -> None:
    assert normalize_address(address) == counted


async def test_an_address_is_asked_once_a_day_under_all_its_names(box: Mailbox) -> None:
    clock = LateClock()
    names = (
        "victim@example.org",
        "VICTIM@example.org",
        "victim+x@example.org",
        "vic.tim@Example.org",
    )
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        await subscribe(two, 1, names[0], HIS_PROOF)
        await silence(here)
        for number, name in enumerate(names):
            again = await Two(server).sit()
            assert await refusal(subscribe(again, 1, name, f"browser number {number}")) == (
                "asked_already"
            )
        await silence(here)
        assert len(box.got) == 1


async def test_the_day_between_questions_begins_when_one_is_sent(box: Mailbox) -> None:
    """A question that was late is not followed by the next one an hour later."""
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two, other = await Two(server).sit(), await Two(server).sit()
        box.refused[VICTIM] = 451
        await subscribe(two, 1, VICTIM, HIS_PROOF)
        await wait_until(lambda: box.asked, "the first try")
        await all_sent(here)
        box.refused.clear()
        clock.ahead += DAY_MS - 3_600_000
        await wait_for_mail(box, VICTIM)
        await all_sent(here)
        clock.ahead += 3_600_000 + 1
        assert await refusal(subscribe(other, 1, VICTIM, HER_PROOF)) == "asked_already"


async def test_a_newer_question_replaces_one_that_was_never_sent(box: Mailbox) -> None:
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two, other = await Two(server).sit(), await Two(server).sit()
        notices = here.services.notices
        assert notices.rounds
        notices.rounds.cancel()
        await subscribe(two, 1, VICTIM, HIS_PROOF)
        clock.ahead += DAY_MS + 1
        await subscribe(other, 1, VICTIM, HER_PROOF)
        await notices.run_round()
        await all_sent(here)
        [question] = mails_to(box, VICTIM)
        await press(here, link_in(question.get_content(), "confirm"))
        [row] = [row for row in await rows(here.store) if row.state == "on"]
        assert row.table_id == other.id


async def test_two_processes_ask_an_address_once(box: Mailbox, postgres_database: str) -> None:
    """The second waits until the first has committed, and is refused."""
    first, second = Store(postgres_database), Store(postgres_database)
    await first.open()
    await second.open()

    async def ask(store: Store) -> None:
        async with store.writing() as connection:
            await MailLimits(store).claim_question(connection, VICTIM, "second")

    async def is_blocked() -> bool:
        wanted = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        async with first.reading() as connection:
            return bool(await connection.scalar(wanted))

    try:
        async with first.writing() as connection:
            await MailLimits(first).claim_question(connection, VICTIM, "first")
            late = asyncio.create_task(ask(second))

            async def blocked_or_done() -> bool:
                return late.done() or await is_blocked()

            await wait_until(blocked_or_done, "the second question")
        with pytest.raises(TooMany):
            await late
    finally:
        await first.close()
        await second.close()


async def test_a_question_without_an_answer_of_the_mail_server_is_sent_once(box: Mailbox) -> None:
    """A second copy of a notice is harmless, one of a question is a mail too many."""
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        two = await Two(server).sit()
        mailer = here.services.notices.mailer
        assert mailer
        box.stuck, mailer.timeout_s = True, 0.2
        await subscribe(two, 1, VICTIM, HER_PROOF)
        text = await wait_for_mail(box, VICTIM)
        await all_sent(here)
        box.stuck, mailer.timeout_s = False, 20
        clock.ahead += 3_600_000
        await silence(here)
        assert len(box.got) == 1

        await press(here, link_in(text, "confirm"))
        box.stuck, mailer.timeout_s = True, 0.2
        await two.turn(0)
        await box.wait(2)
        await all_sent(here)
        box.stuck, mailer.timeout_s = False, 20
        clock.ahead += 3_600_000
        await box.wait(3)
        assert len({mail["Message-ID"] for mail in box.got}) == 2


async def test_the_mails_to_a_confirmed_address_are_limited(box: Mailbox) -> None:
    """Eight turns at once: five mails, then one every 20 minutes; none is lost."""
    clock = LateClock()
    async with run_notifier(by_mail(box), clock=clock) as here, Server(here.url) as server:
        pairs = [await Two(server).sit() for _ in range(8)]
        await subscribe(pairs[0], 1, VICTIM, HER_PROOF)
        await press(here, link_in(await wait_for_mail(box, VICTIM), "confirm"))
        for two in pairs[1:]:
            await subscribe(two, 1, VICTIM, HER_PROOF)
        clock.stand()
        for two in pairs:
            await two.turn(0)
        await silence(here)
        assert len(box.got) == 1 + MAX_NOTICE_BURST
        for number in range(1, 4):
            clock.ahead += NOTICE_INTERVAL_MS - 1000
            await silence(here)
            assert len(box.got) == MAX_NOTICE_BURST + number
            clock.ahead += 1000
            await silence(here)
            assert len(box.got) == MAX_NOTICE_BURST + number + 1
        tables = {re.search(r"/t/(\S+)", mail.get_content())[1] for mail in box.got[1:]}  # type: ignore[index]
        assert tables == {two.id for two in pairs}
        clock.ahead += DAY_MS
        await Retention(here.store, clock=clock).sweep()
        async with here.store.reading() as connection:
            assert (await connection.execute(select(mailed_addresses))).all() == []


async def test_a_clock_that_was_set_back_silences_no_address(tmp_path: Path) -> None:
    clock = LateClock()
    clock.stand()
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}")
    await store.open()
    limits = MailLimits(store, clock)
    assert await limits.claim_notice(VICTIM) == 0
    async with store.writing() as connection:
        await limits.claim_question(connection, VICTIM, "first")
    clock.stepped -= 400 * DAY_MS
    for _ in range(MAX_NOTICE_BURST):
        assert await limits.claim_notice(VICTIM) == 0
    assert await limits.claim_notice(VICTIM) == NOTICE_INTERVAL_MS
    async with store.writing() as connection:
        await limits.claim_question(connection, VICTIM, "second")
        clock.stepped -= 1000
        with pytest.raises(TooMany):
            await limits.claim_question(connection, VICTIM, "third")
    await store.close()


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë & Max (Paris)", "Zoë & Max (Paris)"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien"),
        ("http://evil.example/x", "http evil. example x"),
        ("www.evil.example", "www. evil. example"),
        ("evil。example", "evil. example"),
        ("ｗｗｗ．evil．example", "www. evil. example"),
        ("me@evil.example", "me evil. example"),
        ("Bob\r\nBcc: x@y.zz", "Bob Bcc x y. zz"),
        ("\u202eBob\u200b", "Bob"),
        ("://", "-"),
        ("." * 40 + "x", ". x"),
        ("x" * 40, "x" * 30),
    ],
)
def test_names_in_mails_carry_no_links_and_no_lines(name: str, shown: str) -> None:
    assert format_mail_name(name) == shown


async def test_names_reach_only_confirmed_addresses_and_no_header(box: Mailbox) -> None:
    async with run_notifier(by_mail(box)) as here, Server(here.url) as server:
        two = Two(server)
        created = await server.create(seats=[None, None], host="www.evil.example")
        two.id, two.tokens = created["id"], [created["token"]]
        two.tokens.append(await server.sit(two.id, 1, "Bob\r\nBcc: x@y.zz"))
        await subscribe(two, 1, VICTIM, HER_PROOF)
        text = await wait_for_mail(box, VICTIM)
        assert "evil" not in box.got[0].as_string()
        assert "Bcc" not in box.got[0].as_string()
        await press(here, link_in(text, "confirm"))
        await two.turn(0)
        _, notice = await box.wait(2)
        assert "Hello Bob Bcc x y. zz," in notice.get_content()
        assert "www. evil. example" in notice.get_content()
        assert "evil" not in str(notice.items())
        assert set(notice.keys()) == {*box.got[0].keys()}
