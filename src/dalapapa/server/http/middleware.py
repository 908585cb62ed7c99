"""Pure ASGI middleware: request ids, metrics and failures; safe headers, long bodies and floods."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any

from starlette.exceptions import HTTPException

from ...core.errors import TooMany
from ..clock import SystemClock
from ..monitoring import logging_setup, metrics
from ..monitoring.logging_setup import logger
from ..traffic.limits import MAX_BODY_BYTES, Limits, TokenBuckets, address_of
from ..traffic.proxies import UntrustedForwards
from ..traffic.talkers import Talkers
from .refusals import make_error_response, make_refusal_response

SECURITY_HEADERS = {
    b"content-security-policy": b"default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    b" font-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
}
"""Headers of every answer that has none of its own."""

COUNTED_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
"""Methods with metrics of their own: clients can make up others."""

COSTLY_PATHS = ("/api/", "/health", "/ready", "/metrics")
"""Beginnings of paths that cost something; a page consists of many files that cost little."""

FAILURE_HEADERS = {name.decode(): value.decode() for name, value in SECURITY_HEADERS.items()}
"""The headers of answers that do not pass the guard."""

REQUEST_ID = b"x-request-id"
FORWARDED = b"x-forwarded-for"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


class ObserveMiddleware:
    """Gives each request an id, counts and logs it, and answers those that fail."""

    def __init__(self, app: Asgi) -> None:
        self.app = app
        self.untrusted: UntrustedForwards = UntrustedForwards()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        given: bytes | None = None
        for name, value in scope["headers"]:
            if name == REQUEST_ID and given is None:
                given = value
            elif name == FORWARDED and _is_ignored(scope):
                self.untrusted.note(scope["client"][0])
        id = logging_setup.choose_request_id(given)
        logging_setup.REQUEST.set(id)  # Of this task alone: each request has one.
        scope["request_id"] = id
        if scope["type"] != "http":  # Sockets have metrics of their own.
            await self.app(scope, receive, send)
            return
        status = 0

        async def send_with_id(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (REQUEST_ID, id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        began = perf_counter()
        try:
            await self.app(scope, receive, send_with_id)
        except asyncio.CancelledError:  # The server is shutting down: answer 503 and end.
            if status:
                raise
            answer = make_error_response(
                "busy", "The server is stopping: try again later.", 503, FAILURE_HEADERS
            )
            await answer(scope, receive, send_with_id)
        except Exception:
            if status:  # It has begun to answer: the connection breaks off.
                raise
            logger.exception("a request failed", extra=_log_facts(scope, 500, began))
            sentence = "The server failed: its operator finds the reason in the log."
            answer = make_error_response("failed", sentence, 500, FAILURE_HEADERS)
            await answer(scope, receive, send_with_id)
        finally:
            route = find_route(scope)
            method = scope["method"] if scope["method"] in COUNTED_METHODS else "other"
            metrics.HTTP_REQUESTS.add(method, route, str(status))
            metrics.HTTP_SECONDS.observe(perf_counter() - began, route)
            if logger.isEnabledFor(logging.INFO):
                logger.info("answered", extra=_log_facts(scope, status, began))


class GuardMiddleware:
    """Adds safe headers to every answer, bounds bodies, and refuses floods."""

    def __init__(self, app: Asgi, limits: Limits, clock: SystemClock, talkers: Talkers) -> None:
        self.app = app
        self.talkers = talkers
        self.requests: TokenBuckets = TokenBuckets(
            limits.requests_per_second, limits.requests_at_once, clock
        )
        self.pages: TokenBuckets = TokenBuckets(
            limits.pages_per_second, limits.pages_at_once, clock
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_safely(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message.get("headers", ())}
                extra = [
                    (name, value) for name, value in SECURITY_HEADERS.items() if name not in known
                ]
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        is_costly = scope["path"].startswith(COSTLY_PATHS)
        address = address_of(scope)
        talker = self.talkers.find(address)
        talker.requests += 1
        try:
            buckets = self.requests if is_costly else self.pages
            buckets.check(address, "Too many requests: wait a moment.")
        except TooMany as error:
            talker.refusals += 1
            if (connection := scope.get("state", {}).get("connection")) is not None:
                connection.slow_down()
            await make_refusal_response(error)(scope, receive, send_safely)
            return
        size = dict(scope["headers"]).get(b"content-length", b"0")
        if not size.isdigit() or int(size) > MAX_BODY_BYTES:
            answer = make_error_response("too_long", "The request is too long.", 413)
            await answer(scope, receive, send_safely)
            return
        received = 0

        async def receive_bounded() -> MutableMapping[str, Any]:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY_BYTES:
                raise HTTPException(413)
            return message

        await self.app(scope, receive_bounded, send_safely)


def _is_ignored(scope: Scope) -> bool:
    """Whether the client of a request is its peer, although a proxy seems to have forwarded it."""
    connection = scope.get("state", {}).get("connection")
    return connection is not None and tuple(scope["client"] or ()) == connection.client


def find_route(scope: Scope) -> str:
    """The pattern of a request's route: its path may have the id of a private table."""
    return getattr(scope.get("route"), "path", "none")


def _log_facts(scope: Scope, status: int, began: float) -> dict[str, Any]:
    facts = {
        "method": scope["method"],
        "route": find_route(scope),
        "status": status,
        "ms": round(1000 * (perf_counter() - began), 1),
        **logging_setup.make_address_fact(scope),
    }
    return {"facts": facts}
