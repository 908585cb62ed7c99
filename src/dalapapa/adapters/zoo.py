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

from collections.abc import Sequence
from copy import copy, deepcopy
from typing import Any, ClassVar, Literal, TypeAlias

from ..bots.arena import Seat, derive_bot_seed, seat_bot
from ..bots.bot import Bot, read_choice
from ..core.errors import BadInput, BadOptions, IllegalMove
from ..core.extras import require
from ..core.notation import print_position, shorten
from ..core.tiles import TileSet
from ..games import DEFAULT, list_games
from ..games.bag import fill_bag, make_seed
from ..games.game import AnyGame
from ..games.moves import Move
from ..games.observers import OBSERVER_CLASSES
from ..kernel.episode import Episode, EpisodeArrays
from . import observations
from .actions import Actions
from .observations import Arrays, Looker, write_points
from .observer import EpisodeRequest
from .registry import find_observer, list_environments
from .series import GameSeries, SavedState

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


def env(*args: Any, **options: Any) -> Any:
    """The environment with PettingZoo's default wrappers; an illegal action ends it with -1."""
    return wrappers.OrderEnforcingWrapper(_Guard(raw_env(*args, **options), illegal_reward=-1))


class _Guard(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper for illegal actions, and the one for actions outside of the space.

    Both in one, because each wrapper makes every attribute slower.
    """

    def __init__(self, env: raw_env, illegal_reward: float) -> None:
        super().__init__(env, illegal_reward)
        self.raw: raw_env = env

    def step(self, action: Any) -> None:
        agent = self.raw.agent_selection
        over = self.raw.terminations[agent] or self.raw.truncations[agent]
        fits = over if action is None else self.raw.action_space(agent).contains(action)
        assert fits, "action is not in action space"
        super().step(action)


SAVED = (
    "_seed", "_known", "_chosen", "_caught_up", "is_in_kernel", "move_count", "agents",
    "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
    "seat_rewards", "_over",
)  # fmt: skip
"""The attributes of an environment that change during its games."""


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (PettingZoo's name for it)
    """A game between `players` agents, `player_0` to `player_5`: their seats.

    `opponents` are bots in the last seats, which are no agents: names, or bots of your own.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dalapapa_v1",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | AnyGame = DEFAULT,
        players: int = 2,
        *,
        opponents: Sequence[Seat] = (),
        options: dict[str, Any] | None = None,
        rewards: Rewards = "win",
        points: bool = False,
        window: int = WINDOW,
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        """`options` are the game's; `points` adds to observations what each action earns."""
        rules = list_games().get(game) if isinstance(game, str) else game
        observer = find_observer(rules) if rules is not None else None
        if rules is None or observer is None:
            known = ", ".join(list_environments())
            raise BadOptions(
                f"There is no environment for {game!r}: choose one of {known}.", "no_turns"
            )
        if rewards not in ("win", "score"):
            raise BadOptions(f"rewards must be win or score, not {rewards!r}.", "bad_rewards")
        if type(window) is not int or type(limit) is not int or not 2 <= window <= 256 or limit < 1:
            raise BadOptions(
                "window must be a number from 2 to 256, and limit at least 1.", "bad_window"
            )
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOptions(
                f"render_mode must be {' or '.join(self.metadata['render_modes'])}, not"
                f" {render_mode!r}.",
                "bad_render_mode",
            )
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            raise BadOptions(
                f"opponents must be a list of bots, not {shorten(opponents)}.", "bad_opponents"
            )
        super().__init__()
        self.game = rules
        self.game.check_players(players)
        self.options: Any = self.game.parse_options(options or {})
        self.tiles: TileSet = self.game.tiles(self.options)
        self.observer = observer
        self.actions: Actions[Any, Any] = Actions(observer, window)
        self.reward_kind = rewards
        self.limit = limit
        self.render_mode = render_mode
        self.players = players
        self.opponents: tuple[Seat, ...] = tuple(opponents)
        self.possible_agents: list[str] = [
            f"player_{seat}" for seat in range(players - len(opponents))
        ]
        if not self.possible_agents:
            raise BadOptions(
                f"With {players} players, there can be at most {players - 1} opponents.",
                "bad_opponents",
            )
        for given in self.opponents:
            seat_bot(given, self.game, "")  # Refuses names that no bot has.
        self._bots: dict[int, Bot[Any]] = {}
        """The opponents of the running game, by seat."""
        self._over = False
        self.seat_rewards: list[float] = [0.0] * players
        """The rewards of the last step for every seat, also those of opponents."""
        self.fact_names: tuple[str, ...] = observer.facts(players)
        """The names of the numbers in `facts`."""
        self._points = points
        self._series = GameSeries(self.tiles)
        self._seed = make_seed()
        self._known: Any = None
        self._chosen: list[int] = []
        """The actions of a game in the kernel."""
        self._caught_up = 0
        """The number of them that the known state includes."""
        self.is_in_kernel: bool = False
        """Whether the compiled kernel plays this game, and not the rules themselves."""
        self._legal: dict[int, Move] | None = None
        self.move_count: int = 0
        """The moves of this game so far."""
        self._make_arrays()
        count = self.actions.count
        self._action_spaces = {name: spaces.Discrete(count) for name in self.possible_agents}
        self._observation_spaces = {name: self._arrays.space() for name in self.possible_agents}
        self.game_state = self._first_state()  # Refuses options that do not fit.

    def _make_arrays(self) -> None:
        """Make the arrays for the kernel, and the game that it plays."""
        window = self.actions.window
        self._arrays = Arrays(self.actions, self.tiles, self.players, 1, self._points)
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
        by_score, window = self.reward_kind == "score", self.actions.window
        asked = EpisodeRequest(self.options, self.tiles, self.players, window, self.limit, by_score)
        return self.observer.episode(asked, rows)

    def __getstate__(self) -> dict[str, Any]:
        """The state for copies, for example in searches, without the kernel's part."""
        left_out = ("_arrays", "_episode", "_looker")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_arrays()
        self._repeat()

    def _repeat(self) -> None:
        """Play the moves of the running game again in the kernel."""
        if self.is_in_kernel and self._episode is not None:
            self._arrays.mask[0] = 0
            self._episode.begin(self._series.order(self._seed), self._seed)
            for number in self._chosen:
                self._episode.act(number)

    def save_state(self) -> SavedState:
        """Save this moment, for `restore_state`; it can be pickled, and never changes."""
        values = {name: copy(value) for name, value in vars(self).items() if name in SAVED}
        return SavedState(self.form(), copy(self._series), values, deepcopy(self._bots))

    def restore_state(self, saved: SavedState) -> None:
        """Return to a saved moment of this environment, or of one that was made like it."""
        if not isinstance(saved, SavedState) or saved.form != self.form():
            raise BadInput(
                "This state was saved by an environment of another game or form.", "bad_state"
            )
        for name, value in saved.values.items():
            setattr(self, name, copy(value))
        self._series, self._bots, self._legal = copy(saved.series), deepcopy(saved.bots), None
        self._repeat()

    def form(self) -> tuple[Any, ...]:
        """What a saved state depends on."""
        opponents = tuple(map(str, self.opponents))
        return (self.game.name, self.options, self.players, opponents, self.actions.window)

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
            self._known, self.is_in_kernel = None, True
            self._chosen, self._caught_up = [], 0
            self._repeat()
        self.move_count, self._over = 0, False
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.seat_rewards = [0.0] * self.players
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._bots = {
            seat: seat_bot(given, self.game, derive_bot_seed(self._seed, seat))
            for seat, given in enumerate(self.opponents, start=len(self.possible_agents))
        }
        self._let_opponents_play()
        self._ask()

    def _first_state(self) -> Any:
        bag = fill_bag(self.tiles.names, self._seed)
        return self.game.start(self.players, self.options, bag).state

    @property
    def game_state(self) -> Any:
        """The whole state, with hidden dominoes; one in the kernel is computed on request."""
        if self._known is None:
            self._known = self._first_state()
        for number in self._chosen[self._caught_up :]:
            self._known = self.game.apply(self._known, self._find_move(self._known, number)).state
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

    def _find_move(self, state: Any, number: int) -> Move:
        """The move of a legal action."""
        seat = self.game.next_actors(state)[0]
        return self.actions.find_laying(state, seat, number) or self._moves_of(state)[number]

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
        self.seat_rewards = self._act(number)
        if self._bots:
            self._let_opponents_play()
        self.rewards = dict(zip(self.agents, self.seat_rewards, strict=False))
        over = self._over
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over and self.move_count >= self.limit)
        if not over:
            self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _act(self, number: int) -> list[float]:
        """Make the move of a legal action, and return the rewards of all seats."""
        if not self.is_in_kernel or self._episode is None:
            return self._apply(self.legal_moves[number])
        self.move_count += 1
        self._episode.act(number)
        self._chosen.append(number)
        self._over = self._episode.terminated
        rewards: list[float] = self._arrays.rewards[0].tolist()
        return rewards

    def _apply(self, move: Move) -> list[float]:
        """Make a move by the rules themselves, outside the kernel."""
        self.move_count += 1
        before = self.standing()
        self.game_state = self.game.apply(self.game_state, move).state
        self._over = self.game.outcome(self.game_state) is not None
        return self._share(before)

    def _let_opponents_play(self) -> None:
        """Make the moves of opponents, until an agent is to act or the game ends."""
        while self._bots and not self._over and self.move_count < self.limit:
            seat = self._find_actor()
            if seat not in self._bots:
                break
            state = self.game_state
            view = self.game.view(state, seat)
            move = read_choice(self._bots[seat].choose(view), self.game, view)
            legal = self.actions.moves(view, self.game.legal_moves(view))
            number = next((number for number, one in legal.items() if one == move), None)
            # A move without a number, for example outside the window, is not for the kernel.
            earned = self._apply(move) if number is None else self._act(number)
            self.seat_rewards = [a + b for a, b in zip(self.seat_rewards, earned, strict=True)]

    def _find_actor(self) -> int:
        """The seat that is asked next, as at a table of bots."""
        if self.is_in_kernel and self._episode is not None:
            return self._episode.actor
        return self.game.next_actors(self.game_state)[0]

    def _is_legal(self, number: int) -> bool:
        if self.is_in_kernel and self._episode is not None:
            return 0 <= number < self.actions.count and self._episode.is_legal(number)
        return number in self.legal_moves

    def _ask(self) -> None:
        """Select the next agent."""
        self._legal = None
        seat = 0 if self._over else self._find_actor()
        # At the limit, an opponent may be the next one.
        self.agent_selection: str = self.possible_agents[min(seat, len(self.possible_agents) - 1)]

    def _share(self, before: list[int]) -> list[float]:
        """Compute zero-sum rewards of all seats: what one gets, the others lose together.

        `win`: at the end, 1 for a single winner; shared victories are worth less. `score`: the
        change of their own score, less the mean of the others' changes.
        """
        count = self.players
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
        return [(own - mean) * count / (count - 1) for own in won]

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
            legal = self.legal_moves if to_act else {}
            self._arrays.points[0] = write_points(self.actions, view, legal)

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
