"""The tables that are in use: lock, validate, commit, and only then tell (`log.py`, `store.py`).

Whatever happens to a table goes through `Tables.act`: under the table's lock the entry is tried
on the state in memory and appended to the store; if another process was first, its entries are
read and the entry is tried again. Nobody sees anything that is not durable.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import math
import secrets
from base64 import urlsafe_b64encode
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from hashlib import sha256
from time import perf_counter
from typing import Any, Protocol
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from ...bots import list_bots
from ...bots.arena import bot_seed
from ...core.errors import (
    BadOptions,
    BrokenGame,
    Conflict,
    DalapapaError,
    DamagedTable,
    Forbidden,
    IllegalMove,
    NotFound,
    RuleRefusal,
    TooHard,
    Unavailable,
)
from ...core.notation import shortened
from ...core.tiles import check_identity
from ...games import find_game
from ...games.bag import new_seed
from ...games.installed import Guarded, guard, report_broken
from ...games.moves import Move, TimeUp, move_from_json
from ...hosting.log import (
    STAND_IN,
    Closed,
    Entry,
    Forgotten,
    Hinted,
    HintQuestion,
    Left,
    Moved,
    Rematched,
    Removed,
    Returned,
    Sat,
    Settings,
    TableState,
    advance,
    check_hint,
    clean_name,
    opened,
    tiles_of,
)
from ...hosting.messages import Telling
from ...hosting.set_limits import check_set_size
from ..clock import SYSTEM_CLOCK, SystemClock, TableTime
from ..monitoring import metrics
from ..storage.quarantine import check_number, reading
from ..storage.retention import TableCount
from ..storage.store import DELETED, FORGOTTEN, ID, Store, StoredEntry, StoredTable
from ..workers.bots import NOT_AT_ONCE, Programs, next_to_act
from .memory import KeptTables
from .new_tables import NewTables
from .presence import Company, Presence
from .undo_limit import Undoing

logger = logging.getLogger("dalapapa")

MOVE_SECONDS = metrics.MOVE_SECONDS.get_series()

MOST_TABLES = 100_000
"""Tables in the store, archive apart: beyond, no new ones are made."""

MAX_SETTINGS = 16_000
"""Bytes of a table's settings, which every message has: enough for a custom set."""

REMEMBERED = 64
"""Marks of the last moves of a table, so that one sent again is not made twice."""

TAKE_OVER = 3_000
"""Milliseconds that a process leaves to the one that drives a table's programs: it may be dead."""

RETRY = 0.5
"""Seconds until the database, or a program, is tried again after it failed."""

LOOK = 0.2
"""Seconds between looks at the clock while a program thinks."""

NOTICES = 1.0
"""Seconds between looks at whether somebody else has changed a file of SQLite."""

FEW = 5
"""Tables that are read again at once when news was missed: moves need connections, too."""

AWAKE = 500
"""Tables that keep the memory of their game (40 kB) from one move to the next: where moves come
fast, making it again would take longer than the move."""

AT_ONCE = 20
"""Entries of a long log that are played through before others have their turn."""


class Viewer(Protocol):
    """Somebody who watches a table: a socket."""

    def changed(self, live: LiveTable) -> None:
        """The table has a new state, which is durable. Must not wait."""

    def closed(self, error: DalapapaError) -> None:
        """The table cannot be played on, or is gone. Must not wait."""


class LiveTable:
    """A table in memory: its state at one version, and who watches it."""

    def __init__(self, stored: StoredTable, clock: SystemClock) -> None:
        self.time = TableTime(clock, stored.created)
        self.loaded = False
        """Whether all that was made before is known: what comes then was just made."""
        self.id = stored.id
        self.created = stored.created
        self.settings_bytes = len(msgspec.json.encode(stored.settings))
        self.state: TableState = opened(stored.settings, stored.seed, stored.created)
        self.rest()
        self.lock = asyncio.Lock()
        self.viewers: set[Viewer] = set()
        self.company = Company(self.time.now())
        self.undoing = Undoing(clock)
        self.waits: dict[int, int] = self._waits(stored.created)
        """For which seats the game waits, and since when, by the log."""
        self.marks: OrderedDict[str, int] = OrderedDict()
        self.made: Counter[int] = Counter()
        """How many moves there were in each seat, with those that were taken back."""
        self.told: dict[tuple[tuple[int, ...], bool], bytes] = {}
        """News while they are told, by the viewer's seats and whether they come with moves: who
        has the same ones sees the same."""
        self.telling = Telling(stored.id)
        self.moving = asyncio.Event()
        self.driver: asyncio.Task[None] | None = None
        self.leads = False
        """Whether this process drives the programs: the one that made their last move does."""
        self.asked = self.time.now()
        """Since when programs are expected to move, if they are."""
        self.changed = self.asked
        """When the state was new."""
        self.broken: DalapapaError | None = None
        """Why it is closed: its game, which is not ours, has failed; whoever runs us closed it; or
        it is gone."""

    def _waits(self, at: int, before: dict[int, int] | None = None) -> dict[int, int]:
        state = self.state
        asked = () if state.game_state is None else state.game.asked(state.game_state)
        return {seat: (before or {}).get(seat, at) for seat in asked}

    def take(self, stored: StoredEntry, state: TableState | None = None) -> None:
        """Go on to the state after an entry that is durable; with it, if it was made here."""
        made_here = state is not None
        self.state = state or advance(self.state, stored.entry, stored.at)
        if not made_here and (jump := self.time.hear(stored.at, self.loaded)):
            self.asked += jump
            self.company.shift(jump)
        self.changed = now = self.time.now()
        self.waits = self._waits(stored.at, self.waits)
        if stored.nonce is not None:
            self.marks[stored.nonce] = stored.number
            if len(self.marks) > REMEMBERED:
                self.marks.popitem(last=False)
        if isinstance(stored.entry, Moved):
            self.made[getattr(stored.entry.move, "player", -1)] += 1
            by_program = stored.entry.cause == "program"
            if by_program:
                self.leads = made_here
            # Where several play at once, a person's move does not ask programs again.
            if by_program or len(self.waits) < 2:
                self.asked = now

    def rest(self) -> None:
        """Nobody needs the memory of the game until the next move."""
        if self.state.game_state is not None:
            with guard(self.state.game, "rest"):
                self.state.game_state.rest()

    def begin_anew(self, stored: StoredTable) -> None:
        """Back to the beginning: what was told before is written differently now."""
        self.state = opened(stored.settings, stored.seed, stored.created)
        self.waits = self._waits(stored.created)
        self.telling = Telling(stored.id)  # The old one has encoded what was forgotten.
        self.marks.clear()
        self.made.clear()

    def doze(self) -> None:
        """The next move will come soon; nobody needs what it could take back."""
        state = self.state.game_state
        if isinstance(self.state.game, Guarded):
            self.rest()
        elif state is not None and state.table is not None:
            state.table.lend()
            if state.before is not None:
                state.before.rest()

    def tell(self) -> None:
        """Tell everybody who watches, and those who wait for the next move."""
        if self.state.closed is not None:
            self.close(IllegalMove(self.state.closed, "table_closed"))
            return
        try:
            for viewer in tuple(self.viewers):
                viewer.changed(self)
        except BrokenGame as error:
            self.close(error)
        self.told.clear()
        self.moving.set()

    def close(self, error: DalapapaError) -> None:
        """Tell everybody that it goes no further."""
        self.broken = error
        for viewer in tuple(self.viewers):
            viewer.closed(error)
        self.moving.set()


def hashed(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def seats_owned(owners: Iterable[str | None], given: str) -> tuple[int, ...]:
    """The seats whose owner has a token that was hashed to this, compared in constant time."""
    return tuple(
        seat
        for seat, owner in enumerate(owners)
        if owner is not None and hmac.compare_digest(owner, given)
    )


async def _ended(tasks: set[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _id_of_rematch(live: LiveTable) -> str:
    """The same wherever and however often it is asked for: all meet at one table.

    The seed makes it as hard to guess as any; when a game is over, everybody who knows of the
    table may know it, and of its rematch, too.
    """
    mark = sha256(f"the rematch of {live.id} {live.state.seed}".encode()).digest()
    return urlsafe_b64encode(mark[:12]).decode()


class Tables:
    """All tables of a server process."""

    def __init__(
        self,
        store: Store,
        programs: Programs,
        clock: SystemClock = SYSTEM_CLOCK,
        most: int = MOST_TABLES,
    ) -> None:
        self.store = store
        self.count = TableCount(store, most, clock)
        self.new_tables: NewTables | None = None
        """The limits of each address; without them, tables are not limited."""
        self.on_watch: Callable[[LiveTable], None] | None = None
        self.on_forget: Callable[[], None] = lambda: None
        """Clears the caches: an operator has forgotten a player, or changed tables."""
        self.clock = clock
        self.programs: Programs = programs
        self.live: KeptTables = KeptTables()
        """Those that are kept in memory, the longest unused one first."""
        self._held: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Those that anybody has in hand: there are never two of one id."""
        self.presence = Presence(store, clock, self._held)
        self._awake: OrderedDict[str, LiveTable] = OrderedDict()
        """Those that keep their memory, the longest unmoved one first."""
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._news: set[asyncio.Task[None]] = set()
        self._behind: dict[LiveTable, int] = {}
        """Tables at which other processes have done something."""
        self._reading: asyncio.Task[None] | None = None
        self._few = asyncio.Semaphore(FEW)
        self.moves: int = 0
        self.public_changes = 0
        """How often somebody came to, left, began or ended a public table here."""

    async def open(self) -> None:
        """Begin to hear of what other processes do."""
        self.presence.open()
        if self.store.postgres:
            self._listener = asyncio.create_task(self._listen())
        else:
            self._listener = asyncio.create_task(self._look_for_notices())

    async def close(self) -> None:
        """Stop everything that goes on by itself."""
        drivers = {live.driver for live in self._held.values() if live.driver}
        readers = {task for task in (self._listener, self._reading) if task}
        await _ended(drivers | readers)
        await _ended(self._news)  # Also of what drivers were about to do.
        await self.presence.close()
        self.programs.close()

    # -- finding and making ------------------------------------------------------------------

    async def find(self, id: str) -> LiveTable:
        """A table by its id, from memory or from the store."""
        live = self._held.get(id)
        if live is None and ID.fullmatch(id):  # PostgreSQL takes no text with a zero in it.
            self.store.aside.check(id)
            task = self._loading.get(id)
            if task is None:
                task = asyncio.create_task(self._load(id))
                self._loading[id] = task
                task.add_done_callback(lambda _: self._loading.pop(id, None))
            live = await asyncio.shield(task)
        if live is None:
            raise NotFound("There is no such table.", "unknown_table")
        async with live.lock:
            if live.broken is None:
                await self._catch_up(live)  # Whoever comes from another process has seen its news.
        if live.broken is not None:
            raise live.broken
        self._keep(live)
        return live

    def held(self, id: str) -> LiveTable | None:
        """A table that is in memory, as this process knows it."""
        return self._held.get(id)

    async def _load(self, id: str) -> LiveTable | None:
        try:
            stored = await self.store.load(id)
            if stored is None:
                return None
            with reading(id):
                stored = replace(stored, settings=self.live.share(stored.settings))
                check_identity("This table", stored.set, tiles_of(stored.settings))
                check_programs(stored.settings)
                live = LiveTable(stored, self.clock)
        except DamagedTable as error:
            self.store.aside.put(error)
            raise
        self._keep(live)
        return live

    def _keep(self, live: LiveTable) -> None:
        """Hold a table in memory; the longest unused ones that nobody watches make room."""
        self.live[live.id] = self._held[live.id] = live
        for other in self.live.drop_unused(live):
            if other.driver is not None:
                other.driver.cancel()
            self._awake.pop(other.id, None)

    async def create(
        self,
        settings: Settings,
        host: str | None,
        guests: tuple[str, ...] = (),
        address: str | None = None,
    ) -> tuple[LiveTable, str]:
        """A new table; the host, and guests at the same screen, take the first free seats.

        The token is the host's: it owns those seats. Without a host, it owns none. The table
        counts for the limits of an address; without one, it counts for none.
        """
        token = secrets.token_urlsafe(16)
        free = [number for number, plan in enumerate(settings.seats) if plan.program is None]
        if host is None and guests:
            raise BadOptions("Guests need a host at their screen.", "bad_seats")
        people = () if host is None else (host, *guests)
        if len(people) > len(free):
            raise BadOptions("There are more people than seats.", "bad_seats")
        owner = hashed(token)
        sat = [Sat(seat, name, owner) for seat, name in zip(free, people, strict=False)]
        return await self._create(settings, sat, address), token

    async def deal(
        self, settings: Settings, sat: list[Sat], id: str, seed: str, address: str | None
    ) -> LiveTable:
        """A table whose bag is known to the server alone (`challenges.py`); or the one there is."""
        return await self._create(settings, sat, address, id, seed)

    async def _create(
        self,
        settings: Settings,
        sat: list[Sat],
        address: str | None,
        id: str | None = None,
        seed: str | None = None,
    ) -> LiveTable:
        """A new table; with an id that is known, the table that has it."""
        if await self.count.full():
            self.count.refused.set()
            raise Unavailable("This server is full: it takes no new tables now.", "full")
        if address is not None and self.new_tables is not None:
            await self.new_tables.check(address, settings)
        check_programs(settings)
        check_set_size(settings)
        settings = self.live.share(settings)
        dominoes = tiles_of(settings).identity
        stored = StoredTable(
            id or secrets.token_urlsafe(12),
            self.clock.now(),
            settings,
            seed or new_seed(),
            dominoes,
        )
        live = LiveTable(stored, self.clock)
        log = []
        for entry in sat:
            entry = replace(entry, name=clean_name(entry.name))
            log.append(StoredEntry(live.state.version + 1, stored.created, entry))
            live.take(log[-1])
        live.rest()
        live.leads = live.loaded = True
        if not await self.store.create(stored, live.state.phase, log):
            return await self.find(stored.id)
        self.count.add()
        self._keep(live)
        self._show(live)
        return live

    def _show(self, live: LiveTable) -> None:
        """What the lobby says about a table is out of date."""
        self.public_changes += live.state.settings.visibility == "public"

    # -- what happens at a table -------------------------------------------------------------

    async def act(
        self, live: LiveTable, make: Callable[[TableState], Entry], nonce: str | None = None
    ) -> int:
        """Make an entry durable and tell everybody; the version it became.

        `make` gets the present state and may refuse. An entry whose `nonce` is known already is
        not made again. A table whose game fails is closed; all others go on.
        """
        lock = live.lock
        await lock.acquire()  # Without a context: that would cost two more calls for each move.
        try:
            return await self._act(live, make, nonce)
        except BrokenGame as error:
            self._close(live, error)
            raise
        finally:
            lock.release()

    def _close(self, live: LiveTable, error: BrokenGame) -> None:
        """A table whose game fails is closed; all others go on."""
        if isinstance(error, DamagedTable):
            self.store.aside.put(error)
            self.live.pop(live.id, None)  # Somebody may mend it.
            self._awake.pop(live.id, None)
        live.close(error)

    async def _act(
        self, live: LiveTable, make: Callable[[TableState], Entry], nonce: str | None
    ) -> int:
        while True:
            if nonce is not None and nonce in live.marks:
                return live.marks[nonce]
            state = live.state
            entry = make(state)
            if state.full and not isinstance(entry, Rematched | Closed):
                told = "This table has seen too much: it takes no more moves."
                raise IllegalMove(told, "table_full")
            at = max(live.time.now(), state.at)
            after = advance(state, entry, at)
            live.undoing.check(state, entry)
            stored = StoredEntry(after.version, at, entry, nonce)
            phase = after.phase
            try:
                if await self.store.append(live.id, stored, phase):
                    break
            except (Unavailable, asyncio.CancelledError):  # It may be durable all the same.
                self._soon(live)
                raise
            except NotFound as error:
                if await self.store.revive(live.id):  # It was in the archive.
                    continue
                self._forget(live, error)
                raise
            await self._catch_up(live)
        live.take(stored, after)
        self._keep_awake(live)
        moved = isinstance(entry, Moved)
        self.moves += moved
        if not moved or phase != "playing":
            self._show(live)
        self._tell(live)
        self._drive(live)
        return stored.number

    def _tell(self, live: LiveTable) -> None:
        """Tell everybody who watches."""
        live.tell()
        if live.viewers:
            self.presence.changed(live)

    def _keep_awake(self, live: LiveTable) -> None:
        """The longest unmoved table of too many goes to rest."""
        live.doze()
        self.live.weigh_again(live)
        self._awake[live.id] = live
        self._awake.move_to_end(live.id)
        if len(self._awake) > AWAKE:
            self._awake.popitem(last=False)[1].rest()

    async def _catch_up(self, live: LiveTable) -> None:
        """Read what other processes have appended."""
        try:
            news = await self.store.news(live.id, live.state.version)
            anew = live.state.version > 0 and any(
                isinstance(one.entry, Forgotten) for one in news or ()
            )
            if anew:  # What came before was written differently.
                table, news = await self.store.load(live.id), await self.store.news(live.id, 0)
                if table is not None:
                    live.begin_anew(table)
            if news is None:
                error = NotFound("There is no such table.", "unknown_table")
                self._forget(live, error)
                raise error
            for stored in news:
                check_number(live.id, stored.number, live.state.version + 1)
                with reading(live.id, stored.number):
                    live.take(stored)
                self._keep_awake(live)
                if not anew or stored is news[-1]:
                    self._tell(live)
                if stored.number % AT_ONCE == 0:
                    await asyncio.sleep(0)
            live.loaded = True
            self._drive(live)
        except BrokenGame as broken:
            self._close(live, broken)
            raise

    def _forget(self, live: LiveTable, error: NotFound) -> None:
        """A table that is in the store no more is no longer in memory, either."""
        self.live.pop(live.id, None)
        self._awake.pop(live.id, None)
        if self._held.get(live.id) is live:
            del self._held[live.id]
        live.close(error)

    def seats_of(self, live: LiveTable, token: str) -> tuple[int, ...]:
        """The seats that a token owns."""
        return seats_owned((seat.owner for seat in live.state.seats), hashed(token))

    async def sit(self, live: LiveTable, seat: int, name: str) -> str:
        """Take a free seat; the token that owns it from now on."""
        token = secrets.token_urlsafe(16)
        await self.act(live, lambda _: Sat(seat, clean_name(name), hashed(token)))
        return token

    async def leave(self, live: LiveTable, seat: int, token: str) -> int:
        """Leave one of your seats."""
        return await self._by_owner(live, token, Left(seat))

    async def come_back(self, live: LiveTable, seat: int, token: str) -> int:
        """Take one's own seat again."""
        return await self._by_owner(live, token, Returned(seat))

    async def replace_absent(self, live: LiveTable, seat: int, token: str) -> int:
        """Let a program play for another player, absent for as long as was agreed on."""

        def make(state: TableState) -> Entry:
            own = self.seats_of(live, token)
            if not own or seat in own:
                raise Forbidden("Only the other players may do this.", "not_your_seat")
            if seat not in range(len(state.seats)):
                raise NotFound("There is no such seat at this table.", "unknown_seat")
            now = live.time.now()
            live.company.look(now)
            due = live.company.replaceable(state, live.waits, seat)
            if due is None or now < due:
                raise IllegalMove(
                    "The table has not waited for this player for long.", "not_absent"
                )
            return Left(seat, own[0])

        return await self.act(live, make)

    async def remove(self, live: LiveTable, seat: int, token: str) -> int:
        """Send a guest away before the game; for the host alone."""

        def make(state: TableState) -> Entry:
            own = self.seats_of(live, token)
            if state.host not in own:
                raise Forbidden("Only the host sends guests away.", "not_host")
            return Removed(seat, own[0])

        return await self.act(live, make)

    def check_hint(self, live: LiveTable, seat: int, token: str) -> None:
        """Refuse a hint before the solver has worked for it."""
        self._check_owner(live, seat, token)
        check_hint(live.state, seat, live.time.now())

    async def hint(
        self, live: LiveTable, seat: int, token: str, question: HintQuestion, nonce: str | None
    ) -> int:
        """Note for all to see that the solver has helped, before it does."""
        mark = None if nonce is None else hashed(f"{seat} hint {nonce}")
        return await self._by_owner(live, token, Hinted(seat, question), mark)

    def _check_owner(self, live: LiveTable, seat: int, token: str) -> None:
        if seat not in self.seats_of(live, token):
            raise Forbidden("This seat is not yours.", "not_your_seat")

    async def _by_owner(
        self, live: LiveTable, token: str, entry: Left | Returned | Hinted, mark: str | None = None
    ) -> int:
        def make(_: TableState) -> Entry:
            # Under the lock: before the game, somebody else may have got the seat meanwhile.
            self._check_owner(live, entry.seat, token)
            return entry

        return await self.act(live, make, mark)

    async def move(
        self,
        live: LiveTable,
        seats: tuple[int, ...],
        move: dict[str, object],
        version: int | None = None,
        nonce: str | None = None,
    ) -> int:
        """A move of one of the seats that the sender owns; each seat has its own nonces."""
        began = perf_counter()
        player = move.get("player")
        if type(player) is not int or player not in seats:
            raise Forbidden("This seat is not yours.", "not_your_seat")
        owner = live.state.seats[player].owner
        mark = None if nonce is None else hashed(f"{player} {nonce}")
        if live.state.timer is not None and (mark is None or mark not in live.marks):
            with contextlib.suppress(IllegalMove):  # Somebody else has noticed it, too.
                await self._time_up(live, live.state)

        def make(state: TableState) -> Entry:
            if state.seats[player].owner != owner:
                raise Forbidden("This seat is not yours.", "not_your_seat")
            if version is not None and version != state.version:
                raise Conflict("The table has changed meanwhile.", "stale")
            if state.seats[player].away:
                raise IllegalMove("A program plays for you: come back first.", "away")
            return Moved(move_from_json(move))

        made = await self.act(live, make, mark)
        MOVE_SECONDS.observe(perf_counter() - began)
        return made

    async def rematch(self, live: LiveTable, address: str | None = None) -> LiveTable:
        """The same table again: who has not left sits there already, with the same token.

        It counts as a new table of the address that asks first.
        """
        if live.state.phase != "over":
            raise IllegalMove("The game is not over.", "not_over")
        if live.state.rematch is None:
            sat = [
                Sat(number, seat.name, seat.owner)
                for number, seat in enumerate(live.state.seats)
                if seat.name is not None and seat.owner is not None and not seat.away
            ]
            again = await self._create(live.state.settings, sat, address, _id_of_rematch(live))
            with contextlib.suppress(IllegalMove):  # Somebody else was quicker.
                await self.act(live, lambda _: Rematched(again.id))
        assert live.state.rematch is not None
        return await self.find(live.state.rematch)

    # -- programs and clocks -----------------------------------------------------------------

    def _drive(self, live: LiveTable) -> None:
        """See to it that programs move and times run out, while somebody watches."""
        state = live.state
        if live.driver is not None and not live.driver.done():
            return
        timed = state.timer is not None or state.clock is not None
        needed = timed or any(seat.played_by for seat in state.seats)
        if needed and live.viewers and not live.broken and state.goes_on:
            live.driver = asyncio.create_task(self._driver(live))

    def watch(self, live: LiveTable, viewer: Viewer) -> None:
        """From now on, tell this viewer of every change."""
        live.viewers.add(viewer)
        if self.on_watch is not None:
            self.on_watch(live)
        self._drive(live)

    def unwatch(self, live: LiveTable, viewer: Viewer) -> None:
        """Tell this viewer no more."""
        live.viewers.discard(viewer)
        if not live.viewers:
            live.moving.set()  # The driver need not wait for a move that nobody sees.

    async def _driver(self, live: LiveTable) -> None:
        while live.viewers and not live.broken:
            live.moving.clear()
            state = live.state
            try:
                if not state.goes_on:
                    break
                if not await self._step(live, state):
                    await self._wait(live, state.deadline())
            except BrokenGame as error:
                live.close(error)
            except RuleRefusal as error:
                # Somebody acted meanwhile: look again. A pause keeps a mistake from spinning.
                logger.debug("the move of a program: %s", error.code)
                await asyncio.sleep(0.01)
            except DalapapaError as error:  # The database or a program, and they may come back.
                if self.store.write_trouble.reason is None:  # Else the store has said so.
                    logger.warning("a table has to wait: %s", error)
                if isinstance(error, TooHard) and isinstance(state.game, Guarded):
                    live.close(report_broken(state.game, "its program", "it takes too long"))
                await self._wait_to_retry(live)
            except Exception:  # A mistake in a program must not end the game for people.
                logger.warning("a program failed", exc_info=True)
                await asyncio.sleep(RETRY)
        live.driver = None

    async def _wait_to_retry(self, live: LiveTable) -> None:
        """A pause; programs do not think about moves that cannot be stored."""
        await asyncio.sleep(RETRY)
        while self.store.write_trouble.reason is not None and live.viewers:
            await asyncio.sleep(RETRY)

    async def _wait(self, live: LiveTable, deadline: int | None) -> None:
        seconds = None if deadline is None else max(0.0, (deadline - live.time.now()) / 1000)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(live.moving.wait(), seconds)

    async def _time_up(self, live: LiveTable, state: TableState) -> bool:
        """A time that is over ends before anything else happens, even if nobody watched."""
        if state.timer is None or live.time.now() < state.timer.deadline:
            return False
        up = Moved(TimeUp(state.timer.number), "time")
        await self.act(live, lambda _: up)
        return True

    async def _step(self, live: LiveTable, state: TableState) -> bool:
        """Do what is due now; False if there is nothing but to wait."""
        at = live.time.now()
        if await self._time_up(live, state):
            return True
        if state.begins is not None and at < state.begins:
            await self._wait(live, state.begins)
            return True
        asked = state.game.asked(state.game_state)
        deadline = state.deadline()
        if deadline is not None and at >= deadline:
            await self._play(live, state, asked[0], state.seats[asked[0]].played_by or STAND_IN)
            return True
        programs = {seat: played for seat in asked if (played := state.seats[seat].played_by)}
        if not programs:
            return False
        seat, pause, longest = next_to_act(
            state.game, state.game_state, programs, state.settings.pace
        )
        until = max(live.asked, state.begins or 0) + int(1000 * longest) + TAKE_OVER
        if self.store.postgres and not live.leads and at < until:
            await self._wait(live, until if deadline is None else min(until, deadline))
            return True
        if pause and not await self._paused(live, state, pause):
            return True
        program = live.state.seats[seat].played_by
        if program is not None and seat in live.state.game.asked(live.state.game_state):
            await self._play(live, live.state, seat, program)
        return True

    async def _paused(self, live: LiveTable, state: TableState, seconds: float) -> bool:
        """Let a program take its time; False if there is something else to look at.

        Where several play at once, the others' moves do not restart its time.
        """
        alone = state.game.clocked(state.game_state) is not None
        end = self.clock.monotonic() + seconds  # Other processes may set the table's time.
        while (left := end - self.clock.monotonic()) > 0:
            at, deadline = live.time.now(), live.state.deadline()
            if deadline is not None and at >= deadline:
                return False
            live.moving.clear()
            until = at + math.ceil(1000 * left)
            await self._wait(live, until if deadline is None else min(until, deadline))
            if not live.viewers or not live.state.goes_on or (alone and live.state is not state):
                return False
        if live.state is not state:
            await asyncio.sleep(max(0, live.changed + NOT_AT_ONCE - live.time.now()) / 1000)
        return True

    async def _play(self, live: LiveTable, state: TableState, seat: int, program: str) -> None:
        """A program thinks, and its move is made if the table has not changed for it."""
        game = state.game
        view = game.view(state.game_state, seat)
        # By its own moves alone: whoever plays the same bag in the same way gets the same replies.
        seed = bot_seed(f"{state.seed}/{live.made[seat]}", seat)
        move = await self._thought(live, self.programs.choose(game.name, program, seed, view))
        if move is None:
            return
        by_program = state.seats[seat].played_by is not None

        def make(present: TableState) -> Entry:
            on_turn = game.clocked(state.game_state) is not None
            changed = on_turn and present.version != state.version
            returned = by_program and present.seats[seat].played_by is None
            if changed or returned:
                raise Conflict("The table has changed meanwhile.", "stale")
            return Moved(move, "program" if by_program else "time")

        await self.act(live, make)

    async def _thought(self, live: LiveTable, thinking: Coroutine[Any, Any, Move]) -> Move | None:
        """What a program comes to; None if a time runs out first."""
        task = asyncio.create_task(thinking)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=LOOK)
                if await self._time_up(live, live.state):
                    return None
            return task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    # -- other processes ---------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            try:
                await self.store.listen(self._heard, self._missed, self.presence.heard)
            except Exception as error:
                logger.warning("no news from the database: %s", type(error).__name__)
            await asyncio.sleep(RETRY)

    async def _look_for_notices(self) -> None:
        """SQLite notifies nobody: `dalapapa admin` counts its changes, and we look."""
        known: int | None = None
        while True:
            with contextlib.suppress(Unavailable):
                notices = await self.store.notices()
                if notices != (notices if known is None else known):
                    self.on_forget()
                    held = dict(self._held)
                    for id in held.keys() - await self.store.known(list(held)):
                        self._gone(held[id])
                    self._missed()
                known = notices
            await asyncio.sleep(NOTICES)

    def _gone(self, live: LiveTable) -> None:
        """A table was deleted."""
        self.live.pop(live.id, None)
        self._awake.pop(live.id, None)
        self._held.pop(live.id, None)
        live.close(NotFound("This table was deleted by whoever runs this server.", "unknown_table"))

    def _heard(self, id: str, number: int) -> None:
        live = self._held.get(id)
        if number == FORGOTTEN:
            self.on_forget()
        elif live is not None and number == DELETED:
            self._gone(live)
        elif live is not None and live.state.version < number:
            self._behind[live] = number
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Read what other processes have done at many tables at once."""
        while self._behind:
            behind, self._behind = self._behind, {}
            try:
                logs = await self.store.logs({live.id: live.state.version for live in behind})
            except Unavailable:
                logs = {}
            for live, number in behind.items():
                if not live.lock.locked():  # Else something happens at it here just now.
                    self._take_news(live, logs.get(live.id, []))
                if live.state.version < number and live.broken is None:
                    self._soon(live, number)

    def _take_news(self, live: LiveTable, log: list[StoredEntry]) -> None:
        try:
            for stored in log:
                if isinstance(stored.entry, Forgotten):
                    return  # What came before was written differently: `_catch_up`.
                if stored.number == live.state.version + 1:
                    with reading(live.id, stored.number):
                        live.take(stored)
                    self._keep_awake(live)
                    self._tell(live)
            self._drive(live)
        except BrokenGame as error:
            self._close(live, error)

    def _missed(self) -> None:
        self.presence.missed()
        for live in tuple(self._held.values()):
            self._soon(live)

    def _soon(self, live: LiveTable, number: int | None = None) -> None:
        task = asyncio.create_task(self._refresh(live, number))
        self._news.add(task)
        task.add_done_callback(self._news.discard)

    async def _refresh(self, live: LiveTable, number: int | None) -> None:
        """Read what is new, up to an entry that is known to be there; until it succeeds."""
        while True:
            try:
                async with self._few, live.lock:
                    if number is None or live.state.version < number:
                        await self._catch_up(live)
                return
            except (BrokenGame, NotFound):
                return
            except Unavailable:
                await asyncio.sleep(RETRY)


def check_programs(settings: Settings) -> None:
    """Refuse programs that the game does not have."""
    game = find_game(settings.game)
    with guard(game, "its programs"):
        known = list_bots(game)
    for plan in settings.seats:
        if plan.program is not None and plan.program not in known:
            raise BadOptions(f"There is no player called {shortened(plan.program)}.", "unknown_bot")


def settings_from(data: object) -> Settings:
    """Settings from plain data; refuses everything else with one sentence."""
    try:
        settings = msgspec.convert(data, Settings)
        check_set_size(settings)
        size = len(msgspec.json.encode(settings))
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        reason = error if isinstance(error, msgspec.ValidationError) else "it is no plain text"
        raise BadOptions(f"A table cannot be set up like this: {reason}.", "bad_settings") from None
    if size > MAX_SETTINGS:
        raise BadOptions("Options are too long: a table could not be told.", "bad_settings")
    return settings
