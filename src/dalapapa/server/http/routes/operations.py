"""Routes for operators: whether the server lives and is ready, and its metrics."""

from __future__ import annotations

from ...monitoring.exposition import encode_metrics
from ...traffic.limits import is_from_this_machine
from ..context import ApiCall
from ..routing import Routes

routes: Routes = Routes()


@routes.add("GET", "/health", media=("text/plain",))
async def health(_call: ApiCall) -> bytes:
    """Whether the server process lives."""
    return b"ok\n"


@routes.add("GET", "/ready", media=("text/plain",))
async def ready(call: ApiCall) -> bytes:
    """Whether moves can be made durable now; else 503 with the reason."""
    await call.services.readiness.check()
    return b"ready\n"


@routes.add("GET", "/metrics", media=("text/plain",))
async def show_metrics(call: ApiCall) -> bytes:
    """Figures for Prometheus; addresses of floods only for requests from this machine."""
    call.services.readiness.refresh()
    readings = call.services.read_metrics()
    return encode_metrics(readings, is_private=is_from_this_machine(call.request.scope))
