"""Dalapapa 72: tokens, and markers on territories (rules 8).

In the words of this game a disc is a cell, a contact a connection, a closed group a territory.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import BadOptions, IllegalMove
from ...core.geometry import Disc
from ...core.points import Group
from ...kernel.table import Table
from ..bag import Bag, draw_number
from ..events import (
    Drew,
    Event,
    Laid,
    MarkerPut,
    MarkerTakenBack,
    Passed,
    PremiumGivenBack,
    PremiumTaken,
    Replayed,
    Showed,
    TokensMoved,
    TurnEnded,
    Undone,
    WentBack,
)
from ..game import PlacedMark, Step, add_points, replace_item
from ..moves import End, Lay, Mark, Move, Pass, PlayAgain, Undo
from ..options import SetChoice
from ..turns import HAND, SetOptions, TurnGame, TurnState, TurnView, draw_for, lay_for_active

TOKENS = 24
TOKENS_EACH = 2
MARKERS = {2: 12, 3: 8, 4: 6}
"""Markers of each player, by the number of players."""
PREMIUM = 5
MarkerColour = Literal["black", "brown", "beige", "orange"]
"""The author's colours, in the order of the seats if players choose none."""
FIGURE = 3
"""Dominoes that the dealer lays."""
REPLAY_PRICE = 2


class Options72(SetOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    dealer: Annotated[
        Annotated[int, Meta(ge=0, le=3)] | None,
        Meta(description="the dealer's seat; by default drawn at random"),
    ] = None
    colours: Annotated[
        tuple[MarkerColour, ...],
        Meta(
            description="marker colour of each player; by default black, brown, beige, orange",
            extra={"omit_default": True},
        ),
    ] = ()
    set: Annotated[SetChoice, Meta(description="the dominoes")] = "72"


class State72(TurnState, frozen=True, kw_only=True):
    """The phases are setup, play and over."""

    options: Options72
    dealer: int
    scores: tuple[int, ...]
    """The cells of the player's territories, plus the premium."""
    tokens: tuple[int, ...]
    reserve: int
    markers_left: tuple[int, ...]
    markers: tuple[PlacedMark, ...] = ()
    laid: Laid | None = None
    """The laying of the current turn."""
    turn_points: int = 0
    """The points of markers in this turn, including replays."""
    premium: int | None = None
    """The player who has taken the premium."""
    last_turns: int | None = None
    """Turns left, including the current one, once a player has put the last own marker."""
    passes: int = 0
    """The number of players in a row who passed and whom no token can help."""


class View72(TurnView, frozen=True, kw_only=True):
    """What one viewer sees."""

    options: Options72
    dealer: int
    scores: tuple[int, ...]
    tokens: tuple[int, ...]
    reserve: int
    markers_left: tuple[int, ...]
    markers: tuple[PlacedMark, ...]
    laid: Laid | None
    premium: int | None
    last_turns: int | None


def find_free_territories(table: Table, markers: tuple[PlacedMark, ...]) -> list[Group]:
    """The territories without a marker, the largest first."""
    taken = {marker.disc for marker in markers}
    return [g for g in table.groups() if g.closed and not taken.intersection(g.discs)]


class Dalapapa72(TurnGame[Options72, State72, View72]):
    """Rules 8."""

    name = "72"
    seats: range = range(2, 5)

    def begin(self, players: int, options: Options72, bag: Bag) -> Step[State72]:
        """The dealer, drawn at random, draws three dominoes to lay as they please."""
        dealer = options.dealer
        if dealer is None:
            dealer = draw_number(bag.seed, "dealer") % players
        if dealer not in range(players):
            raise BadOptions(
                f"dealer must be a seat from 0 to {players - 1}, not {dealer}.", "bad_dealer"
            )
        colours = options.colours
        if colours and (len(colours) != players or len(set(colours)) != players):
            raise BadOptions(
                f"colours must have {players} different values, one for each player.",
                "bad_colours",
            )
        if len(bag) < FIGURE + 1:
            raise BadOptions(
                f"This game needs at least {FIGURE + 1} dominoes, not {len(bag)}.", "bad_set"
            )
        drawn, bag = bag.draw(FIGURE)
        state = State72(
            options=options,
            phase="setup",
            dealer=dealer,
            table=Table(self.tiles(options)).freeze(),
            bag=bag,
            hands=replace_item(((),) * players, dealer, drawn),
            active=dealer,
            scores=(0,) * players,
            tokens=(TOKENS_EACH,) * players,
            reserve=TOKENS - TOKENS_EACH * players,
            markers_left=(MARKERS[players],) * players,
        )
        return Step(state, (Drew(dealer, len(drawn), drawn),))

    def playable_tiles(self, view: View72) -> tuple[str, ...]:
        """One domino in a turn."""
        return () if view.laid is not None and view.viewer == view.active else view.hand

    def legal_moves(self, view: View72) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player != view.active:
            return []
        if view.laid is None:
            layings: list[Move] = [
                Lay(player, laying)
                for name in view.hand
                for laying, earned in view.table.scored(name)
                if view.phase == "setup" or view.tokens[player] or earned.contacts != 1
            ]
            return layings or [Pass(player)]
        moves: list[Move] = [End(player)]
        if view.premium == player:  # After the last marker, the end is all that is left.
            return moves
        if view.tokens[player] >= REPLAY_PRICE and (view.hand or view.bag_count):
            moves.append(PlayAgain(player))
        if view.markers_left[player]:
            free = find_free_territories(view.table, view.markers)
            moves += [Mark(player, territory.discs[0]) for territory in free]
        return moves

    def apply(self, state: State72, move: Move) -> Step[State72]:
        self.check_turn(state, move)
        if state.premium == state.active and isinstance(move, Lay | PlayAgain):
            raise IllegalMove(
                "You have put your last marker: end the turn, or take it back.", "last_marker"
            )
        match move:
            case Lay():
                self.check_in_hand(state, move)
                return self._lay(state, move)
            case Mark():
                self.check_disc(move.disc)
                return self._mark(state, move.disc)
            case PlayAgain():
                return self._replay(state)
            case End():
                return self._end(state)
            case Pass():
                return self._pass(state)
            case Undo():
                return self._undo(state)
        raise self.no_such_move()

    # -- setup -------------------------------------------------------------------------------

    def _lay_in_setup(self, state: State72, events: list[Event]) -> Step[State72]:
        """When the dealer has laid the figure, each gets two dominoes; the dealer's left begins."""
        if state.hands[state.dealer]:
            return Step(state, tuple(events))
        state = replace(state, phase="play", before=None)
        for step in range(1, state.players + 1):
            seat = (state.dealer + step) % state.players
            state = draw_for(state, seat, HAND, events)
        return self._begin_turn(state, events)

    # -- a turn ------------------------------------------------------------------------------

    def _lay(self, state: State72, move: Lay) -> Step[State72]:
        """One connection costs a token, two are free, more earn some (rules 8, 1)."""
        seat = state.active
        if state.laid is not None:
            raise IllegalMove(
                "You have already laid a domino: mark, play again or end the turn.",
                "already_laid_one",
            )
        after, earned = lay_for_active(state, move.laying)
        after = replace(after, before=state)
        laid = Laid(seat, move.laying, earned, scores=False)
        events: list[Event] = [laid]
        if state.phase == "setup":
            return self._lay_in_setup(after, events)
        after = replace(after, laid=laid, passes=0)
        if earned.contacts == 1:
            if not state.tokens[seat]:
                raise IllegalMove("One connection costs a token, and you have none.", "no_token")
            after = self._move_tokens(after, seat, -1, events)
        elif earned.contacts > 2:
            after = self._move_tokens(after, seat, earned.contacts - 2, events)
        return Step(after, tuple(events))

    def _move_tokens(self, state: State72, seat: int, tokens: int, events: list[Event]) -> State72:
        """Tokens from the reserve, as far as it goes, or back to it (negative)."""
        tokens = min(tokens, state.reserve)
        if tokens:
            events.append(TokensMoved(seat, tokens))
        return replace(
            state,
            tokens=replace_item(state.tokens, seat, state.tokens[seat] + tokens),
            reserve=state.reserve - tokens,
        )

    def _mark(self, state: State72, disc: Disc) -> Step[State72]:
        """A marker on an unmarked territory, new or old; never moved (rules 8, 2)."""
        seat = state.active
        if state.laid is None:
            raise IllegalMove("Lay a domino first, then put markers.", "must_lay")
        if not state.markers_left[seat]:
            raise IllegalMove("You have no marker left.", "no_marker_left")
        group = next((g for g in state.table.groups() if disc in g.discs), None)
        if group is None:
            raise IllegalMove("There is no cell at this place.", "no_disc")
        if not group.closed:
            raise IllegalMove("This group is open: you can mark only territories.", "open_group")
        if any(marker.disc in group.discs for marker in state.markers):
            raise IllegalMove("This territory already carries a marker.", "group_marked")
        events: list[Event] = [MarkerPut(seat, disc, group.colour, group.size)]
        after = replace(
            state,
            markers=(*state.markers, PlacedMark(seat, disc)),
            markers_left=add_points(state.markers_left, seat, -1),
            scores=add_points(state.scores, seat, group.size),
            turn_points=state.turn_points + group.size,
            before=state,
        )
        if after.markers_left[seat] or state.premium is not None:
            return Step(after, tuple(events))
        return self._take_premium(after, events)

    def _take_premium(self, state: State72, events: list[Event]) -> Step[State72]:
        """The first to put the last own marker takes it; undo or end are left (rules 8, End)."""
        seat = state.active
        events.append(PremiumTaken(seat, PREMIUM))
        after = replace(
            state,
            premium=seat,
            scores=add_points(state.scores, seat, PREMIUM),
            turn_points=state.turn_points + PREMIUM,
            last_turns=state.players,
        )
        return Step(after, tuple(events))

    def _replay(self, state: State72) -> Step[State72]:
        """Pay two tokens, draw a domino and play a whole turn again (rules 8, 3)."""
        seat = state.active
        if state.laid is None:
            raise IllegalMove("Lay a domino first.", "must_lay")
        if state.tokens[seat] < REPLAY_PRICE:
            raise IllegalMove("Playing again costs two tokens.", "no_token")
        if not state.hands[seat] and not len(state.bag):
            raise IllegalMove("You have no domino to play again with.", "no_dominoes")
        events: list[Event] = [Replayed(seat)]
        state = self._move_tokens(state, seat, -REPLAY_PRICE, events)
        state = draw_for(state, seat, 1, events)
        return Step(replace(state, laid=None, before=None), tuple(events))

    def _end(self, state: State72) -> Step[State72]:
        if state.laid is None:
            raise IllegalMove("Lay a domino first: a turn needs at least one.", "must_lay")
        seat = state.active
        events: list[Event] = [TurnEnded(seat, state.turn_points)]
        return self._end_turn(draw_for(state, seat, 1, events), events)

    def _pass(self, state: State72) -> Step[State72]:
        """Only without a laying that one can pay for: show the hand, take a token (rules 8)."""
        seat = state.active
        if state.laid is not None:
            raise IllegalMove(
                "You cannot pass after a laying: play again or end the turn.", "cannot_pass"
            )
        stuck = True
        for name in state.hands[seat]:
            for _, earned in state.table.scored(name):
                stuck = False
                if state.phase == "setup" or state.tokens[seat] or earned.contacts != 1:
                    raise IllegalMove(f"You can lay {name}, so you cannot pass.", "cannot_pass")
        if state.phase == "setup":  # What the dealer cannot lay goes back.
            back: list[Event] = [WentBack(seat, name) for name in state.hands[seat]]
            bag = state.bag.put_back(state.hands[seat])
            state = replace(state, bag=bag, hands=replace_item(state.hands, seat, ()))
            return self._lay_in_setup(state, [Passed(seat), *back])
        events: list[Event] = [Passed(seat), Showed(seat, state.hands[seat])]
        passes = state.passes + 1 if stuck or not state.reserve else 0
        state = self._move_tokens(replace(state, passes=passes), seat, 1, events)
        return self._end_turn(state, events)

    def _undo(self, state: State72) -> Step[State72]:
        """Undo within the own turn, but never a draw."""
        before = state.undone()
        seat = state.active
        events: list[Event]
        if len(before.markers) < len(state.markers):
            premium = 0 if state.premium == before.premium else PREMIUM
            points = before.scores[seat] - state.scores[seat] + premium
            events = [MarkerTakenBack(seat, state.markers[-1].disc, points)]
            if premium:
                events.append(PremiumGivenBack(seat, -premium))
            return Step(before, tuple(events))
        events = [Undone(seat, state.table.layings[-1], 0)]
        tokens = before.tokens[seat] - state.tokens[seat]
        if tokens:
            events.append(TokensMoved(seat, tokens))
        return Step(before, tuple(events))

    def _end_turn(self, state: State72, events: list[Event]) -> Step[State72]:
        if state.last_turns is not None:
            state = replace(state, last_turns=state.last_turns - 1)
            if not state.last_turns:
                return self._end_game(state, "markers", events)
        return self._begin_turn(state, events)

    def _begin_turn(self, state: State72, events: list[Event]) -> Step[State72]:
        """On to the left; the game ends at once if that player has no domino (rules 8, End)."""
        seat = (state.active + 1) % state.players
        state = replace(state, active=seat, laid=None, turn_points=0, before=None)
        if not state.hands[state.active]:
            return self._end_game(state, "no_dominoes", events)
        if state.passes >= state.players:
            return self._end_game(state, "blocked", events)
        return Step(state, tuple(events))

    def _end_game(self, state: State72, reason: str, events: list[Event]) -> Step[State72]:
        """Highest wins; ties share."""
        state = replace(state, laid=None, before=None)
        return self.finish(state, state.scores, reason, events)
