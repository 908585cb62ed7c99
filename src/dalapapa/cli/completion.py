"""What the shell offers after Tab: games, programs, designs, palettes, languages and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from .help import ParamType

Words = Callable[[click.Context], Iterable[str]]


class Named(ParamType):
    """A name out of some, which the command itself checks."""

    name = "text"

    def __init__(self, words: Words, commas: bool = False, files: bool = False) -> None:
        """With `commas`, several names with commas between them; with `files`, a file as well."""
        self.words = words
        self.commas = commas
        self.files = files

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        before, comma, begun = incomplete.rpartition(",") if self.commas else ("", "", incomplete)
        found = [
            CompletionItem(f"{before}{comma}{word}")
            for word in self.words(ctx)
            if word.startswith(begun)
        ]
        if self.files and not found:
            return FILE.shell_complete(ctx, param, incomplete)
        return found


class Place(ParamType):
    """A file (or `-`) or a folder, which the shell looks for by itself."""

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


def _programs(ctx: click.Context) -> Iterable[str]:
    from ..bots import list_bots
    from ..core.errors import DalapapaError
    from ..games import find_game

    try:
        return list_bots(find_game(ctx.params.get("game") or "classic"))
    except DalapapaError:
        return ()


def _choices(name: str) -> Words:
    """The choices of an option of prints."""

    def words(_: click.Context) -> Iterable[str]:
        from ..printing.options import catalogue

        return [str(one) for option in catalogue() if option.name == name for one in option.choices]

    return words


def _prints(_: click.Context) -> Iterable[str]:
    from ..printing.options import WHAT

    return WHAT


def _languages(_: click.Context) -> Iterable[str]:
    return LANGUAGES


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


def among(*words: str) -> Named:
    """One of some words."""
    return Named(lambda _: words)


LANGUAGES = ("en", "fr", "de", "nl", "es", "it")

FILE, FOLDER = Place("file", "file"), Place("folder", "dir")
GAME = Named(_games)
PROGRAMS = Named(_programs, commas=True)
LANGUAGE = Named(_languages)
PALETTE = Named(_palettes)
PRINT = Named(_prints)
DOMINO = Named(_dominoes)
DOMINOES = Named(_dominoes, commas=True)
SET = Named(lambda _: ("120", "72"), files=True)


def print_choices(name: str) -> Named:
    """Those of an option of prints, such as its designs."""
    return Named(_choices(name))
