"""Routes declared once: what is sent, what comes back, and from that the OpenAPI document.

A route is a function of a `Call` and, as far as it names them, of `path`, `query` and `body`:
structs which say what is allowed. What it gives is the answer; `bytes` are JSON that a worker has
written, of the form that `answer` names, or of another media type; so is a `Payload`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, get_type_hints

import msgspec
from starlette import routing
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from ... import __version__
from ...core.errors import BadInput, Malformed
from ...core.notation import shorten
from ..payload import MIN_THREAD_BYTES, Payload, compress_async
from ..schemas import Refusal
from .compression import PayloadResponse
from .context import MAX_TOKEN_HEADER, Call

JSON = "application/json"

COMPRESSED_MEDIA = (JSON, "image/svg+xml")

MAX_EXACT = 2**53
"""Beyond, a float is no certain integer."""

Handler = Callable[..., Awaitable[Any]]


class Record(msgspec.Struct):
    """A record (docs/records.md), which a worker reads."""

    data: bytes


class Route(routing.Route):
    """One way to ask."""

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
        self.methods = {method}
        self.method = method
        self.handler = handler
        self.kinds = get_type_hints(handler)
        returned = self.kinds.pop("return")
        self.answer = returned if answer is None else answer
        self.status = status
        self.media = media
        self.token = token
        self.headers = headers
        self.refuses = refuses
        """Statuses of refusals besides those that follow from what it takes (`_refusals`)."""

    async def _serve(self, request: Request) -> Response:
        call = Call(request)
        if self.token:
            call.read_token()
        given: dict[str, Any] = {}
        if "path" in self.kinds:
            given["path"] = read_texts(request.path_params, self.kinds["path"])
        if "query" in self.kinds:
            given["query"] = read_texts(request.query_params, self.kinds["query"])
        if "body" in self.kinds:
            given["body"] = await read_body(request, self.kinds["body"])
        answer = await self.handler(call, **given)
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
    """Routes under one address, in their order."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def add(self, method: str, path: str, **how: Any) -> Callable[[Handler], Handler]:
        """Declares its function as a route."""

        def declare(handler: Handler) -> Handler:
            self.append(Route(method, self.prefix + path, handler, **how))
            return handler

        return declare


class NoRoute(routing.BaseRoute):
    """What the routes before it leave: another method of a known path, or an unknown path.

    A path with several methods has several routes, and only all of them together know what is
    allowed. Paths below `prefix` are not pages, so that the routes of pages do not answer them.
    """

    def __init__(self, routes: Sequence[routing.Route], prefix: str) -> None:
        self.routes = routes
        self.prefix = prefix

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Take a request for a path that is known, or that can be no page."""
        if scope["type"] != "http":
            return Match.NONE, {}
        known = [route for route in self.routes if route.matches(scope)[0] is not Match.NONE]
        if not known and not scope["path"].startswith(self.prefix):
            return Match.NONE, {}
        allowed = sorted({method for route in known for method in route.methods or ()})
        return Match.FULL, {"route": known[0] if known else None, "allowed": allowed}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Refuse a request."""
        if scope["allowed"]:
            raise HTTPException(405, headers={"Allow": ", ".join(scope["allowed"])})
        raise HTTPException(404)


# -- reading ---------------------------------------------------------------------------------


def read_texts(texts: Any, kind: type[msgspec.Struct]) -> Any:
    """The parts of an address: numbers and switches as one writes them."""
    hints = get_type_hints(kind, include_extras=True)
    values = {}
    for name, text in texts.items():
        if name in hints:
            values[name] = _read_text(name, text, hints[name])
        elif kind.__struct_config__.forbid_unknown_fields:
            raise Malformed(f"There is no parameter {shorten(name)}.")
    try:
        return kind(**values)
    except TypeError:  # Something is missing: addresses that match a route have all of its parts.
        raise Malformed("A parameter is missing.") from None


def _read_text(name: str, text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(text, kind)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError as error:
            raise Malformed(f"{name}: {error}.") from None


async def read_body(request: Request, kind: Any) -> Any:
    """What was sent. Only pages of our own can send JSON: others would have to ask first."""
    try:
        data = await request.body()
    except ClientDisconnect:
        if kind is Record:
            raise BadInput("The record did not arrive.", "malformed_record") from None
        raise Malformed("The request did not arrive.") from None
    if kind is Record:
        return Record(data)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON and not (media.startswith("application/") and media.endswith("+json")):
        raise Malformed(f"The body is not sent as {JSON}.")
    try:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError:
            # As JSON Schema has it, 3.0 is an integer, too.
            return msgspec.convert(_with_integers(msgspec.json.decode(data)), type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = str(error) if isinstance(error, msgspec.MsgspecError) else "it is no plain text"
        raise Malformed(f"The body cannot be read: {reason[:200]}.") from None


def _with_integers(data: Any) -> Any:
    """Plain data with integers for the floats that are some."""
    if isinstance(data, float) and data.is_integer() and abs(data) < MAX_EXACT:
        return int(data)
    if isinstance(data, list):
        return [_with_integers(part) for part in data]
    if isinstance(data, dict):
        return {name: _with_integers(part) for name, part in data.items()}
    return data


# -- OpenAPI ---------------------------------------------------------------------------------


def openapi(routes: Iterable[routing.BaseRoute]) -> dict[str, Any]:
    """The document that describes all routes."""
    ours = [route for route in routes if isinstance(route, Route)]
    bodies = [kind for route in ours if (kind := route.kinds.get("body")) not in (None, Record)]
    kinds = [Refusal, *bodies, *[route.answer for route in ours if JSON in route.media]]
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    found = {str(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in ours:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dalapapa",
            "description": "Tables without accounts; `docs/protocol.md` describes the socket."
            " A method that a path does not have is refused with 405 and `Allow`.",
            "version": __version__,
        },
        "paths": paths,
        "components": {
            "schemas": _even(components),
            "responses": _refusal_responses(found[str(Refusal)]),
        },
    }


def _even(schema: Any) -> Any:
    """A schema in which a tuple of one kind is a list: more readers know that."""
    if isinstance(schema, list):
        return [_even(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = schema.get("prefixItems")
    if isinstance(kinds, list) and all(kind == kinds[0] for kind in kinds):
        schema = {**schema, "items": kinds[0]}
        del schema["prefixItems"]
    return {name: _even(one) for name, one in schema.items()}


def _operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": route.handler.__name__.replace("_", " ").capitalize(),
        "description": " ".join((route.handler.__doc__ or "").split()),
        "operationId": f"{route.handler.__module__.rpartition('.')[2]}_{route.handler.__name__}",
    }
    parameters = [
        *_parameters(route.kinds.get("path"), "path"),
        *_parameters(route.kinds.get("query"), "query"),
    ]
    if route.token:
        schema = {"type": "string", "maxLength": MAX_TOKEN_HEADER}
        parameters.append({"name": "authorization", "in": "header", "schema": schema})
    if parameters:
        described["parameters"] = parameters
    body = route.kinds.get("body")
    if body is not None:
        form = {"type": "object"} if body is Record else schemas[str(body)]
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": form}}}
        if body is Record:
            described["requestBody"]["description"] = body.__doc__
    content = {
        media: {"schema": schemas[str(route.answer)]} if media == JSON else {}
        for media in route.media
    }
    described["responses"] = {
        str(route.status): {"description": "The answer.", "content": content},
        **{str(status): {"$ref": f"{RESPONSES}/{_name(status)}"} for status in _refusals(route)},
    }
    return described


RESPONSES = "#/components/responses"

REFUSALS = {
    400: "This is not HTTP, or does not name one host.",
    403: "It belongs to another player, or must not be seen yet.",
    404: "There is no such table, challenge, seat or page.",
    405: "This path has other methods.",
    408: "The request took too long to come.",
    409: "The rules or the state of the table do not allow it.",
    413: "The body is too long.",
    421: "The server does not answer to this host name.",
    422: "The request does not have the documented form, makes no sense, or is too hard.",
    429: "Too many requests: wait.",
    431: "The header is too long.",
    500: "The server has made a mistake.",
    501: "The server lacks an optional package.",
    503: "The server is full or busy, stops, or its database is away.",
}
"""What each status of a refusal means."""

ANYWHERE = (400, 408, 413, 421, 429, 431, 500, 503)
"""Of the connection, the limits and the server, whatever is asked for."""


def _refusals(route: Route) -> list[int]:
    """The statuses with which a route may refuse, by what it takes and gives."""
    found = {*ANYWHERE, *route.refuses}
    takes = {"path", "query", "body"} & route.kinds.keys()
    if takes or route.token:
        found.add(422)
    if "{id}" in route.path:  # A table or a challenge: gone, closed, or not at this point.
        found |= {404, 409}
    if route.token:
        found.add(403)
    return sorted(found)


def _name(status: int) -> str:
    """What a status is called in the document."""
    return HTTPStatus(status).phrase.title().replace(" ", "").replace("-", "")


def _refusal_responses(form: Any) -> dict[str, Any]:
    """The refusals that operations refer to."""
    text = {"schema": {"type": "string"}}
    headers = {
        405: {"allow": {"description": "The methods of this path.", "required": True, **text}},
        429: {"retry-after": {"description": "Seconds to wait, if known.", **text}},
    }
    return {
        _name(status): {
            "description": meaning,
            **({"headers": headers[status]} if status in headers else {}),
            "content": {JSON: {"schema": form}},
        }
        for status, meaning in REFUSALS.items()
    }


def _parameters(kind: Any, place: str) -> list[dict[str, Any]]:
    """The fields of a struct as the parameters of an address."""
    if kind is None:
        return []
    _, components = msgspec.json.schema_components([kind])
    described = components[kind.__name__]
    required = described.get("required", ())
    return [
        {"name": name, "in": place, "required": name in required, "schema": schema}
        for name, schema in described["properties"].items()
    ]
