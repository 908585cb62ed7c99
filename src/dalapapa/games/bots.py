"""The bots of our games: each makes all levels of its game."""

from __future__ import annotations

from typing import Any

from ..bots.frames import FrameBot
from ..bots.levels import LevelBot
from .alex.bot import AlexBot
from .alex.rules import Alex
from .arlequin.rules import Arlequin
from .auction.bot import AuctionBot
from .auction.rules import Auction
from .classic.bot import ClassicBot
from .classic.rules import ClassicGame
from .conquest.bot import ConquestBot
from .conquest.rules import Conquest
from .dalapapa72.bot import Bot72
from .dalapapa72.rules import Dalapapa72
from .game import AnyGame
from .gone.bot import GoneBot
from .gone.rules import Gone
from .puzzle.bot import PuzzleBot
from .puzzle.rules import Puzzle

BOT_CLASSES: dict[type[AnyGame], type[LevelBot[Any]]] = {
    ClassicGame: ClassicBot,
    Auction: AuctionBot,
    Conquest: ConquestBot,
    Gone: GoneBot,
    Puzzle: PuzzleBot,
    Arlequin: FrameBot,
    Alex: AlexBot,
    Dalapapa72: Bot72,
}
"""Variants of a game inherit its bot."""
