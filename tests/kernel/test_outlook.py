"""What a turn leaves: compiled, interpreted, and by the table's own best turns."""

from __future__ import annotations

import importlib
import random
from array import array
from typing import Any

import pytest

from dalapapa.core.notation import parse_position
from dalapapa.core.tiles import standard
from dalapapa.kernel.lookup import lookup_of
from dalapapa.kernel.table import Table
from tests.support.interpreted import INTERPRETED, interpreted_table


def outlook_of(package: str) -> Any:
    return importlib.import_module(f"{package}.kernel.outlook").Outlook


def position(dominoes: int) -> list[str]:
    """So many dominoes, each laid where it earns most, and the rest in some order."""
    rng = random.Random(dominoes)
    table = Table(standard())
    names = list(standard().names)
    rng.shuffle(names)
    for name in names[:dominoes]:
        turn = table.best_turn([name])
        if turn is not None:
            table.lay(turn.layings[0])
    return [str(laying) for laying in table.layings]


def expected(table: Table, hands: list[list[int]], draws: list[int], turns: int) -> list[int]:
    """The same by the public best turn; hand 0 is that of the player who has just laid."""
    table = table.copy()
    lookup = lookup_of(table.tiles)
    found = []
    for number in range(turns + 1):
        player = number % len(hands)
        if number:
            hand = [lookup.names[tile] for tile in hands[player] if tile >= 0]
            turn = table.best_turn(hand)
            found.append(turn.points if turn else 0)
            for laying in turn.layings if turn else ():
                table.lay(laying)
                hands[player].remove(lookup.index[laying.tile])
        hands[player] = [tile for tile in hands[player] if tile >= 0]
        missing = 2 - len(hands[player])
        hands[player] += draws[2 * number : 2 * number + missing]
    return found


@pytest.mark.parametrize("package", ["dalapapa", INTERPRETED])
@pytest.mark.parametrize(("dominoes", "players", "turns"), [(3, 2, 4), (20, 3, 3), (45, 2, 2)])
def test_turns_are_the_best_turns(package: str, dominoes: int, players: int, turns: int) -> None:
    texts = position(dominoes)
    kind = interpreted_table() if package == INTERPRETED else Table
    table = kind(parse_position(" ".join(texts)))
    plain = Table(parse_position(" ".join(texts)))
    laid = {laying.tile for laying in plain.layings}
    unseen = [
        number for number, name in enumerate(lookup_of(plain.tiles).names) if name not in laid
    ]
    rng = random.Random(1)
    kept, unseen = unseen[:1], unseen[1:]
    own, unseen = unseen[0], unseen[1:]
    turn = plain.best_turn([lookup_of(plain.tiles).names[own]])
    assert turn is not None
    outlook = outlook_of(package)(table, players, turns, [*kept, own])
    assert outlook.unseen == unseen
    rows = []
    for _ in range(3 if package == INTERPRETED else 20):
        row = rng.sample(unseen, outlook.stride)
        row[-1] = -1  # The bag is empty.
        rows.append(row)
    deals = array("i", [tile for row in rows for tile in row])
    found, luck = outlook.play(turn.layings, kept, deals)
    assert len(luck) == turns
    after = plain.copy()
    for laying in turn.layings:
        after.lay(laying)
    for number, row in enumerate(rows):
        hidden = 2 * (players - 1)
        hands = [list(kept)] + [row[start : start + 2] for start in range(0, hidden, 2)]
        # What is drawn after turn n comes from place n, the turn of `play` itself being 0.
        wanted = expected(after, hands, row[hidden:], turns)
        assert list(found[turns * number : turns * (number + 1)]) == wanted
    assert table.layings == plain.layings, "the table itself stays as it was"


def test_room_on_the_torus() -> None:
    """A layout as wide as the torus: the copy is made on a larger one."""
    table = Table(standard())
    names = list(standard().names)
    while names:
        name = names.pop()
        layings = table.legal(name) if len(table) else [*table.legal(name)[:1]]
        if layings:
            table.lay(max(layings, key=lambda laying: laying.x))
        if len(table) and max(laying.x for laying in table.layings) > 20:
            break
    laid = {laying.tile for laying in table.layings}
    unseen = [
        number for number, name in enumerate(lookup_of(table.tiles).names) if name not in laid
    ]
    outlook = outlook_of("dalapapa")(table, 2, 8, unseen[-2:])
    deals = array("i", unseen[: outlook.stride])
    found, _ = outlook.play((), unseen[-2:], deals)
    assert len(found) == 8


@pytest.mark.parametrize("package", ["dalapapa", INTERPRETED])
@pytest.mark.parametrize("dominoes", [1, 12, 40])
def test_outlook_after_a_turn(package: str, dominoes: int) -> None:
    """Each domino alone earns what the table says, and two of them the better, or both."""
    texts = position(dominoes)
    kind = interpreted_table() if package == INTERPRETED else Table
    table = kind(parse_position(" ".join(texts)))
    plain = Table(parse_position(" ".join(texts)))
    laid = {laying.tile for laying in plain.layings}
    own, kept, *unseen = [name for name in lookup_of(plain.tiles).names if name not in laid]
    turn = plain.best_turn([own])
    assert turn is not None
    index = lookup_of(plain.tiles).index
    outlook = outlook_of(package)(table, 2, 2, [index[own], index[kept]])
    best, beside, expected = outlook.leaves(turn.layings, [index[kept]])
    plain.lay(turn.layings[0])

    def alone(name: str) -> int:
        found = plain.best_turn([name])
        return found.points if found else 0

    assert best == alone(kept)
    points = [alone(name) for name in unseen]
    pairs = [max(one, other, one + other - 4) for one in points for other in points]
    assert expected == pytest.approx(sum(pairs) / len(pairs))
    with_kept = [max(best, other, best + other - 4) for other in points]
    assert beside == pytest.approx(sum(with_kept) / len(with_kept))
    assert outlook.leaves(turn.layings, [])[1] == outlook.leaves(turn.layings, [])[2]


def test_luck_is_mean_nothing() -> None:
    """Over many deals the hands are neither better nor worse than the mean of all hands."""
    table = Table(parse_position(" ".join(position(15))))
    laid = {laying.tile for laying in table.layings}
    hand = [number for number, name in enumerate(lookup_of(table.tiles).names) if name not in laid][
        :2
    ]
    turn = table.best_turn([lookup_of(table.tiles).names[hand[0]]])
    assert turn is not None
    table.freeze().rest()
    outlook = outlook_of("dalapapa")(table, 2, 2, hand)
    rng = random.Random(3)
    deals = array("i")
    for _ in range(400):
        deals.extend(rng.sample(outlook.unseen, outlook.stride))
    _, luck = outlook.play(turn.layings, hand[1:], deals)
    assert max(abs(one) for one in luck) / 400 < 0.4
