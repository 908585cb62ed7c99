"""A server that notifies players, two players without an open page, and the links in mails."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import select

from dalapapa.client import Server
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.storage.schema import subscribers, tables
from dalapapa.server.storage.store import Store
from tests.support.fake_services import Mailbox
from tests.support.serving import LateClock, Served, first, served
from tests.support.waiting import wait_until

CONTACT = "mailto:host@example.org"
URL = "https://play.example.org"
PROOF = "a secret of this browser"


def by_push() -> NotifyConfig:
    return NotifyConfig(push=CONTACT, private=True)


def by_mail(box: Mailbox) -> NotifyConfig:
    return NotifyConfig(smtp=box.place, security="none", sender="table@example.org", url=URL)


@contextlib.asynccontextmanager
async def run_notifier(
    notify: NotifyConfig, database: str | None = None, clock: LateClock | None = None
) -> AsyncIterator[Served]:
    """A server that sends notifications without delay."""
    async with served(database, clock or LateClock(), notify) as here:
        notices = here.services.notices
        notices.grace_ms, notices.interval_s = 0, 0.02
        if notices.sender is not None:
            notices.sender.timeout_s = 0.5
        yield here


class Two:
    """Ann and Bob at a table, neither of whom has a page open."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.id = ""
        self.tokens: list[str] = []

    async def sit(self, **settings: Any) -> Two:
        created = await self.server.create(seats=[None, None], host="Ann", **settings)
        self.id = created["id"]
        self.tokens = [created["token"], await self.server.sit(self.id, 1, "Bob")]
        return self

    async def ask(self, seat: int, path: str, **body: Any) -> Any:
        where = f"/tables/{self.id}/notices{path}"
        return await self.server.ask("POST", where, self.tokens[seat], **body)

    async def read_subscriptions(self, seat: int) -> Any:
        return await self.server.ask("GET", f"/tables/{self.id}/notices", self.tokens[seat])

    async def turn(self, seat: int) -> None:
        """A whole turn, with a page that is open just for it."""
        async with self.server.watch(self.id, self.tokens[seat]) as viewer:
            while viewer.views[str(seat)]["active"] == seat and viewer.table["phase"] == "playing":
                version = await viewer.move(first(await viewer.legal(seat)))
                while viewer.version < version:
                    await viewer.changed()

    async def mail(self, seat: int, address: str = "bob@example.org", language: str = "en") -> Any:
        return await self.ask(seat, "/mail", address=address, proof=PROOF, language=language)


async def rows(store: Store) -> list[Any]:
    async with store.reading() as connection:
        return list((await connection.execute(select(subscribers))).all())


async def all_sent(here: Served) -> None:
    await wait_until(lambda: not here.services.notices.sending, "the end of all sending")


async def silence(here: Served) -> None:
    """Wait until all changes are processed and all due notifications are sent."""
    notices = here.services.notices
    wanted = select(subscribers, tables.c.changed).join(
        tables, tables.c.id == subscribers.c.table_id
    )

    async def quiet() -> bool:
        async with here.store.reading() as connection:
            found = (await connection.execute(wanted)).all()
        now = notices.clock.now()
        return not notices.sending and all(
            (row.looked == row.changed or row.state != "on")
            and (row.due is None or row.due > now)
            and (row.wake is None or row.wake > now)
            for row in found
        )

    await wait_until(quiet, "notices that have nothing to do")


def link_in(text: str, what: str) -> str:
    found = re.search(rf"{URL}(/api/notices/{what}/[\w-]+)", text)
    assert found, text
    return found[1]


async def press(here: Served, link: str) -> str:
    """What a person does: look at the page, and press its button."""
    async with Server(here.url) as server:
        path = link.removeprefix("/api")
        page = await server.http.get(path)
        assert page.headers["content-type"].startswith("text/html")
        assert "<form" in page.text or "href" in page.text
        done = await server.http.post(path)
        assert done.status_code == 200
        return done.text
