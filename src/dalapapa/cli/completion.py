"""Shell completion of games, bots, designs, palettes, languages and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from .help import ParamType

Words = Callable[[click.Context], Iterable[str]]


class NameType(ParamType):
    """A name to complete; the command checks it."""

    name = "text"

    def __init__(self, words: Words, commas: bool = False, files: bool = False) -> None:
        """With `commas`, a list of names; with `files`, a name or a file."""
        self.words = words
        self.commas = commas
        self.files = files

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        before, comma, start = incomplete.rpartition(",") if self.commas else ("", "", incomplete)
        items = [
            CompletionItem(f"{before}{comma}{word}")
            for word in self.words(ctx)
            if word.startswith(start)
        ]
        if self.files and not items:
            return FILE.shell_complete(ctx, param, incomplete)
        return items


class PathType(ParamType):
    """A file (or `-`) or a folder, which the shell completes by itself."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str  # noqa: ARG002
    ) -> list[CompletionItem]:  # fmt: skip
        return [CompletionItem(incomplete, type=self.kind)]


def _games(_: click.Context) -> Iterable[str]:
    from ..games import list_entries

    return [entry.name for entry in list_entries()]


def _bots(ctx: click.Context) -> Iterable[str]:
    from ..bots import list_bots
    from ..core.errors import DalapapaError
    from ..games import find_game

    try:
        return list_bots(find_game(ctx.params.get("game") or "classic"))
    except DalapapaError:
        return ()


def _prints(_: click.Context) -> Iterable[str]:
    from ..printing.options import WHAT

    return WHAT


def _palettes(_: click.Context) -> Iterable[str]:
    from ..drawing.palettes import PALETTES

    return PALETTES


def _dominoes(ctx: click.Context) -> Iterable[str]:
    from ..core.errors import DalapapaError
    from ..core.tiles import load

    try:
        return load(ctx.params.get("set_name") or "120").names
    except DalapapaError:
        return ()


def among(*words: str) -> NameType:
    """Complete one of the given words."""
    return NameType(lambda _: words)


FILE, FOLDER = PathType("file", "file"), PathType("folder", "dir")
GAME = NameType(_games)
BOTS = NameType(_bots, commas=True)
LANGUAGE = among("en", "fr", "de", "nl", "es", "it")
PALETTE = NameType(_palettes)
PRINT = NameType(_prints)
DOMINO = NameType(_dominoes)
DOMINOES = NameType(_dominoes, commas=True)
SET = NameType(lambda _: ("120", "72"), files=True)


def print_choices(name: str) -> NameType:
    """Complete the choices of a print option, such as its designs."""

    def words(_: click.Context) -> Iterable[str]:
        from ..printing.options import catalogue

        return [str(c) for option in catalogue() if option.name == name for c in option.choices]

    return NameType(words)
