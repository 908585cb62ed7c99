"""Pictures as trees of SVG elements: written as text, or read for print (`printing/figures.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape

import msgspec

from .outlines import Outline, number

Attribute = str | float | tuple[float, ...] | Outline

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Element(msgspec.Struct, frozen=True):
    """An element of SVG. `stroke_width` and `class_` stand for stroke-width and class."""

    tag: str
    attributes: dict[str, Attribute]
    children: tuple[Element | str, ...] = ()

    def to_svg(self) -> str:
        """The element as text."""
        found: list[str] = []
        self._write(found.append)
        return "".join(found)

    def _write(self, put: Callable[[str], None]) -> None:
        put(f"<{self.tag}")
        for name, value in self.attributes.items():
            told = value.to_svg() if type(value) is Outline else _short(value)
            put(f'{_name(name)}{told}"')
        if not any(self.children):
            put("/>")
            return
        put(">")
        for child in self.children:
            if isinstance(child, str):
                put(escaped(child))
            else:
                child._write(put)
        put(f"</{self.tag}>")


def element(tag: str, *children: Element | str, **attributes: Attribute) -> Element:
    """An element with its children and attributes, in their order."""
    return Element(tag, attributes, children)


def escaped(text: str) -> str:
    """`text` for content or a quoted attribute; what XML cannot hold becomes a `?`."""
    return escape(_FORBIDDEN.sub("?", text))


@lru_cache(maxsize=64)
def _name(name: str) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="'


@lru_cache(maxsize=1024)
def _short(value: str | float | tuple[float, ...]) -> str:
    if isinstance(value, str):
        return escaped(value)
    return " ".join(map(number, value)) if isinstance(value, tuple) else number(value)
