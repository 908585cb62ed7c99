"""HTTP connections, from their first byte to their end or until they become WebSockets.

Input is limited in bytes and in time before it reaches the application, and clients must read their
answers. The gate checks all connections together once a second (`connection_gate.py`).
"""

from __future__ import annotations

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from ...core.errors import DalapapaError, TooMany, Unavailable, WrongHost
from ..traffic.connection_gate import ConnectionGate
from ..traffic.limits import MAX_BODY_BYTES, address_of
from ..traffic.loop_share import PendingTurn
from ..traffic.talkers import REQUEST_FRAMES, make_free_meter
from . import request_limits as limits
from .request_limits import HeaderTooLong, UnreadAnswer

TOO_SLOW = "The request took too long to arrive."


class HttpConnection(HttpToolsProtocol):
    """One connection."""

    def __init__(self, gate: ConnectionGate, **options: Any) -> None:
        super().__init__(**options)
        self.gate = gate
        self.address: str = ""
        """The address whose limits it counts for; empty for a proxy."""
        self.header_since: float | None = None
        """When the wait for a header began; None: no header is expected."""
        self.body_since: float | None = None
        self.header_bytes: int = 0
        self.body_bytes = 0
        self.body_pieces: int = 0
        """The content of the present body."""
        self.body_received: int = 0
        """Bytes since the header, with the lengths and extensions of chunks."""
        self.collected: list[bytes] = []
        """Pieces of the body that the application has not been woken up for."""
        self.collected_bytes = 0
        self.meter = make_free_meter()
        self.pieces: int = 0
        self.rest: bytes = b""
        """Received bytes that wait for a turn, or for the budget."""
        self.next_read: asyncio.Handle | PendingTurn | None = None
        """The scheduled call that reads the rest in the next turn of the event loop."""
        self.slowed_since: float | None = None
        """Since when the server has been reading it slowly, without a break."""
        self.is_held: bool = False
        """Whether nothing is read until the next check."""
        self.slow_downs: int = 0
        """Requests that were refused because there were too many."""
        self.closing_since: float | None = None
        """When it was refused; later input is discarded."""
        self.discarded_bytes = 0
        self.is_flood: bool = False
        """Whether it was refused because it sent too much."""
        self.unread: UnreadAnswer = UnreadAnswer()
        self.answering: RequestResponseCycle | None = None
        """The request that is being answered; `cycle` is the one that came last."""

    # -- start and end -------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is None or self.client[0] not in self.gate.proxies:
            self.address = address_of({"client": self.client})
        self.header_since = self.gate.clock.monotonic()
        try:
            self.gate.admit(self)
        except (TooMany, Unavailable) as error:
            self.gate.refused["too_many_connections"] += 1
            if isinstance(error, Unavailable):
                transport.write(limits.encode_refusal_response(503, error))
                transport.close()
            else:
                transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.release(self)
        self._drop_rest()
        self._abandon_answers()
        super().connection_lost(exc)

    # -- reading -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.closing_since is not None:
            self.discarded_bytes += max(len(data), limits.MIN_DISCARDED_BYTES)
            if self.discarded_bytes > limits.MAX_DISCARDED_BYTES:
                self.transport.abort()
            elif self.is_flood and self.discarded_bytes > limits.MAX_DISCARDED_FLOOD_BYTES:
                self.flow.pause_reading()
            return
        if self.rest or self.is_held:  # The application wants a body, but it is not its turn.
            self.rest += data
            self.flow.pause_reading()
            if len(self.rest) > 2 * limits.MAX_HELD_BYTES and self.slowed_since is not None:
                self._refuse_flood()
            return
        self._read(data)

    def _read(self, data: bytes) -> None:
        """Parse a limited number of pieces; the rest waits."""
        self._unset_keepalive_if_required()
        if self.meter.is_turn_used_up:
            self.rest = data
            self.flow.pause_reading()
            self.next_read = self.meter.wait_for_turn(self._read_rest)
            return
        if self.header_since is None and self.body_since is None:
            self._expect_header()
        self.pieces = 0
        at, end, fed = 0, len(data), 0
        step, max_pieces = limits.PIECE_BYTES, limits.MAX_PIECES_PER_TURN
        if self.meter.talker.is_used_up:  # Even then, a header is read.
            step, max_pieces = limits.SMALL_PIECE_BYTES, 1
        try:
            while at < end and self.pieces < max_pieces:
                piece = data[at : at + step]
                at += len(piece)
                fed += 1
                in_body = self.body_since is not None
                self.parser.feed_data(piece)
                if self.closing_since is not None or self.transport.is_closing():
                    return
                if self.header_since is not None:
                    self.header_bytes += len(piece)
                    if self.header_bytes > limits.MAX_HEADER_BYTES:
                        raise HeaderTooLong
                elif in_body and self.body_since is not None:
                    self.body_received += len(piece)
                    if self.body_received - self.body_bytes > limits.MAX_CHUNK_OVERHEAD_BYTES:
                        self._refuse_chunks()
                if len(self.pipeline) > limits.MAX_PIPELINED_REQUESTS:
                    self._refuse(
                        400,
                        DalapapaError(
                            "The client sends too many requests at once on this connection.", "http"
                        ),
                    )
                    return
            self.pay(data, at, max(1, 1 + self.pieces - fed))
        except httptools.HttpParserUpgrade:
            self._upgrade()
        except (HeaderTooLong, httptools.HttpParserError) as error:
            if isinstance(error, HeaderTooLong) or isinstance(error.__context__, HeaderTooLong):
                self._refuse(431, DalapapaError("The header is too long.", "too_long"))
            else:
                self._refuse(400, DalapapaError("This is not a valid HTTP request.", "http"))

    def pay(self, data: bytes, size: int, pieces: int) -> None:
        """Pay for what was read; without a budget, the rest waits for the next check."""
        if self.closing_since is not None:
            return
        is_partial = self.header_since is not None or self.body_since is not None
        self.meter.spend_turn(max(pieces, limits.PARTIAL_FRAMES) if is_partial else pieces)
        if self.meter.spend(pieces, size):
            self.rest = data[size:]
            if len(self.rest) > limits.MAX_HELD_BYTES:
                self._refuse_flood()
                return
            if self.slowed_since is None:
                self.slowed_since = self.gate.clock.monotonic()
            self.is_held = True
            self.meter.pause_s("requests")
            self.flow.pause_reading()
        elif size < len(data):
            self.rest = data[size:]
            self.flow.pause_reading()
            self.next_read = self.loop.call_soon(self._read_rest)
        else:
            self.slowed_since = None

    def _read_rest(self) -> None:
        """Read the rest, and then new input."""
        self.next_read = None
        data, self.rest = self.rest, b""
        if data:
            self._read(data)
        waits = bool(self.rest or self.is_held or self.pipeline)
        if not waits and (
            self.cycle is None or len(self.cycle.body) <= limits.MAX_WAITING_BODY_BYTES
        ):
            self.flow.resume_reading()

    def _drop_rest(self) -> None:
        self.rest = b""
        self.collected.clear()
        if self.next_read is not None:
            self.next_read.cancel()
            self.next_read = None

    # -- the parts of a request ----------------------------------------------------------------

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_header()
        self.scope["state"]["connection"] = self

    def _expect_header(self) -> None:
        if self.header_since is None:
            self.header_since = self.gate.clock.monotonic()
        self.header_bytes = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= limits.MAX_HEADER_FIELDS:
            raise HeaderTooLong
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self.closing_since is not None:  # An earlier request in the same piece was refused.
            return
        self.header_since = None
        self.meter.spend_turn(REQUEST_FRAMES)
        self.body_bytes = 0
        self.body_pieces = 0
        self.body_received = 0
        self.collected.clear()
        self.collected_bytes = 0
        self.body_since = self.gate.clock.monotonic()
        try:
            self.gate.hosts.check(self.headers, self.parser.get_http_version())
        except DalapapaError as error:
            self._refuse(421 if isinstance(error, WrongHost) else 400, error)
            return
        if self.address and self._is_forwarded():
            self.gate.exempt_proxy(self)
        super().on_headers_complete()

    def _is_forwarded(self) -> bool:
        """Whether a trusted proxy names the client behind it."""
        trusted = getattr(self.config.loaded_app, "trusted_hosts", ())
        names_client = any(name == b"x-forwarded-for" for name, _ in self.headers)
        return names_client and self.client is not None and self.client[0] in trusted

    def on_body(self, body: bytes) -> None:
        if self.closing_since is not None:
            return
        self.body_bytes += len(body)
        self.body_pieces += 1
        self.pieces += 1
        if self.body_pieces > limits.MAX_BODY_PIECES:
            self._refuse_chunks()
            return
        if self.body_bytes > MAX_BODY_BYTES and self.cycle.response_complete:
            self._refuse(None, DalapapaError("The request is too long.", "too_long"))
            return
        # The application waits for the whole body: waking it up for each piece would cost more
        # than everything else.
        self.collected.append(body)
        self.collected_bytes += len(body)
        is_too_long = self.body_bytes > MAX_BODY_BYTES
        if is_too_long or self.collected_bytes >= limits.MAX_COLLECTED_BYTES:
            self._pass_body()

    def _pass_body(self) -> None:
        """Give the application the pieces of the body that have arrived."""
        if self.collected:
            body = b"".join(self.collected)
            self.collected.clear()
            self.collected_bytes = 0
            super().on_body(body)

    def on_message_complete(self) -> None:
        self.body_since = None
        if self.closing_since is None:
            self._pass_body()
            super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.is_held:
            self.flow.pause_reading()

    def _upgrade(self) -> None:
        """Become a WebSocket; the server has no other protocols."""
        if self.closing_since is not None:
            return
        if self._should_upgrade():
            self.gate.release(self)
            self.handle_websocket_upgrade()
        elif getattr(self, "cycle", None):  # HTTP allows an answer without the upgrade.
            self.cycle.keep_alive = False
        else:
            self._refuse(
                400,
                DalapapaError("The server does not support the protocol of this upgrade.", "http"),
            )

    # -- checks, once a second -----------------------------------------------------------------

    def check(self, now: float) -> None:
        """End what takes too long."""
        if self.closing_since is not None:
            if now - self.closing_since > limits.CLOSING_TIMEOUT_S:
                self.transport.abort()
            return
        if self.is_held:
            self._end_hold(now)
        if self.unread.is_too_slow(self.transport.get_write_buffer_size(), now):
            self.gate.refused["too_slow"] += 1
            self.transport.abort()
        elif self.header_since is not None and now - self.header_since > limits.HEADER_TIMEOUT_S:
            self._refuse(408, DalapapaError(TOO_SLOW, "too_slow"))
        elif self.body_since is not None and now - self.body_since > limits.BODY_TIMEOUT_S:
            started = self.cycle.response_started
            self._refuse(None if started else 408, DalapapaError(TOO_SLOW, "too_slow"))

    def slow_down(self) -> None:
        """Note a request that came too fast; after a few, read nothing until the next check."""
        self.gate.refused["too_fast"] += 1
        self.slow_downs += 1
        self.is_held = self.slow_downs > limits.MAX_SLOW_DOWNS
        if self.pipeline and self.answering is not None:  # The next ones are refused as well.
            self.pipeline.clear()
            self.answering.keep_alive = False

    def _end_hold(self, now: float) -> None:
        """Read again if the address has a budget; refuse a client that was slowed for long."""
        if (
            self.slowed_since is not None
            and now - self.slowed_since > limits.MAX_HELD_S
            and self.rest
        ):
            self._refuse_flood()
        elif self.meter.has_budget():
            self.is_held = False
            self._read_rest()
        else:
            self.meter.pause_s("requests")

    def resume_writing(self) -> None:
        self.unread.clear()
        super().resume_writing()

    # -- refusals ------------------------------------------------------------------------------

    def _refuse_chunks(self) -> None:
        """Refuse a body in too many pieces, or with too many bytes between them."""
        self._note_flood()
        error = DalapapaError(
            f"The body must come in at most {limits.MAX_BODY_PIECES} pieces, and its"
            f" chunks can have at most {limits.MAX_CHUNK_OVERHEAD_BYTES} bytes of lengths"
            " and extensions: send fewer, larger chunks without extensions.",
            "too_many_chunks",
        )
        self._refuse(None if self.cycle.response_started else 400, error)

    def _refuse_flood(self) -> None:
        """Refuse a client that sends far more than its address may."""
        self._note_flood()
        started = self.answering is not None and self.answering.response_started
        sentence = "Your address sends too much: wait a moment."
        self._refuse(None if started else 429, TooMany(sentence, "too_fast"))

    def _note_flood(self) -> None:
        self.is_flood = True
        self.meter.talker.refusals += 1
        if self.address:
            self.meter.talker.report(
                "An address sends too much: the server closed one of its connections."
            )

    def _refuse(self, status: int | None, error: DalapapaError) -> None:
        """Answer why, unless an answer has begun, and end the connection."""
        if self.closing_since is not None or self.transport.is_closing():
            return
        self.gate.refused[error.code] += 1
        # Input is discarded for a moment: with an immediate end, the client would only see a reset.
        self.closing_since = self.gate.clock.monotonic()
        self.header_since = self.body_since = None
        self._drop_rest()
        self.is_held = False
        self._unset_keepalive_if_required()
        if self._abandon_answers():
            status = None
        if status is not None:
            self.transport.write(limits.encode_refusal_response(status, error))
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    def _abandon_answers(self) -> bool:
        """Stop answering, because no client waits; return whether an answer has begun."""
        self.pipeline.clear()
        cycle = self.answering
        if cycle is None or cycle.response_complete:
            return False
        cycle.disconnected = True
        cycle.message_event.set()
        return cycle.response_started
