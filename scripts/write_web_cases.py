"""Write web/test/cases.json: what Python says about some positions, for the client's own tests.

python scripts/write_web_cases.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from dalapapa.core.errors import IllegalLaying
from dalapapa.core.geometry import edge, slot_side, turn_direction
from dalapapa.core.layout import Layout
from dalapapa.core.notation import Laying, print_position
from dalapapa.core.tiles import standard
from dalapapa.kernel.solver import Frame
from dalapapa.kernel.table import Table

PAGE = Path(__file__).parents[1] / "web" / "test" / "cases.json"
LENGTHS = (1, 2, 5, 12, 25, 60)
FRAMES = ((4, 4, 0), (4, 4, 4), (6, 4, 5), (8, 10, 1), (8, 10, 12), (10, 8, 25))
"""Frames, and how many dominoes lie in them."""


def cases() -> list[dict[str, Any]]:
    """Positions of several lengths, always the same."""
    return [_case(length, random.Random(length)) for length in LENGTHS]


def _case(length: int, rng: random.Random) -> dict[str, Any]:
    names = list(standard().names)
    rng.shuffle(names)
    table = Table(standard())
    while len(table) < length:
        legal = table.legal(names.pop())
        if legal:
            table.lay(rng.choice(legal))
    asked = names.pop()
    tries = [_near(asked, rng.choice(table.layings), rng) for _ in range(24)]
    return {
        "position": print_position(table.layings),
        "layings": [_laying(laying) for laying in table.layings],
        "groups": [group.to_json() for group in table.groups()],
        "tile": asked,
        "legal": [str(laying) for laying in table.legal(asked)],
        "tries": [{"laying": str(laying), "refusal": _refusal(table, laying)} for laying in tries],
        "frame": _frame(*FRAMES[LENGTHS.index(length)], rng),
    }


def _frame(width: int, height: int, count: int, rng: random.Random) -> dict[str, Any]:
    """A frame with some dominoes, and where one more can lie in it."""
    names = list(standard().names)
    rng.shuffle(names)
    layings: list[Laying] = []
    layout = Layout(standard(), Frame.rectangle(width, height).number)
    while len(layings) < count:
        if legal := layout.legal([names.pop()]):
            layings.append(rng.choice(legal))
            layout.lay(layings[-1])
    asked = names.pop()
    return {
        "width": width,
        "height": height,
        "position": print_position(layings),
        "tile": asked,
        "legal": [str(laying) for laying in layout.legal([asked])],
    }


def _laying(laying: Laying) -> dict[str, Any]:
    """Where its cells and discs are, with their colours."""
    face = standard()[laying.tile].face(laying.side)
    sides = [slot_side(laying.x, laying.y, laying.rotation, slot) for slot in range(6)]
    return {
        "laying": str(laying),
        "cells": laying.cells,
        "centre": edge(*laying.cells[0], turn_direction(1, laying.rotation)),
        "halves": [
            {"disc": edge(*side), "direction": side[2], "colour": colour}
            for side, colour in zip(sides, face[1:], strict=True)
        ],
    }


def _near(name: str, other: Laying, rng: random.Random) -> Laying:
    """A laying beside, over or not far from another one, legal or not."""
    x, y = other.x + rng.randint(-2, 2), other.y + rng.randint(-2, 2)
    return Laying(name, rng.choice("+-"), rng.randrange(4), x, y)  # type: ignore[arg-type]


def _refusal(table: Table, laying: Laying) -> str | None:
    try:
        table.check(laying)
    except IllegalLaying as error:
        return error.code
    return None


def text() -> str:
    """The whole file."""
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    PAGE.write_text(text())
