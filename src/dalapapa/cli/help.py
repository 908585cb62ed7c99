"""The look of the command line: help, tables, ranges of numbers, and sentences for wrong usage."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # Older versions of click have no type parameter here.
    ParamType = click.ParamType

MIN_COLUMNS_SIDE_BY_SIDE = 60
"""On a narrower terminal, the help shows the description of an option below its name."""

MAX_HELP_COLUMNS = 80
"""Wider lines of help would be hard to read."""


def line_width() -> int | None:
    """The columns that COLUMNS or the terminal allows; None in a pipe."""
    if os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty():
        return max(20, shutil.get_terminal_size().columns)
    return None


def say(line: str, indent: int = 6) -> None:
    """Print a line; if the terminal is too narrow, fold it and indent the rest."""
    width = line_width()
    if width is not None and len(line) > width:
        line = textwrap.fill(
            line, width, subsequent_indent=" " * indent, break_on_hyphens=False,
            break_long_words=False,
        )  # fmt: skip
    click.echo(line)


def say_table(
    titles: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int] = ()
) -> None:
    """Print a table with names on the left; on a narrow terminal, print a list instead."""
    rows = list(rows)
    widths = widths or [
        max(len(row[place]) for row in (titles, *rows)) + 2 * (place > 0)
        for place in range(len(titles))
    ]
    if (line_width() or sum(widths)) < sum(widths):
        for name, *values in rows:
            say(name, 2)
            pairs = (f"{title} {value}" for title, value in zip(titles[1:], values, strict=True))
            say(f"  {', '.join(pairs)}", 2)
        return
    for name, *values in (titles, *rows):
        cells = (f"{value:>{width}}" for value, width in zip(values, widths[1:], strict=True))
        click.echo(f"{name:<{widths[0]}}{''.join(cells)}")


class Formatter(click.HelpFormatter):
    """Formats help so that it fits a narrow terminal."""

    def __init__(self, *_: Any, **__: Any) -> None:
        width = min(shutil.get_terminal_size().columns, MAX_HELP_COLUMNS)
        super().__init__(width=max(20, width - 2))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        if self.width >= MIN_COLUMNS_SIDE_BY_SIDE:
            return super().write_dl(list(rows), col_max, col_spacing)
        for name, text in rows:
            for indent, part in ((self.current_indent, name), (self.current_indent + 4, text)):
                if part:
                    space = " " * indent
                    lines = textwrap.fill(
                        part, self.width, initial_indent=space, subsequent_indent=space,
                        break_on_hyphens=False, break_long_words=False,
                    )  # fmt: skip
                    self.write(f"{lines}\n")
        return None

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if self.width >= MIN_COLUMNS_SIDE_BY_SIDE:
            return super().write_usage(prog, args, prefix)
        text = textwrap.fill(
            f"Usage: {prog} {args}", self.width, subsequent_indent=" " * 4, break_on_hyphens=False
        )
        return self.write(f"{text}\n")


class Context(click.Context):
    """The context of every command."""

    formatter_class = Formatter

    def __init__(self, *args: Any, **settings: Any) -> None:
        # Not only in the context of the whole program: a command keeps the help option that it had
        # in its first context.
        super().__init__(*args, **{"help_option_names": ["-h", "--help"], **settings})


def list_option_names(command: click.Command, ctx: click.Context) -> dict[str, bool]:
    """List all names of the options of a command, and whether they take a value."""
    return {
        name: not (param.is_flag or param.count)
        for param in command.get_params(ctx)
        if isinstance(param, click.Option)
        for name in (*param.opts, *param.secondary_opts)
    }


class _Parser(click.Command):
    """Reports options that have a value too many or too few."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            takes_value = list_option_names(self, ctx).get(error.option_name, True)
            problem = "needs a value" if takes_value else "takes no value"
            raise click.UsageError(f"{error.option_name} {problem}.", ctx) from None


class Command(_Parser):
    """A command that names the arguments that it cannot use."""

    allow_extra_args = True  # So that click leaves them to us.

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            raise click.UsageError(
                f"Unexpected argument{'s' * (len(ctx.args) > 1)}: {' '.join(ctx.args)}.", ctx
            )
        return ctx.args


class Commands(_Parser, click.Group):
    """A group of commands whose list shows whole sentences."""

    command_class: type[click.Command] | None = Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (name, command.get_short_help_str(1000))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in self.commands or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from ..core.notation import suggest

        raise click.UsageError(
            f"There is no command {name!r}; {ctx.command_path} --help lists all commands."
            f"{suggest(name, self.commands)}",
            ctx,
        )


command = partial(click.command, cls=Command)


class Choice(click.Choice[str]):
    """One of a few words."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ARG002
        return f"must be {' or '.join(self.choices)}, not {value!r}."


class Number(ParamType):
    """A number in a range, such as a time in seconds, but not NaN."""

    name = "decimal"
    whole = False

    def __init__(self, minimum: float | None = None, maximum: float | None = None) -> None:
        self.minimum, self.maximum = minimum, maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = int(value) if self.whole else float(value)
        except (ValueError, OverflowError):
            number = math.nan
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        if not low <= number <= high:
            from ..core.notation import shorten

            self.fail(f"it must be {self.allowed}, not {shorten(str(value))}.", param, ctx)
        return number

    @property
    def allowed(self) -> str:
        """The range in words: "a whole number from 1 to 8"."""
        kind = "a whole number" if self.whole else "a number"
        if self.maximum is None:
            return kind if self.minimum is None else f"{kind} from {self.minimum:g} up"
        return f"{kind} from {_format(self.minimum or 0)} to {_format(self.maximum)}"


def _format(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


class Whole(Number):
    """A whole number in a range, such as how many games to play."""

    name = "number"
    whole = True


def describe_error(error: click.ClickException) -> str:
    """Describe in a sentence what is wrong with the use of a command."""
    match error:
        case click.NoSuchOption():
            similar = " or ".join(sorted(error.possibilities or ()))
            hint = f" Did you mean {similar}?" if similar else _value_hint(error)
            return f"There is no option {error.option_name}.{hint}"
        case click.MissingParameter():
            return f"{_parameter_name(error)} is missing."
        case click.BadParameter():
            is_choice = isinstance(getattr(error.param, "type", None), Choice)
            return f"{_parameter_name(error)}{'' if is_choice else ':'} {error.message}"
    return error.format_message()


def _value_hint(error: click.NoSuchOption) -> str:
    """Say how to write a value that starts with `-`, if the command takes values."""
    command = error.ctx.command if error.ctx else None
    takes = command is not None and any(isinstance(p, click.Argument) for p in command.params)
    return " Write -- before a value that starts with -." if takes else ""


def _parameter_name(error: click.BadParameter) -> str:
    param = error.param
    if param is None:
        return str(error.param_hint or "The input")
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.make_metavar(error.ctx or click.Context(click.Command(None))).strip("[].")


class Key(ParamType):
    """An id or a token of a given length; any other non-blank text is accepted, too.

    They are URL-safe base64, so one in 64 starts with `-`.
    """

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
