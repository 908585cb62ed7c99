"""People who play honestly while servers fail, and note what they were sent.

A move that gets no answer is sent again with the same id, at any server, until there is one.
Some people click twice, some come too late, and some have a line that loses and doubles messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import httpx
import msgspec

from dalapapa.client import Disconnected, Refused, Server, Viewer
from dalapapa.core.tiles import standard
from tests.support.judge import UNSURE, Accepted, Declined, Heard, Promises

ANSWER = 10
"""Seconds after which one asks again, elsewhere."""

SOON = 2
"""The same, for those who know that their line loses messages."""

LONGEST = 90
"""Seconds after which people go to another table."""

STILL = 40
"""Seconds on one connection without news, though no person has anything to do: a program or a time
has been forgotten."""

PAUSE = 0.15
"""Seconds that people think about a move, on average."""

T = TypeVar("T")

Settings = dict[str, Any]

TABLES: list[tuple[str, list[str | None], Settings]] = [
    ("classic", [None, None, "greedy"], {"spectators": "public"}),
    ("auction", [None, None], {"spectators": "none"}),
    ("classic", [None, None], {"clock": {"kind": "turn", "seconds": 5}}),
    ("conquest", [None, None, "novice"], {"spectators": "all"}),
    ("puzzle", [None, "greedy"], {"countdown": 1}),
    ("gone", [None, None], {"hands": "open"}),
    ("72", [None, "greedy"], {"clock": {"kind": "bank", "seconds": 60}}),
    ("alex", [None, None], {"options": {"end": "rounds", "rounds": 3, "look": 10}}),
    ("arlequin", [None, "greedy"], {}),
]
"""What is played: the game, its seats, and how."""


class Answered(NamedTuple):
    """How long a move took, from sending it to hearing that it is durable."""

    sent: float
    seconds: float


class Visit(Viewer):
    """A viewer who keeps every message, and notes each answer to a move."""

    def __init__(
        self, url: str, table: Sitting, tokens: tuple[str, ...], seats: tuple[int, ...]
    ) -> None:
        super().__init__(url, table.id, tokens)
        self.sitting = table
        self.heard = Heard(seats)
        self.patience = ANSWER
        self.news_at = time.monotonic()
        table.promises.heard.append(self.heard)

    def _take(self, message: dict[str, Any]) -> Any:
        self.heard.messages.append(msgspec.json.encode(message))
        if message["type"] == "table":
            self.news_at = time.monotonic()
        move = self.sitting.sent.get(message.get("id", ""))
        if move is not None and message["type"] == "accepted":
            accepted = Accepted(message["version"], message["id"], move)
            self.sitting.promises.accepted.append(accepted)
        elif move is not None and message["type"] == "refused":
            declined = Declined(message["code"], message["id"], move)
            self.sitting.promises.declined.append(declined)
        return super()._take(message)

    async def answer(self, question: Awaitable[T]) -> T:
        """An answer, or `TimeoutError`: then one asks elsewhere."""
        async with asyncio.timeout(self.patience):
            return await question

    async def send_also(self, message: dict[str, Any]) -> None:
        """Send without waiting for the answer."""
        await self._send(message)


class Sitting:
    """A table, and what the people at it were promised."""

    def __init__(self, id: str, token: str, seats: list[str | None]) -> None:
        self.id = id
        self.token = token
        self.people = tuple(n for n, program in enumerate(seats) if program is None)
        self.promises = Promises(tokens=[token])
        self.sent: dict[str, dict[str, Any]] = {}
        """Moves by their ids."""
        self.until = time.monotonic() + LONGEST
        self.waited_for = time.monotonic()
        """When the game last waited for a person, as far as people know."""
        self.stood_still = False


class People:
    """All honest players of a run."""

    def __init__(self, urls: list[str], lines: list[str], seed: int) -> None:
        self.urls = urls
        self.lines = lines
        """Addresses where the line lies."""
        self.rng = random.Random(seed)
        self.stopping = False
        self.tables: dict[str, Sitting] = {}
        """The tables at which someone plays now."""
        self.answered: list[Answered] = []
        self.refused: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        """Answers of 500 or more but 503."""
        self.reconnected = 0
        self.created = 0

    async def come_and_go(self, first: int, leave: Callable[[Sitting], Awaitable[None]]) -> None:
        """One table after the other, until it is time to stop; what was promised is handed on."""
        number = first
        while not self.stopping:
            game, seats, settings = TABLES[number % len(TABLES)]
            number += 1
            table = await self._create(game, seats, settings)
            if table is None:
                continue
            self.tables[table.id] = table
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._watch(table))
                    for seat in table.people:
                        group.create_task(self._play(table, seat))
            finally:
                del self.tables[table.id]
            await leave(table)

    async def _create(
        self, game: str, seats: list[str | None], settings: Settings
    ) -> Sitting | None:
        people = [f"Player {n}" for n, program in enumerate(seats) if program is None]
        requested: Settings = {"pace": 0, "countdown": 0, "visibility": "public", **settings}
        requested |= {"host": people[0], "guests": people[1:]}
        async with Server(self.rng.choice(self.urls)) as server:
            try:
                async with asyncio.timeout(ANSWER):
                    new = await server.create(game=game, seats=seats, **requested)
            except (Disconnected, Refused, TimeoutError) as error:
                self._refuse(error)
                await asyncio.sleep(0.2)
                return None
        self.created += 1
        return Sitting(new["id"], new["token"], seats)

    def _refuse(self, error: BaseException) -> None:
        self.refused[getattr(error, "code", "no_answer")] += 1

    def _over(self, table: Sitting, viewer: Viewer) -> bool:
        late = self.stopping or time.monotonic() > table.until
        return late or viewer.table["phase"] == "over"

    @contextlib.asynccontextmanager
    async def _visiting(self, table: Sitting, seated: bool) -> AsyncIterator[Visit]:
        lies = seated and self.lines and self.rng.random() < 0.2
        url = self.rng.choice(self.lines if lies else self.urls)
        tokens = (table.token,) if seated else ()
        visit = Visit(url, table, tokens, table.people if seated else ())
        if lies:
            visit.heard.in_order = False
            visit.patience = SOON
        async with _at_most(visit) as open_visit:
            yield open_visit

    async def _until_over(
        self, table: Sitting, seated: bool, act: Callable[[Visit], Awaitable[None]]
    ) -> None:
        """Do something at a table again and again, wherever there is a server."""
        while not self.stopping and time.monotonic() < table.until:
            try:
                async with self._visiting(table, seated) as visit:
                    while not self._over(table, visit):
                        await act(visit)
                    return
            except (Disconnected, TimeoutError) as error:
                self._refuse(error)
            except Refused as error:  # The last word of a connection.
                self._refuse(error)
            self.reconnected += 1
            await asyncio.sleep(self.rng.uniform(0.02, 0.2))

    async def _watch(self, table: Sitting) -> None:
        async def look(visit: Visit) -> None:
            await news(visit)
            since = max(table.waited_for, visit.news_at)
            if visit.table["phase"] == "playing" and time.monotonic() > since + STILL:
                table.stood_still = True
            if self.rng.random() < 0.02:
                await self._ask(table)

        await self._until_over(table, False, look)

    async def _ask(self, table: Sitting) -> None:
        """A question that workers answer."""
        path = self.rng.choice(["record", "history", "replay", "picture.svg"])
        with contextlib.suppress(httpx.HTTPError):
            async with httpx.AsyncClient(trust_env=False, timeout=ANSWER) as http:
                url = f"{self.rng.choice(self.urls)}/api/tables/{table.id}/{path}"
                answer = await http.get(url)
            message = msgspec.json.encode({"type": path, "text": answer.text})
            table.promises.heard.append(Heard((), [message]))
            if answer.status_code >= 500 and answer.status_code != 503:
                self.failed[f"GET {path}"] += 1

    async def _play(self, table: Sitting, seat: int) -> None:
        """A seat. What is to be done is kept in mind over all connections."""
        pending: list[tuple[str, dict[str, Any], int | None]] = []

        async def act(visit: Visit) -> None:
            if not pending:
                move = await self._chosen(visit, seat)
                if move is None:
                    await news(visit)
                    return
                version = visit.version - (self.rng.random() < 0.1)
                mark = secrets.token_hex(8)
                table.sent[mark] = move
                pending.append((mark, move, version if self.rng.random() < 0.3 else None))
                await asyncio.sleep(self.rng.expovariate(1 / PAUSE))
            mark, move, wanted = pending[0]
            table.waited_for = time.monotonic()
            if self.rng.random() < 0.1:  # A double click.
                message = {"type": "move", "id": mark, "move": move}
                await visit.send_also(message if wanted is None else {**message, "version": wanted})
            began = time.monotonic()
            try:
                await visit.answer(visit.move(move, wanted, mark))
            except Refused as error:
                self._refuse(error)
                if error.code in UNSURE:
                    await asyncio.sleep(0.2)
                else:
                    pending.clear()
            else:
                self.answered.append(Answered(began, time.monotonic() - began))
                pending.clear()

        await self._until_over(table, True, act)

    async def _chosen(self, visit: Visit, seat: int) -> dict[str, Any] | None:
        view = visit.views.get(str(seat))
        if view is None:
            return None
        if view["can_undo"] and self.rng.random() < 0.1:
            return {"player": seat, "move": "undo"}
        # It begins with 27,521 moves: people think of one domino.
        tile = self.rng.choice(standard().names) if view["game"] == "arlequin" else None
        moves = await visit.answer(visit.legal(seat, tile))
        moves = [m for m in moves if m["move"] != "give_up" or self.rng.random() < 0.02]
        return self.rng.choice(moves) if moves else None


@contextlib.asynccontextmanager
async def _at_most(visit: Visit) -> AsyncIterator[Visit]:
    """Open a visit, but do not wait for a server that stands still."""
    await visit.answer(visit.__aenter__())
    try:
        yield visit
    finally:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER):
                await visit.__aexit__()


async def news(visit: Visit) -> None:
    """Wait for something new; on a line that loses messages, for a moment."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(2):
            await visit.changed()
