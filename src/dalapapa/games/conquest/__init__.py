"""Conquest: the classic game with three marks for each player (rules 3)."""

from .rules import Conquest, ConquestOptions, ConquestState, ConquestView, group_of, markable

__all__ = ["Conquest", "ConquestOptions", "ConquestState", "ConquestView", "group_of", "markable"]
