"""Conquest: the classic game with three marks for each player (rules 3)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import IllegalMove
from ...core.geometry import Disc
from ...core.notation import Laying
from ...core.points import Group
from ...kernel.table import Table
from ..bag import Bag
from ..classic.rules import ClassicGame, ClassicOptions, ClassicState, ClassicView
from ..events import Event, MarkCounted, Marked, MarksLost, Unmarked
from ..game import PlacedMark, Step, add_points
from ..moves import Lay, Mark, Move

MARKS = 3
"""Marks that a player has for the whole game."""


class ConquestOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    finish_round: Annotated[
        bool, Meta(description="play the round out once the target is reached")
    ] = False


class ConquestState(ClassicState, frozen=True, kw_only=True):
    """A classic state, and the marks."""

    options: ConquestOptions
    marks: tuple[PlacedMark, ...] = ()
    """The marks on the table, in the order in which they were put."""
    marks_left: tuple[int, ...] = ()
    """The marks that each player has left."""
    marked: bool = False
    """The active player has put down a mark this turn."""


class ConquestView(ClassicView, frozen=True, kw_only=True):
    """What one viewer sees: marks are public."""

    options: ConquestOptions
    marks: tuple[PlacedMark, ...]
    marks_left: tuple[int, ...]
    marked: bool


def find_group(groups: list[Group], disc: Disc) -> Group | None:
    """The group that a disc belongs to."""
    return next((group for group in groups if disc in group.discs), None)


class Conquest(ClassicGame[ConquestOptions, ConquestState, ConquestView]):
    """Rules 3."""

    name = "conquest"

    def begin(self, players: int, options: ConquestOptions, bag: Bag) -> Step[ConquestState]:
        step = super().begin(players, options, bag)
        return Step(replace(step.state, marks_left=(MARKS,) * players), step.events)

    def playable_tiles(self, view: ConquestView) -> tuple[str, ...]:
        """None after a mark, which is the last thing of a turn."""
        return () if view.marked and view.viewer == view.active else view.hand

    def legal_moves(self, view: ConquestView) -> list[Move]:
        """The moves of the classic game, and a mark on the first disc of each group."""
        moves = super().legal_moves(view)
        if view.marked:
            return [move for move in moves if not isinstance(move, Lay)]
        player = view.viewer
        if moves and view.turn and player is not None and view.marks_left[player]:
            groups = view.table.groups()
            moves += [
                Mark(player, group.discs[0])
                for group in groups
                if can_mark(groups, group, view.marks, player)
            ]
        return moves

    def apply(self, state: ConquestState, move: Move) -> Step[ConquestState]:
        if isinstance(move, Mark):
            self.check_turn(state, move)
            self.check_disc(move.disc)
            return self._mark(state, move.disc)
        if isinstance(move, Lay) and state.marked:
            self.check_turn(state, move)
            raise IllegalMove(
                "You have placed your mark, so you can lay no more dominoes in this turn.",
                "already_marked",
            )
        return super().apply(state, move)

    def _mark(self, state: ConquestState, disc: Disc) -> Step[ConquestState]:
        """Put a mark: one a turn, three a game, after laying (rules 3)."""
        seat = state.active
        if not state.turn:
            raise IllegalMove("Lay a domino first, then put a mark.", "must_lay")
        if state.marked:
            raise IllegalMove("You have already put a mark this turn.", "already_marked")
        if not state.marks_left[seat]:
            raise IllegalMove("You have no mark left.", "no_mark_left")
        groups = state.table.groups()
        group = find_group(groups, disc)
        if group is None:
            raise IllegalMove("There is no disc at this place.", "no_disc")
        reason = _reason_against(groups, group, state.marks, seat)
        if reason is not None:
            raise IllegalMove(*reason)
        left = tuple([n - (player == seat) for player, n in enumerate(state.marks_left)])
        after = replace(
            state,
            marks=(*state.marks, PlacedMark(seat, disc)),
            marks_left=left,
            marked=True,
            before=state,
        )
        return Step(after, (Marked(seat, disc),))

    def _undo(self, state: ConquestState) -> Step[ConquestState]:
        """A mark is the last thing of a turn, so it is the first to be taken back."""
        if not state.marked or state.before is None:
            return super()._undo(state)
        return Step(state.before, (Unmarked(state.active, state.marks[-1].disc),))

    def _lay(self, state: ConquestState, laying: Laying) -> Step[ConquestState]:
        """After each domino: a group with several marks loses them all (rules 3)."""
        step = super()._lay(state, laying)
        after = step.state
        if len(after.marks) < 2:
            return step
        lost = _find_crowded(after.table, after.marks)
        if not lost:
            return step
        events: list[Event] = list(step.events)
        events += [
            MarksLost(tuple(mark.player for mark in crowd), tuple(mark.disc for mark in crowd))
            for crowd in lost
        ]
        gone = {mark for crowd in lost for mark in crowd}
        kept = tuple([mark for mark in after.marks if mark not in gone])
        return Step(replace(after, marks=kept), tuple(events))

    def _reset_turn(self, state: ConquestState) -> ConquestState:
        return replace(super()._reset_turn(state), marked=False)

    def _ends_round(self, state: ConquestState) -> bool:
        """Whether the game ends with this turn, unless the round is to be finished."""
        return not state.options.finish_round or super()._ends_round(state)

    def _end_game(
        self, state: ConquestState, reason: str, events: list[Event]
    ) -> Step[ConquestState]:
        """Every closed group with a player's mark counts its discs (rules 3, End)."""
        groups = state.table.groups()
        for mark in state.marks:
            group = find_group(groups, mark.disc)
            if group is not None and group.closed:
                events.append(MarkCounted(mark.player, mark.disc, group.colour, group.size))
                state = replace(state, scores=add_points(state.scores, mark.player, group.size))
        return super()._end_game(state, reason, events)


def can_mark(groups: list[Group], group: Group, marks: tuple[PlacedMark, ...], player: int) -> bool:
    """Whether a player may put a mark on a group: it has none, and no own mark is on its colour."""
    return _reason_against(groups, group, marks, player) is None


def _reason_against(
    groups: list[Group], group: Group, marks: tuple[PlacedMark, ...], player: int
) -> tuple[str, str] | None:
    """Why a player may not mark a group, as a sentence and a code."""
    if any(mark.disc in group.discs for mark in marks):
        return "This group already carries a mark.", "group_marked"
    for mark in marks:
        other = find_group(groups, mark.disc) if mark.player == player else None
        if other is not None and other.colour == group.colour:
            return "You already have a mark on a group of this colour.", "same_colour"
    return None


def _find_crowded(table: Table, marks: tuple[PlacedMark, ...]) -> list[list[PlacedMark]]:
    """The marks of each group that carries several."""
    crowds = []
    for group in table.groups():
        crowd = [mark for mark in marks if mark.disc in group.discs]
        if len(crowd) > 1:
            crowds.append(crowd)
    return crowds
