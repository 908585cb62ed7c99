"""A database that hangs: one request waits for it, all others are refused until it answers."""

from __future__ import annotations

import asyncio

import pytest

from dalapapa.core.errors import Unavailable
from dalapapa.server.storage.connection import failures
from dalapapa.server.storage.connection.engine import ANSWER_TIMEOUT_S, CLOSE_TIMEOUT_S
from dalapapa.server.storage.connection.failures import SILENCE_S, Outage, make_outage_error
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio


class Database:
    """Answers pings only while `answers` is true; its clock stands still."""

    def __init__(self) -> None:
        self.answers = False
        self.pings = 0
        self.seconds = 0.0

    async def ping(self) -> None:
        self.pings += 1
        if not self.answers:
            raise make_outage_error()


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "PING_INTERVAL_S", 0)


async def test_requests_are_refused_after_a_timeout_until_a_ping_is_answered(
    no_pause: None,
) -> None:
    database = Database()
    outage = Outage(database.ping, lambda: database.seconds)
    outage.check()
    database.seconds = SILENCE_S + 1
    outage.note_timeout()
    with pytest.raises(Unavailable) as refused:
        outage.check()
    assert refused.value.code == "no_database"
    await wait_until(lambda: database.pings > 2, "several pings")
    outage.note_timeout()
    assert len([task for task in asyncio.all_tasks() if "_ping" in repr(task)]) == 1
    database.answers = True
    await wait_until(lambda: not outage.is_on, "the end of the outage")
    outage.check()
    await outage.close()


async def test_a_slow_statement_of_a_database_that_answers_others_is_no_outage() -> None:
    database = Database()
    outage = Outage(database.ping, lambda: database.seconds)
    database.seconds = 100
    outage.note_answer()
    database.seconds += SILENCE_S
    outage.note_timeout()
    outage.check()
    assert database.pings == 0
    await outage.close()


async def test_a_closed_store_stops_pinging(no_pause: None) -> None:
    database = Database()
    outage = Outage(database.ping, lambda: database.seconds)
    database.seconds = SILENCE_S + 1
    outage.note_timeout()
    await outage.close()
    before = database.pings
    await run_other_tasks()
    assert database.pings == before


def test_a_request_waits_for_the_database_less_than_five_seconds() -> None:
    assert ANSWER_TIMEOUT_S + CLOSE_TIMEOUT_S < 4.5
    assert ANSWER_TIMEOUT_S > SILENCE_S
