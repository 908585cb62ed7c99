"""What several commands share: options, reading what is given, telling how far work is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from ..core.errors import BadInput, DalapapaError
from ..core.interrupts import CODE as INTERRUPTED
from .completion import SET
from .help import Number

if TYPE_CHECKING:
    from ..kernel.table import Table
    from ..record import Replay

T = TypeVar("T")

MAX_INPUT = 4_000_000
"""Bytes that are read from standard input or a file."""

set_option = click.option(
    "--set", "set_name", default="120", show_default=True, metavar="SET",
    help="The set: 120, 72, or a .json or .csv file.", type=SET,
)  # fmt: skip
position_option = click.option(
    "--position", required=True, metavar="P",
    help="Layings separated by spaces; '' for the empty table, - for standard input.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


class Seconds(Number):
    """A time in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value).strip().lower().lstrip("+-") == "nan":
            raise BadInput("--seconds is a number of seconds.", "bad_seconds")
        return super().convert(value, param, ctx)


def read_options(wishes: tuple[str, ...]) -> dict[str, Any]:
    """Options of a game from NAME=VALUE; a value is JSON where it can be, else text."""
    options: dict[str, Any] = {}
    for wish in wishes:
        name, equals, value = wish.partition("=")
        if not equals or not name:
            from ..core.notation import shortened

            raise BadInput(f"An option is NAME=VALUE, not {shortened(wish)}.", "usage")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def read_table(position: str, set_name: str) -> Table:
    """The table of a position given as text, or on standard input."""
    from ..core.tiles import load
    from ..kernel.table import Table

    chosen = load(set_name)
    return Table.parse(text_or_input(position), chosen)


def read_replay(file: str) -> Replay:
    """A record that is verified, from a file or standard input."""
    from .. import record
    from ..core.files import shown

    data = _read(file)
    try:
        return record.replay(record.load(data))
    except DalapapaError as error:
        name = "Standard input" if file == "-" else shown(file)
        raise type(error)(f"{name}: {error}", error.code) from None


def _read(file: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    from ..core.files import read

    if file != "-":
        return read(file, MAX_INPUT)
    if sys.stdin is None:
        raise BadInput("Standard input is closed.", "unreadable_file")
    try:
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
    except OSError as error:
        raise BadInput(f"Standard input: {error.strerror or error}.", "unreadable_file") from None
    if len(data) > MAX_INPUT:
        raise BadInput(f"Standard input: more than {MAX_INPUT} bytes.", "too_large")
    return data


def text_or_input(text: str) -> str:
    """What an option says, or the text on standard input if it is `-`."""
    if text != "-":
        return text
    try:
        return _read("-").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("Standard input is not UTF-8 text.", "not_text") from None


def names_in(words: Iterable[str]) -> list[str]:
    """The names of dominoes, with spaces or commas between them."""
    return [name for word in words for name in word.replace(",", " ").split()]


def in_words(parts: dict[str, Any]) -> str:
    """Points in parts: "3 discs 4, closes yellow 5, charge 4"."""
    from ..core.tiles import COLOUR_NAMES

    contacts = parts["contacts"]
    words = [f"{contacts} disc{'s' * (contacts != 1)} {parts['disc_points']}"]
    words += [f"closes {COLOUR_NAMES[g['colour']]} {g['size']}" for g in parts["groups"]]
    if parts.get("charge"):
        words.append(f"charge {parts['charge']}")
    return ", ".join(words)


def print_json(data: Any) -> None:
    """The one line that `--json` asks for."""
    click.echo(json.dumps(data, ensure_ascii=False))


def gathered(results: Generator[T], heard: Callable[[T], None]) -> tuple[list[T], bool]:
    """All results, or those up to Ctrl+C; and whether they are all."""
    found: list[T] = []
    try:
        with closing(results):
            for result in results:
                found.append(result)
                heard(result)
    except KeyboardInterrupt:
        return found, False
    return found, True


def leave(sentence: str) -> NoReturn:
    """End after Ctrl+C, once what there is has been told."""
    click.echo(sentence, err=True)
    sys.exit(INTERRUPTED)


@contextmanager
def progress(title: str, total: int | None, least: int = 200) -> Iterator[Any]:
    """A progress bar on a terminal; nothing when piped, or for less than `least` pieces of work.

    It is told of each piece of work; without a total, how many there were so far.
    """
    if not sys.stderr.isatty() or (total is not None and total < least):
        yield lambda _: None
        return
    from rich import progress as rich
    from rich.console import Console

    name, console = rich.TextColumn(title), Console(stderr=True)
    if total is None:
        counted = rich.TextColumn("{task.completed:,.0f} partial layouts")
        columns = [rich.SpinnerColumn(), name, counted, rich.TimeElapsedColumn()]
    else:
        columns = [name, rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeRemainingColumn()]
    with rich.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)
        if total is None:
            yield lambda nodes: bar.update(task, completed=nodes)
        else:
            yield lambda done: bar.advance(task, done)
