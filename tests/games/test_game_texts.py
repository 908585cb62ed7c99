"""The texts that a game of another package brings for its moves, events and options."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dalapapa import games
from dalapapa.games.game_texts import GameTexts, MoveTexts, choose_language, read_game_texts
from dalapapa.texts import LANGUAGES
from tests.support.installing import installing, put, put_example

OWN = """
from typing import Annotated, Literal
from msgspec import Meta
from dalapapa.games.classic import ClassicGame, ClassicOptions, ClassicState, ClassicView
from dalapapa.games.game import GameParts
from dalapapa.games.moves import PlayersMove

class OwnOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    tempo: Literal["slow", "fast"] = "slow"

class Nap(PlayersMove, frozen=True, tag="nap"):
    hours: int

class Own(ClassicGame[OwnOptions, ClassicState, ClassicView]):
    name = "own"
    move_types = (Nap,)
    parts = GameParts(texts={loader})

GAME = Own()
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        yield folder


def put_game(folder: Path, loader: str) -> None:
    put(folder, "own_texts", OWN.replace("{loader}", loader), own="own_texts:GAME")


def test_a_game_without_texts_has_none() -> None:
    assert read_game_texts(games.REGISTRY["classic"]) == {}
    assert choose_language({}, "fr") == GameTexts()


def test_the_example_has_texts_in_all_languages(path: Path) -> None:
    put_example(path, "swapping")
    found = read_game_texts(games.find_game("swapping"))
    assert set(found) == set(LANGUAGES)
    assert len({texts.moves["swap"].label for texts in found.values()}) == len(LANGUAGES)
    for texts in found.values():
        assert texts.events["swapped"].count("{") == 3
        assert texts.options["swap_cost"].label


def test_missing_languages_and_texts_are_english(path: Path) -> None:
    english = {"title": "Own", "moves": {"nap": {"label": "Nap"}, "end": {"label": "Finish"}}}
    french = {"moves": {"nap": {"label": "Sieste", "variant": "{hours} h, {player:player}"}}}
    put_game(path, "lambda: " + repr({"en": english, "fr": french}))
    found = read_game_texts(games.find_game("own"))
    assert choose_language(found, "de") is found["en"]
    assert choose_language(found, "fr") == GameTexts(
        title="Own",
        moves={
            "nap": MoveTexts("Sieste", variant="{hours} h, {player:player}"),
            "end": MoveTexts("Finish"),
        },
    )


def test_texts_are_not_loaded_for_a_move(path: Path) -> None:
    """A worker of a server loads the game only (`load_game`), and the texts module stays away."""
    put_example(path, "swapping")
    (point,) = games.installed.list_points(games.installed.ENTRY_POINT_GROUP)
    games.installed.load_game(point)
    assert "swapping" in sys.modules
    assert "swapping_texts" not in sys.modules


def texts(**english: Any) -> str:
    return "lambda: " + repr({"en": english})


BAD_TEXTS = {
    "no function": ("{'en': {}}", "its texts must be a function"),
    "failing": ("lambda: 1 / 0", "ZeroDivisionError"),
    "no dict": ("lambda: ['en']", "must be a dict of languages"),
    "an unknown language": (
        "lambda: {'en': {}, 'tlh': {}}", "the language 'tlh': use only fr, en, de, nl, es, it"
    ),
    "a language that is no text": ("lambda: {'en': {}, ('x',) * 99: {}}", "have the language"),
    "no English": ("lambda: {'fr': {}}", "lack English (en)"),
    "a wrong type": (
        texts(moves={"nap": {"label": 5}}), "texts for en (moves: 'nap'): Expected `str`, got `int`"
    ),
    "no label": (texts(moves={"nap": {"help": "x"}}), "missing required field `label`"),
    "an unknown field": (texts(buttons={}), "unknown field `buttons`"),
    "a huge label": (texts(moves={"nap": {"label": "x" * 10**6}}), "length <= 40"),
    "a huge sentence": (texts(events={"napped": "x" * 10**6}), "length <= 300"),
    "too many": (texts(events={f"e{n}": "x" for n in range(101)}), "length <= 100"),
    "too much together": (
        texts(events={f"e{n}": "x" * 300 for n in range(99)}), "take more than 20000 bytes"
    ),
    "another direction": (texts(title="a\u202eb"), "contain the character U+202E"),
    "a line break": (texts(events={"napped": "a\nb"}), "contain the character U+000A"),
    "a lone surrogate": (texts(title="\ud800"), "contain the character U+D800"),
    "another move": (texts(moves={"knap": {"label": "x"}}), "name the move knap"),
    "another field": (
        texts(moves={"nap": {"label": "x", "variant": "{days}"}}),
        "name the field days, which the move nap does not have",
    ),
    "no tag of an event": (texts(events={"Napped!": "x"}), "name the event 'Napped!'"),
    "another option": (texts(options={"charge_": {"label": "x"}}), "name the option charge_"),
    "another choice": (
        texts(options={"tempo": {"label": "x", "choices": {"quick": "x"}}}),
        "name quick, which is not a choice of the option tempo",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_TEXTS)
def test_wrong_texts_leave_the_game_out_with_a_sentence(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    loader, why = BAD_TEXTS[what]
    put_game(path, loader)
    with caplog.at_level(logging.WARNING, "dalapapa"):
        assert "own" not in games.list_games()
    (logged,) = [one.getMessage() for one in caplog.records]
    assert logged.startswith("Ignoring the game own (own_texts:GAME): ")
    assert why in logged
    assert len(logged) < 400


def test_html_and_letters_of_all_languages_are_texts(path: Path) -> None:
    label = "<b>Où\u00a0?</b> \u05d0 \U0001f634"
    put_game(path, texts(moves={"nap": {"label": label}}, events={"napped": ""}))
    found = read_game_texts(games.find_game("own"))["en"]
    assert (found.moves["nap"].label, found.events["napped"]) == (label, "")
