"""Limits on the custom sets of new online tables: every message and every state contains the set.

Tables that exist already keep their sets, whatever their size (`log.opened` does not check this).
"""

from __future__ import annotations

from ..core.errors import BadOptions
from .log import Settings

MAX_CUSTOM_DOMINOES = 120
"""As many as the box has."""


def check_set_size(settings: Settings) -> None:
    """Refuse a custom set with more dominoes than the box has."""
    chosen = settings.options.get("set")
    if isinstance(chosen, list | tuple) and len(chosen) > MAX_CUSTOM_DOMINOES:
        raise BadOptions(
            f"A custom set at an online table has at most {MAX_CUSTOM_DOMINOES} dominoes, and this"
            f" one has {len(chosen)}: leave some out.",
            "set_too_large",
        )
