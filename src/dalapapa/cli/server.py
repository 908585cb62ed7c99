"""The server: starting it, a program of one's own at its tables, its tables as a file."""

from __future__ import annotations

import sys

import click

from .shared import Seconds, json_option, print_json, read_options

database_option = click.option(
    "--database", metavar="URL",
    help="sqlite:///FILE or postgresql://...; else a file in your home.",
)  # fmt: skip


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535),
              help="The port; without it 8072, or any free one.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@database_option
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE",
              help="What the server allows, such as sockets=5000 (docs/hosting.md).")  # fmt: skip
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A name to answer to, such as that of a proxy; * for any.")  # fmt: skip
def play(
    host: str, port: int | None, no_browser: bool, database: str | None, limits: tuple[str, ...],
    hosts: tuple[str, ...],
) -> None:  # fmt: skip
    """Start the server and open the browser on it."""
    from ..server.limits import limits_from
    from ..server.run import serve

    serve(host, port, not no_browser, database, limits_from(read_options(limits)), hosts)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
@click.option("--server", "url", default="http://127.0.0.1:8072", show_default=True, metavar="URL",
              help="The server.")  # fmt: skip
@click.option("--table", required=True, metavar="ID", help="The table.")
@click.option("--seat", type=click.IntRange(0, 9), metavar="N",
              help="The seat, from 0; without it, the first free one.")  # fmt: skip
@click.option("--name", help="The name at the table; without it, the one the program tells.")
@click.option("--seconds", default=10.0, show_default=True, metavar="S",
              type=Seconds(0.01, 3600), help="What a move may take.")  # fmt: skip
@json_option
def bot(
    command: tuple[str, ...], url: str, table: str, seat: int | None, name: str | None,
    seconds: float, as_json: bool,
) -> None:  # fmt: skip
    """Let your own program (COMMAND) play at a table, by JSON lines (docs/adapters.md).

    What follows -- belongs to COMMAND, whatever it looks like.
    """
    import asyncio

    from ..adapters import remote_bot

    def report(sentence: str) -> None:
        click.echo(sentence, err=True)

    playing = remote_bot.play(
        url, table, command, seat=seat, name=name, seconds=seconds, report=report
    )
    try:
        outcome = asyncio.run(playing)
    except asyncio.CancelledError:
        sys.exit(143)  # As after SIGTERM, which it was.
    if as_json:
        return print_json(outcome)
    click.echo(f"Scores {outcome['scores']}, winners {outcome['winners']} ({outcome['reason']}).")
    return None


@click.command("export")
@database_option
@click.argument("file")
def export_command(file: str, database: str | None) -> None:
    """Write all tables of a server, with their seeds and moves, to FILE."""
    import asyncio

    from ..server.run import default_database, with_driver
    from ..server.transfer import export_tables

    done = asyncio.run(export_tables(with_driver(database or default_database()), file))
    more = f"; {done.left_out} of other dominoes left out" if done.left_out else ""
    click.echo(f"{file}: {done.tables} table{'s' * (done.tables != 1)}{more}")


@click.command("import")
@database_option
@click.argument("file")
def import_command(file: str, database: str | None) -> None:
    """Read the tables of FILE (or - for standard input), each played through, all or none.

    Tables that are there already stay as they are.
    """
    import asyncio

    from ..server.run import default_database, with_driver
    from ..server.transfer import import_tables

    came = asyncio.run(import_tables(with_driver(database or default_database()), file))
    click.echo(f"{came.new} new table{'s' * (came.new != 1)}; {came.already} stay as they are")
