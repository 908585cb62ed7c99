"""Figures of frames, with and without a place (rules 5), by a simple reading of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa.bots.arena import play_game
from dalapapa.core.errors import BadInput
from dalapapa.core.figures import (
    NAMED_FIGURES,
    FrameFigure,
    can_be_tiled,
    find_places,
    make_rectangle,
    read_figure,
)
from dalapapa.core.geometry import Cell
from dalapapa.core.notation import Laying
from dalapapa.core.options import options_of
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import Lay, Take
from dalapapa.games.puzzle.rules import Puzzle
from dalapapa.record import dump, load, replay

PUZZLE = Puzzle()


def start(**options: Any) -> Any:
    chosen = PUZZLE.parse_options(options)
    return PUZZLE.start(1, chosen, fill_bag(PUZZLE.tiles(chosen).names, "figures")).state


def cover(free: frozenset[Cell]) -> bool:
    """Whether dominoes can cover these cells: the first one with a neighbour, and so on."""
    if not free:
        return True
    x, y = min(free)
    return any(near in free and cover(free - {(x, y), near}) for near in ((x + 1, y), (x, y + 1)))


shapes = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=16)


@given(shapes)
def test_dominoes_can_cover_a_shape_or_not(cells: frozenset[Cell]) -> None:
    assert can_be_tiled(cells) == cover(cells)


@given(shapes)
def test_a_figure_is_read_as_it_is_written(cells: frozenset[Cell]) -> None:
    west, north = min(x for x, _ in cells), min(y for _, y in cells)
    figure = FrameFigure((x - west, y - north) for x, y in cells)
    assert read_figure(str(figure)) == figure
    rows = "/".join("".join(".x"[(x, y) in cells] for x in range(6)) for y in range(6))
    assert read_figure(rows) == figure


def test_the_figures_with_a_name() -> None:
    for name, rows in NAMED_FIGURES.items():
        figure = read_figure(name)
        assert str(figure) == rows
        assert can_be_tiled(figure)
        assert 16 <= len(figure) <= 24
    assert str(make_rectangle(4, 6)) == "4x6"
    assert read_figure("4x6") == make_rectangle(4, 6)
    option = next(one for one in options_of(PUZZLE.options) if one.name == "figure")
    assert option.choices == ("rectangle", *NAMED_FIGURES)


@pytest.mark.parametrize(
    "text", ["", "..", "/", "0x4", "4x", "x ", "Cross", "xx\nxx", "x" * 61, "a"]
)
def test_figures_that_are_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_figure(text)
    assert caught.value.code == "bad_figure"


@given(shapes, st.data())
def test_places_of_a_figure_are_all_shifts_that_contain_the_cells(
    cells: frozenset[Cell], data: st.DataObject
) -> None:
    west, north = min(x for x, _ in cells), min(y for _, y in cells)
    figure = FrameFigure((x - west, y - north) for x, y in cells)
    covered = data.draw(st.lists(st.sampled_from(sorted(figure)), min_size=1, max_size=4))
    moved = [(x - 3, y + 9) for x, y in covered]
    wanted = {
        frozenset((x + dx, y + dy) for x, y in figure)
        for dx in range(-12, 10)
        for dy in range(0, 20)
    }
    found = find_places(figure, moved)
    assert set(found) == {place for place in wanted if place.issuperset(moved)}
    assert len(set(found)) == len(found)


FIGURES = [*NAMED_FIGURES, "xxxx/xxxx/x..x/x..x/xxxx", "rectangle"]


@pytest.mark.parametrize("figure", FIGURES)
def test_without_a_place_a_domino_fits_where_the_figure_can_be_shifted(figure: str) -> None:
    """The layings of a layout, against every shift and every contact."""
    state = start(figure=figure, place="free")
    shape = read_figure("4x4" if figure == "rectangle" else figure)
    names = PUZZLE.tiles(state.options).names
    for name, laying in zip(names[::17], ("+0@20,30", "+1@22,31", "+0@19,33"), strict=False):
        lay = Lay(0, Laying.parse(f"{name}{laying}"))
        before = state
        try:
            state = PUZZLE.apply(PUZZLE.apply(state, Take(0, name)).state, lay).state
        except Exception:  # It does not fit in this figure, or clashes.
            state = before
    layings = state.frames[0]
    assert layings
    covered = {cell for laying in layings for cell in laying.cells}
    tile = names[5]
    layout = PUZZLE.layout(state.options, layings)
    found = set(layout.legal([tile]))
    every = {
        Laying(tile, side, rotation, x, y)
        for side in ("+", "-")
        for rotation in range(4)
        for x in range(5, 36)
        for y in range(15, 46)
    }
    for placed in every:
        cells = covered | set(placed.cells)
        fits = (
            not covered & set(placed.cells)
            and any(
                all((x - dx, y - dy) in shape for x, y in cells)
                for dx in range(5, 40)
                for dy in range(15, 50)
            )
            if placed.x in range(10, 32)
            else False
        )
        if not fits:
            assert placed not in found
            continue
        try:
            PUZZLE.layout(state.options, layings).lay(placed)
        except Exception:
            assert placed not in found
        else:
            assert placed in found


@pytest.mark.parametrize("place", ["fixed", "free"])
@pytest.mark.parametrize("figure", FIGURES)
def test_hints_fill_any_figure(figure: str, place: str) -> None:
    state = start(figure=figure, place=place)
    if place == "free":
        state = PUZZLE.apply(state, Take(0, "PRYGB")).state
        state = PUZZLE.apply(state, Lay(0, Laying.parse("PRYGB+0@-30,7"))).state
    while state.outcome is None:
        hint = PUZZLE.hint(PUZZLE.view(state, 0))
        assert hint.outcome == "lay"
        assert hint.laying is not None
        state = PUZZLE.apply(state, Take(0, hint.laying.tile)).state
        state = PUZZLE.apply(state, Lay(0, hint.laying)).state
    assert state.outcome.winners == (0,)


@pytest.mark.parametrize("place", ["fixed", "free"])
@pytest.mark.parametrize("figure", ["cross", "heart", "xxxx/xxxx/x..x/x..x/xxxx"])
def test_bots_fill_figures_and_their_records_replay(figure: str, place: str) -> None:
    options = PUZZLE.parse_options({"figure": figure, "place": place})
    recorder, _ = play_game(PUZZLE, ("medium", "novice"), options, "figures")
    record = recorder.record()
    assert record.options["figure"] == figure
    assert ("place" in record.options) == (place == "free")
    replayed = replay(load(dump(record)))
    assert replayed.outcome.reason == "full"


def test_records_of_rectangles_do_not_name_the_new_options() -> None:
    options = PUZZLE.parse_options({"figure": "rectangle", "place": "fixed"})
    recorder, _ = play_game(PUZZLE, ("medium",), options, "figures")
    assert set(recorder.record().options) == {"width", "height", "minutes", "set"}
