"""Learns the classic game by playing against itself, until it beats the level `easy`.

    python examples/learn_to_beat_easy.py [SECONDS]

The policy is linear: it scores each legal action by a few numbers about it, and prefers high
scores. REINFORCE with the change of the own lead as reward, 64 games at once (needs `rl`).
"""

import time

import numpy as np
from numpy.typing import NDArray

from dalapapa import compare
from dalapapa.adapters.batch import BatchEnv
from dalapapa.adapters.policy import PolicyBot
from dalapapa.adapters.zoo import Observation

WINDOW = 24
END = 16 * WINDOW * WINDOW
"""The number of the action `end`, after the planes of two dominoes."""
GAMES, STEP_SIZE, MEMORY = 64, 0.03, 0.6
"""Games at once, the size of a step of learning, and how long an action is responsible."""


def describe(
    points: NDArray[np.int16], legal: NDArray[np.int32], board: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Six numbers about each legal action, of one game or of many."""
    earned = np.take_along_axis(points, legal, axis=-1).astype(float)
    lays = legal < END
    place = np.where(lays, legal % (WINDOW * WINDOW), 0)
    sizes = board[..., 18:20, :, :] * (1 - board[..., 20:22, :, :])  # Of open groups.
    near = sum(
        np.roll(sizes, (down, right), (-2, -1)) for down in (-1, 0, 1) for right in (-1, 0, 1)
    )
    flat = near.sum(axis=-3).reshape(*near.shape[:-3], -1)
    threat = np.take_along_axis(flat, place, axis=-1) * lays
    return np.stack([earned / 4, earned < 0, earned >= 4, earned >= 8, ~lays, threat / 10], axis=-1)


class Policy:
    """Chooses the best action for the weights; the same in any process."""

    def __init__(self, weights: NDArray[np.float64]) -> None:
        self.weights = weights

    def __call__(self, seen: Observation) -> int:
        shown, legal = seen["observation"], np.flatnonzero(seen["action_mask"])
        scores = describe(shown["points"], legal, shown["board"]) @ self.weights
        return int(legal[scores.argmax()])


def learn(seconds: float) -> NDArray[np.float64]:
    """Play against itself for a while; the mean weights of the second half are returned."""
    env = BatchEnv("classic", games=GAMES, seed=1, rewards="score", points=True)
    chance, games = np.random.default_rng(1), np.arange(GAMES)
    weights = np.zeros(6)
    traces = np.zeros((GAMES, 2, 6))
    started, steps, total, counted = time.monotonic(), 0, np.zeros(6), 0
    while (spent := time.monotonic() - started) < seconds:
        legal = env.legal[:, : env.legal_counts.max()]
        numbers = describe(env.observations["points"], legal, env.observations["board"])
        scores = numbers @ weights
        scores[np.arange(legal.shape[1]) >= env.legal_counts[:, None]] = -np.inf
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        chosen = (odds.cumsum(axis=1) > chance.random((GAMES, 1))).argmax(axis=1)
        surprise = numbers[games, chosen] - (odds[:, :, None] * numbers).sum(axis=1)
        traces *= MEMORY ** (env.agents[:, None] == np.arange(2))[:, :, None]
        traces[games, env.agents] += surprise
        env.step(legal[games, chosen])
        weights += STEP_SIZE * (env.rewards[:, :, None] * traces).mean(axis=(0, 1))
        traces[env.ended] = 0
        steps += GAMES
        if spent > seconds / 2:
            total, counted = total + weights, counted + 1
    print(f"{steps} actions in {seconds:.0f} s: weights {weights.round(2)}", flush=True)
    return total / counted


if __name__ == "__main__":
    for seconds in (1, 3, 10, 30, 100):
        result = compare(PolicyBot(Policy(learn(seconds)), points=True), "easy", games=400)
        print(f"  {result.wins.value:.1%} of games against easy", result.lead, flush=True)
