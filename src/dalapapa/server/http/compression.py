"""Responses with long bodies: compressed if the client understands it, and sent in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..payload import Payload

PIECE_BYTES = 65_536
"""Bytes that are sent before the client must have taken them."""


class PayloadResponse(Response):
    """A long answer, sent no faster than the client takes it."""

    def __init__(
        self,
        request: Request,
        payload: Payload,
        status: int,
        headers: Mapping[str, str] | None,
        media: str,
    ) -> None:
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        coding = {"content-encoding": "gzip"} if accepts_gzip else {}
        data = payload.gzipped if accepts_gzip else payload.data
        super().__init__(
            data, status, {**(headers or {}), "vary": "Accept-Encoding", **coding}, media
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        for begin in range(0, max(1, len(self.body)), PIECE_BYTES):
            piece = bytes(self.body[begin : begin + PIECE_BYTES])
            more = begin + PIECE_BYTES < len(self.body)
            await send({"type": "http.response.body", "body": piece, "more_body": more})
