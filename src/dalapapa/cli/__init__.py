"""The command line: `dalapapa COMMAND` (`docs/command-line.md`), a module for each family.

Every command prints text for people, or one JSON document with `--json`. Wrong usage and bad input
end with one line on stderr and exit code 2. Commands import what they need when they run, so that
a short command answers quickly.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from io import TextIOWrapper

import click

from .. import __version__
from ..core.errors import DalapapaError
from . import admin, coach, games, printing, problems, server, study
from .help import Commands, describe_error


@click.group(cls=Commands, invoke_without_command=True)
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
    """Run a command; report every refusal in one line and with exit code 2."""
    write_utf8()
    try:
        commands.main(prog_name="dalapapa", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        _fail("usage", describe_error(error))
    except DalapapaError as error:
        _fail(error.code, str(error))
    except UnicodeEncodeError:  # A shell passes on any bytes.
        _fail("not_text", "An argument is not UTF-8 text.")
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OverflowError:
        _check_clock()
        raise
    except OSError as error:
        _fail("unwritable_path", f"{error.filename or 'output'}: {error.strerror or error}.")


def _check_clock() -> None:
    """Refuse a date that Python cannot read: its times end in 2262."""
    try:
        time.time()
    except OverflowError:
        _fail("bad_clock", "The clock of this machine shows an impossible date: set it.")


def write_utf8(system: str = sys.platform) -> None:
    """Make every letter printable in any encoding of the terminal.

    Windows would write files and pipes in its code page, which lacks many of our letters. In an
    encoding other than UTF-8, missing letters are written as `\\u0142`.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        if system == "win32":
            stream.reconfigure(encoding="utf-8")
        elif stream.encoding.lower().replace("-", "") not in ("utf8", "ascii", "usascii"):
            stream.reconfigure(errors="backslashreplace")


def _fail(code: str, sentence: str) -> None:
    line = " ".join(sentence.split())
    line = line if len(line) <= 600 else f"{line[:400]} ... {line[-180:]}"
    with suppress(OSError):  # Standard error may be closed as well.
        click.echo(f"Error ({code}): {line}", err=True)
    _discard_unwritable()
    sys.exit(2)


def _discard_unwritable() -> None:
    """Drop unwritable output: the flush at exit would fail and end with code 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, stream.fileno())
                os.close(null)
