"""Gone, the children's game for 2 to 6 players of 4 to 8 years, and older ones (rules 4)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import BadOptions
from ...kernel.table import Table
from ..bag import Bag, lay_figure
from ..events import Drew, Event, Laid, Passed
from ..game import Step, replace_item
from ..moves import Lay, Move, Pass
from ..options import SetChoice
from ..turns import (
    SetOptions,
    TurnGame,
    TurnState,
    TurnView,
    draw_for,
    lay_for_active,
    list_layings,
)

FIGURE = 3

DEFAULT_AGE = 6

OLDEST_CHILD = 8
"""The age up to which players draw as many dominoes as years; later a number is agreed on."""

LAYS_AGAIN = 3
"""Discs after which a player lays again; more have no other effect."""


class GoneOptions(SetOptions, frozen=True, forbid_unknown_fields=True):
    """The players: ages decide how many dominoes they draw, names who begins."""

    ages: Annotated[
        tuple[Annotated[int, Meta(ge=4, le=120)], ...],
        Meta(description="age of each player: up to 8, the dominoes to begin with; by default 6"),
    ] = ()
    older: Annotated[
        int,
        Meta(
            ge=4,
            le=12,
            description="dominoes to begin with from 9 years on",
            extra={"omit_default": True},
        ),
    ] = 9
    names: Annotated[
        tuple[str, ...],
        Meta(description="names; the player with the most letters a begins; by default the first"),
    ] = ()
    set: Annotated[SetChoice, Meta(description="the dominoes")] = "120"


class GoneState(TurnState, frozen=True, kw_only=True):
    """The phases are play and over."""

    options: GoneOptions
    again: bool = False
    """Whether the active player made three discs or more, and lays again."""
    passes: int = 0
    """Players in a row, up to now, who could neither lay nor draw."""


class GoneView(TurnView, frozen=True, kw_only=True):
    """What one viewer sees."""

    options: GoneOptions
    again: bool


def count_letters_a(name: str) -> int:
    """How many letters a a name has: any case, accented ones too (rules 4, First)."""
    return unicodedata.normalize("NFD", name.casefold()).count("a")


def count_first_hands(options: GoneOptions, players: int) -> list[int]:
    """How many dominoes each player draws at first."""
    ages = options.ages or (DEFAULT_AGE,) * players
    return [age if age <= OLDEST_CHILD else options.older for age in ages]


def find_first(options: GoneOptions) -> int:
    """The seat that begins."""
    letters = [count_letters_a(name) for name in options.names] or [0]
    return letters.index(max(letters))


class Gone(TurnGame[GoneOptions, GoneState, GoneView]):
    """Rules 4. Turns end by themselves, so there is nothing to undo."""

    name = "gone"
    seats: range = range(2, 7)

    def complete_options(self, options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """Names decide who begins, unless others were agreed on (rules 4, First)."""
        return options if options.get("names") else {**options, "names": list(names)}

    def anonymize(self, name: str, seat: int) -> str:
        """As many letters a as the name has: they decide who begins."""
        return "a" * count_letters_a(name) or str(seat + 1)

    def begin(self, players: int, options: GoneOptions, bag: Bag) -> Step[GoneState]:
        """The table lays a figure of three; each player draws as many as years, or as agreed."""
        for what, listed in (("ages", options.ages), ("names", options.names)):
            if listed and len(listed) != players:
                raise BadOptions(
                    f"{what} must have {players} values, one for each player, not {len(listed)}.",
                    f"bad_{what}",
                )
        counts = count_first_hands(options, players)
        needed = FIGURE + sum(counts)
        if len(bag) < needed:
            raise BadOptions(
                f"The figure and the hands need {needed} dominoes, but the set has {len(bag)}.",
                "bad_set",
            )
        table = Table(self.tiles(options))
        bag = lay_figure(table, bag, FIGURE)
        first = find_first(options)
        events: list[Event] = []
        hands: tuple[tuple[str, ...], ...] = ((),) * players
        for step in range(players):
            seat = (first + step) % players
            drawn, bag = bag.draw(counts[seat])
            hands = replace_item(hands, seat, drawn)
            events.append(Drew(seat, len(drawn), drawn))
        state = GoneState(
            options=options,
            phase="play",
            table=table.freeze(),
            bag=bag,
            hands=hands,
            active=first,
        )
        return Step(state, tuple(events))

    def legal_moves(self, view: GoneView) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player != view.active:
            return []
        return list_layings(view) or [Pass(player)]

    def apply(self, state: GoneState, move: Move) -> Step[GoneState]:
        self.check_turn(state, move)
        if isinstance(move, Lay):
            self.check_in_hand(state, move)
            return self._lay(state, move)
        if isinstance(move, Pass):
            return self._pass(state)
        raise self.no_such_move()

    def _lay(self, state: GoneState, move: Lay) -> Step[GoneState]:
        """One disc: draw one. Two: nothing. Three or more: lay again (rules 4, Turn)."""
        seat = state.active
        state, earned = lay_for_active(state, move.laying)
        state = replace(state, passes=0, again=False)
        events: list[Event] = [Laid(seat, move.laying, earned, scores=False)]
        if earned.contacts == 1:
            state = draw_for(state, seat, 1, events)
        if not state.hands[seat]:
            return self._end_game(state, "gone", events)
        if earned.contacts >= LAYS_AGAIN:
            return Step(replace(state, again=True), tuple(events))
        return self._next(state, events)

    def _pass(self, state: GoneState) -> Step[GoneState]:
        """Nothing to lay: draw one, turn over (rules 4)."""
        self.check_stuck(state)
        passes = 0 if len(state.bag) else state.passes + 1
        events: list[Event] = [Passed(state.active)]
        state = replace(state, passes=passes, again=False)
        state = draw_for(state, state.active, 1, events)
        if state.passes >= state.players:
            return self._end_game(state, "blocked", events)
        return self._next(state, events)

    def _next(self, state: GoneState, events: list[Event]) -> Step[GoneState]:
        return Step(replace(state, active=(state.active + 1) % state.players), tuple(events))

    def _end_game(self, state: GoneState, reason: str, events: list[Event]) -> Step[GoneState]:
        """The first empty hand wins; if no player can move, the fewest dominoes (rules 4).

        As scores, the dominoes left count against their owners.
        """
        left = tuple([-len(hand) for hand in state.hands])
        return self.finish(state, left, reason, events)
