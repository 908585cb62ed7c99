"""Events: the changes of a move, in parts that explain every point."""

from __future__ import annotations

import msgspec

from ..core.geometry import Disc
from ..core.notation import Laying
from ..core.points import Earned, Turn


class Event(msgspec.Struct, frozen=True):
    """Something that happened in a game."""

    def redact(self, viewer: int | None) -> Event:  # noqa: ARG002
        """The event as one player, or a spectator (None), may see it."""
        return self


class PlayersEvent(Event, frozen=True):
    """Something that a player did, or that happened to one."""

    player: int


class ScoreChange(PlayersEvent, frozen=True):
    """An event that changes the score of a player."""

    @property
    def points(self) -> int:
        """The change of the score."""
        raise NotImplementedError


class Drew(PlayersEvent, frozen=True, tag="drew"):
    """A player drew dominoes. Other viewers see only how many (`visible`)."""

    count: int
    tiles: tuple[str, ...] | None

    def redact(self, viewer: int | None) -> Event:
        return self if self.player == viewer else Drew(self.player, self.count, None)


class WentBack(Event, frozen=True, tag="went_back"):
    """A domino that all have seen went back into the bag (rules 1, 7) or the middle (5).

    `player` is who had it, or None for a domino that was shown to all.
    """

    player: int | None
    tile: str


class Laid(ScoreChange, frozen=True, tag="laid"):
    """A domino was laid. Where it does not score (a setup, Gone), `earned` only has the discs."""

    laying: Laying
    earned: Earned
    charge: int = 0
    scores: bool = True

    @property
    def points(self) -> int:
        """The change of the score: what was earned, less the charge."""
        return self.earned.points - self.charge if self.scores else 0


class Undone(ScoreChange, frozen=True, tag="undone"):
    """A laying of the turn was taken back; `points` undoes what it had earned."""

    laying: Laying
    points: int


class Passed(PlayersEvent, frozen=True, tag="passed"):
    """A player had nothing to lay."""


class PassedOver(PlayersEvent, frozen=True, tag="passed_over"):
    """A player had no dominoes left."""


class Called(PlayersEvent, frozen=True, tag="called"):
    """A player called an auction for the turn (rules 2)."""

    bid: int


class Declined(PlayersEvent, frozen=True, tag="declined"):
    """A player declined to call an auction this turn."""


class Raised(PlayersEvent, frozen=True, tag="raised"):
    """A player bid more."""

    bid: int


class Followed(PlayersEvent, frozen=True, tag="followed"):
    """The active player took over the bid at the same value."""

    bid: int


class LeftAuction(PlayersEvent, frozen=True, tag="left_auction"):
    """A player passed in an auction and is out of it."""


class AuctionWon(PlayersEvent, frozen=True, tag="auction_won"):
    """A player won the auction and plays the turn."""

    bid: int


class Paid(ScoreChange, frozen=True, tag="paid"):
    """An auction changed a score: negative for the payer, positive for the receiver."""

    points: int


class Marked(PlayersEvent, frozen=True, tag="marked"):
    """A player put a mark on a group (rules 3)."""

    disc: Disc


class Unmarked(PlayersEvent, frozen=True, tag="unmarked"):
    """A player took back the mark of this turn."""

    disc: Disc


class MarksLost(Event, frozen=True, tag="marks_lost"):
    """Joining groups gave one of them several marks: all are discarded (rules 3)."""

    players: tuple[int, ...]
    discs: tuple[Disc, ...]


class MarkCounted(ScoreChange, frozen=True, tag="mark_counted"):
    """At the end, a mark on a closed group earned a point for each disc (rules 3, End)."""

    disc: Disc
    colour: str
    points: int


class TokensMoved(PlayersEvent, frozen=True, tag="tokens_moved"):
    """A player got tokens from the reserve, or paid some (negative) (rules 8)."""

    tokens: int


class MarkerPut(ScoreChange, frozen=True, tag="marker_put"):
    """A marker on a territory: a point for each of its cells (rules 8)."""

    disc: Disc
    colour: str
    points: int


class MarkerTakenBack(ScoreChange, frozen=True, tag="marker_taken_back"):
    """A marker of this turn was taken back; `points` undoes what it had earned."""

    disc: Disc
    points: int


class PremiumTaken(ScoreChange, frozen=True, tag="premium_taken"):
    """The first player to put down their last marker takes the premium (rules 8, End)."""

    points: int


class PremiumGivenBack(ScoreChange, frozen=True, tag="premium_given_back"):
    """The last marker was taken back in the same turn, and the premium with it."""

    points: int


class Replayed(PlayersEvent, frozen=True, tag="replayed"):
    """A player paid to play again."""


class Showed(PlayersEvent, frozen=True, tag="showed"):
    """A player who passed showed the dominoes in hand (rules 8, Passing)."""

    tiles: tuple[str, ...]


class Took(PlayersEvent, frozen=True, tag="took"):
    """A player took a domino from the middle (rules 5)."""

    tile: str


class TakenOut(PlayersEvent, frozen=True, tag="taken_out"):
    """A player took a domino out of their frame: in hand (rules 5) or to the pile (rules 6)."""

    laying: Laying


class Framed(PlayersEvent, frozen=True, tag="framed"):
    """A player laid a domino in their frame (rules 5, 6)."""

    laying: Laying
    contacts: int


class GotHint(PlayersEvent, frozen=True, tag="got_hint"):
    """The solver helped a player, at a table that allows it: `place` or `possible`."""

    question: str


class LeftTable(PlayersEvent, frozen=True, tag="left_table"):
    """A player left an online table: a bot plays."""


class StoodIn(PlayersEvent, frozen=True, tag="stood_in"):
    """The others, by the player `by`, let a bot play for a player who was away."""

    by: int


class CameBack(PlayersEvent, frozen=True, tag="came_back"):
    """A player for whom a bot played is back at an online table."""


class GaveUp(PlayersEvent, frozen=True, tag="gave_up"):
    """A player stopped filling their frame."""


class RoundBegan(Event, frozen=True, tag="round_began"):
    """Two dominoes (or the last one) were drawn and shown to all (rules 7, Round)."""

    round: int
    tiles: tuple[str, ...]
    sitting_out: tuple[int, ...]


class RoundSkipped(Event, frozen=True, tag="round_skipped"):
    """Everyone sits out: nothing is drawn (rules 7)."""

    round: int
    sitting_out: tuple[int, ...]


class Announced(PlayersEvent, frozen=True, tag="announced"):
    """A player announced the points of a turn; the first announcement turns the sandglass."""

    announced: int


class TimeRanOut(Event, frozen=True, tag="time_ran_out"):
    """A time has run out: of the sandglass, a showing or a race."""

    timer: int


class Showing(PlayersEvent, frozen=True, tag="showing"):
    """A player has to show the turn that was announced (rules 7)."""

    announced: int


class Proved(ScoreChange, frozen=True, tag="proved"):
    """The turn shown is worth at least what was announced, which is scored (rules 7)."""

    points: int
    """The announced points."""
    shown: int
    """The points of the turn."""


class Punished(ScoreChange, frozen=True, tag="punished"):
    """A turn was not what its player had announced (rules 7).

    The first mistake costs the next round, the second the announced points, the third the game.
    """

    mistake: int
    announced: int

    @property
    def points(self) -> int:
        """The change of the score."""
        return -self.announced if self.mistake == 2 else 0


class Revealed(Event, frozen=True, tag="revealed"):
    """The table shows a best turn that no player has shown (rules 7); None if there was none."""

    best: Turn | None


class TurnEnded(PlayersEvent, frozen=True, tag="turn_ended"):
    """A turn is over; `turn_points` is what it earned in all (already in the score)."""

    turn_points: int


class TargetReached(PlayersEvent, frozen=True, tag="target_reached"):
    """A player is at or above the target: the round is played out."""

    score: int


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended. Several winners share the victory."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    """Why it ended; `docs/records.md` lists the reasons."""


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


def list_score_changes(events: tuple[Event, ...]) -> list[tuple[int, int]]:
    """The changes of scores among the events, as (player, points), in order."""
    return [
        (event.player, event.points)
        for event in events
        if isinstance(event, ScoreChange) and event.points
    ]


def redact_event(event: Event, viewer: int | None) -> Event:
    """The event as one player, or a spectator (None), may see it."""
    return event.redact(viewer)
