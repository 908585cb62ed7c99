"""Remarks as sentences, in the six languages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..core.errors import BadInput
from ..core.notation import shorten
from ..core.tiles import COLOUR_NAMES
from ..texts import LANGUAGES
from ..texts import say as say_in
from .reasons import Remark

say: partial[str] = partial(say_in, "coach")

COUNTED_UNITS = {"points": "point", "discs": "disc", "cells": "cell", "moves": "move"}
"""Values that are shown with their unit."""


def check_language(language: str) -> None:
    """Refuse a language that is not one of the six."""
    if language not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        sentence = f"There is no language {shorten(language, 20)}: choose one of {known}."
        raise BadInput(sentence, "unknown_language")


def format_decimal(number: float, language: str) -> str:
    """Format a number for the language."""
    text = f"{number:.1f}"
    return text if language == "en" else text.replace(".", ",")


def format_percent(share: float, language: str) -> str:
    """Format a share in whole percent for the language: "62%" or "62 %"."""
    space = "" if language in ("en", "nl", "it") else "\N{NO-BREAK SPACE}"
    return f"{round(100 * share)}{space}%"


def format_count(unit: str, number: int, language: str) -> str:
    """ "3 points", "1 disc"."""
    return say(COUNTED_UNITS[unit], language, number)


def join_words(items: Sequence[str], language: str) -> str:
    """ "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {say('and', language)} {items[-1]}"


def name_colour(letter: str, language: str) -> str:
    """The colour of a group, as an adjective."""
    return say(COLOUR_NAMES[letter], language)


def explain(remarks: Sequence[Remark], language: str) -> str:
    """The sentences of all remarks."""
    return " ".join([make_sentence(remark, language) for remark in remarks])


def make_sentence(remark: Remark, language: str) -> str:
    """A remark as a complete sentence."""
    text = _format_remark(remark, language)
    if remark.then is not None:
        joint = say("but" if remark.but else "and", language)
        text = f"{text}, {joint} {_format_remark(remark.then, language)}"
    return text if text.endswith(".") else f"{text}."


def _format_remark(remark: Remark, language: str) -> str:
    values: dict[str, Any] = {}
    for name, value in remark.values.items():
        if name in COUNTED_UNITS:
            values[name] = format_count(name, value, language)
        elif name == "groups":
            values[name] = _groups(value, remark.values["more"], language)
        elif name == "colour":
            values[name] = name_colour(value, language)
        elif isinstance(value, float):
            values[name] = format_decimal(value, language)
        else:
            values[name] = value
    return say(remark.text, language, remark.values.get("dominoes"), **values)


def _groups(named: Sequence[tuple[str, int]], more: int, language: str) -> str:
    """ "a green group of 7 and 2 more groups"."""
    said = [
        say("group", language, colour=name_colour(letter, language), size=size)
        for letter, size in named
    ]  # fmt: skip
    if more:
        said.append(say("more_groups" if named else "single_groups", language, more))
    return join_words(said, language)
