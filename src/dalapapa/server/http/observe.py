"""Around every request: its id, how long it took, and the answer when it fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any

from starlette.responses import JSONResponse

from ..monitoring import logging_setup, metrics
from ..traffic.proxies import UntrustedForwards

logger = logging.getLogger("dalapapa")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
"""Those that are counted by name: strangers make up others."""

HEADER = b"x-request-id"
FORWARDED = b"x-forwarded-for"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


class ObserveMiddleware:
    """Pure ASGI: names requests, counts them, and answers for those that fail."""

    def __init__(self, app: Asgi, headers: dict[bytes, bytes]) -> None:
        self.app = app
        self.headers = {name.decode(): value.decode() for name, value in headers.items()}
        """Of answers that are made here."""
        self.untrusted = UntrustedForwards()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        given: bytes | None = None
        for name, value in scope["headers"]:
            if name == HEADER and given is None:
                given = value
            elif name == FORWARDED and _is_ignored(scope):
                self.untrusted.note(scope["client"][0])
        id = logging_setup.choose_request_id(given)
        logging_setup.REQUEST.set(id)  # Of this task alone: each request has one.
        scope["request_id"] = id
        if scope["type"] != "http":  # Sockets count for themselves.
            await self.app(scope, receive, send)
            return
        status = 0

        async def named(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (HEADER, id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        began = perf_counter()
        try:
            await self.app(scope, receive, named)
        except asyncio.CancelledError:  # The server is shutting down: answer 503 and end.
            if status:
                raise
            told = {"code": "busy", "message": "The server stops."}
            await JSONResponse(told, 503, self.headers)(scope, receive, named)
        except Exception:
            if status:  # It has begun to answer: the connection breaks off.
                raise
            logger.exception("a request failed", extra=_facts(scope, 500, began))
            sentence = "The server has made a mistake; whoever runs it finds it in the log."
            answer = JSONResponse({"code": "failed", "message": sentence}, 500, self.headers)
            await answer(scope, receive, named)
        finally:
            route = route_of(scope)
            method = scope["method"] if scope["method"] in METHODS else "other"
            metrics.HTTP_REQUESTS.add(method, route, str(status))
            metrics.HTTP_SECONDS.observe(perf_counter() - began, route)
            if logger.isEnabledFor(logging.INFO):
                logger.info("answered", extra=_facts(scope, status, began))


def _is_ignored(scope: Scope) -> bool:
    """Whether the client of a request is its peer, although a proxy seems to have forwarded it."""
    connection = scope.get("state", {}).get("connection")
    return connection is not None and tuple(scope["client"] or ()) == connection.client


def route_of(scope: Scope) -> str:
    """The pattern of a request's route: what stands in its place opens tables."""
    return getattr(scope.get("route"), "path", "none")


def _facts(scope: Scope, status: int, began: float) -> dict[str, Any]:
    facts = {
        "method": scope["method"],
        "route": route_of(scope),
        "status": status,
        "ms": round(1000 * (perf_counter() - began), 1),
        **logging_setup.make_address_fact(scope),
    }
    return {"facts": facts}
