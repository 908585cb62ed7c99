"""Learns the classic game by playing against itself, until it beats the level `easy`.

The policy scores each legal action by six numbers about it and prefers high scores. It learns by
REINFORCE: the reward is the change of the own lead. It needs the extra `rl`; the games against
`easy` take most of the time.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalapapa import compare
from dalapapa.adapters.batch import BatchEnv
from dalapapa.adapters.policy import PolicyBot
from dalapapa.adapters.zoo import WINDOW, Observation

AREA = WINDOW * WINDOW
END = 16 * AREA
"""The number of the action `end`, after the planes of two dominoes."""
GAMES, STEP_SIZE, MEMORY = 64, 0.03, 0.6
"""Games at once, the size of a step of learning, and how long an action is responsible."""


def describe(
    points: NDArray[np.int16], legal: NDArray[np.integer[Any]], board: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Six numbers about each legal action, of one game or of many."""
    earned = np.take_along_axis(points, legal, axis=-1).astype(float)
    lays = legal < END
    open_groups = (board[..., 18:20, :, :] * (1 - board[..., 20:22, :, :])).sum(axis=-3)
    steps = (-1, 0, 1)
    moved = [np.roll(open_groups, (y, x), (-2, -1)) for y in steps for x in steps]
    near: NDArray[np.int64] = np.sum(moved, axis=0)
    around = np.take_along_axis(near.reshape(*near.shape[:-2], AREA), legal % AREA, axis=-1) * lays
    parts = [earned / 4, earned < 0, earned >= 4, earned >= 8, ~lays, around / 10]
    return np.stack(parts, axis=-1).astype(np.float64)


class Policy:
    """Chooses the action of the highest score."""

    def __init__(self, weights: NDArray[np.float64]) -> None:
        self.weights = weights

    def __call__(self, seen: Observation) -> int:
        shown, legal = seen["observation"], np.flatnonzero(seen["action_mask"])
        scores = describe(shown["points"], legal, shown["board"]) @ self.weights
        return int(legal[scores.argmax()])


class Learner:
    """Plays against itself in many games, and changes its weights after each action."""

    def __init__(self, seed: int = 1) -> None:
        self.env = BatchEnv("classic", games=GAMES, seed=seed, rewards="score", points=True)
        self.chance = np.random.default_rng(seed)
        self.weights = np.zeros(6)
        self.traces = np.zeros((GAMES, 2, 6))  # Of each game and player.

    def learn(self, actions: int) -> None:
        """Play so many actions."""
        env, games, seats = self.env, np.arange(GAMES), np.arange(2)
        for _ in range(actions // GAMES):
            legal = env.legal[:, : env.legal_counts.max()]
            numbers = describe(env.observations["points"], legal, env.observations["board"])
            scores = numbers @ self.weights
            scores[np.arange(legal.shape[1]) >= env.legal_counts[:, None]] = -np.inf
            odds = np.exp(scores - scores.max(axis=1, keepdims=True))
            odds /= odds.sum(axis=1, keepdims=True)
            chosen = (odds.cumsum(axis=1) > self.chance.random((GAMES, 1))).argmax(axis=1)
            surprise = numbers[games, chosen] - (odds[:, :, None] * numbers).sum(axis=1)
            self.traces *= np.where(env.agents[:, None] == seats, MEMORY, 1)[:, :, None]
            self.traces[games, env.agents] += surprise
            env.step(legal[games, chosen])
            self.weights += STEP_SIZE * (env.rewards[:, :, None] * self.traces).mean(axis=(0, 1))
            self.traces[env.ended] = 0


PLAN = (0, 64, 128, 256, 640, 2560, 10240, 102400, 409600)
"""The actions after which the policy plays against `easy`."""


def main(plan: tuple[int, ...] = PLAN, games: int = 400) -> float:
    """Print the learning curve, and return the share of games that the last policy wins."""
    learner, played, seconds, share = Learner(), 0, 0.0, 0.0
    print("actions | seconds | wins against easy | 95% interval | lead")
    for actions in plan:
        started = time.monotonic()
        learner.learn(actions - played)
        played, seconds = actions, seconds + time.monotonic() - started
        bot = PolicyBot(Policy(learner.weights.copy()), points=True)
        found = compare(bot, "easy", games=games, seed="curve")
        share, wins, lead = found.wins.value, found.wins, found.lead.value
        interval = f"{wins.low:.1%} to {wins.high:.1%}"
        print(f"{actions:,} | {seconds:.1f} | {share:.1%} | {interval} | {lead:+.1f}", flush=True)
    return share


if __name__ == "__main__":
    main()
