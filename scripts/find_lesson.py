"""Find the positions of the client's lesson, and those of its pictures of the games.

    python scripts/find_lesson.py

Small, compact tables make good lessons and good pictures, so many are tried and the best of each
kind is kept. The search is random but seeded: it finds the same positions every time. They are
kept in web/src/lesson/positions.json and web/src/games/*/picture.json; tests/project/test_lesson.py
and tests/project/test_pictures.py say what each must be. It takes some minutes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from dalapapa.core.geometry import STEPS, Disc
from dalapapa.core.notation import Laying, print_position
from dalapapa.core.points import SECOND_DOMINO_CHARGE, ClosedGroup, Earned
from dalapapa.core.tiles import TileSet, standard
from dalapapa.kernel.table import Table
from dalapapa.printing.pages.dominoes import FRAME, layouts

SOURCES = Path(__file__).parents[1] / "web" / "src"
LESSON = SOURCES / "lesson" / "positions.json"
HERO = SOURCES / "lobby" / "hero.json"

Found = tuple[float, dict[str, Any]]
"""How ugly it is, and what the client reads."""

Search = Callable[[Random], Found | None]
Place = tuple[int, int, int]
"""The first cell of a domino and the way it lies: 0 to the east, 1 to the south."""


# -- tables ----------------------------------------------------------------------------------


def grow(rng: Random, most: int, columns: int, rows: int) -> Table:
    """A random table that fits into so many columns and rows, close together."""
    table = Table(standard())
    names = rng.sample(table.tiles.names, len(table.tiles))
    table.lay(Laying(names.pop(), rng.choice("+-"), 0, 0, 0))  # type: ignore[arg-type]
    while names and len(table) < most:
        name = names.pop()
        fitting = [
            (earned.contacts**2 * rng.random(), laying)
            for laying, earned in table.scored(name)
            if fits([*table.layings, laying], columns, rows)
        ]
        if fitting:
            table.lay(max(fitting, key=lambda choice: choice[0])[1])
    return table


def fill(rng: Random, places: Iterable[Place], tiles: TileSet) -> Table | None:
    """A table with a domino on each of these places, in this order."""
    table = Table(tiles)
    names = rng.sample(tiles.names, len(tiles))
    for x, y, way in places:
        cells = {(x, y), (x + 1 - way, y + way)}
        fitting = []
        for name in names:
            for laying in table.legal(name):
                # Nothing lies there yet: the domino may be anywhere, and is wanted just here.
                here = Laying(name, laying.side, way, x, y) if not len(table) else laying
                if set(here.cells) == cells:
                    fitting.append((len(table.earned(here).groups), rng.random(), here))
        if not fitting:
            return None
        # The fewer groups are closed, the larger they grow.
        table.lay(min(fitting)[-1])
        names.remove(table.layings[-1].tile)
    return table


def extent(layings: Sequence[Laying]) -> tuple[int, int]:
    """Columns and rows that a table takes."""
    xs = [x for laying in layings for x, _ in laying.cells]
    ys = [y for laying in layings for _, y in laying.cells]
    return max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def fits(layings: Sequence[Laying], columns: int, rows: int) -> bool:
    """Whether a table takes no more than that."""
    width, height = extent(layings)
    return width <= columns and height <= rows


def ugliness(layings: Sequence[Laying]) -> float:
    """Cells of the rectangle that are empty; a square is nicer than a bar."""
    width, height = extent(layings)
    return width * height - 2 * len(layings) + 2 * abs(width - height)


def free(table: Table, rng: Random) -> list[str]:
    """The dominoes that do not lie there, in any order."""
    laid = {laying.tile for laying in table.layings}
    return [name for name in rng.sample(table.tiles.names, len(table.tiles)) if name not in laid]


def step(table: Table, *hand: str, **more: Any) -> dict[str, Any]:
    """A position with a hand, as the client reads it."""
    return {"position": print_position(table.layings), "hand": list(hand), **more}


# -- the lesson ------------------------------------------------------------------------------


def match(rng: Random) -> Found | None:
    """One domino; the other fits on all sides of it, with either face, for one disc."""
    table = grow(rng, 1, 2, 1)
    [name, *_] = free(table, rng)
    scored = table.scored(name)
    if {laying.side for laying, _ in scored} != {"+", "-"}:
        return None
    if max(earned.contacts for _, earned in scored) > 1:
        return None
    faces = [sum(laying.side == side for laying, _ in scored) for side in "+-"]
    return abs(faces[0] - faces[1]) - min(faces), step(table, name)


def discs(rng: Random) -> Found | None:
    """Just one of many layings makes three discs."""
    table = grow(rng, 3, 4, 4)
    for name in free(table, rng)[:30]:
        scored = table.scored(name)
        three = [laying for laying, earned in scored if earned == Earned(3, ())]
        best = max((earned.points for _, earned in scored), default=0)
        if best == 4 and len(three) == 1 and len(scored) > 10:
            return ugliness([*table.layings, *three]), step(table, name)
    return None


def over(rng: Random) -> Found | None:
    """The front makes one disc at most; the back makes three, in one place, and that earns most."""
    table = grow(rng, 3, 4, 4)
    for name in free(table, rng):
        scored = table.scored(name)
        front = [earned for laying, earned in scored if laying.side == "+"]
        back = [(laying, earned) for laying, earned in scored if laying.side == "-"]
        three = [laying for laying, earned in back if earned == Earned(3, ())]
        if len(front) < 4 or len(three) != 1 or max(earned.contacts for _, earned in back) > 3:
            continue
        if any(earned.points > 3 for laying, earned in back if laying not in three):
            continue  # What is asked for must be the best, or the lesson teaches bad play.
        if all(earned.points == 1 for earned in front):
            return ugliness([*table.layings, *three]), step(table, name)
    return None


def group(rng: Random) -> Found | None:
    """Two discs that close a yellow group of seven: nine points, and nothing else is worth half."""
    wanted = Earned(2, (ClosedGroup("Y", 7),))
    table = grow(rng, rng.randint(6, 9), 5, 5)
    yellow = [one for one in table.groups() if one.colour == "Y" and not one.closed]
    if not any(one.size >= 4 for one in yellow):
        return None
    for name in free(table, rng):
        (best, earned), *others = table.scored(name) or [(None, None)]
        if best is None or earned != wanted or len(others) < 4 or others[0][1].points > 4:
            continue
        closed = next(one for one in after(table, best).groups() if one.closed and one.size == 7)
        before = [one for one in yellow if set(one.discs) <= set(closed.discs)]
        largest = max(before, key=lambda one: one.size)
        if largest.size < 4:
            continue
        ugly = ugliness([*table.layings, best]) + 2 * len(table)
        return ugly, step(table, name, group=list(largest.discs[0]), closes=str(best))
    return None


def undo(rng: Random) -> Found | None:
    """A laying for one point lies there; one for four is possible."""
    table = grow(rng, 3, 4, 4)
    for name in free(table, rng)[:30]:
        scored = table.scored(name)
        best, earned = scored[0] if scored else (None, None)
        if best is None or earned != Earned(3, ()) or len(scored) < 8:
            continue
        poor = [laying for laying, earned in scored if earned == Earned(1, ())]
        if poor:
            # It should be seen that it lies badly: it sticks out.
            mistake = max(poor, key=lambda laying: ugliness([*table.layings, laying]))
            mistake_data = {"laying": str(mistake), **Earned(1, ()).to_json()}
            return ugliness([*table.layings, best]), step(table, name, mistake=mistake_data)
    return None


def both(rng: Random) -> Found | None:
    """Twelve points with the first domino, and eight with the second: sixteen in all."""
    table = grow(rng, 7, 5, 5)
    names = free(table, rng)
    for first in names:
        best, earned = (table.scored(first) or [(None, None)])[0]
        if best is None or earned is None or earned.points != 12:
            continue
        then = after(table, best)
        for second in names[:60]:
            if second == first or not then.scored(second):
                continue
            last, more = then.scored(second)[0]
            turn = table.best_turn([first, second]) if more.points == 8 else None
            if turn and turn.points == 12 + 8 - SECOND_DOMINO_CHARGE:
                # Few large groups are easier to see than many small ones.
                groups = len(earned.groups) + len(more.groups)
                ugly = ugliness([*table.layings, best, last]) + 4 * groups
                return ugly, step(table, first, second)
    return None


def after(table: Table, laying: Laying) -> Table:
    """The table with one more domino."""
    return Table([*table.layings, laying], table.tiles)


# -- the pictures ----------------------------------------------------------------------------

HERO_FIRST = 3
HERO_LENGTH = 10
HERO_SIZE = 7, 4

AUCTION: tuple[Place, ...] = ((0, 0, 0), (0, -1, 0), (0, 1, 0), (-1, 0, 1), (-2, -1, 0))
CONQUEST: tuple[Place, ...] = (
    (0, 0, 0), (-1, -1, 0), (-3, -1, 0), (1, -2, 1), (2, -2, 1), (0, -3, 1),
)  # fmt: skip
PUZZLE: tuple[Place, ...] = (
    (0, 0, 1), (1, 0, 0), (3, 0, 1), (1, 1, 1), (2, 1, 1), (0, 2, 1), (1, 3, 0), (3, 2, 1),
)  # fmt: skip
ALEX: tuple[Place, ...] = ((0, 0, 0), (2, 0, 1), (1, -1, 0), (3, 0, 1))
SEVENTY_TWO: tuple[Place, ...] = (
    (0, 0, 0), (2, 0, 0), (2, 1, 0), (2, -1, 0), (3, 2, 1), (4, 0, 1), (4, 2, 1),
)  # fmt: skip


def hero(rng: Random) -> Found | None:
    """Dominoes laid one after the other; the last one closes a large group, and earns most."""
    table = grow(rng, HERO_LENGTH - 1, *HERO_SIZE)
    if len(table) < HERO_LENGTH - 1:
        return None
    for name in free(table, rng):
        for last, earned in table.scored(name)[:1]:
            layings = [*table.layings, last]
            if extent(layings) != HERO_SIZE or len(earned.groups) != 1:
                continue
            turns = [turn(layings[: count + 1]) for count in range(HERO_FIRST, HERO_LENGTH)]
            *before, most = (turn["points"] for turn in turns)
            if max(before) < most and min(before) < 3:
                # The larger its group, the more is earned on the way, the fuller: the better.
                [group] = earned.groups
                return 3 * holes(layings) - 2 * group.size - sum(before) / 3, {
                    "position": print_position(layings), "turns": turns,
                }  # fmt: skip
    return None


def turn(layings: Sequence[Laying]) -> dict[str, Any]:
    """What the last of these dominoes earns, and a disc of each group that it closes."""
    before = Table(layings[:-1])
    known = {frozenset(one.discs) for one in before.groups() if one.closed}
    closed = [one.discs for one in after(before, layings[-1]).groups() if one.closed]
    new = [list(discs[0]) for discs in closed if frozenset(discs) not in known]
    return {"points": before.earned(layings[-1]).points, "closes": new}


def holes(layings: Sequence[Laying]) -> int:
    """Empty cells with dominoes on three or four sides."""
    covered = {cell for laying in layings for cell in laying.cells}
    beside = Counter((x + dx, y + dy) for x, y in covered for dx, dy in STEPS)
    return sum(count > 2 for cell, count in beside.items() if cell not in covered)


def auction(rng: Random) -> Found | None:
    """Some dominoes, and groups worth a bid."""
    table = fill(rng, AUCTION, standard())
    if table is None:
        return None
    return -sum(one.size**2 for one in table.groups() if not one.closed), {"position": text(table)}


def conquest(rng: Random) -> Found | None:
    """Two large open groups of two colours, not over each other, for two marks."""
    table = fill(rng, CONQUEST, standard())
    if table is None:
        return None
    groups = sorted((one for one in table.groups() if not one.closed), key=lambda one: -one.size)
    if len(groups) < 2 or groups[0].colour == groups[1].colour or groups[1].size < 4:
        return None
    marks = [middle(one.discs) for one in groups[:2]]
    return -groups[1].size, {"position": text(table), "marks": [list(mark) for mark in marks]}


def middle(discs: Sequence[Disc]) -> Disc:
    """The disc of a group that is nearest to its middle."""
    x, y = (sum(values) / len(discs) for values in zip(*discs, strict=True))
    return min(discs, key=lambda disc: (disc[0] - x) ** 2 + (disc[1] - y) ** 2)


def puzzle(rng: Random) -> Found | None:
    """A frame of 4 x 4 that the last domino fills; it comes in at the lower right."""
    table = fill(rng, PUZZLE, standard())
    if table is None:
        return None
    *layings, last = table.layings
    shown = {"position": print_position(layings), "last": str(last)}
    return -sum(one.size**2 for one in table.groups()), shown


def alex(rng: Random) -> Found | None:
    """With the two dominoes of the round, twelve points can be made, and no more."""
    table = fill(rng, ALEX, standard())
    if table is None:
        return None
    names = [name for name in free(table, rng) if table.can_lay(name)][:40]
    for first, second in zip(names[::2], names[1::2], strict=False):
        turn = table.best_turn([first, second])
        if turn and turn.points == 12:
            ugly = -sum(one.size**2 for one in table.groups())
            return ugly, step(table, first, second)
    return None


def seventy_two(rng: Random) -> Found | None:
    """A territory: a large group, with its marker."""
    table = fill(rng, SEVENTY_TWO, standard("72"))
    if table is None:
        return None
    best = max(table.groups(), key=lambda one: one.size)
    return -best.size, {"position": text(table), "marks": [list(middle(best.discs))]}


def text(table: Table) -> str:
    """A table as the client reads it."""
    return print_position(table.layings)


# -- all of them -----------------------------------------------------------------------------

LESSONS: dict[str, tuple[Search, int]] = {
    "match": (match, 2000),
    "discs": (discs, 1000),
    "over": (over, 2000),
    "group": (group, 20000),
    "undo": (undo, 1000),
    "both": (both, 2000),
}
GAMES: dict[str, tuple[Search, int]] = {
    "hero": (hero, 1500),
    "auction": (auction, 300),
    "conquest": (conquest, 600),
    "puzzle": (puzzle, 600),
    "alex": (alex, 300),
    "72": (seventy_two, 600),
}


def best(name: str, search: Search, tries: int) -> dict[str, Any]:
    """The prettiest of so many tries."""
    found = [one for seed in range(tries) if (one := search(Random(f"{name} {seed}"))) is not None]
    print(f"{name}: {len(found)} found in {tries} tries", file=sys.stderr, flush=True)
    return min(found, key=lambda one: one[0])[1]


def lesson() -> dict[str, Any]:
    """What is shown in each step."""
    return {name: best(name, *search) for name, search in LESSONS.items()}


def pictures(steps: dict[str, Any]) -> dict[str, Any]:
    """Classic is what the lesson closes; Arlequin is the first sheet of the print set."""
    closing = steps["group"]
    classic = {"position": closing["position"], "last": closing["closes"], "disc": closing["group"]}
    games = {name: best(name, *search) for name, search in GAMES.items()}
    return {"classic": classic, "arlequin": {"position": print_position(sheet())}, **games}


def sheet() -> list[Laying]:
    """The first sheet, on its side: ten columns and eight rows."""
    return [
        Laying(one.tile, one.side, (one.rotation + 1) % 4, FRAME[1] - 1 - one.y, one.x)  # type: ignore[arg-type]
        for one in layouts()[1]
    ]


def page(found: dict[str, Any]) -> str:
    """One line for each."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(data)}" for name, data in found.items())
    return f"{{\n{lines}\n}}\n"


if __name__ == "__main__":
    steps = lesson()
    LESSON.write_text(page(steps))
    for name, data in pictures(steps).items():
        path = HERO if name == "hero" else SOURCES / "games" / name / "picture.json"
        path.write_text(f"{json.dumps(data)}\n")
