"""The languages, and what is said in them: one file of texts for each.

A file has rooms (`coach`, `printing`), and a room has the same names in every language. The rules
for players are pages of their own (`rulebook/`); the browser client's texts are in `web/src/texts`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

Language = Literal["fr", "en", "de", "nl", "es", "it"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Text = str | dict[str, str]
"""A sentence with {names} to fill in, or two: `one` and `other`, by a number."""


@cache
def texts(room: str) -> dict[str, dict[str, Text]]:
    """Every text of a room, by name and language."""
    found = {language: _read(language)[room] for language in LANGUAGES}
    return {name: {one: found[one][name] for one in LANGUAGES} for name in found["en"]}


def say(room: str, name: str, language: str, /, n: int | None = None, **values: object) -> str:
    """One text, with its {names} filled in; `n` decides between singular and plural."""
    text = texts(room)[name][language]
    if isinstance(text, dict):
        # In French, nothing is singular, too.
        text = text["one" if n in (1, -1) or (n == 0 and language == "fr") else "other"]
    return text.format(n=n, **values)


@cache
def _read(language: str) -> dict[str, dict[str, Text]]:
    data = files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    rooms: dict[str, dict[str, Text]] = json.loads(data)
    return rooms
