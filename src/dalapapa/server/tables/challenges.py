"""Challenges: games against bots that others play with the same bag, in the same seat.

Their guarantees and limits are in `docs/http-api.md`. A challenge stores the seed and the settings;
an attempt at it is an ordinary table, whose seat belongs to a token that a browser has generated.
Only players whose own attempt is over see the seed.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import case, delete, exists, false, select, update

from ...core.errors import BadInput, Conflict, Forbidden, IllegalMove, NotFound
from ...hosting.commands import anonymize_options, check_no_race, check_over, find_person
from ...hosting.entries import Sat
from ...hosting.protocol import find_capabilities
from ...hosting.settings import Settings
from ...hosting.state import TableState, clean_name
from ...hosting.tokens import hash_token
from ..storage.quarantine import reading
from ..storage.rows import ID
from ..storage.schema import archive, attempts, challenges, entries, tables
from ..storage.store import Store
from ..workers.packages import Packages
from .live import LiveTable
from .new_tables import RecentCounts
from .tables import Tables

MAX_ATTEMPTS = 100
"""At one challenge: those that go on at the same time, and those that are compared."""

MAX_ATTEMPT_ROWS = 1_000
"""Attempts at one challenge; beyond, those without a table are deleted."""

IDLE_MS = 86_400_000
"""An attempt without a move for this time no longer counts for the limit."""

TOKEN = re.compile(r"[\w-]{16,64}", re.ASCII)
"""A token that a browser generates for an attempt."""

Phase = Literal["playing", "over", "removed"]


class Challenge(msgspec.Struct, frozen=True):
    """A stored challenge."""

    id: str
    created: int
    seed: str
    settings: Settings

    @property
    def seat(self) -> int:
        """The seat of the player."""
        return find_person(self.settings)


class Attempt(NamedTuple):
    """The attempt of a player: its owner, its table, and its state."""

    owner: str
    table: str
    at: int
    name: str | None
    phase: Phase
    changed: int | None
    """When its table last changed; None: it is archived or gone."""
    begun: bool
    """Whether its player has moved; only known while it is played."""


async def derive_settings(state: TableState, packages: Packages) -> Settings:
    """The settings of all attempts at the challenge of a game: those that it was played with.

    Where a player's name matters for the game, its effect stays without the name.
    """
    settings = state.settings
    seat = find_person(settings)
    if state.game.is_installed:
        options = await packages.anonymize_options(state, seat)
    else:
        options = anonymize_options(state, seat)
    return replace(settings, options=options, visibility="private", spectators="none")


def _derive_id(*parts: str) -> str:
    """The same id in every process and for every request; as hard to guess as a seed."""
    return urlsafe_b64encode(sha256(" ".join(parts).encode()).digest()[:12]).decode()


class Challenges:
    """All challenges of a database."""

    def __init__(self, tables: Tables, share: float = 1) -> None:
        self.tables = tables
        self.share = share
        """The share of the attempts at a challenge that one address may have."""
        self.recent: RecentCounts = RecentCounts(tables.clock)
        self.store: Store = tables.store

    async def make(self, live: LiveTable, token: str) -> str:
        """Make a challenge from a finished game; the same one for each of its attempts."""
        state = live.state
        if not live.seats_of(token):
            raise Forbidden("Only the player of a game can make it a challenge.", "not_your_seat")
        check_over(state)
        if "verify" not in find_capabilities(live.id):
            raise IllegalMove(
                "This game began on a device, which knew its bag: it cannot be a challenge.",
                "not_verified",
            )
        check_no_race(state)
        settings = await derive_settings(state, self.tables.packages)
        if state.settings.visibility == "public":
            raise IllegalMove("This game was public: others may know its bag.", "was_public")
        found = select(attempts.c.challenge).where(attempts.c.table_id == live.id)
        async with self.store.reading() as connection:
            known: str | None = await connection.scalar(found)
        if known is not None:
            return known
        seat = state.seats[find_person(settings)]
        id, now = _derive_id("the challenge of", live.id, state.seed), self.tables.clock.now()
        row = {
            "id": id, "created": now, "changed": now, "seed": state.seed,
            "settings": msgspec.json.encode(settings).decode(),
        }  # fmt: skip
        first = {
            "challenge": id, "owner": seat.owner, "table_id": live.id, "at": live.created,
            "name": seat.name,
        }  # fmt: skip
        async with self.store.writing() as connection:
            await connection.execute(self.store.insert_new(challenges), row)
            await connection.execute(self.store.insert_new(attempts), first)
        return id

    async def find(self, id: str) -> Challenge:
        """A challenge by its id."""
        row = None
        if ID.fullmatch(id):
            async with self.store.reading() as connection:
                found = await connection.execute(select(challenges).where(challenges.c.id == id))
                row = found.first()
        if row is None:
            raise NotFound("There is no such challenge.", "unknown_challenge")
        with reading(id):
            settings = msgspec.json.decode(row.settings, type=Settings)
            return Challenge(row.id, row.created, row.seed, settings)

    async def attempts(self, id: str) -> list[Attempt]:
        """All attempts at a challenge, the first one first."""
        async with self.store.reading() as connection:
            rows = (await connection.execute(_attempts(id))).all()
        return [Attempt(*row) for row in rows]

    async def begin(self, challenge: Challenge, token: str, name: str, address: str) -> Attempt:
        """A table for the owner of a token; the same one for every request."""
        if not TOKEN.fullmatch(token):
            raise BadInput("An attempt needs a token of 16 to 64 characters.", "bad_token")
        owner = hash_token(token)
        found = await self.attempts(challenge.id)
        if (known := find_attempt(found, owner)) is not None:
            if known.phase == "removed":
                raise Conflict(
                    "The server removed your game, because you did not continue it.", "attempt_gone"
                )
            return known
        # Players without recent moves do not count, or strangers could use up the limit.
        since = self.tables.clock.now() - IDLE_MS
        if sum(one.begun and (one.changed or 0) > since for one in found) >= MAX_ATTEMPTS:
            raise Conflict(
                f"{MAX_ATTEMPTS} people are playing this challenge: come back later.",
                "challenge_full",
            )
        self.recent.check(
            address,
            max(1, int(MAX_ATTEMPTS * self.share)),
            "Your address has begun this challenge too often: come back later.",
            challenge.id,
        )
        name = clean_name(name)
        table = _derive_id("the attempt of", owner, "at", challenge.id, challenge.seed)
        sat = [Sat(challenge.seat, name, owner)]
        live = await self.tables.creator.create_seated(
            challenge.settings, sat, address, table, challenge.seed
        )
        self.recent.add(address, challenge.id)
        gone = [one.table for one in found if one.phase == "removed"]
        row = {"challenge": challenge.id, "owner": owner, "table_id": live.id,
               "at": live.created, "name": name}  # fmt: skip
        changed = update(challenges).where(challenges.c.id == challenge.id)
        async with self.store.writing() as connection:
            if len(found) >= MAX_ATTEMPT_ROWS:
                await connection.execute(delete(attempts).where(attempts.c.table_id.in_(gone)))
            await connection.execute(self.store.insert_new(attempts), row)
            await connection.execute(changed.values(changed=live.created))
        return Attempt(owner, live.id, live.created, name, "playing", live.created, begun=False)

    async def check_leaving(self, live: LiveTable) -> None:
        """Refuse to leave an attempt: a bot would finish it, and reveal the bag.

        Others may still play it. The game of a player who closes the page waits instead.
        """
        people = sum(plan.program is None for plan in live.state.settings.seats)
        if live.state.phase != "playing" or people != 1:
            return
        found = select(attempts.c.table_id).where(attempts.c.table_id == live.id)
        async with self.store.reading() as connection:
            if await connection.scalar(found) is not None:
                raise IllegalMove(
                    "A bot cannot finish an attempt at a challenge: close the page, and"
                    " continue when you like.",
                    "attempt_waits",
                )

    def check_finished(self, found: list[Attempt], token: str) -> Attempt:
        """The finished attempt of the owner of a token; refuses all other owners."""
        own = find_attempt(found, hash_token(token))
        if own is None:
            raise Forbidden(
                "Play the challenge first: then you can see the results of others.", "not_played"
            )
        if own.phase != "over":
            raise Forbidden("Finish your own game first.", "not_finished")
        return own


def select_compared(found: list[Attempt], own: Attempt | None) -> list[Attempt]:
    """The original attempt, the latest ones and the own one: about `MAX_ATTEMPTS`."""
    original, latest = found[:1], found[1:][1 - MAX_ATTEMPTS :]
    missing = [own] if own is not None and own not in original and own not in latest else []
    return [*original, *missing, *latest]


def find_attempt(found: list[Attempt], owner: str) -> Attempt | None:
    """The attempt of an owner."""
    return next((one for one in found if one.owner == owner), None)


def _attempts(id: str) -> Any:
    phase = case(
        (tables.c.phase == "over", "over"),
        (tables.c.phase.is_not(None), "playing"),
        (archive.c.id.is_not(None), "over"),
        else_="removed",
    )
    by_player = entries.c.entry.like('{"type":"moved"%"cause":"player"}')
    moved = exists().where(entries.c.table_id == attempts.c.table_id, by_player)
    begun = case((tables.c.phase == "playing", moved), else_=false())
    return (
        select(
            *(attempts.c.owner, attempts.c.table_id, attempts.c.at, attempts.c.name),
            *(phase, tables.c.changed, begun),
        )
        .outerjoin(tables, tables.c.id == attempts.c.table_id)
        .outerjoin(archive, archive.c.id == attempts.c.table_id)
        .where(attempts.c.challenge == id)
        .order_by(attempts.c.at, attempts.c.table_id)
    )
