"""Dalapapa 72: tokens, and markers on territories (rules 8)."""

from .rules import REPLAY_PRICE, Dalapapa72, Options72, State72, View72, free_territories

__all__ = ["REPLAY_PRICE", "Dalapapa72", "Options72", "State72", "View72", "free_territories"]
