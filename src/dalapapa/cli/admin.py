"""`dalapapa admin`: what an operator does to tables while servers are running."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

import click

from ..core.errors import BadInput
from .completion import GAME
from .help import TABLE_ID, TOKEN, Choice, Commands, KeyCommand, Number, Whole, say
from .server import database_option, run_on_database
from .shared import format_count, json_option, print_json, print_result, read_options, text_or_input

if TYPE_CHECKING:
    from ..server.ops.admin import Admin

T = TypeVar("T")

TRACES_LEFT = (
    "The names are deleted, but the files of the database may still contain them: run the"
    " command again when the server is less busy, or VACUUM the database."
)

yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def admin(context: click.Context) -> None:
    """List, inspect, close and delete tables while servers are running."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


admin.command_class = KeyCommand


def _run(database: str | None, action: Callable[[Admin], Awaitable[T]]) -> T:
    from ..server.ops.admin import Admin

    async def run(url: str) -> T:
        async with Admin.open(url) as opened:
            return await action(opened)

    return run_on_database(database, run)


def _confirm(yes: bool, what: str) -> None:
    """Ask before something is deleted."""
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise BadInput(f"{what} Pass --yes to confirm.", "usage")
    click.confirm(f"{what} Continue?", abort=True, err=True)


def _words(given: tuple[str, ...]) -> list[str]:
    """Split the arguments into words; `-` reads standard input."""
    words = [word for argument in given for word in text_or_input(argument).split()]
    if not words:
        raise BadInput("Give at least one id or link.", "usage")
    return words


def _format_time(milliseconds: int) -> str:
    """Format a time; if it is out of range, return the milliseconds."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return f"{milliseconds} ms after 1970"


@admin.command("list")
@database_option
@click.option(
    "--phase", type=Choice(["waiting", "playing", "over"]), help="Only tables in this phase."
)
@click.option("--game", metavar="GAME", type=GAME, help="Only tables of this game.")
@click.option("--older", type=Number(0, 100_000), metavar="DAYS",
              help="Only tables that have not changed for this many days.")  # fmt: skip
@click.option("--newer", type=Number(0, 100_000), metavar="DAYS",
              help="Only tables that changed within this many days.")  # fmt: skip
@click.option("--most", type=Whole(0, 1_000_000_000), default=50, show_default=True, metavar="N",
              help="List at most N tables; the counts include all.")  # fmt: skip
@click.option("--ids", is_flag=True, help="Print only ids, for dalapapa admin delete -.")
@json_option
def list_command(
    database: str | None, phase: str | None, game: str | None, older: float | None,
    newer: float | None, most: int, ids: bool, as_json: bool,
) -> None:  # fmt: skip
    """List the latest tables, and count the tables of each kind."""
    from ..server.ops.admin import Filter

    wanted = Filter(phase, game, older, newer)
    found = _run(database, lambda here: here.overview(wanted, most))
    if as_json:
        return print_json(found)
    for table in found.tables:
        if ids:
            click.echo(table.id)
            continue
        facts = (f"{table.game:12}", f"{table.phase:8}", f"{table.visibility:8}")
        last = f"{table.entries:6} entries, last {_format_time(table.changed)}"
        say("  ".join((f"{table.id:16}", *facts, last)), 4)
    if not ids:
        parts = [
            ", ".join(f"{n} {name}" for name, n in counts.items())
            for counts in (found.phases, found.games)
        ]
        kept = f"{found.archived} more in the archive" if found.archived else ""
        say("; ".join([format_count(found.count, "table"), *filter(None, (*parts, kept))]))
    return None


@admin.command()
@database_option
@click.argument("id", type=TABLE_ID)
@json_option
def inspect(database: str | None, id: str, as_json: bool) -> None:
    """Show the settings, seats and log of a table, but not its seed."""
    import msgspec

    found = _run(database, lambda here: here.inspect(id))
    data = msgspec.to_builtins(found)
    if as_json:
        return print_json(data)
    for name in ("id", "phase", "archived", "closed", "rematch", "trouble", "bytes"):
        if data[name] not in (None, False):
            click.echo(f"{name}: {data[name]}")
    click.echo(
        f"created: {_format_time(found.created)}; last changed: {_format_time(found.changed)}"
    )
    for number, seat in enumerate(found.seats):
        who = seat.program or seat.name or "free"
        click.echo(f"seat {number}: {who}{' (left; a bot plays)' if seat.away else ''}")
    click.echo("entries: " + (", ".join(f"{n} {kind}" for kind, n in found.entries.items()) or "0"))
    for name, value in data["settings"].items():
        if name != "seats":
            click.echo(f"{name}: {value}")
    return None


@admin.command()
@database_option
@click.argument("id", type=TABLE_ID)
@click.option("--say", default="", metavar="SENTENCE", help="The sentence that its viewers see.")
@yes_option
@json_option
def close(database: str | None, id: str, say: str, yes: bool, as_json: bool) -> None:
    """Close a table for good, with a sentence for its viewers."""
    _confirm(yes, "This closes the table permanently.")
    version = _run(database, lambda here: here.close(id, say))
    print_result(as_json, {"id": id, "version": version}, f"{id} is closed.")


@admin.command()
@database_option
@click.argument("ids", nargs=-1, required=True, metavar="ID...", type=TABLE_ID)
@yes_option
@json_option
def delete(database: str | None, ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete tables with all their moves, names and seats.

    ID may be - to read ids from standard input.
    """
    wanted = _words(ids)
    _confirm(yes, f"This deletes {format_count(len(wanted), 'table')} permanently.")
    count = _run(database, lambda here: here.delete(wanted))
    left = len(wanted) - count
    sentence = f"{format_count(count, 'table')} deleted{f'; {left} unknown' if left else ''}."
    print_result(as_json, {"deleted": count, "unknown": left}, sentence)


@admin.command()
@database_option
@click.argument("tokens", nargs=-1, required=True, metavar="LINK...", type=TOKEN)
@yes_option
@json_option
def forget(database: str | None, tokens: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Forget a person.

    LINK is that person's link to a seat, or a token; - reads them from standard input. This deletes
    the name, and gives the seat to a bot or, before the game begins, to anyone. Other people's
    games stay. The exit code is 1 if a link is unknown, or if the database file may keep traces.
    """
    wanted = _words(tokens)
    _confirm(yes, "This deletes names and seats permanently.")
    done = _run(database, lambda here: here.forget(wanted))
    if as_json:
        print_json(done)
    else:
        seats, names = format_count(done.seats, "seat"), format_count(done.names, "name")
        click.echo(f"{format_count(done.tables, 'table')}: {seats} given up, {names} deleted.")
        for word in done.unknown:
            click.echo(f"Unknown: {word}", err=True)
        if not done.erased:
            click.echo(f"Error (traces_left): {TRACES_LEFT}", err=True)
    sys.exit(bool(done.unknown) or not done.erased)


@admin.command()
@database_option
@click.option("--keep", "keeps", multiple=True, metavar="KIND=DAYS",
              help="The same value as for dalapapa play --keep.")  # fmt: skip
@yes_option
@json_option
def retire(database: str | None, keeps: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Archive and delete old tables now, as servers do regularly."""
    from ..server.storage.retention_policy import read_policy

    keep = read_policy(read_options(keeps))
    _confirm(yes, "This archives old tables, and deletes the oldest permanently.")
    result = _run(database, lambda here: here.retire(keep))
    sentence = f"{format_count(result.archived, 'table')} archived, {result.removed} removed."
    print_result(as_json, result._asdict(), sentence)
