"""Many games at once as a vector environment of Gymnasium, for libraries that learn with those.

    from dalapapa.adapters.vector import VectorEnv

    envs = VectorEnv("classic", games=64, opponents=["easy"])
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Each step is one action in each game, and its reward is that of the agent who made it. With one
agent and opponents, this is an environment like any other. Without opponents, the agents of a game
take turns (`infos["agents"]`): the policy plays against itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..bots.arena import Seat
from ..core.errors import BadInput
from ..games import DEFAULT
from ..games.game import AnyGame
from .batch import BatchEnv, SavedBatch
from .zoo import Observation

Info = dict[str, Any]


class VectorEnv(GymnasiumVectorEnv[Observation, NDArray[np.int32], NDArray[Any]]):
    """A batch of games. It can be copied and pickled, and goes on from saved states."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str | AnyGame = DEFAULT,
        players: int = 2,
        *,
        games: int = 64,
        opponents: Sequence[Seat] = (),
        seed: int | None = None,
        **options: Any,
    ) -> None:
        """The arguments are those of `BatchEnv`."""
        self.batch: BatchEnv = BatchEnv(
            game, players, games=games, opponents=opponents, seed=seed, keep_last=True, **options
        )
        self.num_envs = games
        observation = spaces.Dict(
            {
                "observation": self.batch.single_observation_space,
                "action_mask": spaces.Box(0, 1, (self.batch.actions.count,), np.int8),
            }
        )
        self.single_observation_space: spaces.Space[Any] = observation
        self.single_action_space: spaces.Space[Any] = self.batch.single_action_space
        self.observation_space: spaces.Space[Any] = batch_space(observation, games)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, games)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, Info]:
        """A new game in every row: with a seed, those that follow from it."""
        if isinstance(seed, list):
            raise BadInput(
                "The seed of a batch must be one number: row i has seed + i.", "bad_seed"
            )
        self.batch.reset(seed)
        return self._observe(), self._info()

    def step(
        self, actions: NDArray[np.int32]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """Make a move in each game. One that ends restarts at once."""
        batch = self.batch
        agents = batch.agents.copy()
        batch.step(actions)
        info = self._info()
        if batch.last:
            info["final_obs"] = np.full(self.num_envs, None, dtype=object)
            info["_final_obs"] = batch.ended.copy()
            info["scores"] = batch.scores.copy()
            for row, seen in batch.last.items():
                info["final_obs"][row] = seen
        rewards = batch.rewards[np.arange(self.num_envs), agents].copy()
        return self._observe(), rewards, batch.terminated.copy(), batch.truncated.copy(), info

    def sample(self) -> NDArray[np.int32]:
        """A random legal action for each game."""
        return self.batch.sample()

    def save_state(self) -> SavedBatch:
        """Save this moment, for `restore_state`."""
        return self.batch.save_state()

    def restore_state(self, saved: SavedBatch) -> None:
        """Return to a saved moment of this environment, or of one that was made like it."""
        self.batch.restore_state(saved)

    def _observe(self) -> Observation:
        """Copies, which the next step does not overwrite."""
        seen = {name: array.copy() for name, array in self.batch.observations.items()}
        return {"observation": seen, "action_mask": self.batch.masks.copy()}

    def _info(self) -> Info:
        return {"agents": self.batch.agents.copy()}
