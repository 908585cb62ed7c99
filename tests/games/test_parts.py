"""Games name their bot, reviewer and observer."""

from __future__ import annotations

import pytest

from dalapapa.adapters.registry import find_observer
from dalapapa.adapters.variant import VariantObserver
from dalapapa.bots import BOTS, list_bots, make_bot
from dalapapa.bots.levels import GENTLE_LEVELS, LevelBot
from dalapapa.coach.reviews import find_reviewer
from dalapapa.games import REGISTRY
from dalapapa.games.bots import BOT_CLASSES
from dalapapa.games.classic import Classic
from dalapapa.games.classic.observer import ClassicObserver
from dalapapa.games.classic.reviewer import ClassicReviewer
from dalapapa.games.conquest.bot import ConquestBot
from dalapapa.games.game import GameParts
from dalapapa.games.observers import OBSERVER_CLASSES
from dalapapa.games.reviewers import REVIEWER_CLASSES


class Plain(Classic):
    """A variant that names nothing."""

    name = "plain"


class Named(Classic):
    """A variant that names all its parts."""

    name = "named"
    parts = GameParts(bot=ConquestBot, reviewer=ClassicReviewer, observer=ClassicObserver)


class Heir(Named):
    """A variant of it that names nothing."""

    name = "heir"


@pytest.mark.parametrize("game", REGISTRY.values(), ids=list(REGISTRY))
def test_each_of_our_games_has_a_bot_and_a_reviewer(game: Classic) -> None:
    own = [bot for bot in BOTS if bot not in GENTLE_LEVELS or game.name == "gone"]
    assert sorted(list_bots(game)) == sorted(own)
    assert type(make_bot("medium", game, "")) in BOT_CLASSES.values()
    assert find_reviewer(game) is REVIEWER_CLASSES[type(game)]


def test_class_names_differ_between_games() -> None:
    for classes in (BOT_CLASSES, REVIEWER_CLASSES, OBSERVER_CLASSES):
        kinds = set(classes.values())  # Both races have the same reviewer.
        assert len({kind.__name__ for kind in kinds}) == len(kinds)


def test_a_variant_inherits_the_bot_and_has_a_general_observer() -> None:
    assert type(make_bot("medium", Plain(), "")) is BOT_CLASSES[Classic.__mro__[1]]
    assert find_reviewer(Plain()) is None
    assert type(find_observer(Plain())) is VariantObserver
    assert type(make_bot("medium", Heir(), "")) is ConquestBot
    assert find_reviewer(Heir()) is None


def test_a_game_names_its_parts() -> None:
    assert type(make_bot("medium", Named(), "")) is ConquestBot
    assert find_reviewer(Named()) is ClassicReviewer
    assert type(find_observer(Named())) is ClassicObserver


def test_a_part_of_a_wrong_type_is_refused() -> None:
    class Wrong(Classic):
        parts = GameParts(bot=str, reviewer=LevelBot)

    with pytest.raises(TypeError, match="must be a LevelBot"):
        make_bot("medium", Wrong(), "")
    with pytest.raises(TypeError, match="must be a Reviewer"):
        find_reviewer(Wrong())
