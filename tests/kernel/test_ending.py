"""The exact end of a game of two against a plain search over whole games."""

from __future__ import annotations

import importlib
from random import Random
from typing import Any

import pytest

from dalapapa.core.points import SECOND_DOMINO_CHARGE
from dalapapa.core.tiles import standard
from dalapapa.kernel.lookup import lookup_of
from dalapapa.kernel.table import Table
from tests.support.interpreted import INTERPRETED, interpreted_table

NAMES = standard().names
FAR = 10_000


def ending_of(package: str) -> Any:
    return importlib.import_module(f"{package}.kernel.ending").Ending


def grown(rng: Random, dominoes: int) -> Table:
    table = Table(standard())
    for name in rng.sample(NAMES, dominoes):
        if layings := table.legal(name):
            table.lay(rng.choice(layings))
    return table


def plainly(
    table: Table,
    hands: list[list[str]],
    needs: list[int],
    last: int,
    player: int,
    passed: frozenset[int],
    charge: int,
) -> int:
    """What `player`, whose turn it is, gains on the other one, if both do their best."""
    if len(passed) == 2:
        return 0
    ways = []
    for name, points, after in laid(table, hands[player]):
        hand = [one for one in hands[player] if one != name]
        ways.append((points, after, hand))
        ways += [
            (points + more - charge, then, [one for one in hand if one != other])
            for other, more, then in laid(after, hand)
        ]
    if not ways:
        return -next_turn(table, hands, needs, last, player, passed | {player}, charge)
    found = []
    for points, after, hand in ways:
        rest, left = hands[:], needs[:]
        rest[player], left[player] = hand, needs[player] - points
        found.append(points - next_turn(after, rest, left, last, player, frozenset(), charge))
    return max(found)


def next_turn(
    table: Table,
    hands: list[list[str]],
    needs: list[int],
    last: int,
    player: int,
    passed: frozenset[int],
    charge: int,
) -> int:
    if player == last and min(needs) <= 0:
        return 0
    return plainly(table, hands, needs, last, 1 - player, passed, charge)


def laid(table: Table, hand: list[str]) -> list[tuple[str, int, Table]]:
    found = []
    for name in hand:
        for laying, earned in table.scored(name):
            after = table.copy()
            after.lay(laying)
            found.append((name, earned.points, after))
    return found


@pytest.mark.parametrize(
    ("number", "package", "charge"),
    [
        *((n, "dalapapa", SECOND_DOMINO_CHARGE) for n in range(12)),
        (2, INTERPRETED, SECOND_DOMINO_CHARGE),
        (3, INTERPRETED, 1),
        *((n, "dalapapa", n % 3) for n in (3, 4, 5, 8)),
    ],
)
def test_every_turn_is_worth_what_follows(number: int, package: str, charge: int) -> None:
    rng = Random(number)
    table = grown(rng, 2)
    free = [name for name in NAMES if not any(one.tile == name for one in table.layings)]
    sizes = [(2, 1), (1, 2), (1, 1), (2, 0)][number % 4]
    drawn = rng.sample(free, sum(sizes))
    hands = [drawn[: sizes[0]], drawn[sizes[0] :]]
    needs = [rng.choice((1, 4, 30)), rng.choice((-2, 5, 30))]
    last = rng.randrange(2)
    index = lookup_of(table.tiles).index
    same = interpreted_table()(table.layings) if package == INTERPRETED else table
    numbers = [[index[name] for name in hand] for hand in hands]
    ending = ending_of(package)(same, numbers, needs, last, 1_000_000, charge)
    for turn in rng.sample(table.best_turns(hands[0], 100_000, charge), 5):
        after = table.copy()
        for laying in turn.layings:
            after.lay(laying)
        names = {laying.tile for laying in turn.layings}
        rest = [[name for name in hands[0] if name not in names], hands[1]]
        left = [needs[0] - turn.points, needs[1]]
        expected = turn.points - next_turn(after, rest, left, last, 0, frozenset(), charge)
        assert ending.worth(turn.layings, turn.points, -FAR) == expected
        assert ending.worth(turn.layings, turn.points, expected) <= expected
        assert ending.worth(turn.layings, turn.points, expected - 1) == expected
    assert not ending.spent


def test_a_budget_that_is_too_small_is_reported() -> None:
    table = grown(Random(1), 6)
    turn = table.best_turns(["BYRGB"], 1)[0] if table.can_lay("BYRGB") else None
    assert turn is not None
    index = lookup_of(table.tiles).index
    rest = [name for name in NAMES if name != "BYRGB" and name not in str(table.layings)][:2]
    hands = [[index["BYRGB"]], [index[name] for name in rest]]
    ending = ending_of("dalapapa")(table, hands, [30, 30], 1, 3)
    assert not ending.spent
    ending.worth(turn.layings, turn.points, -FAR)
    assert ending.spent
