"""The OpenAPI document and the server agree: every route, every method, every refusal of HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from dalapapa.server.app import ROUTES
from dalapapa.server.http.openapi import build_openapi
from dalapapa.server.runtime.request_limits import HEADER_TIMEOUT_S, MAX_HEADER_BYTES
from dalapapa.server.traffic.limits import MAX_BODY_BYTES
from tests.support.serving import PATIENCE, LateClock, Served, served
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
PATHS: dict[str, dict[str, Any]] = build_openapi(ROUTES)["paths"]
OPERATIONS = [(path, method) for path, found in PATHS.items() for method in found]


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served(solver_seconds=0.1) as here:
        yield here


@pytest.fixture
async def http(here: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        base_url=here.url, timeout=PATIENCE, trust_env=False, follow_redirects=False, verify=False
    ) as client:
        yield client


def filled(path: str, table: str = "x") -> str:
    """A path with something in the place of its parameters."""
    for name, value in (("id", table), ("seat", "0"), ("kind", "svg"), ("game", "classic")):
        path = path.replace(f"{{{name}}}", value)
    return path.replace("{key}", "some-key")


def documented(path: str, method: str) -> set[str]:
    return set(PATHS[path][method.lower()]["responses"])


# -- methods -------------------------------------------------------------------------------------


async def test_every_method_of_every_route_is_answered_as_documented(
    http: httpx.AsyncClient,
) -> None:
    """A method that is not documented gets 405, and `Allow` has those that are."""
    made = await http.post("/api/tables", json={"host": "Ann", "seats": [None, None]})
    different: list[str] = []
    for path, operations in PATHS.items():
        allowed = {method.upper() for method in operations}
        for table in dict.fromkeys((filled(path), filled(path, made.json()["id"]))):
            for method in METHODS if table == filled(path) else allowed:
                answer = await http.request(method, table)
                given = {one.strip() for one in answer.headers.get("allow", "").split(",")} - {""}
                what = f"{method} {path}: {answer.status_code}, Allow {sorted(given)}"
                if method in allowed:
                    right = str(answer.status_code) in documented(path, method) and not given
                else:
                    right = answer.status_code == 405 and given == allowed
                    right &= method == "HEAD" or answer.json()["code"] == "http"
                if not right:
                    different.append(what)
    assert different == []


async def test_paths_that_do_not_exist_are_not_found_with_any_method(
    http: httpx.AsyncClient,
) -> None:
    for path in ("/api/", "/api/nothing", "/api/tables/", "/api/tables/x/y/z", "/api/games.json",
                 "/api//games", "/api/tables/x/seats"):  # fmt: skip
        for method in METHODS:
            answer = await http.request(method, path)
            assert answer.status_code == 404, (method, path)
            assert "location" not in answer.headers
            assert "allow" not in answer.headers


async def test_pages_and_the_document_itself_say_what_they_allow(http: httpx.AsyncClient) -> None:
    for path in ("/", "/t/x", "/assets/x.js", "/robots.txt", "/api/openapi.json"):
        for method in METHODS[1:]:
            answer = await http.request(method, path)
            assert (answer.status_code, answer.headers["allow"]) == (405, "GET"), (method, path)


# -- refusals of HTTP ----------------------------------------------------------------------------


async def raw(here: Served, data: bytes) -> int:
    """The status of an answer to some bytes."""
    port = int(here.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        line = await asyncio.wait_for(reader.readline(), PATIENCE)
        return int(line.split()[1])
    finally:
        writer.close()


async def test_refusals_before_routing_are_documented_for_every_route(here: Served) -> None:
    port = here.url.rpartition(":")[2].encode()
    own = b"Host: 127.0.0.1:" + port + b"\r\n"
    for path, method in OPERATIONS:
        line = f"{method.upper()} {filled(path)} HTTP/1.1\r\n".encode()
        length = f"Content-Length: {MAX_BODY_BYTES + 1}\r\n".encode()
        for status, request in (
            (400, line + own + own + b"\r\n"),
            (413, line + own + length + b"\r\n"),
            (421, line + b"Host: evil.example\r\n\r\n"),
            (431, line + own + b"X: " + b"x" * 2 * MAX_HEADER_BYTES + b"\r\n\r\n"),
        ):
            assert await raw(here, request) == status, (method, path)
            assert str(status) in documented(path, method), (method, path, status)
        assert {"408", "429", "500", "503"} <= documented(path, method)


async def test_slow_requests_and_floods_are_documented() -> None:
    clock = LateClock()
    async with served(None, clock, requests_at_once=1, requests_per_second=0) as here:
        port = here.url.rpartition(":")[2].encode()
        own = b"Host: 127.0.0.1:" + port + b"\r\n\r\n"
        assert await raw(here, b"GET /api/games HTTP/1.1\r\n" + own) == 200
        for path, method in OPERATIONS:
            line = f"{method.upper()} {filled(path)} HTTP/1.1\r\n".encode()
            assert await raw(here, line + own) == 429, "it may ask once"
        await wait_until(lambda: not here.services.gate.open, "the end of all connections")
        slow = asyncio.create_task(raw(here, b"GET /api/games HTTP/1.1\r\n"))
        await wait_until(lambda: here.services.gate.open, "a request that has begun")
        clock.ahead += 1000 * (HEADER_TIMEOUT_S + 1)
        assert await slow == 408


def test_refusals_have_one_form_and_their_headers() -> None:
    document = build_openapi(ROUTES)
    responses = document["components"]["responses"]
    for path, method in OPERATIONS:
        for status, response in PATHS[path][method]["responses"].items():
            if status in ("200", "201"):
                continue
            name = response["$ref"].rpartition("/")[2]
            form = responses[name]["content"]["application/json"]["schema"]
            assert form == {"$ref": "#/components/schemas/Refusal"}
    assert "retry-after" in responses["TooManyRequests"]["headers"]
    assert "allow" in responses["MethodNotAllowed"]["headers"]
    json.dumps(document)


def test_no_operation_documents_a_family_of_statuses() -> None:
    for path, method in OPERATIONS:
        assert all(status.isdigit() for status in documented(path, method))
