"""Learns the same from 64 games at once, in which it plays against itself."""

import numpy as np

from dalapapa.adapters.batch import BatchEnv

env = BatchEnv("classic", players=2, games=64, seed=1, rewards="score", points=True)
chance, weights, games = np.random.default_rng(1), np.zeros(2), np.arange(64)
traces = np.zeros((64, 2, 2))  # Of each game and seat.
for number in range(1, 201):
    legal = env.legal[:, : env.legal_counts.max()]
    points = np.take_along_axis(env.observations["points"], legal, axis=1)
    features = np.stack([points / 4, points < 0], axis=2)
    odds = np.exp(features @ weights) * (np.arange(len(legal[0])) < env.legal_counts[:, None])
    odds /= odds.sum(axis=1, keepdims=True)
    chosen = (odds.cumsum(axis=1) > chance.random((64, 1))).argmax(axis=1)
    surprise = features[games, chosen] - (odds[:, :, None] * features).sum(axis=1)
    traces[games, env.agents] = 0.5 * traces[games, env.agents] + surprise
    env.step(legal[games, chosen])
    weights += 0.1 * (env.rewards[:, :, None] * traces).mean(axis=(0, 1))
    traces[env.ended] = 0
    if number % 50 == 0:
        print(f"step {number}: weights {weights.round(2)}")
