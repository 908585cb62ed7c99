"""The coach: the best turns of a position with reasons, and the review of a game that is over.

A turn is judged by what its player could know: their own hand and the table. The
course of a game is told as an onlooker sees it, who knows the table and the scores and no hand.
Everything is the same for the same question. What is exact says so; what was sampled carries
its 95 % interval (`docs/coach.md`).
"""

from .advice import Advice, Situation, advise
from .reviewer import Review
from .reviews import review_game, review_record

__all__ = ["Advice", "Review", "Situation", "advise", "review_game", "review_record"]
