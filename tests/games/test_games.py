"""What must hold in every registered game, for all players and all moves."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa.bots import list_bots
from dalapapa.bots.arena import BotSeats, play_game
from dalapapa.core.errors import DalapapaError
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.arlequin.rules import list_pile
from dalapapa.games.bag import fill_bag
from dalapapa.games.events import (
    Drew,
    Laid,
    Outcome,
    RoundBegan,
    Showed,
    Undone,
    WentBack,
    list_score_changes,
    redact_event,
)
from dalapapa.games.moves import (
    Announce,
    Call,
    Decline,
    End,
    Follow,
    Lay,
    Mark,
    Move,
    NoMore,
    Pass,
    PlayAgain,
    PutBack,
    Raise,
    Take,
    TakeOut,
    TimeUp,
    Undo,
    move_from_json,
    move_to_json,
)
from dalapapa.games.options import resolve_set, to_set_choice
from dalapapa.record import Player, Recorder, dump, load, replay
from dalapapa.rulebook import page
from dalapapa.texts import LANGUAGES
from tests.support import naive
from tests.support.paths import PERFT, SCENARIOS
from tests.support.thoroughness import THOROUGH, daily

# Thousands of games go the same ways very often; the scenarios count.
pytestmark = pytest.mark.usefixtures("uncounted")

TABLES = [
    (name, count)
    for name, game in REGISTRY.items()
    for count in (game.seats if THOROUGH else sorted({*game.seats[:2], game.seats[-1]}))
]
"""Every day, each game with few players and with as many as it takes."""

GAMES = 52 if THOROUGH else 5
"""Of each kind and number of players: some two thousand in all, every day a tenth of them."""


def options_for(name: str, seats: int, number: int) -> dict[str, Any]:
    """Options that end races of random players in time, and both ends of Alex."""
    if name in ("puzzle", "arlequin") and (seats > 3 or number % 8):
        return {"minutes": 1 + number % 4}
    if name == "alex" and number % 2:
        return {"end": "rounds", "rounds": 1 + number % 7}
    return {}


class Played:
    """A whole game with everything that happened in it."""

    def __init__(self, game: Any, seats: int, number: int, bots: list[str]) -> None:
        seed = f"invariants {number}"
        undo = 0.3 if number % 3 == 0 else 0
        self.game = game
        self.options = game.parse_options(options_for(game.name, seats, number))
        start = game.start(seats, self.options, fill_bag(game.tiles(self.options).names, seed))
        players = [Player(f"{bot} {seat}", bot) for seat, bot in enumerate(bots)]
        self.recorder = Recorder(game, self.options, players, seed, start)
        self.steps = [start]
        self.moves: list[Move] = []
        rng = random.Random(seed)
        programs = BotSeats(game, tuple(bots), seed)
        while game.outcome(self.state) is None:
            assert len(self.moves) < 3000, "the game does not end"
            asked = game.next_actors(self.state)
            assert asked
            assert set(asked) <= set(game.actors(self.state))
            if game.view(self.state, asked[0]).can_undo and rng.random() < undo:
                self.make(Undo(asked[0]))
            else:
                self.make(programs.next_move(self.state))
        assert game.actors(self.state) == ()
        assert game.timer(self.state) is None

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
    bots = ["random", "greedy", "novice"]
    return [
        Played(find_game(name), seats, n, [bots[(n >> seat) % len(bots)] for seat in range(seats)])
        for n in range(GAMES // 3 if name == "arlequin" else GAMES)  # Frames of 80 cells are slow.
    ]


def has_hands(games: list[Played]) -> bool:
    return hasattr(games[0].state, "hands")


def whereabouts(game: Any, state: Any) -> Counter[str]:
    """Every domino of a state, wherever it is."""
    places: list[str] = []
    if state.table is not None:
        places += [laying.tile for laying in state.table.layings]
        places += state.bag.names
    for frame in getattr(state, "frames", ()):
        places += [laying.tile for laying in frame]
    for hand in getattr(state, "hands", ()):
        places += hand
    places += getattr(state, "drawn", ())
    places += getattr(state, "middle", ())
    places += [name for name in getattr(state, "held", ()) if name]
    if game.name == "arlequin":
        for seat in range(state.players):
            places += game.view(state, seat).pile
        for pile in {1, 2, 3} - set(state.piles):
            places += list_pile(pile)
    return Counter(places)


def test_no_domino_is_lost_or_doubled(games: list[Played]) -> None:
    for played in games:
        names = Counter(played.game.tiles(played.options).names)
        for step in played.steps:
            assert whereabouts(played.game, step.state) == names


def test_every_laying_is_legal_and_earns_what_the_rules_say(games: list[Played]) -> None:
    """Against the naive table, for a part of the games (it is slow)."""
    for played in games[: 6 if THOROUGH else 1] if games[0].state.table is not None else ():
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


def test_frames_hold_what_fits(games: list[Played]) -> None:
    """Inside, no cell twice, every contact equal: checked in a picture of all half-discs."""
    for played in games if hasattr(games[0].state, "frames") else ():
        tiles = played.game.tiles(played.options)
        for frame in {frame for step in played.steps for frame in step.state.frames}:
            cells = Counter(cell for laying in frame for cell in laying.cells)
            assert max(cells.values(), default=1) == 1
            wide, high = (max((c[axis] for c in cells), default=0) + 1 for axis in (0, 1))
            assert min((min(cell) for cell in cells), default=0) >= 0
            most = (4, 4) if played.game.name == "puzzle" else (8, 10)
            assert (wide <= most[0] and high <= most[1]) or (wide <= most[1] and high <= most[0])
            meet: dict[Any, set[str]] = {}
            for laying in frame:
                for disc, colour in naive.half_discs_of(laying, tiles):
                    meet.setdefault(disc, set()).add(colour)
            assert all(len(colours) == 1 for colours in meet.values())


def test_scores_are_the_sum_of_the_events(games: list[Played]) -> None:
    for played in games:
        if not hasattr(played.state, "scores"):
            continue  # Gone and the races are not played for points.
        scores = [0] * played.state.players
        for step in played.steps:
            for player, points in list_score_changes(step.events):
                scores[player] += points
            assert tuple(scores) == step.state.scores


def test_a_view_never_holds_a_hidden_name(games: list[Played]) -> None:
    for played in games if hasattr(games[0].state, "bag") else ():
        for step in played.steps if has_hands(games) else played.steps[::4]:
            state = step.state
            hands = dict(enumerate(getattr(state, "hands", ())))
            # Shown to all just now: a domino put back into the bag, a laying taken back.
            returned = {event.tile for event in step.events if isinstance(event, WentBack)}
            returned |= {e.laying.tile for e in step.events if isinstance(e, Undone)}
            returned |= {n for e in step.events if isinstance(e, Showed) for n in e.tiles}
            for viewer in (None, *range(state.players)):
                view = played.game.view(state, viewer)
                shown = f"{view!r} {[redact_event(event, viewer) for event in step.events]!r}"
                assert state.bag.seed not in shown
                public = {laying.tile for laying in state.table.layings}
                hidden = set(state.bag.names) | {
                    name for seat, hand in hands.items() if seat != viewer for name in hand
                }
                assert not public & hidden
                assert not [name for name in hidden - returned if name in shown]
                if not hands and viewer is not None:
                    break  # All players see the same.


def test_views_do_not_depend_on_what_is_hidden(games: list[Played]) -> None:
    """The same game with another order of the bag and other foreign hands looks the same."""
    for played in games[:10] if has_hands(games) else ():
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
        replayed = replay(load(dump(record)))
        assert replayed.record == record
        assert [step.state for step in replayed.steps] == [step.state for step in played.steps]
        assert [step.events for step in replayed.steps] == [step.events for step in played.steps]
        assert replayed.outcome == played.game.outcome(played.state)
        by_player = [0] * len(record.players)
        for move in replayed.entries:
            if move["player"] is not None:
                by_player[move["player"]] += move["points"]
            for change in move.get("others", ()):
                by_player[change["player"]] += change["points"]
        if hasattr(played.state, "scores"):
            assert tuple(by_player) == replayed.outcome.scores


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
        if has_hands(games):
            for name in {*state.bag.names, *(n for hand in state.hands for n in hand)}:
                laid_and_undone = any(
                    isinstance(m, Lay) and m.laying.tile == name for m in played.moves[:half]
                )
                assert laid_and_undone or name.encode() not in data
        with pytest.raises(DalapapaError, match="not over"):
            replay(load(data))


def test_undo_then_redo_is_the_identity(games: list[Played]) -> None:
    """In Gone turns end by themselves; in a race, what was laid is taken out again."""
    checked = 0
    for played in games:
        for move, before, after in zip(played.moves, played.steps, played.steps[1:], strict=False):
            if not isinstance(move, Lay) or played.game.outcome(after.state):
                continue
            if played.game.view(after.state, move.player).can_undo:
                back = played.game.apply(after.state, Undo(move.player))
            elif hasattr(after.state, "frames"):
                back = played.game.apply(after.state, TakeOut(move.player, move.laying.tile))
            else:
                continue
            assert back.state == before.state
            again = played.game.apply(back.state, move)
            assert again.state == after.state
            assert again.events == after.events
            checked += 1
    assert checked or games[0].game.name in ("alex", "gone")


def test_undo_never_crosses_a_draw(games: list[Played]) -> None:
    for played in games:
        for step in played.steps:
            if any(isinstance(event, Drew | RoundBegan) for event in step.events):
                for seat in range(step.state.players):
                    assert not played.game.view(step.state, seat).can_undo


def test_there_is_always_a_legal_move_and_all_are_accepted(games: list[Played]) -> None:
    stride = 5 if has_hands(games) else 40
    for played in games[::8]:
        for step in played.steps[:-1:stride]:
            actors = played.game.actors(step.state)
            assert actors
            for seat in range(step.state.players):
                moves = played.game.legal_moves(played.game.view(step.state, seat))
                assert bool(moves) == (seat in actors)
                assert len(set(moves)) == len(moves)
                for move in moves[:: 1 + len(moves) // 25]:
                    played.game.apply(step.state, move)


def test_no_other_player_may_act(games: list[Played]) -> None:
    """A move of one who is not asked is refused, and a time that does not run is not over."""
    for played in games[::8]:
        for move, before in zip(played.moves[::7], played.steps[::7], strict=False):
            timer = played.game.timer(before.state)
            number = timer.number + 1 if timer else 1
            with pytest.raises(DalapapaError) as caught:
                played.game.apply(before.state, TimeUp(number))
            assert caught.value.code == "no_timer"
            if has_hands(games) and isinstance(move, Lay | End):
                for seat in range(before.state.players):
                    if seat != move.player:
                        with pytest.raises(DalapapaError) as caught:
                            played.game.apply(
                                before.state, msgspec.structs.replace(move, player=seat)
                            )
                        assert caught.value.code == "not_your_turn"


def test_the_result_is_the_highest_score(games: list[Played]) -> None:
    for played in games:
        outcome = played.game.outcome(played.state)
        assert isinstance(outcome, Outcome)
        assert outcome.scores == getattr(played.state, "scores", outcome.scores)
        mistakes = getattr(played.state, "mistakes", (0,) * played.state.players)
        in_game = {seat for seat, count in enumerate(mistakes) if count < 3}
        in_game -= set(getattr(played.state, "given_up", ()))
        best = max((outcome.scores[seat] for seat in in_game), default=0)
        wanted = [seat for seat in sorted(in_game) if outcome.scores[seat] == best]
        if outcome.reason == "time" and (played.state.players == 1 or not best):
            wanted = []
        assert list(outcome.winners) == wanted


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
            assert markers[seat] + left == {2: 12, 3: 8, 4: 6}[played.state.players]
        for left in getattr(played.state, "marks_left", ()):
            assert 0 <= left <= 3


def test_only_players_and_spectators_look(games: list[Played]) -> None:
    played = games[0]
    for viewer in (-1, -2, played.state.players, True, "0", 1.0):
        with pytest.raises(DalapapaError) as caught:
            played.game.view(played.state, viewer)
        assert caught.value.code == "unknown_viewer"


def test_states_travel_and_stay_frozen(games: list[Played]) -> None:
    """Pickled, copied and copied deeply, a state is the same and its table still frozen."""
    played = games[0]
    state = played.steps[len(played.steps) // 2].state
    for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
        assert twin == state
        assert twin.table is None or twin.table.frozen
    if state.table is None:
        return
    table = copy.copy(state.table)
    assert table.frozen
    with pytest.raises(RuntimeError):
        table.take_back()
    loose = copy.copy(state.table.copy())
    loose.take_back()
    assert len(loose) == len(state.table) - 1
    with pytest.raises(AttributeError):
        state.table.frozen = False


NO_MOVES: list[Any] = [
    None, "lay", 42, Lay(0, None), Lay(0, "x"), Lay(False, None), End(0.0), End("0"),  # type: ignore[arg-type]
    Lay(0, Laying("XX", "*", 9, 0, 0)), Lay(0, Laying(None, "+", 0, 0, 0)),  # type: ignore[arg-type]
    Lay(0, Laying("a\nb", "+", 0, 0, 0)), Mark(0, None), Mark(0, (1,)), Call(0, 2.0),  # type: ignore[arg-type]
    Raise(0, None), Take(0, None), Take(0, ["A"]), Take(0, "x" * 999), TakeOut(0, []),  # type: ignore[arg-type]
    Announce(0, "9", 1), Announce(0, True, 1), Announce(0, 10**30, 1), Announce(0, 3, True),  # type: ignore[arg-type]
    NoMore(0, 0.0, 1), NoMore(0, 0, "1"), TimeUp("1"), TimeUp(True), TimeUp(None),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize("move", NO_MOVES, ids=str)
@pytest.mark.parametrize("name", REGISTRY)
def test_values_that_are_not_moves_are_refused(name: str, move: Any) -> None:
    game = find_game(name)
    options = game.parse_options({})
    players = max(2, game.seats[0])
    state = game.start(players, options, fill_bag(game.tiles(options).names, "nonsense")).state
    with pytest.raises(DalapapaError) as caught:
        game.apply(state, move)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


@st.composite
def any_move(draw: Any, state: Any, names: tuple[str, ...]) -> Any:
    """A move of any kind, by any player, more often with dominoes that are in play."""
    player = draw(st.integers(-1, 3))
    near = [*names[:4], "XX", *(n for hand in getattr(state, "hands", ()) for n in hand)]
    near += [*getattr(state, "drawn", ()), *(n for n in getattr(state, "held", ()) if n)]
    near += [one.tile for frame in getattr(state, "frames", ()) for one in frame]
    tile = st.sampled_from(near)
    laying = st.builds(
        Laying, tile, st.sampled_from("+-"), st.integers(0, 3), st.integers(-5, 5),
        st.integers(-5, 5),
    )  # fmt: skip
    number = st.integers(-3, 20)
    return draw(
        st.one_of(
            st.builds(Lay, st.just(player), laying),
            st.builds(Take, st.just(player), tile),
            st.builds(TakeOut, st.just(player), tile),
            st.builds(Announce, st.just(player), number, number),
            st.builds(NoMore, st.just(player), number, number),
            st.builds(Call, st.just(player), number),
            st.builds(Raise, st.just(player), number),
            st.builds(Mark, st.just(player), st.tuples(number, number)),
            st.builds(TimeUp, number),
            st.sampled_from(
                [kind(player) for kind in (End, Pass, Undo, Decline, Follow, PlayAgain, PutBack)]
            ),
        )
    )


@pytest.mark.parametrize("name", daily(REGISTRY, ["classic", "auction", "arlequin", "alex"]))
@given(data=st.data())
def test_nonsense_moves_are_refused_and_change_nothing(name: str, data: st.DataObject) -> None:
    """Any move at any time: carried out or refused with a code, and the old state stays."""
    game = find_game(name)
    options = game.parse_options({})
    names = game.tiles(options).names
    state = game.start(2, options, fill_bag(names, "nonsense")).state
    bots = ("greedy" if name == "arlequin" else "random", "greedy")  # Random ones are slow there.
    programs = BotSeats(game, bots, data.draw(st.sampled_from("abc")))
    for _ in range(data.draw(st.integers(0, 25))):
        if game.outcome(state) is None:
            state = game.apply(state, programs.next_move(state)).state
    for _ in range(10):
        move = data.draw(any_move(state, names))
        before = repr(state)
        try:
            game.apply(state, move)
        except DalapapaError as error:
            assert error.code
            assert "\n" not in str(error)
        assert repr(state) == before


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_is_complete(name: str) -> None:
    """Scenarios, counts, a rule page in every language, and all programs; nothing for show."""
    assert len(list((SCENARIOS / name).glob("*.txt"))) >= 5
    assert (PERFT / f"{name}.txt").exists()
    for language in LANGUAGES:
        assert len(page(name, language)) > 500
    game = find_game(name)
    for bot in list_bots(game):
        players = (bot,) * max(2, game.seats[0])
        _, score = play_game(game, players, game.parse_options({}), "complete", seconds=0.02)
        assert score.moves


def test_nothing_is_about_a_game_that_is_not_registered() -> None:
    folders = {path.name for path in (SCENARIOS).iterdir() if path.is_dir()}
    assert folders - {"table"} == set(REGISTRY)
    assert {path.stem for path in (PERFT).iterdir()} - {"table"} == set(REGISTRY)


@pytest.mark.parametrize("name", REGISTRY)
def test_numbers_of_players(name: str) -> None:
    game = find_game(name)
    options = game.parse_options({})
    bag = fill_bag(game.tiles(options).names, "players")
    for players in (-1, 0, game.seats[0] - 1, game.seats[-1] + 1, 1000):
        with pytest.raises(DalapapaError) as caught:
            game.start(players, options, bag)
        assert caught.value.code == "bad_players"


@given(st.data())
def test_moves_round_trip(data: st.DataObject) -> None:
    move = data.draw(any_move(None, standard().names))
    answer = move_to_json(move)
    assert move_from_json(json.loads(json.dumps(answer))) == move
    assert list(answer)[:2] == ["player", "move"]


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
        assert to_set_choice(standard(name)) == name
        assert resolve_set(name) == standard(name)
    own = resolve_set(to_set_choice(standard("72")))
    assert own == standard("72")
