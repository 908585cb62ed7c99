"""Every refusal has a stable code and one sentence that a person can act on.

The code is for programs and never changes its meaning; the sentence is for people.
"""

from __future__ import annotations

from typing import Any


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


class BadSet(DalapapaError):
    """A file of dominoes that is not a set (`tiles.py`)."""

    default_code = "bad_set"


class OtherSet(DalapapaError):
    """Something that was played with other dominoes than those that its set's name means here."""

    default_code = "other_set"


class UnknownDomino(DalapapaError):
    """A name that the set in use does not have."""

    default_code = "unknown_domino"


class MalformedLaying(DalapapaError):
    """Text that is not a laying (`notation.py`)."""

    default_code = "malformed_laying"


class IllegalLaying(DalapapaError):
    """A laying that the table refuses; the code says why.

    Codes: `not_at_origin`, `overlap`, `no_contact`, `clash`, `already_laid`, and `empty` when
    there is nothing to take back.
    """

    default_code = "illegal_laying"


class BadOptions(DalapapaError):
    """Options or a number of players that a game does not allow."""

    default_code = "bad_options"


class IllegalMove(DalapapaError):
    """A move that the rules of the game do not allow now; the code says why."""

    default_code = "illegal_move"


class BadRecord(DalapapaError):
    """A record that cannot be read, or that does not tell the truth."""

    default_code = "bad_record"


class BadInput(DalapapaError):
    """A file that cannot be read or written, or wrong use of the command line."""

    default_code = "bad_input"
