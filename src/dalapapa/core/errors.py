"""Refusals: each has a stable code and one sentence that a person can act on.

The code is for software and never changes its meaning; the sentence is for people. The class is the
kind of refusal: the rules forbid it, the input is wrong, or a server cannot do it now.
"""

from __future__ import annotations

from typing import Any, Self


class DalapapaError(Exception):
    """The base of all refusals. `code` is stable; `str(error)` is the sentence.

    `values` are the numbers and names in the sentence, for translations of it.
    """

    default_code = "error"

    def __init__(self, message: str, code: str | None = None, **values: float | str) -> None:
        super().__init__(message)
        self.code: str = code or self.default_code
        self.values = values

    def at_laying(self, number: int) -> Self:
        """The same refusal, of the laying with this number in a position."""
        values = {**self.values, "laying": number}
        return type(self)(f"Laying {number}: {self}", self.code, **values)

    def to_json(self) -> dict[str, Any]:
        """Describe the refusal for software."""
        data = {"code": self.code, "message": str(self)}
        return {**data, "values": self.values} if self.values else data


class BadInput(DalapapaError):
    """Invalid input: a file, an option, or wrong use of the command line."""

    default_code = "bad_input"


class BadSet(BadInput):
    """A file that is not a valid set of dominoes (`tiles.py`)."""

    default_code = "bad_set"


class OtherSet(BadInput):
    """A game played with different dominoes than the set of that name has here."""

    default_code = "other_set"


class UnknownDomino(BadInput):
    """A name that the set in use does not have."""

    default_code = "unknown_domino"


class MalformedLaying(BadInput):
    """Text that is not a laying (`notation.py`)."""

    default_code = "malformed_laying"


class Malformed(BadInput):
    """A request that does not have the required form."""

    default_code = "malformed"


class BadOptions(BadInput):
    """Options or a number of players that a game does not allow."""

    default_code = "bad_options"


class BadRecord(BadInput):
    """A record that is unreadable, or that contradicts the rules."""


class RuleRefusal(DalapapaError):
    """The rules forbid it now; the code says why."""


class IllegalLaying(RuleRefusal):
    """A laying that the table refuses.

    Codes: `not_at_origin`, `overlap`, `no_contact`, `clash`, `already_laid`, and `empty` when
    there is nothing to take back.
    """


class FrozenTable(RuleRefusal, RuntimeError):
    """An attempt to change a table that belongs to the state of a game."""

    default_code = "frozen"


class IllegalMove(RuleRefusal):
    """A move that the rules of the game forbid now; the code says why."""

    default_code = "illegal_move"


class Conflict(IllegalMove):
    """Another player was quicker."""

    default_code = "stale"


class NotFound(DalapapaError):
    """There is no such table, seat or page."""


class Forbidden(DalapapaError):
    """The caller may not do this, for example with another player's seat."""


class TooMany(DalapapaError):
    """The caller sends too many requests."""

    after: float = 1.0
    """Seconds until a retry can succeed; infinite if it never can."""

    def retry_after(self, seconds: float) -> Self:
        """Set the time until a retry can succeed."""
        self.after = seconds
        return self


class WrongHost(NotFound):
    """A request for a name that this server does not answer to."""

    default_code = "wrong_host"


class TooHard(DalapapaError):
    """It would take more time or memory than the server allows."""

    default_code = "too_hard"


class Unavailable(DalapapaError):
    """The request is valid but cannot be served now: try again."""

    default_code = "busy"


class MissingExtra(DalapapaError, ImportError):
    """It needs packages that are missing; the sentence says how to install them (`extras.py`)."""

    default_code = "missing_extra"


class BrokenGame(DalapapaError):
    """A game of another package that breaks the contract of games."""

    default_code = "broken_game"


class DamagedTable(BrokenGame):
    """An online table that is unreadable in the database; it is closed like a broken game.

    Viewers get the sentence. `kind` may be logged; `what` is only for people with access to the
    database.
    """

    default_code = "damaged_table"

    def __init__(
        self,
        message: str,
        table: str = "",
        kind: str = "",
        what: str = "",
        entry: int | None = None,
    ) -> None:
        super().__init__(message)
        self.table = table
        self.kind = kind
        self.what = what
        self.entry = entry
