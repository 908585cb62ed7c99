"""What must hold in every registered game, whoever plays it and however badly."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from dalapapa.bots import BOTS, make_bot
from dalapapa.errors import DalapapaError
from dalapapa.games import REGISTRY, find
from dalapapa.games.bag import filled
from dalapapa.games.events import (
    Drew,
    Laid,
    Outcome,
    PutBack,
    Showed,
    Undone,
    score_changes,
    visible,
)
from dalapapa.games.game import set_choice, tile_set
from dalapapa.games.moves import End, Lay, Move, Pass, Undo, move_from_json, move_to_json
from dalapapa.notation import Laying
from dalapapa.record import Player, Recorder, dump, load, replay
from dalapapa.tiles import standard

HERE = Path(__file__).parent
TABLES = [(name, count) for name, game in REGISTRY.items() for count in game.seats]


class Played:
    """A whole game with everything that happened in it."""

    def __init__(self, game: Any, seats: int, seed: str, bots: list[str], undo: float = 0) -> None:
        self.game = game
        self.options = game.parse_options({})
        start = game.start(seats, self.options, filled(game.tiles(self.options).names, seed))
        players = [Player(f"{bot} {seat}", bot) for seat, bot in enumerate(bots)]
        self.recorder = Recorder(game, self.options, players, seed, start)
        self.steps = [start]
        self.moves: list[Move] = []
        chance = random.Random(seed)
        programs = [make_bot(bot, game, f"{seed}/{seat}") for seat, bot in enumerate(bots)]
        while game.outcome(self.state) is None:
            assert len(self.moves) < 2000, "the game does not end"
            seat = game.asked(self.state)
            assert seat in game.actors(self.state)
            view = game.view(self.state, seat)
            if view.can_undo and chance.random() < undo:
                self.make(Undo(seat))
            else:
                self.make(programs[seat].choose(view))
        assert game.actors(self.state) == ()

    @property
    def state(self) -> Any:
        return self.steps[-1].state

    def make(self, move: Move) -> None:
        step = self.game.apply(self.state, move)
        self.recorder.add(move, step)
        self.moves.append(move)
        self.steps.append(step)


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def games(request: pytest.FixtureRequest) -> list[Played]:
    """Many games of one kind: random ones, greedy ones, mixed ones, with undoing."""
    name, seats = request.param
    game = find(name)
    bots = list(BOTS)
    return [
        Played(
            game,
            seats,
            f"invariants {number}",
            [bots[(number >> seat) % len(bots)] for seat in range(seats)],
            undo=0.3 if number % 3 == 0 else 0,
        )
        for number in range(40)
    ]


def test_no_domino_is_lost_or_doubled(games: list[Played]) -> None:
    for played in games:
        names = Counter(played.game.tiles(played.options).names)
        for step in played.steps:
            state = step.state
            laid = [laying.tile for laying in state.table.layings]
            held = [name for hand in state.hands for name in hand]
            assert Counter([*laid, *held, *state.bag.names]) == names


def test_every_laying_is_legal_and_earns_what_the_rules_say(games: list[Played]) -> None:
    """Against the naive table, for a part of the games (it is slow)."""
    for played in games[:6]:
        tiles = played.game.tiles(played.options)
        for before, step in zip(played.steps, played.steps[1:], strict=False):
            for event in step.events:
                if isinstance(event, Laid):
                    layings = before.state.table.layings
                    seen = naive.picture(tiles, layings)
                    assert event.laying in naive.legal_on(tiles, seen, event.laying.tile)
                    if layings:
                        truth = naive.earned(tiles, layings, event.laying)
                        assert event.earned.points == truth.points


def test_scores_are_the_sum_of_the_events(games: list[Played]) -> None:
    for played in games:
        if not hasattr(played.state, "scores"):
            continue  # Gone is not played for points.
        scores = [0] * len(played.state.hands)
        for step in played.steps:
            for player, points in score_changes(step.events):
                scores[player] += points
            assert tuple(scores) == step.state.scores


def test_a_view_never_holds_a_hidden_name(games: list[Played]) -> None:
    for played in games:
        for step in played.steps:
            state = step.state
            seats = range(len(state.hands))
            for viewer in (None, *seats):
                view = played.game.view(state, viewer)
                shown = f"{view!r} {[visible(event, viewer) for event in step.events]!r}"
                assert state.bag.seed not in shown
                public = {laying.tile for laying in state.table.layings}
                hidden = set(state.bag.names) | {
                    name for seat in seats if seat != viewer for name in state.hands[seat]
                }
                assert not public & hidden
                # Shown to all just now: a domino put back into the bag, a laying taken back.
                told = {event.tile for event in step.events if isinstance(event, PutBack)}
                told |= {e.laying.tile for e in step.events if isinstance(e, Undone)}
                told |= {n for e in step.events if isinstance(e, Showed) for n in e.tiles}
                assert not [name for name in hidden - told if name in shown]


def test_views_do_not_depend_on_what_is_hidden(games: list[Played]) -> None:
    """The same game with another order of the bag and other foreign hands looks the same."""
    for played in games[:10]:
        state = played.steps[len(played.steps) // 2].state
        seat = state.active
        others = [
            name for number, hand in enumerate(state.hands) if number != seat for name in hand
        ]
        pool = [*others, *state.bag.names]
        hands = []
        for number, hand in enumerate(state.hands):
            hands.append(hand if number == seat else tuple(pool.pop() for _ in hand))
        bag = type(state.bag)(tuple(pool), "another seed")
        other = msgspec.structs.replace(state, hands=tuple(hands), bag=bag)
        assert other.hands != state.hands
        assert played.game.view(state, seat) == played.game.view(other, seat)


def test_a_record_replays_to_the_same_end(games: list[Played]) -> None:
    for played in games:
        record = played.recorder.record()
        told = replay(load(dump(record)))
        assert told.record == record
        assert [step.state for step in told.steps] == [step.state for step in played.steps]
        assert [step.events for step in told.steps] == [step.events for step in played.steps]
        assert told.outcome == played.game.outcome(played.state)
        by_player = [0] * len(record.players)
        for move in told.moves:
            by_player[move["player"]] += move["points"]
            for change in move.get("others", ()):
                by_player[change["player"]] += change["points"]
        if hasattr(played.state, "scores"):
            assert tuple(by_player) == told.outcome.scores


def test_the_record_of_a_running_game_keeps_its_secrets(games: list[Played]) -> None:
    for played in games[:10]:
        half = len(played.moves) // 2
        running = Recorder(
            played.game, played.options, played.recorder.players, played.recorder.seed,
            played.recorder.start,
        )  # fmt: skip
        for move, step in played.recorder.moves[:half]:
            running.add(move, step)
        data = dump(running.record())
        state = played.steps[half].state
        assert played.recorder.seed.encode() not in data
        for name in {*state.bag.names, *(n for hand in state.hands for n in hand)}:
            laid_and_undone = any(
                isinstance(m, Lay) and m.laying.tile == name for m in played.moves[:half]
            )
            assert laid_and_undone or name.encode() not in data
        with pytest.raises(DalapapaError, match="not over"):
            replay(load(data))


def test_undo_then_redo_is_the_identity(games: list[Played]) -> None:
    checked = 0
    for played in games if games[0].game.name != "gone" else ():
        for move, before, after in zip(played.moves, played.steps, played.steps[1:], strict=False):
            if isinstance(move, Lay) and played.game.view(after.state, move.player).can_undo:
                back = played.game.apply(after.state, Undo(move.player))
                assert back.state == before.state
                again = played.game.apply(back.state, move)
                assert again.state == after.state
                assert again.events == after.events
                checked += 1
    assert checked or games[0].game.name == "gone", "in Gone, turns end by themselves"


def test_undo_never_crosses_a_draw(games: list[Played]) -> None:
    for played in games:
        for step in played.steps:
            if any(isinstance(event, Drew) for event in step.events):
                seat = step.state.active
                assert not played.game.view(step.state, seat).can_undo


def test_there_is_always_a_legal_move_and_all_are_accepted(games: list[Played]) -> None:
    for played in games[::8]:
        for step in played.steps[:-1:5]:
            actors = played.game.actors(step.state)
            assert actors
            for seat in range(len(step.state.hands)):
                moves = played.game.legal_moves(played.game.view(step.state, seat))
                assert bool(moves) == (seat in actors)
                assert len(set(moves)) == len(moves)
                for move in moves:
                    played.game.apply(step.state, move)


def test_the_result_is_the_highest_score(games: list[Played]) -> None:
    for played in games:
        outcome = played.game.outcome(played.state)
        assert isinstance(outcome, Outcome)
        assert outcome.scores == getattr(played.state, "scores", outcome.scores)
        best = max(outcome.scores)
        assert outcome.winners == tuple(s for s, n in enumerate(outcome.scores) if n == best)


def test_tokens_are_never_lost(games: list[Played]) -> None:
    for played in games if games[0].game.name == "72" else ():
        for step in played.steps:
            assert sum(step.state.tokens) + step.state.reserve == 24
            assert min(step.state.tokens) >= 0
            assert step.state.reserve >= 0


def test_marks_and_markers_are_never_lost(games: list[Played]) -> None:
    for played in games:
        markers = Counter(m.player for m in getattr(played.state, "markers", ()))
        for seat, left in enumerate(getattr(played.state, "markers_left", ())):
            assert markers[seat] + left == {2: 12, 3: 8, 4: 6}[len(played.state.hands)]
        for left in getattr(played.state, "marks_left", ()):
            assert 0 <= left <= 3


def test_only_players_and_spectators_look(games: list[Played]) -> None:
    played = games[0]
    for viewer in (-1, -2, len(played.state.hands), True, "0", 1.0):
        with pytest.raises(DalapapaError) as caught:
            played.game.view(played.state, viewer)
        assert caught.value.code == "unknown_viewer"


def test_states_travel_and_stay_frozen(games: list[Played]) -> None:
    """Pickled, copied and copied deeply, a state is the same and its table still frozen."""
    played = games[0]
    state = played.steps[len(played.steps) // 2].state
    for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
        assert twin == state
        assert twin.table.frozen
    table = copy.copy(state.table)
    assert table.frozen
    with pytest.raises(RuntimeError):
        table.take_back()
    loose = copy.copy(state.table.copy())
    loose.take_back()
    assert len(loose) == len(state.table) - 1
    with pytest.raises(AttributeError):
        state.table.frozen = False


@pytest.mark.parametrize(
    "move", [None, "lay", 42, Lay(0, None), Lay(0, "x"), Lay(False, None), End(0.0), End("0")]  # type: ignore[arg-type]
)  # fmt: skip
def test_what_is_no_move_is_refused(move: Any) -> None:
    game = find("classic")
    options = game.parse_options({})
    state = game.start(2, options, filled(game.tiles(options).names, "nonsense")).state
    with pytest.raises(DalapapaError):
        game.apply(state, move)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_nonsense_moves_are_refused_and_change_nothing(data: st.DataObject) -> None:
    """Any move at any time: carried out or refused with a code, and the old state stays."""
    game = find("classic")
    options = game.parse_options({})
    state = game.start(2, options, filled(game.tiles(options).names, "nonsense")).state
    names = standard().names
    for _ in range(data.draw(st.integers(0, 8))):
        moves = game.legal_moves(game.view(state, state.active))
        state = game.apply(state, moves[data.draw(st.integers(0, len(moves) - 1))]).state
    player = data.draw(st.integers(-1, 3))
    laying = st.builds(
        Laying, st.sampled_from([*state.hands[state.active], *names[:5], "XX"]),
        st.sampled_from("+-"), st.integers(0, 3), st.integers(-5, 5), st.integers(-5, 5),
    )  # fmt: skip
    move: Any = data.draw(
        st.one_of(
            st.builds(Lay, st.just(player), laying),
            st.sampled_from([End(player), Pass(player), Undo(player)]),
        )
    )
    before = repr(state), state.table.layings
    try:
        game.apply(state, move)
    except DalapapaError as error:
        assert error.code
        assert "\n" not in str(error)
    assert (repr(state), state.table.layings) == before


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_has_scenarios_and_counts(name: str) -> None:
    assert list((HERE / "scenarios" / name).glob("*.txt"))
    assert (HERE / "perft" / f"{name}.txt").exists()


@pytest.mark.parametrize("name", REGISTRY)
def test_numbers_of_players(name: str) -> None:
    game = find(name)
    options = game.parse_options({})
    bag = filled(game.tiles(options).names, "players")
    for players in (-1, 0, game.seats[0] - 1, game.seats[-1] + 1, 1000):
        with pytest.raises(DalapapaError) as caught:
            game.start(players, options, bag)
        assert caught.value.code == "bad_players"


@given(
    st.builds(
        Lay, st.integers(0, 5),
        st.builds(
            Laying, st.sampled_from(standard().names), st.sampled_from("+-"), st.integers(0, 3),
            st.integers(-999, 999), st.integers(-999, 999),
        ),
    )
    | st.builds(End, st.integers(0, 5)) | st.builds(Pass, st.integers(0, 5))
    | st.builds(Undo, st.integers(0, 5))
)  # fmt: skip
def test_moves_round_trip(move: Move) -> None:
    assert move_from_json(move_to_json(move)) == move


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["move", "player", "laying", "x"]), inner, max_size=4)
    ),
)


@given(JSON)
def test_malformed_moves_are_refused(data: Any) -> None:
    try:
        move = move_from_json(data)
    except DalapapaError as error:
        assert "\n" not in str(error)
    else:
        assert move_to_json(move) == data


def test_sets_in_options_round_trip() -> None:
    for name in ("120", "72"):
        assert set_choice(standard(name)) == name
        assert tile_set(name) == standard(name)
    own = tile_set(set_choice(standard("72")))
    assert own == standard("72")
