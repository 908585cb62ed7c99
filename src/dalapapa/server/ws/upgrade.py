"""The request that turns a connection into a WebSocket, as `websockets` checks it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

logger = logging.getLogger("uvicorn.error")

BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Upgrade:
    """One upgrade request, and the response to it."""

    def __init__(self) -> None:
        self.request: Request | None = None
        self._response: Response | None = None
        self._protocol = ServerProtocol(
            extensions=[
                ServerPerMessageDeflateFactory(
                    server_no_context_takeover=True, client_no_context_takeover=True
                )
            ],
            logger=logger,
        )

    def check(self, data: bytes) -> bool:
        """Read the request, which has arrived completely; return whether it can be accepted."""
        self._protocol.receive_data(data)
        for request in self._protocol.events_received():
            assert isinstance(request, Request)
            self.request = request
            self._response = self._protocol.accept(request)
            return self._response.status_code == 101
        return False

    def reject(self, status: int) -> None:
        """Reject a request that could have been accepted."""
        self._response = self._protocol.reject(status, "")

    def encode_response(self) -> bytes:
        """Return the response, which can be sent once."""
        if self._response is None:
            return BAD_REQUEST
        self._protocol.send_response(self._response)
        return b"".join(self._protocol.data_to_send())

    def find_deflate(self) -> PerMessageDeflate | None:
        found = (one for one in self._protocol.extensions if isinstance(one, PerMessageDeflate))
        return next(found, None)

    def make_scope(
        self, config: Config, transport: asyncio.Transport, state: dict[str, Any]
    ) -> dict[str, Any]:
        assert self.request is not None
        path, _, query = self.request.path.partition("?")
        root = config.root_path
        return {
            "type": "websocket",
            "asgi": {"version": config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(transport) else "ws",
            "server": get_local_addr(transport),
            "client": get_remote_addr(transport),
            "root_path": root,
            "path": root + unquote(path),
            "raw_path": (root + path).encode("ascii", "surrogateescape"),
            "query_string": query.encode("ascii", "surrogateescape"),
            "headers": [
                (name.lower().encode("ascii"), value.encode("ascii", "surrogateescape"))
                for name, value in self.request.headers.raw_items()
            ],
            "subprotocols": [],
            "state": state.copy(),
            "extensions": {},
        }
