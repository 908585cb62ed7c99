"""What happens at a table, as a pure function of its log (`hosting/state.py`)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dalapapa.bots.arena import BotSeats
from dalapapa.core.errors import DalapapaError, IllegalMove
from dalapapa.core.names import JOINERS
from dalapapa.games import REGISTRY
from dalapapa.games.alex.rules import GAME_TIMER
from dalapapa.games.events import GotHint, LeftTable
from dalapapa.games.moves import Announce, Decline, End, GiveUp, Lay, Move, NoMore, TimeUp, Undo
from dalapapa.hosting.commands import end_timer, make_rematch_settings
from dalapapa.hosting.encoder import summarize
from dalapapa.hosting.entries import (
    Entry,
    Hinted,
    Left,
    Moved,
    Rematched,
    Resumed,
    Returned,
    Sat,
    Written,
    WrittenMove,
    read_entry,
    write_entry,
)
from dalapapa.hosting.requests import NewTable, make_settings
from dalapapa.hosting.settings import Clock, SeatPlan, Settings, read_settings
from dalapapa.hosting.state import (
    MAX_NAME_LENGTH,
    STAND_IN_BOT,
    RunningTimer,
    TableState,
    advance,
    clean_name,
    open_table,
)

SEED = "0123456789abcdef"
START = 1_700_000_000_000
"""A time, in milliseconds, like those of the server."""

PEOPLE = ("Ann", "Bob", "Cid", "Dan")


def settings(game: str = "classic", *seats: str | None, **more: Any) -> Settings:
    """A table of that game; by default for two people."""
    plans = tuple(SeatPlan(program) for program in seats or (None, None))
    return Settings(game, plans, **more)


def seated(what: Settings, at: int = START) -> TableState:
    """A table at which everybody sits."""
    state = open_table(what, SEED, at)
    for number, seat in enumerate(state.seats):
        if seat.free:
            state = advance(state, Sat(number, PEOPLE[number], f"owner {number}"), at)
    return state


def owned_by(state: TableState, owner: str) -> list[int]:
    return [number for number, seat in enumerate(state.seats) if seat.owner == owner]


def moved(state: TableState, move: Move, at: int, cause: Any = "player") -> TableState:
    return advance(state, Moved(move, cause), at)


def turn(state: TableState, at: int, kinds: Sequence[type] = (End, Decline, Lay)) -> TableState:
    """One move of the first player to act: the first legal one of the first kind."""
    (seat, *_) = state.game.next_actors(state.game_state)
    legal = state.game.legal_moves(state.game.view(state.game_state, seat))
    chosen = [move for kind in kinds for move in legal if isinstance(move, kind)]
    return moved(state, (chosen or legal)[0], at)


def in_play(state: TableState, at: int) -> TableState:
    """The classic game after its setup."""
    while state.game_state.phase == "setup":
        state = turn(state, at)
    return state


def refused(state: TableState, entry: Entry, at: int = START) -> str:
    """The code with which an entry is refused; the state stays what it was."""
    before = msgspec.structs.astuple(state)
    with pytest.raises(DalapapaError) as caught:
        advance(state, entry, at)
    assert msgspec.structs.astuple(state) == before
    assert "\n" not in str(caught.value)
    return caught.value.code


# -- sitting and leaving -------------------------------------------------------------------------


def test_a_game_begins_when_all_seats_are_taken() -> None:
    state = open_table(settings("classic", None, "greedy", None), SEED, START)
    assert (state.phase, state.version, state.game_state) == ("waiting", 0, None)
    assert [seat.free for seat in state.seats] == [True, False, True]
    assert state.names() == ("player 1", "greedy 2", "player 3")
    state = advance(state, Sat(2, "Cid", "c"), START + 1)
    assert (state.phase, state.version) == ("waiting", 1)
    assert state.events == ()
    state = advance(state, Sat(0, "  Ann\n", "a"), START + 2)
    assert (state.phase, state.version) == ("playing", 2)
    assert state.names() == ("Ann", "greedy 2", "Cid")
    assert [type(event).__name__ for event in state.events] == ["Drew"] * 3
    assert owned_by(state, "a") == [0]
    assert owned_by(state, "stranger") == []


def test_programs_alone_begin_at_once() -> None:
    state = open_table(settings("classic", "greedy", "random"), SEED, START)
    assert (state.phase, state.version) == ("playing", 0)
    assert [seat.played_by for seat in state.seats] == ["greedy", "random"]


def test_one_owner_may_hold_several_seats() -> None:
    state = open_table(settings("classic", None, None, None), SEED, START)
    for number in (2, 0):
        state = advance(state, Sat(number, PEOPLE[number], "screen"), START)
    assert owned_by(state, "screen") == [0, 2]


def test_leaving_before_the_game_frees_the_seat() -> None:
    state = open_table(settings(), SEED, START)
    state = advance(state, Sat(0, "Ann", "a"), START)
    state = advance(state, Left(0), START)
    assert state.seats[0].free
    assert state.names()[0] == "player 1"
    assert owned_by(state, "a") == []
    assert refused(state, Left(0)) == "seat_free"
    assert refused(state, Returned(0)) == "not_away"
    state = advance(state, Sat(0, "Eve", "e"), START)
    assert (state.version, state.names()[0]) == (3, "Eve")


def test_leaving_a_game_keeps_the_seat_and_a_program_stands_in() -> None:
    state = seated(settings())
    left = advance(state, Left(0), START)
    assert left.seats[0].away
    assert left.seats[0].played_by == STAND_IN_BOT
    assert not left.seats[0].free
    assert left.names()[0] == "Ann"
    assert owned_by(left, "owner 0") == [0]
    assert left.game_state is state.game_state
    assert refused(left, Left(0)) == "seat_free"
    assert refused(left, Sat(0, "Eve", "e")) == "seat_taken"
    back = advance(left, Returned(0), START)
    assert back.seats == state.seats
    assert refused(back, Returned(0)) == "not_away"


def test_refusals_of_seats() -> None:
    state = seated(settings("classic", None, "greedy"))
    assert refused(state, Sat(0, "Eve", "e")) == "seat_taken"
    assert refused(state, Sat(1, "Eve", "e")) == "seat_taken"
    assert refused(state, Left(1)) == "seat_free"
    assert refused(state, Returned(1)) == "not_away"
    for number in (-1, 2, 10**30, True, "0", None):
        entry: Any
        for entry in (Sat(number, "Eve", "e"), Left(number), Returned(number)):  # type: ignore[arg-type]
            assert refused(state, entry) == "unknown_seat"


def test_tables_that_cannot_be_set_up() -> None:
    for what, code in (
        (settings("chess"), "unknown_game"),
        (settings("classic", None), "bad_players"),
        (settings("classic", *[None] * 5), "bad_players"),
        (settings("classic", options={"target": 7}), "bad_target"),
        (settings("classic", options={"colour": 7}), "unknown_option"),
        (settings("classic", options={"first": 3}), "bad_first"),
        (settings("gone", options={"names": ["Ann"]}), "bad_names"),
    ):
        with pytest.raises(DalapapaError) as caught:
            open_table(what, SEED, START)
        assert caught.value.code == code


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"game": "classic"},
        {"game": 1, "seats": []},
        {"game": "classic", "seats": [None]},
        {"game": "classic", "seats": [{"bot": "greedy"}]},
        {"game": "classic", "seats": [], "visibility": "secret"},
        {"game": "classic", "seats": [], "spectators": True},
        {"game": "classic", "seats": [], "clock": {"kind": "sun"}},
        {"game": "classic", "seats": [], "clock": {"seconds": 4}},
        {"game": "classic", "seats": [], "clock": {"seconds": 10**9}},
        {"game": "classic", "seats": [], "clock": {"increment": -1}},
        {"game": "classic", "seats": [], "pace": -1},
        {"game": "classic", "seats": [], "owner": "me"},
        {"game": "classic", "seats": [], "options": {"set": "\ud800"}},
        {"game": "gone", "seats": [], "options": {"names": ["x" * 100_000]}},
    ],
)
def test_settings_that_make_no_sense(data: Any) -> None:
    with pytest.raises(DalapapaError) as caught:
        read_settings(data)
    assert caught.value.code == "bad_settings"
    assert len(str(caught.value)) < 200


@given(st.text(max_size=80))
def test_a_name_is_one_short_printable_line(text: str) -> None:
    try:
        name = clean_name(text)
    except DalapapaError as error:
        assert error.code == "bad_name"
        assert not any(c.isprintable() and not c.isspace() for c in text)
        return
    assert 0 < len(name) <= MAX_NAME_LENGTH
    assert name.translate(dict.fromkeys(map(ord, JOINERS))).isprintable()
    assert name == name.strip()
    assert clean_name(name) == name


def test_names_without_tricks() -> None:
    assert clean_name("A\u202enn\x07 \r\n B") == "A nn B"
    assert clean_name("<b>Ann</b>") == "<b>Ann</b>"  # The code that shows it escapes it.
    assert clean_name("x" * 10_000) == "x" * MAX_NAME_LENGTH
    for empty in ("", " \n\t", "\u200b\u200e", "\0"):
        with pytest.raises(DalapapaError) as caught:
            clean_name(empty)
        assert caught.value.code == "bad_name"


def test_gone_learns_the_names_of_its_players() -> None:
    """Most letters a begin (rules 4, First)."""
    state = open_table(settings("gone"), SEED, START)
    state = advance(state, Sat(1, "Anna", "a"), START)
    state = advance(state, Sat(0, "Bob", "b"), START)
    assert state.options.names == ("Bob", "Anna")
    assert state.game_state.active == 1
    agreed = seated(settings("gone", options={"names": ["Aaa", "B"]}))
    assert agreed.options.names == ("Aaa", "B")
    assert agreed.game_state.active == 0


# -- moves ---------------------------------------------------------------------------------------


def test_moves_go_through_the_rules() -> None:
    waiting = open_table(settings(), SEED, START)
    state = seated(settings())
    lay = state.game.legal_moves(state.game.view(state.game_state, 0))[0]
    assert refused(waiting, Moved(lay)) == "not_begun"
    assert refused(state, Moved(replace(lay, player=1))) == "not_your_turn"
    assert refused(state, Moved(replace(lay, player=7))) == "unknown_player"
    assert refused(state, Moved(End(0))) == "must_lay"
    with pytest.raises(IllegalMove) as caught:
        read_entry(WrittenMove({}))
    assert caught.value.code == "malformed_move"
    # Only the game knows its kinds of moves.
    castle = read_entry(WrittenMove({"player": 0, "move": "castle"}))
    assert refused(state, castle) == "malformed_move"
    after = advance(state, Moved(lay), START)
    assert after.version == state.version + 1
    assert [type(event).__name__ for event in after.events] == ["Laid"]
    left = advance(after, Left(0), START)
    assert left.events == (LeftTable(0),)
    assert left.game_state is after.game_state


def test_in_a_rematch_the_next_player_begins() -> None:
    state = seated(settings("classic"))
    firsts = [0]
    for _ in range(3):
        again = make_rematch_settings(state)
        assert replace(again, options={}) == replace(state.settings, options={})
        firsts.append(again.options["first"])
        state = seated(again)
        assert state.game_state.active == firsts[-1]
    assert firsts == [0, 1, 0, 1]
    race = seated(settings("puzzle"))
    assert make_rematch_settings(race) == race.settings


def test_a_rematch_comes_after_the_end_and_once() -> None:
    state = seated(settings("puzzle"))
    assert refused(state, Rematched("next")) == "not_over"
    over = advance(state, Moved(GiveUp(0)), START)
    assert over.phase == "over"
    assert over.deadline() is None
    assert refused(over, Moved(GiveUp(1))) == "game_over"
    again = advance(over, Rematched("next"), START)
    assert again.rematch == "next"
    assert refused(again, Rematched("other")) == "already_rematched"


def test_a_player_who_leaves_after_the_end_is_away() -> None:
    over = advance(seated(settings("puzzle")), Moved(GiveUp(0)), START)
    assert advance(over, Left(1), START).phase == "over"


# -- clocks --------------------------------------------------------------------------------------


def test_without_a_clock_nothing_runs_out() -> None:
    state = in_play(seated(settings()), START)
    assert state.clock is None
    assert state.deadline() is None


def test_a_clock_for_each_turn() -> None:
    clock = Clock("turn", 30)
    waiting = open_table(settings(clock=clock), SEED, START)
    assert waiting.deadline() is None
    state = seated(settings(clock=clock))
    assert state.deadline() == START + 30_000
    state = in_play(state, START + 1_000)
    player = state.game_state.active
    assert state.deadline() == START + 31_000
    state = turn(state, START + 20_000, (Lay,))
    assert state.game_state.active == player
    assert state.deadline() == START + 31_000, "a laying does not end the turn"
    state = turn(state, START + 25_000)
    assert state.game_state.active != player
    assert state.deadline() == START + 55_000
    for entry in (Left(player), Returned(player)):
        state = advance(state, entry, START + 40_000)
        assert state.deadline() == START + 55_000


def test_a_bank_shrinks_while_its_owner_thinks() -> None:
    state = seated(settings(clock=Clock("bank", 100, 7)))
    assert state.clock is not None
    state = in_play(state, START)  # In no time: both have got their increment.
    assert state.clock is not None
    assert state.clock.left == (107_000, 107_000)
    player = state.game_state.active
    assert state.clock.player == player
    at = START + 10_000
    state = turn(turn(state, at, (Lay,)), at)
    assert state.clock is not None
    assert state.clock.player == 1 - player
    assert state.clock.left[player] == 107_000 - 10_000 + 7_000
    assert state.clock.left[1 - player] == 107_000
    assert state.deadline() == at + 107_000
    late = at + 500_000
    state = turn(turn(state, late, (Lay,)), late)
    assert state.clock is not None
    assert state.clock.left[1 - player] == 7_000, "no debts: the increment counts in full"
    assert state.deadline() == late + 104_000


def test_a_clock_that_goes_back_costs_and_gives_nothing() -> None:
    """The clock of a machine may be set back: then no time has passed."""
    state = in_play(seated(settings(clock=Clock("bank", 100))), START)
    state = turn(turn(state, START - 60_000, (Lay,)), START - 60_000)
    assert state.clock is not None
    assert state.clock.left == (100_000, 100_000)


def test_the_same_player_again_is_a_new_turn() -> None:
    """Where the others have no dominoes, turns follow each other: each has its own time."""
    state = in_play(seated(settings(clock=Clock("turn", 30))), START)
    game_state = state.game_state
    player = game_state.active
    hands = tuple(hand if seat == player else () for seat, hand in enumerate(game_state.hands))
    bag = type(game_state.bag)((), SEED)
    state = msgspec.structs.replace(
        state, game_state=msgspec.structs.replace(game_state, hands=hands, bag=bag)
    )
    state = turn(state, START + 10_000, (Lay,))
    assert state.deadline() == START + 30_000
    state = turn(state, START + 12_000, (End,))
    assert state.game_state.active == player
    assert state.deadline() == START + 42_000


def test_no_clock_runs_where_all_play_at_once() -> None:
    state = seated(settings("puzzle", clock=Clock("turn", 30)))
    assert state.clock is not None
    assert state.clock.player is None
    assert state.deadline() is None


# -- timers --------------------------------------------------------------------------------------


def test_the_sandglass_of_alex() -> None:
    state = seated(settings("alex", options={"sandglass": 30}))
    assert (state.timer, state.deadline()) == (None, None)
    at = START + 5_000
    state = moved(state, Announce(0, 3, 1), at)
    assert state.timer == RunningTimer(1, at + 30_000)
    assert state.deadline() == at + 30_000
    state = moved(state, Announce(1, 4, 1), at + 10_000)
    assert state.timer == RunningTimer(1, at + 30_000), "it is turned once"
    up = Moved(TimeUp(1), "time")
    assert refused(state, up, at + 29_999) == "no_timer"
    assert refused(state, Moved(up.move, "player"), at + 30_000) == "malformed_move"
    assert refused(state, Moved(up.move, "program"), at + 30_000) == "malformed_move"
    wrong = Moved(TimeUp(2), "time")
    assert refused(state, wrong, at + 30_000) == "no_timer"
    state = advance(state, up, at + 31_000)
    assert state.game_state.phase == "show"
    assert state.timer == RunningTimer(2, at + 31_000 + 60_000)
    assert refused(state, up, at + 500_000) == "no_timer"
    state = moved(state, End(1), at + 32_000)  # Nothing shown: a mistake, so the other one shows.
    assert state.timer == RunningTimer(3, at + 32_000 + 60_000)
    state = moved(state, End(0), at + 33_000)
    assert state.game_state.phase == "look"
    assert state.timer is None
    assert refused(state, up, at + 500_000) == "no_timer"


def test_new_tables_of_alex_have_half_a_minute_to_show() -> None:
    """New tables write the option down: those that do not have it began before it existed."""
    assert make_settings(NewTable(game="alex", seats=(None, None))).options == {"show": 30}
    cases: list[tuple[dict[str, Any], int, str | None]] = [
        ({}, 60, None),
        ({"show": 30}, 30, "nothing_to_undo"),
    ]
    for options, seconds, code in cases:
        state = seated(settings("alex", options=options))
        state = moved(state, Announce(0, 3, 1), START)
        state = moved(state, NoMore(1, 3, 1), START)
        assert state.timer == RunningTimer(2, START + 1000 * seconds)
        view = state.game.view(state.game_state, 0)
        assert state.game.has_aids(view) == (code is None)
        state = moved(state, state.game.legal_moves(view)[0], START)
        assert state.game.view(state.game_state, 0).can_undo == (code is None)
        if code is None:
            moved(state, Undo(0), START)
        else:
            assert refused(state, Moved(Undo(0), "player"), START) == code


def test_an_agreed_time_ends_alex_beside_the_sandglass() -> None:
    options = {"end": "time", "minutes": 1, "show": 30}
    state = seated(settings("alex", options=options))
    assert (state.timer, state.deadline()) == (None, START + 60_000)
    up = Moved(TimeUp(GAME_TIMER), "time")
    assert refused(state, up, START + 59_999) == "no_timer"
    state = moved(state, Announce(0, 3, 1), START + 30_000)
    assert state.timer == RunningTimer(1, START + 90_000)
    assert state.deadline() == START + 60_000
    assert summarize("x", state).ends == START + 60_000
    state = advance(state, up, START + 60_000)
    assert state.game_state.last_round
    assert (state.time_limit, state.deadline()) == (None, START + 90_000)
    state = moved(state, NoMore(1, 3, 1), START + 61_000)
    state = moved(state, End(0), START + 62_000)
    assert state.phase == "over"
    assert state.game_state.outcome.reason == "time"


def test_a_leader_of_alex_who_leaves_has_announced() -> None:
    """A program has nothing to do in that seat until it shows the turn."""
    state = moved(seated(settings("alex", clock=Clock("turn", 10))), Announce(0, 3, 1), START)
    state = advance(state, Left(0), START + 1_000)
    assert state.seats[0].played_by
    assert state.game.next_actors(state.game_state) == (1,)
    assert state.deadline() == START + 60_000, "the other one has the whole sandglass"
    state = moved(state, NoMore(1, 3, 1), START + 2_000)
    assert state.game.next_actors(state.game_state) == (0,)
    assert state.game_state.phase == "show"


def test_a_timer_that_was_missed_starts_again() -> None:
    state = moved(seated(settings("alex")), Announce(0, 3, 1), START)
    assert state.timer == RunningTimer(1, START + 60_000)
    assert refused(state, Resumed(1), START + 59_999) == "no_timer"
    assert refused(state, Resumed(2), START + 60_000) == "no_timer"
    again = advance(state, Resumed(1), START + 90_000)
    assert again.timer == RunningTimer(1, START + 150_000)
    assert again.game_state is state.game_state
    assert refused(again, Resumed(1), START + 90_001) == "no_timer"


@pytest.mark.parametrize(
    ("attended", "now", "expected"),
    [
        (START, 59_999, None),
        (START, 60_000, Moved(TimeUp(1), "time")),
        (START + 61_000, 61_000, Resumed(1)),  # Its players came too late to see it.
        (START, 70_000, Resumed(1)),  # No process drove the table in time.
        (None, 70_000, None),  # They are still away.
    ],
)
def test_a_timer_ends_for_players_who_see_it(
    attended: int | None, now: int, expected: Entry | None
) -> None:
    state = moved(seated(settings("alex")), Announce(0, 3, 1), START)
    assert end_timer(state, START + now, attended) == expected


def test_the_time_of_a_race_waits_for_no_player() -> None:
    state = seated(settings("puzzle", options={"minutes": 2}))
    assert end_timer(state, START + 500_000, None) == Moved(TimeUp(1), "time")


def test_a_time_to_look() -> None:
    state = seated(settings("alex", options={"look": 20}))
    assert state.timer == RunningTimer(1, START + 20_000)
    state = moved(state, NoMore(0, 0, 1), START + 1_000)
    assert state.timer == RunningTimer(1, START + 20_000)
    state = moved(state, TimeUp(1), START + 20_000, "time")
    assert state.game_state.round == 2
    assert state.timer == RunningTimer(2, START + 40_000)


def test_the_clock_and_the_sandglass_together() -> None:
    """Where one player shows a turn, the sooner of both times is over next."""
    state = seated(settings("alex", clock=Clock("turn", 10)))
    state = moved(state, Announce(0, 3, 1), START)
    assert state.deadline() == START + 60_000
    state = moved(state, TimeUp(1), START + 60_000, "time")
    assert state.clock is not None
    assert state.clock.player == 0
    assert state.timer == RunningTimer(2, START + 120_000)
    assert state.deadline() == START + 70_000


def test_a_race_against_time() -> None:
    state = seated(settings("puzzle", options={"minutes": 2}))
    assert state.timer == RunningTimer(1, START + 120_000)
    state = moved(state, TimeUp(1), START + 120_001, "time")
    assert state.phase == "over"
    assert (state.timer, state.deadline()) == (None, None)


def test_a_race_begins_for_all_at_one_moment() -> None:
    state = seated(settings("puzzle", countdown=3, options={"minutes": 2}))
    assert state.begins == START + 3000
    assert state.timer == RunningTimer(1, START + 123_000)
    with pytest.raises(IllegalMove) as caught:
        moved(state, GiveUp(0), START + 2999)
    assert (caught.value.code, caught.value.values) == ("too_early", {"wait": 1})
    assert moved(state, GiveUp(0), START + 3000).phase == "over"


def test_tables_from_before_there_was_a_countdown_begin_at_once() -> None:
    old = msgspec.json.decode(
        b'{"game": "puzzle", "seats": [{"program": null}, {"program": null}]}', type=Settings
    )
    state = seated(old)
    assert (state.begins, state.settings.hints) == (START, "yes")
    assert moved(state, GiveUp(0), START - 1).phase == "over"  # By the clock of another machine.
    assert seated(settings("classic", countdown=3)).begins is None


@pytest.mark.parametrize(
    ("hints", "seats", "allowed"),
    [("yes", 2, True), ("alone", 2, False), ("alone", 1, True), ("no", 1, False)],
)
def test_help_in_a_race_is_agreed_on_before(hints: str, seats: int, allowed: bool) -> None:
    state = seated(settings("arlequin", *[None] * seats, hints=hints))
    if not allowed:
        assert code_of(state, Hinted(0, "place")) == "no_hints"
        return
    state = advance(state, Hinted(0, "place"), START + 5)
    assert state.events == (GotHint(0, "place"),)
    state = advance(state, Hinted(0, "possible"), START + 6)
    assert [seat.hints for seat in state.seats] == [2, *[0] * (seats - 1)]
    assert code_of(moved(state, GiveUp(0), START + 7), Hinted(0, "place")) == "game_over"


def test_a_hint_is_kept_as_it_was() -> None:
    kept = msgspec.json.encode(write_entry(Hinted(1, "possible")))
    assert kept == b'{"type":"hinted","seat":1,"question":"possible"}'
    assert read_entry(msgspec.json.decode(kept, type=Written)) == Hinted(1, "possible")


def test_only_those_who_race_get_hints() -> None:
    assert code_of(seated(settings("classic")), Hinted(0, "place")) == "no_hints"
    state = seated(settings("puzzle", None, None, None))
    assert code_of(moved(state, GiveUp(0), START), Hinted(0, "place")) == "gave_up"
    assert code_of(advance(state, Left(1), START), Hinted(1, "place")) == "away"
    assert code_of(open_table(settings("puzzle"), SEED, START), Hinted(0, "place")) == "not_begun"
    early = seated(settings("puzzle", countdown=3))
    assert code_of(early, Hinted(0, "place")) == "too_early"


def code_of(state: TableState, entry: Entry) -> str:
    """How an entry is refused."""
    with pytest.raises(IllegalMove) as caught:
        advance(state, entry, START)
    return caught.value.code


# -- what is stored ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REGISTRY)
def test_a_log_replays_to_the_same_state(name: str) -> None:
    """From its stored form, with all times and clocks, in every game."""
    rng = random.Random(name)
    seats = REGISTRY[name].seats[-1] if name == "arlequin" else 2
    options = {"minutes": 3} if name in ("puzzle", "arlequin") else {}
    what = settings(name, *[None] * seats, options=options, clock=Clock("bank", 60, 2))
    log: list[tuple[Entry, int]] = [(Sat(n, PEOPLE[n], f"{n}"), START + n) for n in range(seats)]
    state = open_table(what, SEED, START)
    states = [state]
    for entry, at in log:
        states.append(advance(states[-1], entry, at))
    programs = BotSeats(states[-1].game, ("random",) * seats, SEED)
    at = START + 10
    while (state := states[-1]).phase == "playing" and len(log) < 120:
        at += rng.randrange(20_000)
        entry = Moved(programs.next_move(state.game_state))
        if state.timer is not None and at >= state.timer.deadline:
            entry = Moved(TimeUp(state.timer.number), "time")
        elif isinstance(entry.move, TimeUp):
            continue
        elif rng.random() < 0.1:
            away = state.seats[0].away
            entry = Returned(0) if away else Left(0)
        log.append((entry, at))
        states.append(advance(state, entry, at))
    assert [state.version for state in states] == list(range(len(states)))
    written = [msgspec.json.encode(write_entry(entry)).decode() for entry, _ in log]
    stored = msgspec.json.encode([what, written])
    again, entries = msgspec.json.decode(stored, type=tuple[Settings, list[str]])
    state = open_table(again, SEED, START)
    for text, (_, when), before in zip(entries, log, states[1:], strict=True):
        entry = read_entry(msgspec.json.decode(text, type=Written))
        state = advance(state, entry, when)
        assert state == before
