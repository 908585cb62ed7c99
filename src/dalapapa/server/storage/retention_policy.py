"""The retention policy: for how many days each kind of table is kept."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ...core.errors import BadInput
from ...core.notation import shorten

Days = Annotated[float, Meta(ge=1, le=100_000)] | Literal["never"]


class RetentionPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For how many days tables are kept, counted from their last change or viewer."""

    unused: Days = 7
    """A table without any entry since it was set up; then it is removed."""
    waiting: Days = 30
    """A table that is waiting for players; then it is removed."""
    playing: Days = 180
    """A game without a move; then it is removed."""
    over: Annotated[float, Meta(ge=0, le=100_000)] | Literal["never"] = 30
    """A finished game; then it is archived, and can be opened as before."""
    archived: Days = "never"
    """An archived game, counted from its end; then it is removed."""
    challenges: Days = 365
    """A challenge without a new attempt; then it is removed, and its games stay."""


def read_policy(data: dict[str, Any]) -> RetentionPolicy:
    """A retention policy from plain data; missing kinds have their defaults."""
    kinds = RetentionPolicy.__struct_fields__
    for name, value in data.items():
        if name not in kinds:
            raise BadInput(
                f"--keep: there is no kind of table called {shorten(name)}; choose one of"
                f" {', '.join(kinds)}.",
                "bad_keep",
            )
        try:
            msgspec.convert({name: value}, RetentionPolicy)
        except msgspec.ValidationError:
            least = 0 if name == "over" else 1
            raise BadInput(
                f"--keep: {name} must be a number of days from {least} to 100000, or"
                f" never; not {shorten(str(value))}.",
                "bad_keep",
            ) from None
    return msgspec.convert(data, RetentionPolicy)
