"""The languages, with one file of texts for each.

A file has sections (`coach`, `printing`), and a section has the same names in every language. The
rules for players are separate pages (`rulebook/`); the texts of the browser client are in
`web/src/texts`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

Language = Literal["fr", "en", "de", "nl", "es", "it"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Text = str | dict[str, str]
"""A sentence with {names} to fill in, or two: `one` for the singular and `other` for the plural."""

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Letters of Hebrew, Arabic and their neighbours."""


@cache
def texts(section: str) -> dict[str, dict[str, Text]]:
    """Read every text of a section, by name and language."""
    files = {language: _read(language)[section] for language in LANGUAGES}
    return {name: {code: files[code][name] for code in LANGUAGES} for name in files["en"]}


def say(section: str, name: str, language: str, /, n: int | None = None, **values: object) -> str:
    """Return a text with its {names} filled in; `n` decides between singular and plural."""
    text = texts(section)[name][language]
    if isinstance(text, dict):
        # In French, zero is singular, too.
        text = text["one" if n in (1, -1) or (n == 0 and language == "fr") else "other"]
    return text.format(n=n, **{key: _isolate(value) for key, value in values.items()})


def _isolate(value: object) -> object:
    """Mark a name that is written from right to left, so that it does not reorder the sentence.

    The client does the same (`web/src/i18n.ts`). A link must stay as it is.
    """
    if isinstance(value, str) and RIGHT_TO_LEFT.search(value) and "://" not in value:
        return f"\u2068{value}\u2069"
    return value


@cache
def _read(language: str) -> dict[str, dict[str, Text]]:
    data = files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    sections: dict[str, dict[str, Text]] = json.loads(data)
    return sections
