"""Alex beyond its scenarios: moves that come late or twice, and what a redraw brings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dalapapa.bots import make_bot
from dalapapa.bots.arena import play_game
from dalapapa.core.errors import DalapapaError
from dalapapa.games import find_game
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import Announce, End, Move, NoMore, TimeUp

GAME = find_game("alex")


def start(players: int = 3, seed: str = "alex", **options: Any) -> Any:
    chosen = GAME.parse_options(options)
    return GAME.start(players, chosen, fill_bag(GAME.tiles(chosen).names, seed)).state


def after(state: Any, *moves: Move) -> Any:
    for move in moves:
        state = GAME.apply(state, move).state
    return state


def refusal(state: Any, move: Move) -> str:
    with pytest.raises(DalapapaError) as caught:
        GAME.apply(state, move)
    return caught.value.code


def shown(state: Any) -> Any:
    """The state after the announcer showed the best turn there is."""
    bot = make_bot("greedy", GAME, "")
    number = state.round
    while state.round == number:
        state = after(state, bot.choose(GAME.view(state, state.shower)))
    return state


def best(state: Any) -> int:
    points: int = state.table.best_turn(state.drawn).points
    return points


def test_a_late_announcement_does_not_count_in_the_next_round() -> None:
    state = after(start(), Announce(0, 1, 1), TimeUp(1))
    assert refusal(state, Announce(1, 3, 1)) == "too_late"
    state = shown(state)
    assert state.round == 2
    assert refusal(state, Announce(1, 3, 1)) == "stale"
    assert refusal(state, NoMore(1, 1, 1)) == "stale"


def test_a_pass_sent_twice_counts_once() -> None:
    first = start(players=2)
    state = after(first, NoMore(0, 0, 1))
    assert refusal(state, NoMore(0, 0, 1)) == "already_passed"
    state = after(state, NoMore(1, 0, 1))
    assert state.round == 2
    assert refusal(state, NoMore(1, 0, 1)) == "stale"
    assert state.passed == ()


def test_a_pass_does_not_answer_an_announcement_that_came_meanwhile() -> None:
    state = after(start(), Announce(0, 5, 1))
    assert refusal(state, NoMore(1, 0, 1)) == "stale"
    state = after(state, NoMore(1, 5, 1), Announce(2, 6, 1))
    assert state.passed == ()
    assert state.phase == "sandglass"


def test_a_player_who_passed_may_still_announce() -> None:
    state = after(start(), NoMore(0, 0, 1), Announce(0, 2, 1))
    assert state.announcements[-1].player == 0


def test_the_same_announcement_twice() -> None:
    state = after(start(), Announce(0, 5, 1))
    assert refusal(state, Announce(1, 5, 1)) == "not_more"
    assert refusal(state, Announce(0, 5, 1)) == "own_lead"
    assert after(state, Announce(1, 6, 1)).announcements[-1].points == 6


def test_the_leader_has_nothing_to_do_until_the_showing() -> None:
    """Neither a move that is listed nor a part in who is waited for; no clock runs."""
    state = after(start(players=2), Announce(0, 5, 1))
    assert GAME.actors(state) == GAME.next_actors(state) == (1,)
    assert GAME.legal_moves(GAME.view(state, 0)) == []
    assert GAME.legal_moves(GAME.view(state, 1))[-1] == NoMore(1, 5, 1)
    assert GAME.clock_player(state) is None
    assert refusal(state, NoMore(0, 5, 1)) == refusal(state, Announce(0, 6, 1)) == "own_lead"
    # A move that was meant for another round is that first of all.
    assert refusal(state, Announce(0, 6, 2)) == "stale"
    state = after(state, TimeUp(1))
    assert GAME.clock_player(state) == 0


@pytest.mark.parametrize("look", [0, 30])
def test_alone_there_is_no_sand_to_wait_for(look: int) -> None:
    """The others sit out: the announcement is followed by the showing, with a time of its own."""
    state = after(start(players=2, look=look), Announce(0, 900, 1), NoMore(1, 900, 1), End(0))
    assert (state.round, GAME.actors(state)) == (2, (1,))
    before = state.timers
    state = after(state, Announce(1, 1, 2))
    assert (state.phase, state.shower) == ("show", 1)
    timer = GAME.timer(state)
    assert timer is not None
    assert (timer.number, timer.seconds) == (before + 1, 30)


@pytest.mark.parametrize("seed", range(5))
def test_bots_never_raise_their_own_announcement(seed: int) -> None:
    players = ("novice", "medium", "expert", "greedy")
    options = GAME.parse_options({"end": "rounds", "rounds": 6})
    recorder, _ = play_game(GAME, players, options, f"leaders {seed}")
    leader = None
    for move, step in recorder.moves:
        if isinstance(move, Announce | NoMore):
            assert move.player != leader
        state: Any = step.state
        leader = state.leader


def test_a_late_end_of_a_time_changes_nothing() -> None:
    state = start()
    assert refusal(state, TimeUp(1)) == "no_timer"
    state = after(state, Announce(0, 1, 1), Announce(1, 2, 1))
    assert GAME.timer(state).number == 1  # type: ignore[union-attr]
    state = after(state, TimeUp(1))
    assert refusal(state, TimeUp(1)) == "no_timer"
    assert state.shower == 1


@pytest.mark.parametrize("seed", range(30))
def test_two_others_are_drawn_when_all_pass(seed: int) -> None:
    state = start(players=2, seed=f"others {seed}")
    for number in range(1, 15):
        later = after(state, NoMore(0, 0, number), NoMore(1, 0, number))
        assert not set(state.drawn) & set(later.drawn)
        state = later


def test_a_time_to_look_may_be_agreed() -> None:
    state = start(look=90)
    assert GAME.timer(state).seconds == 90  # type: ignore[union-attr]
    step = GAME.apply(state, TimeUp(1))
    assert step.state.round == 2
    assert GAME.timer(step.state).number == 2  # type: ignore[union-attr]
    assert any(type(event).__name__ == "Revealed" for event in step.events)
    assert refusal(step.state, TimeUp(1)) == "no_timer"
    assert GAME.timer(start()) is None


def test_a_shown_turn_scores_the_announced_points() -> None:
    state = start()
    most = best(state)
    state = shown(after(state, Announce(2, most - 1, 1), TimeUp(1)))
    assert state.scores == (0, 0, most - 1)


def test_no_player_wins_if_all_are_out() -> None:
    state = start(players=2)
    for number in (1, 3, 4):  # In round 2 both sit out.
        state = after(
            state, Announce(0, 900, number), Announce(1, 901, number), TimeUp(state.timers + 1)
        )
        state = after(state, End(1), End(0))
    assert state.outcome.reason == "last_player"
    assert state.outcome.winners == ()
    assert state.scores == (-900, -901)


def test_a_view_says_who_is_out_of_the_game() -> None:
    state = msgspec.structs.replace(start(players=3), mistakes=(2, 3, 0))
    for viewer in (None, 0, 1):
        assert GAME.view(state, viewer).out == (1,)
    assert GAME.legal_moves(GAME.view(state, 1)) == []
