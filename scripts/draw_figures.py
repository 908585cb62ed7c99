"""Draw the figures of README and docs from positions in scenarios and README: `make figures`.

    python scripts/draw_figures.py [FOLDER]

A test draws them again and compares, so that figures and positions cannot drift apart.
"""

from __future__ import annotations

import contextlib
import doctest
import re
import sys
import tempfile
from pathlib import Path

from dalapapa.bots.arena import play_game
from dalapapa.core.notation import Laying
from dalapapa.core.points import Group
from dalapapa.core.tiles import standard
from dalapapa.drawing import GroupMark, Marks, Style, draw
from dalapapa.games import find_game
from dalapapa.kernel.table import Table
from dalapapa.printing import flip_picture

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SCENARIOS = ROOT / "tests" / "scenarios" / "table"
FIGURE_OF_GROUPS = {"A": 1, "B": 6, "C": 2, "D": 7, "E": 5, "F": 1}
"""The author's letters and sizes."""


def read(name: str) -> tuple[Table, list[Laying]]:
    """The position of a scenario, and the layings made on it."""
    table, layings = Table(standard()), []
    for line in (SCENARIOS / f"{name}.txt").read_text().splitlines():
        words = line.partition("->")[0].split()
        if words[:1] == ["position"]:
            table = Table(" ".join(words[1:]))
        elif words[:1] == ["lay"]:
            layings.append(Laying.parse(words[1]))
    return table, layings


def mark(group: Group, label: str = "") -> GroupMark:
    """A group with its size, or another label."""
    return GroupMark(group.discs, label or str(group.size))


def example(name: str) -> str:
    """A laying, and the groups that it closes."""
    table, (laying,) = read(name)
    before = {group.discs for group in table.groups() if group.closed}
    table.lay(laying)
    closed = [g for g in table.groups() if g.closed and g.discs not in before]
    marks = Marks(groups=tuple(mark(group) for group in closed), last=(laying,))
    return draw(table.layings, table.tiles, marks=marks)


def six_groups() -> str:
    """The figure of groups, with the author's letters."""
    table, _ = read("six-groups")
    closed = [group for group in table.groups() if group.closed]
    marks = []
    for letter, size in FIGURE_OF_GROUPS.items():
        group = next(group for group in closed if group.size == size)
        closed.remove(group)
        marks.append(mark(group, letter))
    return draw(table.layings, table.tiles, marks=Marks(groups=tuple(marks)))


def end_of_a_game() -> str:
    """The picture of the README: the table after a game between two programs."""
    game = find_game("classic")
    recorder, _ = play_game(game, ("greedy", "greedy"), game.parse_options({}), "readme 290")
    table = recorder.moves[-1][1].state.table
    groups = [mark(group) for group in table.groups() if group.closed and group.size >= 3]
    last = table.layings[-1:]
    return draw(table.layings, table.tiles, marks=Marks(groups=tuple(groups), last=last))


def readme_example() -> str:
    """The picture that the Python example of README draws."""
    block = re.findall(r"^```python\n(.+?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)[0]
    names: dict[str, str] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(None),
    ):
        for line in doctest.DocTestParser().get_examples(block):
            exec(line.source, names)
    return names["picture"]


def symbols() -> str:
    """The same six groups for eyes that tell other colours apart, or none."""
    table, _ = read("six-groups")
    style = Style(shape="squares", palette="red-green", symbols=True, theme="dark")
    return draw(table.layings, table.tiles, style=style)


FIGURES = {
    "example-1": lambda: example("example-1"),
    "example-2": lambda: example("example-2"),
    "six-groups": six_groups,
    "table": end_of_a_game,
    "symbols": symbols,
    "readme-example": readme_example,
    "flip-long": lambda: flip_picture("long"),
    "flip-short": lambda: flip_picture("short"),
}


def main(folder: Path) -> None:
    """Write all figures."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in FIGURES.items():
        (folder / f"{name}.svg").write_text(picture())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "figures")
