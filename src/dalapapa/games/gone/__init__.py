"""Gone, the children's game (rules 4)."""

from .rules import LAYS_AGAIN, Gone, GoneOptions, GoneState, GoneView

__all__ = ["LAYS_AGAIN", "Gone", "GoneOptions", "GoneState", "GoneView"]
