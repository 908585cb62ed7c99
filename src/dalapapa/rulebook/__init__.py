"""The rulebook: one Markdown page for each game and language, and their figures.

A page is plain: line 1 is the title, line 3 players, ages and minutes in italics, line 5 the
goal, then sections. A paragraph, a list item, a heading or a figure is one line. A figure is
`![caption](figure:NAME)`; `figures.json` defines NAME in the notation of `docs/notation.md`. A
figure may have these parts:

* `set` (else 120), `position`, then `laying`, or a `turn` with the dominoes of a `hand`;
* `frame`: the position fills a frame of so many cells and need not follow the laying rule;
* `tiles`: single dominoes, both faces; `halves` counts blue and the partner
  colour of their pile on each face, the centre as two;
* `labels`: a text on the group with this disc, or on this domino;
* facts in the captions, checked by the tests: `contacts`, `points`, `closes`, ...

The defaults of these parts are `DEFAULTS`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from ..core.errors import NotFound
from ..games import REGISTRY
from ..texts import LANGUAGES, say

GAMES = tuple(REGISTRY)

DEFAULTS: dict[str, Any] = {
    "laying": None,
    "points": None,
    "contacts": None,
    "closes": [],
    "closed_sizes": None,
}


@cache
def page(game: str, language: str) -> str:
    """Read the rules of a game as Markdown."""
    if game not in GAMES or language not in LANGUAGES:
        raise NotFound(f"There is no page of {game!r} in {language!r}.", "unknown_page")
    return files(__name__).joinpath(f"{game}.{language}.md").read_text(encoding="utf-8")


class Rules(msgspec.Struct):
    """A page of rules as Markdown, and the content of its figures."""

    text: str
    figures: dict[str, dict[str, Any]]


@cache
def load_rules(game: str, language: str) -> Rules:
    """The rules of a game as clients show them."""
    text, known = page(game, language), figures()
    names = re.findall(r"\(figure:([^)]+)\)", text)
    return Rules(text, {name: known[name] for name in names})


def describe_game(game: str, language: str) -> tuple[str, str]:
    """The name of a game and its goal; a game of another package has no page of rules."""
    if game not in GAMES:
        return game.replace("_", " ").capitalize(), say("previews", "about", language)
    lines = page(game, language).splitlines()
    return lines[0].removeprefix("# "), lines[4]


def figures() -> dict[str, dict[str, Any]]:
    """Read the definitions of the figures, by name."""
    text = files(__name__).joinpath("figures.json").read_text(encoding="utf-8")
    definitions: dict[str, dict[str, Any]] = json.loads(text)
    return {name: {**DEFAULTS, **figure} for name, figure in definitions.items()}
