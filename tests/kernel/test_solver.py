"""The frame solver: F6 of docs/tiles.md, tiny frames against brute force, partial layouts."""

from __future__ import annotations

import importlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa.core.errors import (
    BadInput,
    DalapapaError,
    IllegalLaying,
    MalformedLaying,
    UnknownDomino,
)
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.tiles import Tile, TileSet, standard
from dalapapa.kernel import solver
from dalapapa.kernel.solver import Frame, hint, solve
from tests.support import interpreted

SET = standard()
PILES = {number: [tile.name for tile in SET.tiles if tile.pile == number] for number in (1, 2, 3)}
FAR = 10**9

Cell = tuple[int, int]

# -- the rules once more, from docs/notation.md alone -----------------------------------------

PLACES = ((-1, 0), (0, -1), (2, -1), (3, 0), (2, 1), (0, 1))
"""W NW NE E SE SW at rotation 0, in half-cells from the middle of the first half."""


def turned(point: Cell, rotation: int) -> Cell:
    x, y = point
    for _ in range(rotation):
        x, y = -y, x
    return x, y


def cells_of(laying: Laying) -> tuple[Cell, Cell]:
    dx, dy = turned((1, 0), laying.rotation)
    return (laying.x, laying.y), (laying.x + dx, laying.y + dy)


def halves_of(laying: Laying, tiles: TileSet) -> dict[Cell, str]:
    tile = tiles[laying.tile]
    face = tile.recto if laying.side == "+" else tile.verso
    found = {}
    for place, colour in zip(PLACES, face[1:], strict=True):
        dx, dy = turned(place, laying.rotation)
        found[2 * laying.x + 1 + dx, 2 * laying.y + 1 + dy] = colour
    return found


def check_layout(
    layout: Sequence[Laying], cells: set[Cell], tiles: TileSet, names: Sequence[str]
) -> int:
    """Every cell covered once, every contact equal, no domino too often; the contacts."""
    covered = [cell for laying in layout for cell in cells_of(laying)]
    assert len(covered) == len(set(covered))
    assert set(covered) == cells
    assert not Counter(laying.tile for laying in layout) - Counter(names)
    firsts = [min((y, x) for x, y in cells_of(laying)) for laying in layout]
    assert firsts == sorted(firsts), "in reading order"
    seen: dict[Cell, str] = {}
    contacts = 0
    for laying in layout:
        for edge, colour in halves_of(laying, tiles).items():
            contacts += edge in seen
            assert seen.setdefault(edge, colour) == colour, f"{laying} clashes"
    return contacts


def all_layouts(
    cells: set[Cell], tiles: TileSet, names: Sequence[str], sides: str = "+-"
) -> Iterator[frozenset[Laying]]:
    """Every layout, by trying everything on the first empty cell."""

    def fill(
        empty: set[Cell], stock: Counter[str], halves: dict[Cell, str], laid: tuple[Laying, ...]
    ) -> Iterator[frozenset[Laying]]:
        if not empty:
            yield frozenset(laid)
            return
        here = min(empty)
        for name in stock:
            for side in sides:
                for rotation in range(4):
                    for x, y in (here, *((here[0] + dx, here[1] + dy) for dx, dy in NEAR)):
                        laying = Laying(name, side, rotation, x, y)  # type: ignore[arg-type]
                        own = set(cells_of(laying))
                        mine = halves_of(laying, tiles)
                        if (
                            here in own
                            and own <= empty
                            and all(halves.get(edge, c) == c for edge, c in mine.items())
                        ):
                            rest = stock - Counter([name])
                            yield from fill(empty - own, rest, halves | mine, (*laid, laying))

    yield from fill(cells, Counter(names), {}, ())


NEAR = ((1, 0), (0, 1), (-1, 0), (0, -1))


# -- whole piles ------------------------------------------------------------------------------


@pytest.mark.parametrize("pile", [1, 2, 3])
@pytest.mark.parametrize("size", [(8, 10), (10, 8)])
def test_each_pile_fills_its_frame(pile: int, size: tuple[int, int]) -> None:
    """Fact F6: the 40 dominoes of a pile fill 8 x 10 cells, every contact equal."""
    frame = Frame.rectangle(*size)
    for seed in "abc":
        solved = solve(frame, SET, PILES[pile], seed=seed, budget=FAR)
        assert solved.complete
        (layout,) = solved.solutions
        assert check_layout(layout, set(frame.cells), SET, PILES[pile]) == 102
        assert {laying.tile for laying in layout} == set(PILES[pile])


def test_all_120_fill_15_x_16() -> None:
    frame = Frame.rectangle(15, 16)
    solved = solve(frame, SET, SET.names, budget=FAR)
    assert check_layout(solved.solutions[0], set(frame.cells), SET, SET.names) == 329


def test_other_frames_and_several_layouts() -> None:
    names = PILES[2]
    ring = {(x, y) for x in range(-5, 3) for y in range(-4, 3) if not (-3 < x < 1 and -2 < y < 1)}
    solved = solve(Frame(ring), SET, names, count=50, budget=FAR)
    assert len(set(solved.solutions)) == 50
    for layout in solved.solutions:
        check_layout(layout, ring, SET, names)
    two_parts = {(0, 0), (1, 0), (10, 10), (10, 11)}
    solved = solve(Frame(two_parts), SET, names[:2], count=None)
    assert solved.complete
    assert len(solved.solutions) == 2 * 4 * 4


def test_recto_only() -> None:
    frame = Frame.rectangle(4, 4)
    solved = solve(frame, SET, PILES[1], faces="recto", count=20)
    assert len(solved.solutions) == 20
    for layout in solved.solutions:
        check_layout(layout, set(frame.cells), SET, PILES[1])
        assert {laying.side for laying in layout} == {"+"}


# -- against brute force ----------------------------------------------------------------------


def own_set(faces: list[str]) -> TileSet:
    tiles = [
        Tile(f"T{number}", None, faces[2 * number], faces[2 * number + 1], None)
        for number in range(len(faces) // 2)
    ]
    return TileSet("own", tuple(tiles))


@st.composite
def small_problems(draw: st.DrawFn) -> tuple[set[Cell], TileSet, list[str], str]:
    """Frames of up to 8 cells, most of which can be tiled, and up to 5 dominoes, some equal."""
    grid = [(x, y) for x in range(4) for y in range(3)]
    pairs = [((x, y), (x + dx, y + 1 - dx)) for x, y in grid for dx in (0, 1)]
    dominoes = st.lists(st.sampled_from(pairs), min_size=1, max_size=4)
    anything = st.sets(st.sampled_from(grid), min_size=2, max_size=8)
    tileable = dominoes.map(lambda laid: {cell for pair in laid for cell in pair})
    cells = draw(st.one_of(tileable, tileable, anything))
    face = st.text(draw(st.sampled_from(["RY", "RYG"])), min_size=7, max_size=7)
    tiles = own_set(draw(st.lists(face, min_size=8, max_size=8)))
    least = draw(st.sampled_from([1, len(cells) // 2, len(cells) // 2]))
    names = draw(st.lists(st.sampled_from(tiles.names), min_size=max(least, 1), max_size=5))
    return cells, tiles, names, draw(st.sampled_from(["+-", "+"]))


@given(problem=small_problems(), seed=st.text(max_size=3))
def test_counts_are_those_of_brute_force(
    problem: tuple[set[Cell], TileSet, list[str], str], seed: str
) -> None:
    cells, tiles, names, sides = problem
    wanted = set(all_layouts(cells, tiles, names, sides))
    faces: Any = "both" if len(sides) == 2 else "recto"
    solved = solve(Frame(cells), tiles, names, faces=faces, count=None, seed=seed)
    assert solved.complete
    assert solved.exhausted
    assert len(solved.solutions) == len(wanted)
    assert {frozenset(layout) for layout in solved.solutions} == wanted
    one = solve(Frame(cells), tiles, names, faces=faces, seed=seed)
    assert one.complete
    assert one.exhausted == (not wanted)
    assert len(one.solutions) == min(1, len(wanted))
    if wanted:
        # Any part of a layout can be completed, in as many ways as layouts have it.
        layout = sorted(min(wanted, key=str), key=str)
        part = layout[: len(layout) // 2]
        solved = solve(Frame(cells), tiles, names, part, faces=faces, count=None)
        assert len(solved.solutions) == sum(set(part) <= other for other in wanted)


@pytest.mark.parametrize("width", [2, 4])
def test_small_frames_of_the_standard_set(width: int) -> None:
    frame = Frame.rectangle(width, 2)
    names = PILES[3][:: 40 // (width + 1)]
    wanted = set(all_layouts(set(frame.cells), SET, names))
    solved = solve(frame, SET, names, count=None)
    assert wanted
    assert {frozenset(layout) for layout in solved.solutions} == wanted


def test_equal_faces_are_different_layings() -> None:
    """Documented: solutions differ if the texts of their layings do."""
    tiles = own_set(["RRRRRRR"] * 4)
    frame = Frame.rectangle(2, 1)
    assert len(solve(frame, tiles, ["T0"], count=None).solutions) == 4
    assert len(solve(frame, tiles, ["T0", "T1"], count=None).solutions) == 8
    assert len(solve(frame, tiles, ["T0", "T0"], count=None).solutions) == 4, "one kind, twice"
    solved = solve(Frame.rectangle(2, 2), tiles, ["T0", "T0"], count=None)
    assert len(solved.solutions) == len(set(solved.solutions)) == 2 * 4 * 4


# -- none ---------------------------------------------------------------------------------------


def test_proofs_that_there_is_none() -> None:
    red_or_blue = own_set(["RRRRRRR", "RRRRRRR", "BBBBBBB", "BBBBBBB"])
    names = ["T0"] * 7 + ["T1"]
    solved = solve(Frame.rectangle(4, 4), red_or_blue, names)
    assert solved == solver.Solved((), True, solved.nodes, exhausted=True)
    assert solved.nodes > 0
    assert solve(Frame.rectangle(4, 4), red_or_blue, names[1:]).complete, "too few dominoes"
    assert solve(Frame.rectangle(4, 4), red_or_blue, [*names, "T0"]).solutions, "one left over"


def test_frames_that_no_dominoes_cover() -> None:
    for cells in (
        {(0, 0)},
        {(0, 0), (1, 0), (2, 0)},
        {(0, 0), (1, 1)},
        {(x, y) for x in range(6) for y in range(6)} - {(0, 0), (5, 5)},
        {(x, y) for x in range(9) for y in range(3)} | {(20, 0)},
    ):
        solved = solve(Frame(cells), SET, SET.names, budget=0)
        assert solved == solver.Solved((), True, 0, exhausted=True)


def test_a_long_proof_goes_through_restarts() -> None:
    """15 dominoes, recto only, in 5 x 6: the steady and the restless search agree."""
    names = Random(4).sample(SET.names, 15)
    frame = Frame.rectangle(5, 6)
    alone = solve(frame, SET, names, faces="recto", count=None)
    both = solve(frame, SET, names, faces="recto", count=1)
    assert alone.complete
    assert both.complete
    assert alone.solutions == both.solutions == ()
    assert alone.nodes > 3 * solver.FIRST_RUN_NODES
    assert both.nodes <= 12 * alone.nodes


# -- partial layouts, budget, stop, seed ----------------------------------------------------------


def test_partial_layouts() -> None:
    frame = Frame.rectangle(8, 10)
    (layout,) = solve(frame, SET, PILES[1]).solutions
    for attempt in range(5):
        part = Random(attempt).sample(layout, 12 + 5 * attempt)
        solved = solve(frame, SET, PILES[1], part, budget=FAR)
        (again,) = solved.solutions
        assert set(part) <= set(again)
        check_layout(again, set(frame.cells), SET, PILES[1])
    whole = solve(frame, SET, PILES[1], layout[::-1])
    assert whole.solutions == (layout,)
    assert whole.complete


def test_the_same_seed_gives_the_same() -> None:
    frame = Frame.rectangle(8, 10)
    runs = [solve(frame, SET, PILES[1], seed=seed) for seed in ("x", "x", "y")]
    assert runs[0] == runs[1]
    assert runs[0].solutions != runs[2].solutions


def test_a_budget_is_kept() -> None:
    frame = Frame.rectangle(15, 16)
    for budget in (0, 1, 119, 1024, 1025, 5000):
        solved = solve(frame, SET, SET.names, budget=budget, seed="1")
        assert solved == solver.Solved((), False, budget, exhausted=False)
    tiny = solve(Frame.rectangle(2, 1), SET, SET.names, count=None, budget=100)
    assert not tiny.complete
    assert not tiny.exhausted
    assert tiny.nodes == 100
    assert len(tiny.solutions) == 99
    assert solve(Frame.rectangle(2, 1), SET, SET.names, count=3).complete


def test_the_solver_can_be_stopped_and_reports_progress() -> None:
    asked: list[int] = []

    def stop(nodes: int) -> bool:
        asked.append(nodes)
        return len(asked) == 6

    solved = solve(Frame.rectangle(20, 12), SET, SET.names, faces="recto", stop=stop)
    assert not solved.complete
    assert solved.solutions == ()
    assert asked == sorted(asked)
    assert solved.nodes == asked[5]
    assert asked[0] == 1024

    def fail(nodes: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Frame.rectangle(20, 12), SET, SET.names, faces="recto", stop=fail)


# -- hints --------------------------------------------------------------------------------------


def test_a_hint_leads_to_the_end() -> None:
    frame = Frame.rectangle(4, 6)
    position: list[Laying] = []
    names = PILES[3][:20]
    while len(position) < 12:
        advice = hint(frame, SET, names, position)
        assert advice.outcome == "lay"
        assert advice.laying is not None
        if position:
            covered = {cell for laying in position for cell in laying.cells}
            assert any(
                (x + dx, y + dy) in covered for x, y in advice.laying.cells for dx, dy in NEAR
            )
        position.append(advice.laying)
    check_layout(
        sorted(position, key=lambda one: min((y, x) for x, y in one.cells)),
        set(frame.cells), SET, names,
    )  # fmt: skip
    with pytest.raises(BadInput, match="full") as caught:
        hint(frame, SET, names, position)
    assert caught.value.code == "frame_full"


def test_hints_that_say_no_or_give_up() -> None:
    frame = Frame.rectangle(8, 10)
    position = parse_position("PRYGB+0@0,1 DRYGB+1@7,4")
    assert hint(frame, SET, PILES[1], parse_position("PRYGB+0@1,0 DRYGB+1@0,1")).outcome == (
        "impossible"
    ), "a single cell is shut in"
    advice = hint(frame, SET, PILES[1], position, budget=10)
    assert advice == solver.Hint("gave_up", None, 10)
    assert hint(frame, SET, PILES[1], position, stop=lambda _: True, seed="9").outcome in (
        "gave_up", "lay",
    )  # fmt: skip
    assert hint(frame, SET, PILES[1], position).outcome == "lay"


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "code", "words"),
    [
        ("PRYGB+0@0,0 XRYGB+0@2,0", UnknownDomino, "unknown_domino", r"Laying 2: XRYGB\+0@2,0"),
        ("PRYGB+0@3,0", IllegalLaying, "outside_frame", "cell 4,0 is outside"),
        ("PRYGB+2@0,0", IllegalLaying, "outside_frame", "cell -1,0 is outside"),
        ("PRYGB+0@0,0 PRYGB+0@0,2", IllegalLaying, "already_laid", "Laying 2"),
        ("PRYGB+0@0,0 DRYGB+1@1,0", IllegalLaying, "overlap", "PRYGB already covers cell 1,0"),
        ("PRYGB+0@0,0 DBYGR+0@0,2", IllegalLaying, "not_offered", "not among"),
        (
            "PRYGB+0@0,0 DRYGB+0@2,0",
            IllegalLaying,
            "clash",
            r"Laying 2: DRYGB\+0@2,0: its green half-disc W \(the west of cell 2,0\) clashes with"
            " the red half-disc E of PRYGB",
        ),
    ],
)
def test_positions_that_are_refused(
    text: str, kind: type[DalapapaError], code: str, words: str
) -> None:
    names = ["PRYGB", "DRYGB", *PILES[2][:6]]
    names = [name for name in names if name != "DBYGR"]
    for ask in (solve, hint):
        with pytest.raises(kind, match=words) as caught:
            ask(Frame.rectangle(4, 4), SET, names, parse_position(text))
        assert caught.value.code == code


def test_other_bad_input() -> None:
    frame = Frame.rectangle(4, 4)
    with pytest.raises(IllegalLaying, match="recto"):
        solve(frame, SET, SET.names, parse_position("PYRBG-0@0,0"), faces="recto")
    for laying in (
        Laying("PRYGB", "+", 4, 0, 0),
        Laying("PRYGB", "*", 0, 0, 0),  # type: ignore[arg-type]
        Laying("PRYGB", "+", 0, 0.0, 0),  # type: ignore[arg-type]
    ):
        with pytest.raises(MalformedLaying, match="Laying 1"):
            solve(frame, SET, SET.names, [laying])
    with pytest.raises(UnknownDomino):
        solve(frame, SET, ["PRYGB", "unknown"])
    with pytest.raises(BadInput):
        solve(frame, SET, SET.names, faces="verso")  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        solve(frame, SET, SET.names, count=0)
    with pytest.raises(BadInput):
        Frame([])
    with pytest.raises(BadInput):
        Frame((x, 0) for x in range(10**9))
    for size in ((0, 0), (-2, -2), (1, 0), (10**9, 10**9)):
        with pytest.raises(BadInput):
            Frame.rectangle(*size)
    assert not solve(frame, SET, []).solutions
    assert repr(frame) == "<Frame of 16 cells>"


def test_large_sets_and_frames() -> None:
    """More than 60 kinds need several words of bits; 500 dominoes fill 25 x 40."""
    rng = Random(1)
    faces = ["".join(rng.choice("RY") for _ in range(7)) for _ in range(1000)]
    tiles = own_set(faces)
    frame = Frame.rectangle(25, 40)
    solved = solve(frame, tiles, tiles.names, budget=100_000)
    assert solved.complete
    check_layout(solved.solutions[0], set(frame.cells), tiles, tiles.names)


# -- compiled and interpreted -------------------------------------------------------------------


@pytest.fixture(scope="module")
def interpreted_solver() -> Any:
    interpreted.interpreted_table()
    return importlib.import_module(f"{interpreted.INTERPRETED}.kernel.solver")


def test_the_solver_is_compiled(interpreted_solver: Any) -> None:
    assert not str(solver.__file__).endswith(".py")
    assert str(interpreted_solver.__file__).endswith(".py")


@given(problem=small_problems())
def test_compiled_and_interpreted_count_the_same(
    interpreted_solver: Any, problem: tuple[set[Cell], TileSet, list[str], str]
) -> None:
    cells, tiles, names, _ = problem
    one = solve(Frame(cells), tiles, names, count=None)
    other = interpreted_solver.solve(interpreted_solver.Frame(cells), tiles, names, count=None)
    assert (one.solutions, one.complete, one.nodes) == (
        other.solutions, other.complete, other.nodes,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("names", "size", "faces", "budget", "laid"),
    [
        (PILES[1], (8, 10), "both", 3000, 0),
        (PILES[2], (10, 8), "both", 2500, 12),
        (PILES[3], (8, 10), "recto", 2500, 0),
        (SET.names, (15, 16), "both", 1500, 0),
        (SET.names, (4, 4), "both", 2500, 3),
    ],
)
def test_compiled_and_interpreted_search_the_same(
    interpreted_solver: Any,
    names: Sequence[str],
    size: tuple[int, int],
    faces: Any,
    budget: int,
    laid: int,
) -> None:
    frame = Frame.rectangle(*size)
    position = solve(frame, SET, names, seed="p").solutions[0][:laid] if laid else ()
    one = solve(frame, SET, names, position, faces=faces, budget=budget)
    other = interpreted_solver.solve(
        interpreted_solver.Frame.rectangle(*size), SET, names, position, faces=faces, budget=budget
    )
    assert (one.solutions, one.complete, one.nodes) == (
        other.solutions, other.complete, other.nodes,
    )  # fmt: skip


def test_the_interpreted_solver_hints_refuses_and_stops(interpreted_solver: Any) -> None:
    """The same answers from the source itself, which coverage can see."""
    frame = interpreted_solver.Frame.rectangle(4, 4)
    first = parse_position("PRYGB+0@0,0")
    advice = interpreted_solver.hint(frame, SET, PILES[1], first)
    same = hint(Frame.rectangle(4, 4), SET, PILES[1], first)
    assert (advice.outcome, advice.laying, advice.nodes) == (same.outcome, same.laying, same.nodes)
    shut_in = parse_position("PRYGB+0@1,0 DRYGB+1@0,1")
    assert interpreted_solver.hint(frame, SET, PILES[1], shut_in).outcome == "impossible"
    full = solve(Frame.rectangle(4, 4), SET, PILES[1], first).solutions[0]
    for position, words in (
        (full, "full"),
        (parse_position("PRYGB+0@0,0 DRYGB+0@2,0"), "clashes"),
        (parse_position("PRYGB+0@0,0 PRYGB+0@2,0"), "already in the frame"),
        (parse_position("PRYGB+0@0,0 DRYGB+1@0,0"), "already covers"),
        (parse_position("PRYGB+0@9,0"), "outside"),
        ([Laying("PRYGB", "+", 7, 0, 0)], "not a laying"),
        (parse_position(f"{PILES[2][0]}+0@0,0"), "not among"),
    ):
        with pytest.raises(DalapapaError, match=words):
            interpreted_solver.hint(frame, SET, PILES[1], position)
    with pytest.raises(IllegalLaying, match="recto"):
        interpreted_solver.solve(frame, SET, PILES[1], parse_position("PYRBG-0@0,0"), faces="recto")
    for wrong in ({"faces": "verso"}, {"count": 0}):
        with pytest.raises(BadInput):
            interpreted_solver.solve(frame, SET, PILES[1], **wrong)
    with pytest.raises(BadInput):
        interpreted_solver.Frame([])
    with pytest.raises(BadInput):
        interpreted_solver.Frame((x, 0) for x in range(10**9))
    with pytest.raises(BadInput):
        interpreted_solver.Frame.rectangle(0, 2)
    stopped = interpreted_solver.solve(
        interpreted_solver.Frame.rectangle(8, 10), SET, PILES[1], faces="recto",
        stop=lambda _: True,
    )  # fmt: skip
    assert not stopped.complete
    assert len(frame) == 16
    assert repr(frame) == "<Frame of 16 cells>"


def test_layouts_are_made_while_the_search_may_be_stopped() -> None:
    """Otherwise a search that a clock has stopped makes layouts for seconds."""
    asked: list[float] = []

    def stop(nodes: int) -> bool:
        asked.append(time.process_time())
        return nodes > 200_000

    names = list(standard().names)
    solved = solve(Frame.rectangle(4, 4), standard(), names, count=None, stop=stop)
    after = time.process_time() - asked[-1]
    assert len(solved.solutions) > 100_000
    assert after < (asked[-1] - asked[0]) / 4
