"""How a program plays Arlequin (rules 6): it fills its frame by a layout of its pile."""

from __future__ import annotations

from ...bots.frames import FrameProgram
from .rules import ArlequinView

FIND = 30.0
"""Seconds to find a domino for a frame that takes the whole pile."""


class Program(FrameProgram[ArlequinView]):
    """Lays what its layout needs."""

    @classmethod
    def takes(cls, view: ArlequinView, pace: float) -> float:  # noqa: ARG003
        return FIND / pace
