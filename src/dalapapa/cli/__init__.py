"""The command line: `dalapapa COMMAND` (`docs/notation.md`), a chapter for each family of commands.

Every command prints for people, or one JSON document with `--json`; wrong use and bad input
end with one line on stderr and exit code 2. Modules are imported where they are used, so
that a short command answers at once.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from io import TextIOWrapper

import click

from .. import __version__
from ..errors import DalapapaError
from . import admin, coach, games, printing, problems, server, study
from .help import Commands, in_our_words


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="dalapapa")
@click.pass_context
def commands(context: click.Context) -> None:
    """Play, study and print Dalapapa, François Haffner's tile-laying game."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    *(study.tiles, study.legal, study.best, study.groups, study.solve, study.draw),
    *(games.games, games.simulate, games.ladder, games.replay),
    *(coach.analyse, printing.print_command, problems.problem),
    *(server.play, server.bot, server.export_command, server.import_command, server.check),
    *(server.backup, server.restore, admin.admin),
):
    commands.add_command(command)


def main() -> None:
    """The entry point: runs a command and turns every refusal into one line and code 2."""
    _write_utf8()
    try:
        commands.main(prog_name="dalapapa", standalone_mode=False)
    except click.ClickException as error:
        _fail("usage", in_our_words(error))
    except DalapapaError as error:
        _fail(error.code, str(error))
    except UnicodeEncodeError:  # A shell passes on any bytes.
        _fail("not_text", "Something that was given is not UTF-8 text.")
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OSError as error:
        _fail("unwritable_path", f"{error.filename or 'output'}: {error.strerror or error}.")


def _write_utf8(system: str = sys.platform) -> None:
    """Windows would write files and pipes in its code page, which lacks many of our letters."""
    if system == "win32":
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="utf-8")


def _fail(code: str, sentence: str) -> None:
    line = " ".join(sentence.split())
    line = line if len(line) <= 600 else f"{line[:400]} ... {line[-180:]}"
    with suppress(OSError):  # Nobody may be listening on stderr either.
        click.echo(f"Error ({code}): {line}", err=True)
    sys.exit(2)
