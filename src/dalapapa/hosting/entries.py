"""The entries of a table's log, and their form in databases and exports."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..games.moves import Move, keep_move, move_to_json

CLOSED = "This table was closed by whoever runs this server."
"""The default sentence for viewers; the browser client recognizes it (`panels/refusal.ts`)."""


MOVED_TO_DEVICE = "This game goes on at a device of its player."
"""The sentence with which a table closes that has moved there."""


class Sat(msgspec.Struct, frozen=True, tag="sat"):
    """A player took a seat. `owner` is the hash of a token that only the player has."""

    seat: int
    name: str
    owner: str


class Left(msgspec.Struct, frozen=True, tag="left", omit_defaults=True):
    """A player left: the seat is free again, or in a game played by a bot.

    `by`: another player let the bot play, because this one was absent.
    """

    seat: int
    by: int | None = None


class Returned(msgspec.Struct, frozen=True, tag="returned"):
    """A player who had left plays on."""

    seat: int


HintQuestion = Literal["place", "possible"]
"""What the solver is asked for: a next laying, or whether the frame can still be completed."""


class Hinted(msgspec.Struct, frozen=True, tag="hinted"):
    """The solver helped a player in a race."""

    seat: int
    question: HintQuestion


Cause = Literal["player", "program", "time"]


class Moved(msgspec.Struct, frozen=True):
    """A move; `cause` says who made it for the player."""

    move: Move
    cause: Cause = "player"


class WrittenMove(msgspec.Struct, frozen=True, tag="moved"):
    """A move as it is stored: in the form of records."""

    move: dict[str, Any]
    cause: Cause = "player"


class Rematched(msgspec.Struct, frozen=True, tag="rematched"):
    """The same players play again at another table."""

    table: str


class Removed(msgspec.Struct, frozen=True, tag="removed"):
    """The host, in the seat `by`, has sent a guest away before the game."""

    seat: int
    by: int


class Closed(msgspec.Struct, frozen=True, tag="closed", omit_defaults=True):
    """The operator has closed the table, with a sentence for its viewers."""

    sentence: str = CLOSED


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
    """A player was forgotten: the name is removed, from earlier entries as well."""

    seat: int


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """A timer that ran out while no player was at the table starts again, with its whole time."""

    timer: int


class Renewed(msgspec.Struct, frozen=True, tag="renewed"):
    """A player has replaced the token of a seat, and so of all seats that it owned here.

    `owner` is the hash of the new token.
    """

    seat: int
    owner: str


Other = (
    Sat | Left | Returned | Hinted | Rematched | Removed | Closed | Forgotten | Renewed | Resumed
)
Entry = Moved | Other
Written = WrittenMove | Other
"""An entry in databases and exports."""


def write_entry(entry: Entry) -> Written:
    """An entry in its stored form."""
    if isinstance(entry, Moved):
        return WrittenMove(move_to_json(entry.move), entry.cause)
    return entry


def read_entry(written: Written) -> Entry:
    """The inverse of `write_entry`; refuses invalid moves.

    A log does not say which game is played, so a kind that is not ours is left to the game.
    """
    if isinstance(written, WrittenMove):
        return Moved(keep_move(written.move), written.cause)
    return written
