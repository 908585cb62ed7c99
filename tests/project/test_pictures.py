"""The pictures of the client, README and docs show what is true, and what their texts say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dalapapa.core.layout import Layout
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.points import ClosedGroup, Earned
from dalapapa.core.tiles import COLOUR_NAMES, standard
from dalapapa.kernel.table import Table
from dalapapa.problems import TurnProblem, make_problem, make_request
from tests.support.paths import ROOT
from tests.support.scripting import script

SOURCES = ROOT / "web" / "src"
GAMES = SOURCES / "games"
PICTURES: dict[str, Any] = {
    path.parent.name: json.loads(path.read_text()) for path in sorted(GAMES.glob("*/picture.json"))
} | {"hero": json.loads((SOURCES / "lobby" / "hero.json").read_text())}


def laid(name: str) -> list[Laying]:
    shown = PICTURES[name]
    return [
        *parse_position(shown["position"]),
        *map(Laying.parse, filter(None, [shown.get("last")])),
    ]


def places(layings: list[Laying]) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(laying.cells) for laying in layings}


@pytest.mark.parametrize("name", [name for name in PICTURES if name != "arlequin"])
def test_every_picture_could_lie_on_a_table(name: str) -> None:
    Table(laid(name), tiles="72" if name == "72" else "120")


def test_classic_earns_nine() -> None:
    *before, last = laid("classic")
    table = Table(before)
    assert table.lay(last) == Earned(2, (ClosedGroup("Y", 7),)), "the picture says +9"
    disc = tuple(PICTURES["classic"]["disc"])
    assert [group.size for group in table.groups() if group.closed and disc in group.discs] == [7]
    assert 'text="+9"' in (GAMES / "classic" / "card.tsx").read_text()


def test_the_animation_shows_what_each_domino_earns() -> None:
    shown = PICTURES["hero"]["turns"]
    layings = laid("hero")
    table = Table(layings[: -len(shown)])
    for shown_points, laying in zip(shown, layings[-len(shown) :], strict=True):
        earned = table.lay(laying)
        assert shown_points["points"] == earned.points
        sizes = [
            group.size
            for disc in shown_points["closes"]
            for group in table.groups()
            if group.closed and tuple(disc) in group.discs
        ]
        assert sorted(sizes) == sorted(group.size for group in earned.groups)
    assert max(shown, key=lambda text: int(text["points"])) is shown[-1], "the last is the best"
    assert max(sizes) >= 6, "a group to be seen"


def test_alex_can_announce_twelve() -> None:
    best = Table(laid("alex")).best_turn(PICTURES["alex"]["hand"])
    assert best is not None
    assert best.points == 12
    assert 'text="12!"' in (GAMES / "alex" / "card.tsx").read_text()


@pytest.mark.parametrize(("name", "least"), [("conquest", 4), ("72", 5)])
def test_pieces_stand_on_large_groups(name: str, least: int) -> None:
    groups = Table(laid(name)).groups()
    marked = [
        group for mark in PICTURES[name]["marks"] for group in groups if tuple(mark) in group.discs
    ]
    assert len(marked) == len({group.colour for group in marked}) == len(PICTURES[name]["marks"])
    assert all(group.size >= least for group in marked)


@pytest.mark.parametrize(("name", "columns", "rows"), [("puzzle", 4, 4), ("arlequin", 10, 8)])
def test_frames_are_filled(name: str, columns: int, rows: int) -> None:
    frame = {(x, y) for x in range(columns) for y in range(rows)}
    layout = Layout(standard(), frame, laid(name))
    assert layout.owners.keys() == frame


def test_arlequin_is_a_pile_with_its_fronts_up() -> None:
    layings = laid("arlequin")
    assert {standard()[laying.tile].pile for laying in layings} == {1}
    assert {laying.side for laying in layings} == {"+"}


def test_pictures_are_composed_as_the_script_says() -> None:
    found = script("find_lesson")
    for name, wanted in {
        "auction": found.AUCTION, "conquest": found.CONQUEST, "puzzle": found.PUZZLE,
        "alex": found.ALEX, "72": found.SEVENTY_TWO,
    }.items():  # fmt: skip
        assert places(laid(name)) == {
            frozenset({(x, y), (x + 1 - way, y + way)}) for x, y, way in wanted
        }
    assert found.extent(laid("hero")) == found.HERO_SIZE
    assert len(laid("hero")) == found.HERO_LENGTH


# -- README and docs -----------------------------------------------------------------------------

SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+\.(?:webp|png))\)")
MAX_ANIMATION_BYTES = 1_000_000
COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
MAX_STILL_BYTES = 60_000


def find_alt_texts(page: str) -> dict[str, str]:
    """Find the text of each picture of a page, by the name of its file."""
    return {
        name.rpartition("/")[2]: alt
        for alt, name in SHOWN.findall((ROOT / page).read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize(
    ("page", "name"),
    [("README.md", "play.webp"), ("README.md", "table.webp"), ("docs/index.md", "play.webp")],
)
def test_alt_texts_say_what_the_moment_of_the_picture_earns(page: str, name: str) -> None:
    moment = json.loads((ROOT / "docs" / "pictures" / "moment.json").read_text())
    earned = Table(moment["position"]).lay(Laying.parse(moment["laying"]))
    assert earned.points == moment["points"]
    assert (earned.contacts, earned.groups[0]) == (3, ClosedGroup("R", 6))
    alt = find_alt_texts(page)[name]
    assert f"{earned.points} points" in alt
    assert re.findall(r"\d+ points", alt) == [f"{earned.points} points"]
    named = re.findall(r"(\w+) group of (\d+)", alt)
    closed = [(COLOUR_NAMES[group.colour], str(group.size)) for group in earned.groups]
    assert named == closed[: len(named)]
    if name == "play.webp":
        assert len(named) == len(closed)
        assert "three discs" in alt
        assert f"from {moment['score']} to {moment['score'] + earned.points}" in alt


def test_the_problem_of_the_picture_has_the_dominoes_that_its_text_counts() -> None:
    source = (ROOT / "scripts" / "take_screenshots.py").read_text(encoding="utf-8")
    dates = re.findall(r"/problem\?date=([\d-]+)", source)
    problem = make_problem(make_request("turn", date=dates[0]))
    assert isinstance(problem, TurnProblem)
    counts = (COUNTS[len(problem.position)], COUNTS[len(problem.hand)])
    alt = find_alt_texts("README.md")["problem.webp"]
    assert re.findall(r"(\w+) dominoes on the table, (\w+) in hand", alt) == [counts]


def test_every_picture_of_the_docs_is_shown_and_small() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        (page.parent / name).resolve()
        for page in pages
        for _, name in SHOWN.findall(page.read_text(encoding="utf-8"))
    }
    files = (ROOT / "docs").rglob("*")
    pictures = {path for path in files if path.suffix in (".webp", ".png")}
    assert pictures == shown
    for path in (ROOT / "docs" / "pictures").glob("*.webp"):
        limit = MAX_ANIMATION_BYTES if path.name == "play.webp" else MAX_STILL_BYTES
        assert path.stat().st_size <= limit, path.name
