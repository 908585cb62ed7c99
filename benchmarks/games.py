"""Complete games a second between programs, in this process, for every registered game."""

from __future__ import annotations

from itertools import count

from dalapapa.bots.arena import derive_game_seed, play_game
from dalapapa.games import REGISTRY, AnyGame

from .report import Column, Effort, Row, Rows, Section, format_digits
from .timing import repeat

PROGRAMS = ("random", "greedy")


def player_counts(game: AnyGame) -> list[int]:
    """Two players, where the game allows it, and as many as it can take."""
    return sorted({2, game.seats[-1]} & set(game.seats))


def measure_one(game: AnyGame, players: tuple[str, ...], seconds: float) -> Row:
    """Games with the default options, each with a seed of its own, the same in every run."""
    options = game.parse_options({})
    numbers = count()

    def moves_of_next() -> int:
        return play_game(game, players, options, derive_game_seed("bench", next(numbers)))[1].moves

    moves, spent = repeat(moves_of_next, seconds)
    return {
        "games a second": len(moves) / spent,
        "moves a second": sum(moves) / spent,
        "moves a game": sum(moves) / len(moves),
    }


def measure(effort: Effort) -> Rows:
    return {
        f"{name}: {players} {program}": measure_one(game, (program,) * players, effort.seconds / 2)
        for name, game in REGISTRY.items()
        for players in player_counts(game)
        for program in PROGRAMS
    }


GAMES = Column("games a second", lambda row: format_digits(row["games a second"]))
SECTION = Section(
    "Games between programs",
    (
        GAMES,
        Column("moves a second", lambda row: format_digits(row["moves a second"])),
        Column("moves a game", lambda row: f"{row['moves a game']:.1f}"),
    ),
    GAMES,
    measure,
)
