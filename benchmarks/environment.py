"""Steps a second of environments for learning programs, beside classic ones of PettingZoo.

A step is what a loop over agents does: look at what the agent sees, choose one of the legal
actions by chance, act. Environments take turns, several times, and each line has the median; what
is counted is processor time, because the machine may be busy with other things. OpenSpiel and pgx
have lines, too, if they are installed (`pip install open_spiel pgx`).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from dalapapa.adapters import zoo
from dalapapa.adapters.batch import BatchEnv
from dalapapa.adapters.registry import list_environments

from .report import Column, Effort, Row, Rows, Section, format_digits, format_factor

ROUNDS = 5
"""How often each environment has its turn."""

PEER = "PettingZoo's connect_four"
BATCH = 64
"""The games of a batch; classic also has smaller and larger ones."""


def play_game(env: Any) -> int:
    """Play a game by chance, in PettingZoo's loop; its steps."""
    env.reset(seed=1)
    steps = 0
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(seen["action_mask"]))
            steps += 1
    return steps


def take_steps(batch: BatchEnv) -> int:
    """Step all games of a batch a few times."""
    for _ in range(10):
        batch.step(batch.sample())
    return 10 * batch.num_envs


def list_workloads() -> dict[str, Callable[[], int]]:
    """A function that takes a few steps of each, and returns their number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of others' packages.
        from pettingzoo.classic import chess_v6, connect_four_v3, go_v5

    peers = {PEER: connect_four_v3.env(), "PettingZoo's go": go_v5.env()}
    peers["PettingZoo's chess"] = chess_v6.env()
    own = {f"{game}: one": zoo.env(game, 2) for game in list_environments()}
    found = {name: _playing(env) for name, env in {**peers, **own}.items()}
    for game in list_environments():
        for games in (16, BATCH, 256) if game == "classic" else (BATCH,):
            batch = BatchEnv(game, 2, games=games, seed=1)
            found[f"{game}: a batch of {games}"] = _stepping(batch)
    if find_spec("pyspiel"):
        found["OpenSpiel's connect_four"] = play_open_spiel
    if find_spec("pgx"):
        found[f"pgx's connect_four: a batch of {BATCH}"] = make_pgx()
    return found


def play_open_spiel() -> int:
    """Play a game by chance, in OpenSpiel's loop; its steps."""
    import pyspiel

    state, chance, steps = pyspiel.load_game("connect_four").new_initial_state(), CHANCE, 0
    while not state.is_terminal():
        state.observation_tensor()
        state.apply_action(int(chance.choice(state.legal_actions())))
        steps += 1
    return steps


def make_pgx() -> Callable[[], int]:
    """A function that takes ten steps of a batch of pgx, compiled by JAX for this processor."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    start, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    key = jax.random.PRNGKey(1)
    state = start(jax.random.split(key, BATCH))

    def sample(key: Any, legal: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.where(legal, 0.0, -1e9))

    choose = jax.jit(sample)

    def take() -> int:
        nonlocal key, state
        for _ in range(10):
            key, one, two = jax.random.split(key, 3)
            actions = choose(one, state.legal_action_mask)
            state = step(state, actions, jax.random.split(two, BATCH))
        state.observation.block_until_ready()
        return 10 * BATCH

    return take


CHANCE = np.random.default_rng(1)


def _playing(env: Any) -> Callable[[], int]:
    return lambda: play_game(env)


def _stepping(batch: BatchEnv) -> Callable[[], int]:
    return lambda: take_steps(batch)


def rate(work: Callable[[], int], seconds: float) -> float:
    """Steps in a second of processor time, over about so many."""
    steps, started = 0, time.process_time()
    while True:
        steps += work()
        spent = time.process_time() - started
        if spent >= seconds:
            return steps / spent


def measure(effort: Effort) -> Rows:
    works = list_workloads()
    found: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()  # The first time pays for what is kept.
    for _ in range(ROUNDS):
        for name, work in works.items():
            found[name].append(rate(work, effort.seconds / ROUNDS))
    peer = median(found[PEER])
    return {
        name: {"steps a second": median(rates), "against peer": median(rates) / peer}
        for name, rates in found.items()
    }


def _steps(row: Row) -> str:
    return format_digits(row["steps a second"])


MAIN = Column("steps a second", _steps)
SECTION = Section(
    "Environments of two players: observe, choose by chance, act",
    (MAIN, Column("to connect_four", lambda row: format_factor(row["against peer"]))),
    MAIN,
    measure,
)
