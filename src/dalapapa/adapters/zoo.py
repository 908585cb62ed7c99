"""The turn games as a PettingZoo environment: one agent after the other (AEC).

    from dalapapa.adapters import zoo

    env = zoo.env("classic", players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        mask = observation["action_mask"]
        env.step(None if over else env.action_space(agent).sample(mask))

`docs/environments/index.md` explains the numbers. It needs the extra `rl`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

from ..bots.arena import derive_game_seed
from ..core.errors import BadOptions, IllegalMove
from ..core.extras import require
from ..core.notation import print_position
from ..core.tiles import TileSet
from ..games import DEFAULT, find_game, list_games
from ..games.bag import fill_bag, make_seed, shuffle_by_seed
from ..games.moves import Move
from ..games.observers import OBSERVER_CLASSES
from ..games.turns import TurnView
from ..kernel.episode import Episode, EpisodeArrays
from . import observations
from .actions import Actions, Window
from .observations import Arrays, Looker
from .observer import EpisodeRequest
from .registry import find_observer, list_environments

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
"""Moves after which a game is truncated; few games have half as many."""

Rewards = Literal["win", "score"]
Observation: TypeAlias = dict[str, Any]


class GameSeries:
    """The sequence of games that follows from a seed, from number 0 on; else they are random."""

    def __init__(self, tiles: TileSet, seed: int | None = None) -> None:
        numbers = {name: number for number, name in enumerate(sorted(tiles.names))}
        self._dominoes = tuple([numbers[name] for name in tiles.names])
        self.restart(seed)

    def restart(self, seed: int | None) -> None:
        self._seed = make_seed() if seed is None else str(seed)
        self._next = 0

    def seed(self) -> str:
        found = derive_game_seed(self._seed, self._next)
        self._next += 1
        return found

    def order(self, seed: str) -> tuple[int, ...]:
        """The dominoes of a full bag as numbers of the kernel, in the order of draws."""
        return shuffle_by_seed(self._dominoes, seed, 0)


def env(*args: Any, **options: Any) -> Any:
    """The environment with PettingZoo's default wrappers; an illegal action ends it with -1."""
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
        observer = find_observer(list_games()[game]) if game in list_games() else None
        if observer is None:
            known = ", ".join(list_environments())
            raise BadOptions(
                f"There is no environment for {game!r}: choose one of {known}.", "no_turns"
            )
        if rewards not in ("win", "score"):
            raise BadOptions(f"rewards must be win or score, not {rewards!r}.", "bad_rewards")
        if not 2 <= window <= 256 or limit < 1:
            raise BadOptions(
                "window must be a number from 2 to 256, and limit at least 1.", "bad_window"
            )
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOptions(
                f"render_mode must be {' or '.join(self.metadata['render_modes'])}, not"
                f" {render_mode!r}.",
                "bad_render_mode",
            )
        super().__init__()
        self.game = find_game(game)
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
        """The names of the numbers in `facts`."""
        self._points = points
        self._series = GameSeries(self.tiles)
        self._seed = make_seed()
        self._known: Any = None
        self._chosen: list[int] = []
        """The actions of a game in the kernel."""
        self._caught_up = 0
        """The number of them that the known state includes."""
        self.is_in_kernel = False
        """Whether the compiled kernel plays this game, and not the rules themselves."""
        self._legal: dict[int, Move] | None = None
        self.move_count = 0
        """The moves of this game so far."""
        self._make_arrays()
        count = self.actions.count
        self._action_spaces = {name: spaces.Discrete(count) for name in self.possible_agents}
        self._observation_spaces = {name: self._arrays.space() for name in self.possible_agents}
        self.game_state = self._first_state()  # Refuses options that do not fit.

    def _make_arrays(self) -> None:
        """Make the arrays for the kernel, and the game that it plays."""
        players, window = len(self.possible_agents), self.actions.window
        self._arrays = Arrays(self.actions, self.tiles, players, 1, self._points)
        rows = self._arrays.rows(0)
        self._episode = self.make_episode(rows)
        """None if the kernel does not know the game; else states are made on request."""
        self._looker = Looker(self.observer, self.tiles, rows, window)

    def make_episode(self, rows: EpisodeArrays) -> Episode | None:
        """A game in the kernel that writes into these arrays, if the kernel knows its rules.

        A game of another package may have the observer of ours, but other rules or winners.
        """
        if type(self.game) not in OBSERVER_CLASSES:
            return None
        players, by_score = len(self.possible_agents), self.reward_kind == "score"
        window = self.actions.window
        asked = EpisodeRequest(self.options, self.tiles, players, window, self.limit, by_score)
        return self.observer.episode(asked, rows)

    def __getstate__(self) -> dict[str, Any]:
        """The state for copies, for example in searches, without the kernel's part."""
        left_out = ("_arrays", "_episode", "_looker")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_arrays()
        if self.is_in_kernel and self._episode is not None:
            self._episode.begin(self._series.order(self._seed), self._seed)
            for number in self._chosen:
                self._episode.act(number)

    # -- spaces ------------------------------------------------------------------------------

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions, legal or not."""
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    # -- a game ------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game. The same seed gives the same games, this one and those after it."""
        if seed is not None:
            self._series.restart(seed)
        self._seed = self._series.seed()
        if self._episode is None:
            self.game_state = self._first_state()
        else:
            self._arrays.mask[0] = 0
            self._episode.begin(self._series.order(self._seed), self._seed)
            self._known, self.is_in_kernel = None, True
            self._chosen, self._caught_up = [], 0
        self.move_count = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def _first_state(self) -> Any:
        bag = fill_bag(self.tiles.names, self._seed)
        return self.game.start(len(self.possible_agents), self.options, bag).state

    @property
    def game_state(self) -> Any:
        """The whole state, with hidden dominoes; one in the kernel is computed on request."""
        if self._known is None:
            self._known = self._first_state()
        for number in self._chosen[self._caught_up :]:
            self._known = self.game.apply(self._known, self._moves_of(self._known)[number]).state
        self._caught_up = len(self._chosen)
        return self._known

    @game_state.setter
    def game_state(self, state: Any) -> None:
        self._known, self.is_in_kernel, self._legal = state, False, None
        self._chosen, self._caught_up = [], 0

    @property
    def legal_moves(self) -> dict[int, Move]:
        """The legal moves of the selected agent, by action."""
        if self._legal is None:
            self._legal = self._moves_of(self.game_state)
        return self._legal

    def _moves_of(self, state: Any) -> dict[int, Move]:
        view = self.game.view(state, self.game.next_actors(state)[0])
        return self.actions.moves(view, self.game.legal_moves(view))

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else int(action)
        if not self._is_legal(number):
            raise IllegalMove(
                f"The action {action} is illegal now: choose one that the mask allows.", "not_legal"
            )
        self._cumulative_rewards[agent] = 0
        self.move_count += 1
        if self.is_in_kernel and self._episode is not None:
            self._episode.act(number)
            self._chosen.append(number)
            over = self._episode.terminated
            self.rewards = dict(zip(self.agents, self._arrays.rewards[0].tolist(), strict=True))
        else:
            before = self.standing()
            self.game_state = self.game.apply(self.game_state, self.legal_moves[number]).state
            over = self.game.outcome(self.game_state) is not None
            self._reward(before)
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over and self.move_count >= self.limit)
        if not over:
            self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _is_legal(self, number: int) -> bool:
        if self.is_in_kernel and self._episode is not None:
            return 0 <= number < self.actions.count and self._episode.is_legal(number)
        return number in self.legal_moves

    def _ask(self) -> None:
        """Select the next agent, as at a table of bots."""
        self._legal = None
        if self.is_in_kernel and self._episode is not None:
            seat = self._episode.actor
        else:
            seat = self.game.next_actors(self.game_state)[0]
        self.agent_selection = self.possible_agents[seat]

    def _reward(self, before: list[int]) -> None:
        """Compute zero-sum rewards: what one agent gets, the others lose together.

        `win`: at the end, 1 for a single winner; shared victories are worth less. `score`: the
        change of their own score, less the mean of the others' changes.
        """
        count = len(self.agents)
        outcome = self.game.outcome(self.game_state)
        if self.reward_kind == "score":
            now = self.standing()
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

    def standing(self) -> list[int]:
        """The scores, or what stands for them."""
        if self.game_state.outcome is not None:
            return list(self.game_state.outcome.scores)
        return self.observer.standing(self.game_state)

    # -- what agents see ---------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """The observation of an agent; the mask is empty unless it is to act."""
        seat = self.possible_agents.index(agent)
        to_act = agent == self.agent_selection and not (
            self.terminations[agent] or self.truncations[agent]
        )
        if self.is_in_kernel and self._episode is not None:
            self._episode.look(seat)
        else:
            self._look(seat, to_act)
        arrays = {name: array[0].copy() for name, array in self._arrays.list_arrays().items()}
        mask = self._arrays.mask[0].copy()
        if not to_act:
            mask[:] = 0
            if "points" in arrays:
                arrays["points"][:] = 0
        return {"observation": arrays, "action_mask": mask}

    def _look(self, seat: int, to_act: bool) -> None:
        """Write what a seat sees into the arrays, from its view."""
        view = self.game.view(self.game_state, seat)
        self._looker.look(view)
        self._arrays.mask[0] = 0
        if to_act:
            self._arrays.mask[0, list(self.legal_moves)] = 1
        if self._arrays.points is not None:
            self._arrays.points[0] = self._worth(view, self.legal_moves if to_act else {})

    def _worth(self, view: TurnView, moves: dict[int, Move]) -> NDArray[np.int16]:
        """The classic points of each laying, less the charge."""
        charge = self.observer.charge(view)
        window = Window(view.table, self.actions.window)
        found = np.zeros(self.actions.count, np.int16)
        for name in view.hand:
            for laying, earned in view.table.scored(name):
                number = self.actions.find_laying_number(view, window, laying)
                if number in moves:
                    found[number] = earned.points - charge
        return found

    # -- pictures ----------------------------------------------------------------------------

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render what a spectator sees, as text or as 512 x 512 pixels; `human` prints the text."""
        if self.render_mode == "rgb_array":
            return observations.draw_picture(self.game_state.table)
        if self.render_mode is None:
            return None
        view = self.game.view(self.game_state, None)
        standing = zip(self.possible_agents, self.standing(), strict=True)
        scores = ", ".join(f"{agent} {score}" for agent, score in standing)
        text = f"{view.game}, {view.phase}: {scores}; {view.bag_count} in the bag\n"
        text += f"{print_position(view.table.layings)}\n"
        if self.render_mode == "ansi":
            return text
        print(text, end="")
        return None
