"""What is printed in words, in the six languages (`texts.json`)."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ..rulebook import LANGUAGES

COPYRIGHT = ("Dalapapa © François Haffner, 2003", "Dalapapa 72, 2003–2020")
"""On every cover and in the booklet, in every language."""


@cache
def texts() -> dict[str, dict[str, str]]:
    """Every text by key and language."""
    data = files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(data)
    return found


def say(key: str, language: str, **values: object) -> str:
    """One text, with its {names} filled in."""
    return texts()[key][language].format(**values)


__all__ = ["COPYRIGHT", "LANGUAGES", "say", "texts"]
