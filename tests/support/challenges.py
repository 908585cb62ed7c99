"""Challenges at a server, and attempts at them."""

from __future__ import annotations

from typing import Any

from dalapapa.client import Server
from dalapapa.server.http.routes.challenges import ChallengeComparison, ChallengeSummary
from tests.support.online_games import play_to_the_end
from tests.support.serving import conforms

PUZZLING = {"game": "classic", "options": {"target": 60}, "pace": 0, "host": "Ann"}


async def play_against_bot(server: Server, **more: Any) -> tuple[str, str]:
    """Play a game against a bot to its end; return its table and the token of its player."""
    new = await server.create(**{**PUZZLING, "seats": ["novice", None], **more})
    await play_to_the_end(server, new["id"], new["token"])
    return new["id"], new["token"]


async def make_challenge(server: Server, **more: Any) -> tuple[str, str, str]:
    """Make a challenge; return it with its original table and the token of its player."""
    table, token = await play_against_bot(server, **more)
    made = await server.ask("POST", f"/tables/{table}/challenge", token)
    return made["id"], table, token


async def read_challenge(server: Server, id: str, token: str | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = await server.ask("GET", f"/challenges/{id}", token)
    conforms(answer, ChallengeSummary)
    return answer


async def begin_attempt(
    server: Server, id: str, token: str | None, name: str = "Bob"
) -> dict[str, Any]:
    begun: dict[str, Any] = await server.ask("POST", f"/challenges/{id}/attempts", token, name=name)
    return begun


async def compare_attempts(server: Server, id: str, token: str | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = await server.ask("GET", f"/challenges/{id}/comparison", token)
    conforms(answer, ChallengeComparison)
    return answer


async def play_challenge(server: Server, id: str, token: str, name: str = "Bob") -> str:
    """Play an attempt at a challenge to its end; return its table."""
    table: str = (await begin_attempt(server, id, token, name))["table"]
    await play_to_the_end(server, table, token)
    return table
