"""The ways in which the server processes of a test can reach each other."""

from __future__ import annotations

from typing import NamedTuple


class Fleet(NamedTuple):
    """What several processes share: a PostgreSQL, and a NATS server unless they do without."""

    database: str
    broker: str | None
