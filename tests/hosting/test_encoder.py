"""Repeated messages about a table equal those that are encoded for the first time."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from dalapapa.core.errors import DalapapaError
from dalapapa.games import REGISTRY
from dalapapa.games.moves import Call, Decline, Move, Undo
from dalapapa.hosting import encoder
from dalapapa.hosting.entries import Left, Moved, Returned, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import TableState, advance, open_table

SEATS = 2


@pytest.mark.parametrize("game", REGISTRY)
def test_cached_parts_equal_newly_encoded_ones(game: str) -> None:
    rng = random.Random(game)
    settings = Settings(game=game, seats=(SeatPlan(),) * SEATS, spectators="all")
    state = open_table(settings, "seed", 0)
    state_encoder = encoder.StateEncoder("table")
    entries: list[Moved | Sat | Left | Returned] = [Sat(0, "Ann", "a"), Sat(1, "Bob", "b")]
    for number in range(24):
        if number >= SEATS:
            moves: list[Move] = [Undo(seat) for seat in range(SEATS) if rng.random() < 0.2]
            for seat in state.game.actors(state.game_state):
                view = state.game.view(state.game_state, seat)
                tile = rng.choice(state.game.tiles(state.options).names)
                legal = (
                    state.game.legal_layings(view, tile)
                    if state.game.many_moves  # Thousands, if one asks for all.
                    else state.game.legal_moves(view)
                )
                moves += rng.sample(legal, min(2, len(legal)))
            entries = [Moved(move) for move in moves]
            if number == 12:
                entries = [Left(0)]
            if number == 15:
                entries = [Returned(0)]
        for entry in entries:
            try:
                state = advance(state, entry, number)
                break
            except DalapapaError:
                continue
        for seats in ((0,), (1,), (0, 1), ()):
            for news in (True, False):
                message = state_encoder.encode(state, seats, number, news)
                assert message == encoder.encode_table("table", state, seats, number, news)
                written = msgspec.json.encode(encoder.build_views(state, seats))
                assert b'"views":' + written in message
        if number < SEATS:
            entries = entries[1:]
    assert state.version > 5


def decode(state: TableState, seats: tuple[int, ...]) -> Any:
    return msgspec.json.decode(encoder.encode_table("table", state, seats, 0, False))


def sit_all(settings: Settings) -> TableState:
    state = open_table(settings, "seed", 0)
    for seat in range(len(settings.seats)):
        state = advance(state, Sat(seat, f"Ann {seat}", f"{seat}"), 0)
    return state


def test_messages_name_whose_turn_it_is_and_who_may_call() -> None:
    state = sit_all(Settings(game="auction", seats=(SeatPlan(),) * 3))
    assert (decode(state, (1,))["acting"], decode(state, (1,))["invited"]) == ([0], [])
    while state.game_state.phase == "setup":
        seat = state.game_state.active
        state = advance(
            state, Moved(state.game.legal_moves(state.game.view(state.game_state, seat))[0]), 0
        )
    active = state.game_state.active
    others = [(active + step) % 3 for step in (1, 2)]
    for viewer in ((0,), (1, 2), ()):
        message = decode(state, viewer)
        assert (message["acting"], message["invited"]) == ([active], others)
    # A player who has declined may still call, but is not one of those who are asked.
    state = advance(state, Moved(Decline(others[0])), 0)
    assert decode(state, (0,))["invited"] == others
    assert state.game.actors(state.game_state) == (active, others[1])
    state = advance(state, Moved(Call(others[0], 2)), 0)
    assert decode(state, (0,))["acting"] == [others[1]]
    assert decode(state, (0,))["invited"] == []


def test_a_spectator_who_may_see_nothing_learns_nothing_about_turns() -> None:
    state = sit_all(Settings(game="classic", seats=(SeatPlan(),) * 2, spectators="none"))
    assert decode(state, ())["acting"] == []
    assert decode(state, (1,))["acting"] == [0]
