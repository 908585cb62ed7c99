"""What a game of Alex knows (rules 7): its options, its state, and what each viewer sees."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ..events import Laid
from ..options import SetChoice
from ..turns import SetOptions, SharedTableState, SharedTableView

DEFAULT_SHOW_S = 30


class AlexOptions(SetOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    end: Annotated[Literal["rounds", "target", "time"], Meta(description="what ends the game")] = (
        "target"
    )
    target: Annotated[int, Meta(ge=10, le=240, description="points to reach")] = 60
    rounds: Annotated[int, Meta(ge=1, le=60, description="rounds to play")] = 12
    minutes: Annotated[
        int,
        Meta(
            ge=1,
            le=180,
            description="minutes to play, after which the running round is the last",
            extra={"omit_default": True},
        ),
    ] = 30
    figure: Annotated[Literal[3, 4], Meta(description="dominoes on the table at the beginning")] = 4
    sandglass: Annotated[int, Meta(ge=30, le=180, description="seconds to announce more")] = 60
    show: Annotated[
        Annotated[int, Meta(ge=10, le=60)] | None,
        Meta(
            description="seconds to show a turn; null, in games from before this option: 60,"
            " and layings can be taken back",
            extra={"omit_default": True},
        ),
    ] = DEFAULT_SHOW_S
    look: Annotated[
        int, Meta(ge=0, le=600, description="seconds for a first announcement; 0: no limit")
    ] = 0
    reveal: Annotated[bool, Meta(description="show the best turn if no player does")] = True
    set: Annotated[SetChoice, Meta(description="the dominoes")] = "120"


class Announcement(msgspec.Struct, frozen=True):
    """An announcement of points."""

    player: int
    points: int


class AlexState(SharedTableState, frozen=True, kw_only=True):
    """The phases are look, sandglass, show and over. `table` includes the layings shown."""

    options: AlexOptions
    scores: tuple[int, ...]
    mistakes: tuple[int, ...]
    """The mistakes of each player in the whole game; the third puts a player out of it."""
    round: int = 0
    drawn: tuple[str, ...] = ()
    """The dominoes of the round that are not laid."""
    sitting_out: tuple[int, ...] = ()
    sit_out_next: tuple[int, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    """The announcements of this round, ascending."""
    passed: tuple[int, ...] = ()
    """The players who have passed since the last announcement."""
    failed: tuple[int, ...] = ()
    """The players who have shown a wrong turn in this round."""
    shower: int | None = None
    turn: tuple[Laid, ...] = ()
    """The layings of the shower."""
    timers: int = 0
    """The number of timers started so far."""
    last_round: bool = False
    """Whether the agreed minutes are over, so that this round is the last."""

    @property
    def players(self) -> int:
        return len(self.scores)

    @property
    def leader(self) -> int | None:
        """The player with the highest announcement so far."""
        return find_leader(self.announcements)


class AlexView(SharedTableView, frozen=True, kw_only=True):
    """What one viewer sees."""

    options: AlexOptions
    scores: tuple[int, ...]
    mistakes: tuple[int, ...]
    out: tuple[int, ...]
    """Who is out of the game, after three mistakes."""
    round: int
    drawn: tuple[str, ...]
    sitting_out: tuple[int, ...]
    announcements: tuple[Announcement, ...]
    passed: tuple[int, ...]
    failed: tuple[int, ...]
    shower: int | None
    turn: tuple[Laid, ...]
    last_round: bool

    @property
    def announced(self) -> int:
        """The highest announcement so far; 0 before the first."""
        return find_highest(self.announcements)


def find_highest(announcements: tuple[Announcement, ...]) -> int:
    """The points of the highest announcement; 0 if there is none."""
    return announcements[-1].points if announcements else 0


def find_leader(announcements: tuple[Announcement, ...]) -> int | None:
    """The player with the highest announcement."""
    return announcements[-1].player if announcements else None


def find_best_announcement(announcements: tuple[Announcement, ...], player: int) -> int:
    """The highest announcement of a player; lower ones do not count."""
    return max(one.points for one in announcements if one.player == player)
