"""What callers give to a `Match`, checked and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .bots.arena import Seat, name_bot
from .bots.bot import Bot
from .bots.external import PREFIX
from .bots.registry import is_misspelt, list_bots, make_unknown_bot
from .core.errors import BadOptions
from .core.notation import shorten
from .core.tiles import TileSet
from .games.bag import make_seed
from .games.game import AnyGame
from .games.options import to_set_choice
from .kernel.table import Position, Table
from .record import Player, Record

MAX_SCORE = 1000
"""The largest score with which a match may begin."""


def read_game_name(game: object) -> str:
    """The name of a game."""
    if not isinstance(game, str):
        raise BadOptions(f"The name of a game must be text, not {shorten(game)}.", "unknown_game")
    return game


def read_seats(players: object) -> list[Seat]:
    """The players of the seats, checked as far as possible without the game."""
    if type(players) is int:
        return [f"player {seat}" for seat in range(1, players + 1)]
    if isinstance(players, str | bytes) or not isinstance(players, Sequence):
        raise BadOptions(
            f"Players must be a list of names and bots, or a number, not {shorten(players)}.",
            "bad_players",
        )
    for one in players:
        bot = isinstance(one, Bot) or (isinstance(one, type) and issubclass(one, Bot))
        if not bot and not (isinstance(one, str) and one.strip() and one.isprintable()):
            raise BadOptions(
                f"A player must be the name of a person or a bot, or a Bot, not {shorten(one)}.",
                "bad_players",
            )
    return list(players)


def find_bot(seat: Seat, game: AnyGame) -> Seat | None:
    """The bot in a seat, or None for a person."""
    if not isinstance(seat, str) or seat in list_bots(game) or seat.startswith(PREFIX):
        return seat
    if is_misspelt(seat, game):
        error = make_unknown_bot(seat, game)
        raise BadOptions(f"{error} A person's name must differ more from theirs.", error.code)
    return None


def list_players(seats: list[Seat], bots: list[Seat | None]) -> list[Player]:
    """The players of a record; bots are numbered, because several may have the same name."""
    names = [name_bot(seat) for seat in seats]
    return [
        Player(name) if bot is None else Player(f"{name} {number}", name)
        for number, (name, bot) in enumerate(zip(names, bots, strict=True), 1)
    ]


def list_recorded(record: Record, game: AnyGame) -> tuple[list[Player], list[Seat | None]]:
    """The players of a record, and the bots among them.

    People replace bots of unknown classes, and programs: a record must not start any.
    """
    known = list_bots(game)
    names: list[Player] = []
    bots: list[Seat | None] = []
    for player in record.players:
        bot = player.program
        is_known = isinstance(bot, str) and bot in known
        bots.append(bot if isinstance(bot, str) and is_known else None)
        names.append(player if is_known else Player(player.name))
    return names, bots


def read_seed(given: object) -> str:
    """A seed as text; a random one if none is given."""
    if given is None:
        return make_seed()
    if type(given) is int:
        return str(given)
    if not isinstance(given, str) or not given.isprintable():
        raise BadOptions(f"A seed must be printable text, not {shorten(given)}.", "bad_seed")
    return given


def read_match_options(given: object) -> dict[str, Any]:
    """Options as plain data; a set of dominoes may be given as such."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadOptions(f"Options must be a dict, not {shorten(given)}.")
    return {
        name: to_set_choice(value) if isinstance(value, TileSet) else value
        for name, value in given.items()
    }


def read_position(given: Position | None, tiles: TileSet) -> Table:
    """The table of a position, frozen, with the dominoes of the game."""
    layings = given.layings if isinstance(given, Table) else given or ()
    return Table(layings, tiles).freeze()


def read_hands(
    given: object, table: Table, players: int, options: object
) -> tuple[tuple[str, ...], ...] | None:
    """The hands of all players, of dominoes that are not on the table; None to draw them."""
    if given is None:
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Sequence) or len(given) != players:
        raise BadOptions(
            f"hands must be a list of {players} hands, one for each player, not {shorten(given)}.",
            "bad_hands",
        )
    most: int = getattr(options, "hand", len(table.tiles))
    hands: list[tuple[str, ...]] = []
    used = {laying.tile for laying in table.layings}
    for hand in given:
        words = hand.replace(",", " ").split() if isinstance(hand, str) else hand
        if isinstance(words, bytes) or not isinstance(words, Sequence) or len(words) > most:
            raise BadOptions(
                f"A hand must have at most {most} dominoes, unlike {shorten(hand)}.", "bad_hands"
            )
        hands.append(tuple([table.tiles[name].name for name in words]))
        for name in hands[-1]:
            if name in used:
                raise BadOptions(f"{name} is on the table or in a hand already.", "bad_hands")
            used.add(name)
    return tuple(hands)


def read_scores(given: object, players: int) -> tuple[int, ...]:
    """The scores of all players at the beginning."""
    if given is None:
        return (0,) * players
    scores = tuple(given) if isinstance(given, Sequence) else ()
    if len(scores) != players or not all(
        type(score) is int and abs(score) <= MAX_SCORE for score in scores
    ):
        raise BadOptions(
            f"scores must be {players} whole numbers from -{MAX_SCORE} to {MAX_SCORE}, not"
            f" {shorten(given)}.",
            "bad_scores",
        )
    return scores
