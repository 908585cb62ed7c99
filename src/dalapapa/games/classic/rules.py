"""The classic game for 2 to 4 players (rules 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import BadOptions, IllegalMove
from ...core.notation import Laying
from ...kernel.table import Table
from ..bag import Bag
from ..events import (
    Drew,
    Event,
    Laid,
    Passed,
    PassedOver,
    TargetReached,
    TurnEnded,
    Undone,
    WentBack,
)
from ..game import Step, add_points, replace_item
from ..moves import End, Lay, Move, Pass, Undo
from ..options import SetChoice
from ..turns import (
    TargetOptions,
    TargetView,
    TurnGame,
    TurnState,
    draw_for,
    lay_for_active,
    list_layings,
    remove_tile,
)


class ClassicOptions(TargetOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    set: Annotated[SetChoice, Meta(description="the dominoes")] = "120"


class ClassicState(TurnState, frozen=True, kw_only=True):
    """The phases are setup, play and over."""

    options: ClassicOptions
    scores: tuple[int, ...]
    turn: tuple[Laid, ...] = ()
    passed: frozenset[int] = frozenset()
    """The players who passed or were passed over since the last laying."""
    last_round: bool = False
    """Whether a player has reached the target, so that the round is played out."""


class ClassicView(TargetView, frozen=True, kw_only=True):
    """What one viewer sees."""

    options: ClassicOptions
    last_round: bool


OptionsT = TypeVar("OptionsT", bound=ClassicOptions)
StateT = TypeVar("StateT", bound=ClassicState)
ViewT = TypeVar("ViewT", bound=ClassicView)


class ClassicGame(TurnGame[OptionsT, StateT, ViewT]):
    """Rules 0 and 1: the base of games that build on the classic one."""

    seats: range = range(2, 5)

    def begin(self, players: int, options: OptionsT, bag: Bag) -> Step[StateT]:
        """Each player draws one domino, the first player first (rules 1, Setup)."""
        if options.first not in range(players):
            raise BadOptions(
                f"first must be a seat from 0 to {players - 1}, not {options.first}.", "bad_first"
            )
        if len(bag) < players:
            raise BadOptions(
                f"{players} players need at least {players} dominoes, not {len(bag)}.", "bad_set"
            )
        state = self.state_type(
            options=options,
            phase="setup",
            table=Table(self.tiles(options)).freeze(),
            bag=bag,
            hands=((),) * players,
            active=options.first,
            scores=(0,) * players,
        )
        events: list[Event] = []
        state = self._let_all_draw(state, 1, events)
        return Step(state, tuple(events))

    def legal_moves(self, view: ViewT) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player != view.active:
            return []
        moves = list_layings(view)
        if view.turn:
            moves.append(End(player))
        elif not moves:
            moves.append(Pass(player))
        return moves

    def apply(self, state: StateT, move: Move) -> Step[StateT]:
        self.check_turn(state, move)
        if isinstance(move, Lay):
            self.check_in_hand(state, move)
            if state.phase == "setup":
                return self._lay_in_setup(state, move.laying)
            return self._lay(state, move.laying)
        if isinstance(move, End):
            return self._end(state)
        if isinstance(move, Pass):
            return self._pass(state)
        if isinstance(move, Undo):
            return self._undo(state)
        raise self.no_such_move()

    # -- setup -------------------------------------------------------------------------------

    def _lay_in_setup(self, state: StateT, laying: Laying) -> Step[StateT]:
        """A domino of the starting position: no points (rules 1, Setup)."""
        state, earned = lay_for_active(state, laying)
        events: list[Event] = [Laid(state.active, laying, earned, scores=False)]
        return self._next_in_setup(state, events)

    def _next_in_setup(self, state: StateT, events: list[Event]) -> Step[StateT]:
        """The next player whose drawn domino, or another one drawn for it, can be laid."""
        while True:
            seat = (state.active + 1) % state.players
            state = replace(state, active=seat)
            if seat == state.options.first:
                state = replace(state, phase="play")
                state = self._let_all_draw(state, state.options.hand, events)
                return self._begin_turn(state, events)
            state = self._exchange_unlayable(state, events)
            if state.hands[seat]:
                return Step(state, tuple(events))
            events.append(PassedOver(seat))

    def _exchange_unlayable(self, state: StateT, events: list[Event]) -> StateT:
        """A drawn domino that cannot be laid goes back and another is drawn (rules 1, Setup).

        They stay out of the bag until one fits, so that another one is drawn.
        """
        seat, bag, hand = state.active, state.bag, state.hands[state.active]
        unlayable: list[str] = []
        while hand and not state.table.can_lay(hand[0]):
            unlayable.append(hand[0])
            events.append(WentBack(seat, hand[0]))
            hand, bag = bag.draw(1)
            if hand:
                events.append(Drew(seat, 1, hand))
        if unlayable:
            bag = bag.put_back(tuple(unlayable))
            state = replace(state, bag=bag, hands=replace_item(state.hands, seat, hand))
        return state

    def _let_all_draw(self, state: StateT, count: int, events: list[Event]) -> StateT:
        """Let all players draw, clockwise from the first player."""
        for number in range(state.players):
            state = draw_for(state, (state.options.first + number) % state.players, count, events)
        return state

    # -- a turn ------------------------------------------------------------------------------

    def _lay(self, state: StateT, laying: Laying) -> Step[StateT]:
        """Lay a domino; the second one costs the charge (rules 1, Turn)."""
        seat = state.active
        table, earned = state.table.followed(laying)
        laid = Laid(seat, laying, earned, state.options.charge if state.turn else 0)
        after = replace(
            state,
            table=table,
            hands=replace_item(state.hands, seat, remove_tile(state.hands[seat], laying.tile)),
            scores=add_points(state.scores, seat, laid.points),
            turn=(*state.turn, laid),
            passed=frozenset(),
            before=state,
        )
        return Step(after, (laid,))

    def _undo(self, state: StateT) -> Step[StateT]:
        """Undo within the own turn only: ending it draws, and a draw is never undone."""
        before = state.undone()
        laid = state.turn[-1]
        return Step(before, (Undone(laid.player, laid.laying, -laid.points),))

    def _end(self, state: StateT) -> Step[StateT]:
        if not state.turn:
            raise IllegalMove("Lay a domino first: a turn needs at least one.", "must_lay")
        seat = state.active
        events: list[Event] = [TurnEnded(seat, sum([laid.points for laid in state.turn]))]
        state = draw_for(state, seat, state.options.hand - len(state.hands[seat]), events)
        return self._end_turn(state, events)

    def _pass(self, state: StateT) -> Step[StateT]:
        """Pass, which is allowed only if no domino can be laid (rules 0, Nothing to lay)."""
        seat = state.active
        if state.phase == "setup" or state.turn:
            raise IllegalMove("You cannot pass after a laying, or in the setup.", "cannot_pass")
        self.check_stuck(state)
        return self._end_turn(replace(state, passed=state.passed | {seat}), [Passed(seat)])

    def _end_turn(self, state: StateT, events: list[Event]) -> Step[StateT]:
        """On to the next player, or the end of the game (rules 1, End)."""
        if not state.last_round:
            for player, score in enumerate(state.scores):
                if score >= state.options.target:
                    events.append(TargetReached(player, score))
                    state = replace(state, last_round=True)
        if state.last_round and self._ends_round(state):
            return self._end_game(state, "target", events)
        return self._begin_turn(replace(state, active=(state.active + 1) % state.players), events)

    def _ends_round(self, state: StateT) -> bool:
        """Whether the active player is the last one of the round."""
        return (state.active + 1) % state.players == state.options.first

    def _begin_turn(self, state: StateT, events: list[Event]) -> Step[StateT]:
        """Begin the turn of the active player; pass over players without dominoes."""
        if len(state.passed) == state.players:
            return self._end_game(state, "blocked", events)
        if state.hands[state.active]:
            return Step(self._reset_turn(state), tuple(events))
        events.append(PassedOver(state.active))
        return self._end_turn(replace(state, passed=state.passed | {state.active}), events)

    def _reset_turn(self, state: StateT) -> StateT:
        """The state at the start of a turn: nothing of the last one can be undone."""
        return replace(state, turn=(), before=None)

    def _end_game(self, state: StateT, reason: str, events: list[Event]) -> Step[StateT]:
        """Highest score wins; ties share (rules 1, End)."""
        state = replace(state, turn=(), before=None)
        return self.finish(state, state.scores, reason, events)


class Classic(ClassicGame[ClassicOptions, ClassicState, ClassicView]):
    """Rules 1."""

    name = "classic"

    def position(
        self, table: Table, hand: Sequence[str], scores: Sequence[int], options: ClassicOptions
    ) -> ClassicView:
        """The unseen dominoes are in the other hands, the rest in the bag."""
        unseen = len(table.tiles.names) - len(table) - len(hand)
        full = options.hand
        others = [min(full, max(0, unseen - full * seat)) for seat in range(len(scores) - 1)]
        return ClassicView(
            game=self.name,
            viewer=0,
            options=options,
            phase="play",
            outcome=None,
            table=table,
            bag_count=unseen - sum(others),
            hand=tuple(hand),
            hand_counts=(len(hand), *others),
            active=0,
            scores=tuple(scores),
            turn=(),
            last_round=max(scores) >= options.target,
        )
