"""Routes, and the OpenAPI document that is generated from them.

A handler takes an `ApiCall` and, if it names them, `path`, `query` and `body`: structs that define
the allowed values. Its result is the answer. `bytes` and `Payload` are JSON that a worker has
encoded, in the form of `answer`, or content of another media type.
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
from .context import MAX_TOKEN_HEADER, ApiCall

JSON = "application/json"

COMPRESSED_MEDIA = (JSON, "image/svg+xml")

MAX_EXACT = 2**53
"""Larger floats do not represent all integers."""

Handler = Callable[..., Awaitable[Any]]


class RecordBody(msgspec.Struct):
    """A record (docs/records.md), which a worker decodes."""

    data: bytes


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
        """Statuses of refusals in addition to those that `_list_refusals` finds."""

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
            arguments["body"] = await read_body(request, self.kinds["body"])
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
        """Match requests for known paths, and for paths below the prefix."""
        if scope["type"] != "http":
            return Match.NONE, {}
        known = [route for route in self.routes if route.matches(scope)[0] is not Match.NONE]
        if not known and not scope["path"].startswith(self.prefix):
            return Match.NONE, {}
        allowed = sorted({method for route in known for method in route.methods or ()})
        return Match.FULL, {"route": known[0] if known else None, "allowed": allowed}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Refuse the request."""
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
        raise Malformed("A parameter is missing.") from None


def _read_parameter(name: str, text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(text, kind)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError as error:
            raise Malformed(f"{name}: {error}.") from None


async def read_body(request: Request, kind: Any) -> Any:
    """The body. Requests must declare JSON, because pages of other origins cannot send it."""
    try:
        data = await request.body()
    except ClientDisconnect:
        if kind is RecordBody:
            raise BadInput("The record did not arrive.", "malformed_record") from None
        raise Malformed("The request did not arrive.") from None
    if kind is RecordBody:
        return RecordBody(data)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON and not (media.startswith("application/") and media.endswith("+json")):
        raise Malformed(f"The body is not sent as {JSON}.")
    try:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError:
            # In JSON Schema, 3.0 is an integer, too.
            return msgspec.convert(_convert_integers(msgspec.json.decode(data)), type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = str(error) if isinstance(error, msgspec.MsgspecError) else "it is no plain text"
        raise Malformed(f"The body cannot be read: {reason[:200]}.") from None


def _convert_integers(data: Any) -> Any:
    """The same data with integers instead of floats that have an integer value."""
    if isinstance(data, float) and data.is_integer() and abs(data) < MAX_EXACT:
        return int(data)
    if isinstance(data, list):
        return [_convert_integers(part) for part in data]
    if isinstance(data, dict):
        return {name: _convert_integers(part) for name, part in data.items()}
    return data


# -- OpenAPI ---------------------------------------------------------------------------------


def build_openapi(routes: Iterable[routing.BaseRoute]) -> dict[str, Any]:
    """The OpenAPI document of all routes."""
    described = [route for route in routes if isinstance(route, Route)]
    bodies = [
        kind for route in described if (kind := route.kinds.get("body")) not in (None, RecordBody)
    ]
    kinds = [Refusal, *bodies, *[route.answer for route in described if JSON in route.media]]
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    found = {str(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in described:
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
            "schemas": _simplify(components),
            "responses": _refusal_responses(found[str(Refusal)]),
        },
    }


def _simplify(schema: Any) -> Any:
    """A schema with lists instead of tuples of one kind, which more tools understand."""
    if isinstance(schema, list):
        return [_simplify(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = schema.get("prefixItems")
    if isinstance(kinds, list) and all(kind == kinds[0] for kind in kinds):
        schema = {**schema, "items": kinds[0]}
        del schema["prefixItems"]
    return {name: _simplify(part) for name, part in schema.items()}


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
        form = {"type": "object"} if body is RecordBody else schemas[str(body)]
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": form}}}
        if body is RecordBody:
            described["requestBody"]["description"] = body.__doc__
    content = {
        media: {"schema": schemas[str(route.answer)]} if media == JSON else {}
        for media in route.media
    }
    described["responses"] = {
        str(route.status): {"description": "The answer.", "content": content},
        **{
            str(status): {"$ref": f"{RESPONSES}/{_component_name(status)}"}
            for status in _list_refusals(route)
        },
    }
    return described


RESPONSES = "#/components/responses"

REFUSALS = {
    400: "This is not HTTP, or does not name exactly one host.",
    403: "It belongs to another player, or is not visible yet.",
    404: "There is no such table, challenge, seat or page.",
    405: "The path has other methods.",
    408: "The request took too long to arrive.",
    409: "The rules or the state of the table do not allow it.",
    413: "The body is too long.",
    421: "The server does not answer to this host name.",
    422: "The request does not have the documented form, makes no sense, or is too hard.",
    429: "Too many requests: wait.",
    431: "The header is too long.",
    500: "The server has made a mistake.",
    501: "The server lacks an optional package.",
    503: "The server is full, busy or stopping, or its database is not available.",
}
"""The description of each status of a refusal."""

COMMON_REFUSALS = (400, 408, 413, 421, 429, 431, 500, 503)
"""Statuses of refusals by the connection, the limits and the server, on all routes."""


def _list_refusals(route: Route) -> list[int]:
    """The statuses with which a route may refuse, by its parameters."""
    found = {*COMMON_REFUSALS, *route.refuses}
    takes = {"path", "query", "body"} & route.kinds.keys()
    if takes or route.token:
        found.add(422)
    if "{id}" in route.path:  # A table or a challenge: gone, closed, or in another state.
        found |= {404, 409}
    if route.token:
        found.add(403)
    return sorted(found)


def _component_name(status: int) -> str:
    """The name of the component for a status."""
    return HTTPStatus(status).phrase.title().replace(" ", "").replace("-", "")


def _refusal_responses(form: Any) -> dict[str, Any]:
    """The components for refusals, which operations refer to."""
    text = {"schema": {"type": "string"}}
    headers = {
        405: {"allow": {"description": "The methods of this path.", "required": True, **text}},
        429: {"retry-after": {"description": "Seconds to wait, if known.", **text}},
    }
    return {
        _component_name(status): {
            "description": meaning,
            **({"headers": headers[status]} if status in headers else {}),
            "content": {JSON: {"schema": form}},
        }
        for status, meaning in REFUSALS.items()
    }


def _parameters(kind: Any, place: str) -> list[dict[str, Any]]:
    """The fields of a struct as parameters of a path or a query."""
    if kind is None:
        return []
    _, components = msgspec.json.schema_components([kind])
    described = components[kind.__name__]
    required = described.get("required", ())
    return [
        {"name": name, "in": place, "required": name in required, "schema": schema}
        for name, schema in described["properties"].items()
    ]
