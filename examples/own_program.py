"""A bot of your own, measured against medium."""

from dalapapa import Bot, Choice, compare
from dalapapa.games.classic import ClassicView


class Eager(Bot):
    """Lays what earns most, and never keeps a domino for later."""

    def choose(self, view: ClassicView) -> Choice:
        best = view.table.best(view.hand) if view.hand else None
        return best.layings[0] if best and best.points > 0 else view.legal[-1]


print(compare(Eager, "medium", games=200))
