"""The session of one viewer of a table, over a WebSocket (`docs/socket.md`).

Messages are handled one by one. A durable change is sent immediately if the client keeps up; a slow
client receives the newest state instead of every version, because each message has the whole table.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque

import msgspec

from ...core.errors import BadInput, BrokenGame, DalapapaError, Forbidden, TooMany
from ...hosting import encoder, layings, protocol
from ...hosting.layings import LayingsCache
from ...hosting.state import Seat, TableState
from ...hosting.tokens import hash_token
from ..monitoring import metrics
from ..monitoring.logging_setup import logger
from ..tables.live import LiveTable
from ..tables.tables import Tables
from ..traffic.limits import Limits, TokenBucket
from ..traffic.loop_share import SECONDS_PER_BYTE, LoopShare, Work
from ..workers.pool import Workers
from . import output
from .move_lists import MoveLister
from .wire import Wire, WireClosed

HELLO_TIMEOUT_S = 10

MAX_QUEUED_MESSAGES = 32
"""Messages for one viewer that were not sent yet; beyond, only the newest state is."""

MAX_TOO_FAST = 20
"""Messages that are refused as too fast; after them, the client is read slowly."""

TOO_FAST_RESET_S = 60
"""Seconds after which as many messages are refused again."""

MIN_HOLD_S, MAX_HOLD_S = 0.25, 1.0
"""The length of one pause in reading; messages that may come then come together."""

MAX_MALFORMED = 50

MAX_RESTARTS = 3
"""Changes of a table that restart a list of layings; then the list is left out."""

ANSWER_COST_S = 50e-6

MOVE_BYTES_PER_MESSAGE = 50_000
"""A list of moves counts as one message for each of these (Arlequin starts with a megabyte)."""

PENDING = (True, b"")
"""In a queue: the newest state, which is encoded when it is sent."""

MALFORMED = ("malformed_message", "malformed_move", "too_long")


def _encode_refusal(error: DalapapaError, id: str | None = None) -> bytes:
    """Count a refusal, and encode it."""
    metrics.REFUSALS.add(error.code)
    return protocol.encode_refusal(error, id)


class SharedState:
    """What the sessions of a process share."""

    def __init__(self, tables: Tables, workers: Workers, limits: Limits) -> None:
        self.tables = tables
        self.limits = limits
        self.open: output.OpenSessions[ViewerSession] = output.OpenSessions()
        self.layings: LayingsCache = LayingsCache()
        self.share: LoopShare = LoopShare(limits.computing_an_address, tables.clock)
        self.lister: MoveLister = MoveLister(self.layings, self.share, workers, tables.packages)


class ViewerSession:
    """One viewer of one table."""

    def __init__(self, shared: SharedState, wire: Wire, address: str) -> None:
        self.shared = shared
        self.tables: Tables = shared.tables
        self.live: LiveTable | None = None
        self.wire = wire
        wire.on_writable = self._send_queued
        self.address = address
        limits = shared.limits
        self.bucket: TokenBucket = TokenBucket(
            limits.messages_per_second, limits.messages_at_once, self.tables.clock
        )
        self.seats: tuple[int, ...] = ()
        self.tokens: tuple[str, ...] = ()
        self.wants: tuple[str, ...] = ()
        self.presence: bytes = b""
        self.queue: deque[tuple[bool, bytes]] = deque()
        """Messages to send; the flag marks states of the table, which newer states replace."""
        self.queued_bytes: int = 0
        self.last_bytes: int = 0
        self.is_computing: bool = False
        """Whether the lists of the pending state are being computed."""
        self.drained: asyncio.Future[None] | None = None
        """Resolved when the queue may be empty."""
        self.known_seats: tuple[Seat, ...] | None = None
        self.sent_version: int = -1
        self.knows_removal: bool = False
        self.too_fast: int = 0
        """Messages that were refused because there were too many."""
        self.too_fast_at: float = -math.inf
        self.malformed: int = 0
        self.reason: str = "left"
        """Why the connection ended, for metrics."""

    async def run(self, id: str) -> None:
        """Serve the viewer until they leave or are removed."""
        live: LiveTable | None = None
        try:
            async with asyncio.timeout(HELLO_TIMEOUT_S):
                hello = protocol.read_message(await self.wire.receive())
            if not isinstance(hello, protocol.Hello):
                raise BadInput("Send hello first.", "no_hello")
            self.tokens = hello.tokens
            self.wants = hello.wanted
            live = await self.tables.find(id)
            self._find_seats(live)
            self.tables.driver.watch(live, self)
            self._enqueue_state(live, news=False)
            self._announce_removal(live)
            self.tables.presence.enter(live, self)
            while True:
                await self._read(live, await self.wire.receive())
                await self._drain()  # A client that does not read answers cannot ask for more.
        except DalapapaError as error:
            self.reason = "refused"
            self._send_last(_encode_refusal(error))
        except TimeoutError:
            self.reason = "no_hello"
            self._send_last(
                _encode_refusal(BadInput("The server received no hello in time.", "no_hello"))
            )
        except WireClosed:
            if self.wire.is_too_fast:
                self.reason = "too_fast"
            elif self.reason == "left" and not self.wire.said_goodbye:
                self.reason = "lost"
        finally:
            if live is not None:
                self.tables.driver.unwatch(live, self)
                self.tables.presence.leave(live, self)

    def on_change(self, live: LiveTable) -> None:
        """Send a new state, which is durable."""
        state = live.state
        if state.seats is not self.known_seats:
            self._find_seats(live)
        self._enqueue_state(live, state.version == self.sent_version + 1)
        if state.removed:
            self._announce_removal(live)

    def on_presence(self, message: bytes) -> None:
        """Send who is present, if the client asked for it and it has changed."""
        if "company" in self.wants and message != self.presence and not self.is_slow:
            self.presence = message
            self._enqueue(message)

    def on_reaction(self, message: bytes) -> None:
        """Send a greeting or a reminder; slow clients miss it."""
        if "company" in self.wants and not self.is_slow:
            self._enqueue(message)

    @property
    def is_slow(self) -> bool:
        return len(self.queue) >= MAX_QUEUED_MESSAGES

    def on_close(self, error: DalapapaError) -> None:
        """End the session, because the table is gone; the answer to a move comes first."""
        self.reason = "closed"
        asyncio.get_running_loop().call_soon(self._send_last, _encode_refusal(error))

    # -- reading -----------------------------------------------------------------------------

    def _find_seats(self, live: LiveTable) -> None:
        """Find the seats of this viewer, who can take or leave one at any time."""
        self.known_seats = live.state.seats
        mine = {seat for token in self.tokens for seat in live.seats_of(token)}
        self.seats = tuple(sorted(mine))

    async def _read(self, live: LiveTable, data: str | bytes) -> None:
        """Answer one message; too many malformed ones end the session."""
        id = None
        try:
            message = protocol.read_message(data)
            id = None if isinstance(message, protocol.Hello) else message.id
            self.wire.meter.talker.messages += 1
            if not self.bucket.take():
                await self._slow_down()
            match message:
                case protocol.Play():
                    version = await self.tables.commands.move(
                        live, self.seats, message.move, message.version, message.id
                    )
                    self._enqueue(protocol.encode_message(protocol.Accepted(message.id, version)))
                case protocol.Legal():
                    self._enqueue(await self._list_moves(live.state, message))
                case protocol.Ping():
                    pong = protocol.Pong(message.id, live.time.now(), live.state.version)
                    self._enqueue(protocol.encode_message(pong))
                case protocol.Greet():
                    self.tables.presence.greet(live, self.seats, message.seat, message.greeting)
                    self._enqueue(protocol.encode_message(protocol.Done(message.id)))
                case protocol.Remind():
                    reached = self.tables.presence.remind(live, self.seats, message.seat)
                    self._enqueue(protocol.encode_message(protocol.Done(message.id, reached)))
                case protocol.Hello():
                    raise BadInput("You have already sent hello.", "malformed_message")
        except DalapapaError as error:
            self._enqueue(_encode_refusal(error, id))
            if error.code in MALFORMED:
                self.malformed += 1
                if self.malformed > MAX_MALFORMED:
                    raise BadInput(
                        "Too many invalid messages: the server closes the connection.", "too_much"
                    ) from None

    async def _slow_down(self) -> None:
        """Refuse a message that comes too fast; after some of them, wait until it is allowed."""
        now = self.tables.clock.monotonic()
        if now - self.too_fast_at > TOO_FAST_RESET_S:
            self.too_fast = 0
        self.too_fast_at = now
        if self.too_fast < MAX_TOO_FAST:
            self.too_fast += 1
            self.wire.meter.talker.refusals += 1
            raise TooMany("You send too fast: wait a moment.", "too_fast")
        while not self.bucket.take():
            await self.wire.hold(min(max(self.bucket.wait(), MIN_HOLD_S), MAX_HOLD_S))

    async def _list_moves(self, state: TableState, question: protocol.Legal) -> bytes:
        seat = question.seat
        if seat not in self.seats:
            raise Forbidden("This seat is not yours.", "not_your_seat")
        assert self.live is not None
        moves = b"[]"
        if state.game_state is not None:
            key = (self.live.encoder.number, state.version, seat, question.tile)
            moves = await self.shared.lister.list_moves(state, key, self.address)
        self.bucket.pay(len(moves) / MOVE_BYTES_PER_MESSAGE)
        share, cost = self.shared.share, ANSWER_COST_S + len(moves) * SECONDS_PER_BYTE
        if share.allows(self.address):
            share.charge(self.address, cost)
        else:
            await share.run(self.address, bool, cost)
        answer = protocol.LegalMoves(question.id, state.version, msgspec.Raw(moves))
        return protocol.encode_message(answer)

    # -- writing -----------------------------------------------------------------------------

    @property
    def unread(self) -> int:
        """Bytes that are stored because the client does not read."""
        if self.wire.is_writable and not self.queue:
            return 0
        return self.queued_bytes + self.last_bytes + output.MAX_BUFFERED_BYTES

    def _fits(self, size: int) -> bool:
        """Whether a message fits into the limit on the output of this address."""
        return self.shared.open.count_unread(self.address) + size <= output.MAX_ADDRESS_BYTES

    def _send(self, message: bytes) -> None:
        self.last_bytes = len(message)
        if self.last_bytes < output.MIN_LARGE_BYTES or self._fits(self.last_bytes):
            self.wire.send(message)
        else:
            self._close_slow()

    def _enqueue(self, message: bytes, is_state: bool = False) -> None:
        if self.wire.is_writable and not self.queue:
            self._send(message)
            return
        if not self._has_room(len(message)):
            self._drop_states(keep_newest=is_state)
            if is_state:
                return
            if not self._has_room(len(message)):
                self._close_slow()
                return
        self.queue.append((is_state, message))
        self.queued_bytes += len(message)

    def _has_room(self, size: int) -> bool:
        return self.queued_bytes + size <= output.MAX_SOCKET_BYTES and self._fits(size)

    def _drop_states(self, keep_newest: bool) -> None:
        """Remove queued states, but no answer: only the newest state will be sent."""
        kept = deque([entry for entry in self.queue if not entry[0]])
        if keep_newest or len(kept) < len(self.queue):
            kept.append(PENDING)
        self.queue = kept
        self.queued_bytes = sum(len(message) for _, message in kept)
        self.sent_version = -1

    def _close_slow(self) -> None:
        """Close the connection, because clients at its address do not read."""
        self.reason = "too_slow"
        self.queue.clear()
        self.queued_bytes = 0
        self.wire.close(output.CLOSE_TOO_SLOW)
        if self.drained is not None and not self.drained.done():
            self.drained.set_result(None)

    def _enqueue_state(self, live: LiveTable, news: bool) -> None:
        self.live = live
        if self.queue and PENDING in self.queue:
            return  # It will be this state, or a newer one.
        kind = self.seats, self._wants_moves
        message = live.broadcast_cache.get(kind) if news else None
        if message is None:
            if self.is_slow:
                self._drop_states(keep_newest=True)
                return
            if kind[1] and not self._can_encode(live):
                self.queue.append(PENDING)
                self._send_queued()
                return
            message = self._encode(live, news)
            if news:
                live.broadcast_cache[kind] = message
        self.sent_version = live.state.version
        self._enqueue(message, is_state=True)

    @property
    def _wants_moves(self) -> bool:
        """Whether states include the moves of the own seats."""
        return "moves" in self.wants and bool(self.seats)

    def _can_encode(self, live: LiveTable) -> bool:
        """Whether a state can be encoded without a pause."""
        state = live.state
        if not self._wants_moves or not layings.has_may(state):
            return True
        if not self.shared.share.allows(self.address):
            return False
        number, knows = live.encoder.number, self.shared.layings.knows_may
        missing = [seat for seat in self.seats if not knows(number, state, seat)]
        views = (state.game.view(state.game_state, seat) for seat in missing)
        return sum(map(layings.estimate_layings, views)) <= layings.MAX_CHEAP_LAYINGS

    def _encode(self, live: LiveTable, news: bool, complete: bool = True) -> bytes:
        """Encode the state; missing lists are computed, unless it may be incomplete."""
        state, cache, number = live.state, self.shared.layings, live.encoder.number
        now = live.changed_at if news else live.time.now()
        if not self._wants_moves:
            return live.encoder.encode(state, self.seats, now, news)
        began = self.shared.share.timer()
        if complete:
            for _ in self._compute_seats(live, state):
                pass  # All steps at once: they are cheap (`_can_encode`), or it is our turn.
        may = encoder.compose_may(state, self.seats, lambda seat: cache.may(number, state, seat))
        message = live.encoder.encode(state, self.seats, now, news, may)
        if complete:
            cost = self.shared.share.timer() - began + len(message) * SECONDS_PER_BYTE
            self.shared.share.charge(self.address, cost)
        return message

    def _send_pending(self, in_turn: bool) -> bool:
        """Send the newest state, or start computing its lists; return whether it was sent."""
        live = self.live
        assert live is not None
        if not in_turn and not self._can_encode(live):
            if not self.is_computing:
                self.is_computing = True
                self.shared.share.add(self.address, self._compute_lists(live))
            return False
        self.queue.popleft()
        news = self.sent_version >= 0 and live.state.version == self.sent_version + 1
        try:
            message = self._encode(live, news, complete=not in_turn)
        except BrokenGame as error:
            live.close(error)
            return False
        self.sent_version = live.state.version
        self._send(message)
        return True

    def _compute_lists(self, live: LiveTable) -> Work:
        """Compute the lists of the newest state step by step, and send it."""
        try:
            for _ in range(MAX_RESTARTS):
                state = live.state
                yield from self._compute_seats(live, state)
                if live.state is state or not self.wire.is_open:
                    break
        except Exception:  # The state is sent without the list.
            logger.exception("could not list the layings of a seat")
        self.is_computing = False
        if self.wire.is_open:
            self._send_queued(in_turn=True)

    def _compute_seats(self, live: LiveTable, state: TableState) -> Work:
        """Compute the missing lists of the own seats, until the state changes."""
        cache, number = self.shared.layings, live.encoder.number
        for seat in self.seats:
            if not cache.knows_may(number, state, seat):
                computation = cache.compute_may(number, state, seat)
                while not computation.done and live.state is state and self.wire.is_open:
                    computation.advance()
                    yield None

    def _announce_removal(self, live: LiveTable) -> None:
        """Inform a guest, once, whom the host has removed."""
        removed = live.state.removed
        if removed and not self.seats and not self.knows_removal:
            self.knows_removal = any(hash_token(token) in removed for token in self.tokens)
            if self.knows_removal:
                self._enqueue(protocol.encode_message(protocol.RemovedMessage()))

    def _send_queued(self, in_turn: bool = False) -> None:
        """Send what waits, because the client reads again or the connection has ended."""
        while self.queue and self.wire.is_writable and self.wire.is_open:
            if self.queue[0] == PENDING:
                if not self._send_pending(in_turn):
                    break
                in_turn = False
            else:
                _, message = self.queue.popleft()
                self.queued_bytes -= len(message)
                self._send(message)
        if self.drained is not None and not self.drained.done():
            self.drained.set_result(None)

    async def _drain(self) -> None:
        """Wait until the client has read everything."""
        while (self.queue or not self.wire.is_writable) and self.wire.is_open:
            self.drained = asyncio.get_running_loop().create_future()
            await self.drained

    def _send_last(self, message: bytes) -> None:
        """Send what ends the connection, after everything else."""
        for entry in self.queue:
            if entry != PENDING:
                self.wire.send(entry[1])
        self.queue.clear()
        self.queued_bytes = 0
        self.wire.send(message)
        self.wire.close(4400)
