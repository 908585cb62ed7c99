"""The application: its routes, its middleware, and its services while it is open."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from functools import cache

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from .clock import SYSTEM_CLOCK, SystemClock
from .http import static
from .http.middleware import GuardMiddleware, ObserveMiddleware
from .http.openapi import build_openapi
from .http.page_previews import PagePreviews
from .http.refusals import HANDLERS
from .http.routes import (
    analysis,
    challenges,
    link_previews,
    moved_tables,
    my_tables,
    notifications,
    operations,
    printing,
    problems,
    reviews,
    seat_tokens,
    tables,
)
from .http.routing import NoRoute, PayloadResponse
from .notify.config import NotifyConfig
from .payload import Payload, compress
from .services import Services, open_services
from .storage.retention_policy import RetentionPolicy
from .traffic.allowed_hosts import AllowedHosts
from .traffic.connection_gate import ConnectionGate
from .traffic.limits import Limits

MIN_GZIP_BYTES = 1000
"""Shorter answers are not compressed."""

TOPICS = (
    tables, moved_tables, seat_tokens, my_tables, notifications, analysis, printing, reviews,
    problems, link_previews, challenges, operations,
)  # fmt: skip
ROUTES = [route for topic in TOPICS for route in topic.routes]


async def serve_socket(connection: WebSocket) -> None:
    """The WebSocket of a table."""
    services: Services = connection.app.state.services
    await services.sockets.serve(connection, connection.path_params["id"])


async def serve_document(request: Request) -> Response:
    """The OpenAPI document."""
    return PayloadResponse(request, _encode_document(), 200, None, "application/json")


@cache
def _encode_document() -> Payload:
    return compress(msgspec.json.encode(build_openapi(ROUTES)))


def create_app(
    database: str,
    limits: Limits | None = None,
    clock: SystemClock = SYSTEM_CLOCK,
    keep: RetentionPolicy | None = None,
    hosts: AllowedHosts | None = None,
    notify: NotifyConfig | None = None,
    backups: str | None = None,
    broker: str | None = None,
) -> Starlette:
    """The server for one database."""
    limits, keep, notify = limits or Limits(), keep or RetentionPolicy(), notify or NotifyConfig()
    gate = ConnectionGate(limits, clock, hosts)
    previews = PagePreviews(gate.hosts, notify.url)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        opening = open_services(database, limits, clock, keep, gate, notify, broker)
        async with opening as services:
            app.state.services = services
            services.backups = backups
            try:
                yield
            finally:
                await previews.close()

    document = Route("/api/openapi.json", serve_document)
    document.methods = {"GET"}
    app = Starlette(
        routes=[
            *ROUTES,
            document,
            WebSocketRoute("/api/tables/{id}/socket", serve_socket),
            NoRoute([*ROUTES, document], "/api/"),
            *static.create_routes(previews),  # The last ones, because they match all paths.
        ],
        middleware=[
            Middleware(ObserveMiddleware),
            Middleware(GuardMiddleware, limits=limits, clock=clock, talkers=gate.talkers),
            Middleware(GZipMiddleware, minimum_size=MIN_GZIP_BYTES, compresslevel=6),
        ],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.gate = gate
    return app
