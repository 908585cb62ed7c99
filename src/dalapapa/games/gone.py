"""Gone, the children's game for 2 to 6 players of 4 to 8 years (rules 4)."""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec.structs import replace

from ..errors import BadOptions, IllegalMove
from ..table import Table
from ..tiles import TileSet
from .bag import Bag
from .events import Drew, Ended, Event, Laid, Outcome, Passed
from .game import Game, SetChoice, Step, drawn_by, result_of, tile_set, with_item
from .moves import Lay, Move, Pass

FIGURE = 3
"""Dominoes of the starting figure."""

YOUNGEST, USUAL_AGE, OLDEST = 4, 6, 8


class GoneOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays: ages decide how much is drawn, names who begins."""

    ages: tuple[int, ...] = ()
    """One for each player, 4 to 8; without them, everybody is 6."""
    names: tuple[str, ...] = ()
    """One for each player; without them, the first seat begins."""
    set: SetChoice = "120"


class GoneState(msgspec.Struct, frozen=True):
    """Everything about a game at one moment."""

    options: GoneOptions
    table: Table
    bag: Bag
    hands: tuple[tuple[str, ...], ...]
    active: int
    phase: Literal["play", "over"] = "play"
    again: bool = False
    """The active player made three discs or more, and lays again."""
    passes: int = 0
    """Players in a row, up to now, who could neither lay nor draw."""
    outcome: Outcome | None = None

    @property
    def players(self) -> int:
        """How many take part."""
        return len(self.hands)


class GoneView(msgspec.Struct, frozen=True):
    """What one viewer sees. Hidden: the other hands, the bag's order and the seed."""

    game: str
    viewer: int | None
    options: GoneOptions
    table: Table
    bag_count: int
    hand: tuple[str, ...]
    hand_counts: tuple[int, ...]
    phase: Literal["play", "over"]
    active: int
    again: bool
    can_undo: bool
    outcome: Outcome | None


def letters_a(name: str) -> int:
    """How many letters a a name has: any case, accented ones too (rules 4, First)."""
    return unicodedata.normalize("NFD", name.casefold()).count("a")


class Gone(Game):
    """Rules 4. Turns end by themselves, so there is nothing to undo."""

    name = "gone"
    seats = range(2, 7)
    options = GoneOptions

    def tiles(self, options: GoneOptions) -> TileSet:
        return tile_set(options.set)

    def start(self, players: int, options: GoneOptions, bag: Bag) -> Step:
        """The table lays a figure of three; each player draws as many as years of age."""
        self.check_players(players)
        for age in options.ages:
            if type(age) is not int or not YOUNGEST <= age <= OLDEST:
                raise BadOptions(f"Gone is for ages {YOUNGEST} to {OLDEST}, not {age}.", "bad_ages")
        for what, listed in (("ages", options.ages), ("names", options.names)):
            if listed and len(listed) != players:
                raise BadOptions(f"{len(listed)} {what} for {players} players.", f"bad_{what}")
        ages = options.ages or (USUAL_AGE,) * players
        table = Table(self.tiles(options))
        events: list[Event] = []
        bag = _lay_figure(table, bag)
        counts = [letters_a(name) for name in options.names] or [0] * players
        first = counts.index(max(counts))
        hands: tuple[tuple[str, ...], ...] = ((),) * players
        for step in range(players):
            seat = (first + step) % players
            drawn, bag = bag.draw(ages[seat])
            if not drawn:
                raise BadOptions("There are too few dominoes for all players.", "bad_set")
            hands = with_item(hands, seat, drawn)
            events.append(Drew(seat, len(drawn), drawn))
        return Step(GoneState(options, table.freeze(), bag, hands, first), tuple(events))

    def outcome(self, state: GoneState) -> Outcome | None:
        return state.outcome

    def actors(self, state: GoneState) -> tuple[int, ...]:
        return () if state.phase == "over" else (state.active,)

    def view(self, state: GoneState, viewer: int | None) -> GoneView:
        self.check_viewer(viewer, state.players)
        return GoneView(
            self.name,
            viewer,
            state.options,
            state.table,
            len(state.bag),
            () if viewer is None else state.hands[viewer],
            tuple([len(hand) for hand in state.hands]),
            state.phase,
            state.active,
            state.again,
            False,
            state.outcome,
        )

    def legal_moves(self, view: GoneView) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player != view.active:
            return []
        moves: list[Move] = [
            Lay(player, laying) for name in view.hand for laying in view.table.legal(name)
        ]
        return moves or [Pass(player)]

    def apply(self, state: GoneState, move: Move) -> Step:
        self.check_turn(state, move)
        if isinstance(move, Lay):
            self.check_in_hand(state, move)
            return self._lay(state, move)
        if isinstance(move, Pass):
            return self._pass(state)
        raise IllegalMove(f"{self.name} knows no such move.", "malformed_move")

    def _lay(self, state: GoneState, move: Lay) -> Step:
        """One disc: draw one. Two: nothing. Three or more: lay again (rules 4, Turn)."""
        seat = state.active
        table = state.table.copy()
        earned = table.lay(move.laying)
        hand = tuple([name for name in state.hands[seat] if name != move.laying.tile])
        state = replace(
            state,
            table=table.freeze(),
            hands=with_item(state.hands, seat, hand),
            passes=0,
            again=False,
        )
        events: list[Event] = [Laid(seat, move.laying, earned, scores=False)]
        if earned.contacts == 1:
            state = drawn_by(state, seat, 1, events)
        if not state.hands[seat]:
            return self._over(state, "gone", events)
        if earned.contacts >= 3:
            return Step(replace(state, again=True), tuple(events))
        return self._next(state, events)

    def _pass(self, state: GoneState) -> Step:
        """Nothing to lay: draw one, turn over (rules 4)."""
        for name in state.hands[state.active]:
            if state.table.can_lay(name):
                raise IllegalMove(f"You can lay {name}, so you cannot pass.", "cannot_pass")
        passes = 0 if len(state.bag) else state.passes + 1
        events: list[Event] = [Passed(state.active)]
        state = replace(state, passes=passes, again=False)
        state = drawn_by(state, state.active, 1, events)
        if state.passes >= state.players:
            return self._over(state, "blocked", events)
        return self._next(state, events)

    def _next(self, state: GoneState, events: list[Event]) -> Step:
        return Step(replace(state, active=(state.active + 1) % state.players), tuple(events))

    def _over(self, state: GoneState, reason: str, events: list[Event]) -> Step:
        """The first empty hand wins; if nobody can go on, the fewest dominoes (rules 4).

        As scores, the dominoes left count against their owners.
        """
        outcome = result_of(tuple([-len(hand) for hand in state.hands]), reason)
        events.append(Ended(outcome))
        return Step(replace(state, phase="over", outcome=outcome), tuple(events))


def _lay_figure(table: Table, bag: Bag) -> Bag:
    """Lay the starting figure at random but legal; what does not fit goes back."""
    aside: list[str] = []
    while len(table) < FIGURE and len(bag):
        (name,), bag = bag.draw(1)
        layings = table.legal(name)
        if not layings:
            aside.append(name)
            continue
        chance = sha256(f"{bag.seed}/figure/{len(table)}".encode()).digest()
        table.lay(layings[int.from_bytes(chance[:8]) % len(layings)])
    return bag.put_back(tuple(aside)) if aside else bag
