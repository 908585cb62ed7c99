"""The application: routes, what is refused by the gate, and what runs while it is open."""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from functools import cache
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from ..core.errors import (
    BadInput,
    BrokenGame,
    Conflict,
    DalapapaError,
    Forbidden,
    MissingExtra,
    NotFound,
    TooHard,
    TooMany,
    Unavailable,
    WrongHost,
)
from .clock import SYSTEM_CLOCK, SystemClock
from .http import static
from .http.compression import KeptAnswers, Packed, PackedResponse, packed
from .http.context import Call, Questions
from .http.observe import ObserveMiddleware
from .http.routes import (
    analysis,
    challenges,
    link_previews,
    my_tables,
    notifications,
    printing,
    problems,
    reviews,
    seat_tokens,
)
from .http.routes import tables as table_routes
from .http.routes.lobby import Lobby
from .http.routes.seat_tokens import SeatTokens
from .http.routing import NoRoute, Routes, openapi
from .http.security_headers import SECURITY_HEADERS
from .monitoring import metrics
from .monitoring.exposition import encode_metrics
from .monitoring.loop_lag import LoopLag
from .notify.config import Notify
from .notify.scheduler import Notices
from .storage.readiness import Readiness
from .storage.retention import Retention
from .storage.retention_policy import RetentionPolicy
from .storage.solved_problems import Finds
from .storage.store import Store
from .tables.challenges import Challenges
from .tables.new_tables import NewTables
from .tables.tables import Tables
from .traffic.allowed_hosts import Hosts
from .traffic.connection_gate import ConnectionGate
from .traffic.limits import (
    MAX_BODY_BYTES,
    ConcurrencyLimit,
    Limits,
    TokenBuckets,
    address_of,
    is_from_this_machine,
)
from .traffic.talkers import Talkers
from .workers.bots import Programs
from .workers.pool import Workers
from .ws.sessions import ViewerSessions

MIN_ZIPPED = 1000
"""Bytes of an answer that is compressed, if that is understood."""

LONG_LOGS, LONG_LOGS_EACH = 6, 2
"""Long logs that are worked on at once, in all and for one address."""

STATUS: dict[type[DalapapaError], int] = {
    DalapapaError: 409,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    BadInput: 422,
    TooHard: 422,
    WrongHost: 421,
    TooMany: 429,
    MissingExtra: 501,
    Unavailable: 503,
    BrokenGame: 503,
}
"""HTTP's own number for each kind of refusal; one that is not named has that of its family.

Input that makes no sense, and questions that are too hard, cannot be processed (422) however often
they are sent. What makes sense, but is against the rules or the state of the table, is a conflict.
"""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


class Services(msgspec.Struct):
    """What runs while a server is open."""

    gate: ConnectionGate
    store: Store
    tables: Tables
    questions: Questions
    reviews: reviews.Reviews
    sockets: ViewerSessions
    finds: Finds
    challenges: Challenges
    readiness: Readiness
    retention: Retention
    lobby: Lobby
    kept: KeptAnswers
    long_logs: ConcurrencyLimit
    previews: link_previews.Previews
    glances: my_tables.Glances
    notices: Notices
    seat_tokens: SeatTokens
    backups: str | None = None
    """The folder whose newest file is the newest backup."""

    def workers(self) -> tuple[Workers, ...]:
        """All that work things out."""
        questions = self.questions
        return (
            *(self.tables.bots.workers, self.reviews.workers),
            *(questions.quick, questions.slow, questions.solver),
        )

    def read_metrics(self) -> dict[str, metrics.Value]:
        """Return the readings of the server, by name."""
        return {
            "dalapapa_ready": self.readiness.last,
            "dalapapa_tables_live": len(self.tables.registry.cache),
            "dalapapa_sockets": len(self.sockets.open),
            "dalapapa_connections": len(self.gate.open),
            "dalapapa_turned_away_total": self.gate.refused.total(),
            "dalapapa_moves_total": self.tables.commands.move_count,
            "dalapapa_programs_waiting": self.tables.bots.waiting,
            "dalapapa_questions_waiting": self.questions.waiting,
            "dalapapa_reviews_waiting": self.reviews.under_way,
            "dalapapa_archived_total": self.retention.archived,
            "dalapapa_removed_total": self.retention.removed,
            "dalapapa_backup_time_seconds": metrics.read_backup_time(self.backups),
            "dalapapa_workers": {one.kind: len(one.processes) for one in self.workers()},
            "dalapapa_top_talkers": self.gate.talkers.list_figures(),
        }

    @classmethod
    @contextlib.asynccontextmanager
    async def open(
        cls,
        database: str,
        limits: Limits,
        clock: SystemClock,
        keep: RetentionPolicy,
        gate: ConnectionGate,
        notify: Notify,
    ) -> AsyncIterator[Services]:
        """All of it, until the context ends."""
        async with contextlib.AsyncExitStack() as stack:  # Whatever fails closes what is open.
            lag = LoopLag()
            stack.push_async_callback(lag.close)
            lag.open()
            store = Store(database)
            stack.push_async_callback(store.close)
            await store.open()
            tables = Tables(store, Programs(), clock, max_tables=limits.tables)
            tables.registry.cache.max_bytes = limits.table_memory_bytes
            tables.creator.limits = NewTables(tables.creator.count, limits, clock)
            stack.push_async_callback(tables.close)
            await tables.open()
            notices = Notices(tables, notify, limits, clock)
            stack.push_async_callback(notices.close)
            await notices.open()
            retention = Retention(store, keep, clock, tables.registry.cache, tables.creator.count)
            tables.driver.on_watch = retention.note_viewer
            stack.push_async_callback(retention.close)
            retention.open()
            questions = Questions(limits)
            stack.callback(questions.close)
            reviewing = reviews.Reviews(limits)
            stack.callback(reviewing.close)
            sockets = ViewerSessions(tables, questions.quick, limits, gate.talkers)
            stack.push_async_callback(sockets.close)
            kept = KeptAnswers()
            stack.push_async_callback(kept.close)
            lobby = Lobby(tables)
            stack.push_async_callback(lobby.close)
            previewing = link_previews.Previews(gate.hosts, notify.url)
            stack.push_async_callback(previewing.close)
            ready = Readiness(store, clock)
            stack.push_async_callback(ready.close)
            finds_added = TokenBuckets(limits.finds_per_hour / 3600, limits.finds_per_hour, clock)
            long_logs = ConcurrencyLimit(LONG_LOGS, LONG_LOGS_EACH)
            glances = my_tables.Glances(tables)

            def clear_caches() -> None:
                for cache in (kept, reviewing, lobby, glances):
                    cache.clear()

            tables.sync.on_forget = clear_caches
            yield cls(
                gate, store, tables, questions, reviewing, sockets,
                Finds(store, clock, finds_added), Challenges(tables, limits.share_an_address),
                ready, retention, lobby, kept, long_logs, previewing,
                glances, notices, SeatTokens(tables),
            )  # fmt: skip


routes = Routes()


@routes.add("GET", "/health", media=("text/plain",))
async def health(_call: Call) -> bytes:
    """Whether the server process lives."""
    return b"ok\n"


@routes.add("GET", "/ready", media=("text/plain",))
async def ready(call: Call) -> bytes:
    """Whether moves can be made durable now; else 503 with the reason."""
    await call.services.readiness.check()
    return b"ready\n"


@routes.add("GET", "/metrics", media=("text/plain",))
async def measured(call: Call) -> bytes:
    """Figures for Prometheus; addresses of floods only for requests from this machine."""
    call.services.readiness.refresh()
    readings = call.services.read_metrics()
    return encode_metrics(readings, is_private=is_from_this_machine(call.request.scope))


async def socket(connection: WebSocket) -> None:
    """The socket of a table."""
    services: Services = connection.app.state.services
    await services.sockets.serve(connection, connection.path_params["id"])


ROUTES = [
    *table_routes.routes,
    *seat_tokens.routes,
    *my_tables.routes,
    *notifications.routes,
    *analysis.routes,
    *printing.routes,
    *reviews.routes,
    *problems.routes,
    *link_previews.routes,
    *challenges.routes,
    *routes,
]
"""Those that OpenAPI describes."""


async def described(request: Request) -> Response:
    """The OpenAPI document."""
    return PackedResponse(request, _document(), 200, None, "application/json")


@cache
def _document() -> Packed:
    return packed(msgspec.json.encode(openapi(ROUTES)))


def create_app(
    database: str,
    limits: Limits | None = None,
    clock: SystemClock = SYSTEM_CLOCK,
    keep: RetentionPolicy | None = None,
    hosts: Hosts | None = None,
    notify: Notify | None = None,
    backups: str | None = None,
) -> Starlette:
    """The server for one database."""
    allowed = limits or Limits()
    gate = ConnectionGate(allowed, clock, hosts)
    handlers: dict[Any, Any] = {DalapapaError: _refusal, HTTPException: _not_here}

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opened = Services.open(
            database, allowed, clock, keep or RetentionPolicy(), gate, notify or Notify()
        )
        async with opened as app.state.services:
            app.state.services.backups = backups
            yield

    document = Route("/api/openapi.json", described)
    document.methods = {"GET"}
    app = Starlette(
        routes=[
            *ROUTES,
            document,
            WebSocketRoute("/api/tables/{id}/socket", socket),
            NoRoute([*ROUTES, document], "/api/"),
            *static.routes(),  # The last ones: they answer whatever is left.
        ],
        middleware=[
            Middleware(ObserveMiddleware, headers=SECURITY_HEADERS),
            Middleware(GuardMiddleware, limits=allowed, clock=clock, talkers=gate.talkers),
            Middleware(GZipMiddleware, minimum_size=MIN_ZIPPED, compresslevel=6),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.gate = gate
    return app


ASKING = ("/api/", "/health", "/ready", "/metrics")
"""What costs something; a page is many files, and asks nothing."""


class GuardMiddleware:
    """Pure ASGI: safe headers on every answer, bounded bodies, and no floods."""

    def __init__(self, app: Asgi, limits: Limits, clock: SystemClock, talkers: Talkers) -> None:
        self.app = app
        self.talkers = talkers
        self.requests = TokenBuckets(limits.requests_per_second, limits.requests_at_once, clock)
        self.pages = TokenBuckets(limits.pages_per_second, limits.pages_at_once, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message.get("headers", ())}
                extra = [
                    (name, value) for name, value in SECURITY_HEADERS.items() if name not in known
                ]
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        asking = scope["path"].startswith(ASKING)
        address = address_of(scope)
        talker = self.talkers.find(address)
        talker.requests += 1
        try:
            buckets = self.requests if asking else self.pages
            buckets.check(address, "Too many requests: wait a moment.")
        except TooMany as error:
            talker.refusals += 1
            if (connection := scope.get("state", {}).get("connection")) is not None:
                connection.slow_down()
            await _refused(error)(scope, receive, guarded)
            return
        size = dict(scope["headers"]).get(b"content-length", b"0")
        if not size.isdigit() or int(size) > MAX_BODY_BYTES:
            answer = JSONResponse(_told("too_long", "This request is too long."), 413)
            await answer(scope, receive, guarded)
            return
        received = 0

        async def bounded() -> MutableMapping[str, Any]:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY_BYTES:
                raise HTTPException(413)
            return message

        await self.app(scope, bounded, guarded)


def _told(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}


def status_of(kind: type[DalapapaError]) -> int:
    """HTTP's number for a kind of refusal."""
    return next(STATUS[family] for family in kind.__mro__ if family in STATUS)


async def _refusal(_request: Request, error: DalapapaError) -> JSONResponse:
    return _refused(error)


def _refused(error: DalapapaError) -> JSONResponse:
    metrics.REFUSALS.add(error.code)
    headers = {}
    if isinstance(error, TooMany) and math.isfinite(error.after):
        headers["retry-after"] = str(max(1, math.ceil(error.after)))
    return JSONResponse(error.to_json(), status_of(type(error)), headers)


async def _not_here(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404 and (page := static.missing(request)):
        return page
    told = _told("http", f"{error.detail}.")
    return JSONResponse(told, error.status_code, headers=error.headers)
