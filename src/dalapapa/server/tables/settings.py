"""The settings of new tables, from plain data, and the bots that they name."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from ...core.errors import BadOptions
from ...core.notation import shorten
from ...hosting.settings import Settings, check_set_size

MAX_SETTINGS_BYTES = 16_000
"""Bytes of a table's settings, which every message contains: enough for a custom set."""


def check_bots(settings: Settings, known: Collection[str]) -> None:
    """Refuse bots that are not among those of the game."""
    for plan in settings.seats:
        if plan.program is not None and plan.program not in known:
            raise BadOptions(f"There is no bot called {shorten(plan.program)}.", "unknown_bot")


def read_settings(data: object) -> Settings:
    """Settings from plain data; refuses everything else with one sentence."""
    try:
        settings = msgspec.convert(data, Settings)
        check_set_size(settings)
        size = len(msgspec.json.encode(settings))
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        reason = error if isinstance(error, msgspec.ValidationError) else "it is not plain text"
        raise BadOptions(f"Cannot set up this table: {reason}.", "bad_settings") from None
    if size > MAX_SETTINGS_BYTES:
        raise BadOptions(
            "The options are too long for the messages of a table: shorten them.", "bad_settings"
        )
    return settings
