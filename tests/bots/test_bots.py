"""Programs: the five levels, what they know, what they overlook, and how long they think."""

from __future__ import annotations

import random
from time import process_time
from typing import Any

import pytest
from msgspec.structs import replace

from dalapapa.bots import (
    BOTS,
    LEVELS,
    NICKNAMES,
    Time,
    format_bot_name,
    list_bots,
    list_levels,
    lookahead,
    make_bot,
)
from dalapapa.bots.arena import BotSeats, play_game
from dalapapa.bots.bot import choose_quickest
from dalapapa.bots.chances import chance_to_win
from dalapapa.bots.levels import LevelBot
from dalapapa.core.errors import DalapapaError
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.alex.rules import MAX_MISTAKES
from dalapapa.games.auction.bot import Prices
from dalapapa.games.auction.rules import Bidding
from dalapapa.games.bag import Bag, fill_bag
from dalapapa.games.conquest.bot import Conqueror
from dalapapa.games.dalapapa72.rules import find_free_territories
from dalapapa.games.gone.bot import Place, Trials
from dalapapa.games.moves import End, Follow, Lay, Mark, Move, Pass, PlayAgain, TakeOut
from dalapapa.games.turns import TurnGame
from dalapapa.kernel.ending import Ending
from dalapapa.kernel.lookup import lookup_of
from dalapapa.kernel.outlook import Outlook
from tests.support.thoroughness import THOROUGH, daily

CLASSIC = find_game("classic")
QUICK = 0.02
"""Seconds for a turn."""
UNCLOCKED = Time(QUICK, clocked=False)

WITH_HANDS = [name for name, game in REGISTRY.items() if isinstance(game, TurnGame)]
WITH_A_BAG = [*WITH_HANDS, "alex"]
IN_FRAMES = ["puzzle", "arlequin"]


def states_of(game: Any, players: tuple[str, ...], seed: str, **options: Any) -> list[Any]:
    """Every state of a game between programs but the last."""
    parsed = game.parse_options(options)
    programs = BotSeats(game, players, seed, QUICK)
    state = game.start(len(players), parsed, fill_bag(game.tiles(parsed).names, seed)).state
    states = []
    while game.outcome(state) is None:
        states.append(state)
        state = game.apply(state, programs.next_move(state)).state
    return states


def hidden_otherwise(state: Any, viewer: int, seed: str) -> Any:
    """The same game for one player, with other dominoes in the other hands and in the bag."""
    hidden = [*state.bag.names]
    own = getattr(state, "hands", ())
    for seat, hand in enumerate(own):
        if seat != viewer:
            hidden += hand
    random.Random(seed).shuffle(hidden)
    hands = []
    for seat, hand in enumerate(own):
        if seat != viewer:
            hands.append(tuple(hidden[: len(hand)]))
            del hidden[: len(hand)]
        else:
            hands.append(hand)
    changed = {"hands": tuple(hands)} if own else {}
    return replace(state, bag=Bag(tuple(hidden), "another seed"), **changed)


def test_the_levels() -> None:
    assert list(LEVELS) == ["novice", "easy", "medium", "strong", "expert"]
    assert set(BOTS) == {*LEVELS, "child", "greedy", "random"}
    with pytest.raises(DalapapaError, match=r"choose one of .*expert") as caught:
        make_bot("unknown", CLASSIC, "")
    assert caught.value.code == "unknown_bot"


def test_every_bot_has_a_name() -> None:
    assert set(NICKNAMES) == set(BOTS)
    assert NICKNAMES["greedy"] == NICKNAMES["medium"], "it is the same program"
    assert len(set(NICKNAMES.values())) == len(NICKNAMES) - 1
    assert format_bot_name("novice") == "Pia (novice)"
    assert format_bot_name("exec:node bot.mjs") == "exec:node bot.mjs"


@pytest.mark.parametrize("name", ["auction", "gone"])
def test_a_level_that_a_game_does_not_have_plays_as_its_strongest(name: str) -> None:
    game = find_game(name)
    gentler = ("child",) if name == "gone" else ()
    assert list_levels(game) == (*gentler, "novice", "easy", "medium", "strong")
    assert "expert" in list_bots(game), "tables and records may still name it"
    bot = make_bot("expert", game, "")
    assert isinstance(bot, LevelBot)
    assert bot.level == LEVELS["strong"]


def test_only_gone_has_a_level_for_small_children() -> None:
    for name, game in REGISTRY.items():
        assert ("child" in list_bots(game)) == (name == "gone")
    with pytest.raises(DalapapaError) as caught:
        make_bot("child", CLASSIC, "")
    assert caught.value.code == "unknown_bot"


def test_the_level_for_small_children_wins_half_of_its_games() -> None:
    """Against a player who lays at random, as a five-year-old may (rules 4)."""
    game = find_game("gone")
    won = 0
    for number in range(60):
        seats = ("child", "random") if number % 2 else ("random", "child")
        recorder, _ = play_game(game, seats, game.parse_options({}), f"children {number}")
        outcome = game.outcome(recorder.moves[-1][1].state)
        assert outcome is not None
        won += seats[outcome.winners[0]] == "child"
    assert 20 <= won <= 42


def test_greedy_is_medium() -> None:
    options = CLASSIC.parse_options({})
    games = [play_game(CLASSIC, (name, name), options, "alias")[0] for name in ("greedy", "medium")]
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize("name", WITH_A_BAG)
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_does_not_depend_on_hidden_dominoes(name: str, level: str) -> None:
    """The same view of another game gives the same legal move: nothing else reaches a program."""
    game = find_game(name)
    states = states_of(game, ("medium", "easy"), "hidden")
    for number, state in enumerate(states[:: max(1, len(states) // 8)]):
        seat = game.next_actors(state)[0]
        other = hidden_otherwise(state, seat, f"{number}")
        assert other.bag.names != state.bag.names
        assert game.view(other, seat) == game.view(state, seat)
        first, second = (
            make_bot(level, game, "seed", UNCLOCKED).choose(game.view(one, seat))
            for one in (state, other)
        )
        assert first == second
        game.apply(state, first)


@pytest.mark.parametrize("name", IN_FRAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_frames_are_filled_by_a_new_bot_for_each_move(name: str, level: str) -> None:
    """As on the server, where each move has a seed of its own; no bot goes round in circles."""
    game = find_game(name)
    options = game.parse_options({})
    state = game.start(1, options, fill_bag(game.tiles(options).names, "restart")).state
    moves = 0
    while game.outcome(state) is None:
        choose = [make_bot(level, game, f"{moves}").choose(game.view(state, 0)) for _ in range(2)]
        assert choose[0] == choose[1]
        state = game.apply(state, choose[0]).state
        moves += 1
        assert moves < 300
    needed = 2 * 8 if name == "puzzle" else 40
    assert moves == needed if level not in ("novice", "easy") else moves >= needed


@pytest.mark.thorough
def test_a_frame_that_cannot_be_filled_is_emptied_as_far_as_needed() -> None:
    """A frame in which nothing fits any more."""
    game = find_game("arlequin")
    options = game.parse_options({"piles": [1]})
    state = game.start(1, options, fill_bag(game.tiles(options).names, "")).state
    rng = random.Random(5)
    for _ in range(26):
        layings = [move for move in game.legal_moves(game.view(state, 0)) if isinstance(move, Lay)]
        if layings:
            state = game.apply(state, rng.choice(layings)).state
    taken = 0
    while game.outcome(state) is None:
        move = make_bot("medium", game, f"{taken}").choose(game.view(state, 0))
        taken += isinstance(move, TakeOut)
        state = game.apply(state, move).state
    assert taken


@pytest.mark.parametrize("name", WITH_HANDS)
def test_thinking_keeps_to_its_time(name: str) -> None:
    """Seconds of the processor, for whole turns, as an option says."""
    game = find_game(name)
    seconds = 0.3
    states = states_of(game, ("medium", "medium", "medium"), "time")
    for state in states[:: max(1, len(states) // 12)]:
        seat = game.next_actors(state)[0]
        bot = make_bot("expert", game, "time", Time(seconds))
        started = process_time()
        bot.choose(game.view(state, seat))
        assert process_time() - started < seconds


@pytest.mark.parametrize("level", daily(LEVELS, set(LEVELS) - {"strong"}))
def test_the_same_seed_gives_the_same_game(level: str) -> None:
    options = CLASSIC.parse_options({})
    games = [
        play_game(CLASSIC, (level, "medium", level), options, "again", QUICK)[0] for _ in range(2)
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


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("level", LEVELS)
def test_bots_make_no_silly_moves(level: str) -> None:
    """A bot that can lay does, and lays a second domino for more than its charge."""
    seconds = 0
    quick = level in ("novice", "easy", "medium")
    for state, move in turns_of(level, 4 if THOROUGH or quick else 1):
        if isinstance(move, Pass):
            assert not any(map(state.table.can_lay, state.hands[0]))
        if isinstance(move, Lay) and state.turn and quick:
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
        _, score = play_game(CLASSIC, players, CLASSIC.parse_options({}), f"{number // 2}")
        scores = score.outcome.scores
        lead += scores[players.index(stronger)] - scores[players.index(weaker)]
    assert lead > 20 * 4


def lead_of(name: str, pair: tuple[str, str], games: int) -> tuple[float, int]:
    """Of paired games: the victories of the first program, and its lead, in all."""
    game = find_game(name)
    wins, lead = 0.0, 0
    for number in range(games):
        players = pair if number % 2 else pair[::-1]
        seat = players.index(pair[0])
        _, score = play_game(game, players, game.parse_options({}), f"{number // 2}", QUICK)
        wins += (seat in score.outcome.winners) / len(score.outcome.winners)
        lead += score.outcome.scores[seat] - score.outcome.scores[1 - seat]
    return wins, lead


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(("name", "games"), [("auction", 10), ("72", 10), ("gone", 40)])
def test_experts_know_more_than_points(name: str, games: int) -> None:
    wins, lead = lead_of(name, ("expert", "medium"), games)
    assert wins > games / 2
    assert lead > 0


def test_beginners_announce_by_mistake_but_are_never_thrown_out() -> None:
    game = find_game("alex")
    mistakes = [0, 0, 0]
    for number in range(4):
        last = states_of(game, ("novice", "easy", "expert"), f"alex {number}")[-1]
        mistakes = [sum(both) for both in zip(mistakes, last.mistakes, strict=True)]
        assert max(last.mistakes) < MAX_MISTAKES
    assert mistakes[0] > 0
    assert mistakes[2] == 0


def test_better_bots_are_quicker() -> None:
    """Where the quickest acts; in a turn, everybody takes the same time."""
    for name in ("alex", "puzzle", "arlequin", "classic"):
        game = find_game(name)
        options = game.parse_options({})
        state = game.start(2, options, fill_bag(game.tiles(options).names, "")).state
        view = game.view(state, 0)
        times = [make_bot(level, game, "").seconds(view) for level in LEVELS]
        assert times == sorted(times, reverse=True)
        assert (len(set(times)) == len(LEVELS)) == (name != "classic")
        assert min(times) > (3 if name != "classic" else 0.5)


def test_the_quickest_of_some() -> None:
    assert [choose_quickest((1, 2, 1), part / 8) for part in range(8)] == [0, 0, 1, 1, 1, 1, 2, 2]
    assert choose_quickest((5,), 0.99) == 0
    assert choose_quickest((1, 1), 1.0) == 1


def bidding_view(scores: tuple[int, ...], active: int, viewer: int, bid: int, holder: int) -> Any:
    """A view of an auction under way."""
    game = find_game("auction")
    states = states_of(game, ("medium",) * len(scores), "bids")
    state = next(one for one in states[40:] if one.bidding is None and not one.turn)
    view = game.view(state, viewer)
    bidding = Bidding(bid, holder, viewer)
    return replace(view, scores=scores, active=active, bidding=bidding)


def test_prices_follow_the_scores() -> None:
    view = bidding_view((30, 30), 0, 0, 2, 1)
    prices = Prices(view, 6)
    sold = [prices.value_if_sold(0, 1, bid, 6) for bid in range(2, 14, 2)]
    kept = [prices.value_if_kept(0, bid, 6) for bid in range(2, 14, 2)]
    assert sold == sorted(sold), "the more is paid, the better for who sells"
    assert kept == sorted(kept, reverse=True), "and the worse for who follows"
    assert prices.value_if_kept(0, 2, 9) > prices.value_if_kept(0, 2, 4)


def test_a_turn_that_wins_is_not_sold() -> None:
    """The last seat of the round is two points short, and has six."""
    view = bidding_view((59, 58), 1, 1, 2, 0)
    assert Prices(view, 6).answer() == Follow(1)
    assert Prices(replace(view, scores=(20, 20)), 1).answer() in (Follow(1), Pass(1))
    rich = replace(view, scores=(20, 20), bidding=Bidding(14, 0, 1))
    assert Prices(rich, 6).answer() == Pass(1), "no bot keeps a turn for seven points"


def test_bots_end_conquest_when_they_win() -> None:
    """Of two turns that reach the target, none that loses; the mark of this turn counts."""
    game = find_game("conquest")
    states = states_of(game, ("medium", "medium"), "conquest")
    for state in states[30:]:
        if state.phase != "play" or state.turn or not state.hands[state.active]:
            continue
        view = game.view(state, state.active)
        best = view.table.best_turn(view.hand)
        assert best is not None
        behind = replace(
            view, scores=tuple([59 if seat == view.viewer else 200 for seat in (0, 1)])
        )
        ahead = replace(view, scores=tuple([59 if seat == view.viewer else 0 for seat in (0, 1)]))
        plans = [Conqueror(one, view.viewer) for one in (behind, ahead)]
        hand = [lookup_of(view.table.tiles).index[name] for name in view.hand]
        outlook = Outlook(view.table, 2, 2, hand)
        losing, winning = (plan.rate(best, outlook) for plan in plans)
        assert losing < -500
        assert winning > 500
        break
    else:
        pytest.fail("no turn to try")


def test_72_is_a_race_of_markers() -> None:
    """Small territories are left alone by medium, and marked by those who know better."""
    game = find_game("72")
    sizes = set()
    for state in states_of(game, ("medium", "medium"), "72"):
        free = find_free_territories(state.table, state.markers)
        if state.laid is None or not free or len(state.bag) < 10:
            continue
        view = game.view(state, state.active)
        sizes.add(free[0].size)
        for level, least in (("medium", 3), ("strong", 2), ("expert", 1)):
            for others, hurries in ((6, False), (2, level != "medium")):
                left = tuple([6 if seat == view.viewer else others for seat in range(2)])
                move = make_bot(level, game, "").choose(replace(view, markers_left=left))
                marks = free[0].size >= (1 if hurries else least)
                assert isinstance(move, Mark) == marks
    assert {1, 2, 3} <= sizes


def test_the_last_turn_of_72_spends_all_tokens() -> None:
    game = find_game("72")
    states = states_of(game, ("medium", "medium"), "72")
    state = next(one for one in states[30:] if one.laid is not None and not one.markers_left[1])
    view = replace(game.view(state, state.active), last_turns=1, tokens=(2, 2), markers_left=(0, 0))
    assert view.hand or view.bag_count
    assert isinstance(make_bot("expert", game, "").choose(view), PlayAgain)


def test_gone_is_won_at_once_where_it_can_be() -> None:
    """The discs of every laying are what the table says, and an empty hand ends the trial."""
    game = find_game("gone")
    states = states_of(game, ("medium", "medium"), "gone")
    state = states[len(states) // 2]
    place = Place(state.table)
    for laying, earned in state.table.scored(state.hands[state.active][0]):
        assert place.discs(laying) == earned.contacts
    view = game.view(state, state.active)
    for laying in place.layings(view.hand):
        if place.discs(laying) > 1:
            alone = replace(view, hand=(laying.tile,))
            trials = Trials(alone, state.active, random.Random(1))
            assert trials.play(laying, trials.deal()) > 1
            return
    pytest.fail("no laying with two discs")


def test_the_clock_ends_thinking_on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is counted; if it takes far longer than it should, what is known by then decides."""
    states = states_of(CLASSIC, ("medium", "medium"), "slow")
    state = next(one for one in states[20:] if not one.turn)
    view = CLASSIC.view(state, state.active)
    played = []
    value = lookahead.Prospect.sum_wins
    now = [0.0]

    def slow(self: Any, *words: Any) -> float:
        played.append(words)
        now[0] += 0.3
        return value(self, *words)

    monkeypatch.setattr(lookahead.Prospect, "sum_wins", slow)
    monkeypatch.setattr(lookahead, "perf_counter", lambda: now[0])
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


def test_the_end_is_exact_for_two() -> None:
    """Once the bag is empty, no other turn would have led to a larger lead."""
    states = states_of(CLASSIC, ("medium", "medium"), "end", set="72", target=240)
    checked = 0
    for state in [one for one in states if not len(one.bag)]:
        seat = state.active
        view = CLASSIC.view(state, seat)
        # With time enough to look at every end.
        sight = lookahead.Lookahead(Time(20.0, clocked=False), 1.0, random.Random(1))
        index = lookup_of(state.table.tiles).index
        hands = [[index[name] for name in state.hands[one]] for one in (seat, 1 - seat)]
        needs = [240 - state.scores[one] for one in (seat, 1 - seat)]
        ending = Ending(state.table, hands, needs, int(seat == 0), 10**9)
        turn = sight.turn(view)
        turns = lookahead.list_promising(view, 10**5, 10**5)
        if len(turns) < 2 or turn is None:
            continue
        chosen = ending.worth(turn.layings, turn.points, -(10**4))
        assert chosen == max(ending.worth(one.layings, one.points, chosen) for one in turns)
        checked += 1
    assert checked > 1


def test_chances_are_shares_of_one_victory() -> None:
    for needs in ((60, 60), (200, 190), (7, 12), (0, 5), (10, 20, 15), (9, 9, 9, 9)):
        for still in range(1, len(needs) + 1):
            shares = [chance_to_win(needs, still, player) for player in range(len(needs))]
            assert sum(shares) == pytest.approx(1, abs=0.03)
            assert all(0 <= share <= 1.0001 for share in shares)


def test_chances_follow_the_last_round() -> None:
    assert chance_to_win((1, 200), 2, 0) > 0.999
    assert chance_to_win((30, 0), 1, 1) > 0.999, "who is last has one turn to make 30"
    assert 0.1 < chance_to_win((6, 0), 1, 0) < 0.9, "or 6"
    assert chance_to_win((20, 20), 2, 0) == pytest.approx(0.5, abs=0.01)
    assert chance_to_win((20, 20), 1, 0) > 0.7, "a turn more than the other"
    assert (
        chance_to_win((30, 20), 2, 0)
        < chance_to_win((25, 20), 2, 0)
        < chance_to_win((20, 20), 2, 0)
    )
