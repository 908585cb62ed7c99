"""Every refusal has a stable code and one sentence that a person can act on.

The code is for programs and never changes its meaning; the sentence is for people. The class says
what kind of refusal it is: of the rules, of what was given, or of a server that cannot do it now.
"""

from __future__ import annotations

from typing import Any, Self


class DalapapaError(Exception):
    """Base of all refusals. `code` is stable; `str(error)` is the sentence.

    `values` are figures of the sentence, for those who say it in another language.
    """

    default_code = "error"

    def __init__(self, message: str, code: str | None = None, **values: float) -> None:
        super().__init__(message)
        self.code = code or self.default_code
        self.values = values

    def to_json(self) -> dict[str, Any]:
        """What programs are told."""
        told = {"code": self.code, "message": str(self)}
        return {**told, "values": self.values} if self.values else told


class BadInput(DalapapaError):
    """What was given makes no sense: a file, an option, wrong use of the command line."""

    default_code = "bad_input"


class BadSet(BadInput):
    """A file of dominoes that is not a set (`tiles.py`)."""

    default_code = "bad_set"


class OtherSet(BadInput):
    """Something that was played with other dominoes than those that its set's name means here."""

    default_code = "other_set"


class UnknownDomino(BadInput):
    """A name that the set in use does not have."""

    default_code = "unknown_domino"


class MalformedLaying(BadInput):
    """Text that is not a laying (`notation.py`)."""

    default_code = "malformed_laying"


class Malformed(BadInput):
    """A request that is not in the form that was asked for."""

    default_code = "malformed"


class BadOptions(BadInput):
    """Options or a number of players that a game does not allow."""

    default_code = "bad_options"


class BadRecord(BadInput):
    """A record that cannot be read, or that does not tell the truth."""


class RuleRefusal(DalapapaError):
    """The rules do not allow it now; the code says why."""


class IllegalLaying(RuleRefusal):
    """A laying that the table refuses; the code says why.

    Codes: `not_at_origin`, `overlap`, `no_contact`, `clash`, `already_laid`, and `empty` when
    there is nothing to take back.
    """


class FrozenTable(RuleRefusal, RuntimeError):
    """A table that belongs to the state of a game, and that somebody wanted to change."""

    default_code = "frozen"


class IllegalMove(RuleRefusal):
    """A move that the rules of the game do not allow now; the code says why."""

    default_code = "illegal_move"


class Conflict(IllegalMove):
    """Somebody else was quicker."""

    default_code = "stale"


class NotFound(DalapapaError):
    """There is no such table, seat or page."""


class Forbidden(DalapapaError):
    """It belongs to somebody else."""


class TooMany(DalapapaError):
    """Whoever asks, asks too much at once."""

    after = 1.0
    """Seconds until it is worth asking again; infinite: it never is."""

    def later(self, seconds: float) -> Self:
        """The same, if it is known for how long it holds."""
        self.after = seconds
        return self


class WrongHost(NotFound):
    """A request for a name that this server does not answer to."""

    default_code = "wrong_host"


class TooHard(DalapapaError):
    """It would take more time or space than anybody is given here."""

    default_code = "too_hard"


class Unavailable(DalapapaError):
    """Nothing is wrong with what was asked, but it cannot be done now: try again."""

    default_code = "busy"


class MissingExtra(DalapapaError, ImportError):
    """It needs packages that are not installed here; the sentence tells how (`extras.py`)."""

    default_code = "missing_extra"


class BrokenGame(DalapapaError):
    """A game by somebody else that does not keep to what a game promises."""

    default_code = "broken_game"


class DamagedTable(BrokenGame):
    """A table that cannot be read from the database any more; it is closed like a broken game.

    Viewers get the sentence. `kind` may be logged; `what` is for who may see the database.
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
