"""Three: the classic game with three dominoes in hand, and a charge that players agree on."""

from typing import Annotated

from msgspec import Meta

from dalapapa.games.classic import ClassicGame, ClassicOptions, ClassicState, ClassicView


class ThreeOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    charge: Annotated[int, Meta(ge=0, le=9, description="for the second domino, and again")] = 3


class ThreeState(ClassicState, frozen=True, kw_only=True):
    """A classic state with these options."""

    options: ThreeOptions


class ThreeView(ClassicView, frozen=True, kw_only=True):
    """What one viewer sees."""

    options: ThreeOptions


class Three(ClassicGame[ThreeOptions, ThreeState, ThreeView]):
    """Lay up to three dominoes; the second and the third cost the charge."""

    name = "three"
    hand = 3

    def charge(self, state: ThreeState) -> int:
        """What the next domino of a turn costs."""
        return state.options.charge if state.turn else 0


GAME = Three()
