"""Names of people: one line without control characters; composed characters stay whole."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""Invisible characters that join or separate letters of some scripts, and join emoji to one."""

SKIN_TONES = range(0x1F3FB, 0x1F400)


def make_line(name: str, blank: str = " ") -> str:
    """A name with `blank` instead of each control character; joiners stay where they join."""
    kept = (c if c.isprintable() or _joins(name, i) else blank for i, c in enumerate(name))
    return "".join(kept)


def shorten_name(name: str, limit: int) -> str:
    """The first characters of a name, at most `limit`, without a part of a composed one."""
    end = min(limit, len(name))
    while 0 < end < len(name) and _continues(name, end):
        end -= 1
    return name[:end] or name[:limit].rstrip(JOINERS)


def _joins(name: str, place: int) -> bool:
    """Whether a joiner stands between two characters that it can join.

    Beside ASCII it would only make one name look like another.
    """
    if name[place] not in JOINERS or place + 1 == len(name):
        return False
    beside = name[place - 1 : place] + name[place + 1]
    return len(beside) == 2 and all(c > "\x7f" and c.isprintable() for c in beside)


def _continues(name: str, place: int) -> bool:
    """Whether the character at a place belongs to the one before it."""
    letter = name[place]
    return (
        letter in JOINERS
        or name[place - 1] in JOINERS
        or unicodedata.category(letter).startswith("M")
        or ord(letter) in SKIN_TONES
    )
