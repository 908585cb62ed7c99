"""The door of the server: connections before anything is known of them.

What comes in is bounded in bytes and in time before it reaches the application, and what goes out
has to be taken. Everything is looked at once a second for all connections together, so that a
connection costs nothing while it waits. A socket has its own limits (`sockets.py`): it leaves
here when it is upgraded.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from ...core.errors import DalapapaError, TooMany, Unavailable, WrongHost
from ..http.security_headers import SECURITY_HEADERS
from ..traffic.connection_gate import ConnectionGate
from ..traffic.limits import MAX_BODY_BYTES, address_of
from ..traffic.loop_turns import Turn
from ..traffic.talkers import REQUEST_FRAMES, make_free_meter

MAX_HEADER = 65_536
"""Bytes of a request before its body: a position of 20,000 letters may be in its address."""

MAX_FIELDS = 100
"""Fields of a request's header."""

HEADER_SECONDS = 10
"""From the first byte, or from the beginning of a connection, to the end of a header."""

BODY_SECONDS = 30
"""From the end of the header to the end of the body."""

READ_SECONDS = 30
"""After which an answer is taken at `PACE`, or the connection ends."""

PACE = 1000
"""Bytes a second: slower than any line that somebody plays over."""

PARTING_SECONDS = 2
"""For reading why one was refused, while what still comes is thrown away."""

MAX_PARTING = 1_000_000
"""Bytes that are thrown away."""

MAX_FLOOD_PARTING = 131_072
"""Bytes of a flood that are thrown away; then nothing more is read."""

MAX_PIPELINE = 16
"""Requests that are sent before the first one is answered."""

MAX_BODY_PIECES = 2000
"""Chunks, or segments, of a request's body: a hundred bytes each make the longest body."""

MAX_CHUNK_OVERHEAD = 32_768
"""Bytes of a body that are not its own: lengths of chunks, their extensions, and trailers."""

MAX_PIECES_PER_TURN = 128
"""Pieces of one connection that are read before others have their turn."""

MAX_WAITING_BODY = 65_536
"""Bytes of a body that wait for the application before more is read."""

MAX_HELD_BYTES = 65_536
"""Bytes that wait in a connection whose budget is used up; with more it is refused."""

MAX_HELD_S = 10
"""Seconds in which a connection is read slowly without a break; then it is refused."""

MAX_TOO_FAST = 10
"""Times that a connection is asked to wait before it has to."""

PIECE, SMALL_PIECE = 2048, 512
"""Bytes that the parser reads at once, with a budget and without."""

TOO_SLOW = "This request took too long to come."


class Connection(HttpToolsProtocol):
    """One connection, from its beginning to its end or until it is a socket."""

    def __init__(self, gate: ConnectionGate, **how: Any) -> None:
        super().__init__(**how)
        self.gate = gate
        self.address = ""
        """Whose connections it counts for; of a proxy, nobody's."""
        self.waits: float | None = None
        """Since when a header is awaited; None: none is."""
        self.body_since: float | None = None
        """Since when a body is awaited."""
        self.header_bytes = 0
        self.body_bytes = 0
        self.body_pieces = 0
        self.body_received = 0
        """Bytes since the header, with lengths and extensions of chunks."""
        self.meter = make_free_meter()
        self.pieces = 0
        """Of bodies, in this turn of the loop."""
        self.rest = b""
        """What was received and waits for its turn, or for the budget."""
        self.going_on: asyncio.Handle | Turn | None = None
        """What reads the rest in the next turn of the loop."""
        self.slowed_since: float | None = None
        """Since when it is read slowly, without a break."""
        self.parting: float | None = None
        """Since when it is over, but for reading why."""
        self.thrown_away = 0
        self.is_flood = False
        """Whether it was refused because it sent too much."""
        self.unread_since: float | None = None
        self.unread = 0
        """Bytes of the answer that were not taken, when that was first seen."""
        self.answering: RequestResponseCycle | None = None
        """What is answered now; `cycle` is what came last."""
        self.too_fast = 0
        """How often it was asked to wait."""
        self.held = False
        """Nobody listens until the next look."""

    # -- coming and going ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is None or self.client[0] not in self.gate.proxies:
            self.address = address_of({"client": self.client})
        self.waits = self.gate.clock.monotonic()
        try:
            self.gate.admit(self)
        except (TooMany, Unavailable) as error:
            self._count("too_many_connections")
            if isinstance(error, Unavailable):
                self._refuse(503, error)
                transport.close()
            else:
                transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.release(self)
        self._forget_rest()
        self._give_up()
        super().connection_lost(exc)

    # -- reading -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.parting is not None:
            self.thrown_away += len(data)
            if self.thrown_away > MAX_PARTING:
                self.transport.abort()
            elif self.is_flood and self.thrown_away > MAX_FLOOD_PARTING:
                self.flow.pause_reading()
            return
        if self.rest or self.held:  # The application asks for a body, but it is not its turn.
            self.rest += data
            self.flow.pause_reading()
            if len(self.rest) > 2 * MAX_HELD_BYTES and self.slowed_since is not None:
                self._refuse_flood()
            return
        self._take(data)

    def _take(self, data: bytes) -> None:
        """Read pieces of what was received, at most so many; the rest waits."""
        self._unset_keepalive_if_required()
        if self.meter.is_turn_used_up:
            self.rest = data
            self.flow.pause_reading()
            self.going_on = self.meter.wait_for_turn(self._go_on)
            return
        if self.waits is None and self.body_since is None:
            self._await_header()
        self.pieces = 0
        at, end, fed = 0, len(data), 0
        step, most = PIECE, MAX_PIECES_PER_TURN
        if self.meter.talker.is_used_up:  # A header is read all the same.
            step, most = SMALL_PIECE, 1
        try:
            while at < end and self.pieces < most:
                piece = data[at : at + step]
                at += len(piece)
                fed += 1
                in_body = self.body_since is not None
                self.parser.feed_data(piece)
                if self.parting is not None or self.transport.is_closing():
                    return
                if self.waits is not None:
                    self.header_bytes += len(piece)
                    if self.header_bytes > MAX_HEADER:
                        raise _TooLong
                elif in_body and self.body_since is not None:
                    self._count_overhead(len(piece))
                if len(self.pipeline) > MAX_PIPELINE:
                    self._part(400, DalapapaError("These are too many requests.", "http"))
                    return
            self._pay(data, at, max(1, 1 + self.pieces - fed))
        except httptools.HttpParserUpgrade:
            self._upgrade()
        except (_TooLong, httptools.HttpParserError) as error:
            if isinstance(error, _TooLong) or isinstance(error.__context__, _TooLong):
                self._part(431, DalapapaError("This header is too long.", "too_long"))
            else:
                self._part(400, DalapapaError("This is not a request that HTTP knows.", "http"))

    def _count_overhead(self, size: int) -> None:
        self.body_received += size
        if self.body_received - self.body_bytes > MAX_CHUNK_OVERHEAD:
            self._refuse_chunks()

    def _refuse_chunks(self) -> None:
        self._note_flood()
        self._part(
            None if self.cycle.response_started else 400,
            DalapapaError(
                f"This body comes in more than {MAX_BODY_PIECES} pieces, or its chunks have more"
                f" than {MAX_CHUNK_OVERHEAD} bytes of lengths and extensions: send it in fewer,"
                " larger chunks without extensions.",
                "too_many_chunks",
            ),
        )

    def _pay(self, data: bytes, size: int, pieces: int) -> None:
        """Pay for what was read; without a budget, the rest waits for the next look."""
        if self.parting is not None:
            return
        self.meter.spend_turn(pieces)
        if self.meter.spend(pieces, size):
            self.rest = data[size:]
            if len(self.rest) > MAX_HELD_BYTES:
                self._refuse_flood()
                return
            if self.slowed_since is None:
                self.slowed_since = self.gate.clock.monotonic()
            self.held = True
            self.meter.pause_s("requests")
            self.flow.pause_reading()
        elif size < len(data):
            self.rest = data[size:]
            self.flow.pause_reading()
            self.going_on = self.loop.call_soon(self._go_on)
        else:
            self.slowed_since = None

    def _go_on(self) -> None:
        """Read the rest, and then what comes."""
        self.going_on = None
        data, self.rest = self.rest, b""
        if data:
            self._take(data)
        waits = bool(self.rest or self.held or self.pipeline)
        if not waits and (self.cycle is None or len(self.cycle.body) <= MAX_WAITING_BODY):
            self.flow.resume_reading()

    def _refuse_flood(self) -> None:
        """It sends far more than its address may."""
        self._note_flood()
        started = self.answering is not None and self.answering.response_started
        sentence = "Too fast: your address sends too much. Wait a moment."
        self._part(None if started else 429, TooMany(sentence, "too_fast"))

    def _note_flood(self) -> None:
        self.is_flood = True
        self.meter.talker.refusals += 1
        if self.address:
            self.meter.talker.report("An address floods: a connection of it was closed.")

    def _forget_rest(self) -> None:
        self.rest = b""
        if self.going_on is not None:
            self.going_on.cancel()
            self.going_on = None

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_header()
        self.scope["state"]["connection"] = self

    def _await_header(self) -> None:
        if self.waits is None:
            self.waits = self.gate.clock.monotonic()
        self.header_bytes = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= MAX_FIELDS:
            raise _TooLong
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self.parting is not None:  # By a request before, in the same piece.
            return
        self.waits = None
        self.meter.spend_turn(REQUEST_FRAMES)
        self.body_bytes = self.body_pieces = self.body_received = 0
        self.body_since = self.gate.clock.monotonic()
        try:
            self.gate.hosts.check(self.headers, self.parser.get_http_version())
        except DalapapaError as error:
            self._part(421 if isinstance(error, WrongHost) else 400, error)
            return
        if self.address and self._by_proxy():
            self.gate.exempt_proxy(self)
        super().on_headers_complete()

    def _by_proxy(self) -> bool:
        """Whether a trusted proxy says who is behind it."""
        believed = getattr(self.config.loaded_app, "trusted_hosts", ())
        told = any(name == b"x-forwarded-for" for name, _ in self.headers)
        return told and self.client is not None and self.client[0] in believed

    def on_body(self, body: bytes) -> None:
        if self.parting is not None:
            return
        self.body_bytes += len(body)
        self.body_pieces += 1
        self.pieces += 1
        if self.body_pieces > MAX_BODY_PIECES:
            self._refuse_chunks()
            return
        if self.body_bytes > MAX_BODY_BYTES and self.cycle.response_complete:
            self._part(None, DalapapaError("This request is too long.", "too_long"))
            return
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.body_since = None
        if self.parting is None:
            super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.held:
            self.flow.pause_reading()

    def slow_down(self) -> None:
        """It asks too fast. If it goes on, nobody listens to it until the next look."""
        self._count("too_fast")
        self.too_fast += 1
        self.held = self.too_fast > MAX_TOO_FAST
        if self.pipeline and self.answering is not None:  # What follows is refused as well.
            self.pipeline.clear()
            self.answering.keep_alive = False

    def _upgrade(self) -> None:
        """Something else than HTTP is wanted: a socket, or what is not known here."""
        if self.parting is not None:
            return
        if self._should_upgrade():
            self.gate.release(self)
            self.handle_websocket_upgrade()
        elif getattr(self, "cycle", None):  # It is answered all the same, as HTTP allows.
            self.cycle.keep_alive = False
        else:
            self._part(400, DalapapaError("There is no such protocol here.", "http"))

    # -- checking ------------------------------------------------------------------------------

    def check(self, now: float) -> None:
        """End what takes too long."""
        if self.parting is not None:
            if now - self.parting > PARTING_SECONDS:
                self.transport.abort()
            return
        if self.held:
            self._end_hold(now)
        if self._idle_reader(now):
            self._count("too_slow")
            self.transport.abort()
        elif self.waits is not None and now - self.waits > HEADER_SECONDS:
            self._part(408, DalapapaError(TOO_SLOW, "too_slow"))
        elif self.body_since is not None and now - self.body_since > BODY_SECONDS:
            started = self.cycle.response_started
            self._part(None if started else 408, DalapapaError(TOO_SLOW, "too_slow"))

    def _end_hold(self, now: float) -> None:
        """Listen again, if the address has a budget; refuse what goes on for long."""
        if self.slowed_since is not None and now - self.slowed_since > MAX_HELD_S and self.rest:
            self._refuse_flood()
        elif self.meter.has_budget():
            self.held = False
            self._go_on()
        else:
            self.meter.pause_s("requests")

    def resume_writing(self) -> None:
        self.unread_since = None
        super().resume_writing()

    def _idle_reader(self, now: float) -> bool:
        """Whether an answer lies there untaken; each part of a long one has its own time."""
        left = self.transport.get_write_buffer_size()
        if not left:
            self.unread_since = None
            return False
        if self.unread_since is None or left > self.unread:
            self.unread_since, self.unread = now, left
        spent = now - self.unread_since
        return spent > READ_SECONDS and self.unread - left < PACE * spent

    # -- refusing ------------------------------------------------------------------------------

    def _part(self, status: int | None, error: DalapapaError) -> None:
        """Say why, if there is still something to say, and end it.

        What still comes is thrown away for a moment: closed at once, the other side would be told
        of nothing but the end.
        """
        if self.parting is not None or self.transport.is_closing():
            return
        self._count(error.code)
        self.parting = self.gate.clock.monotonic()
        self.waits = self.body_since = None
        self._forget_rest()
        self.held = False
        self._unset_keepalive_if_required()
        if self._give_up():
            status = None
        if status is not None:
            self._refuse(status, error)
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    def _give_up(self) -> bool:
        """Nobody waits for answers any more; whether one was being sent."""
        self.pipeline.clear()
        cycle = self.answering
        if cycle is None or cycle.response_complete:
            return False
        cycle.disconnected = True
        cycle.message_event.set()
        return cycle.response_started

    def _count(self, code: str) -> None:
        self.gate.refused[code] += 1

    def _refuse(self, status: int, error: DalapapaError) -> None:
        body = msgspec.json.encode(error.to_json())
        fields = {
            **SECURITY_HEADERS,
            b"content-type": b"application/json",
            b"content-length": str(len(body)).encode(),
            b"connection": b"close",
        }
        lines = [b"%b: %b\r\n" % field for field in fields.items()]
        first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()
        self.transport.write(b"".join([first, *lines, b"\r\n", body]))


class _TooLong(Exception):
    """More of a header than anybody needs."""
