"""Random attacks on mail consent: two attackers, a victim, and the keys that they know.

The victim is never subscribed or unsubscribed without a key from her mailbox, no address gets two
questions in a day, and names of players reach only addresses that have consented.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
from collections import defaultdict
from typing import Any, NamedTuple

import pytest
from sqlalchemy import delete

from dalapapa.client import Refused, Server
from dalapapa.hosting import seat_answers
from dalapapa.hosting.tokens import hash_token
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.notify.mail import Mail, Mailer
from dalapapa.server.notify.mail_limits import MAX_NOTICE_BURST, NOTICE_INTERVAL_MS
from dalapapa.server.notify.mail_links import SIGNATURE_LENGTH, find_id
from dalapapa.server.notify.webpush import Delivery
from dalapapa.server.storage.retention import DAY_MS
from dalapapa.server.storage.schema import asked_addresses, mailed_addresses, subscribers
from dalapapa.texts import texts
from tests.support.notified import Two, rows
from tests.support.serving import LateClock, Served, first, served
from tests.support.thoroughness import THOROUGH
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio

SEQUENCES, STEPS = (60, 80) if THOROUGH else (2, 40)
HOUR = 3_600_000

ADDRESSES = {
    "mallory": ["mallory@example.net"],
    "trudy": ["trudy@example.net", "Trudy+2@example.net"],
    "victim": ["victim@example.org", "Victim@example.org", "victim+games@example.org"],
}
PEOPLE = list(ADDRESSES)
SEATS = [("mallory", "victim"), ("victim", "trudy"), ("mallory", "trudy"), ("trudy", "mallory")]
"""Who sits where, table by table."""

QUESTIONS = set(texts("notices")["ask"].values())


def owner_of(address: str) -> str:
    return next(who for who, addresses in ADDRESSES.items() if address in addresses)


class Sent(NamedTuple):
    """A mail that has arrived."""

    at: int
    to: str
    question: bool


class World(Mailer):
    """A server, its players, and all mailboxes; it stands in for the mail server."""

    def __init__(self, here: Served, server: Server, clock: LateClock, rng: random.Random) -> None:
        self.here, self.server, self.clock, self.rng = here, server, clock, rng
        self.notices = here.services.notices
        self.notices.mailer = self
        self.seats: dict[str, list[tuple[Two, int]]] = defaultdict(list)
        self.sent: list[Sent] = []
        self.keys: dict[str, list[str]] = defaultdict(list)
        """What each person has read in a mailbox, as `purpose/key`."""
        self.browsers: dict[str, tuple[str, str]] = {}
        """By key: the address it was sent to, and the browser that had asked."""
        self.consents: set[tuple[str, str]] = set()
        """Confirmed by the owner of the address, for a browser, and not stopped since."""
        self.given: list[str] = []
        """Who has ever consented."""
        self.faults: list[str] = []

    def close(self) -> None:
        """There are no threads."""

    async def sit(self) -> None:
        """Begin games at fresh tables."""
        for host, guest in SEATS:
            created = await self.server.create(seats=[None, None], host=f"{host} seated")
            two = Two(self.server)
            two.id, two.tokens = created["id"], [created["token"]]
            two.tokens.append(await self.server.sit(two.id, 1, f"{guest} seated"))
            self.seats[host].append((two, 0))
            self.seats[guest].append((two, 1))

    # -- mailboxes -------------------------------------------------------------------------------

    async def send(self, mail: Mail) -> Delivery:
        question = mail.subject in QUESTIONS
        self.sent.append(Sent(self.clock.now(), mail.to, question))
        reader = owner_of(mail.to)
        found = set(re.findall(r"/api/notices/(\w+/[\w-]+)", f"{mail.text}\n{mail.stop}"))
        ids = {find_id(key.partition("/")[2]) for key in found}
        [row] = [row for row in await rows(self.here.store) if row.id in ids]
        if question and "seated" in mail.text + mail.subject:
            self.faults.append("a question has words of players")
        if not question and (mail.to, row.proof) not in self.consents:
            self.faults.append(f"{mail.to} has not consented")
        for key in sorted(found):
            self.keys[reader].append(key)
            self.browsers[key] = (mail.to, row.proof)
        return Delivery("sent")

    async def settle(self) -> None:
        """Send everything that is due."""
        await self.notices.run_round()
        while self.notices.sending:
            await asyncio.gather(*self.notices.sending.values())
            await run_other_tasks()
            await self.notices.run_round()

    # -- what people do --------------------------------------------------------------------------

    async def subscribe(self, who: str) -> None:
        two, seat = self.rng.choice(self.seats[who])
        own, all_addresses = ADDRESSES[who], [*itertools.chain(*ADDRESSES.values())]
        address = self.rng.choice(own if who == "victim" else all_addresses)
        proof = f"browser {self.rng.randrange(2)} of {who}"
        with contextlib.suppress(Refused):
            await two.ask(seat, "/mail", address=address, proof=proof)

    async def stop_in_menu(self, who: str) -> None:
        two, seat = self.rng.choice(self.seats[who])
        await two.ask(seat, "/mail/stop")

    async def press(self, who: str) -> None:
        """Use any key that this person knows or can make up."""
        known = self.keys[who]
        if not known:
            return
        # Most people press what has just come, and rather yes than no.
        confirming = [key for key in known[-4:] if key.startswith("confirm")]
        genuine = self.rng.choice(confirming or known if self.rng.random() < 0.6 else known)
        purpose, _, key = genuine.partition("/")
        match self.rng.randrange(5):
            case 0:
                purpose = self.rng.choice(["confirm", "stop"])
            case 1:
                other = self.rng.choice(known).partition("/")[2]
                key = find_id(key) + other[-SIGNATURE_LENGTH:]
            case 2:
                key = find_id(key)
        pressed = f"{purpose}/{key}"
        answer = await self.server.http.post(f"/notices/{pressed}")
        assert answer.status_code == 200
        if "Thank you" in answer.text:
            assert pressed in known, "a forged key confirms"
            self.consents.add(self.browsers[pressed])
            self.given.append(who)
        elif "no more mails" in answer.text:
            assert pressed in known, "a forged key stops"

    async def play(self) -> None:
        """A turn at some table, so that there is something to notify of."""
        two, _ = self.rng.choice(self.seats["mallory"] + self.seats["victim"])
        live = await self.here.tables.find(two.id)
        asked = None
        self.clock.ahead += 1000
        while (state := live.state).phase == "playing":
            [seat] = state.game.next_actors(state.game_state)
            if asked not in (None, seat):
                return
            asked = seat
            view = state.game.view(state.game_state, seat)
            moves = json.loads(seat_answers.list_moves(state.game.name, view, None))
            await self.here.tables.commands.move(live, (seat,), first(moves))

    # -- what must hold --------------------------------------------------------------------------

    async def owned_by(self, who: str) -> list[Any]:
        owners = {hash_token(two.tokens[seat]) for two, seat in self.seats[who]}
        found = [row for row in await rows(self.here.store) if row.owner in owners]
        return sorted((row.id, row.address, row.state, row.proof, row.table_id) for row in found)

    async def check(self) -> None:
        assert self.faults == []
        on = {(row.address, row.proof) for row in await rows(self.here.store) if row.state == "on"}
        assert on <= self.consents, "an address is subscribed without its owner"
        self.consents &= on  # Where the last subscription ends, so does the consent.
        asked: dict[str, int] = {}
        notices: dict[str, list[int]] = defaultdict(list)
        for mail in self.sent:
            mailbox = owner_of(mail.to)  # All addresses of a person are aliases.
            if mail.question:
                before = asked.get(mailbox, -DAY_MS)
                assert mail.at - before >= DAY_MS, f"two questions to {mailbox} in a day"
                asked[mailbox] = mail.at
            else:
                notices[mailbox].append(mail.at)
        most = MAX_NOTICE_BURST + HOUR // NOTICE_INTERVAL_MS
        for times in notices.values():
            for start, end in zip(times, times[most:], strict=False):
                assert end - start > HOUR, f"more than {most} notices in an hour"


async def run_sequence(world: World, steps: int) -> None:
    for _ in range(steps):
        who = world.rng.choice(PEOPLE)
        victims = await world.owned_by("victim")
        match world.rng.choices(range(5), [5, 1, 6, 4, 2])[0]:
            case 0:
                await world.subscribe(who)
            case 1:
                await world.stop_in_menu(who)
            case 2:
                await world.press(who)
            case 3:
                await world.play()
            case 4:
                world.clock.ahead += world.rng.choice([60_000, HOUR, DAY_MS // 2, DAY_MS + 1])
        if who != "victim":
            assert await world.owned_by("victim") == victims, f"{who} changed hers"
        await world.settle()
        await world.check()


async def test_no_sequence_of_requests_subscribes_or_unsubscribes_a_victim() -> None:
    clock = LateClock()
    notify = NotifyConfig(
        smtp="127.0.0.1:9", security="none", sender="t@example.org", url="https://p.example.org"
    )
    async with served(None, clock, notify, consents_in_all=1e6) as here, Server(here.url) as server:
        clock.stand()
        notices = here.services.notices
        assert notices.rounds
        assert notices.mailer
        notices.rounds.cancel()
        notices.mailer.close()
        notices.grace_ms = 0
        seen = {"notices": 0, "questions": 0, "consents": 0}
        for number in range(SEQUENCES):
            async with here.store.writing() as connection:
                for table in (subscribers, asked_addresses, mailed_addresses):
                    await connection.execute(delete(table))
            world = World(here, server, clock, random.Random(f"mail {number}"))
            await world.sit()
            await run_sequence(world, STEPS)
            seen["questions"] += sum(mail.question for mail in world.sent)
            seen["notices"] += sum(not mail.question for mail in world.sent)
            seen["consents"] += world.given.count("victim")
        assert min(seen.values()) > 0, f"the sequences tried too little: {seen}"
