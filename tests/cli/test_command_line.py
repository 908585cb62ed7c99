"""The command line as people meet it: help, narrow terminals, pictures, completion, its page."""

from __future__ import annotations

import os
import re
import shlex
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from dalapapa.cli import commands
from dalapapa.cli.help import TABLE_ID, TOKEN, Key
from dalapapa.games import REGISTRY
from tests.support.command_line import run
from tests.support.paths import ROOT

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"


def whole_program() -> click.Context:
    return commands.context_class(commands)


def all_commands() -> Iterator[tuple[str, ...]]:
    yield ()
    for name, command in commands.commands.items():
        yield (name,)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.commands)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    words = ("simulate", "--players", "greedy,greedy", "--games", "1", "--records", str(folder))
    assert run(*words).code == 0
    return folder / "classic-000000.json"


# -- help and width ---------------------------------------------------------------------------


@pytest.mark.parametrize("words", list(all_commands()), ids=" ".join)
def test_help_is_whole_and_fits(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (40, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        text = run(*words, "--help").out
        assert max(map(len, text.splitlines())) <= width
        # Neither cut sentences nor files that only the repository has, nor ranges for programmers.
        shown = re.sub(r"\[,\.\.\.\]|NAME,\.\.\.|[A-Z]+\.\.\.|\[ARGS\]\.\.\.|://\.\.\.", "", text)
        for unwanted in ("...", "docs/", "examples/", "<=", "INTEGER", " RANGE", "FLOAT"):
            assert unwanted not in shown


def test_tables_and_lists_fit(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for words in (
        ("legal", "--position", POSITION, "--tile", "DRYGB"),
        ("best", "--position", POSITION, "--hand", "DRYGB", "ZGBRY", "--top", "3"),
        ("groups", "--position", POSITION),
        ("games",),
        ("tiles",),
        ("tiles", "--check", "120"),
        ("replay", str(record)),
        ("solve", "--tiles", "PRYGB,BYRGB", "--frame", "2x2"),
        ("simulate", "--players", "greedy,greedy", "--games", "1"),
        ("ladder", "--levels", "novice,easy", "--games", "4", "--jobs", "1"),
        ("problem", "--date", "2026-11-16", "--solution"),
        ("analyse", "--position", POSITION, "--hand", "DRYGB", "--seconds", "0.01"),
    ):
        answer = run(*words)
        assert answer.code == 0, answer.err
        for line in answer.out.splitlines():
            assert len(line) <= 40 or " " not in line.strip(), (words, line)


def test_pipes_get_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    text = run("ladder", "--levels", "novice,easy", "--games", "4", "--jobs", "1").out
    assert text.isascii()
    assert "\x1b" not in text
    lines = run("legal", "--position", POSITION, "--tile", "DRYGB").out.splitlines()
    assert len(lines) == len(run("legal", "--position", POSITION, "--tile", "DRYGB", "--json").json)


# -- in our own words -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "best --position= --hand PRYGB --top x",
            "--top: it must be a whole number from 1 to 1000000",
        ),
        ("best --position= --hand PRYGB --top 0", "a whole number from 1 to 1000000, not '0'"),
        (
            "solve --pile 1 --seconds x",
            "--seconds: it must be a number from 0 to 1000000000, not 'x'",
        ),
        ("solve --pile 1 --faces verso", "--faces must be both or recto, not 'verso'."),
        ("legal --tile PRYGB", "--position is missing."),
        ("replay", "FILE is missing."),
        ("best --position", "--position needs a value."),
        ("tiles --json=x", "--json takes no value."),
        ("tiles extra", "Unexpected argument: extra."),
        ("nonsense", "There is no command 'nonsense'"),
        ("rules", "There is no command 'rules'; dalapapa --help lists all commands. Did you mean"),
        ("tiles --jsn", "There is no option --jsn. Did you mean --json"),
        ("admin list --older inf --database sqlite:///x", "from 0 to 100000, not 'inf'."),
        ("admin list --older 1e300 --database sqlite:///x", "from 0 to 100000"),
        ("export x --database mysql://x", "must be sqlite:///FILE or postgresql://"),
        ("check nonsense", "must be sqlite:///FILE or postgresql://"),
        ("check sqlite:///x.db?foo=bar", "must be sqlite:///FILE, without options."),
        ("play --limit foo=1", "There is no limit called 'foo': choose one of messages_per_second"),
        ("play --limit sockets=-1", "The limit sockets must be a whole number from 0 to"),
        ("play --limit share_an_address=2", "must be a number from 0 to 1, not '2'."),
        ("play --keep foo=1", "there is no kind of table called 'foo'; choose one of unused"),
        ("play --keep playing=x", "playing must be a number of days from 1 to 100000, or never"),
        ("analyse --position PRYGB+0@0,0", "Give the dominoes in hand: --hand NAME"),
        ("analyse", "Give a record, or --position and --hand."),
        ("analyse a b", "Give one record, not several."),
        ("bot --server http://127.0.0.1:1 --table x -- cat", "at http://127.0.0.1:1 does not"),
        ("replay {file}", "This is not JSON: the error is at byte 0."),
        ("replay {record}", "This is not a record: options is missing."),
    ],
)
def test_refusals_are_in_our_own_words(words: str, sentence: str, tmp_path: Path) -> None:
    file, record = tmp_path / "file", tmp_path / "record"
    file.write_text("?")
    record.write_text('{"format": "dalapapa-record/1", "game": "classic"}')
    line = run(*(word.format(file=file, record=record) for word in words.split())).refusal
    assert sentence in line
    for leak in ("MySQLdb", "SQLAlchemy", "Expected `", "`$", "Errno", "literal for int", "range."):
        assert leak not in line


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "--players", "exec:no-such-program --fast,greedy", "--records", "records"),
        ("ladder", "--levels", "exec:no-such-program,greedy", "--resume", "journal"),
        ("bot", "--table", "x", "--", "no-such-program"),
    ],
)
def test_a_missing_bot_is_refused_before_anything_starts(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = run(*words).refusal
    assert line.startswith("Error (cannot_start): Cannot find the program 'no-such-program': ")
    assert not list(tmp_path.iterdir())


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        words = ("play", "--no-browser", "--port", port, "--database", f"sqlite:///{tmp_path}/t.db")
        line = run(*words).refusal
    assert f"port {port} of 127.0.0.1: another program uses this port." in line
    assert "--port" in line


# -- pictures and JSON ------------------------------------------------------------------------


def test_a_moment_of_a_record_is_drawn(record: Path, tmp_path: Path) -> None:
    moves = run("replay", str(record), "--json").json["moves"]
    laid = sum(move["move"] == "lay" for move in moves[:12])
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert run("replay", str(record), "--at", "12", "-o", str(svg)).out == (
        f"{svg}: {laid} dominoes\n"
    )
    assert run("replay", str(record), "-o", str(png)).code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    layings = [move["laying"] for move in moves[:12] if move["move"] == "lay"]
    drawn = run("draw", "--position", " ".join(layings), "-o", "-").out
    assert svg.read_text() == drawn == run("replay", str(record), "--at", "12", "-o", "-").out
    assert "not 9999" in run("replay", str(record), "--at", "9999", "-o", "-").refusal
    assert "need -o FILE" in run("replay", str(record), "--at", "1").refusal
    missing = str(tmp_path / "no" / "a.svg")
    for words in (("replay", str(record)), ("draw", "--position", "")):
        assert run(*words, "-o", missing).refusal.startswith("Error (unwritable_path)")
        assert "bad_output" in run(*words, "-o", "a.gif").refusal


def test_a_race_is_drawn_by_seat(tmp_path: Path) -> None:
    words = ("simulate", "--game", "puzzle", "--players", "medium,easy", "--games", "1")
    assert run(*words, "--records", str(tmp_path)).code == 0
    (file,) = tmp_path.iterdir()
    first, second = (run("replay", str(file), "-o", "-", "--seat", n).out for n in "01")
    assert first.startswith("<svg")
    assert second.startswith("<svg")
    assert run("replay", str(file), "-o", "-").out == first
    assert "bad_seat" in run("replay", str(file), "-o", "-", "--seat", "5").refusal


def test_a_png_on_standard_output() -> None:
    words = [sys.executable, "-m", "dalapapa", "draw", "--position", POSITION, "-o", "-"]
    done = subprocess.run([*words, "--format", "png"], capture_output=True, check=True, timeout=60)
    assert done.stdout.startswith(b"\x89PNG")
    assert done.stderr == b""


@pytest.mark.parametrize("kind", [(), ("--frame",)])
def test_a_position_is_text_in_json(kind: tuple[str, ...]) -> None:
    result = run("problem", "--seed", "text", "--grade", "4", "--json", *kind).json
    assert isinstance(result["position"], str)
    assert run("groups", "--position", result["position"] if not kind else "", "--json").code == 0


def test_every_command_but_the_server_has_json() -> None:
    """As docs/command-line.md promises."""
    assert "Every command has `--json`, except `dalapapa play`" in PAGE
    without = [
        " ".join(words)
        for words in all_commands()
        if not isinstance(command := find_command(words), click.Group)
        and not any("--json" in param.opts for param in command.params)
    ]
    assert without == ["play"]


def test_files_are_reported_as_json(record: Path, tmp_path: Path) -> None:
    svg, pdf, tables = (str(tmp_path / name) for name in ("a.svg", "a.pdf", "tables"))
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    for words in (("draw", "--position", POSITION), ("replay", str(record), "--at", "0")):
        answer = run(*words, "-o", svg, "--json").json
        assert answer == {"file": svg, "format": "svg", "dominoes": 2 * (words[0] == "draw")}
        assert "--json" in run(*words, "-o", "-", "--json").refusal
    assert run("print", "scores", "-o", pdf, "--json").json == {
        "file": pdf, "pages": 1, "format": "A4",
    }  # fmt: skip
    empty = b'{"line":"head","format":"dalapapa-tables/1"}\n{"line":"end","tables":0}\n'
    came = run("import", "-", f"--database={database}", "--json", stdin=empty).json
    assert came == {"new": 0, "already": 0, "damaged": 0}
    done = run("export", tables, f"--database={database}", "--json").json
    assert done == {"file": tables, "tables": 0, "left_out": 0, "damaged": 0}
    found = run("check", database, "--json").json
    assert found == {"tables": 0, "damaged": 0, "early": 0, "problems": []}


# -- completion -------------------------------------------------------------------------------


def offered(*words: str) -> list[str]:
    """What the shell offers for the last word."""
    complete = ShellComplete(commands, {}, "dalapapa", "_DALAPAPA_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


def kinds(*words: str) -> list[str]:
    complete = ShellComplete(commands, {}, "dalapapa", "_DALAPAPA_COMPLETE")
    return [item.type for item in complete.get_completions(list(words[:-1]), words[-1])]


def test_completion() -> None:
    assert offered("sim") == ["simulate"]
    assert offered("simulate", "--game", "") == list(REGISTRY)
    assert offered("games", "arl") == ["arlequin"]
    assert offered("simulate", "--players", "easy,e") == ["easy,easy", "easy,expert"]
    assert offered("ladder", "--levels", "nov") == ["novice"]
    assert offered("draw", "--palette", "r") == ["red-green"]
    assert offered("draw", "--shape", "o") == ["octagons"]
    assert offered("print", "cal") == ["calibration"]
    assert offered("print", "--design", "octagons-w") == ["octagons-white"]
    assert offered("print", "--language", "n") == ["nl"]
    assert offered("analyse", "--language", "f") == ["fr"]
    assert offered("legal", "--tile", "PRYG") == ["PRYGB"]
    assert offered("tiles", "--set", "") == ["120", "72"]
    assert kinds("tiles", "--set", "own") == ["file"]
    assert kinds("replay", "") == ["file"]
    assert kinds("draw", "-o", "x") == ["file"]
    assert kinds("simulate", "--records", "x") == ["dir"]


# -- its page ---------------------------------------------------------------------------------


PAGE = (ROOT / "docs" / "command-line.md").read_text()
BLOCKS = "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.S))


def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here those that neither read nor write through the shell; below, all of them."""
    monkeypatch.chdir(tmp_path)
    lines = [line for line in BLOCKS.splitlines() if line.startswith("dalapapa ")]
    for line in lines:
        if not {"<", ">"} & set(line):
            answer = run(*shlex.split(line)[1:])
            assert answer.code == 0, answer.err
    assert (tmp_path / "move-12.svg").exists()


@pytest.mark.thorough
def test_the_page_of_the_command_line_runs(tmp_path: Path) -> None:
    """Every block of docs/command-line.md, in one shell."""
    tool = tmp_path / "bin" / "dalapapa"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dalapapa "$@"\n')
    tool.chmod(0o755)
    (tool.parent / "python").symlink_to(sys.executable)
    paths = os.pathsep.join((str(tool.parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-ec", BLOCKS + "\ncomplete -p dalapapa"],
        cwd=tmp_path, env={**os.environ, "PATH": paths}, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "_dalapapa_completion" in done.stdout
    for name in ("table.svg", "table-grey.svg", "move-12.svg"):
        assert (tmp_path / name).read_text().startswith("<svg")
    for name in ("table.png", "end.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


# -- nonsense ---------------------------------------------------------------------------------

NONSENSE = ("", "-1", "nan", "1e999", "é😀", "[[[[", "../..", "9" * 400, "=", "\udcff", "a b", "{}")
WORKING = {
    ("tiles",): "",
    ("legal",): "--position PRYGB+0@0,0 --tile DRYGB",
    ("best",): "--position PRYGB+0@0,0 --hand DRYGB",
    ("groups",): "--position PRYGB+0@0,0",
    ("solve",): "--tiles PRYGB --frame 2x1",
    ("draw",): "--position PRYGB+0@0,0 -o -",
    ("simulate",): "--players greedy,greedy --games 1",
    ("ladder",): "--levels novice,easy --games 4 --jobs 1",
    ("problem",): "--seed 1 --grade 1",
    ("analyse",): "--position PRYGB+0@0,0 --hand DRYGB --seconds 0.01",
    ("print",): "scores -o out.pdf",
    ("admin", "list"): "--database sqlite:///tables.db",
}


@pytest.mark.parametrize("words", WORKING, ids=" ".join)
def test_nonsense_in_any_option_is_refused_in_one_line(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = find_command(words)
    context = command.context_class(command, parent=whole_program())
    names = [
        max(param.opts, key=len)
        for param in command.get_params(context)
        if isinstance(param, click.Option) and not param.is_flag
    ]
    for number, name in enumerate(names):
        # Each value for some of the options: all for all would take too long.
        for value in NONSENSE[number % 3 :: 3]:
            answer = run(*words, *WORKING[words].split(), f"{name}={value}")
            assert answer.code in (0, 2), (name, value)
            if answer.code == 2:
                assert answer.refusal, (name, value)


# -- ids and tokens ---------------------------------------------------------------------------

URL_SAFE = string.ascii_letters + string.digits + "-_"
OPTION_LIKE = ("-", "--", "-h", "-y", "-_", "--y", "-o")


def key_arguments() -> Iterator[tuple[tuple[str, ...], click.Command, Key]]:
    """Every command that takes ids or tokens as arguments."""
    for words in all_commands():
        command = find_command(words)
        for param in command.params:
            if isinstance(param, click.Argument) and isinstance(param.type, Key):
                yield words, command, param.type


def find_command(words: tuple[str, ...]) -> click.Command:
    command: click.Command = commands
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    return command


def parse(command: click.Command, *words: str) -> dict[str, Any]:
    return command.make_context(command.name, list(words), parent=whole_program()).params


def keys_of_length(length: int) -> list[str]:
    """Keys that start like options, and keys that together have every URL-safe character."""
    starts = [*OPTION_LIKE, *(f"-{letter}" for letter in URL_SAFE)]
    return [(start + URL_SAFE[number:] + URL_SAFE)[:length] for number, start in enumerate(starts)]


def test_the_commands_with_ids_and_tokens_are_known() -> None:
    found = [" ".join(words) for words, _, _ in key_arguments()]
    assert found == ["admin inspect", "admin close", "admin delete", "admin forget"]


@pytest.mark.parametrize(
    ("command", "kind"), [(command, kind) for _, command, kind in key_arguments()],
    ids=[" ".join(words) for words, _, _ in key_arguments()],
)  # fmt: skip
def test_an_id_or_token_may_start_with_a_hyphen(command: click.Command, kind: Key) -> None:
    length = {TABLE_ID: 16, TOKEN: 22}[kind]
    for key in keys_of_length(length):
        for words in ((key, "--json"), ("--json", key), ("--json", "--", key)):
            params = parse(command, "--database", "-x", *words)
            assert params["as_json"] is True
            assert params["database"] == "-x"
            assert key in params.values() or (key,) in params.values()


def test_several_ids_keep_their_order() -> None:
    ids = ("a" * 16, "-" + "b" * 15, "c", "-", "--" + "d" * 14)
    params = parse(find_command(("admin", "delete")), *ids[:2], "--yes", *ids[2:])
    assert (params["ids"], params["yes"]) == (ids, True)


def test_the_table_of_a_bot_may_start_with_a_hyphen() -> None:
    for key in keys_of_length(16):
        params = parse(find_command(("bot",)), "--table", key, "--", "cat")
        assert params["table"] == key
        assert params["command"] == ("cat",)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("admin forget {token} --yess", "There is no option --yess. Did you mean --yes?"),
        ("admin forget {token} --data", "There is no option --data. Did you mean --database?"),
        ("admin forget {token} --database", "--database needs a value."),
        ("admin forget -short", "There is no option -s. Write -- before a value that starts"),
        ("admin delete --jsonjsonjsonjso", "There is no option --jsonjsonjsonjso"),
        ("replay -game.json", "There is no option -g. Write -- before a value that starts"),
        ("admin inspect {id} extra", "Unexpected argument: extra."),
        ("admin inspect", "ID is missing."),
    ],
)
def test_a_mistyped_option_is_still_named(words: str, sentence: str) -> None:
    line = run(*words.format(token="-" + "x" * 21, id="-" + "x" * 15).split()).refusal
    assert sentence in line


@pytest.mark.parametrize(
    "words",
    [
        ("admin", "inspect", ""),
        ("admin", "close", "--yes", " "),
        ("admin", "delete", "--yes", "a" * 16, ""),
        ("admin", "forget", "--yes", "", "a" * 22),
        ("bot", "--table", "", "--", "cat"),
    ],
    ids=" ".join,
)
def test_an_empty_id_or_token_is_refused(words: tuple[str, ...]) -> None:
    assert "it must not be empty." in run(*words).refusal


def test_help_stands_beside_an_id() -> None:
    for name in ("-h", "--help"):
        assert "Usage: " in run("admin", "forget", "-" + "x" * 21, name).out
