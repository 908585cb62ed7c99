"""How a bot plays Arlequin (rules 6): it fills its frame by a layout of its pile."""

from __future__ import annotations

from ...bots.frames import FrameBot
from .rules import ArlequinView


class ArlequinBot(FrameBot[ArlequinView]):
    """Lays what its layout needs."""
