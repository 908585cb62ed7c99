"""Trees of SVG elements, to write as text or to read for prints (`printing/figures.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape

import msgspec

from .outlines import Outline, format_number

Attribute = str | float | tuple[float, ...] | Outline

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Element(msgspec.Struct, frozen=True):
    """An element of SVG. `stroke_width` and `class_` mean stroke-width and class."""

    tag: str
    attributes: dict[str, Attribute]
    children: tuple[Element | str, ...] = ()

    def to_svg(self) -> str:
        parts: list[str] = []
        self._write(parts.append)
        return "".join(parts)

    def _write(self, put: Callable[[str], None]) -> None:
        put(f"<{self.tag}")
        for name, value in self.attributes.items():
            text = value.to_svg() if type(value) is Outline else _format(value)
            put(f'{_name(name)}{text}"')
        if not any(self.children):
            put("/>")
            return
        put(">")
        for child in self.children:
            if isinstance(child, str):
                put(escape_text(child))
            else:
                child._write(put)
        put(f"</{self.tag}>")


def element(tag: str, *children: Element | str, **attributes: Attribute) -> Element:
    """Make an element; children and attributes keep their order."""
    return Element(tag, attributes, children)


def escape_text(text: str) -> str:
    """Escape text for content or a quoted attribute; characters outside XML become `?`."""
    return escape(_FORBIDDEN.sub("?", text))


@lru_cache(maxsize=64)
def _name(name: str) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="'


@lru_cache(maxsize=1024)
def _format(value: str | float | tuple[float, ...]) -> str:
    if isinstance(value, str):
        return escape_text(value)
    return " ".join(map(format_number, value)) if isinstance(value, tuple) else format_number(value)
