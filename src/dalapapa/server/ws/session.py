"""One socket for each viewer of a table (`docs/protocol.md`).

Messages are taken one by one; what has become durable is sent at once, as long as the connection
takes it. A viewer who is too slow for every version gets the newest one instead: each message tells
the whole table.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket

from ...core.errors import BadInput, BrokenGame, DalapapaError, Forbidden, TooMany, Unavailable
from ...core.notation import Laying
from ...hosting import encoder, layings, protocol
from ...hosting.layings import LayingsCache
from ...hosting.log import Seat, TableState
from ..monitoring import logging_setup, metrics
from ..tables.live import LiveTable
from ..tables.tables import Tables
from ..tables.tokens import hash_token
from ..traffic.limits import ConcurrencyLimit, Limits, TokenBucket, address_of
from ..traffic.loop_share import SECONDS_PER_BYTE, LoopShare, Work
from ..traffic.talkers import Talkers
from ..workers.pool import Workers
from . import output
from .connection import EXTENSION, Disconnected, Wire
from .move_lists import MoveLister

HELLO_SECONDS = 10
"""For the first message."""

MAX_WAITING = 32
"""Messages for one viewer that were not sent yet; beyond, only the newest table is."""

MAX_TOO_FAST = 20
"""Messages that are refused as too fast; after them, a client that goes on is read slowly."""

TOO_FAST_FORGOTTEN_S = 60
"""Seconds after which so many are refused again."""

MIN_HOLD_S, MAX_HOLD_S = 0.25, 1.0
"""Seconds for which no message is taken, each time; messages that may come then come together."""

MAX_WRONG = 50
"""Messages that made no sense, before a connection is closed."""

MAX_RESTARTS = 3
"""Changes of a table during which a list of layings is begun again; then it is left out."""

ANSWER_S = 50e-6
"""What any answer costs."""

OWED = (True, b"")
"""In a queue: the newest table, which is encoded when it is sent."""

logger = logging.getLogger("dalapapa")

NONSENSE = ("malformed_message", "malformed_move", "too_long")


def encode_refusal(error: DalapapaError, id: str | None = None) -> bytes:
    """Count a refusal, and encode it."""
    metrics.REFUSALS.add(error.code)
    return protocol.encode_refusal(error, id)


class Sockets:
    """All sockets of a server process."""

    def __init__(self, tables: Tables, workers: Workers, limits: Limits, talkers: Talkers) -> None:
        self.tables = tables
        self.limits = limits
        self.talkers = talkers
        self.open: output.OpenSockets[Socket] = output.OpenSockets()
        self.places = ConcurrencyLimit(limits.sockets, limits.sockets_an_address)
        self.layings = LayingsCache()
        self.share = LoopShare(limits.computing_an_address, tables.clock)
        self.lister = MoveLister(self.layings, self.share, workers)

    async def serve(self, connection: WebSocket, id: str) -> None:
        """The whole life of a connection."""
        address = address_of(connection.scope)
        if not same_origin(connection):
            metrics.SOCKETS_CLOSED.add("wrong_origin")
            await connection.close(4403, "wrong_origin")
            return
        try:
            self.places.take(address)  # At once: many may knock at the same moment.
        except (TooMany, Unavailable):
            metrics.SOCKETS_CLOSED.add("too_many")
            await connection.close(4429, "too_many")
            return
        wire: Wire = connection.scope["extensions"][EXTENSION]
        talker = self.talkers.open(address)
        wire.meter = self.talkers.meter_socket(talker)
        socket = Socket(self, wire, address)
        self.open.add(socket)
        metrics.SOCKETS_OPENED.add()
        try:
            request = str(connection.scope.get("request_id", ""))
            await connection.accept(headers=[(b"x-request-id", request.encode())])
            await socket.run(id)
            await wire.closed()  # Until then it has its place.
        finally:
            self.open.discard(socket)
            self.places.leave(address)
            self.talkers.close(talker)
            metrics.SOCKETS_CLOSED.add(socket.reason)
            facts = {"reason": socket.reason, **logging_setup.address(connection.scope)}
            logger.info("a socket ended", extra={"facts": facts})

    async def close(self) -> None:
        """Say goodbye to everybody: the server stops."""
        self.share.close()
        for socket in tuple(self.open):
            socket.reason = "stopping"
            socket.wire.close(1012)

    def tables_without_aids(self, address: str) -> list[tuple[Laying, ...]]:
        """What lies on the tables in play without aids at which an address has a seat."""
        found = {id(socket.live): socket.live for socket in self.open.of(address) if socket.seats}
        return [
            state.game_state.table.layings
            for live in found.values()
            if live is not None
            and (state := live.state).settings.aids != "all"
            and state.phase == "playing"
            and state.game_state.table is not None
        ]


class Socket:
    """One viewer of one table."""

    def __init__(self, sockets: Sockets, wire: Wire, address: str) -> None:
        self.tables = sockets.tables
        self.sockets = sockets
        self.live: LiveTable | None = None
        """The online table, once it was sent."""
        self.wire = wire
        wire.resumed = self._resumed
        self.address = address
        self.limits = sockets.limits
        self.bucket = TokenBucket(
            self.limits.messages_per_second, self.limits.messages_at_once, self.tables.clock
        )
        self.seats: tuple[int, ...] = ()
        self.tokens: tuple[str, ...] = ()
        self.wants: tuple[str, ...] = ()
        self.company = b""
        """What was last sent about the company."""
        self.waiting: deque[tuple[bool, bytes]] = deque()
        """What is to be sent; the flag marks news of the table, which newer news replace."""
        self.waiting_bytes = 0
        self.last_bytes = 0
        """Of the message that was sent last."""
        self.working = False
        """Whether what the owed table lists is being computed."""
        self.taken: asyncio.Future[None] | None = None
        """Somebody waits until nothing waits to be sent."""
        self.sat: tuple[Seat, ...] | None = None
        """The seats of the table as they were when `seats` was found."""
        self.sent = -1
        """The version that was queued last."""
        self.removed = False
        """Whether this viewer was told that the host has sent them away."""
        self.too_fast = 0
        """Messages that were refused because there were too many, ..."""
        self.too_fast_at = -math.inf
        """... the last of them at this time."""
        self.wrong = 0
        self.reason = "left"
        """Why the connection ended, for metrics."""

    async def run(self, id: str) -> None:
        """Until the viewer leaves or is sent away."""
        live: LiveTable | None = None
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = protocol.read_message(await self.wire.receive())
            if not isinstance(hello, protocol.Hello):
                raise BadInput("Say hello first.", "no_hello")
            self.tokens = hello.tokens
            self.wants = hello.wanted
            live = await self.tables.find(id)
            self._sit(live)
            self.tables.driver.watch(live, self)
            self._queue_table(live, news=False)
            self._tell_removed(live)
            self.tables.presence.enter(live, self)
            while True:
                await self._read(live, await self.wire.receive())
                await self._all_taken()  # Who does not read answers cannot ask for more.
        except DalapapaError as error:
            self.reason = "refused"
            self._last_words(encode_refusal(error))
        except TimeoutError:
            self.reason = "no_hello"
            self._last_words(encode_refusal(BadInput("Nothing was said.", "no_hello")))
        except Disconnected:
            if self.wire.is_too_fast:
                self.reason = "too_fast"
            elif self.reason == "left" and not self.wire.said_goodbye:
                self.reason = "lost"
        finally:
            if live is not None:
                self.tables.driver.unwatch(live, self)
                self.tables.presence.leave(live, self)

    def changed(self, live: LiveTable) -> None:
        """The table has a new state, which is durable."""
        state = live.state
        if state.seats is not self.sat:
            self._sit(live)
        self._queue_table(live, state.version == self.sent + 1)
        if state.removed:
            self._tell_removed(live)

    def hear_company(self, message: bytes) -> None:
        """Who is there now: sent to those who asked for it, if it has changed."""
        if "company" in self.wants and message != self.company and not self.slow:
            self.company = message
            self._queue(message)

    def hear_word(self, message: bytes) -> None:
        """Something that somebody says; who is too slow misses it."""
        if "company" in self.wants and not self.slow:
            self._queue(message)

    @property
    def slow(self) -> bool:
        """Whether too much waits to be sent."""
        return len(self.waiting) >= MAX_WAITING

    def closed(self, error: DalapapaError) -> None:
        """The table cannot be played on: that is the last word, after the answer to a move."""
        self.reason = "closed"
        asyncio.get_running_loop().call_soon(self._last_words, encode_refusal(error))

    # -- reading -----------------------------------------------------------------------------

    def _sit(self, live: LiveTable) -> None:
        """Which seats are mine: they may be taken or left at any time."""
        self.sat = live.state.seats
        mine = {seat for token in self.tokens for seat in live.seats_of(token)}
        self.seats = tuple(sorted(mine))

    async def _read(self, live: LiveTable, data: str | bytes) -> None:
        """Answer one message; what makes no sense is refused, and too much of it ends it."""
        id = None
        try:
            message = protocol.read_message(data)
            id = None if isinstance(message, protocol.Hello) else message.id
            self.wire.meter.talker.messages += 1
            if not self.bucket.take():
                await self._slow_down()
            if isinstance(message, protocol.Play):
                version = await self.tables.commands.move(
                    live, self.seats, message.move, message.version, message.id
                )
                self._queue(protocol.encode_message("accepted", id=message.id, version=version))
                return
            match message:
                case protocol.Legal():
                    self._queue(await self._legal(live.state, message))
                case protocol.Ping():
                    now, version = live.time.now(), live.state.version
                    self._queue(protocol.encode_message("pong", id=id, now=now, version=version))
                case protocol.Greet():
                    self.tables.presence.greet(live, self.seats, message.seat, message.greeting)
                    self._queue(protocol.encode_message("done", id=id))
                case protocol.Remind():
                    reached = self.tables.presence.remind(live, self.seats, message.seat)
                    self._queue(protocol.encode_message("done", id=id, reached=reached))
                case protocol.Hello():
                    raise BadInput("You have said hello already.", "malformed_message")
        except DalapapaError as error:
            self._queue(encode_refusal(error, id))
            if error.code in NONSENSE:
                self.wrong += 1
                if self.wrong > MAX_WRONG:
                    raise BadInput("Too much nonsense: goodbye.", "too_much") from None

    async def _slow_down(self) -> None:
        """Refuse a message that comes too fast; after a few of them, wait until it may come."""
        now = self.tables.clock.monotonic()
        if now - self.too_fast_at > TOO_FAST_FORGOTTEN_S:
            self.too_fast = 0
        self.too_fast_at = now
        if self.too_fast < MAX_TOO_FAST:
            self.too_fast += 1
            self.wire.meter.talker.refusals += 1
            raise TooMany("Too fast: wait a moment.", "too_fast")
        while not self.bucket.take():
            await self.wire.hold(min(max(self.bucket.wait(), MIN_HOLD_S), MAX_HOLD_S))

    async def _legal(self, state: TableState, question: protocol.Legal) -> bytes:
        seat = question.seat
        if seat not in self.seats:
            raise Forbidden("This seat is not yours.", "not_your_seat")
        assert self.live is not None
        moves = b"[]"
        if state.game_state is not None:
            key = (self.live.encoder.number, state.version, seat, question.tile)
            moves = await self.sockets.lister.list_moves(state, key, self.address)
        self.bucket.pay(len(moves) / 50_000)  # Arlequin begins with 27,521 moves, over a megabyte.
        share, cost = self.sockets.share, ANSWER_S + len(moves) * SECONDS_PER_BYTE
        if share.allows(self.address):
            share.charge(self.address, cost)
        else:
            await share.run(self.address, bool, cost)
        found = msgspec.Raw(moves)
        return protocol.encode_message("legal", id=question.id, version=state.version, moves=found)

    # -- writing -----------------------------------------------------------------------------

    @property
    def unread(self) -> int:
        """Bytes that are held because the client does not read."""
        if self.wire.writable and not self.waiting:
            return 0
        return self.waiting_bytes + self.last_bytes + output.MAX_BUFFERED_BYTES

    def _fits(self, size: int) -> bool:
        """Whether all that waits for this address leaves room for a message."""
        return self.sockets.open.unread_of(self.address) + size <= output.MAX_ADDRESS_BYTES

    def _send(self, message: bytes) -> None:
        self.last_bytes = len(message)
        if self.last_bytes < output.MIN_LARGE_BYTES or self._fits(self.last_bytes):
            self.wire.send(message)
        else:
            self._close_slow()

    def _queue(self, message: bytes, news_of_table: bool = False) -> None:
        if self.wire.writable and not self.waiting:
            self._send(message)
            return
        if not self._has_room(len(message)):
            self._drop_tables(owe=news_of_table)
            if news_of_table:
                return
            if not self._has_room(len(message)):
                self._close_slow()
                return
        self.waiting.append((news_of_table, message))
        self.waiting_bytes += len(message)

    def _has_room(self, size: int) -> bool:
        """Whether a message may be queued."""
        return self.waiting_bytes + size <= output.MAX_SOCKET_BYTES and self._fits(size)

    def _drop_tables(self, owe: bool) -> None:
        """Forget queued tables, but no answer: only the newest one will be sent."""
        kept = deque([entry for entry in self.waiting if not entry[0]])
        if owe or len(kept) < len(self.waiting):
            kept.append(OWED)
        self.waiting = kept
        self.waiting_bytes = sum(len(message) for _, message in kept)
        self.sent = -1

    def _close_slow(self) -> None:
        """End a connection whose client, or others at its address, do not read."""
        self.reason = "too_slow"
        self.waiting.clear()
        self.waiting_bytes = 0
        self.wire.close(output.TOO_SLOW)
        if self.taken is not None and not self.taken.done():
            self.taken.set_result(None)

    def _queue_table(self, live: LiveTable, news: bool) -> None:
        self.live = live
        if self.waiting and OWED in self.waiting:
            return  # What is sent then is this state, or a newer one.
        kind = self.seats, self._wants_moves
        message = live.broadcast_cache.get(kind) if news else None
        if message is None:
            if self.slow:
                self._drop_tables(owe=True)
                return
            if kind[1] and not self._can_compose(live):
                self.waiting.append(OWED)
                self._resumed()
                return
            message = self._compose(live, news)
            if news:
                live.broadcast_cache[kind] = message
        self.sent = live.state.version
        self._queue(message, news_of_table=True)

    @property
    def _wants_moves(self) -> bool:
        """Whether tables come with what the own seats may do."""
        return "moves" in self.wants and bool(self.seats)

    def _can_compose(self, live: LiveTable) -> bool:
        """Whether a table can be encoded without a pause."""
        state = live.state
        if not self._wants_moves or not layings.has_may(state):
            return True
        if not self.sockets.share.allows(self.address):
            return False
        number, knows = live.encoder.number, self.sockets.layings.knows_may
        missing = [seat for seat in self.seats if not knows(number, state, seat)]
        views = (state.game.view(state.game_state, seat) for seat in missing)
        return sum(map(layings.estimate_layings, views)) <= layings.MAX_CHEAP_LAYINGS

    def _compose(self, live: LiveTable, news: bool, complete: bool = True) -> bytes:
        """Encode the table; lists that are missing are made, unless it need not be complete."""
        state, cache, number = live.state, self.sockets.layings, live.encoder.number
        now = live.changed_at if news else live.time.now()
        if not self._wants_moves:
            return live.encoder.encode(state, self.seats, now, news)
        began = self.sockets.share.timer()
        for seat in self.seats:
            if complete and not cache.knows_may(number, state, seat):
                computation = cache.compute_may(number, state, seat)
                while not computation.done:
                    computation.advance()
        may = encoder.compose_may(state, self.seats, lambda seat: cache.may(number, state, seat))
        message = live.encoder.encode(state, self.seats, now, news, may)
        if complete:
            cost = self.sockets.share.timer() - began + len(message) * SECONDS_PER_BYTE
            self.sockets.share.charge(self.address, cost)
        return message

    def _send_owed(self, in_turn: bool) -> bool:
        """Send the newest table, or see to it that its lists are made; whether it was sent."""
        live = self.live
        assert live is not None
        if not in_turn and not self._can_compose(live):
            if not self.working:
                self.working = True
                self.sockets.share.add(self.address, self._work_on_table(live))
            return False
        self.waiting.popleft()
        news = self.sent >= 0 and live.state.version == self.sent + 1
        try:
            message = self._compose(live, news, complete=not in_turn)
        except BrokenGame as error:
            live.close(error)
            return False
        self.sent = live.state.version
        self._send(message)
        return True

    def _work_on_table(self, live: LiveTable) -> Work:
        """Make the lists of the newest table step by step, and send it."""
        try:
            for _ in range(MAX_RESTARTS):
                state = live.state
                yield from self._list_seats(live, state)
                if live.state is state or not self.wire.alive:
                    break
        except Exception:  # The table is sent without the list.
            logger.exception("the layings of a seat cannot be listed")
        self.working = False
        if self.wire.alive:
            self._resumed(in_turn=True)

    def _list_seats(self, live: LiveTable, state: TableState) -> Work:
        """Make what the lists of the own seats lack, until the state changes."""
        cache, number = self.sockets.layings, live.encoder.number
        for seat in self.seats:
            if not cache.knows_may(number, state, seat):
                computation = cache.compute_may(number, state, seat)
                while not computation.done and live.state is state and self.wire.alive:
                    computation.advance()
                    yield None

    def _tell_removed(self, live: LiveTable) -> None:
        """Tell a guest, once, whom the host has sent away."""
        removed = live.state.removed
        if removed and not self.seats and not self.removed:
            self.removed = any(hash_token(token) in removed for token in self.tokens)
            if self.removed:
                self._queue(protocol.encode_message("removed"))

    def _resumed(self, in_turn: bool = False) -> None:
        """The connection takes more, or has ended."""
        while self.waiting and self.wire.writable and self.wire.alive:
            if self.waiting[0] == OWED:
                if not self._send_owed(in_turn):
                    break
                in_turn = False
            else:
                _, message = self.waiting.popleft()
                self.waiting_bytes -= len(message)
                self._send(message)
        if self.taken is not None and not self.taken.done():
            self.taken.set_result(None)

    async def _all_taken(self) -> None:
        while (self.waiting or not self.wire.writable) and self.wire.alive:
            self.taken = asyncio.get_running_loop().create_future()
            await self.taken

    def _last_words(self, message: bytes) -> None:
        """What ends the connection, after all else."""
        for entry in self.waiting:
            if entry != OWED:
                self.wire.send(entry[1])
        self.waiting.clear()
        self.waiting_bytes = 0
        self.wire.send(message)
        self.wire.close(4400)


def same_origin(connection: WebSocket) -> bool:
    """A page of another site must not act here in the name of its visitor."""
    origin = connection.headers.get("origin")
    if origin is None:  # Not a browser.
        return True
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False
