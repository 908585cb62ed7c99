"""Events: what a move changed, in parts that explain every point."""

from __future__ import annotations

import msgspec

from ..geometry import Disc
from ..notation import Laying
from ..points import Earned, Turn


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    """A player drew dominoes. Other viewers see only how many (`visible`)."""

    player: int
    count: int
    tiles: tuple[str, ...] | None


class WentBack(msgspec.Struct, frozen=True, tag="went_back"):
    """A domino that everybody has seen went back into the bag (rules 1, 7) or the middle (5).

    `player` is who had it, or None for a domino that was shown to all.
    """

    player: int | None
    tile: str


class Laid(msgspec.Struct, frozen=True, tag="laid"):
    """A domino was laid. Where it does not score (a setup, Gone), `earned` only tells of discs."""

    player: int
    laying: Laying
    earned: Earned
    charge: int = 0
    scores: bool = True

    @property
    def points(self) -> int:
        """By how much the score changed: what was earned, less the charge."""
        return self.earned.points - self.charge if self.scores else 0


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """A laying of the turn was taken back; `points` undoes what it had brought."""

    player: int
    laying: Laying
    points: int


class Passed(msgspec.Struct, frozen=True, tag="passed"):
    """A player had nothing to lay."""

    player: int


class PassedOver(msgspec.Struct, frozen=True, tag="passed_over"):
    """A player had no dominoes left."""

    player: int


class Called(msgspec.Struct, frozen=True, tag="called"):
    """A player called an auction for the turn (rules 2)."""

    player: int
    bid: int


class Declined(msgspec.Struct, frozen=True, tag="declined"):
    """A player calls no auction this turn."""

    player: int


class Raised(msgspec.Struct, frozen=True, tag="raised"):
    """A player bid more."""

    player: int
    bid: int


class Followed(msgspec.Struct, frozen=True, tag="followed"):
    """The active player took the bid over at the same value."""

    player: int
    bid: int


class LeftAuction(msgspec.Struct, frozen=True, tag="left_auction"):
    """A player passed in an auction and is out of it."""

    player: int


class AuctionWon(msgspec.Struct, frozen=True, tag="auction_won"):
    """A player won the auction and plays the turn."""

    player: int
    bid: int


class Paid(msgspec.Struct, frozen=True, tag="paid"):
    """A score changed because of an auction: negative for who pays, positive for who gets."""

    player: int
    points: int


class Marked(msgspec.Struct, frozen=True, tag="marked"):
    """A player put a mark on a group (rules 3)."""

    player: int
    disc: Disc


class Unmarked(msgspec.Struct, frozen=True, tag="unmarked"):
    """A player took the mark of this turn back."""

    player: int
    disc: Disc


class MarksLost(msgspec.Struct, frozen=True, tag="marks_lost"):
    """A junction gave one group several marks: all of them are discarded (rules 3)."""

    players: tuple[int, ...]
    discs: tuple[Disc, ...]


class MarkCounted(msgspec.Struct, frozen=True, tag="mark_counted"):
    """At the end, a mark on a closed group brought a point for each disc (rules 3, End)."""

    player: int
    disc: Disc
    colour: str
    points: int


class TokensMoved(msgspec.Struct, frozen=True, tag="tokens_moved"):
    """A player got tokens from the reserve, or gave some back (negative) (rules 8)."""

    player: int
    tokens: int


class MarkerPut(msgspec.Struct, frozen=True, tag="marker_put"):
    """A marker on a territory: a point for each of its cells (rules 8)."""

    player: int
    disc: Disc
    colour: str
    points: int


class MarkerTakenBack(msgspec.Struct, frozen=True, tag="marker_taken_back"):
    """A marker of this turn was taken back; `points` undoes what it had brought."""

    player: int
    disc: Disc
    points: int


class PremiumTaken(msgspec.Struct, frozen=True, tag="premium_taken"):
    """The first to put the last own marker takes the premium (rules 8, End)."""

    player: int
    points: int


class PremiumGivenBack(msgspec.Struct, frozen=True, tag="premium_given_back"):
    """The last marker was taken back in the same turn, and the premium with it."""

    player: int
    points: int


class Replayed(msgspec.Struct, frozen=True, tag="replayed"):
    """A player pays to play again."""

    player: int


class Showed(msgspec.Struct, frozen=True, tag="showed"):
    """A player who passes shows the dominoes in hand (rules 8, Passing)."""

    player: int
    tiles: tuple[str, ...]


class Took(msgspec.Struct, frozen=True, tag="took"):
    """A player took a domino from the middle (rules 5)."""

    player: int
    tile: str


class TakenOut(msgspec.Struct, frozen=True, tag="taken_out"):
    """A player took a domino out of the own frame: in hand (rules 5) or to the pile (rules 6)."""

    player: int
    laying: Laying


class Framed(msgspec.Struct, frozen=True, tag="framed"):
    """A player laid a domino in the own frame (rules 5, 6)."""

    player: int
    laying: Laying
    contacts: int


class GaveUp(msgspec.Struct, frozen=True, tag="gave_up"):
    """A player stopped filling the own frame."""

    player: int


class RoundBegan(msgspec.Struct, frozen=True, tag="round_began"):
    """Two dominoes (or the last one) were drawn and shown to all (rules 7, Round)."""

    round: int
    tiles: tuple[str, ...]
    sitting_out: tuple[int, ...]


class RoundSkipped(msgspec.Struct, frozen=True, tag="round_skipped"):
    """Everybody sits out: nothing is drawn (rules 7)."""

    round: int
    sitting_out: tuple[int, ...]


class Announced(msgspec.Struct, frozen=True, tag="announced"):
    """A player announced a turn of so many points; the first one turns the sandglass."""

    player: int
    announced: int


class TimeRanOut(msgspec.Struct, frozen=True, tag="time_ran_out"):
    """A time is over: of the sandglass, of a showing, of a race."""

    timer: int


class Showing(msgspec.Struct, frozen=True, tag="showing"):
    """A player has to show the turn that was announced (rules 7)."""

    player: int
    announced: int


class Proved(msgspec.Struct, frozen=True, tag="proved"):
    """The turn shown is worth at least what was announced, which is scored (rules 7)."""

    player: int
    points: int
    """What was announced."""
    shown: int
    """What the turn is worth."""


class Punished(msgspec.Struct, frozen=True, tag="punished"):
    """A turn was not what its player had announced (rules 7).

    The first mistake costs the next round, the second the announced points, the third the game.
    """

    player: int
    mistake: int
    announced: int

    @property
    def points(self) -> int:
        """By how much the score changed."""
        return -self.announced if self.mistake == 2 else 0


class Revealed(msgspec.Struct, frozen=True, tag="revealed"):
    """The table tells a best turn that nobody has shown (rules 7); None: nothing could be laid."""

    best: Turn | None


class TurnEnded(msgspec.Struct, frozen=True, tag="turn_ended"):
    """A turn is over; `turn_points` is what it brought in all (already in the score)."""

    player: int
    turn_points: int


class TargetReached(msgspec.Struct, frozen=True, tag="target_reached"):
    """A player stands at or above the target: the round is played out."""

    player: int
    score: int


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. Several winners share the victory."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    """Why it ended; `docs/records.md` lists the reasons."""


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


Event = (
    Drew
    | WentBack
    | Laid
    | Undone
    | Passed
    | PassedOver
    | Called
    | Declined
    | Raised
    | Followed
    | LeftAuction
    | AuctionWon
    | Paid
    | Marked
    | Unmarked
    | MarksLost
    | MarkCounted
    | TokensMoved
    | MarkerPut
    | MarkerTakenBack
    | PremiumTaken
    | PremiumGivenBack
    | Replayed
    | Showed
    | Took
    | TakenOut
    | Framed
    | GaveUp
    | RoundBegan
    | RoundSkipped
    | Announced
    | TimeRanOut
    | Showing
    | Proved
    | Punished
    | Revealed
    | TurnEnded
    | TargetReached
    | Ended
)


_SCORING = (
    Laid
    | Undone
    | Paid
    | MarkCounted
    | MarkerPut
    | MarkerTakenBack
    | PremiumTaken
    | PremiumGivenBack
    | Proved
    | Punished
)


def score_changes(events: tuple[Event, ...]) -> list[tuple[int, int]]:
    """Every change of a score that the events tell of, as (player, points), in order."""
    return [
        (event.player, event.points)
        for event in events
        if isinstance(event, _SCORING) and event.points
    ]


def visible(event: Event, viewer: int | None) -> Event:
    """An event as one player, or a spectator (None), may see it."""
    if isinstance(event, Drew) and event.player != viewer:
        return Drew(event.player, event.count, None)
    return event
