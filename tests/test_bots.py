"""Programs: the five levels, what they know, what they overlook, and how long they think."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from dalapapa.bots import BOTS, LEVELS, Time, foresight, make_bot
from dalapapa.bots.arena import Programs, play_one
from dalapapa.bots.chances import chance
from dalapapa.errors import DalapapaError
from dalapapa.games import REGISTRY, find
from dalapapa.games.bag import Bag, filled
from dalapapa.games.moves import End, Lay, Move, Pass
from dalapapa.games.turns import TurnGame

CLASSIC = find("classic")
QUICK = 0.02
"""Seconds for a turn."""
UNCLOCKED = Time(QUICK, clocked=False)

WITH_HANDS = [name for name, game in REGISTRY.items() if isinstance(game, TurnGame)]


def states_of(game: Any, players: tuple[str, ...], seed: str, **options: Any) -> list[Any]:
    """Every state of a game between programs but the last."""
    parsed = game.parse_options(options)
    programs = Programs(game, players, seed, QUICK)
    state = game.start(len(players), parsed, filled(game.tiles(parsed).names, seed)).state
    states = []
    while game.outcome(state) is None:
        states.append(state)
        state = game.apply(state, programs.next_move(state)).state
    return states


def hidden_otherwise(state: Any, viewer: int, seed: str) -> Any:
    """The same game for one player, with other dominoes in the other hands and in the bag."""
    hidden = [*state.bag.names]
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            hidden += hand
    random.Random(seed).shuffle(hidden)
    hands = []
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            hands.append(tuple(hidden[: len(hand)]))
            del hidden[: len(hand)]
        else:
            hands.append(hand)
    return replace(state, hands=tuple(hands), bag=Bag(tuple(hidden), "another seed"))


def test_the_levels() -> None:
    assert list(LEVELS) == ["novice", "easy", "medium", "strong", "expert"]
    assert set(BOTS) == {*LEVELS, "greedy", "random"}
    with pytest.raises(DalapapaError, match=r"known are .*expert") as caught:
        make_bot("nobody", CLASSIC, "")
    assert caught.value.code == "unknown_bot"


def test_greedy_is_medium() -> None:
    options = CLASSIC.parse_options({})
    games = [play_one(CLASSIC, (name, name), options, "alias")[0] for name in ("greedy", "medium")]
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize("name", WITH_HANDS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_does_not_depend_on_hidden_dominoes(name: str, level: str) -> None:
    """The same view of another game gives the same move: nothing else reaches a program."""
    game = find(name)
    states = states_of(game, ("medium", "easy"), "hidden")
    for number, state in enumerate(states[:: max(1, len(states) // 8)]):
        seat = game.asked(state)[0]
        other = hidden_otherwise(state, seat, f"{number}")
        assert other.bag.names != state.bag.names
        assert game.view(other, seat) == game.view(state, seat)
        first, second = (
            make_bot(level, game, "seed", UNCLOCKED).choose(game.view(one, seat))
            for one in (state, other)
        )
        assert first == second


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_game(level: str) -> None:
    options = CLASSIC.parse_options({})
    games = [
        play_one(CLASSIC, (level, "medium", level), options, "again", QUICK)[0] for _ in range(2)
    ]
    assert games[0].moves == games[1].moves


def turns_of(level: str, games: int) -> list[tuple[Any, Move]]:
    """The states of classic games in which a level is to move, and what it does."""
    found: list[tuple[Any, Move]] = []
    for number in range(games):
        states = states_of(CLASSIC, (level, "medium"), f"turns {number}")
        bot = make_bot(level, CLASSIC, f"{number}", UNCLOCKED)
        found += [
            (state, bot.choose(CLASSIC.view(state, 0)))
            for state in states
            if state.active == 0 and state.phase == "play"
        ]
    return found


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_silly(level: str) -> None:
    """Whoever can lay does, and a second domino is laid for more than its charge."""
    seconds = 0
    for state, move in turns_of(level, 4):
        if isinstance(move, Pass):
            assert not any(map(state.table.can_lay, state.hands[0]))
        if isinstance(move, Lay) and state.turn and level in ("novice", "easy", "medium"):
            assert state.table.earned(move.laying).points > 4
            seconds += 1
        if isinstance(move, End):
            assert state.turn
    assert seconds or level != "medium"


@pytest.mark.parametrize(("weaker", "stronger"), [("novice", "easy"), ("easy", "medium")])
def test_beginners_overlook_more(weaker: str, stronger: str) -> None:
    """Same bags, both seats: the better level makes clearly more points."""
    lead = 0
    for number in range(20):
        players = (weaker, stronger) if number % 2 else (stronger, weaker)
        _, score = play_one(CLASSIC, players, CLASSIC.parse_options({}), f"{number // 2}")
        scores = score.outcome.scores
        lead += scores[players.index(stronger)] - scores[players.index(weaker)]
    assert lead > 20 * 4


def test_novices_announce_only_what_they_can_show() -> None:
    game = find("alex")
    for number in range(3):
        states = states_of(game, ("novice", "easy", "medium"), f"alex {number}")
        assert states[-1].mistakes == (0, 0, 0)


def test_the_clock_ends_thinking_on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is counted; if it takes far longer than it should, what is known by then decides."""
    states = states_of(CLASSIC, ("medium", "medium"), "slow")
    state = next(one for one in states[20:] if not one.turn)
    view = CLASSIC.view(state, state.active)
    played = []
    value = foresight.Prospect.won_after
    now = [0.0]

    def slow(self: Any, *words: Any) -> float:
        played.append(words)
        now[0] += 0.3
        return value(self, *words)

    monkeypatch.setattr(foresight.Prospect, "won_after", slow)
    monkeypatch.setattr(foresight, "perf_counter", lambda: now[0])
    move = make_bot("expert", CLASSIC, "slow", Time(1.0)).choose(view)
    assert len(played) == 3
    CLASSIC.apply(state, move)


def test_thinking_to_the_end_of_the_bag() -> None:
    """Small sets run out: hands of one and none, and the exact end."""
    options = {"set": "72", "target": 240}
    for players in (2, 3):
        names = ("strong", *["medium"] * (players - 1))
        states = states_of(CLASSIC, names, "empty", **options)
        assert not len(states[-1].bag)


def test_chances_are_shares_of_one_victory() -> None:
    for needs in ((60, 60), (200, 190), (7, 12), (0, 5), (10, 20, 15), (9, 9, 9, 9)):
        for still in range(1, len(needs) + 1):
            shares = [chance(needs, still, player) for player in range(len(needs))]
            assert sum(shares) == pytest.approx(1, abs=0.03)
            assert all(0 <= share <= 1.0001 for share in shares)


def test_chances_follow_the_last_round() -> None:
    assert chance((1, 200), 2, 0) > 0.999
    assert chance((30, 0), 1, 1) > 0.999, "who is last has one turn to make 30"
    assert 0.1 < chance((6, 0), 1, 0) < 0.9, "or 6"
    assert chance((20, 20), 2, 0) == pytest.approx(0.5, abs=0.01)
    assert chance((20, 20), 1, 0) > 0.7, "a turn more than the other"
    assert chance((30, 20), 2, 0) < chance((25, 20), 2, 0) < chance((20, 20), 2, 0)
