"""Problems: clearly best turns, single solutions, grades that mean something; for ever the same."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa.bots import LEVELS
from dalapapa.bots.bot import Time
from dalapapa.core.errors import BadInput, DalapapaError
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.tiles import standard
from dalapapa.kernel.solver import Frame, solve
from dalapapa.printing import print_options
from dalapapa.printing.pages.problems import problem_sheets
from dalapapa.printing.sheet import WHITE
from dalapapa.printing.sheet import Path as Line
from dalapapa.problems import (
    FrameProblem,
    TurnProblem,
    make_problem,
    make_request,
    parse_date,
    problem_to_json,
)
from dalapapa.problems.frames import FRAME_SIZES, GIVEN, is_unique, list_images, map_colours
from dalapapa.problems.turns import CHANCES, GAP, chance_to_find
from dalapapa.problems.turns import TABLE_SIZES as TABLE_SIZES
from tests.support import command_line, naive
from tests.support.serving import PATIENCE, in_thread
from tests.support.thoroughness import THOROUGH

WEEK = [f"2026-11-{day}" for day in range(16, 23)]
"""From a Monday on: every grade is there."""
SEEDS = ("one", "two", "three")
GRADES = (1, 2, 3, 4, 5)
TILES = standard()


def turn_of(grade: int, seed: str) -> TurnProblem:
    found = make_problem(make_request("turn", seed=seed, grade=grade))
    assert isinstance(found, TurnProblem)
    return found


def frame_of(grade: int, seed: str) -> FrameProblem:
    found = make_problem(make_request("frame", seed=seed, grade=grade))
    assert isinstance(found, FrameProblem)
    return found


# -- turns ---------------------------------------------------------------------------------------


def test_one_turn_is_clearly_the_best_as_the_rules_alone_say() -> None:
    problem = make_problem(make_request(date=WEEK[1]))
    assert isinstance(problem, TurnProblem)
    check_best(problem, naive.turns(TILES, problem.position, problem.hand))


@pytest.mark.parametrize("grade", GRADES)
def test_one_turn_is_clearly_the_best(grade: int) -> None:
    problem = turn_of(grade, "one")
    every = problem.table.best_turns(problem.hand, 1_000_000)
    check_best(problem, [(turn.points, list(map(str, turn.layings))) for turn in every])
    least, most = TABLE_SIZES[grade - 1]
    assert least <= len(problem.position) <= most + 1
    assert len(set(problem.hand)) == 2


def check_best(problem: TurnProblem, turns: list[tuple[int, list[str]]]) -> None:
    """Every other table is worth less, by the gap; the best turn is the stated one."""
    best = problem.solution
    same = [points for points, turn in turns if set(turn) == set(map(str, best.layings))]
    others = [points for points, turn in turns if set(turn) != set(map(str, best.layings))]
    assert max(same) == best.points
    assert best.points - max(others) == problem.gap >= GAP


def test_a_table_comes_from_a_game() -> None:
    """Every laying is legal; the same ones in the same order make the best turn again."""
    problem = turn_of(3, "one")
    assert problem.table.best_turn(problem.hand) == problem.solution


def test_grades_are_bands_of_the_chance() -> None:
    for grade, (least, below) in zip(GRADES, CHANCES, strict=True):
        for seed in SEEDS:
            problem = turn_of(grade, seed)
            assert least <= problem.chance < below
            assert (
                chance_to_find(problem.table, problem.hand, problem.solution.layings)
                <= problem.chance
            )
    assert [least for least, _ in CHANCES[:-1]] == [below for _, below in CHANCES[1:]]


def test_the_higher_the_grade_the_fewer_find_it() -> None:
    """Measured with a beginner who knows nothing of the model that grades."""

    def found(problem: TurnProblem, run: int) -> bool:
        sight = LEVELS["easy"].sight(Time(), f"{problem.seed}/{run}")
        turn = sight.best(problem.table, problem.hand)
        return turn is not None and turn.points == problem.solution.points

    shares = [
        mean(found(turn_of(grade, seed), run) for seed in SEEDS for run in range(20))
        for grade in GRADES
    ]
    assert shares[0] > shares[2] > shares[4]
    assert min(shares[:2]) > max(shares[3:])


def test_a_turn_is_judged() -> None:
    problem = turn_of(5, "one")
    best = problem.try_turn(problem.solution.layings)
    assert (best.more, best.points) == (0, problem.solution.points)
    first = problem.try_turn(problem.solution.layings[:1])
    assert first.more >= problem.gap
    assert first.points == first.earned[0].points
    assert not first.other_order
    backwards = problem.try_turn(problem.solution.layings[::-1])
    assert (backwards.more, backwards.other_order) == (1, True)
    assert not turn_of(4, "one").try_turn(turn_of(4, "one").solution.layings[::-1]).other_order
    refused: list[tuple[Sequence[Laying], str]] = [
        ((), "bad_turn"),
        (problem.solution.layings * 2, "bad_turn"),
        ((problem.position[0],), "not_in_hand"),
        ((Laying(problem.hand[0], "+", 0, 500, 500),), "no_contact"),
        (problem.solution.layings[:1] * 2, "already_laid"),
    ]
    for layings, code in refused:
        with pytest.raises(DalapapaError) as error:
            problem.try_turn(layings)
        assert error.value.code == code


# -- frames --------------------------------------------------------------------------------------


def turned(laying: Laying, size: tuple[int, int], quarters: int) -> Laying:
    """A laying after its frame was turned by a half-turn, or a square one by quarter-turns."""
    columns, rows = size
    x, y = laying.x, laying.y
    if quarters == 2:
        x, y = columns - 1 - x, rows - 1 - y
    else:
        for _ in range(quarters):
            x, y = rows - 1 - y, x
    return Laying(laying.tile, laying.side, (laying.rotation + quarters) % 4, x, y)


@pytest.mark.parametrize("grade", GRADES)
def test_a_frame_has_one_solution(grade: int) -> None:
    """The solver lists them all; those that are not the same are the same turned."""
    for seed in SEEDS[: 2 if THOROUGH else 1]:
        problem = frame_of(grade, seed)
        size = problem.size
        assert size == FRAME_SIZES[grade - 1]
        assert len(problem.position) == GIVEN[grade - 1]
        assert sorted(laying.tile for laying in problem.solution) == list(problem.tiles)
        assert set(problem.position) <= set(problem.solution)
        found = solve(
            Frame.rectangle(*size), TILES, problem.tiles, problem.position, count=None
        )  # fmt: skip
        assert found.complete
        quarters = (0, 1, 2, 3) if size[0] == size[1] else (0, 2)
        expected = {
            frozenset(turned(laying, size, turns) for laying in problem.solution)
            for turns in (quarters if not problem.position else (0,))
        }
        assert {frozenset(layout) for layout in found.solutions} == expected


def test_a_small_frame_has_one_solution_as_the_rules_alone_say() -> None:
    problem = frame_of(1, "one")
    columns, rows = problem.size
    layings = [
        Laying(tile, side, rotation, x, y)
        for tile in problem.tiles
        for side in naive.SIDES
        for rotation in range(4)
        for x in range(columns)
        for y in range(rows)
    ]
    inside = {(2 * x + 1, 2 * y + 1) for x in range(columns) for y in range(rows)}
    layings = [one for one in layings if inside.issuperset(naive.cells_of(one))]
    found = set()

    def fill(laid: tuple[Laying, ...], covered: set[naive.Point], seen: dict[Any, str]) -> None:
        if covered == inside:
            found.add(frozenset(laid))
            return
        first = min(inside - covered)
        for one in layings:
            cells, halves = naive.cells_of(one), naive.half_discs_of(one, TILES)
            if first not in cells or not covered.isdisjoint(cells):
                continue
            if any(one.tile == other.tile for other in laid):
                continue
            if all(seen.get(at, colour) == colour for at, colour in halves):
                fill((*laid, one), covered | set(cells), seen | dict(halves))

    fill((), set(), {})
    assert found == {
        frozenset(problem.solution),
        frozenset(turned(one, problem.size, 2) for one in problem.solution),
    }


def mirrored(face: str) -> str:
    """A face as a mirror shows it, right and left exchanged."""
    centre, west, north_west, north_east, east, south_east, south_west = list(face)
    return centre + east + north_east + north_west + west + south_west + south_east


def half_turned(face: str) -> str:
    return face[0] + face[4:] + face[1:4]


def test_which_symmetries_there_are() -> None:
    """No face looks the same from both ends; a mirror shows columns and arrows as they are, and of
    other figures another domino.
    """
    faces = [face for tile in TILES.tiles for face in (tile.recto, tile.verso)]
    assert len({min(face, half_turned(face)) for face in faces}) == 240
    for tile in TILES.tiles:
        if tile.figure in ("column", "arrow"):
            pairs = ((tile.recto, tile.recto), (tile.verso, tile.verso))
        else:
            letter, front, back = tile.name[0], tile.name[1:3], tile.name[3:]
            other = TILES[letter + back + front]
            assert other.name != tile.name
            pairs = ((tile.recto, other.verso), (tile.verso, other.recto))
        for face, its in pairs:
            assert half_turned(face) != face
            assert mirrored(face) in (its, half_turned(its))


def test_a_mirror_image_is_the_same_solution() -> None:
    """A stock that holds each domino with its mirror image."""
    layout = parse_position("PRYGB+0@0,0 PGBRY-0@0,1")
    mirror = parse_position("PGBRY-0@0,0 PRYGB+0@0,1")
    seen = {map_colours(parse_position(text)) for text in ("PRYGB+0@0,0", "PRYGB+2@1,0")}
    assert len(seen) == 2
    across = list_images(map_colours(layout[:1]), (2, 1))
    assert len(across) == 4
    turned_mirrors = {map_colours([Laying("PGBRY", "-", r, r // 2, 0)]) for r in (0, 2)}
    assert turned_mirrors < across
    assert map_colours(mirror) != map_colours(layout)
    assert len(list_images(map_colours(layout), (2, 2))) == 8


def test_another_tiling_is_another_solution() -> None:
    """Two layouts may show the same colours on every edge and still lie differently."""
    lying = map_colours(parse_position("PRYGB+0@0,0"))
    assert ((2, 1), "y") in lying
    assert ((2, 1), "Y") not in lying


def test_frames_with_more_solutions_or_none_are_refused() -> None:
    problem = frame_of(4, "one")
    assert is_unique(problem.size, problem.tiles, problem.position)
    assert not is_unique(problem.size, problem.tiles)
    assert not is_unique((4, 3), ["PRYGB", "PRYBG", "PRBYG", "PRBGY", "PRGYB", "PRGBY"])


@pytest.mark.thorough
def test_larger_frames_take_a_longer_search() -> None:
    def effort(problem: FrameProblem) -> float:
        found = solve(
            Frame.rectangle(*problem.size), TILES, problem.tiles, problem.position, count=None
        )  # fmt: skip
        return found.nodes / len(found.solutions)

    searched = [mean(effort(frame_of(grade, seed)) for seed in SEEDS[:2]) for grade in GRADES[::2]]
    assert all(near < far for near, far in pairwise(searched))


def test_a_frame_is_judged() -> None:
    problem = frame_of(4, "one")
    rest = [laying for laying in problem.solution if laying not in problem.position]
    assert problem.is_solved_by(rest)
    assert not problem.is_solved_by(rest[:-1])
    stranger = next(name for name in TILES.names if name not in problem.tiles)
    refused = [
        ([Laying(stranger, "+", 0, 0, 0)], "not_offered"),
        ([*rest, problem.position[0]], "already_laid"),
        ([Laying(rest[0].tile, "+", 0, 5, 3)], "outside_frame"),
        (
            [Laying(rest[0].tile, "+", 0, problem.position[0].x, problem.position[0].y)],
            "overlap",
        ),
    ]
    for layings, code in refused:
        with pytest.raises(DalapapaError) as error:
            problem.is_solved_by(layings)
        assert error.value.code == code


# -- for ever ------------------------------------------------------------------------------------

PINNED = {
    "turn": "c027a4f9454642f65fa6a5bec7c04c14f104e852d9b3b5a274eb6e01ddce8899",
    "frame": "aa6c768789d201902a99b33392e5f7e4f23c47465138e5014ff168704fe230b3",
}


@pytest.mark.parametrize("kind", PINNED)
def test_the_problems_of_a_week_never_change(kind: str) -> None:
    """If this fails, a shared problem changes for others: raise VERSION instead."""
    week = [problem_to_json(make_request(kind, date=date), solution=True) for date in WEEK]
    assert [one["grade"] for one in week] == [1, 2, 2, 3, 3, 4, 5]
    assert sha256(json.dumps(week).encode()).hexdigest() == PINNED[kind]


def test_a_problem_that_never_changes() -> None:
    assert problem_to_json(make_request(date="2026-11-16"), solution=True) == {
        "kind": "turn",
        "grade": 1,
        "seed": "2026-11-16",
        "date": "2026-11-16",
        "position": ["DGBRY+3@0,0", "AYRBG-3@-1,0", "ZGRYB-3@1,0", "PYGBR+0@2,0",
                     "ZGRBY+0@-3,-1", "ZYRGB-3@0,-2", "BYRBG+2@2,1", "CGRBY+2@-2,0"],
        "frame": None,
        "tiles": ["PYBRG", "CYBGR"],
        "solution": ["PYBRG-2@3,-1"],
        "points": 8,
        "gap": 2,
    }  # fmt: skip


def test_a_day_is_the_seed_of_its_grade() -> None:
    day = problem_to_json(make_request(date="2026-11-17"))
    seed = problem_to_json(make_request(seed="2026-11-17", grade=2))
    assert {**day, "date": None} == seed
    assert problem_to_json(make_request(date="2026-11-17", grade=1)) != day
    assert make_request(seed="x").grade == 3


@given(st.text(max_size=12))
def test_dates_are_dates(text: str) -> None:
    try:
        assert parse_date(text).isoformat() == text
    except BadInput as error:
        assert error.code == "bad_date"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"date": "2026-02-30"}, "bad_date"),
    ({"date": "20261115"}, "bad_date"),
    ({"date": "2026-W46-7"}, "bad_date"),
    ({"date": "0000-01-01"}, "bad_date"),
    ({"date": ""}, "bad_date"),
    ({"date": "२०२६-११-१५"}, "bad_date"),
    ({"seed": ""}, "bad_seed"),
    ({"seed": "a\nb"}, "bad_seed"),
    ({"seed": "x" * 65}, "bad_seed"),
    ({}, "bad_seed"),
    ({"date": "2026-11-15", "seed": "x"}, "bad_seed"),
    ({"seed": "x", "grade": 0}, "bad_grade"),
    ({"seed": "x", "grade": 6}, "bad_grade"),
    ({"kind": "chess", "seed": "x"}, "bad_kind"),
]


@pytest.mark.parametrize(("asked", "code"), WRONG, ids=str)
def test_wrong_requests_are_refused(asked: dict[str, Any], code: str) -> None:
    with pytest.raises(BadInput) as error:
        make_request(**asked)
    assert error.value.code == code
    assert str(error.value).endswith(".")


# -- the command ---------------------------------------------------------------------------------


run = partial(command_line.run, "problem")


def test_the_command() -> None:
    code, out, _ = run("--date", "2026-11-16")
    assert code == 0
    assert "grade 1 of 5" in out
    assert "PYBRG CYBGR" in out
    assert "PYBRG-2@3,-1" not in out
    code, out, _ = run("--date", "2026-11-16", "--solution")
    assert "PYBRG-2@3,-1  (8 points, 2 more than the best turn on other cells)" in out
    code, out, _ = run("--date", "2026-11-16", "--json")
    expected = problem_to_json(make_request(date="2026-11-16"))
    assert json.loads(out) == {**expected, "position": " ".join(expected["position"])}
    code, out, _ = run("--frame", "--seed", "one", "--grade", "4")
    problem = frame_of(4, "one")
    assert "There is one solution.\n" in out
    assert str(problem.position[0]) in out
    assert Counter(out.split())[problem.tiles[0]] <= 1
    code, out, _ = run("--frame", "--seed", "one", "--grade", "1")
    assert "apart from turning the whole frame" in out


def test_the_command_shows_the_problem_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    class Date(datetime.date):
        @classmethod
        def today(cls) -> Date:
            return cls(2028, 2, 29)

    monkeypatch.setattr(datetime, "date", Date)
    _, out, _ = run("--grade", "1")
    assert "Problem of 2028-02-29" in out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--date", "tomorrow"), "bad_date"),
        (("--grade", "9"), "bad_grade"),
        (("--grade", "hard"), "usage"),
        (("--seed", ""), "bad_seed"),
        (("--date", "2026-11-16", "--seed", "x"), "usage"),
        (("--date", "2026-11-16", "-o", "problem.gif"), "bad_output"),
        (("--date", "2026-11-16", "-o", "problem.pdf", "--language", "tlh"), "unknown_language"),
    ],
)
def test_wrong_use_of_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended, out, err = run(*words)
    assert (ended, out) == (2, "")
    assert err.startswith(f"Error ({code}): ")
    assert not list(tmp_path.iterdir())


def test_pictures(tmp_path: Path) -> None:
    def drawn(name: str, *words: str) -> bytes:
        path = tmp_path / name
        code, _, err = run("--date", "2026-11-16", *words, "-o", str(path))
        assert code == 0, err
        return path.read_bytes()

    def dominoes(svg: bytes) -> int:
        found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
        return sum(group.get("class") == "laying" for group in found)

    assert dominoes(drawn("turn.svg")) == 8 + 4
    assert dominoes(drawn("turn.svg", "--solution")) == 8 + 1
    assert dominoes(drawn("frame.svg", "--frame")) == 2 * 3
    assert dominoes(drawn("frame.svg", "--frame", "--solution")) == 3
    assert drawn("turn.png").startswith(b"\x89PNG")
    pdf = drawn("turn.pdf", "--language", "fr")
    assert pdf.startswith(b"%PDF")
    assert pdf == drawn("again.pdf", "--language", "fr")
    assert drawn("frame.pdf", "--frame").startswith(b"%PDF")


def test_on_paper_the_solution_is_marked_and_a_long_seed_is_cut() -> None:
    wanted = make_request(seed="W" * 64, grade=5)
    asked, answer = problem_sheets(print_options({"language": "de"}), wanted)
    assert asked.title == f"Aufgabe {'W' * 19}…, Stufe 5 von 5"
    white = [item for item in answer.items if isinstance(item, Line) and item.stroke == WHITE]
    assert len(white) == len(turn_of(5, "W" * 64).solution.layings) == 2
    assert not [item for item in asked.items if isinstance(item, Line) and item.stroke == WHITE]


# -- over HTTP -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread() as url:
        yield f"{url}/api"


@pytest.mark.anyio
async def test_the_server_gives_the_same_problem(http: httpx.AsyncClient) -> None:
    for kind in ("turn", "frame"):
        asked = {"kind": kind, "date": "2026-11-16"}
        answer = await http.get("/problem", params=asked)
        assert answer.json() == problem_to_json(make_request(kind, date="2026-11-16"))
        assert "solution" not in answer.text
        assert "max-age" in answer.headers["cache-control"]
        shown = await http.get("/problem", params={**asked, "solution": "true"})
        assert shown.json() == problem_to_json(make_request(kind, date="2026-11-16"), solution=True)
        pdf = await http.get("/problem/problem.pdf", params={**asked, "language": "de"})
        assert pdf.content.startswith(b"%PDF")


@pytest.mark.anyio
async def test_requests_do_not_wait_for_the_problems_of_others() -> None:
    """They have a queue of their own, with an end."""
    with in_thread(slow_at_once=0) as url:
        async with httpx.AsyncClient(
            base_url=f"{url}/api", timeout=PATIENCE, trust_env=False, verify=False
        ) as http:
            refused = await http.get("/problem", params={"seed": "x"})
            assert (refused.status_code, refused.json()["code"]) == (503, "busy")
            asked = {"position": "PRYGB+0@0,0", "tiles": ["PRYBG"]}
            assert (await http.post("/legal", json=asked)).status_code == 200


@pytest.mark.anyio
async def test_the_server_judges(http: httpx.AsyncClient) -> None:
    asked: dict[str, Any] = {"date": "2026-11-16"}
    answer = await http.post("/problem/check", json={**asked, "layings": ["PYBRG-2@3,-1"]})
    verdict = answer.json()
    assert (verdict["solved"], verdict["points"], verdict["more"]) == (True, 8, 0)
    (part,) = verdict["parts"]
    assert part["points"] == part["disc_points"] + sum(g["size"] for g in part["groups"]) == 8
    assert all(len(group["discs"]) == group["size"] for group in part["groups"])
    problem = make_problem(make_request(date="2026-11-16"))
    assert isinstance(problem, TurnProblem)
    other = problem.table.best_turns(problem.hand, 400)[-1]
    answer = await http.post(
        "/problem/check", json={**asked, "layings": list(map(str, other.layings))}
    )
    verdict = answer.json()
    assert verdict["solved"] is False
    assert verdict["points"] == other.points == 8 - verdict["more"]
    assert verdict["charge"] == 4 * (len(other.layings) - 1)
    assert verdict["other_order"] is False
    frame = frame_of(1, "one")
    asked = {"kind": "frame", "seed": "one", "grade": 1}
    for layings, solved in ((frame.solution, True), (frame.solution[:1], False)):
        answer = await http.post(
            "/problem/check", json={**asked, "layings": list(map(str, layings))}
        )
        assert answer.json() == {"solved": solved}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"date": "2026-02-30"}, "bad_date"),
        ({}, "bad_seed"),
        ({"date": "2026-11-16", "seed": "x"}, "bad_seed"),
        ({"seed": "\x00"}, "bad_seed"),
        ({"seed": "x" * 65}, "malformed"),
        ({"seed": "x", "grade": "6"}, "malformed"),
        ({"seed": "x", "kind": "chess"}, "malformed"),
        ({"seed": "x", "colour": "red"}, "malformed"),
    ],
)
async def test_nonsense_over_http(
    http: httpx.AsyncClient, asked: dict[str, str], code: str
) -> None:
    answer = await http.get("/problem", params=asked)
    assert answer.status_code in (409, 422)
    assert answer.json()["code"] == code


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("layings", "code"),
    [
        ([], "malformed"),
        (["x"], "malformed_laying"),
        (["PYBRG-2@3,-1" * 10], "malformed"),
        (["PYBRG-2@3,-1"] * 21, "malformed"),
        (["PYBRG-2@3,-1"] * 3, "bad_turn"),
        (["PYBRG-0@99,3"], "no_contact"),
        (["AYRGB+1@0,0"], "not_in_hand"),
        (["XXXXX-1@0,0"], "not_in_hand"),
    ],
)
async def test_nonsense_is_not_judged(
    http: httpx.AsyncClient, layings: list[str], code: str
) -> None:
    answer = await http.post("/problem/check", json={"date": "2026-11-16", "layings": layings})
    assert answer.status_code in (409, 422)
    assert answer.json()["code"] == code
