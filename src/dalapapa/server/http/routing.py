"""Routes: how requests are read and answered.

A handler takes an `ApiCall` and, if it names them, `path`, `query` and `body`: structs that define
the allowed values. Its result is the answer. `bytes` and `Payload` are JSON that a worker has
encoded, in the form of `answer`, or content of another media type.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, get_type_hints

import msgspec
from starlette import routing
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from ...core.errors import BadInput, Malformed
from ...core.notation import shorten
from ..integers import convert_integers
from ..payload import MIN_THREAD_BYTES, Payload, compress_async
from .context import ApiCall

JSON = "application/json"

COMPRESSED_MEDIA = (JSON, "image/svg+xml")

MAX_SMALL_BODY_BYTES = 16_384
"""A longer body is read in a turn of its address: a hundred of them would hold up the others."""

PIECE_BYTES = 65_536
"""Bytes that are sent before the client must have taken them."""

Handler = Callable[..., Awaitable[Any]]


class RecordBody(msgspec.Struct):
    """A record (docs/records.md), which a worker decodes."""

    data: bytes


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


class Route(routing.Route):
    """A method and a path, with its handler and its description for OpenAPI."""

    def __init__(
        self,
        method: str,
        path: str,
        handler: Handler,
        *,
        answer: Any = None,
        status: int = 200,
        media: tuple[str, ...] = (JSON,),
        token: bool = False,
        headers: dict[str, str] | None = None,
        refuses: Sequence[int] = (),
    ) -> None:
        super().__init__(path, self._serve, methods=[method])
        self.methods: set[str] = {method}
        self.method = method
        self.handler = handler
        self.kinds: dict[str, Any] = get_type_hints(handler)
        returned = self.kinds.pop("return")
        self.answer: Any = returned if answer is None else answer
        self.status = status
        self.media = media
        self.token = token
        self.headers = headers
        self.refuses = refuses
        """Statuses of refusals in addition to those that `openapi.py` derives."""

    async def _serve(self, request: Request) -> Response:
        call = ApiCall(request)
        if self.token:
            call.read_token()
        arguments: dict[str, Any] = {}
        if "path" in self.kinds:
            arguments["path"] = read_parameters(request.path_params, self.kinds["path"])
        if "query" in self.kinds:
            arguments["query"] = read_parameters(request.query_params, self.kinds["query"])
        if "body" in self.kinds:
            arguments["body"] = await read_body(call, self.kinds["body"])
        answer = await self.handler(call, **arguments)
        if isinstance(answer, Response):
            return answer
        if isinstance(answer, Payload):
            return PayloadResponse(request, answer, self.status, self.headers, self.media[0])
        data = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
        if len(data) >= MIN_THREAD_BYTES and self.media[0] in COMPRESSED_MEDIA:
            payload = await compress_async(data)
            return PayloadResponse(request, payload, self.status, self.headers, self.media[0])
        return Response(data, self.status, self.headers, self.media[0])


class Routes(list[routing.BaseRoute]):
    """The routes of a module, in order, with a common beginning of their paths."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def add(self, method: str, path: str, **options: Any) -> Callable[[Handler], Handler]:
        """Declare a function as the handler of a route."""

        def declare(handler: Handler) -> Handler:
            self.append(Route(method, self.prefix + path, handler, **options))
            return handler

        return declare


class NoRoute(routing.BaseRoute):
    """Refuses other methods of known paths (405), and unknown paths below `prefix` (404).

    A path with several methods has several routes; this one knows all of their methods. Paths below
    `prefix` are not pages, so that the routes of pages do not answer them.
    """

    def __init__(self, routes: Sequence[routing.Route], prefix: str) -> None:
        self.routes = routes
        self.prefix = prefix

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http":
            return Match.NONE, {}
        known = [route for route in self.routes if route.matches(scope)[0] is not Match.NONE]
        if not known and not scope["path"].startswith(self.prefix):
            return Match.NONE, {}
        allowed = sorted({method for route in known for method in route.methods or ()})
        return Match.FULL, {"route": known[0] if known else None, "allowed": allowed}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        if scope["allowed"]:
            raise HTTPException(405, headers={"Allow": ", ".join(scope["allowed"])})
        raise HTTPException(404)


# -- requests --------------------------------------------------------------------------------


def read_parameters(texts: Any, kind: type[msgspec.Struct]) -> Any:
    """Parameters of a path or a query: numbers and booleans as text."""
    hints = get_type_hints(kind, include_extras=True)
    values = {}
    for name, text in texts.items():
        if name in hints:
            values[name] = _read_parameter(name, text, hints[name])
        elif kind.__struct_config__.forbid_unknown_fields:
            raise Malformed(f"There is no parameter {shorten(name)}.")
    try:
        return kind(**values)
    except TypeError:  # A required parameter of the query is missing.
        raise Malformed("A required parameter is missing.") from None


def _read_parameter(name: str, text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(text, kind)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError as error:
            raise Malformed(f"{name}: {error}.") from None


async def read_body(call: ApiCall, kind: Any) -> Any:
    """The body. Requests must declare JSON, because pages of other origins cannot send it."""
    try:
        data = await call.request.body()
    except ClientDisconnect:
        if kind is RecordBody:
            raise BadInput(
                "The client disconnected before it sent the whole record.", "malformed_record"
            ) from None
        raise Malformed("The client disconnected before it sent the whole request.") from None
    if kind is RecordBody:
        return RecordBody(data)
    media = call.request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON and not (media.startswith("application/") and media.endswith("+json")):
        raise Malformed(f"The body must have the content type {JSON}.")
    if len(data) <= MAX_SMALL_BODY_BYTES:
        return _decode_body(data, kind)
    return await call.services.sockets.shared.share.run(
        call.address, lambda: _decode_body(data, kind)
    )


def _decode_body(data: bytes, kind: Any) -> Any:
    try:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError:
            if len(data) > MAX_SMALL_BODY_BYTES:  # It would take too long.
                raise
            # In JSON Schema, 3.0 is an integer, too. Encoded again, because parts may stay JSON.
            converted = msgspec.json.encode(convert_integers(msgspec.json.decode(data)))
            return msgspec.json.decode(converted, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = str(error) if isinstance(error, msgspec.MsgspecError) else "it is not plain text"
        raise Malformed(f"Cannot read the body: {reason[:200]}.") from None
