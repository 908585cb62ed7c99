"""Learning against bots, vector environments, saved states, and policies as bots."""

from __future__ import annotations

import copy
import pickle
import runpy
import warnings
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from dalapapa import Match, compare
from dalapapa.adapters import zoo
from dalapapa.adapters.batch import BatchEnv
from dalapapa.adapters.policy import PolicyBot
from dalapapa.adapters.registry import list_environments
from dalapapa.adapters.vector import VectorEnv
from dalapapa.bots.installed import InstalledBot, try_bot
from dalapapa.core.errors import BadInput, BadOptions, IllegalMove
from dalapapa.games import find_game, list_games
from dalapapa.games.bag import fill_bag
from dalapapa.games.game import AnyGame
from dalapapa.kernel import planes
from tests.support.installing import installing, put_example
from tests.support.paths import ROOT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # With pygame, these tests load games that PettingZoo moved.
    from pettingzoo.test import api_test


def play(env: zoo.raw_env, seed: int) -> int:
    """A random game; the number of steps."""
    chance = np.random.default_rng(seed)
    env.reset(seed=seed)
    steps = 0
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(chance.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
        steps += 1
    return steps


# -- opponents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list_environments())
def test_opponents_play_between_the_steps_of_the_agents(game: str) -> None:
    env = zoo.raw_env(game, 3, opponents=["medium"])
    assert env.possible_agents == ["player_0", "player_1"]
    assert play(env, 4) < env.move_count
    outcome = env.game_state.outcome
    assert outcome is not None
    winners = {seat for seat, reward in enumerate(env.seat_rewards) if reward > 0}
    assert winners == set(outcome.winners)
    assert env.rewards == dict(zip(env.possible_agents, env.seat_rewards[:2], strict=True))


@pytest.mark.usefixtures("uncounted")
def test_pettingzoo_accepts_an_environment_with_opponents() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(zoo.env("classic", 2, opponents=["easy"]), num_cycles=40)


def test_an_opponent_may_lay_where_no_action_reaches() -> None:
    env = zoo.raw_env("classic", 2, opponents=["medium"], window=6, rewards="score")
    play(env, 1)
    assert not env.is_in_kernel
    assert env.game_state.outcome is not None


def test_the_same_seed_gives_the_same_opponents() -> None:
    one, two = (zoo.raw_env("classic", 2, opponents=["easy"]) for _ in range(2))
    play(one, 3)
    play(two, 3)
    assert one.game_state.table == two.game_state.table


@pytest.mark.parametrize("opponents", [["easy", "easy"], ["medum"], "easy", [1], 1])
def test_impossible_opponents_are_refused(opponents: Any) -> None:
    with pytest.raises(BadOptions):
        zoo.env("classic", 2, opponents=opponents)


# -- saved states --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list_environments())
@pytest.mark.parametrize("opponents", [[], ["easy"]])
def test_an_environment_returns_to_a_saved_state(game: str, opponents: list[str]) -> None:
    env, other = (zoo.raw_env(game, 2, opponents=opponents, points=True) for _ in range(2))
    env.reset(seed=1)
    for _ in range(2):
        env.step(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1])
    saved = pickle.loads(pickle.dumps(env.save_state()))
    games: list[list[Any]] = []
    for one in (env, env, other):  # The first time from here, then from the saved state.
        if games:
            one.restore_state(saved)
        steps: list[Any] = []
        while len(steps) < 5 and not one.terminations[one.agent_selection]:
            seen = one.observe(one.agent_selection)
            steps.append((one.agent_selection, seen, dict(one.rewards), one.move_count))
            one.step(np.flatnonzero(seen["action_mask"])[0])
        games.append(steps)
    for again in games[1:]:
        for (agent, seen, *rest), (same_agent, same, *same_rest) in zip(
            games[0], again, strict=True
        ):
            assert (agent, rest) == (same_agent, same_rest)
            assert np.array_equal(seen["action_mask"], same["action_mask"])
            for name, values in seen["observation"].items():
                assert np.array_equal(values, same["observation"][name]), name


def test_a_state_of_another_game_is_refused() -> None:
    env, batch = zoo.raw_env("classic"), BatchEnv("classic", games=2)
    with pytest.raises(BadInput):
        env.restore_state(zoo.raw_env("auction").save_state())
    for other in (BatchEnv("classic", games=3), BatchEnv("gone", games=2)):
        with pytest.raises(BadInput):
            batch.restore_state(other.save_state())


# -- vector environments -------------------------------------------------------------------------

FORMS: list[dict[str, Any]] = [
    {"game": "classic"},
    {"game": "72", "players": 3, "points": True},
    {"game": "gone", "opponents": ["easy"]},
]


def flatten(step: Any) -> list[Any]:
    """All arrays of a step but those of games that ended."""
    observations, *arrays, infos = step
    return [
        *observations["observation"].values(),
        observations["action_mask"],
        *arrays,
        infos["agents"],
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_vector_environment_goes_on_from_copies_and_saved_states(form: dict[str, Any]) -> None:
    envs = VectorEnv(games=3, limit=40, **form)
    assert isinstance(envs, GymnasiumVectorEnv)
    seen, _ = envs.reset(seed=2)
    assert envs.observation_space.contains(seen)
    for _ in range(20):
        envs.step(envs.sample())
    saved, copied = envs.save_state(), copy.deepcopy(envs)
    pickled = pickle.loads(pickle.dumps(envs))
    steps = [envs.step(envs.sample()) for _ in range(25)]
    envs.restore_state(saved)
    for one in (copied, pickled, envs):
        for step in steps:
            again = one.step(one.sample())
            assert all(map(np.array_equal, flatten(step), flatten(again)))


def test_the_reward_of_a_vector_environment_is_that_of_who_acted() -> None:
    envs = VectorEnv("classic", games=2, rewards="score", seed=1)
    counted = 0
    for _ in range(60):
        agents = envs.batch.agents.copy()
        _, rewards, _, _, _ = envs.step(envs.sample())
        assert list(rewards) == [envs.batch.rewards[row, seat] for row, seat in enumerate(agents)]
        counted += int(rewards.any())
    assert counted


def test_gymnasium_counts_the_episodes_of_a_vector_environment() -> None:
    own = VectorEnv("classic", games=4, opponents=["random"], limit=30)
    envs: Any = RecordEpisodeStatistics(own)
    envs.reset(seed=1)
    ended = 0
    for _ in range(40):
        _, _, terminated, truncated, infos = envs.step(own.sample())
        if (over := terminated | truncated).any():
            ended += over.sum()
            assert list(infos["_final_obs"]) == list(over)
            last = infos["final_obs"][over][0]
            assert envs.single_observation_space.contains(last)
            assert last["observation"]["board"][planes.LAID].any()
            assert not last["action_mask"].any()
    assert ended
    assert envs.episode_count == ended


def test_a_vector_environment_takes_one_seed() -> None:
    with pytest.raises(BadInput):
        VectorEnv("classic", games=2).reset(seed=[1, 2])


# -- policies as bots ----------------------------------------------------------------------------


def choose_points(seen: zoo.Observation) -> int:
    """The laying of most points, else the last action."""
    legal = np.flatnonzero(seen["action_mask"])
    points = seen["observation"]["points"][legal]
    return int(legal[points.argmax()] if points.max() > 0 else legal[-1])


class Learned(PolicyBot):
    """Registered by a package."""

    games = ("classic", "auction")

    def __init__(self, game: AnyGame, seed: str) -> None:
        super().__init__(choose_points, points=True)
        self.sit_down(game, seed)


def test_a_policy_plays_in_comparisons_and_matches() -> None:
    result = compare(PolicyBot(choose_points, points=True), "random", games=6)
    assert result.wins.value == 1
    for game in list_environments():
        match = Match(game, [PolicyBot(choose_points, points=True), "medium"], seed="1")
        match.run()
        assert match.outcome is not None


@pytest.mark.parametrize("game", list_environments())
def test_a_policy_sees_what_an_agent_of_an_environment_sees(game: str) -> None:
    seen: list[zoo.Observation] = []

    def remember(given: zoo.Observation) -> int:
        seen.append(given)
        return int(np.flatnonzero(given["action_mask"])[0])

    env = zoo.raw_env(game, 3, points=True)
    env.reset(seed=5)
    bot = PolicyBot(remember, points=True)
    bot.sit_down(env.game, "0")
    for _ in range(12):
        seat = env.possible_agents.index(env.agent_selection)
        move = bot.choose(env.game.view(env.game_state, seat))
        expected = env.observe(env.agent_selection)
        assert np.array_equal(seen[-1]["action_mask"], expected["action_mask"])
        for name, values in expected["observation"].items():
            assert np.array_equal(seen[-1]["observation"][name], values), name
        env.step(next(number for number, one in env.legal_moves.items() if one == move))


def test_a_package_registers_a_policy() -> None:
    here = f"{__name__}:Learned"
    entry = try_bot(EntryPoint("learned", here, "dalapapa.bots"))
    game = find_game("classic")
    assert entry.plays(game)
    assert not entry.plays(find_game("gone"))
    state = game.start(2, {}, fill_bag(game.tiles(game.parse_options({})).names, "1")).state
    bot: InstalledBot[Any] = InstalledBot(entry, game, "1")
    for _ in range(12):
        seat = game.next_actors(state)[0]
        state = game.apply(state, bot.choose(game.view(state, seat))).state
    assert not bot.failures


def test_an_illegal_choice_of_a_policy_is_refused() -> None:
    match = Match("classic", [PolicyBot(lambda _: -1), "medium"], seed="1")
    with pytest.raises(IllegalMove) as refusal:
        match.run()
    assert refusal.value.code == "not_legal"


def test_a_policy_must_be_a_function() -> None:
    with pytest.raises(BadOptions):
        PolicyBot(3)  # type: ignore[arg-type]


def test_a_race_has_no_observations_for_a_policy() -> None:
    match = Match("puzzle", [PolicyBot(choose_points)], seed="1")
    with pytest.raises(BadOptions):
        match.run()


# -- games of other packages ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["three", "swapping"])
def test_a_game_of_a_package_has_an_environment(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installing(tmp_path / "installed", monkeypatch) as folder:
        put_example(folder, "three_dominoes")
        put_example(folder, "swapping")
        assert name in list_environments()
        check_environment(name)
        check_environment(list_games()[name])


def check_environment(game: str | AnyGame) -> None:
    """Random games, in which every legal move has an action."""
    env = zoo.raw_env(game, 2, rewards="score")
    name = env.game.name
    others = set(env.actions.spare)
    assert env.actions.slots == (3 if name == "three" else 2)
    play(env, 1)
    env.reset(seed=1)
    spare = 0
    for _ in range(30):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        view = env.game.view(env.game_state, env.possible_agents.index(env.agent_selection))
        assert len(legal) == len(view.legal)
        spare += bool(others & set(legal))
        env.step(legal[-1])
    assert bool(spare) == (name == "swapping")
    batch = BatchEnv(game, 2, games=2, seed=1)
    batch.step(batch.sample())


def test_the_example_learns_to_beat_easy(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(ROOT / "examples" / "learn_to_beat_easy.py"))["main"]
    assert main((0,), 20) < 0.2
    assert main((2560,), 100) > 0.5
    assert len(capsys.readouterr().out.splitlines()) == 4
