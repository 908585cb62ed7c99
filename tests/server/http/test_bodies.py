"""Long bodies: read in turns of their address, and refused without much work."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from dalapapa.server.http import routing
from dalapapa.server.traffic.loop_share import LoopShare
from tests.support.serving import PATIENCE, served

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("is_long", [False, True])
async def test_a_long_body_is_read_in_a_turn_and_not_converted(
    monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    """Reading one takes milliseconds, and converting all its numbers ten times as many."""
    turns: list[str] = []
    converted: list[Any] = []
    run = LoopShare.run

    async def run_counted(self: LoopShare, address: str, *work: Any) -> Any:
        turns.append(address)
        return await run(self, address, *work)

    monkeypatch.setattr(LoopShare, "run", run_counted)
    monkeypatch.setattr(routing, "convert_integers", converted.append)
    more = "x" * routing.MAX_SMALL_BODY_BYTES if is_long else ""
    body = json.dumps({"position": 1, "unknown": more})
    async with (
        served() as here,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE, verify=False) as http,
    ):
        url, head = f"{here.url}/api/groups", {"content-type": "application/json"}
        answer = await http.post(url, content=body, headers=head)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert turns == ["127.0.0.1"] * is_long
    assert bool(converted) == (not is_long)
