"""Ids and tokens as arguments: they are URL-safe base64, so one in 64 starts with `-`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import click

from .help import Command, ParamType, list_option_names


class Key(ParamType):
    """An id or a token of a given length; any other non-blank text is accepted, too."""

    name = "text"

    def __init__(self, length: int) -> None:
        self.shape = re.compile(rf"-[A-Za-z0-9_-]{{{length - 1}}}")
        """Matches a key that looks like an option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not text.strip():
            self.fail("it must not be empty.", param, ctx)
        return text


TABLE_ID = Key(16)
TOKEN = Key(22)


class KeyCommand(Command):
    """A command whose arguments may be keys that start with `-`.

    A word is such a key if it has exactly the length of a key, is not a value of an option, and is
    not similar to an option of the command. Everything else that starts with `-` is an option.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        shapes = [
            param.type.shape
            for param in self.get_params(ctx)
            if isinstance(param, click.Argument) and isinstance(param.type, Key)
        ]
        if shapes:
            args = self._separate(ctx, args, shapes)
        return super().parse_args(ctx, args)

    def _separate(
        self, ctx: click.Context, args: list[str], shapes: list[re.Pattern[str]]
    ) -> list[str]:
        """Put the options first, then `--`, then the arguments."""
        takes_value = list_option_names(self, ctx)

        def is_key(word: str) -> bool:
            similar = get_close_matches(word, takes_value)
            return not similar and any(shape.fullmatch(word) for shape in shapes)

        options: list[str] = []
        values: list[str] = []
        words = iter(args)
        for word in words:
            if word == "--":
                values += words
            elif word in takes_value:
                options.append(word)
                if takes_value[word]:
                    value = next(words, None)
                    if value is None:
                        return options  # click says which value is missing.
                    options.append(value)
            elif word == "-" or not word.startswith("-") or is_key(word):
                values.append(word)
            else:
                options.append(word)
        return [*options, "--", *values]
