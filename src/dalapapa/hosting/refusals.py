"""The HTTP statuses of refusals, which a device gives its pages as well."""

from __future__ import annotations

from ..core import errors
from ..core.errors import DalapapaError, TooMany

STATUS: dict[type[DalapapaError], int] = {
    DalapapaError: 409,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.BadInput: 422,
    errors.TooHard: 422,
    errors.WrongHost: 421,
    TooMany: 429,
    errors.MissingExtra: 501,
    errors.Unavailable: 503,
    errors.BrokenGame: 503,
}
"""The HTTP status of each kind of refusal; other kinds have the status of their base class.

Input that makes no sense, and questions that are too hard, cannot be processed (422) however often
they are sent. A request that makes sense, but is against the rules or the state of the table, is a
conflict.
"""


def find_status(kind: type[DalapapaError]) -> int:
    """The HTTP status of a kind of refusal."""
    return next(STATUS[base] for base in kind.__mro__ if base in STATUS)
