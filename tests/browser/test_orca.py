"""Orca reads the table: what a blind player hears, who plays by the keyboard alone.

`BY_EAR=1` writes the transcript of the classic game into docs/by-ear.md.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import pytest

from dalapapa.core.tiles import standard
from tests.support.browser.dispatcher import Key, Saying
from tests.support.browser.orca import Listener
from tests.support.browser.process import Process
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "by-ear.md"
PLACE = r"row -?\d+, column -?\d+, [a-z ]+"
FACE = r"Centre [a-z]+; around it from the left end: [a-z, ]+"


@pytest.fixture(scope="module")
def orca(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listener]:
    found = Listener(tmp_path_factory.mktemp("orca"))
    yield found
    found.close()


Sit = Callable[..., Listener]


@pytest.fixture
def sit(orca: Listener, server: Process) -> Iterator[Sit]:
    """Sit down as Ann at a table, listening; and make Orca pass the keys to the page."""

    def sit(game: str, **settings: Any) -> Listener:
        usual: dict[str, Any] = {"seats": [None, "greedy"], "host": "Ann", "countdown": 0}
        new = server.ask("/tables", **{**usual, "pace": 0, "game": game, **settings})
        orca.open(f"{server.url}/t/{new['id']}#seat={new['token']}")
        orca.until("You are now playing as Ann")
        orca.answer("Insert+a", "Focus mode")
        orca.answer("Insert+a", "Focus mode is sticky")
        return orca

    yield sit
    orca.leave()


def check_speech(listener: Listener) -> None:
    """Between two keys nothing is said twice, and nothing is cut off but by a key."""
    own = listener.voice.heard[listener.opened :]
    for pressed, heard in groupby(own, lambda one: isinstance(one, Key)):
        if not pressed:
            texts = [one.text for one in heard if isinstance(one, Saying)]
            sentences = Counter(part for one in texts for part in re.split(r"(?<=[.!?]) ", one))
            twice = [one for one, count in sentences.items() if count > 1 and len(one) > 12]
            assert twice == [], texts
    assert listener.voice.cut_off() == []


def test_a_classic_turn(sit: Sit) -> None:
    ann = sit("classic")
    # Keys say what they have chosen.
    ann.answer("1", rf"Domino 1: \w+\. Front: {FACE}\. Fits in \d+ ways\.")
    ann.answer("Right", r"Row 0, column 0, to the right\.")
    ann.answer("r", r"Row 0, column 0, downwards\.")
    ann.answer("f", f"Back: {FACE}")
    ann.answer("Return", "Ann lays")
    # What the other one has done, and where; and whose turn it is.
    ann.until(rf"Nora lays.* (?i:{PLACE})\.")
    ann.until(r"Your turn: lay a domino\.$")  # In the same sentence, or after "Nora is playing."
    ann.answer("s", r"^Your turn: lay a domino\. Ann, 0 points, 2 dominoes in hand\. Nora.* bag\.$")
    ann.answer("s", r"^Your turn: lay a domino\. Ann, 0 points")  # Who asks twice hears it twice.
    # What lies on the table.
    ann.answer("w", "^The table in words")
    ann.answer("Down", "^New since your last turn: 1 expanded")
    ann.answer("Down", rf"^Nora lays.* (?i:{PLACE}): \w+, (front|back)\. Centre")
    ann.answer("Down", "^2 dominoes on the table collapsed")
    ann.answer("Return", "^expanded")
    lies = rf"^(?i:{PLACE}): \w+, (front|back)\. Centre \w+\. Above [\w, ]+\. Right [\w, ]+\. Below"
    ann.answer("Down", lies)
    ann.answer("Down", lies)
    ann.answer("Down", r"^\d+ open (edges|groups?) collapsed")
    # Back at the table: until Orca is there, L would be its own key for the next list.
    ann.answer("Escape", "Your turn – Dalapapa")
    # All places, the best first, with what they earn.
    ranked = rf"^(front|back), {PLACE}: (-?\d+) points? \("
    points = [re.search(ranked, ann.answer(key, ranked)) for key in ("l", "Down", "Down")]
    earned = [int(one[2]) for one in points if one]
    assert earned == sorted(earned, reverse=True)
    ann.answer("Return", rf"Ann, {earned[-1]} points?: .*Lay a second domino .* or end the turn\.")
    check_speech(ann)


def test_a_dialog_says_its_title_wherever_the_focus_was(sit: Sit) -> None:
    ann = sit("classic")
    ann.answer("w", r"^The table in words\.")
    ann.answer("Escape", "Dalapapa")
    ann.answer("Tab", "All possible places")
    ann.answer("w", r"^The table in words\.")


@pytest.mark.thorough
def test_a_classic_game(sit: Sit) -> None:
    """To its end, each turn laid at the best place; and written into docs/by-ear.md."""
    few = standard("120").tiles[:14]
    names = [{"name": one.name, "recto": one.face("+"), "verso": one.face("-")} for one in few]
    ann = sit("classic", options={"set": names})
    begun = len(ann.voice.heard)
    turn = "[Ll]ay a domino|take one of your dominoes|nd the turn|othing fits|The game is over"
    ann.key("s")
    while not re.search("The game is over", said := ann.until(turn)):
        ann.rest()
        if re.search("nd the turn", said):
            ann.key("e")
        elif re.search("othing fits", said):
            ann.key("p")
        else:
            ann.answer("l", PLACE)
            ann.rest()
            ann.key("Return")
    ann.until("wins?!|victory")
    ann.until(r"Ann: -?\d+ points?\. Nora: -?\d+ points?\.")
    ann.rest()
    heard = ann.voice.transcript(begun)
    assert re.search(r"Ann, -?\d+ points?: .*disc", heard)
    assert re.search(r"Nora, -?\d+ points?: .*\. Row -?\d+, column -?\d+", heard)
    check_speech(ann)
    if os.environ.get("BY_EAR"):
        text = PAGE.read_text().split("```text\n")[0]
        PAGE.write_text(f"{text}```text\n{heard}```\n")


@pytest.mark.thorough
def test_a_puzzle(sit: Sit) -> None:
    red = [{"name": f"R{i}", "recto": "RRRRRRR", "verso": "RRRRRRR"} for i in range(12)]
    ann = sit("puzzle", seats=[None], options={"set": red})
    ann.answer("s", r"^Ann, 0 of 8\.")
    for count in range(1, 9):
        ann.answer("o", r"^Row \d, column \d: \d+ domino(es)? fits? here")
        ann.answer("Return", rf"^R\d+\. {FACE}: {PLACE}")
        ann.answer("Return", rf"^In hand: R\d+, fits in \d+ ways?\. (?i:{PLACE})\.")
        ann.key("Return")
        if count < 8:
            ann.until(rf"^{count} of 8\.")
    ann.until("A frame is full, and every colour matches")
    check_speech(ann)


@pytest.mark.thorough
def test_a_round_of_alex(sit: Sit) -> None:
    ann = sit("alex")
    ann.answer("s", r"Nora announces \d+\. Do you see more\?")
    ann.answer("s", r"^Round 1\. .*Ann, 0 points\. Nora, 0 points\.")
    # A number that is too small; then the next one; then nothing more.
    ann.answer("1", r"^1: Nora announces \d+\. Do you see more\?")
    ann.answer("Return", r"^1: Nora announces \d+\.")
    ann.answer("Up", r"^Announce \d+")
    ann.answer("n", r"Ann has nothing more\. Nora lays")
    ann.until(r"Nora shows \d+ and scores \d+\.")
    ann.until("Round 2")
    check_speech(ann)
