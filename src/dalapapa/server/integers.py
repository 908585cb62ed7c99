"""Integers that clients write as floats: in JSON Schema, 3.0 is an integer, too."""

from __future__ import annotations

from typing import Any

MAX_EXACT = 2**53
"""Larger floats do not represent all integers."""


def convert_integers(data: Any) -> Any:
    """The same data with integers instead of floats that have an integer value."""
    if isinstance(data, float) and data.is_integer() and abs(data) < MAX_EXACT:
        return int(data)
    if isinstance(data, list):
        return [convert_integers(part) for part in data]
    if isinstance(data, dict):
        return {name: convert_integers(part) for name, part in data.items()}
    return data
