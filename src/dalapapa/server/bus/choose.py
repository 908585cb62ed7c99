"""Choose the bus of a server, by the options of its operator."""

from __future__ import annotations

from urllib.parse import urlsplit

from ...core.errors import BadInput
from ...core.extras import require
from ..storage.store import Store
from .bus import Bus
from .postgres_bus import PostgresBus

SCHEMES = ("nats", "tls")


def check_bus(urls: str) -> str:
    """Return the addresses of a broker, separated by commas; refuse what cannot be one."""
    require("fleet")
    for url in urls.split(","):
        try:
            parts = urlsplit(url)
            is_address = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
        except ValueError:  # The port is not a number.
            is_address = False
        if not is_address:
            raise BadInput(
                "--bus needs addresses of NATS servers, such as nats://10.0.0.5:4222, separated"
                " by commas.",
                "bad_bus",
            )
    return urls


def make_bus(store: Store, urls: str | None) -> Bus | None:
    """Return the bus of a store that is not open yet; None if it serves one process only."""
    if urls is not None:
        if not store.postgres:
            raise BadInput(
                "--bus connects several server processes, and these need PostgreSQL: add"
                " --database postgresql://..., or leave out --bus.",
                "bad_bus",
            )
        from .nats_bus import NatsBus

        return NatsBus(store, urls)
    return PostgresBus(store) if store.postgres else None
