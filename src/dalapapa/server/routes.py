"""Routes declared once: what is sent, what comes back, and from that the OpenAPI document.

A route is a function of a `Call` and, as far as it names them, of `path`, `query` and `body`:
structs which say what is allowed. What it gives is the answer; `bytes` are JSON that a worker has
written, of the form that `answer` names, or of another media type; so is what is `Packed`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, get_type_hints

import msgspec
from starlette import routing
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from .. import __version__
from ..errors import BadInput, Malformed
from ..notation import shortened
from .calls import MAX_TOKEN, Call
from .packed import MIN_ASIDE, Packed, PackedResponse, pack

JSON = "application/json"

PACKED_MEDIA = (JSON, "image/svg+xml")

MAX_EXACT = 2**53
"""Beyond, a float is no certain integer."""

Handler = Callable[..., Awaitable[Any]]


class Refusal(msgspec.Struct, omit_defaults=True):
    """Why something was not done."""

    code: str
    message: str
    values: dict[str, float] = {}
    """Figures of the sentence, if there are any."""


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
        if isinstance(answer, Packed):
            return PackedResponse(request, answer, self.status, self.headers, self.media[0])
        data = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
        if len(data) >= MIN_ASIDE and self.media[0] in PACKED_MEDIA:
            packed = await pack(data)
            return PackedResponse(request, packed, self.status, self.headers, self.media[0])
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


# -- reading ---------------------------------------------------------------------------------


def read_texts(texts: Any, kind: type[msgspec.Struct]) -> Any:
    """The parts of an address: numbers and switches as one writes them."""
    hints = get_type_hints(kind, include_extras=True)
    values = {}
    for name, text in texts.items():
        if name in hints:
            values[name] = _read_text(name, text, hints[name])
        elif kind.__struct_config__.forbid_unknown_fields:
            raise Malformed(f"There is no parameter {shortened(name)}.")
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
            "description": "Tables without accounts; `docs/protocol.md` tells of the socket.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": _even(components)},
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
        schema = {"type": "string", "maxLength": MAX_TOKEN}
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
    refused = {"content": {JSON: {"schema": schemas[str(Refusal)]}}}
    described["responses"] = {
        str(route.status): {"description": "The answer.", "content": content},
        "4XX": {"description": "Refused.", **refused},
        "503": {
            "description": "The server is full or busy, or its database is away.",
            **refused,
        },
    }
    return described


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
