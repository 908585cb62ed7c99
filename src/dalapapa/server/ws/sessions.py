"""The WebSocket sessions of a server process: admission, and what they share."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.websockets import WebSocket

from ...core.errors import TooMany, Unavailable
from ...core.notation import Laying
from ..monitoring import logging_setup, metrics
from ..monitoring.logging_setup import logger
from ..tables.tables import Tables
from ..traffic.limits import ConcurrencyLimit, Limits, address_of
from ..traffic.talkers import Talkers
from ..workers.pool import Workers
from .session import SharedState, ViewerSession
from .wire import EXTENSION, Wire


class ViewerSessions:
    """All open sessions."""

    def __init__(self, tables: Tables, workers: Workers, limits: Limits, talkers: Talkers) -> None:
        self.talkers = talkers
        self.slots: ConcurrencyLimit = ConcurrencyLimit(limits.sockets, limits.sockets_an_address)
        self.shared: SharedState = SharedState(tables, workers, limits)
        self.open = self.shared.open

    async def serve(self, connection: WebSocket, id: str) -> None:
        address = address_of(connection.scope)
        if not is_same_origin(connection):
            metrics.SOCKETS_CLOSED.add("wrong_origin")
            await connection.close(4403, "wrong_origin")
            return
        try:
            self.slots.take(address)  # Before any await: many clients may connect together.
        except (TooMany, Unavailable):
            metrics.SOCKETS_CLOSED.add("too_many")
            await connection.close(4429, "too_many")
            return
        wire: Wire = connection.scope["extensions"][EXTENSION]
        talker = self.talkers.open(address)
        wire.meter = self.talkers.meter_socket(talker)
        session = ViewerSession(self.shared, wire, address)
        self.open.add(session)
        metrics.SOCKETS_OPENED.add()
        try:
            request = str(connection.scope.get("request_id", ""))
            await connection.accept(headers=[(b"x-request-id", request.encode())])
            await session.run(id)
            await wire.wait_closed()  # Until then, it occupies its slot.
        finally:
            self.open.discard(session)
            self.slots.leave(address)
            self.talkers.close(talker)
            metrics.SOCKETS_CLOSED.add(session.reason)
            facts = {"reason": session.reason, **logging_setup.make_address_fact(connection.scope)}
            logger.info("a socket ended", extra={"facts": facts})

    async def close(self) -> None:
        """Close all sessions, because the server stops."""
        self.shared.share.close()
        for session in tuple(self.open):
            session.reason = "stopping"
            session.wire.close(1012)

    def tables_without_aids(self, address: str) -> list[tuple[Laying, ...]]:
        """List what lies on the tables in play without aids at which an address has a seat."""
        found = {
            id(session.live): session.live for session in self.open.at(address) if session.seats
        }
        return [
            state.game_state.table.layings
            for live in found.values()
            if live is not None
            and (state := live.state).settings.aids != "all"
            and state.phase == "playing"
            and state.game_state.table is not None
        ]


def is_same_origin(connection: WebSocket) -> bool:
    """Whether no page of another site acts here in the name of its visitor."""
    origin = connection.headers.get("origin")
    if origin is None:  # Not a browser.
        return True
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False
