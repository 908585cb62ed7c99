"""What a bot plays for a person who has left: in no review, and in the log."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest

from dalapapa.coach.encode import encode_review
from dalapapa.coach.report import format_review
from dalapapa.core.tiles import standard
from dalapapa.games.events import CameBack, LeftTable, StoodIn
from dalapapa.games.moves import End, GiveUp
from dalapapa.hosting.entries import Entry, Left, Moved, Returned, Sat
from dalapapa.hosting.replays import make_logged_game, replay_table, review_logged_game
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import TableState, advance, open_table

TURNS_OF_ANN = 2


class WholeLog(NamedTuple):
    """A log in memory."""

    made: list[Entry]

    def entries(self) -> list[tuple[int, int, Entry]]:
        return [(number, number, entry) for number, entry in enumerate(self.made, start=1)]


def play_away() -> tuple[TableState, WholeLog]:
    """A game with few dominoes; Ann leaves Bob after some turns, and a bot plays for her."""
    few = standard("120").tiles[:24]
    names = [{"name": one.name, "recto": one.face("+"), "verso": one.face("-")} for one in few]
    seats = (SeatPlan(), SeatPlan())
    state = open_table(Settings("classic", seats, options={"set": names}), "seed", 0)
    log = WholeLog([])

    def add(entry: Entry) -> None:
        nonlocal state
        state = advance(state, entry, len(log.made) + 1)
        log.made.append(entry)

    add(Sat(0, "Ann", "ann"))
    add(Sat(1, "Bob", "bob"))
    turns = 0
    while state.phase == "playing":
        rules = state.game
        (seat, *_) = rules.next_actors(state.game_state)
        moves = rules.legal_moves(rules.view(state.game_state, seat))
        move = next((one for one in moves if isinstance(one, End)), moves[-1])
        add(Moved(move, "program" if state.seats[seat].away else "player"))
        turns += seat == 0 and isinstance(move, End)
        if turns == TURNS_OF_ANN and not state.seats[0].away:
            add(Left(0))
    return state, log


def test_the_turns_of_a_bot_count_for_no_one() -> None:
    state, log = play_away()
    game = make_logged_game(state, log)
    turns = msgspec.json.decode(replay_table(game))["turns"]
    own = [turn.get("stand_in", False) for turn in turns if turn["player"] == 0]
    assert own == [False] * TURNS_OF_ANN + [True] * (len(own) - TURNS_OF_ANN)
    assert len(own) > TURNS_OF_ANN
    assert not any(turn.get("stand_in") for turn in turns if turn["player"] == 1)
    review = review_logged_game(game)
    assert review.players[0].turns == TURNS_OF_ANN
    assert review.players[1].turns == len(turns) - len(own)
    by_bot = {turn.number for turn in review.turns if turn.played.stand_in}
    assert by_bot
    assert by_bot.isdisjoint(review.missed)
    assert all(turn.better is None for turn in review.turns if turn.played.stand_in)
    assert [turn.stand_in for turn in encode_review(review).turns if turn.player == 0] == own


def test_a_race_of_a_bot_has_no_pace() -> None:
    state = open_table(Settings("puzzle", (SeatPlan(), SeatPlan()), countdown=0), "seed", 0)
    log = WholeLog(
        [Sat(0, "Ann", "ann"), Sat(1, "Bob", "bob"), Left(0), Moved(GiveUp(0), "program")]
    )
    for number, entry in enumerate(log.made, start=1):
        state = advance(state, entry, number)
    review = review_logged_game(make_logged_game(state, log))
    assert [player.pace is None for player in review.players] == [True, False]
    assert "Ann:" not in format_review(review)


@pytest.mark.parametrize(
    ("entry", "event"),
    [(Left(1), LeftTable(1)), (Left(1, 0), StoodIn(1, 0)), (Returned(1), CameBack(1))],
)
def test_the_log_says_who_leaves_and_returns(entry: Entry, event: object) -> None:
    state = open_table(Settings("classic", (SeatPlan(), SeatPlan())), "seed", 0)
    before: list[Entry] = [Sat(0, "Ann", "ann"), Sat(1, "Bob", "bob")]
    if isinstance(entry, Returned):
        before.append(Left(1))
    for number, one in enumerate([*before, entry], start=1):
        state = advance(state, one, number)
    assert state.events == (event,)


def test_leaving_before_the_game_is_no_event() -> None:
    state = open_table(Settings("classic", (SeatPlan(), SeatPlan())), "seed", 0)
    made: list[Entry] = [Sat(0, "Ann", "ann"), Left(0)]
    for number, entry in enumerate(made, start=1):
        state = advance(state, entry, number)
    assert state.events == ()
