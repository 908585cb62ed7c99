"""Three: the classic game with three dominoes in hand, and a charge that players agree on."""

from typing import Annotated

from msgspec import Meta

from dalapapa.games.classic import ClassicGame, ClassicOptions, ClassicState, ClassicView


class ThreeOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand, and what is fixed."""

    charge: Annotated[int, Meta(ge=0, le=9, description="for the second domino, and again")] = 3
    hand = 3


class Three(ClassicGame[ThreeOptions, ClassicState, ClassicView]):
    """Lay up to three dominoes; the second and the third cost the charge."""

    name = "three"


GAME = Three()
