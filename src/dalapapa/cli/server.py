"""Start the server, seat a bot at its tables, copy and check its database."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .completion import FILE, FOLDER
from .help import TABLE_ID, Choice, Whole, command
from .shared import Seconds, format_count, json_option, print_result, read_options

if TYPE_CHECKING:
    from ..server.monitoring.logging_setup import Level, LogFormat

T = TypeVar("T")

database_option = click.option(
    "--database", metavar="URL",
    help="sqlite:///FILE or postgresql://...; default: a file in your home folder.",
)  # fmt: skip


def run_on_database(database: str | None, work: Callable[[str], Coroutine[Any, Any, T]]) -> T:
    """Do something with a database, by its URL; the default is a file in the home folder."""
    import asyncio

    from ..server.runtime.run import add_driver, prepare_default_database

    return asyncio.run(work(add_driver(database or prepare_default_database())))


@command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="The address to listen on.")  # fmt: skip
@click.option("--port", type=Whole(0, 65535), metavar="PORT",
              help="The port; default: 8072 or, if that is taken, a free one.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@database_option
@click.option("--bus", "broker", metavar="URL", envvar="DALAPAPA_BUS",
              help="nats://HOST:PORT: connect several servers through NATS.")  # fmt: skip
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE",
              help="A limit of the server, such as sockets=5000.")  # fmt: skip
@click.option("--keep", "keeps", multiple=True, metavar="KIND=DAYS",
              help="How long to keep tables, such as playing=never.")  # fmt: skip
@click.option("--notify", "notifies", multiple=True, metavar="NAME=VALUE", envvar="DALAPAPA_NOTIFY",
              help="Notify absent players of their turns, such as push=mailto:YOU.")  # fmt: skip
@click.option("--fd", type=Whole(0), metavar="N",
              help="Use this open listening socket instead of host and port.")  # fmt: skip
@click.option("--drain", type=Seconds(0, 600), default=0.0, show_default=True, metavar="S",
              help="On SIGTERM, fail /ready, but serve for S more seconds.")  # fmt: skip
@click.option("--backups", metavar="FOLDER", type=FOLDER,
              help="The folder of backups; /metrics shows the age of the newest.")  # fmt: skip
@click.option("--log", type=Choice(["text", "json"]), default="text", show_default=True,
              help="The format of log lines, which go to standard error.")  # fmt: skip
@click.option("--log-level", type=Choice(["warning", "info", "debug"]), default="warning",
              show_default=True, help="info logs every request and socket.")  # fmt: skip
@click.option("--log-addresses", is_flag=True, help="Also log the addresses of clients.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A host name to answer to, such as a proxy's; * for any.")  # fmt: skip
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS",
              envvar=["DALAPAPA_PROXY", "FORWARDED_ALLOW_IPS"],
              help="Trust X-Forwarded-For from this proxy or network [default: 127.0.0.1 and"
                   " ::1]; none trusts no proxy.")  # fmt: skip
def play(
    host: str, port: int | None, no_browser: bool, database: str | None, limits: tuple[str, ...],
    keeps: tuple[str, ...], notifies: tuple[str, ...], hosts: tuple[str, ...], fd: int | None,
    drain: float, log: LogFormat, log_level: Level, log_addresses: bool, proxies: tuple[str, ...],
    backups: str | None, broker: str | None,
) -> None:  # fmt: skip
    """Start the server and open the game in the browser."""
    from ..server.bus.choose import check_bus
    from ..server.notify.config import read_notify_config
    from ..server.runtime.run import ServerOptions, serve
    from ..server.storage.retention_policy import read_policy
    from ..server.traffic.limits import limits_from
    from ..server.traffic.proxies import read_proxies

    how = ServerOptions(
        host=host, port=port, fd=fd, names=hosts, open_browser=not no_browser, database=database,
        proxies=read_proxies(proxies) if proxies else None, backups=backups,
        limits=limits_from(read_options(limits)), keep=read_policy(read_options(keeps)),
        notify=read_notify_config(read_options(notifies)),
        broker=check_bus(broker) if broker else None,
        drain=drain, log=log, log_level=log_level, log_addresses=log_addresses,
    )  # fmt: skip
    serve(how)


@command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
@click.option("--server", "url", default="http://127.0.0.1:8072", show_default=True, metavar="URL",
              help="The URL of the server.")  # fmt: skip
@click.option("--table", required=True, metavar="ID", help="The id of the table.", type=TABLE_ID)
@click.option("--seat", type=Whole(0, 9), metavar="N",
              help="The seat, counted from 0; default: the first free one.")  # fmt: skip
@click.option("--name", metavar="NAME",
              help="The name at the table; default: the name that the bot sends.")  # fmt: skip
@click.option("--seconds", default=10.0, show_default=True, metavar="S",
              type=Seconds(0.01, 3600), help="How long a move may take.")  # fmt: skip
@json_option
def bot(
    command: tuple[str, ...], url: str, table: str, seat: int | None, name: str | None,
    seconds: float, as_json: bool,
) -> None:  # fmt: skip
    """Connect your bot to an online table.

    COMMAND is the name of a bot, or starts one that reads and writes one JSON object per line.
    Everything after -- belongs to COMMAND.
    """
    import asyncio

    from ..adapters import remote_bot
    from ..bots.external import check_command
    from ..bots.program import is_bot, list_command

    if len(command) == 1 and is_bot(command[0]):
        command = tuple(list_command(command[0]))
    check_command(command)

    def report(sentence: str) -> None:
        click.echo(sentence, err=True)

    playing = remote_bot.play(
        url, table, command, seat=seat, name=name, seconds=seconds, report=report
    )
    try:
        outcome = asyncio.run(playing)
    except asyncio.CancelledError:
        sys.exit(143)  # The exit code after SIGTERM.
    scores, winners, reason = (outcome[name] for name in ("scores", "winners", "reason"))
    print_result(as_json, outcome, f"Scores {scores}, winners {winners} ({reason}).")


@command("export")
@database_option
@click.argument("file", type=FILE)
@json_option
def export_command(file: str, database: str | None, as_json: bool) -> None:
    """Write all tables of a server, including seeds and moves, to FILE."""
    from msgspec.structs import asdict

    from ..server.ops.export import export_tables

    done = run_on_database(database, lambda url: export_tables(url, file, _warn))
    more = f"; left out {done.left_out} with other dominoes" if done.left_out else ""
    more += _describe_damaged(done.damaged)
    sentence = f"{file}: {format_count(done.tables, 'table')}{more}"
    print_result(as_json, {"file": file, **asdict(done)}, sentence)
    sys.exit(done.damaged > 0)


max_size_option = click.option(
    "--max-size", type=Whole(1, 1_000_000_000), default=10_000, show_default=True, metavar="MB",
    help="Refuse a file with more megabytes, packed or unpacked.",
)  # fmt: skip


@command("import")
@database_option
@click.argument("file", type=FILE)
@max_size_option
@json_option
def import_command(file: str, database: str | None, max_size: int, as_json: bool) -> None:
    """Read tables from FILE and replay each one to check it.

    FILE may be - for standard input. The command leaves existing tables unchanged, and skips and
    lists damaged ones.
    """
    from ..server.ops.export import import_tables

    came = run_on_database(
        database, lambda url: import_tables(url, file, _warn, max_size * 1_000_000)
    )
    new, damaged = format_count(came.new, "new table"), _describe_damaged(came.damaged)
    print_result(as_json, came, f"{new}; {came.already} unchanged{damaged}")
    sys.exit(came.damaged > 0)


@command()
@click.argument("database", required=False, metavar="[DATABASE]")
@json_option
def check(database: str | None, as_json: bool) -> None:
    """Replay all tables of a database and list the damaged ones.

    DATABASE is a URL; the default is a file in your home folder. Servers may keep running. The
    exit code is 1 if any table is damaged.
    """
    from msgspec.structs import asdict

    from ..server.ops.export import check_database

    problems: list[str] = []
    report = problems.append if as_json else click.echo
    found = run_on_database(database, lambda url: check_database(url, report))
    early = f", {found.early} with other dominoes" if found.early else ""
    sentence = f"{format_count(found.tables, 'table')}{early}, {found.damaged} damaged"
    print_result(as_json, {**asdict(found), "problems": problems}, sentence)
    sys.exit(found.damaged > 0)


@command()
@click.argument("words", nargs=-1, required=True, metavar="[DATABASE] FILE", type=FILE)
@json_option
def backup(words: tuple[str, ...], as_json: bool) -> None:
    """Copy a database to FILE while servers keep running.

    DATABASE is a URL; the default is a file in your home folder. FILE appears once it is complete,
    and only you can read it, because it contains seeds.
    """
    from ..server.ops.backup import back_up

    *database, file = words
    done = run_on_database(_one_database(database), lambda url: back_up(url, file))
    sentence = f"{file}: {format_count(done.tables, 'table')}, {done.bytes} bytes"
    print_result(as_json, done, sentence)


@command()
@click.argument("file", type=FILE)
@click.argument("database", nargs=-1, metavar="[DATABASE]")
@max_size_option
@json_option
def restore(file: str, database: tuple[str, ...], max_size: int, as_json: bool) -> None:
    """Restore a database from a backup FILE, all or nothing.

    DATABASE must be empty. The command refuses a FILE with triggers, views or tables that no
    backup has.
    """
    from ..server.ops.backup import restore as bring_back

    count = run_on_database(
        _one_database(database), lambda url: bring_back(file, url, max_size * 1_000_000)
    )
    print_result(as_json, {"tables": count}, f"{format_count(count, 'table')} restored")


def _one_database(words: Sequence[str]) -> str | None:
    if len(words) > 1:
        raise click.UsageError("Give one FILE and at most one DATABASE.")
    return words[0] if words else None


def _describe_damaged(count: int) -> str:
    return f"; left out {count} damaged" if count else ""


def _warn(line: str) -> None:
    click.echo(line, err=True)
