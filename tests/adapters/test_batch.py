"""What the kernel writes for learning programs: beside views, of one game and of many."""

from __future__ import annotations

import copy
import importlib
import pickle
import runpy
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalapapa.adapters import zoo
from dalapapa.adapters.batch import BatchEnv
from dalapapa.adapters.observer import EpisodeRequest
from dalapapa.adapters.registry import list_environments
from dalapapa.adapters.series import GameSeries
from dalapapa.core.errors import BadInput, BadOptions, IllegalMove
from dalapapa.kernel.episode import EpisodeArrays
from tests.support import observed_slowly
from tests.support.interpreted import INTERPRETED, interpreted_table
from tests.support.paths import ROOT
from tests.support.thoroughness import THOROUGH, daily

TABLES = [(game, players) for game in list_environments() for players in (2, 3, 4)] + [("gone", 6)]


def compare(env: zoo.raw_env, view_of: Any = None) -> None:
    """What every agent observes is what its view, and nothing else, leads to."""
    state = view_of or env.game_state
    for seat, agent in enumerate(env.possible_agents):
        view = env.game.view(state, seat)
        seen = env.observe(agent)
        expected = observed_slowly.observation(env.observer, view, env.tiles, env.actions.window)
        for name, values in expected.items():
            assert np.array_equal(seen["observation"][name], values), (name, agent)
            assert seen["observation"][name].dtype == values.dtype
        to_act = agent == env.agent_selection and state.outcome is None
        legal = env.actions.moves(view, env.game.legal_moves(view)) if to_act else {}
        assert list(np.flatnonzero(seen["action_mask"])) == sorted(legal)
        assert env.observation_space(agent).contains(seen)


def play_and_compare(env: zoo.raw_env, seed: int, every: int) -> None:
    chance = np.random.default_rng(seed)
    env.reset(seed=seed)
    number = 0
    while True:
        agent = env.agent_selection
        over = env.terminations[agent] or env.truncations[agent]
        assert over == (env.game_state.outcome is not None)
        if over or number % every == 0:
            compare(env)
        if over:
            return
        env.step(chance.choice(np.flatnonzero(env.observe(agent)["action_mask"])))
        number += 1


@pytest.mark.parametrize(("game", "players"), daily(TABLES, TABLES[::3]))
def test_an_observation_is_made_from_the_view(game: str, players: int) -> None:
    play_and_compare(zoo.raw_env(game, players), seed=players, every=9)


CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("classic", {}),
    ("classic", {"first": 1, "set": "72"}),
    ("auction", {}),
    ("auction", {"auctions": "repeated"}),
    ("conquest", {}),
    ("conquest", {"finish_round": True, "target": 120}),
    ("gone", {}),
    ("gone", {"ages": [4, 8, 12], "names": ["Eve", "Adam", "Ana"], "older": 7}),
    ("72", {}),
    ("72", {"dealer": 1, "set": "120"}),
]


@pytest.mark.parametrize(("game", "options"), CHOICES)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(2, 4),
    window=st.sampled_from([3, 8, 24, 25, 70]),
    rewards=st.sampled_from(["win", "score"]),
    points=st.booleans(),
)
@settings(max_examples=40 if THOROUGH else 4, deadline=None)
def test_the_kernel_plays_by_the_rules(
    game: str,
    options: dict[str, Any],
    seed: int,
    players: int,
    window: int,
    rewards: Any,
    points: bool,
) -> None:
    """Masks, observations, rewards, ends and agents are those of the class of the game."""
    players = len(options.get("ages", ())) or players
    words: dict[str, Any] = {"rewards": rewards, "points": points, "limit": 400}
    fast = zoo.raw_env(game, players, options=options, window=window, **words)
    slow = copy.deepcopy(fast)
    chance = np.random.default_rng(seed)
    for env in (fast, slow):
        env.reset(seed=seed)
    slow.game_state = slow.game_state  # From now on it goes by the rules themselves.
    assert fast.is_in_kernel
    assert not slow.is_in_kernel
    while True:
        agent = fast.agent_selection
        assert agent == slow.agent_selection
        assert fast.terminations == slow.terminations
        assert fast.truncations == slow.truncations
        assert fast.rewards == pytest.approx(slow.rewards)
        for one in fast.possible_agents if fast.move_count % 5 == 0 else [agent]:
            assert_same(fast.observe(one), slow.observe(one))
        if fast.terminations[agent] or fast.truncations[agent]:
            break
        if fast.move_count % 40 == 0 and not points:
            compare(fast, slow.game_state)
        action = choose_varied(fast, chance)
        fast.step(action)
        slow.step(action)
    assert fast.game_state.outcome == slow.game_state.outcome


def assert_same(one: Any, two: Any) -> None:
    """Two observations have the same arrays."""
    assert np.array_equal(one["action_mask"], two["action_mask"])
    for name, values in one["observation"].items():
        assert np.array_equal(values, two["observation"][name]), name


def choose_varied(env: zoo.raw_env, chance: np.random.Generator) -> int:
    """A random action: marks, bids and the like more often than there are layings."""
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    rare = legal[legal >= 8 * env.actions.slots * env.actions.window**2]
    return int(chance.choice(rare if len(rare) and chance.random() < 0.3 else legal))


def test_dominoes_that_fit_nowhere_go_back_and_are_passed_over() -> None:
    """With few dominoes, most of one colour: exchanges, passes, empty hands (rules 1, 0)."""
    colours = "RRRRRBBBYM"
    rows = [
        {"name": f"D{number}", "recto": 7 * colour, "verso": 7 * colour}
        if colour != "M"
        else {"name": "Mixed", "recto": "RRBRBRB", "verso": "YBYRYBR"}
        for number, colour in enumerate(colours)
    ]
    exchanged, reasons = 0, set()
    for seed in range(12):
        env = zoo.raw_env("classic", 2 + seed % 3, options={"set": rows}, rewards="score")
        play_and_compare(env, seed, every=1)
        exchanged += env.game_state.bag.shuffles
        reasons.add(env.game_state.outcome.reason)
    assert exchanged
    assert "blocked" in reasons


def test_a_copy_goes_on_alone() -> None:
    env = zoo.raw_env("classic", 2)
    env.reset(seed=5)
    for _ in range(9):
        env.step(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])
    other = copy.deepcopy(env)
    before = env.observe("player_0")["observation"]["board"]
    for _ in range(3):
        other.step(np.flatnonzero(other.observe(other.agent_selection)["action_mask"])[0])
    compare(env)
    compare(other)
    assert np.array_equal(env.observe("player_0")["observation"]["board"], before)


# -- compiled and interpreted --------------------------------------------------------------------


def make_python_rows(rows: EpisodeArrays) -> Any:
    """Arrays of Python's own with the same content: the kernel needs no NumPy."""
    made: list[Any] = [np.asarray(row) for row in rows]
    return EpisodeArrays(*[array(row.dtype.char, row.tobytes()) for row in made])


@pytest.mark.parametrize("game", list_environments())
def test_compiled_and_interpreted_play_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreted_table()
    players, window = 3, 12
    env = zoo.raw_env(game, players, window=window, points=True, rewards="score")
    rows = env._arrays.rows(0)
    asked = EpisodeRequest(env.options, env.tiles, players, window, 90, True)
    one_rows, two_rows = make_python_rows(rows), make_python_rows(rows)
    one = env.observer.episode(asked, one_rows)
    assert one is not None
    kind = type(one)
    source = importlib.import_module(kind.__module__.replace("dalapapa", INTERPRETED, 1))
    own = importlib.import_module(type(env.observer).__module__)
    monkeypatch.setattr(own, kind.__name__, getattr(source, kind.__name__))
    two = env.observer.episode(asked, two_rows)
    assert two is not None
    assert type(two) is not kind
    series = GameSeries(env.tiles, 4)
    seed = series.seed()
    for episode in (one, two):
        episode.begin(series.order(seed), seed)
    chance = np.random.default_rng(2)
    while not one.terminated and not one.truncated:
        for seat in range(players):
            one.look(seat)
            two.look(seat)
            assert one_rows == two_rows
        legal = np.flatnonzero(one_rows.mask)
        rare = legal[legal >= 8 * env.actions.slots * window**2]
        action = int(chance.choice(rare if len(rare) and chance.random() < 0.3 else legal))
        assert one.is_legal(action)
        assert two.is_legal(action)
        one.act(action)
        two.act(action)
        assert (one.actor, one.active, one.made) == (two.actor, two.active, two.made)
    assert (two.terminated, two.truncated) == (one.terminated, one.truncated)
    assert one_rows.rewards == two_rows.rewards


# -- many games ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players", "steps"),
    [
        ("classic", 2, 420),
        ("classic", 4, 60),
        ("auction", 3, 60),
        ("conquest", 3, 60),
        ("gone", 2, 120),
        ("72", 4, 60),
    ],
)
@pytest.mark.parametrize("rewards", ["win", "score"])
def test_a_batch_plays_the_games_of_single_environments(
    game: str, players: int, steps: int, rewards: Any
) -> None:
    words: dict[str, Any] = {"rewards": rewards, "points": game == "classic", "window": 20}
    batch = BatchEnv(game, players, games=3, seed=8, **words)
    singles = [zoo.raw_env(game, players, **words) for _ in range(3)]
    for number, env in enumerate(singles):
        env.reset(seed=8 + number)
    ends = 0
    for _ in range(steps):
        for row, env in enumerate(singles):
            assert env.possible_agents[batch.agents[row]] == env.agent_selection
            seen = env.observe(env.agent_selection)
            assert np.array_equal(seen["action_mask"], batch.masks[row])
            for name, values in seen["observation"].items():
                assert np.array_equal(values, batch.observations[name][row]), name
            legal = batch.legal[row, : batch.legal_counts[row]]
            assert sorted(legal) == list(np.flatnonzero(batch.masks[row]))
        actions = batch.sample()
        _, earned, terminated, truncated, info = batch.step(actions)
        for row, env in enumerate(singles):
            env.step(actions[row])
            assert list(env.rewards.values()) == list(earned[row])
            agent = env.agent_selection
            assert env.terminations[agent] == terminated[row]
            assert env.truncations[agent] == truncated[row]
            assert batch.ended[row] == (terminated[row] or truncated[row])
            if batch.ended[row]:
                ends += 1
                assert list(info["scores"][row]) == env.standing()
                env.reset()
    assert ends or steps < 200


def test_a_batch_is_truncated_and_begins_again() -> None:
    batch = BatchEnv("classic", games=2, seed=1, limit=3)
    for number in range(1, 7):
        batch.step(batch.sample())
        assert list(batch.truncated) == [number % 3 == 0] * 2
        assert batch.masks.any(axis=1).all()


def test_the_same_seed_gives_the_same_batch() -> None:
    one, two = (BatchEnv("classic", games=2, seed=3) for _ in range(2))
    for _ in range(20):
        actions = one.sample()
        assert np.array_equal(actions, two.sample())
        one.step(actions)
        two.step(actions)
    one.reset(3)
    assert np.array_equal(one.masks, BatchEnv("classic", games=2, seed=3).masks)
    assert not np.array_equal(one.observations["hand"][0], one.observations["hand"][1])


@pytest.mark.parametrize("game", ["classic", "gone"])
def test_a_step_with_an_illegal_action_changes_nothing(game: str) -> None:
    batch = BatchEnv(game, games=3, seed=2)
    actions = batch.sample()
    before = {name: values.copy() for name, values in batch.observations.items()}
    for wrong in (-1, batch.actions.count, batch.actions.numbers["pass"], 2**40):
        bad = actions.astype(np.int64)
        bad[1] = wrong
        with pytest.raises(IllegalMove, match="game 1") as refusal:
            batch.step(bad)
        assert refusal.value.code == "not_legal"
    for wrong_form in (actions[:2], actions.astype(float), 4):
        with pytest.raises(BadInput):
            batch.step(wrong_form)
    for name, values in before.items():
        assert np.array_equal(values, batch.observations[name])
    batch.step(actions)


def test_impossible_batches_are_refused() -> None:
    for words in ({"games": 0}, {"game": "alex"}, {"players": 7}, {"options": {"first": 3}}):
        with pytest.raises(BadOptions):
            BatchEnv(**words)


def test_the_example_of_a_batch_learns_and_stands_on_the_page(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = ROOT / "examples" / "train_batch.py"
    assert path.read_text() in (ROOT / "docs" / "environments" / "index.md").read_text()
    after = runpy.run_path(str(path))
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert after["weights"][0] > 1


def test_the_spaces_are_those_of_one_environment() -> None:
    batch, env = BatchEnv("classic", games=2, seed=0), zoo.raw_env("classic")
    assert batch.single_action_space == env.action_space("player_0")
    assert batch.single_observation_space == env.observation_space("player_0")["observation"]


@pytest.mark.parametrize(
    ("game", "points"), [("classic", True), ("classic", False), ("gone", False)]
)
def test_the_space_contains_the_rows(game: str, points: bool) -> None:
    batch = BatchEnv(game, games=3, seed=4, points=points)
    for _ in range(5):
        batch.step(batch.sample())
        for row in range(batch.num_envs):
            seen = {name: values[row] for name, values in batch.observations.items()}
            assert batch.single_observation_space.contains(seen)


@pytest.mark.parametrize(("game", "steps"), [("classic", 150), ("gone", 5)])
@pytest.mark.parametrize("way", ["copy", "pickle"])
def test_a_copy_of_a_batch_plays_on_alone(game: str, steps: int, way: str) -> None:
    batch = BatchEnv(game, games=3, seed=4, rewards="score", points=game == "classic")
    for _ in range(steps):
        batch.step(batch.sample())
    same = copy.deepcopy(batch) if way == "copy" else pickle.loads(pickle.dumps(batch))
    for number in range(steps):
        actions = batch.sample()
        assert np.array_equal(actions, same.sample()), number
        for one, two in zip(flat(batch.step(actions)), flat(same.step(actions)), strict=True):
            assert np.array_equal(one, two)
            assert not np.shares_memory(one, two)
    same.step(same.sample())
    assert not np.array_equal(batch.masks, same.masks), "the original does not follow"


def flat(step: Any) -> list[Any]:
    """All arrays that a step returns."""
    observations, *arrays, info = step
    return [*observations.values(), *arrays, *info.values()]
