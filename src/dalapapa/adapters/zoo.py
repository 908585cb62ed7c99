"""The turn games as a PettingZoo environment: one agent after the other (AEC).

    from dalapapa.adapters import zoo

    env = zoo.env("classic", players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        mask = observation["action_mask"]
        env.step(None if over else env.action_space(agent).sample(mask))

`docs/adapters.md` tells what the numbers mean. Needs the extra `rl`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

from ..bots.arena import game_seed
from ..errors import BadOptions, IllegalMove
from ..extras import require
from ..games import DEFAULT, every, find
from ..games.bag import filled, new_seed
from ..games.moves import Move
from ..games.turns import TurnView
from ..notation import print_position
from . import observations
from .actions import Actions, Window
from .observations import BIGGEST, MOST
from .observer import observed, observer_of

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    require("rl")
    raise

WINDOW = 24
"""Cells on each side: a usual game of good players fits in."""

LIMIT = 1000
"""Moves after which a game is truncated; hardly any has half as many."""

Rewards = Literal["win", "score"]
Observation: TypeAlias = dict[str, Any]


def env(*args: Any, **options: Any) -> Any:
    """The environment with PettingZoo's usual guards; an illegal action ends the game with -1."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(*args, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (PettingZoo's name for it)
    """A game between `players` agents, `player_0` to `player_5`: their seats."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dalapapa_v1",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str = DEFAULT,
        players: int = 2,
        *,
        options: dict[str, Any] | None = None,
        rewards: Rewards = "win",
        points: bool = False,
        window: int = WINDOW,
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        """`options` are the game's; `points` adds to observations what each action earns."""
        observer = observer_of(every()[game]) if game in every() else None
        if observer is None:
            known = ", ".join(observed())
            raise BadOptions(f"There is no environment of {game!r}, only of {known}.", "no_turns")
        if rewards not in ("win", "score"):
            raise BadOptions(f"Rewards are win or score, not {rewards!r}.", "bad_rewards")
        if not 2 <= window <= 256 or limit < 1:
            raise BadOptions("A window has 2 to 256 cells a side, a game a move.", "bad_window")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOptions(f"There is no way {render_mode!r} to render.", "bad_render_mode")
        super().__init__()
        self.game = find(game)
        self.game.check_players(players)
        self.options = self.game.parse_options(options or {})
        self.tiles = self.game.tiles(self.options)
        self.observer = observer
        self.actions = Actions(observer, window)
        self.reward_kind = rewards
        self.limit = limit
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.fact_names = observer.facts(players)
        """What the numbers of `facts` mean."""
        self._points = points
        self._action_spaces = {
            name: spaces.Discrete(self.actions.count) for name in self.possible_agents
        }
        self._observation_spaces = {
            name: self._observation_space() for name in self.possible_agents
        }
        self._seed, self._game_number = new_seed(), 0
        self._state: Any = None
        self._moves: dict[int, Move] = {}
        self._made = 0
        self._deal()  # At once: options that do not fit are refused here.

    # -- spaces ------------------------------------------------------------------------------

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions, legal or not."""
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """The arrays of an observation."""
        return self._observation_spaces[agent]

    def _observation_space(self) -> spaces.Dict:
        window, count = self.actions.window, self.actions.count
        planes = observations.plane_count(self.observer)
        hand = self.actions.slots, 2 * observations.FACE * 4
        arrays: dict[str, spaces.Space[Any]] = {
            "board": spaces.Box(0, MOST, (planes, window, window), np.int8),
            "hand": spaces.Box(0, 1, hand, np.int8),
            "unseen": spaces.Box(0, 1, (len(self.tiles),), np.int8),
            "facts": spaces.Box(-BIGGEST, BIGGEST, (len(self.fact_names),), np.int16),
        }
        if self._points:
            arrays["points"] = spaces.Box(-BIGGEST, BIGGEST, (count,), np.int16)
        mask = spaces.Box(0, 1, (count,), np.int8)
        return spaces.Dict({"observation": spaces.Dict(arrays), "action_mask": mask})

    # -- a game ------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game. The same seed gives the same games, this one and those after it."""
        if seed is not None:
            self._seed, self._game_number = str(seed), 0
        self._deal()
        self._game_number += 1
        self._made = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def _deal(self) -> None:
        bag = filled(self.tiles.names, game_seed(self._seed, self._game_number))
        self._state = self.game.start(len(self.possible_agents), self.options, bag).state

    def step(self, action: Any) -> None:
        """Make the move of an action, for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = None if action is None else self._moves.get(int(action))
        if move is None:
            raise IllegalMove(f"The action {action} is not legal now: see the mask.", "not_legal")
        self._cumulative_rewards[agent] = 0
        before = self._standing()
        self._state = self.game.apply(self._state, move).state
        self._made += 1
        over = self.game.outcome(self._state) is not None
        self._reward(before)
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over and self._made >= self.limit)
        if not over:
            self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _ask(self) -> None:
        """The next agent, as at a table of programs, and what it may do."""
        seat = self.game.asked(self._state)[0]
        view = self.game.view(self._state, seat)
        self._moves = self.actions.moves(view, self.game.legal_moves(view))
        self.agent_selection = self.possible_agents[seat]

    def _reward(self, before: list[int]) -> None:
        """Zero-sum: what one gets, the others lose together.

        `win`: at the end, 1 for whoever wins alone; shared victories are worth less. `score`: the
        change of the own score, less the mean of the others' changes.
        """
        count = len(self.agents)
        outcome = self.game.outcome(self._state)
        if self.reward_kind == "score":
            now = self._standing()
            won = [float(new - old) for new, old in zip(now, before, strict=True)]
        elif outcome is not None:
            share = 1 / len(outcome.winners)
            won = [share if seat in outcome.winners else 0.0 for seat in range(count)]
        else:
            won = [0.0] * count
        mean = sum(won) / count
        self.rewards = {
            agent: (own - mean) * count / (count - 1)
            for agent, own in zip(self.agents, won, strict=True)
        }

    def _standing(self) -> list[int]:
        """The scores, or what stands for them."""
        if self._state.outcome is not None:
            return list(self._state.outcome.scores)
        return self.observer.standing(self._state)

    # -- what agents see ---------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """What one agent sees; the mask is empty unless it is to act."""
        view = self.game.view(self._state, self.possible_agents.index(agent))
        to_act = agent == self.agent_selection and not (
            self.terminations[agent] or self.truncations[agent]
        )
        moves = self._moves if to_act else {}
        mask = np.zeros(self.actions.count, np.int8)
        mask[list(moves)] = 1
        arrays = {
            "board": observations.board(self.observer, view, self.tiles, self.actions.window),
            "hand": observations.hand(self.observer, view, self.tiles),
            "unseen": observations.unseen(view, self.tiles),
            "facts": observations.facts(self.observer, view),
        }
        if self._points:
            arrays["points"] = self._worth(view, moves)
        return {"observation": arrays, "action_mask": mask}

    def _worth(self, view: TurnView, moves: dict[int, Move]) -> NDArray[np.int16]:
        """What each laying earns at once by the points of the classic game, less the charge."""
        charge = self.observer.charge(view)
        window = Window(view.table, self.actions.window)
        found = np.zeros(self.actions.count, np.int16)
        for name in view.hand:
            for laying, earned in view.table.scored(name):
                number = self.actions.of_laying(view, window, laying)
                if number in moves:
                    found[number] = earned.points - charge
        return found

    # -- pictures ----------------------------------------------------------------------------

    def render(self) -> str | NDArray[np.uint8] | None:
        """What a spectator sees: as text, or as 512 x 512 pixels; `human` prints the text."""
        if self.render_mode == "rgb_array":
            return observations.picture(self._state.table)
        if self.render_mode is None:
            return None
        view = self.game.view(self._state, None)
        standing = zip(self.possible_agents, self._standing(), strict=True)
        scores = ", ".join(f"{agent} {score}" for agent, score in standing)
        text = f"{view.game}, {view.phase}: {scores}; {view.bag_count} in the bag\n"
        text += f"{print_position(view.table.layings)}\n"
        if self.render_mode == "ansi":
            return text
        print(text, end="")
        return None
