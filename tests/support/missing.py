"""The error for a program that a test or a benchmark needs and this machine lacks."""

from __future__ import annotations

PREFIX = "This machine lacks "


class Missing(Exception):
    """A program is not installed. Any fixture or test may raise it (`skip_missing.py`)."""

    def __init__(self, program: str, remedy: str) -> None:
        super().__init__(f"{PREFIX}{program}. {remedy}")
