"""Games and other questions whose answers are the same wherever the engine runs."""

from __future__ import annotations

from typing import Any

from dalapapa.bots.registry import list_bots
from dalapapa.games import REGISTRY
from tests.support.engine import Question, ask

SECONDS = 0.05
"""The time of bots for a turn: they count work and not time, so that it only bounds the test."""

POSITION = "PRYGB+0@0,0"


def list_games() -> list[Question]:
    """A game of every kind for each of our bots, against another one, with a fixed seed."""
    return [
        ("simulate", make_game(name, bot))
        for name, game in REGISTRY.items()
        for bot in list_bots(game)
    ]


def make_game(game: str, bot: str) -> dict[str, Any]:
    players = [bot, "novice", *["random"] * (REGISTRY[game].seats[0] - 2)]
    return {"game": game, "players": players, "seed": f"{game} {bot}", "seconds": SECONDS}


def list_questions() -> list[Question]:
    """Questions about positions, problems and records."""
    record = ask("simulate", **make_game("classic", "medium"))
    return [
        ("legal", {"tiles": ["BYRGB", "ZGBRY"], "position": POSITION}),
        ("best", {"hand": ["BYRGB", "ZGBRY"], "position": POSITION, "top": 5}),
        ("solve", {"pile": 1, "count": 2}),
        ("problem", {"date": "2026-11-19", "solution": True}),
        ("problem", {"kind": "frame", "date": "2026-11-22", "solution": True}),
        ("verify", {"record": record}),
        ("review", {"record": record, "seconds": 0.02, "language": "fr"}),
        ("verify", {"record": record.replace('"points": 1', '"points": 2')}),
        ("run_examples", {"sessions": [">>> from dalapapa import Table", ">>> Table()"]}),
        ("best", {"hand": ["QQQQQ"]}),
    ]
