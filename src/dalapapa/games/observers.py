"""The observers of our games: what learning programs see of them, and which actions they have."""

from __future__ import annotations

from typing import Any

from ..adapters.observer import Observer
from .auction.observer import AuctionObserver
from .auction.rules import Auction
from .classic.observer import ClassicObserver
from .classic.rules import Classic
from .conquest.observer import ConquestObserver
from .conquest.rules import Conquest
from .dalapapa72.observer import Observer72
from .dalapapa72.rules import Dalapapa72
from .game import AnyGame
from .gone.observer import GoneObserver
from .gone.rules import Gone

OBSERVER_CLASSES: dict[type[AnyGame], type[Observer[Any, Any]]] = {
    Classic: ClassicObserver,
    Auction: AuctionObserver,
    Conquest: ConquestObserver,
    Gone: GoneObserver,
    Dalapapa72: Observer72,
}
