"""The application: routes, what is refused at the door, and what runs while it is open."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from .. import __version__
from ..errors import Conflict, DalapapaError, Forbidden, NotFound, TooMany, Unavailable
from . import api, prints, problems, reviews, site, study_routes
from .limits import Limits, TokenBuckets, address_of
from .metrics import metrics
from .programs import Programs
from .sockets import Sockets
from .store import Store
from .study_routes import Questions
from .tables import Tables

MAX_BODY = 200_000
"""Bytes of a request's body."""

MIN_ZIPPED = 1000
"""Bytes of an answer that is compressed, if that is understood."""

HEADERS = {
    b"content-security-policy": b"default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    b" form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
}

STATUS: dict[type[DalapapaError], int] = {
    DalapapaError: 400,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    TooMany: 429,
    Unavailable: 503,
}
"""HTTP's own number for each kind of refusal; one that is not named has that of its family."""

LATER = {"retry-after": "1"}
"""Seconds until who asked too much (429) may try again."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def create_app(database: str, limits: Limits | None = None) -> FastAPI:
    """The server for one database."""
    allowed = limits or Limits()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(database)
        await store.open()
        tables = Tables(store, Programs())
        await tables.open()
        app.state.store = store
        app.state.tables = tables
        app.state.questions = Questions(allowed)
        app.state.reviews = reviews.Reviews(allowed)
        app.state.sockets = Sockets(tables, app.state.questions, allowed)
        try:
            yield
        finally:
            await app.state.sockets.close()
            app.state.reviews.close()
            app.state.questions.close()
            await tables.close()
            await store.close()

    app = FastAPI(
        title="Dalapapa",
        version=__version__,
        description="Tables without accounts; `docs/protocol.md` tells of the socket.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.limits = allowed
    app.state.new_tables = TokenBuckets(allowed.tables_per_minute / 60, allowed.tables_per_minute)
    app.include_router(api.router)
    app.include_router(study_routes.router)
    app.include_router(prints.router)
    app.include_router(reviews.router)
    app.include_router(problems.router)
    app.add_exception_handler(DalapapaError, _refusal)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _not_here)
    app.add_middleware(GZipMiddleware, minimum_size=MIN_ZIPPED, compresslevel=6)
    app.add_middleware(GuardMiddleware, limits=allowed)  # The last one is the outermost.

    @app.websocket("/api/tables/{id}/socket")
    async def socket(connection: WebSocket, id: str) -> None:
        await app.state.sockets.serve(connection, id)

    @app.get("/health", response_class=PlainTextResponse)
    async def health() -> str:
        """Whether the server and its database answer."""
        await app.state.store.count()
        return "ok\n"

    @app.get("/metrics", response_class=PlainTextResponse)
    async def measured() -> str:
        """Figures for Prometheus; nothing personal."""
        return metrics(app.state.tables, app.state.sockets, app.state.questions)

    app.include_router(site.router)  # The last one: it answers whatever is left.
    return app


class GuardMiddleware:
    """Pure ASGI: safe headers on every answer, bounded bodies, and no floods."""

    def __init__(self, app: Asgi, limits: Limits) -> None:
        self.app = app
        self.requests = TokenBuckets(limits.requests_per_second, limits.requests_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message.get("headers", ())}
                extra = [(name, value) for name, value in HEADERS.items() if name not in known]
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        asking = scope["path"].startswith("/api/")  # A page is many files, and asks nothing.
        if asking and not self.requests.take(address_of(scope)):
            told = _told("too_fast", "Too many requests: wait a moment.")
            answer = JSONResponse(told, 429, LATER)
            await answer(scope, receive, guarded)
            return
        size = dict(scope["headers"]).get(b"content-length", b"0")
        if not size.isdigit() or int(size) > MAX_BODY:
            answer = JSONResponse(_told("too_long", "This request is too long."), 413)
            await answer(scope, receive, guarded)
            return
        received = 0

        async def bounded() -> MutableMapping[str, Any]:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY:
                raise HTTPException(413)
            return message

        await self.app(scope, bounded, guarded)


def _told(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}


def status_of(kind: type[DalapapaError]) -> int:
    """HTTP's number for a kind of refusal."""
    return next(STATUS[family] for family in kind.__mro__ if family in STATUS)


async def _refusal(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DalapapaError)
    status = status_of(type(error))
    return JSONResponse(error.to_json(), status, LATER if status == 429 else None)


async def _malformed(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return JSONResponse(_told("malformed", f"{where}: {first['msg']}."), 422)


async def _not_here(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    told = _told("http", f"{error.detail}.")
    return JSONResponse(told, error.status_code, headers=error.headers)
