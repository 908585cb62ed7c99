"""The OpenAPI document, which is generated from the routes."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec
from starlette import routing

from ... import __version__
from ..schemas import Refusal
from .context import MAX_TOKEN_HEADER
from .routing import JSON, RecordBody, Route


def build_openapi(routes: Iterable[routing.BaseRoute]) -> dict[str, Any]:
    """The OpenAPI document of all routes."""
    described = [route for route in routes if isinstance(route, Route)]
    bodies = [route.kinds.get("body") for route in described]
    bodies = [kind for kind in bodies if kind not in (None, RecordBody)]
    kinds = [Refusal, *bodies, *[route.answer for route in described if JSON in route.media]]
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    schema_by_kind = {str(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in described:
        operation = _describe_operation(route, schema_by_kind)
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dalapapa",
            "description": (
                "Tables without accounts; `docs/socket.md` describes the socket. The server"
                " refuses a method that a path does not have with 405 and `Allow`."
            ),
            "version": __version__,
        },
        "paths": paths,
        "components": {
            "schemas": _simplify(components),
            "responses": _describe_refusals(schema_by_kind[str(Refusal)]),
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


def _describe_operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": route.handler.__name__.replace("_", " ").capitalize(),
        "description": " ".join((route.handler.__doc__ or "").split()),
        "operationId": f"{route.handler.__module__.rpartition('.')[2]}_{route.handler.__name__}",
    }
    parameters = []
    for place in ("path", "query"):
        parameters += _describe_parameters(route.kinds.get(place), place)
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
    responses = {str(route.status): {"description": "The answer.", "content": content}}
    for status in _list_refusals(route):
        responses[str(status)] = {"$ref": f"#/components/responses/{_component_name(status)}"}
    return {**described, "responses": responses}


REFUSALS = {
    400: "This is not HTTP, or does not name exactly one host.",
    403: "It belongs to another player, or is not visible yet.",
    404: "There is no such table, challenge, seat or page.",
    405: "The path does not have this method.",
    408: "The request took too long to arrive.",
    409: "The rules or the state of the table do not allow it.",
    413: "The body is too long.",
    421: "The server does not answer to this host name.",
    422: "The request does not have the documented form, makes no sense, or is too hard.",
    429: "Too many requests: wait.",
    431: "The header is too long.",
    500: "The server failed.",
    501: "The server lacks an optional package.",
    503: "The server is full, busy or stopping, or its database is not available.",
}

COMMON_REFUSALS = (400, 408, 413, 421, 429, 431, 500, 503)
"""Statuses of refusals by the connection, the limits and the server, on all routes."""


def _list_refusals(route: Route) -> list[int]:
    """The statuses with which a route may refuse, by its parameters."""
    statuses = {*COMMON_REFUSALS, *route.refuses}
    takes = {"path", "query", "body"} & route.kinds.keys()
    if takes or route.token:
        statuses.add(422)
    if "{id}" in route.path:  # A table or a challenge: gone, closed, or in another state.
        statuses |= {404, 409}
    if route.token:
        statuses.add(403)
    return sorted(statuses)


def _component_name(status: int) -> str:
    return HTTPStatus(status).phrase.title().replace(" ", "").replace("-", "")


def _describe_refusals(form: Any) -> dict[str, Any]:
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


def _describe_parameters(kind: Any, place: str) -> list[dict[str, Any]]:
    if kind is None:
        return []
    _, components = msgspec.json.schema_components([kind])
    described = components[kind.__name__]
    required = described.get("required", ())
    return [
        {"name": name, "in": place, "required": name in required, "schema": schema}
        for name, schema in described["properties"].items()
    ]
