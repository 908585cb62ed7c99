"""Options, input, output, pictures and progress bars that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, TypeVar

import click

from ..core.errors import BadInput, DalapapaError, Unavailable
from ..core.interrupts import EXIT_CODE
from .completion import FILE, SET
from .help import Choice, Number

if TYPE_CHECKING:
    from ..kernel.table import Table
    from ..record import Replay

T = TypeVar("T")
Kind = Literal["svg", "png"]

MAX_INPUT_BYTES = 4_000_000
"""The most that is read from standard input or a file."""

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
    """A number of seconds in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value).strip().lower().lstrip("+-") == "nan":
            name = param.opts[-1] if param else "A time"
            raise BadInput(f"{name} must be a number of seconds.", "bad_seconds")
        return super().convert(value, param, ctx)


def read_options(words: tuple[str, ...]) -> dict[str, Any]:
    """Read options written as NAME=VALUE; a value that is not JSON is a text."""
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            from ..core.notation import shorten

            raise BadInput(f"An option must be NAME=VALUE, not {shorten(word)}.", "usage")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def read_table(position: str, set_name: str) -> Table:
    """Build the table of a position, given as text or on standard input."""
    from ..core.tiles import load
    from ..kernel.table import Table

    chosen = load(set_name)
    return Table.parse(text_or_input(position), chosen)


def read_replay(file: str) -> Replay:
    """Read and verify a record from a file or standard input."""
    from .. import record
    from ..core.files import format_name

    data = _read(file)
    try:
        return record.replay(record.load(data))
    except DalapapaError as error:
        name = "Standard input" if file == "-" else format_name(file)
        raise type(error)(f"{name}: {error}", error.code, **error.values) from None


def _read(file: str) -> bytes:
    """Read the bytes of a file, or of standard input for `-`."""
    from ..core.files import read

    if file != "-":
        return read(file, MAX_INPUT_BYTES)
    if sys.stdin is None:
        raise BadInput("Standard input is closed.", "unreadable_file")
    try:
        data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise BadInput(f"Standard input: {error.strerror or error}.", "unreadable_file") from None
    if len(data) > MAX_INPUT_BYTES:
        raise BadInput(f"Standard input has more than {MAX_INPUT_BYTES} bytes.", "too_large")
    return data


def text_or_input(text: str) -> str:
    """Return the text, or read standard input if the text is `-`."""
    if text != "-":
        return text
    try:
        return _read("-").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("Standard input is not UTF-8 text.", "not_text") from None


def split_names(words: Iterable[str]) -> list[str]:
    """Split names of dominoes at spaces and commas."""
    return [name for word in words for name in word.replace(",", " ").split()]


def describe_points(parts: dict[str, Any]) -> str:
    """Describe points in parts: "3 discs 4, closes yellow 5, charge 4"."""
    from ..core.tiles import COLOUR_NAMES

    contacts = parts["contacts"]
    words = [f"{contacts} disc{'s' * (contacts != 1)} {parts['disc_points']}"]
    words += [f"closes {COLOUR_NAMES[g['colour']]} {g['size']}" for g in parts["groups"]]
    if parts.get("charge"):
        words.append(f"charge {parts['charge']}")
    return ", ".join(words)


def format_count(number: int, what: str) -> str:
    """Format a number of things: "1 table", "2 tables"."""
    return f"{number} {what}{'s' * (number != 1)}"


def print_json(data: Any) -> None:
    """Print a value as one line of JSON."""
    import msgspec

    click.echo(json.dumps(msgspec.to_builtins(data), ensure_ascii=False))


def print_result(as_json: bool, data: Any, sentence: str) -> None:
    """Print the result of a command for software or for people."""
    if as_json:
        print_json(data)
    else:
        click.echo(sentence)


Stop: TypeAlias = KeyboardInterrupt | DalapapaError | None
"""Why a command stopped early, if it did."""


def gather(results: Generator[T], on_result: Callable[[T], None]) -> tuple[list[T], Stop]:
    """Collect results until Ctrl+C or lost workers; return them, and what ended it early."""
    gathered: list[T] = []

    def add(result: T) -> None:
        gathered.append(result)
        on_result(result)

    return gathered, consume(results, add)


def consume(results: Generator[T], on_result: Callable[[T], None]) -> Stop:
    """Use each result until Ctrl+C or lost workers; return what ended it early."""
    try:
        with closing(results):
            for result in results:
                on_result(result)
    except KeyboardInterrupt as stop:
        return stop
    except Unavailable as stop:
        return stop
    return None


def leave(sentence: str, stop: Stop = None) -> NoReturn:
    """End early, by default after Ctrl+C, with a sentence, once partial results are printed."""
    click.echo(sentence, err=True)
    if isinstance(stop, DalapapaError):
        raise stop
    sys.exit(EXIT_CODE)


@contextmanager
def progress(title: str, total: int | None, minimum: int = 200) -> Iterator[Any]:
    """Show a progress bar on a terminal, unless the work has fewer than `minimum` steps.

    The callback receives the number of new steps; without a total, the number of all steps.
    """
    if not sys.stderr.isatty() or (total is not None and total < minimum):
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


def picture_options(required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options `-o` and `--format` to a command."""
    output = click.option(
        "-o", "--output", required=required, metavar="FILE", type=FILE,
        help="The picture: a .svg or .png file, or - for standard output.",
    )  # fmt: skip
    kind = click.option(
        "--format", "kind", type=Choice(["svg", "png"]),
        help="The format on standard output; default: svg.",
    )  # fmt: skip
    return lambda command: output(kind(command))


def picture_kind(output: str, kind: Kind | None, as_json: bool) -> Kind:
    """Choose the format, and refuse an unwritable file before anything is drawn."""
    from ..core.files import check_writable

    if output == "-":
        if as_json:
            raise BadInput("--json and a picture cannot both go to standard output.", "usage")
        if kind == "png" and sys.stdout.isatty():
            raise BadInput(
                "A terminal cannot show a PNG picture: give -o a file name.", "bad_output"
            )
        return kind or "svg"
    suffix = output.lower().rpartition(".")[2]
    if suffix not in ("svg", "png"):
        raise BadInput(f"{output}: the file name must end with .svg or .png.", "bad_output")
    if kind not in (None, suffix):
        raise BadInput(
            f"{output}: the file name must end with .{kind}, the --format.", "bad_output"
        )
    check_writable(output)
    return "png" if suffix == "png" else "svg"


def write_picture(output: str, kind: Kind, svg: str, dominoes: int, as_json: bool) -> None:
    """Write a picture; unless it goes to standard output, report what was written."""
    from .. import drawing
    from ..core.files import write

    data = drawing.to_png(svg) if kind == "png" else svg.encode()
    if output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write(output, data)
        written = {"file": output, "format": kind, "dominoes": dominoes}
        print_result(as_json, written, f"{output}: {dominoes} domino{'es' * (dominoes != 1)}")
