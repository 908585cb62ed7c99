"""A learning loop: finds out by trying that points are worth having (it needs the extra `rl`)."""

import numpy as np

from dalapapa.adapters import zoo

env, rng, weight = zoo.env("classic", points=True), np.random.default_rng(1), 0.0
for number in range(20):
    env.reset(seed=number)
    for _ in env.agent_iter():
        seen = env.last()[0]
        legal = np.flatnonzero(seen["action_mask"])  # Nothing, once the game is over.
        points = seen["observation"]["points"][legal].astype(float)
        odds = np.exp(points * weight) / max(np.exp(points * weight).sum(), 1e-9)
        env.step(action := rng.choice(legal, p=odds) if legal.size else None)
        earned = points[legal == action].sum()
        weight += 0.002 * earned * (earned - odds @ points)
    print(f"game {number}: a point more makes a laying {np.exp(weight):.2f} times as likely")
