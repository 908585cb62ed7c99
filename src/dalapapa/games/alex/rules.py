"""Alex: all players look for the best turn with the same two dominoes (rules 7).

A round has three phases. In `look` there is no announcement yet. The first announcement turns the
sandglass (`sandglass`): the others have that time to announce more than the leader. When it has
run out, or all others have passed since the last announcement, the highest announcer lays the
turn (`show`); if it is wrong, the next lower one does. The order in which moves arrive decides:
the second announcement of the same number comes too late.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ...core.errors import BadOptions, Conflict, IllegalMove
from ...core.notation import Laying, shorten
from ...core.points import SECOND_DOMINO_CHARGE
from ...kernel.table import Table
from ..bag import Bag, lay_figure
from ..events import (
    Announced,
    Event,
    Laid,
    Passed,
    Proved,
    Punished,
    Revealed,
    RoundBegan,
    RoundSkipped,
    Showing,
    TimeRanOut,
    Undone,
    WentBack,
)
from ..game import LAYING_S, Step, Timer, add_points, replace_item
from ..moves import Announce, End, Lay, Move, NoMore, TimeUp, Undo
from ..turns import SharedTableGame, remove_tile
from .state import (
    DEFAULT_SHOW_S,
    AlexOptions,
    AlexState,
    AlexView,
    Announcement,
    find_best_announcement,
    find_highest,
    find_leader,
)

DRAWN = 2
"""Dominoes that are shown in a round."""

OLD_SHOW_S = 60
"""The time to show a turn in games that are older than the option `show`."""

GAME_TIMER = 0
"""The number of the timer of the whole game; those of rounds begin with 1."""

MAX_POINTS = 1000
"""The highest announcement; no turn is worth as much."""

LISTED_ANNOUNCEMENTS = 3
"""The number of possible announcements among the legal moves; any higher one is legal."""

MAX_MISTAKES = 3
"""The mistake that throws a player out of the game."""

LOOK_S = 12.0
"""The time to find a turn to announce, before the first announcement."""

LOOK_AGAIN_S = 7.0
"""The time to find a better turn than was announced, or that there is none."""


class Alex(SharedTableGame[AlexOptions, AlexState, AlexView]):
    """Rules 7."""

    name = "alex"
    seats: range = range(2, 11)

    def begin(self, players: int, options: AlexOptions, bag: Bag) -> Step[AlexState]:
        """A figure on the table, and the first two dominoes."""
        if len(bag) < options.figure + DRAWN:
            raise BadOptions(
                f"This game needs at least {options.figure + DRAWN} dominoes, not {len(bag)}.",
                "bad_set",
            )
        table = Table(self.tiles(options))
        bag = lay_figure(table, bag, options.figure)
        state = AlexState(
            options=options,
            phase="look",
            table=table.freeze(),
            bag=bag,
            scores=(0,) * players,
            mistakes=(0,) * players,
        )
        return self._next_round(state, [])

    def actors(self, state: AlexState) -> tuple[int, ...]:
        """The shower; or all players except the leader and those who have passed since then."""
        if state.phase == "over":
            return ()
        if state.shower is not None:
            return (state.shower,)
        waits = (*state.passed, state.leader)
        return tuple([seat for seat in _playing(state) if seat not in waits])

    def playable_tiles(self, view: AlexView) -> tuple[str, ...]:
        """The dominoes of the shower; the others have none to lay or to try."""
        return view.drawn if view.shower is not None and view.viewer == view.shower else ()

    def can_try(self, view: AlexView) -> bool:
        return view.viewer != view.shower

    def next_actors(self, state: AlexState) -> tuple[int, ...]:
        """All players who may announce: the quickest does."""
        return self.actors(state)

    def thinking_time(self, view: AlexView, pace: float) -> float:
        return {"show": LAYING_S, "look": LOOK_S}.get(view.phase, LOOK_AGAIN_S) / pace

    def clock_player(self, state: AlexState) -> int | None:
        """The shower. All others have the whole sandglass, even the last one who has not passed."""
        return state.shower

    def timer(self, state: AlexState) -> Timer | None:
        """The sandglass, the time to show a turn, or the time to look if that was agreed."""
        if state.phase == "look" and state.options.look:
            return Timer(state.timers, state.options.look)
        if state.phase == "sandglass":
            return Timer(state.timers, state.options.sandglass)
        if state.phase == "show":
            show = state.options.show
            return Timer(state.timers, OLD_SHOW_S if show is None else show)
        return None

    def time_limit(self, state: AlexState) -> Timer | None:
        """The agreed minutes, beside all other timers."""
        if state.phase == "over" or state.options.end != "time" or state.last_round:
            return None
        return Timer(GAME_TIMER, 60 * state.options.minutes)

    def read_stored_options(self, options: dict[str, Any], has_undo: bool) -> dict[str, Any]:
        """Games from before the option `show` had a minute, and layings could be taken back.

        Records leave out the default, so that there only an undo shows that a game is older.
        """
        return {"show": None, **options} if has_undo else options

    def write_new_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return {"show": DEFAULT_SHOW_S, **options}

    def has_aids(self, view: AlexView) -> bool:
        """Not while showing: a bluff could be searched for (rules 7)."""
        return view.phase != "show" or view.options.show is None

    def view_fields(self, state: AlexState, viewer: int | None) -> dict[str, Any]:
        in_game = _in_game(state)
        out = tuple([seat for seat in range(state.players) if seat not in in_game])
        fields = {**super().view_fields(state, viewer), "out": out}
        return fields if state.options.show is None else {**fields, "can_undo": False}

    def legal_moves(self, view: AlexView) -> list[Move]:
        """The next few possible announcements; empty for the leader.

        A player who has passed may still announce more.
        """
        player = view.viewer
        if view.phase == "over" or player is None:
            return []
        if view.phase == "show":
            if player != view.shower:
                return []
            layings = [laying for name in view.drawn for laying in view.table.legal(name)]
            return [*(Lay(player, laying) for laying in layings), End(player)]
        waits = (*view.passed, *view.sitting_out, find_leader(view.announcements))
        if player in waits or player in view.out:
            return []
        more = range(view.announced + 1, min(view.announced + LISTED_ANNOUNCEMENTS, MAX_POINTS) + 1)
        announcements: list[Move] = [Announce(player, points, view.round) for points in more]
        return [*announcements, NoMore(player, view.announced, view.round)]

    def apply(self, state: AlexState, move: Move) -> Step[AlexState]:
        self.check_player(state, move)
        if isinstance(move, TimeUp):
            return self._time_up(state, move.timer)
        if state.mistakes[move.player] >= MAX_MISTAKES:
            raise IllegalMove("You are out of the game.", "out_of_game")
        if move.player in state.sitting_out:
            raise IllegalMove("You sit out this round.", "sits_out")
        match move:
            case Announce():
                return self._announce(state, move)
            case NoMore():
                return self._no_more(state, move)
            case Lay() | Undo() | End():
                self._check_showing(state, move.player)
                if isinstance(move, Lay):
                    self.check_laying(move)
                    return self._lay(state, move.laying)
                if isinstance(move, End):
                    return self._judge(state, [])
                if state.options.show is not None:
                    raise IllegalMove("What is shown cannot be taken back.", "nothing_to_undo")
                return self._undo(state)
        raise self.no_such_move()

    # -- a round -----------------------------------------------------------------------------

    def _next_round(self, state: AlexState, events: list[Event]) -> Step[AlexState]:
        """Draw two dominoes and show them, unless all players sit out."""
        while True:
            if state.last_round:
                return self._end_game(self._return_drawn(state, events), "time", events)
            if state.options.end == "rounds" and state.round == state.options.rounds:
                return self._end_game(self._return_drawn(state, events), "rounds", events)
            if not any(map(state.table.can_lay, (*state.bag.names, *state.drawn))):
                return self._end_game(self._return_drawn(state, events), "blocked", events)
            state = replace(
                state,
                phase="look",
                round=state.round + 1,
                sitting_out=state.sit_out_next,
                sit_out_next=(),
                announcements=(),
                passed=(),
                failed=(),
                shower=None,
                turn=(),
                before=None,
            )
            if _playing(state):
                return self._draw_round(state, events)
            events.append(RoundSkipped(state.round, state.sitting_out))

    def _draw_round(self, state: AlexState, events: list[Event]) -> Step[AlexState]:
        """Draw two dominoes, other than those left from a round without announcements."""
        if len(state.bag) < DRAWN:
            state = self._return_drawn(state, events)
        drawn, bag = state.bag.draw(DRAWN)
        state = self._return_drawn(replace(state, bag=bag), events)
        events.append(RoundBegan(state.round, drawn, state.sitting_out))
        after = replace(state, drawn=drawn, timers=state.timers + bool(state.options.look))
        return Step(after, tuple(events))

    def _return_drawn(self, state: AlexState, events: list[Event]) -> AlexState:
        """Put the dominoes that were not laid back into the bag."""
        if not state.drawn:
            return state
        events += [WentBack(None, name) for name in state.drawn]
        return replace(state, bag=state.bag.put_back(state.drawn), drawn=())

    def _announce(self, state: AlexState, move: Announce) -> Step[AlexState]:
        """Announce more than all others; the first one turns the sandglass if others play."""
        self._check_announcing(state, move)
        points = move.announced
        if type(points) is not int or not 1 <= points <= MAX_POINTS:
            raise IllegalMove(f"Announce 1 to {MAX_POINTS} points.", "bad_announcement")
        highest = find_highest(state.announcements)
        if points <= highest:
            raise IllegalMove(
                f"A player has already announced {highest} points: announce more.", "not_more"
            )  # fmt: skip
        after = replace(
            state,
            phase="sandglass",
            announcements=(*state.announcements, Announcement(move.player, points)),
            passed=(),
        )
        events: list[Event] = [Announced(move.player, points)]
        if not self.actors(after):
            return self._show_next(after, events)
        return Step(replace(after, timers=state.timers + (state.phase == "look")), tuple(events))

    def _no_more(self, state: AlexState, move: NoMore) -> Step[AlexState]:
        """Pass. When all players except the leader have passed, announcing is over."""
        self._check_announcing(state, move)
        if type(move.announced) is not int or move.announced != find_highest(state.announcements):
            raise Conflict("There is a new announcement: can you top it?", "stale")
        if move.player in state.passed:
            raise IllegalMove("You have already passed.", "already_passed")
        state = replace(state, passed=(*state.passed, move.player))
        events: list[Event] = [Passed(move.player)]
        if self.actors(state):
            return Step(state, tuple(events))
        return self._show_next(state, events)

    def _check_announcing(self, state: AlexState, move: Announce | NoMore) -> None:
        """Refuse a move for another round, after the sandglass, or of the leader.

        The minute is for the others: the leader neither raises nor passes (rules 7).
        """
        if type(move.round) is not int or move.round != state.round:
            raise Conflict("That round is over.", "stale")
        if state.phase == "show":
            raise IllegalMove("It is too late to announce.", "too_late")
        if move.player == state.leader:
            raise IllegalMove(
                "You lead: wait until the others announce more, or time is up.", "own_lead"
            )

    def _time_up(self, state: AlexState, timer: int) -> Step[AlexState]:
        """After looking or the sandglass, announcing is over. After showing, the table counts.

        When the agreed minutes are over, the running round goes on: it is the last.
        """
        if timer == GAME_TIMER:
            return Step(replace(state, last_round=True), (TimeRanOut(GAME_TIMER),))
        events: list[Event] = [TimeRanOut(state.timers)]
        if state.phase == "show":
            return self._judge(state, events)
        return self._show_next(state, events)

    # -- showing -----------------------------------------------------------------------------

    def _show_next(self, state: AlexState, events: list[Event]) -> Step[AlexState]:
        """The highest announcer who has not failed shows; if there is none, the round ends."""
        for one in reversed(state.announcements):
            if one.player not in state.failed:
                events.append(Showing(one.player, one.points))
                after = replace(
                    state, phase="show", shower=one.player, timers=state.timers + 1
                )  # fmt: skip
                return Step(after, tuple(events))
        if state.options.reveal:
            events.append(Revealed(state.table.best_turn(state.drawn)))
        return self._end_round(state, events)

    def _check_showing(self, state: AlexState, player: int) -> None:
        if state.phase != "show":
            raise IllegalMove(
                "You can move the dominoes only while a turn is shown.", "not_showing"
            )
        if player != state.shower:
            raise IllegalMove("Another player is showing a turn.", "not_your_turn")

    def _lay(self, state: AlexState, laying: Laying) -> Step[AlexState]:
        assert state.shower is not None
        if laying.tile not in state.drawn:
            raise IllegalMove(
                f"{shorten(laying.tile)} is not one of the dominoes shown.", "not_in_hand"
            )
        table, earned = state.table.followed(laying)
        charge = SECOND_DOMINO_CHARGE if state.turn else 0
        laid = Laid(state.shower, laying, earned, charge, scores=False)
        after = replace(
            state,
            table=table,
            drawn=remove_tile(state.drawn, laying.tile),
            turn=(*state.turn, laid),
            before=state,
        )
        return Step(after, (laid,))

    def _undo(self, state: AlexState) -> Step[AlexState]:
        before = replace(state.undone(), last_round=state.last_round)
        laid = state.turn[-1]
        return Step(before, (Undone(laid.player, laid.laying, 0),))

    def _judge(self, state: AlexState, events: list[Event]) -> Step[AlexState]:
        """Score the announcement if the turn is worth it; else punish, and ask the next one."""
        player = state.shower
        assert player is not None
        announced = find_best_announcement(state.announcements, player)
        shown = sum([laid.earned.points - laid.charge for laid in state.turn])
        if shown >= announced:
            events.append(Proved(player, announced, shown))
            scores = add_points(state.scores, player, announced)
            return self._end_round(replace(state, scores=scores), events)
        while state.before is not None:
            step = self._undo(state)
            state = step.state
            events += step.events
        return self._show_next(self._punish(state, player, announced, events), events)

    def _punish(
        self, state: AlexState, player: int, announced: int, events: list[Event]
    ) -> AlexState:
        """The first mistake costs the next round, the second the points, the third the game."""
        mistake = state.mistakes[player] + 1
        event = Punished(player, mistake, announced)
        events.append(event)
        sit_out_next = (*state.sit_out_next, player) if mistake == 1 else state.sit_out_next
        return replace(
            state,
            scores=add_points(state.scores, player, event.points),
            mistakes=replace_item(state.mistakes, player, mistake),
            sit_out_next=sit_out_next,
            failed=(*state.failed, player),
            shower=None,
        )

    # -- ends --------------------------------------------------------------------------------

    def _end_round(self, state: AlexState, events: list[Event]) -> Step[AlexState]:
        """Put unlaid dominoes back into the bag; then begin the next round, or end the game.

        Without any announcement, they stay out until two others are drawn.
        """
        if state.announcements:
            state = self._return_drawn(state, events)
        state = replace(state, shower=None, turn=(), before=None)
        left = _in_game(state)
        if len(left) < 2:
            return self._end_game(state, "last_player", events)
        if state.options.end == "target":
            best = max(state.scores[seat] for seat in left)
            if best >= state.options.target:
                return self._end_game(state, "target", events)
        return self._next_round(state, events)

    def _end_game(self, state: AlexState, reason: str, events: list[Event]) -> Step[AlexState]:
        return self.finish(state, state.scores, reason, events)

    def winners(self, state: AlexState, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The highest score among the players still in the game wins; ties share."""
        left = _in_game(state)
        best = max((scores[seat] for seat in left), default=0)
        return tuple([seat for seat in left if scores[seat] == best])


def _in_game(state: AlexState) -> tuple[int, ...]:
    return tuple([seat for seat, count in enumerate(state.mistakes) if count < MAX_MISTAKES])


def _playing(state: AlexState) -> tuple[int, ...]:
    """The players who take part in this round."""
    return tuple([seat for seat in _in_game(state) if seat not in state.sitting_out])
