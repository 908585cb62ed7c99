"""Counts of legal sequences from fixed starts: one number that thousands of details must agree on.

`tests/perft/table.txt`: the dominoes of a hand are laid in their order on a starting position.
`tests/perft/GAME.txt`: all moves of a game from its seed. On a mismatch the counts are split up
by first move, so that two programs can be compared move by move.

`python -m tests.kernel.test_perft` prints the lines again (after a deliberate change of the rules).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from dalapapa.bots.arena import BotSeats
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import TimeUp
from dalapapa.kernel.table import Table
from tests.support import naive
from tests.support.paths import PERFT
from tests.support.thoroughness import THOROUGH

pytestmark = pytest.mark.usefixtures("uncounted")

FOLDER = PERFT


def lines(file: str) -> Iterator[tuple[list[str], list[int]]]:
    """The words of each start, and its committed counts for depth 1, 2, ..."""
    for line in (FOLDER / file).read_text().splitlines():
        start, _, counts = line.partition("#")[0].partition(":")
        if start.strip():
            yield start.split("|"), [int(count) for count in counts.split()]


def table_sequences(table: Table, hand: list[str]) -> int:
    layings = table.legal(hand[0])
    if len(hand) == 1:
        return len(layings)
    total = 0
    for laying in layings:
        table.lay(laying)
        total += table_sequences(table, hand[1:])
        table.take_back()
    return total


def game_moves(game: Any, state: Any) -> list[Any]:
    """All that may happen next, where programs are asked; time may run out, too."""
    moves = [
        move
        for seat in game.next_actors(state)
        for move in game.legal_moves(game.view(state, seat))
    ]
    timer = game.timer(state)
    return [*moves, TimeUp(timer.number)] if timer else moves


def game_sequences(game: Any, state: Any, depth: int) -> int:
    if game.outcome(state) is not None:
        return 0
    moves = game_moves(game, state)
    if depth == 1:
        return len(moves)
    return sum(game_sequences(game, game.apply(state, move).state, depth - 1) for move in moves)


def game_start(start: list[str]) -> tuple[Any, Any]:
    """`GAME | SEED | PLAYERS [| MOVES]`: so many moves of greedy players come first."""
    game = find_game(start[0].strip())
    options = game.parse_options({})
    seed, players = start[1].strip(), int(start[2])
    state = game.start(players, options, fill_bag(game.tiles(options).names, seed)).state
    programs = BotSeats(game, ("greedy",) * players, seed)
    for _ in range(int(start[3]) if len(start) > 3 else 0):
        state = game.apply(state, programs.next_move(state)).state
    return game, state


def split_up(counts: dict[str, int]) -> str:
    return "\n" + "\n".join(f"  {move}: {count}" for move, count in sorted(counts.items()))


TABLE_STARTS = list(lines("table.txt"))


@pytest.mark.parametrize(("start", "counts"), TABLE_STARTS, ids=lambda part: str(part[0]).strip())
def test_table(start: list[str], counts: list[int]) -> None:
    table, hand = Table.parse(start[0], standard()), start[1].split()
    for depth, count in enumerate(counts, start=1):
        if table_sequences(table, hand[:depth]) != count:
            split: dict[str, int] = {}
            for laying in table.legal(hand[0]):
                table.lay(laying)
                split[str(laying)] = table_sequences(table, hand[1:depth]) if depth > 1 else 1
                table.take_back()
            pytest.fail(f"depth {depth} should be {count}, but is{split_up(split)}")


@pytest.mark.parametrize(("start", "counts"), TABLE_STARTS[:3], ids=lambda part: str(part[0]))
def test_table_counts_are_the_naive_ones(start: list[str], counts: list[int]) -> None:
    """The committed numbers do not come from the kernel alone."""
    tiles, position, hand = standard(), parse_position(start[0]), start[1].split()

    def sequences(layings: list[Laying], names: list[str]) -> int:
        found = naive.legal(tiles, layings, names[0])
        if len(names) == 1:
            return len(found)
        return sum(sequences([*layings, laying], names[1:]) for laying in found)

    for depth in (1, 2):
        assert sequences(position, hand[:depth]) == counts[depth - 1]


MOST = sys.maxsize if THOROUGH else 100_000
"""Sequences of moves that are counted every day."""


@pytest.mark.parametrize("name", REGISTRY)
def test_game(name: str) -> None:
    for start, counts in lines(f"{name}.txt"):
        game, state = game_start(start)
        for depth, count in enumerate(counts, start=1):
            if count > MOST:
                break
            if game_sequences(game, state, depth) != count:
                split = {
                    str(move): game_sequences(game, game.apply(state, move).state, depth - 1)
                    if depth > 1
                    else 1
                    for move in game_moves(game, state)
                }
                pytest.fail(f"{start}: depth {depth} should be {count}, but is{split_up(split)}")


@pytest.mark.parametrize("file", ["table.txt", *(f"{name}.txt" for name in REGISTRY)])
def test_counts_reach_far(file: str) -> None:
    """Depth four, or very many sequences where there are dominoes everywhere."""
    found = list(lines(file))
    assert len(found) >= 3
    assert any(len(counts) >= 4 or counts[-1] > 100_000 for _, counts in found)


if __name__ == "__main__":
    for start, _ in lines("table.txt"):
        table, hand = Table.parse(start[0], standard()), start[1].split()
        counts = [table_sequences(table, hand[:depth]) for depth in range(1, len(hand) + 1)]
        print("|".join(start), ":", *counts)
    for name in REGISTRY:
        for start, counts in lines(f"{name}.txt"):
            game, state = game_start(start)
            depths = range(1, len(counts) + 1)
            print("|".join(start), ":", *[game_sequences(game, state, depth) for depth in depths])
