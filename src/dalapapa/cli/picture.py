"""Pictures that commands write to a file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal

import click

from ..core.errors import BadInput
from .completion import FILE
from .help import Choice
from .shared import print_json

Kind = Literal["svg", "png"]


def picture_options(required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options `-o` and `--format` to a command."""
    output = click.option(
        "-o", "--output", required=required, metavar="FILE", type=FILE,
        help="The picture: a .svg or .png file, or - for standard output.",
    )  # fmt: skip
    kind = click.option(
        "--format", "kind", type=Choice(["svg", "png"]),
        help="The format on standard output; default svg.",
    )  # fmt: skip
    return lambda command: output(kind(command))


def picture_kind(output: str, kind: Kind | None, as_json: bool) -> Kind:
    """Choose the format, and refuse an unwritable file before anything is drawn."""
    from ..core.files import check_writable

    if output == "-":
        if as_json:
            raise BadInput("--json and a picture cannot both go to standard output.", "usage")
        if kind == "png" and sys.stdout.isatty():
            raise BadInput("A terminal cannot show a PNG picture: name a file.", "bad_output")
        return kind or "svg"
    suffix = output.lower().rpartition(".")[2]
    if suffix not in ("svg", "png"):
        raise BadInput(f"{output}: a picture is a .svg or a .png file.", "bad_output")
    if kind not in (None, suffix):
        raise BadInput(f"{output} is not a file for {kind}.", "bad_output")
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
        if as_json:
            return print_json({"file": output, "format": kind, "dominoes": dominoes})
        click.echo(f"{output}: {dominoes} domino{'es' * (dominoes != 1)}")
    return None
