"""Puzzle and Arlequin beyond their scenarios: hints, frames either way round, lost races."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dalapapa.core.errors import DalapapaError
from dalapapa.core.figures import make_rectangle
from dalapapa.core.layout import Layout
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY
from dalapapa.games.arlequin.rules import Arlequin, list_pile
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import GiveUp, Lay, Take, TakeOut, TimeUp
from dalapapa.games.puzzle.rules import Puzzle
from dalapapa.kernel import solver
from dalapapa.kernel.solver import Frame

ARLEQUIN = Arlequin()
PUZZLE = Puzzle()


def start(name: str, players: int, seed: str = "race", **options: Any) -> Any:
    game = REGISTRY[name]
    chosen = game.parse_options(options)
    return game.start(players, chosen, fill_bag(game.tiles(chosen).names, seed)).state


def code_of(game: Any, state: Any, move: Any) -> str:
    with pytest.raises(DalapapaError) as caught:
        game.apply(state, move)
    return caught.value.code


@pytest.mark.parametrize("pile", [1, 2, 3])
@pytest.mark.parametrize("size", [(8, 10), (10, 8)])
def test_hints_lead_to_a_full_frame(pile: int, size: tuple[int, int]) -> None:
    """From some dominoes of a layout, upright or lying, hint after hint."""
    solved = solver.solve(Frame.rectangle(*size), standard(), list_pile(pile), seed="hints")
    state = start("arlequin", 1, piles=[pile])
    layings = list(solved.solutions[0])
    Random(pile).shuffle(layings)
    for laying in layings[:30]:
        state = ARLEQUIN.apply(state, Lay(0, laying)).state
    while state.outcome is None:
        hint = ARLEQUIN.hint(ARLEQUIN.view(state, 0))
        assert hint.outcome == "lay"
        assert hint.laying is not None
        state = ARLEQUIN.apply(state, Lay(0, hint.laying)).state
    assert state.outcome.winners == (0,)
    assert state.outcome.reason == "full"


def test_a_hint_says_what_cannot_be_completed() -> None:
    """Two lone cells in a corner: no domino covers them."""
    state = start("arlequin", 1, piles=[1])
    names = iter(list_pile(1))
    for laying in ("+0@1,0", "+1@0,1"):
        state = ARLEQUIN.apply(state, Lay(0, Laying.parse(next(names) + laying))).state
    view = ARLEQUIN.view(state, 0)
    hint = ARLEQUIN.hint(view)
    assert (hint.outcome, hint.laying) == ("impossible", None)
    assert ARLEQUIN.hint(view, stop=lambda _: True).outcome == "impossible"


def test_a_hint_can_be_given_up() -> None:
    view = ARLEQUIN.view(start("arlequin", 1), 0)
    hint = ARLEQUIN.hint(view, stop=lambda _: True)
    assert hint.outcome in ("gave_up", "lay")
    with pytest.raises(DalapapaError):
        ARLEQUIN.hint(ARLEQUIN.view(start("arlequin", 1), None))


def test_a_frame_is_upright_or_lying() -> None:
    options = ARLEQUIN.parse_options({})
    for layings, sizes in (
        ((), [(8, 10), (10, 8)]),
        (("PRYGB+0@0,0",), [(8, 10), (10, 8)]),
        (("PRYGB+0@8,0",), [(10, 8)]),
        (("PRYGB+0@0,9",), [(8, 10)]),
        (("PRYGB+0@8,0", "PRYBG+0@0,9"), []),
    ):
        frames = ARLEQUIN.frames(options, tuple(map(Laying.parse, layings)))
        assert list(frames) == [make_rectangle(*size) for size in sizes]


def test_piles_are_drawn_from_the_seed() -> None:
    drawn = {start("arlequin", 3, seed=str(number)).piles for number in range(60)}
    assert len(drawn) == 6
    assert start("arlequin", 2, piles=[3, 1]).piles == (3, 1)


def test_a_domino_asked_for_twice_stays_where_it_is() -> None:
    """A double click neither takes a domino out again nor anything else."""
    state = start("puzzle", 2)
    state = PUZZLE.apply(state, Take(0, "PRYGB")).state
    assert code_of(PUZZLE, state, Take(0, "PRYGB")) == "hand_full"
    state = PUZZLE.apply(state, Lay(0, Laying.parse("PRYGB+0@0,0"))).state
    assert code_of(PUZZLE, state, Take(0, "PRYGB")) == "taken"
    assert code_of(PUZZLE, state, Take(1, "PRYGB")) == "taken"
    assert code_of(PUZZLE, state, TakeOut(1, "PRYGB")) == "not_in_frame"
    assert PUZZLE.apply(state, TakeOut(0, "PRYGB")).state.held == ("PRYGB", None)


def test_a_player_who_gave_up_does_not_win_by_time() -> None:
    state = start("puzzle", 3, minutes=1)
    state = PUZZLE.apply(state, Take(0, "PRYGB")).state
    state = PUZZLE.apply(state, Lay(0, Laying.parse("PRYGB+0@0,0"))).state
    state = PUZZLE.apply(state, GiveUp(0)).state
    assert code_of(PUZZLE, state, Take(0, "DRYGB")) == "gave_up"
    outcome = PUZZLE.apply(state, TimeUp(1)).state.outcome
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((1, 0, 0), ())


@pytest.mark.parametrize("name", ["puzzle", "arlequin"])
def test_alone_only_a_full_frame_wins(name: str) -> None:
    state = start(name, 1, minutes=1)
    game = REGISTRY[name]
    assert game.apply(state, TimeUp(1)).state.outcome.winners == ()
    assert game.apply(state, GiveUp(0)).state.outcome.winners == ()


@pytest.mark.parametrize("seed", range(10))
def test_the_layout_lists_what_it_accepts(seed: int) -> None:
    """Every laying of a domino anywhere: legal exactly if `lay` takes it."""
    frame = Frame.rectangle(4, 4)
    solved = solver.solve(frame, standard(), standard().names[seed::2], seed=str(seed))
    layings = list(solved.solutions[0])
    Random(seed).shuffle(layings)
    given = layings[: seed % 7]
    for laying in layings[7:]:
        name = laying.tile
        accepted = []
        for side in ("+", "-"):
            for rotation in range(4):
                for x in range(-1, 5):
                    for y in range(-1, 5):
                        tried = Laying(name, side, rotation, x, y)
                        try:
                            Layout(standard(), frame.number, given).lay(tried)
                        except DalapapaError:
                            continue
                        accepted.append(tried)
        listed = Layout(standard(), frame.number, given).legal([name])
        assert sorted(map(str, listed)) == sorted(map(str, accepted))
        assert laying in listed


def test_a_refused_laying_leaves_a_layout_as_it_was() -> None:
    layout = Layout(standard(), None, parse_position("PRYGB+0@0,0"))
    before = dict(layout.owners), dict(layout.shown)
    for text in ("PRYGB+0@0,0", "DRYGB+0@2,0", "XX+0@5,5"):
        with pytest.raises(DalapapaError):
            layout.lay(Laying.parse(text))
    assert (layout.owners, layout.shown) == before


def test_hints_fill_a_puzzle_from_the_middle() -> None:
    """What is in hand counts; laying what the hints say fills the frame."""
    state = PUZZLE.apply(start("puzzle", 2), Take(1, "PRYGB")).state
    while state.phase != "over":
        hint = PUZZLE.hint(PUZZLE.view(state, 0))
        assert hint.laying is not None
        assert (hint.outcome, hint.width) == ("lay", 4)
        state = PUZZLE.apply(state, Take(0, hint.laying.tile)).state
        state = PUZZLE.apply(state, Lay(0, hint.laying)).state
    assert state.outcome is not None
    assert state.outcome.winners == (0,)


@pytest.mark.parametrize("width", [8, 10])
def test_a_hint_is_for_the_frame_that_is_wanted(width: int) -> None:
    hint = ARLEQUIN.hint(ARLEQUIN.view(start("arlequin", 1, piles=[1]), 0), width=width)
    assert hint.width == width
