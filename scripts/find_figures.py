"""Find the figures of the rule pages, and write them into `rulebook/figures.json`.

    python scripts/find_figures.py            all of them
    python scripts/find_figures.py NAME ...   some of them; the others stay as they are

The captions on the pages state what a figure shows: a laying of so many contacts, a turn of so many
points. For each, many seeded tables are tried with the engine, and the smallest one that shows
exactly that is kept; so the same figures are found every time. The tests hold figures and captions
to the engine. After a change of the set or of a caption, run this again.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import find_examples

from dalapapa.core.geometry import Disc
from dalapapa.core.notation import Laying, print_position
from dalapapa.core.points import SECOND_DOMINO_CHARGE, ClosedGroup, Earned
from dalapapa.core.tiles import TileSet, standard
from dalapapa.drawing import find_clashes
from dalapapa.kernel import solver
from dalapapa.kernel.table import Table

FILE = Path(__file__).parents[1] / "src" / "dalapapa" / "rulebook" / "figures.json"

Entry = dict[str, Any]
Found = tuple[int, Entry]
"""How large a figure is (less is better), and the figure."""


def size(layings: list[Laying]) -> int:
    """Few dominoes on little room make good figures."""
    return 10 * len(layings) + find_examples.area(layings)


def entry(position: list[Laying], laying: Laying | None = None, **facts: Any) -> Entry:
    """A figure with the common fields and more; empty ones are left out."""
    data: Entry = {
        "position": print_position(position),
        "laying": None if laying is None else str(laying),
        **facts,
    }
    return {name: fact for name, fact in data.items() if fact not in (None, [])}


def closes(*earned: Earned) -> list[list[str | int]]:
    """The groups that layings close, as figures tell them."""
    return [[group.colour, group.size] for one in earned for group in one.groups]


def list_unlaid(table: Table, rng: Random) -> list[str]:
    """The dominoes that do not lie on a table, in some order."""
    laid = {laying.tile for laying in table.layings}
    names = [name for name in table.tiles.names if name not in laid]
    rng.shuffle(names)
    return names


# -- the author's examples -------------------------------------------------------------------------


def example(wanted: Earned) -> Callable[[int], Found | None]:
    """One laying that earns exactly what is wanted (see `find_examples`)."""

    def search(seed: int) -> Found | None:
        found = find_examples.find_laying(seed, wanted)
        if found is None:
            return None
        *position, laying = found[1]
        facts = {"points": wanted.points, "contacts": wanted.contacts, "closes": closes(wanted)}
        return found[0], entry(position, laying, **facts)

    return search


def six_groups(seed: int) -> Found | None:
    """Six closed groups with the author's letters and sizes."""
    found = find_examples.find_figure(seed)
    if found is None:
        return None
    groups = [group for group in Table(found[1]).groups() if group.closed]
    sizes = [1, 6, 2, 7, 5, 1]
    labels: dict[str, Disc] = {}
    for letter, count in zip("ABCDEF", sizes, strict=True):
        group = next(group for group in groups if group.size == count)
        groups.remove(group)
        labels[letter] = group.discs[0]
    return found[0], entry(found[1], closed_sizes=sizes, labels=labels)


# -- turns -----------------------------------------------------------------------------------------


def turn(
    dominoes: int, parts: list[int], other_order: int | None = None
) -> Callable[[int], Found | None]:
    """A hand whose best turn earns exactly these points, domino by domino."""
    points = sum(parts) - SECOND_DOMINO_CHARGE

    def search(seed: int) -> Found | None:
        rng = Random(seed)
        table = find_examples.grow(rng, None, dominoes)
        names = list_unlaid(table, rng)
        for hand in zip(names[::2], names[1::2], strict=False):
            best = table.best_turn(hand)
            if best is None or best.points != points or len(best.layings) != len(parts):
                continue
            after = table.copy()
            earned = [after.lay(laying) for laying in best.layings]
            if [one.points for one in earned] != parts:
                continue
            facts: Entry = {"hand": list(hand), "turn": [str(one) for one in best.layings]}
            facts["turn_points"] = parts
            if other_order is not None:
                if points_in_reverse(table, best.layings) != other_order:
                    continue
                facts["other_order"] = other_order
            position = list(table.layings)
            data = entry(position, points=points, closes=closes(*earned), **facts)
            return size([*position, *best.layings]), data
        return None

    return search


def points_in_reverse(table: Table, layings: tuple[Laying, ...]) -> int | None:
    """What a turn is worth the other way round; None if that cannot be laid."""
    after = table.copy()
    total = -SECOND_DOMINO_CHARGE
    for laying in reversed(layings):
        if laying not in after.legal(laying.tile):
            return None
        total += after.lay(laying).points
    return total


# -- one laying ------------------------------------------------------------------------------------


def conquest(seed: int) -> Found | None:
    """A laying that joins a red group of 3 and one of 2 into one of 8, and closes nothing."""
    rng = Random(seed)
    table = find_examples.grow(rng, None, rng.randint(5, 9))
    red = [group for group in table.groups() if group.colour == "R" and not group.closed]
    marked = [next((group for group in red if group.size == count), None) for count in (3, 2)]
    labels = {letter: group.discs[0] for letter, group in zip("AB", marked, strict=True) if group}
    if len(labels) < 2:
        return None
    for name in list_unlaid(table, rng):
        for laying, earned in table.scored(name):
            if earned.groups:
                continue
            table.lay(laying)
            joined = [group for group in table.groups() if set(labels.values()) <= {*group.discs}]
            table.take_back()
            if [group.size for group in joined] == [8]:
                joins = {"colour": "R", "before": [3, 2], "after": 8}
                facts: Entry = {"points": earned.points, "contacts": earned.contacts}
                facts |= {"joins": joins, "labels": labels}
                position = list(table.layings)
                return size([*position, laying]), entry(position, laying, **facts)
    return None


def laying_of(wanted: Earned, dominoes: range, kind: str = "120") -> Callable[[int], Found | None]:
    """A laying with so many contacts that closes exactly these groups."""

    def search(seed: int) -> Found | None:
        rng = Random(seed)
        most = rng.choice(dominoes)
        table = find_examples.grow(rng, None, most, standard(kind))
        for name in list_unlaid(table, rng):
            for laying, earned in table.scored(name):
                if earned == wanted:
                    position = list(table.layings)
                    data = entry(position, laying, contacts=wanted.contacts, closes=closes(wanted))
                    return size([*position, laying]), with_set(kind, data)
        return None

    return search


def with_set(kind: str, data: Entry) -> Entry:
    """A figure that names its set, unless it is the 120."""
    return data if kind == "120" else {"set": kind, **data}


# -- layings allowed and forbidden -----------------------------------------------------------------


def rule_of_laying(
    contacts: int, clashes: int, kind: str, forbidden: bool
) -> Callable[[int], Found | None]:
    """A domino with so many contacts that all match; or, turned round, with some that clash.

    Both figures come from the same search, so that they show the same domino on the same cells:
    what is allowed, and how it would be wrong. Nothing is closed: there is nothing else to see.
    """

    def search(seed: int) -> Found | None:
        rng = Random(seed)
        table = find_examples.grow(rng, None, 3, standard(kind))
        if any(group.closed for group in table.groups()):
            return None
        position = list(table.layings)
        for name in list_unlaid(table, rng):
            for laying, earned in table.scored(name):
                if earned != Earned(contacts, ()):
                    continue
                wrong = turn_around(laying)
                if len(find_clashes([*position, wrong], table.tiles)) != clashes:
                    continue
                data = entry(position, laying, contacts=contacts)
                if forbidden:
                    data |= {"laying": str(wrong), "clashes": clashes}
                return size([*position, laying]), with_set(kind, data)
        return None

    return search


def turn_around(laying: Laying) -> Laying:
    """The same domino on the same cells, after half a turn."""
    return Laying(laying.tile, laying.side, (laying.rotation + 2) % 4, *laying.cells[1])


# -- dominoes by themselves ------------------------------------------------------------------------


def dominoes_of_the_piles(_: int) -> Found:
    """One of each pile whose centre is blue, so that it is seen to count as two halves."""
    tiles: list[str] = []
    for pile, partner in zip((1, 2, 3), "YRG", strict=True):
        for tile in standard().tiles:
            faces = [Counter(face + face[0]) for face in (tile.recto, tile.verso)]
            if tile.pile == pile and [(f["B"], f[partner]) for f in faces] == [(4, 0), (0, 4)]:
                tiles.append(tile.name)
                break
    labels = {str(number): name for number, name in enumerate(tiles, start=1)}
    facts = {"halves": {"+": [4, 0], "-": [0, 4]}, "labels": labels}
    return 0, {"tiles": tiles, **entry([], **facts)}


def shape(letter: str) -> Callable[[int], Found]:
    """A domino of a figure, with the discs outlined that draw it on both of its faces.

    The discs are those of the colour of the centre, on a domino that lies flat on cell 0,0.
    """

    def search(_: int) -> Found:
        tiles = standard()
        name = next(name for name in tiles.names if name.startswith(letter))
        outline = {side: shape_of(tiles, name, side) for side in "+-"}
        return 0, {"tiles": [name], **entry([], outline=outline)}

    return search


def shape_of(tiles: TileSet, name: str, side: str) -> list[Disc]:
    """The discs of a face that have the colour of its centre, the centre first."""
    face = tiles[name].face(side)
    discs = [(2, 1), (0, 1), (1, 0), (3, 0), (4, 1), (3, 2), (1, 2)]
    return [disc for disc, colour in zip(discs, face, strict=True) if colour == face[0]]


# -- a frame ---------------------------------------------------------------------------------------


def full_frame(seed: int) -> Found | None:
    """A full frame of 4 x 4: 24 inner edges, of which 8 are inside of dominoes."""
    tiles = standard()
    names = Random(seed).sample(tiles.names, 40)
    found = solver.solve(solver.Frame.rectangle(4, 4), tiles, names, seed=str(seed))
    if not found.solutions:
        return None
    return 0, {"frame": [4, 4], **entry(list(found.solutions[0]), contacts=16)}


SEARCHES: dict[str, tuple[int, Callable[[int], Found | None]]] = {
    "allowed-1": (100, rule_of_laying(1, 1, "120", forbidden=False)),
    "allowed-2": (300, rule_of_laying(3, 1, "120", forbidden=False)),
    "forbidden-1": (100, rule_of_laying(1, 1, "120", forbidden=True)),
    "forbidden-2": (300, rule_of_laying(3, 1, "120", forbidden=True)),
    "six-groups": (find_examples.TRIES["six-groups"], six_groups),
    "example-1": (find_examples.TRIES["example-1"], example(Earned(2, (ClosedGroup("Y", 7),)))),
    "example-2": (
        find_examples.TRIES["example-2"],
        example(Earned(3, (ClosedGroup("Y", 5), ClosedGroup("R", 3)))),
    ),
    "auction": (600, turn(7, [12, 8])),
    "conquest": (2000, conquest),
    "gone": (100, laying_of(Earned(3, ()), range(3, 4))),
    "puzzle": (1, full_frame),
    "arlequin": (1, dominoes_of_the_piles),
    "alex": (1500, turn(4, [2, 14], other_order=11)),
    "pyramid": (1, shape("P")),
    "bridge": (1, shape("B")),
    "allowed-72-1": (100, rule_of_laying(1, 1, "72", forbidden=False)),
    "allowed-72-2": (300, rule_of_laying(3, 1, "72", forbidden=False)),
    "forbidden-72-1": (100, rule_of_laying(1, 1, "72", forbidden=True)),
    "forbidden-72-2": (300, rule_of_laying(3, 1, "72", forbidden=True)),
    "territory": (1000, laying_of(Earned(3, (ClosedGroup("G", 5),)), range(5, 9), "72")),
}
"""How many seeds are tried for each figure, and how."""


def find(name: str) -> Entry:
    """The smallest figure of this name."""
    tries, search = SEARCHES[name]
    found = [result for seed in range(tries) if (result := search(seed)) is not None]
    print(f"{name}: {len(found)} found in {tries} tries", file=sys.stderr)
    if not found:
        sys.exit(f"Found no position for {name}: try more seeds.")
    return min(found, key=lambda result: result[0])[1]


def main(names: list[str]) -> None:
    """Find some figures, or all, and write them in the order of `SEARCHES`."""
    unknown = set(names) - set(SEARCHES)
    if unknown:
        sys.exit(f"There is no figure {', '.join(sorted(unknown))}.")
    kept = json.loads(FILE.read_text())
    made = {name: find(name) if not names or name in names else kept[name] for name in SEARCHES}
    FILE.write_text(dump(made))


def dump(made: dict[str, Entry]) -> str:
    """Figures as JSON, with each list on one line."""
    lists = re.compile(r"\[(?:[^\[\]{}]|\[[^\[\]{}]*\])*\]")
    return (
        lists.sub(lambda found: json.dumps(json.loads(found[0])), json.dumps(made, indent=2)) + "\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
