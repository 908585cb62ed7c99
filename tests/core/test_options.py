"""Options as plain data."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from dalapapa.core.options import write_options


class Options(msgspec.Struct, frozen=True):
    """One option of the first version, and two that came later."""

    target: int = 60
    ages: Annotated[tuple[int, ...], Meta(extra={"omit_default": True})] = ()
    mode: Annotated[str, Meta(extra={"omit_default": True})] = "once"


def test_newer_options_are_left_out_at_their_default() -> None:
    assert write_options(Options()) == {"target": 60}


def test_newer_options_are_written_where_they_differ() -> None:
    written = write_options(Options(ages=(6, 7), mode="repeated"))
    assert written == {"target": 60, "ages": [6, 7], "mode": "repeated"}
