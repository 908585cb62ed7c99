"""What README and docs show is true: every command and program in them runs, every link leads on.

A block of `sh`, `console` or `python` is run here, in a folder with the record of a game
(`game.json`), unless the line above it says who runs it (`<!-- run by: tests/test_x.py -->`) or why
nothing runs it (`<!-- not run: needs Docker -->`). Even then its commands and options must exist.
"""

from __future__ import annotations

import doctest
import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click
import pytest

from dalapapa.bots.arena import play_game
from dalapapa.cli import commands
from dalapapa.games import find_game
from dalapapa.record import dump
from tests.support.command_line import run
from tests.support.markdown import BLOCK, find_broken_links
from tests.support.paths import ROOT
from tests.support.thoroughness import daily

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "web" / "README.md",
]
MAKE = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    text: str
    how: str | None
    why: str


def blocks() -> Iterator[Block]:
    for page in PAGES:
        text = page.read_text()
        sessions: list[Block] = []
        for found in BLOCK.finditer(text):
            language, shown, how, why = found.group("language", "text", "how", "why")
            if language in ("sh", "console", "python"):
                line = text.count("\n", 0, found.start()) + 1
                name = page.relative_to(ROOT).as_posix()
                block = Block(name, line, language, shown, how, why or "")
                if shown.startswith(">>> ") and not how:
                    sessions.append(block)
                else:
                    yield block
        if sessions:  # One after the other: what a page has imported, it need not import again.
            yield replace(sessions[0], text="\n".join([one.text for one in sessions]))


BLOCKS = list(blocks())


def name(block: Block) -> str:
    return f"{block.page}:{block.line}"


# -- what is run -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record() -> bytes:
    """A short game, as a reader has one."""
    game = find_game("puzzle")  # Reviewed in no time.
    return dump(play_game(game, ("medium", "easy"), game.parse_options({}), "docs")[0].record())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: bytes) -> Path:
    (tmp_path / "game.json").write_bytes(record)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def often(block: Block) -> bool:
    """Whether a block is run every day: not if it takes seconds, or if others are like it."""
    if block.page.startswith("docs/environments/"):
        return block.page.endswith("/classic.md")
    return "print box" not in block.text


RUN = [one for one in BLOCKS if not one.how]


@pytest.mark.parametrize("block", daily(RUN, [one for one in RUN if often(one)]), ids=name)
@pytest.mark.usefixtures("folder")
def test_it_runs(block: Block) -> None:
    if block.language == "sh":
        for line in commands_of(block):
            assert line[0] == "dalapapa", f"{line[0]} is not run here: say why above the block"
            answer = run(*line[1:])
            assert answer.code == 0, answer.err
    elif block.language == "console":
        for asked in block.text.removeprefix("$ ").split("\n$ "):
            command, _, shown = asked.partition("\n")
            answer = run(*shlex.split(command)[1:])
            assert answer.code == 0, answer.err
            start, cut, _ = shown.partition("...\n")
            assert answer.out.startswith(start) if cut or not shown else answer.out == shown
    elif block.text.startswith(">>> "):
        parser = doctest.DocTestParser()
        test = parser.get_doctest(block.text, {}, name(block), block.page, block.line)
        assert doctest.DocTestRunner().run(test).failed == 0
    else:
        exec(compile(block.text, name(block), "exec"), {"__name__": "__main__"})


def commands_of(block: Block) -> list[list[str]]:
    words = [shlex.split(line, comments=True) for line in block.text.splitlines()]
    return [line for line in words if line]


# -- what is not -------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [one for one in BLOCKS if one.how], ids=name)
def test_blocks_that_are_not_run_are_valid(block: Block) -> None:
    if block.how == "run by":
        assert posixpath.basename(block.page) in (ROOT / block.why).read_text()
    for line in commands_of(block) if block.language == "sh" else ():
        if line[0] == "dalapapa":
            parsed(commands, line[1:])
        elif line[0] == "make":
            assert line[1] in MAKE
        elif line[:2] == ["python", "-m"]:
            assert ROOT.joinpath(*line[2].split(".")).exists()


def parsed(command: click.Command, words: list[str]) -> None:
    """Options and arguments are there; what they say is not looked at."""
    context = command.make_context(command.name, [], resilient_parsing=True)
    if isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        assert found, words[0]
        parsed(found, words[1:])
    else:
        command.make_parser(context).parse_args(list(words))


def test_no_command_hides_from_being_run() -> None:
    """An indented block is for data; a block without a language is not run either."""
    for page in PAGES:
        text = BLOCK.sub("", page.read_text())
        assert not re.findall(r"\n\n    (?:dalapapa|make|pip|python3?) .*", text), page.name
        assert "```" not in text, page.name


# -- links -------------------------------------------------------------------------------------


def test_links_and_anchors_lead_somewhere() -> None:
    pages = {page.relative_to(ROOT).as_posix(): page.read_text() for page in PAGES}
    assert find_broken_links(pages, lambda goal: (ROOT / goal).exists()) == []


def test_a_broken_link_is_noticed() -> None:
    pages = {"a.md": "# One two\n[x](b.md#three) [y](c.md) [z](#one-two)", "b.md": "# Four"}
    assert find_broken_links(pages, set().__contains__) == ["a.md: b.md#three", "a.md: c.md"]
