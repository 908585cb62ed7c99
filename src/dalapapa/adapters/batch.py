"""Many games at once, for learning programs: numbers in, arrays out, a row for each game.

    from dalapapa.adapters.batch import BatchEnv

    env = BatchEnv("classic", players=2, games=256, seed=1)
    env.reset()
    for _ in range(1000):
        env.step(env.sample())
        learn(env.observations, env.masks, env.agents, env.rewards, env.ended)

Each row shows its game to the agent that is to act there. `docs/environments/index.md` explains the
numbers; they are those of `zoo`, and game *i* of a batch plays what an environment of `zoo` plays
with the seed `seed + i`. Needs the extra `rl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from ..bots.arena import Seat
from ..core.errors import BadInput, BadOptions, IllegalMove
from ..games import DEFAULT
from ..games.game import AnyGame
from ..kernel.episode import Episode, act_all, first_illegal
from .actions import Actions
from .observations import Arrays
from .series import GameSeries, SavedState
from .zoo import LIMIT, WINDOW, Observation, Rewards, raw_env

Info = dict[str, NDArray[Any]]

SAVED = (
    "legal_counts", "agents", "terminated", "truncated", "ended", "scores", "last",
    "_past", "_seeds", "_series", "_chance",
)  # fmt: skip
"""The attributes of a batch that change during its games, besides the arrays."""


class SavedBatch(NamedTuple):
    """A moment of a batch, which another one of the same form can go on from."""

    form: tuple[Any, ...]
    values: dict[str, Any]
    arrays: list[NDArray[Any]]
    games: list[SavedState]


class BatchEnv:
    """Plays `games` games, in each of which one agent acts at every step.

    Each step overwrites all arrays: copy what you keep.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": "SameStep"}
    """As Gymnasium calls it: a game that ends restarts at once."""

    def __init__(
        self,
        game: str | AnyGame = DEFAULT,
        players: int = 2,
        *,
        games: int = 256,
        opponents: Sequence[Seat] = (),
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        rewards: Rewards = "win",
        points: bool = False,
        window: int = WINDOW,
        limit: int = LIMIT,
        keep_last: bool = False,
    ) -> None:
        """As `zoo.env`; `seed` is that of the first game, and the others follow.

        With `keep_last`, `last` has what the agents saw at the end of a game.
        """
        if type(games) is not int or games < 1:
            raise BadOptions("The number of games must be at least 1.", "bad_games")
        make_env = partial(
            raw_env, game, players, opponents=opponents, options=options,
            rewards=rewards, points=points, window=window, limit=limit,
        )  # fmt: skip
        one = make_env()
        self.num_envs = games
        self.players = players
        self.actions: Actions[Any, Any] = one.actions
        self.fact_names: tuple[str, ...] = one.fact_names
        seen = one.observation_space("player_0")
        self.single_observation_space: spaces.Space[Any] = seen["observation"]
        self.single_action_space: spaces.Discrete = one.action_space("player_0")
        self._arrays = Arrays(one.actions, one.tiles, players, games, points)
        self.observations: dict[str, NDArray[Any]] = self._arrays.list_arrays()
        """`board`, `hand`, `unseen`, `facts` and, if asked for, `points`."""
        self.masks: NDArray[np.int8] = self._arrays.mask
        """Which actions are legal."""
        self.legal: NDArray[np.int32] = self._arrays.legal
        """The legal actions as a list in each row; `legal_counts` is its length."""
        self.legal_counts: NDArray[np.int32] = np.zeros(games, np.int32)
        self.agents: NDArray[np.int8] = np.zeros(games, np.int8)
        """The seats that are to act."""
        self.rewards: NDArray[np.float64] = self._arrays.rewards
        """The rewards of the last step, for each seat."""
        self.terminated: NDArray[np.bool_] = np.zeros(games, np.bool_)
        self.truncated: NDArray[np.bool_] = np.zeros(games, np.bool_)
        self.ended: NDArray[np.bool_] = np.zeros(games, np.bool_)
        """Whether the last step ended a game in either way. The row shows the next one."""
        self.scores: NDArray[np.int32] = np.zeros((games, players), np.int32)
        """The scores of the last game that ended in each row."""
        self.last: dict[int, Observation] = {}
        """With `keep_last`: by row, the end of each game that ended in the last step."""
        self._keep_last = keep_last
        self._one = one
        self._episodes = self._make_episodes()
        self._past: list[list[int]] = [[] for _ in self._episodes]
        """The actions of each running game in the kernel, from which a copy makes it again."""
        self._seeds = [""] * len(self._episodes)
        """Their seeds."""
        self._others = [] if self._episodes else [make_env() for _ in range(games)]
        self._series = [GameSeries(one.tiles) for _ in range(games)]
        self._rows = np.arange(games)
        self._chance = np.random.default_rng(seed)
        self.reset(seed)

    def _make_episodes(self) -> list[Episode]:
        """The games in the kernel; none if it does not know the game, or if bots play along."""
        if self._one.opponents:
            return []
        rows = range(self.num_envs)
        made = [self._one.make_episode(self._arrays.rows(row)) for row in rows]
        return [episode for episode in made if episode is not None]

    def __getstate__(self) -> dict[str, Any]:
        """The state for pickles and copies, which play on as this batch would."""
        return {name: value for name, value in vars(self).items() if name != "_episodes"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._episodes = self._make_episodes()
        self._repeat()

    def _repeat(self) -> None:
        """Play the moves of the running games again in the kernel; the arrays stay."""
        shown = [array.copy() for array in self._arrays.list_all()]
        for row, episode in enumerate(self._episodes):
            episode.begin(self._series[row].order(self._seeds[row]), self._seeds[row])
            for number in self._past[row]:
                episode.act(number)
            episode.look(episode.actor)
        for array, values in zip(self._arrays.list_all(), shown, strict=True):
            array[:] = values

    def save_state(self) -> SavedBatch:
        """Save this moment, for `restore_state`; it can be pickled, and never changes."""
        values = {name: deepcopy(getattr(self, name)) for name in SAVED}
        arrays = [array.copy() for array in self._arrays.list_all()]
        games = [env.save_state() for env in self._others]
        return SavedBatch(self._one.form(), values, arrays, games)

    def restore_state(self, saved: SavedBatch) -> None:
        """Return to a saved moment of this batch, or of one that was made like it."""
        here = self._arrays.list_all()
        if (
            not isinstance(saved, SavedBatch)
            or saved.form != self._one.form()
            or [array.shape for array in saved.arrays] != [array.shape for array in here]
        ):
            raise BadInput("This state was saved by a batch of another form.", "bad_state")
        for name, value in saved.values.items():
            if isinstance(value, np.ndarray):
                getattr(self, name)[:] = value
            else:
                setattr(self, name, deepcopy(value))
        for mine, values in zip(here, saved.arrays, strict=True):
            mine[:] = values
        for env, state in zip(self._others, saved.games, strict=True):
            env.restore_state(state)
        self._repeat()

    def reset(self, seed: int | None = None) -> tuple[dict[str, NDArray[Any]], Info]:
        """A new game in every row: with a seed, those that follow from it."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
            for row, series in enumerate(self._series):
                series.restart(seed + row)
                if self._others:
                    self._others[row].reset(seed + row)
        for row in range(self.num_envs):
            self._begin(row, fresh=seed is not None)
        self.rewards[:] = 0
        for array in (self.terminated, self.truncated, self.ended):
            array[:] = False
        return self.observations, self._info()

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        dict[str, NDArray[Any]],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        Info,
    ]:
        """Make a move in each game. One that ends restarts at once, with the next seed.

        If any action is not legal, all are refused and nothing changes.
        """
        numbers = np.ascontiguousarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise BadInput(
                f"step() needs {self.num_envs} whole numbers, one action for each game.",
                "bad_actions",
            )
        numbers = numbers.clip(-1, self.actions.count).astype(np.int32, copy=False)
        self._check(numbers)
        self.terminated[:] = self.truncated[:] = False
        self.last = {}
        if self._episodes:
            for past, number in zip(self._past, numbers.tolist(), strict=True):
                past.append(number)
            for row in act_all(self._episodes, numbers, self.agents, self.legal_counts):
                episode = self._episodes[row]
                self.terminated[row], self.truncated[row] = episode.terminated, episode.truncated
                self.scores[row] = episode.scores
                if self._keep_last:
                    episode.look(episode.actor)
                    self._save_last(row)
                self._begin(row)
        else:
            for row, env in enumerate(self._others):
                self._step_other(row, env, int(numbers[row]))
        np.logical_or(self.terminated, self.truncated, out=self.ended)
        return self.observations, self.rewards, self.terminated, self.truncated, self._info()

    def sample(self) -> NDArray[np.int32]:
        """A random legal action for each game."""
        chosen = (self._chance.random(self.num_envs) * self.legal_counts).astype(np.intp)
        found: NDArray[np.int32] = self.legal[self._rows, chosen]
        return found

    def _check(self, numbers: NDArray[np.int32]) -> None:
        if self._episodes:
            row = first_illegal(self._episodes, numbers)
        else:
            legal = self.masks[self._rows, numbers.clip(0, self.actions.count - 1)] == 1
            legal &= (numbers >= 0) & (numbers < self.actions.count)
            row = -1 if legal.all() else int(legal.argmin())
        if row >= 0:
            raise IllegalMove(
                f"The action of game {row} is illegal now: choose one that the mask allows.",
                "not_legal",
            )

    def _info(self) -> Info:
        return {"agents": self.agents, "action_mask": self.masks, "scores": self.scores}

    def _begin(self, row: int, fresh: bool = False) -> None:
        if self._episodes:
            episode, series = self._episodes[row], self._series[row]
            seed = series.seed()
            self._seeds[row], self._past[row] = seed, []
            episode.begin(series.order(seed), seed)
            episode.look(episode.actor)
            self.agents[row] = episode.actor
            self.legal_counts[row] = episode.painter.count
        else:
            if not fresh:
                self._others[row].reset()
            self._show_other(row, self._others[row])

    def _save_last(self, row: int) -> None:
        seen = {name: array[row].copy() for name, array in self.observations.items()}
        self.last[row] = {"observation": seen, "action_mask": np.zeros_like(self.masks[row])}

    def _step_other(self, row: int, env: raw_env, number: int) -> None:
        """Step a game that the kernel does not know, in an environment of its own."""
        env.step(number)
        agent = env.agent_selection
        self.rewards[row] = env.seat_rewards
        self.terminated[row], self.truncated[row] = env.terminations[agent], env.truncations[agent]
        if self.terminated[row] or self.truncated[row]:
            self.scores[row] = env.standing()
            if self._keep_last:
                self.last[row] = env.observe(agent)
            self._begin(row)
        else:
            self._show_other(row, env)

    def _show_other(self, row: int, env: raw_env) -> None:
        seen = env.observe(env.agent_selection)
        for name, array in seen["observation"].items():
            self.observations[name][row] = array
        self.masks[row] = seen["action_mask"]
        legal = np.flatnonzero(seen["action_mask"])
        self.legal[row, : len(legal)] = legal
        self.legal_counts[row] = len(legal)
        self.agents[row] = env.possible_agents.index(env.agent_selection)
