"""Lists of layings: in which order, how long, and how often they are made."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from dalapapa.core.errors import TooHard
from dalapapa.core.points import DISC_POINTS, Earned
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.alex.state import AlexView
from dalapapa.games.auction.rules import AuctionView, Bidding
from dalapapa.games.conquest.rules import ConquestView
from dalapapa.games.dalapapa72.rules import View72
from dalapapa.games.events import Laid
from dalapapa.games.moves import Lay, Mark, move_to_json
from dalapapa.games.turns import TargetView, TurnView
from dalapapa.hosting import encoder, layings, seat_answers
from dalapapa.hosting.entries import Moved, Sat
from dalapapa.hosting.layings import LayingsCache, SeatMoves, encode_may, finish
from dalapapa.hosting.protocol import May
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import TableState, advance, open_table

ON_A_TABLE = [name for name in REGISTRY if not find_game(name).is_race]
V = TypeVar("V")
RED = [{"name": f"D{n}", "recto": "R" * 7, "verso": "R" * 7} for n in range(500)]


def played(game: str, moves: int = 14, **settings: Any) -> TableState:
    """A game of two after some random moves."""
    rng = random.Random(game)
    state = open_table(Settings(game, (SeatPlan(),) * 2, **settings), "seed", 0)
    for seat in range(2):
        state = advance(state, Sat(seat, f"Ann {seat}", f"{seat}"), 0)
    for _ in range(moves):
        now = state.game_state
        seat = state.game.next_actors(now)[0]
        legal = state.game.legal_moves(state.game.view(now, seat))
        lays = [move for move in legal if isinstance(move, Lay)]
        state = advance(state, Moved(rng.choice(lays or legal)), 0)
    return state


def states(game: str, **settings: Any) -> Iterator[TableState]:
    for moves in range(4, 16):
        yield played(game, moves, **settings)


def may_of(state: TableState, seat: int, points: bool = False) -> Any:
    found = finish(encode_may(state.game, state.game.view(state.game_state, seat), points))
    assert found is not None
    return json.loads(found)


def expected_may(state: TableState, seat: int) -> Any:
    """The same, written plainly: every laying with what it earns, the best first."""
    view = state.game.view(state.game_state, seat)
    legal = state.game.legal_moves(view)
    lays = {move.laying for move in legal if isinstance(move, Lay)}
    names = [*getattr(view, "hand", ()), *sorted({laying.tile for laying in lays})]
    return {
        "moves": [move_to_json(move) for move in legal if not isinstance(move, Lay)],
        "lays": bool(lays),
        "layings": {
            name: [
                {"laying": str(laying), **earned.to_json()}
                for laying, earned in view.table.scored(name)
                if not lays or laying in lays
            ]
            for name in dict.fromkeys(names)
        },
        "hand": list(state.game.playable_tiles(view)),
        "can_try": state.game.can_try(view),
        "charge": view.charge if isinstance(view, TargetView) and seat == view.active else 0,
    }


@pytest.mark.parametrize("points", [True, False])
@pytest.mark.parametrize("game", ON_A_TABLE)
def test_may_has_the_fields_that_the_protocol_declares(game: str, points: bool) -> None:
    view = (state := played(game)).game.view(state.game_state, 0)
    encoded = finish(encode_may(state.game, view, points))
    assert encoded is not None
    assert msgspec.json.encode(msgspec.json.decode(encoded, type=May)) == encoded


@pytest.mark.parametrize("game", ON_A_TABLE)
def test_may_lists_every_laying_with_its_points(game: str) -> None:
    for state in states(game):
        for seat in range(2):
            listed = may_of(state, seat, points=True)
            expected = json.loads(msgspec.json.encode(expected_may(state, seat)))
            assert listed == expected
            assert list(listed["layings"]) == list(expected["layings"])


def view_of(game: str, seat: int, kind: type[V], **fields: Any) -> V:
    """What a seat sees after some moves, with some fields replaced."""
    state = played(game)
    view = replace(state.game.view(state.game_state, seat), **fields)
    assert isinstance(view, kind)
    return view


def test_a_player_on_turn_cannot_try_layings_that_are_not_legal() -> None:
    for game, kind in (("classic", TargetView), ("gone", TurnView)):
        rules = find_game(game)
        view = view_of(game, 0, kind, active=0)
        assert rules.playable_tiles(view) == view.hand
        assert not rules.can_try(view)
        assert rules.can_try(replace(view, active=1))


def test_a_bidder_can_try_layings() -> None:
    rules = find_game("auction")
    view = view_of("auction", 0, AuctionView, active=0, bidding=None)
    assert not rules.can_try(view)
    assert rules.can_try(replace(view, bidding=Bidding(2, 1, 0)))


def test_nothing_can_be_laid_after_a_mark_of_conquest() -> None:
    rules = find_game("conquest")
    view = view_of("conquest", 0, ConquestView, active=0, marked=True)
    assert rules.playable_tiles(view) == ()
    assert rules.playable_tiles(replace(view, active=1)) == view.hand


def test_one_domino_can_be_laid_in_a_turn_of_72() -> None:
    rules = find_game("72")
    view = view_of("72", 0, View72, active=0, laid=None)
    laid = Laid(0, view.table.layings[0], Earned(0, ()))
    assert rules.playable_tiles(view) == view.hand
    assert rules.playable_tiles(replace(view, laid=laid)) == ()
    assert rules.playable_tiles(replace(view, laid=laid, active=1)) == view.hand


def test_the_shower_of_alex_can_lay_what_was_drawn() -> None:
    rules = find_game("alex")
    view = view_of("alex", 0, AlexView, shower=0, drawn=("ZBGRY",))
    assert rules.playable_tiles(view) == ("ZBGRY",)
    assert not rules.can_try(view)
    for shower in (1, None):
        assert rules.playable_tiles(replace(view, shower=shower)) == ()


def test_the_second_domino_of_a_turn_is_charged() -> None:
    charges = set()
    for state in states("classic"):
        now = state.game_state
        for seat in range(2):
            charge = may_of(state, seat)["charge"]
            charges.add((charge, bool(now.turn), seat == now.active))
    assert charges == {(0, False, True), (0, False, False), (4, True, True), (0, True, False)}


@pytest.mark.parametrize("game", ON_A_TABLE)
def test_without_aids_the_order_says_nothing_about_points(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is the same if points are counted the other way round."""
    made = [(state, seat) for state in states(game, aids="none") for seat in range(2)]

    def list_all() -> list[tuple[Any, bytes]]:
        return [
            (
                may_of(state, seat),
                seat_answers.list_moves(game, state.game.view(state.game_state, seat), None, True),
            )
            for state, seat in made
        ]

    before = list_all()
    listed = [
        [one["laying"] for one in places]
        for entry, _ in before
        for places in entry["layings"].values()
    ]
    best_first = [
        [one["laying"] for one in places]
        for state, seat in made
        for places in may_of(state, seat, points=True)["layings"].values()
    ]
    assert sum(map(len, listed)) > 100
    assert listed != best_first
    assert all(places == sorted(places) for places in listed)
    monkeypatch.setattr(Earned, "points", property(lambda self: -DISC_POINTS[self.contacts]))
    assert list_all() == before
    assert b"points" not in msgspec.json.encode([entry["layings"] for entry, _ in before])


def test_moves_without_aids_are_sorted_by_places() -> None:
    """In 72 the rules list layings and territories best first."""
    game = find_game("72")
    far, near = Mark(0, (3, 2)), Mark(0, (1, 2))
    assert layings.sort_moves([far, near]) == [near, far]
    state = played("72", 5)
    seat = state.game.next_actors(state.game_state)[0]
    legal = game.legal_moves(game.view(state.game_state, seat))
    lays = [move for move in layings.sort_moves(legal) if isinstance(move, Lay)]
    for tile in {move.laying.tile for move in lays}:
        texts = [str(move.laying) for move in lays if move.laying.tile == tile]
        assert texts == sorted(texts)


def big_table(dominoes: int, laid: int) -> TableState:
    """Gone with equal dominoes, as older versions allowed it."""
    settings = Settings("gone", (SeatPlan(),) * 2, {"ages": [8, 8], "set": RED[:dominoes]})
    state = open_table(settings, "seed", 0)
    for seat in range(2):
        state = advance(state, Sat(seat, "Ann", f"{seat}"), 0)
    while len(state.game_state.table) < laid:
        now = state.game_state
        x, y = max(cell for laying in now.table.layings for cell in laying.cells)
        laying = now.table.legal(now.hands[now.active][0])[0]
        laying = msgspec.structs.replace(laying, side="+", rotation=0, x=x + 1, y=y)
        state = advance(state, Moved(Lay(now.active, laying)), 0)
    return state


def test_a_list_that_would_be_too_long_is_left_out() -> None:
    state = big_table(500, 60)
    assert finish(encode_may(state.game, state.game.view(state.game_state, 0), True)) is None
    message = encoder.StateEncoder("table").encode(state, (0, 1), 0, False, {})
    assert len(message) < 200_000  # Mostly the set, which new tables cannot have.
    with pytest.raises(TooHard, match="one domino") as caught:
        seat_answers.check_move_count(seat_answers.MAX_MOVES + 1)
    assert caught.value.code == "too_many_moves"


def test_too_many_moves_are_counted_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = big_table(120, 30)
    view = state.game.view(state.game_state, state.game_state.active)
    one = seat_answers.list_moves("gone", view, view.hand[0])
    assert len(json.loads(one)) > 500
    monkeypatch.setattr(seat_answers, "MAX_MOVES", 1000)
    with pytest.raises(TooHard):
        seat_answers.list_moves("gone", view)
    assert seat_answers.list_moves("gone", view, view.hand[0]) == one


def test_dominoes_with_the_same_faces_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layings, "MAX_SEAT_LAYINGS", 100_000)
    state = big_table(30, 8)
    asked = []
    scored = layings._score

    def score(table: Any, places: Any) -> Any:
        asked.append(len(places))
        return scored(table, places)

    monkeypatch.setattr(layings, "_score", score)
    listed = may_of(state, 0, points=True)
    assert len(asked) == 1
    assert len(listed["layings"]) == 8
    assert listed == json.loads(msgspec.json.encode(expected_may(state, 0)))


def test_seats_that_are_to_act_have_room_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    state = played("gone", 6)
    (actor,) = state.game.actors(state.game_state)
    monkeypatch.setattr(layings, "MAX_MAY_BYTES", 100)
    message = encoder.compose_may(state, (0, 1), lambda _: b"[%s]" % (b"0" * 60))
    assert list(message) == [str(actor)]
    assert encoder.compose_may(state, (0, 1), lambda _: None) == {}


def test_lists_are_made_once_for_each_version_and_seat() -> None:
    cache, state = LayingsCache(), played("classic")
    one = cache.compute_may(7, state, 0)
    assert cache.compute_may(7, state, 0) is one
    assert not cache.knows_may(7, state, 0)
    while not one.done:
        one.advance()
    assert cache.knows_may(7, state, 0)
    assert json.loads(cache.may(7, state, 0) or b"") == may_of(state, 0, points=True)
    assert not cache.knows_may(7, state, 1)
    assert not cache.knows_may(8, state, 0)
    assert cache.made == 1


def test_the_cache_is_bounded_in_bytes() -> None:
    cache, state = LayingsCache(max_bytes=50_000), played("classic")
    for number in range(200):
        computation = cache.compute_may(number, state, 0)
        while not computation.done:
            computation.advance()
        cache.compute_moves(number, state, 1)
        for _ in range(2):
            cache.keep_list((number, 1, 1, "A" * 20), b"x" * 100)
        assert cache.size <= 50_000
    assert cache.knows_may(199, state, 0)
    assert not cache.knows_may(0, state, 0)
    cache.max_bytes = 0
    cache.keep_list((0, 1, 1, None), b"x")
    assert cache.size == 0


@pytest.mark.parametrize("game", ON_A_TABLE)
def test_listed_moves_are_those_of_the_rules(game: str) -> None:
    state = played(game)
    for seat in range(2):
        view = state.game.view(state.game_state, seat)
        legal = state.game.legal_moves(view)
        listed = SeatMoves(legal)
        assert json.loads(listed.encode(None)) == [move_to_json(move) for move in legal]
        for tile in (*getattr(view, "hand", ()), "unknown"):
            own = [move_to_json(move) for move in state.game.legal_layings(view, tile)]
            assert json.loads(listed.encode(tile)) == own


def test_the_classic_game_is_always_cheap() -> None:
    """Its lists are made without a pause, as long as the game may last."""
    state = played("classic", 6)
    view = state.game.view(state.game_state, 0)
    full = len(view.table.tiles) - len(view.hand)
    most = 2 * (full + 2) * layings.LAYINGS_PER_DOMINO
    assert layings.estimate_layings(view) < most <= layings.MAX_CHEAP_LAYINGS
