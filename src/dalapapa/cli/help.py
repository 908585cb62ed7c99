"""How the command line looks: help without cut sentences, numbers with their ranges, narrow
terminals, and what is wrong with a command in words of ours."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # Older ones of click do not say of what.
    ParamType = click.ParamType

NARROW = 60
"""Columns below which what usually stands side by side stands one below the other."""

WIDEST = 80
"""Columns of help, however wide the terminal is."""


def columns() -> int | None:
    """How wide a line may be: as COLUMNS or the terminal says; None in a pipe."""
    if os.environ.get("COLUMNS", "").isdecimal() or sys.stdout.isatty():
        return max(20, shutil.get_terminal_size().columns)
    return None


def say(line: str, indent: int = 6) -> None:
    """Print a line, folded where it is too long for the terminal; the rest is indented."""
    click.echo(folded(line, indent))


def folded(line: str, indent: int = 6) -> str:
    """A line that fits, as several ones if need be."""
    width = columns()
    if width is None or len(line) <= width:
        return line
    return textwrap.fill(
        line, width, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False
    )


def say_table(
    titles: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int] = ()
) -> None:
    """Print a table: names on the left, the rest on the right; on a narrow terminal, as lists."""
    rows = list(rows)
    widths = widths or [
        max(len(row[place]) for row in (titles, *rows)) + 2 * (place > 0)
        for place in range(len(titles))
    ]
    if (columns() or sum(widths)) < sum(widths):
        for name, *values in rows:
            say(name, 2)
            pairs = (f"{title} {value}" for title, value in zip(titles[1:], values, strict=True))
            say(f"  {', '.join(pairs)}", 2)
        return
    for name, *values in (titles, *rows):
        cells = (f"{value:>{width}}" for value, width in zip(values, widths[1:], strict=True))
        click.echo(f"{name:<{widths[0]}}{''.join(cells)}")


class Formatter(click.HelpFormatter):
    """Help that fits: on a narrow terminal, options stand above what they do."""

    def __init__(self, *_: Any, **__: Any) -> None:
        width = min(shutil.get_terminal_size().columns, WIDEST)
        super().__init__(width=max(20, width - 2))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        if self.width >= NARROW:
            return super().write_dl(list(rows), col_max, col_spacing)
        for name, text in rows:
            for indent, part in ((self.current_indent, name), (self.current_indent + 4, text)):
                if part:
                    self.write(_filled(part, self.width, indent))
        return None

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if self.width >= NARROW:
            return super().write_usage(prog, args, prefix)
        text = textwrap.fill(
            f"Usage: {prog} {args}", self.width, subsequent_indent=" " * 4, break_on_hyphens=False
        )
        return self.write(f"{text}\n")


def _filled(text: str, width: int, indent: int) -> str:
    space = " " * indent
    return textwrap.fill(
        text, width, initial_indent=space, subsequent_indent=space, break_on_hyphens=False,
        break_long_words=False,
    ) + "\n"  # fmt: skip


class Context(click.Context):
    """Of every command."""

    formatter_class = Formatter


class Commands(click.Group):
    """A list of commands, each with the whole sentence of what it does."""

    context_class = Context

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        cmd.context_class = Context
        super().add_command(cmd, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [
            (name, command.get_short_help_str(1000))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class _Number(ParamType):
    """A number in a range."""

    name = "number"
    whole = True

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = int(value) if self.whole else float(value)
        except (ValueError, OverflowError):
            number = math.nan
        low = -math.inf if self.least is None else self.least
        high = math.inf if self.most is None else self.most
        if not low <= number <= high:
            from ..core.notation import shortened

            self.fail(f"it is {self.allowed}, not {shortened(str(value))}.", param, ctx)
        return number

    @property
    def allowed(self) -> str:
        """In words: "a whole number from 1 to 8"."""
        kind = "a whole number" if self.whole else "a number"
        if self.most is None:
            return kind if self.least is None else f"{kind} from {self.least:g} up"
        return f"{kind} from {_short(self.least or 0)} to {_short(self.most)}"


def _short(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


class Whole(_Number):
    """A whole number, such as how many games to play."""


class Number(_Number):
    """Any number, such as a time in seconds; one that is none is refused, too."""

    name = "decimal"
    whole = False


def in_our_words(error: click.ClickException) -> str:
    """What is wrong with the use of a command."""
    match error:
        case click.NoSuchOption():
            like = " or ".join(sorted(error.possibilities or ()))
            hint = f" Did you mean {like}?" if like else ""
            return f"There is no option {error.option_name}.{hint or _value_hint(error)}"
        case click.MissingParameter():
            return f"{_named(error)} is missing."
        case click.BadOptionUsage():
            name = error.option_name
            if "does not take a value" in error.message:
                return f"{name} takes no value."
            return f"{name} needs a value."
        case click.BadParameter():
            if isinstance(getattr(error.param, "type", None), click.Choice):
                choices = " or ".join(error.param.type.choices)  # type: ignore[union-attr]
                given = error.message.partition(" is not one of")[0]
                return f"{_named(error)} is {choices}, not {given}."
            return f"{_named(error)}: {error.message}"
    said = error.format_message()
    if unknown := re.match(r"No such command '(.*?)'\.(?: Did you mean (.+)\?)?", said, re.DOTALL):
        hint = f" Did you mean {unknown[2]}?" if unknown[2] else ""
        return f"There is no command {unknown[1]!r}; dalapapa --help lists them all.{hint}"
    if said.startswith("Got unexpected extra argument"):
        return f"This is too much: {said.partition('(')[2].rpartition(')')[0]}."
    return said


def _value_hint(error: click.NoSuchOption) -> str:
    """How to give a value that starts with `-`, where the command takes values."""
    command = error.ctx.command if error.ctx else None
    takes = command is not None and any(isinstance(p, click.Argument) for p in command.params)
    return " Write -- before a value that starts with -." if takes else ""


def _named(error: click.BadParameter) -> str:
    """The option or argument that it is about."""
    param = error.param
    if param is None:
        return str(error.param_hint or "Something")
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.make_metavar(error.ctx or click.Context(click.Command(None))).strip("[].")
