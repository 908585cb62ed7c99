"""The base of the two races (rules 5 and 6): all players fill their own frames at the same time.

No player waits for another. The order in which moves arrive decides; a move that comes too late
is refused with a code and costs nothing. All dominoes are visible.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ..core.errors import IllegalMove
from ..core.geometry import Cell
from ..core.layout import Layout, check_form
from ..core.notation import Laying, shorten
from ..kernel import solver
from ..kernel.solver import Frame, Stop
from .events import Event, Framed, GaveUp, TimeRanOut
from .game import FrameHint, Game, State, Step, Timer, View, replace_item
from .moves import GiveUp, Move, PlayersMove, TimeUp

Minutes = Annotated[int, Meta(ge=0, le=180, description="time limit for all; 0: none")]

TIMER = 1
"""A race has one timer, which starts with it."""


class RaceState(State, frozen=True, kw_only=True):
    """The phases are play and over."""

    frames: tuple[tuple[Laying, ...], ...]
    """The layings of each player, in order."""
    given_up: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        return len(self.frames)


class RaceView(View, frozen=True, kw_only=True):
    """What one viewer sees: everything."""

    frames: tuple[tuple[Laying, ...], ...]
    given_up: tuple[int, ...]

    @property
    def frame(self) -> tuple[Laying, ...]:
        """The layings of the viewer."""
        return () if self.viewer is None else self.frames[self.viewer]


OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
StateT = TypeVar("StateT", bound=RaceState)
ViewT = TypeVar("ViewT", bound=RaceView)


class Race(Game[OptionsT, StateT, ViewT]):
    """The first full frame wins."""

    is_race = True

    @abstractmethod
    def frames(self, options: OptionsT, layings: tuple[Laying, ...]) -> Sequence[Collection[Cell]]:
        """The cells of each frame that these layings fit into: one, or several to choose from."""

    @abstractmethod
    def dominoes(self, options: OptionsT) -> int:
        """How many dominoes fill a frame."""

    @abstractmethod
    def supply(self, view: ViewT) -> tuple[str, ...]:
        """The dominoes with which the viewer can fill the frame, including those in it."""

    def targets(self, view: ViewT) -> tuple[Frame, ...]:
        """The frames that the layings of the viewer fit into, for the solver."""
        frames = self.frames(view.options, view.frame)
        return tuple([_make_frame(frozenset(cells)) for cells in frames])

    def count_laid(self, state: StateT) -> int:
        return sum(map(len, state.frames))

    def actors(self, state: StateT) -> tuple[int, ...]:
        if state.phase == "over":
            return ()
        return tuple([seat for seat in range(state.players) if seat not in state.given_up])

    def next_actors(self, state: StateT) -> tuple[int, ...]:
        """All players: the quickest acts."""
        return self.actors(state)

    def timer(self, state: StateT) -> Timer | None:
        minutes = state.options.minutes
        return Timer(TIMER, 60 * minutes) if minutes and state.phase != "over" else None

    def apply(self, state: StateT, move: Move) -> Step[StateT]:
        self.check_player(state, move)
        if isinstance(move, TimeUp):
            return self._time_up(state)
        if move.player in state.given_up:
            raise IllegalMove("You have given up.", "gave_up")
        if isinstance(move, GiveUp):
            return self._give_up(state, move.player)
        return self.act(state, move)

    @abstractmethod
    def act(self, state: StateT, move: PlayersMove) -> Step[StateT]:
        """Carry out a move in a player's frame."""

    def layout(
        self, options: OptionsT, layings: tuple[Laying, ...], first: Laying | None = None
    ) -> Layout:
        """The layings of a player; where there are none yet, `first` says where the frame lies."""
        if first is not None and not layings:
            check_form(first)
            frames = self.frames(options, (first,))
        else:
            frames = self.frames(options, layings)
        inside = frames[0] if len(frames) == 1 else set[Cell]().union(*frames)
        several = frames if len(frames) > 1 else ()
        return Layout(self.tiles(options), inside, layings, several)

    def lay_in_frame(self, state: StateT, player: int, laying: Laying) -> Step[StateT]:
        """Lay a domino in a frame, which may end the race."""
        layings = state.frames[player]
        contacts = self.layout(state.options, layings, laying).lay(laying)
        state = replace(state, frames=replace_item(state.frames, player, (*layings, laying)))
        events: list[Event] = [Framed(player, laying, contacts)]
        if len(state.frames[player]) == self.dominoes(state.options):
            return self.finish(state, _count_laid(state), "full", events)
        return Step(state, tuple(events))

    def take_from_frame(self, state: StateT, player: int, tile: str) -> tuple[StateT, Laying]:
        """The state without one of a player's layings, and that laying."""
        for laying in state.frames[player]:
            if laying.tile == tile:
                kept = tuple([one for one in state.frames[player] if one is not laying])
                return replace(state, frames=replace_item(state.frames, player, kept)), laying
        name = shorten(tile) if isinstance(tile, str) else "of that name"
        raise IllegalMove(f"There is no domino {name} in your frame.", "not_in_frame")

    def hint(
        self, view: ViewT, stop: Stop = solver.carry_on, width: int | None = None
    ) -> FrameHint:
        if view.viewer is None:
            raise IllegalMove("Only players can get hints.", "unknown_viewer")
        nodes, outcomes = 0, set()
        frames = sorted(self.targets(view), key=lambda frame: _width(frame) != width)
        for frame in frames:
            hint = solver.hint(
                frame,
                self.tiles(view.options),
                self.supply(view),
                view.frame,
                budget=solver.HINT_NODES // len(frames),
                stop=stop,
            )
            nodes += hint.nodes
            outcomes.add(hint.outcome)
            if hint.outcome == "lay":
                return FrameHint("lay", hint.laying, nodes, _width(frame))
        return FrameHint("gave_up" if "gave_up" in outcomes else "impossible", None, nodes)

    def release(self, state: StateT, player: int) -> Step[StateT]:  # noqa: ARG002
        """Put back the dominoes that other players may need."""
        return Step(state, ())

    def _give_up(self, state: StateT, player: int) -> Step[StateT]:
        step = self.release(state, player)
        state = replace(step.state, given_up=(*state.given_up, player))
        events: list[Event] = [*step.events, GaveUp(player)]
        left = self.actors(state)
        if len(left) > 1:
            return Step(state, tuple(events))
        return self.finish(state, _count_laid(state), "given_up", events)

    def _time_up(self, state: StateT) -> Step[StateT]:
        return self.finish(state, _count_laid(state), "time", [TimeRanOut(TIMER)])

    def winners(self, state: StateT, scores: tuple[int, ...]) -> tuple[int, ...]:
        """A full frame wins, or the last player left; else most dominoes in a frame, ties share.

        A single player wins only with a full frame, and empty frames win nothing.
        """
        racing, full = self.actors(state), self.dominoes(state.options)
        if full in scores:
            return (scores.index(full),)
        if state.players == 1:
            return ()
        if len(racing) == 1:
            return racing
        most = max(scores[seat] for seat in racing)
        return tuple([seat for seat in racing if scores[seat] == most > 0])


def _width(frame: Frame) -> int:
    """The width of a frame, from west to east."""
    columns = [x for x, _ in frame.cells]
    return 1 + max(columns) - min(columns)


@lru_cache(maxsize=64)
def _make_frame(cells: frozenset[Cell]) -> Frame:
    return Frame(cells)


def _count_laid(state: RaceState) -> tuple[int, ...]:
    """The scores: the dominoes in the frames."""
    return tuple(map(len, state.frames))
