"""What a game of another package calls its moves, events and options, in the readers' languages.

A game names a function in `GameParts.texts` that returns plain data for each language
(`docs/extending.md` shows a complete example):

    {"en": {"moves": {"swap": {"label": "Swap a domino"}}, "events": {...}, "options": {...}}}

The function is called when the game is tried before it is listed, and when a server describes the
game, never for a move. Wrong texts leave the game out with one sentence, so that its author finds
them. Pages show texts as text: HTML has no meaning in them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ..core.notation import shorten
from ..texts import LANGUAGES, Language
from .game import AnyGame
from .moves import OUR_KINDS, TAG

FALLBACK: Language = "en"
"""What readers get whose language a game does not have: each game with texts has this one."""

MAX_LANGUAGE_BYTES = 20_000
"""The size of all texts of a game in one language, as JSON: pages load them with a table."""

Name = Annotated[str, Meta(max_length=40)]
Label = Annotated[str, Meta(min_length=1, max_length=40)]
Sentence = Annotated[str, Meta(max_length=300)]

PLACEHOLDER = re.compile(r"\{(\w+)(:player)?\}")
"""A field of the move or event; with `:player`, it is a seat, and stands for its player's name."""


class MoveTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of move: its button, and the list of its legal moves if there are several."""

    label: Label
    help: Sentence = ""
    variant: Sentence = ""
    """What one of several moves is called, with {fields} of the move."""


class OptionTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An option in the form of a new table."""

    label: Label
    help: Sentence = ""
    choices: Annotated[dict[Name, Label], Meta(max_length=50)] = {}
    """The names of its values, if it is a choice."""


class GameTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The texts of a game in one language."""

    title: Annotated[str, Meta(max_length=40)] = ""
    description: Sentence = ""
    moves: Annotated[dict[Name, MoveTexts], Meta(max_length=50)] = {}
    events: Annotated[dict[Name, Sentence], Meta(max_length=100)] = {}
    """Sentences for the log, with {fields} of the event; no event of an empty one is shown."""
    options: Annotated[dict[Name, OptionTexts], Meta(max_length=50)] = {}


def read_game_texts(game: AnyGame) -> dict[Language, GameTexts]:
    """The texts of a game by language, each complete; empty if the game has none.

    Raises TypeError with one sentence for texts that cannot be shown.
    """
    load = game.parts.texts
    if load is None:
        return {}
    if not callable(load):
        raise TypeError("its texts must be a function")
    given = load()
    if not isinstance(given, Mapping):
        raise TypeError("its texts must be a dict of languages")
    for name in given:
        if name not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise TypeError(f"its texts have the language {shorten(name)}: use only {known}")
    if FALLBACK not in given:
        raise TypeError(f"its texts lack English ({FALLBACK}), which all other readers get")
    languages = [language for language in LANGUAGES if language in given]
    read = {language: _read_language(game, language, given[language]) for language in languages}
    return {language: _complete(texts, read[FALLBACK]) for language, texts in read.items()}


def choose_language(texts: Mapping[Language, GameTexts], language: Language) -> GameTexts:
    """The texts for a reader."""
    return texts.get(language) or texts.get(FALLBACK) or GameTexts()


def _read_language(game: AnyGame, language: Language, data: Any) -> GameTexts:
    try:
        texts: GameTexts = msgspec.convert(data, GameTexts)
    except msgspec.ValidationError as error:
        place = _find_wrong_entry(data)
        raise TypeError(f"its texts for {language}{place}: {str(error)[:200]}") from None
    try:
        _check_characters(texts)
        _check_names(game, texts)
    except ValueError as error:
        raise TypeError(f"its texts for {language} {error}") from None
    return texts


def _find_wrong_entry(data: Any) -> str:
    """The name of the first entry that is wrong by itself: msgspec does not say which."""
    for section in ("moves", "events", "options"):
        entries = data.get(section) if isinstance(data, dict) else None
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            try:
                msgspec.convert({section: {name: entry}}, GameTexts)
            except msgspec.ValidationError:
                return f" ({section}: {shorten(name)})"
    return ""


def _check_characters(texts: GameTexts) -> None:
    """Refuse characters that change how other texts look, and texts that are long together."""
    for text in _list_strings(msgspec.to_builtins(texts)):
        for character in text:
            # Other controls and formats turn the direction of text, or break lines.
            if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
                raise ValueError(f"contain the character U+{ord(character):04X}")
    if len(msgspec.json.encode(texts)) > MAX_LANGUAGE_BYTES:
        raise ValueError(f"take more than {MAX_LANGUAGE_BYTES} bytes")


def _list_strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    else:
        for key, value in data.items():
            yield key
            yield from _list_strings(value)


def _check_names(game: AnyGame, texts: GameTexts) -> None:
    """Refuse texts about moves, fields, options and choices that the game does not have."""
    kinds = {kind.__struct_config__.tag: kind for kind in (*OUR_KINDS, *game.move_types)}
    for tag, move in texts.moves.items():
        if tag not in kinds:
            raise ValueError(f"name the move {tag}, which the game does not have")
        for field, _ in PLACEHOLDER.findall(move.variant):
            if field not in kinds[tag].__struct_fields__:
                raise ValueError(f"name the field {field}, which the move {tag} does not have")
    for tag in texts.events:
        if not TAG.fullmatch(tag):
            raise ValueError(f"name the event {tag!r}, which cannot be the tag of one")
    options = {option.name: option for option in game.menu()}
    for name, option in texts.options.items():
        if name not in options:
            raise ValueError(f"name the option {name}, which the game does not have")
        for choice in option.choices:
            if choice not in map(str, options[name].choices):
                raise ValueError(f"name {choice}, which is not a choice of the option {name}")


def _complete(texts: GameTexts, english: GameTexts) -> GameTexts:
    """The texts, with English ones in place of those that are missing."""
    return GameTexts(
        texts.title or english.title,
        texts.description or english.description,
        {**english.moves, **texts.moves},
        {**english.events, **texts.events},
        {**english.options, **texts.options},
    )
