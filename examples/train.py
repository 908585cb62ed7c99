"""Learns the classic game by playing against a random player: REINFORCE, two weights."""

import numpy as np

from dalapapa.adapters import zoo

env = zoo.env("classic", players=2, rewards="score", points=True)
chance, weights = np.random.default_rng(1), np.zeros(2)
for number in range(12):
    env.reset(seed=number)
    trace, lead = np.zeros(2), 0.0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        legal = np.flatnonzero(seen["action_mask"])  # Nothing, once the game is over.
        points = seen["observation"]["points"][legal]
        features = np.stack([points / 4, points < 0], axis=1)
        odds = np.exp(features @ weights * (agent == "player_0"))
        odds /= max(odds.sum(), 1e-9)
        action = None if terminated or truncated else chance.choice(legal, p=odds)
        if agent == "player_0":
            lead, weights = lead + reward, weights + 0.01 * reward * trace
            trace = 0.5 * trace + features[legal == action].sum(0) - odds @ features
        env.step(action)
    print(f"game {number}: {lead:+.0f} points ahead, weights {weights.round(2)}")
