"""The PettingZoo environment: its own tests, and what an observation shows and hides."""

from __future__ import annotations

import runpy
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from dalapapa.adapters import observations, zoo
from dalapapa.adapters.actions import Window, find_cell
from dalapapa.adapters.registry import list_environments
from dalapapa.core.errors import BadOptions, IllegalMove
from dalapapa.core.tiles import COLOURS
from dalapapa.games.events import Outcome
from dalapapa.games.moves import Lay
from dalapapa.kernel import planes
from tests.support.paths import ROOT
from tests.support.thoroughness import daily

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # With pygame, these tests load games that PettingZoo moved.
    from pettingzoo.test import api_test, render_test, seed_test

PAGE = (ROOT / "docs" / "environments" / "index.md").read_text()
TABLES = [(game, players) for game in list_environments() for players in (2, 3, 4)] + [("gone", 6)]

NOT_MEANT = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)
"""PettingZoo warns of dictionaries, and of masks of agents for whom the game is over."""


def raw(*words: Any, **options: Any) -> Any:
    """The environment without guards, to look inside."""
    return zoo.raw_env(*words, **options)


def played(env: Any, games: int = 1, seed: int = 0) -> Iterator[str]:
    """Random games, stopping before every action."""
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    for number in range(games):
        env.reset(seed=seed + number)
        for agent in env.agent_iter():
            yield agent
            seen, _, terminated, truncated, _ = env.last()
            mask = seen["action_mask"]
            env.step(None if terminated or truncated else env.action_space(agent).sample(mask))


# -- PettingZoo's own tests ------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), daily(TABLES, TABLES[::2]))
def test_pettingzoo_accepts_it(game: str, players: int, uncounted: None) -> None:
    with warnings.catch_warnings():
        for words in NOT_MEANT:
            warnings.filterwarnings("ignore", words)
        api_test(zoo.env(game, players), num_cycles=60)
    seed_test(partial(zoo.env, game, players), num_cycles=40)
    render_test(partial(zoo.env, game, players))


# -- seeds, rewards, ends --------------------------------------------------------------------


def test_a_seed_gives_the_same_games_one_after_the_other() -> None:
    def hands(env: Any) -> Any:
        return env.unwrapped.game_state.hands

    one, two = zoo.env(), zoo.env()
    one.reset(seed=7)
    two.reset(seed=7)
    first = hands(one)
    assert first == hands(two)
    one.reset()
    two.reset()
    assert hands(one) == hands(two) != first


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(("game", "players"), TABLES[::2])
def test_rewards_by_victory_and_by_score_are_zero_sum(game: str, players: int) -> None:
    for rewards in ("win", "score"):
        env = raw(game, players, rewards=rewards)
        env.reset(seed=3)
        start = env.standing()
        sums = np.zeros(players)
        for _ in played(env, seed=3):
            if env.rewards and len(env.agents) == players and env.move_count:
                assert sum(env.rewards.values()) == pytest.approx(0)
            sums += [env.rewards.get(agent, 0) for agent in env.possible_agents]
            env.rewards = dict.fromkeys(env.agents, 0.0)
        outcome: Outcome = env.game_state.outcome
        if rewards == "win":
            assert sums.argmax() in outcome.winners
            assert sums.max() == pytest.approx(1) or len(outcome.winners) > 1
        else:
            gained = np.array(outcome.scores) - start
            others = (gained.sum() - gained) / (players - 1)
            assert sums == pytest.approx(gained - others)


def test_a_shared_victory_is_worth_less() -> None:
    env = raw("classic", 4)
    env.reset(seed=0)
    env.game_state = replace(env.game_state, outcome=Outcome((9, 9, 1, 1), (0, 1), "target"))
    rewards = env._share([0] * 4)
    assert rewards == pytest.approx([1 / 3, 1 / 3, -1 / 3, -1 / 3])


def test_a_game_is_truncated_at_its_limit() -> None:
    env = zoo.env(limit=5)
    assert sum(1 for _ in played(env)) == 5 + 2  # And a last look for each.
    env.reset()
    for _ in range(5):
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert not any(env.terminations.values())


def test_an_illegal_action_is_refused_or_ends_the_game() -> None:
    bare = raw()
    bare.reset(seed=0)
    end = bare.actions.numbers["end"]
    for action in (end, None, 10**9):
        with pytest.raises(IllegalMove) as refusal:
            bare.step(action)
        assert refusal.value.code == "not_legal"
    guarded = zoo.env()
    guarded.reset(seed=0)
    loser = guarded.agent_selection
    guarded.step(end)
    assert guarded.terminations[loser]
    assert guarded.rewards[loser] == -1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"game": "alex"}, "no_turns"),
        ({"game": "chess"}, "no_turns"),
        ({"players": 5}, "bad_players"),
        ({"options": {"target": 1}}, "bad_target"),
        ({"options": {"first": 3}}, "bad_first"),
        ({"rewards": "money"}, "bad_rewards"),
        ({"window": 1}, "bad_window"),
        ({"window": "24"}, "bad_window"),
        ({"limit": 2.5}, "bad_window"),
        ({"limit": 0}, "bad_window"),
        ({"render_mode": "smell"}, "bad_render_mode"),
    ],
)
def test_impossible_settings_are_refused_immediately(words: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions) as refusal:
        zoo.env(**words)
    assert refusal.value.code == code


# -- actions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list_environments())
def test_every_legal_move_has_a_number_of_its_own(game: str) -> None:
    env = raw(game, 3, window=64)
    for agent in played(env):
        if env.terminations[agent]:
            break
        seat = env.possible_agents.index(agent)
        legal = env.game.legal_moves(env.game.view(env.game_state, seat))
        assert list(env.legal_moves.values()) == legal or game == "gone"
        assert all(move in legal for move in env.legal_moves.values())
        mask = env.observe(agent)["action_mask"]
        assert sorted(env.legal_moves) == list(np.flatnonzero(mask))
        other = env.possible_agents[seat - 1]
        assert not env.observe(other)["action_mask"].any()


def test_numbers_mean_what_the_page_says() -> None:
    env = raw("conquest", 2, window=32)
    kinds = set()
    for agent in played(env):
        if env.terminations[agent]:
            break
        window = Window(env.game_state.table, 32)
        for number, move in env.legal_moves.items():
            plane, row, column = np.unravel_index(number, (19, 32, 32))
            kinds.add(move.__struct_config__.tag)
            match move.__struct_config__.tag:
                case "lay":
                    laying = move.laying
                    hand = env.game_state.hands[move.player]
                    assert hand[plane // 8] == laying.tile
                    assert plane % 8 == 4 * (laying.side == "-") + laying.rotation
                    assert (laying.x, laying.y) == (column + window.left, row + window.top)
                case "mark":
                    cell = (column + window.left, row + window.top)
                    assert find_cell(move.disc) == (cell, plane - 16)
                case other:
                    assert number == env.actions.numbers[other]
    assert kinds >= {"lay", "mark", "end"}


@pytest.mark.parametrize("game", list_environments())
def test_a_layout_that_leaves_the_window_never_stops_a_game(game: str) -> None:
    env = raw(game, 2, window=4)
    chosen = set()
    for agent in played(env, games=2):
        if not env.terminations[agent]:
            assert env.legal_moves
            chosen |= set(env.legal_moves)
    assert env.game_state.outcome is not None
    assert env.actions.numbers["elsewhere"] in chosen


def test_only_the_oldest_eight_dominoes_of_a_hand_are_played() -> None:
    env = raw("gone", 2)
    env.reset(seed=0)
    state = env.game_state
    more, bag = state.bag.draw(6)
    hand = state.hands[0] + more
    env.game_state = replace(state, hands=(hand, state.hands[1]), bag=bag)
    env._ask()
    assert {move.laying.tile for move in env.legal_moves.values()} <= set(hand[:8])
    assert env.observation_space("player_0").contains(env.observe("player_0"))


def test_points_are_those_of_the_table() -> None:
    env = raw("classic", 2, points=True)
    charged = 0
    for agent in played(env):
        points = env.observe(agent)["observation"]["points"]
        for number, move in ({} if env.terminations[agent] else env.legal_moves).items():
            if isinstance(move, Lay):
                charge = 4 if env.game_state.turn else 0
                charged += charge
                assert points[number] == env.game_state.table.earned(move.laying).points - charge
        assert not points[env.observe(agent)["action_mask"] == 0].any()
    assert charged


# -- observations ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", list_environments())
def test_nothing_hidden_is_observed(game: str) -> None:
    """Other hands and the bag are exchanged: nothing that the agent sees changes."""
    env = raw(game, 3, points=True)
    looked = 0
    for number, agent in enumerate(played(env)):
        state = env.game_state
        if state.outcome is not None or number % 7:
            continue
        seat = env.possible_agents.index(agent)
        seen = env.observe(agent)
        hidden = [n for s, hand in enumerate(state.hands) if s != seat for n in hand]
        hidden += state.bag.names
        hidden.reverse()
        hands = []
        for owner, hand in enumerate(state.hands):
            hands.append(hand if owner == seat else tuple(hidden.pop() for _ in hand))
        bag = replace(state.bag, names=tuple(hidden), seed="another")
        env.game_state = replace(state, hands=tuple(hands[:]), bag=bag)
        other = env.observe(agent)
        env.game_state = state
        for name, array in seen["observation"].items():
            assert np.array_equal(array, other["observation"][name]), name
        assert np.array_equal(seen["action_mask"], other["action_mask"])
        looked += 1
    assert looked > 3


@pytest.mark.parametrize("game", list_environments())
def test_the_board_shows_what_lies_there(game: str) -> None:
    env = raw(game, 2, window=64)
    for number, agent in enumerate(played(env)):
        if number % 20:
            continue
        table = env.game_state.table
        board = env.observe(agent)["observation"]["board"]
        laid = board[planes.LAID].astype(bool)
        assert laid.sum() == 2 * len(table)
        sides = board[planes.SIDES : planes.SIDES + 16].reshape(4, 4, 64, 64)
        assert np.array_equal(sides.sum(axis=1), np.broadcast_to(laid, (4, 64, 64)))
        # Where two cells meet, the colour is one: a contact, or the centre of a domino.
        east, west = sides[1][..., :-1], sides[3][..., 1:]
        south, north = sides[2][:, :-1], sides[0][:, 1:]
        assert (east == west)[:, laid[:, :-1] & laid[:, 1:]].all()
        assert (south == north)[:, laid[:-1] & laid[1:]].all()
        groups = table.groups()
        discs = board[planes.GROUP : planes.GROUP + 2]
        closed = board[planes.CLOSED : planes.CLOSED + 2]
        assert (discs > 0).sum() == sum(group.size for group in groups)
        assert closed.sum() == sum(group.size for group in groups if group.closed)
        for group in groups:
            (x, y), side = find_cell(group.discs[0])
            window = Window(table, 64)
            place = y - window.top, x - window.left
            assert discs[side][place] == group.size
            colour = COLOURS.index(group.colour)
            assert sides[1 + side][colour][place] == 1


def test_marks_are_seen_from_the_own_seat() -> None:
    env = raw("conquest", 2)
    for _ in played(env):
        if {mark.player for mark in env.game_state.marks} == {0, 1}:
            break
    table, window = env.game_state.table, Window(env.game_state.table, 24)
    for viewer, agent in enumerate(env.possible_agents):
        marks = env.observe(agent)["observation"]["board"][planes.MARKED :]
        assert set(np.unique(marks)) == {0, 1, 2}
        for mark in env.game_state.marks:
            (group,) = [group for group in table.groups() if mark.disc in group.discs]
            for disc in group.discs:
                cell, side = find_cell(disc)
                assert marks[side][window.place(cell)] == (1 if mark.player == viewer else 2)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_facts_have_the_names_of_the_page(game: str, players: int) -> None:
    env = raw(game, players)
    env.reset(seed=1)
    agent = env.agent_selection
    facts = dict(zip(env.fact_names, env.observe(agent)["observation"]["facts"], strict=True))
    assert facts["active_0"] == 1
    assert facts["laid"] == len(env.game_state.table)
    assert facts["bag"] == len(env.game_state.bag)
    for name in env.fact_names:
        assert f"`{name.rstrip('0123456789').rstrip('_')}`" in PAGE


def test_a_hand_is_its_faces() -> None:
    env = raw("72", 2)
    env.reset(seed=1)
    seat = env.possible_agents.index(env.agent_selection)
    seen = env.observe(env.agent_selection)["observation"]
    faces = seen["hand"].reshape(3, 2, 7, 4).argmax(axis=3)
    for slot, name in enumerate(env.game_state.hands[seat]):
        tile = env.tiles[name]
        for side, face in enumerate((tile.recto, tile.verso)):
            assert "".join(COLOURS[colour] for colour in faces[slot, side]) == face
    assert seen["unseen"].sum() == 72 - 3


def test_a_large_number_is_cut() -> None:
    env = raw("auction", 2)
    env.reset(seed=0)
    env.game_state = replace(env.game_state, scores=(10**6, -(10**6)))
    facts = env.observe("player_0")["observation"]["facts"]
    assert facts.max() == observations.BIGGEST
    assert facts.min() == -observations.BIGGEST


# -- pictures, page, example -----------------------------------------------------------------


def test_it_is_drawn_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    drawn, ansi, shown = (raw("gone", render_mode=m) for m in ("rgb_array", "ansi", "human"))
    for env in (drawn, ansi, shown):
        env.reset(seed=5)
    before = drawn.render()
    assert before.shape == (512, 512, 3)
    for env in (drawn, ansi, shown):
        env.step(next(iter(env.legal_moves)))
    assert not np.array_equal(before, drawn.render())
    layings = " ".join(map(str, ansi.game_state.table.layings))
    assert layings in ansi.render()
    assert capsys.readouterr().out == ansi.render()
    assert raw().render() is None
    drawn.close()


def test_the_page_describes_every_number() -> None:
    for game in list_environments():
        env = raw(game)
        names = ", ".join(f"`{name}`" for name in env.actions.numbers if not name.startswith("bid"))
        assert f"| {game} | {env.actions.slots} | {env.actions.planes} | {env.actions.count} |" in (
            PAGE.replace(",", "")
        ), game
        for name in names.split(", "):
            assert name in PAGE


def test_the_example_learns_and_stands_on_the_page(
    capsys: pytest.CaptureFixture[str], uncounted: None
) -> None:
    path = ROOT / "examples" / "train.py"
    assert path.read_text() in PAGE
    _, *code = [line for line in path.read_text().splitlines() if line]
    assert len(code) == 20
    after = runpy.run_path(str(path))
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 12
    assert after["weights"][0] > 2
    assert after["lead"] > 40
