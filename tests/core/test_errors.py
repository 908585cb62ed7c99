"""Kinds of refusals: each code has one HTTP status, and no kind is mistaken for another."""

from __future__ import annotations

import ast
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from dalapapa.bots.external import ExternalPlayer
from dalapapa.client import Refused, RefusedForNow, Server
from dalapapa.core import errors
from dalapapa.core.errors import BadInput, DalapapaError, RuleRefusal, Unavailable
from dalapapa.hosting.refusals import find_status
from dalapapa.server.storage.writer import SqliteAppender
from tests.support.paths import ROOT
from tests.support.serving import Served, served

pytestmark = pytest.mark.anyio

SOURCE = ROOT / "src" / "dalapapa"

STATUS = {
    "in_play": 403,
    "no_spectators": 403,
    "not_finished": 403,
    "not_host": 403,
    "not_played": 403,
    "not_your_seat": 403,
    "unknown_challenge": 404,
    "unknown_page": 404,
    "unknown_seat": 404,
    "unknown_table": 404,
    "seat_taken": 409,
    "stale": 409,
    "wrong_host": 421,
    "asked_already": 429,
    "too_fast": 429,
    "too_many": 429,
    "too_many_tables": 429,
    "too_many_notices": 429,
    "too_often": 429,
    "undone_too_fast": 429,
    "no_pictures": 501,
    "broken_game": 503,
    "busy": 503,
    "cannot_start": 503,
    "damaged_table": 503,
    "database_in_use": 503,
    "full": 503,
    "lost_worker": 503,
    "no_database": 503,
    "stopping": 503,
}
"""Of every code that is neither bad input or too hard (422) nor against the rules (409)."""


def raised() -> Iterator[tuple[str, type[DalapapaError]]]:
    """Every code that stands in the source, with the kind that it is raised as."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                kind = getattr(errors, node.func.id, None)
                if isinstance(kind, type) and issubclass(kind, DalapapaError):
                    if len(node.args) == 1:
                        yield kind.default_code, kind
                    elif isinstance(node.args[1], ast.Constant):
                        yield str(node.args[1].value), kind


def test_every_code_has_its_status() -> None:
    found = set(raised())
    assert len(found) > 100
    for code, kind in found - {("cannot_start", errors.BadOptions)}:
        of_kind = 422 if issubclass(kind, BadInput | errors.TooHard) else 409
        assert find_status(kind) == STATUS.get(code, of_kind), (code, kind)
    assert STATUS.keys() <= {code for code, _ in found}


def test_no_kind_is_another() -> None:
    families = (BadInput, RuleRefusal, errors.NotFound, errors.Forbidden, errors.TooMany,
                errors.TooHard, errors.BrokenGame, errors.MissingExtra, Unavailable)  # fmt: skip
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if kind is not DalapapaError and issubclass(kind, DalapapaError):
            assert sum(issubclass(kind, family) for family in families) == 1, name


# -- a lost database ------------------------------------------------------------------------------


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served() as here:
        yield here


async def away(*_args: object, **_more: object) -> Any:
    raise OSError("the cable is out")


def lose_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, no statement is answered."""
    monkeypatch.setattr(AsyncConnection, "execute", away)
    for method in ("add", "create"):
        monkeypatch.setattr(SqliteAppender, method, away)


NO_DATABASE = {"code": "no_database", "message": "The database does not answer: try again."}


async def test_a_lost_database_during_a_move(here: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
        path = f"/tables/{new['id']}/moves"
        async with server.watch(new["id"], new["token"]) as seat:
            (move, *_) = await seat.legal()
            with monkeypatch.context() as patch:
                lose_database(patch)
                with pytest.raises(RefusedForNow) as refused:
                    await seat.move(move)
                assert (refused.value.code, str(refused.value)) == tuple(NO_DATABASE.values())
                for wanted in ({"move": move}, {"move": {**move, "laying": "nonsense"}}):
                    response = await server.http.post(path, json=wanted)
                    assert (response.status_code, response.json()) == (503, NO_DATABASE)
            await seat.move(move)


async def test_a_lost_database_during_a_hand_and_a_question(
    here: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann")
        id = new["id"]
        lose_database(monkeypatch)
        asked = (
            ("GET", f"/tables/{id}"), ("GET", f"/tables/{id}/history"), ("GET", "/tables"),
            ("GET", f"/tables/{id}/review"), ("GET", f"/tables/{id}/picture.svg"),
            ("POST", f"/tables/{id}/seats/1"), ("POST", f"/tables/{id}/rematch"),
            ("POST", "/tables"),
        )  # fmt: skip
        for method, path in asked:
            body = {"name": "Eve"} if "seats" in path else {}
            response = await server.http.request(
                method, path, json=body if method == "POST" else None
            )
            assert (response.status_code, response.json()) == (503, NO_DATABASE), path
        best = {"hand": ["CRYGB"]}  # A question that needs no table is answered all the same.
        assert (await server.http.post("/best", json=best)).status_code == 200
        with pytest.raises(RefusedForNow):
            await server.watch(id).__aenter__()


async def test_a_bot_is_not_blamed_for_a_lost_database() -> None:
    """A server that cannot answer now is no failure of the caller."""
    reports: list[str] = []
    guest = ExternalPlayer(["true"], {"seconds": 1}, reports.append)

    class Lines:
        async def ask(self, _question: object, _seconds: float) -> dict[str, Any]:
            return {"move": {"player": 0, "move": "end"}}

    async def start() -> None:
        return None

    async def make(_move: dict[str, Any]) -> None:
        raise RefusedForNow("The database does not answer: try again.", "no_database")

    guest.process = Lines()  # type: ignore[assignment]
    guest.start = start  # type: ignore[assignment, method-assign]
    with pytest.raises(Unavailable):
        await guest.play({}, [{"player": 0, "move": "end"}], [], make)
    assert (guest.failures, reports) == (0, [])


async def test_the_client_knows_which_refusals_are_temporary() -> None:
    kinds = {"busy", "full", "no_database", "stopping"}
    assert {code for code, status in STATUS.items() if status == 503} == kinds | {
        "broken_game",
        "cannot_start",
        "damaged_table",
        "database_in_use",
        "lost_worker",
    }
    answers = iter([*kinds, "stale"])

    def refuse(_: httpx.Request) -> httpx.Response:
        return httpx.Response(503, json={"code": next(answers), "message": "No."})

    async with Server("http://localhost") as server:
        await server.http.aclose()
        server.http = httpx.AsyncClient(
            transport=httpx.MockTransport(refuse), base_url="http://localhost/api"
        )
        for code in (*kinds, "stale"):
            with pytest.raises(Refused) as caught:
                await server.ask("GET", "/games")
            assert caught.value.code == code
            assert isinstance(caught.value, Unavailable) == (code in kinds)
