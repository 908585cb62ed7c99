"""Orca reads the table: what a blind player hears, who plays by the keyboard alone.

`BY_EAR=1` writes the transcript of the classic game into docs/by-ear.md.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orca import Listener
from process import Process

pytestmark = [pytest.mark.thorough, pytest.mark.waits]

PAGE = Path(__file__).parents[2] / "docs" / "by-ear.md"
LAY = r"[Ll]ay a domino|take one of your dominoes|Lay your first domino"
PLACE = r"(front|back), row -?\d+, column -?\d+"


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    found = Listener(tmp_path)
    yield found
    found.close()


Sit = Callable[..., None]


@pytest.fixture
def sit(listener: Listener, own_server: Process) -> Sit:
    """Sit down as Ann at a table, listening; and tell Orca that the keys are for the page."""

    def sit(game: str, **settings: Any) -> None:
        usual: dict[str, Any] = {"seats": [None, "greedy"], "host": "Ann", "countdown": 0}
        new = own_server.ask("/tables", **{**usual, "pace": 0, "game": game, **settings})
        listener.open(f"{own_server.url}/t/{new['id']}#seat={new['token']}")
        listener.until("You are playing as Ann")
        for mode in ("Focus mode", "Focus mode is sticky"):
            listener.key("Insert+a")
            listener.until(mode)

    return sit


def well_told(listener: Listener) -> None:
    """Nothing is said twice in a row, and nothing is cut off but by a key."""
    lines = [one.text for one in listener.voice.sayings]
    assert [a for a, b in itertools.pairwise(lines) if a == b and len(a) > 12] == []
    assert [one.text for one in listener.voice.cut_off()] == []


def test_a_turn_with_every_key(listener: Listener, sit: Sit) -> None:
    sit("classic")
    listener.answer("1", r"Domino 1: \w+\. Front: Centre \w+; .* Fits in \d+ ways?\.")
    listener.answer("Right", "Row 0, column 0, to the right")
    listener.answer("r", "Row 0, column 0, downwards")
    listener.answer("f", "Back: Centre")
    listener.answer("Return", "Ann lays a domino")
    listener.heard = 0
    listener.until(r"Row -?\d+, column -?\d+.* Your turn: lay a domino")
    listener.answer("s", r"Your turn.* Ann, 0 points, 2 dominoes in hand.* in the bag")
    # The table in words: each heading says how much there is.
    listener.answer("w", "The table in words")
    listener.answer("Tab", "Close")
    listener.answer("Tab", "New since your last turn: 1 expanded")
    listener.answer("Escape", "The table with 2 dominoes")
    # All places, the best first, with what they earn.
    listener.answer("l", PLACE + r", [a-z ]+: \d+ points? \(")
    well_told(listener)


def test_a_classic_game_by_ear(listener: Listener, sit: Sit) -> None:
    sit("classic", options={"target": 20})
    listener.heard = 0
    while True:
        said = listener.until(f"{LAY}|nd the turn|Nothing fits|The game is over")
        if "The game is over" in said:
            break
        if re.search("nd the turn", said):
            listener.key("e")
        elif re.search(LAY, said):
            listener.answer("l", PLACE)
            listener.key("Return")
        else:
            listener.key("p")
    listener.until("win")
    listener.until(r"Ann: -?\d+ points?\.")
    well_told(listener)
    heard = "\n".join(one.text for one in listener.voice.sayings)
    assert re.search(r"Ann, -?\d+ points?: .*disc", heard)
    assert re.search(r"Nora, -?\d+ points?: .*\. Row -?\d+, column -?\d+", heard)
    if os.environ.get("BY_EAR"):
        text = PAGE.read_text().split("```text\n")[0]
        PAGE.write_text(f"{text}```text\n{listener.voice.transcript()}```\n")


def test_a_puzzle_by_ear(listener: Listener, sit: Sit) -> None:
    sit("puzzle", seats=[None], options={"width": 2, "height": 2})
    for _ in range(2):
        listener.answer("o", r"Row \d, column \d: \d+ domino(es)? fits? here")
        listener.answer("Return", r"row \d, column \d")
        listener.answer("Return", r"In hand: \w+, fits in \d+ ways?")
        listener.key("Return")
    listener.until("You did it|win")
    listener.until("A frame is full, and every colour matches")
    well_told(listener)


def test_a_round_of_alex_by_ear(listener: Listener, sit: Sit) -> None:
    sit("alex", options={"sandglass": 10})
    listener.answer("s", r"Round 1 .*Ann, 0 points")
    listener.answer("n", "Ann|Nora")
    listener.until("Round 2")
    well_told(listener)
