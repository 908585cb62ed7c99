"""The command that makes PDFs to print."""

from __future__ import annotations

from typing import Any

import click

from ..core.errors import BadInput
from .completion import FILE, PRINT, print_choices
from .help import Command
from .shared import format_count, json_option, print_result, progress, text_or_input


class PrintCommand(Command):
    """Has the options that `printing` declares, and imports `printing` only when needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from ..core.options import Option
        from ..printing.options import catalogue, write_text

        def describe_default(option: Option) -> str:
            """Format the default for the help."""
            if not option.default:
                return ""
            others = (f"; {write_text(option, what)} for {what}" for what in option.default_of)
            return f"  [default: {''.join((write_text(option), *others))}]"

        declared = [
            click.Option(
                [f"--{option.name}"],
                is_flag=option.kind == "switch",
                # No default for click: the default depends on the kind of print.
                default=None,
                metavar=None if option.kind == "switch" else option.name.upper(),
                type=print_choices(option.name) if option.choices else None,
                help=f"{option.description[0].upper()}{option.description[1:]}"
                f"{': ' if option.choices else ''}{', '.join(map(str, option.choices))}."
                f"{describe_default(option)}",
            )
            for option in catalogue()
            if option.name != "what"
        ]
        own = super().get_params(ctx)
        return [*own[:-2], *declared, *own[-2:]]  # --json and --help come last.

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        from ..printing.options import WHAT

        with formatter.section("WHAT is one of"):
            formatter.write_dl(list(WHAT.items()))


@click.command("print", cls=PrintCommand)
@click.argument("what", default="set", type=PRINT)
@click.option("-o", "--output", required=True, metavar="FILE.pdf", help="The file to write.",
              type=FILE)  # fmt: skip
@click.option("--set", "set_name", metavar="SET", type=FILE,
              help="For set, position and puzzle: your own set, a .json or .csv file.")  # fmt: skip
@json_option
def print_command(
    what: str, output: str, set_name: str | None, as_json: bool, **choices: Any
) -> None:
    """Make a PDF to print, cut out and play with.

    WHAT is the set by default. Print at 100%, and print the set on both sides of the paper. If
    backs and fronts do not line up, print the calibration sheet and give the numbers it shows as
    --offset.
    """
    from ..core.files import check_writable, write
    from ..core.tiles import load
    from ..printing import make_sheets, print_options, read_texts, to_pdf

    if not output.lower().endswith(".pdf"):
        raise BadInput(f"{output}: the file name must end with .pdf.", "bad_output")
    check_writable(output)
    if what == "position" and choices["position"] is not None:
        choices["position"] = text_or_input(choices["position"])
    given = {name: value for name, value in choices.items() if value is not None}
    options = print_options(read_texts({"what": what, **given}))
    if "position" in given and what != "position":
        raise BadInput(f"--position needs the print 'position', not {what}.", "usage")
    sheets = make_sheets(options, load(set_name) if set_name else None)
    with progress("print", len(sheets)) as advance:
        data = to_pdf(sheets, options, advance)
    write(output, data)
    paper = options.format.name
    written = {"file": output, "pages": len(sheets), "format": paper}
    print_result(as_json, written, f"{output}: {format_count(len(sheets), 'page')}, {paper}")
