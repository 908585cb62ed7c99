"""The coach: the best turns of a position with reasons, and the review of a game that is over.

A turn is judged by what its player could know: the own hand and the table. The course of a game is
judged by what a spectator knows: the table and the scores, but no hand. The same question gives
the same answer. Exact numbers say so; sampled ones have a 95% interval (`docs/coach.md`).
"""

from .advice import Advice, Situation, advise
from .reviewer import Review
from .reviews import review_game, review_record

__all__ = ["Advice", "Review", "Situation", "advise", "review_game", "review_record"]
