"""How the texts for players are written: spaces, quotes and percent signs of each language.

`web/test/i18n.test.ts` and `tests/coach` compare names and placeholders between the languages, and
`scripts/check_words.py` checks the words of the English texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from dalapapa.rulebook import GAMES, page
from dalapapa.server.notify.mail import MAX_NAME_LENGTH, format_mail_name
from dalapapa.texts import LANGUAGES, say
from dalapapa.texts import texts as texts_of
from tests.support.paths import ROOT

NARROW = "\N{NARROW NO-BREAK SPACE}"

PERCENT = {"en": "", "nl": "", "it": "", "fr": NARROW, "de": "\N{NO-BREAK SPACE}",
           "es": "\N{NO-BREAK SPACE}"}  # fmt: skip
"""What stands between a number and its percent sign, as the browser itself writes it (CLDR)."""

MARKUP = re.compile(r"^!\[|\]\(figure:.+\)$|^#+ |\*+|^- ", re.MULTILINE)
"""The Markdown of the rule pages."""

FLAWS = {
    "two spaces": r"[ \u00a0\u202f]{2}",
    "three dots, not an ellipsis": r"\.\.",
    "a straight quote": r"[\"'`]",
    "a space at the end of a line": r"[ \u00a0\u202f](?=\n|$)",
    "a tab or an invisible character": r"[\t\r\u200b-\u200f\u2028\u2029\u2060-\u206f\ufeff]",
    "a space before a comma or full stop": r"[ \u00a0\u202f][,.](?![\w{])",
}

FRENCH_FLAWS = {
    "no narrow no-break space before a mark": r"[^\u202f:;!?][:;!?»](?![\w/])",
    "no narrow no-break space after «": r"«(?!\u202f)",
    "a wide space before a mark": r"[ \u00a0][:;!?»%]",
}


def strings(texts: Any, name: str) -> Iterator[tuple[str, str]]:
    """Every text of a file with its name, however deep."""
    if isinstance(texts, str):
        yield name, texts
    else:
        for key, one in texts.items():
            yield from strings(one, f"{name}/{key}")


@cache
def all_texts(language: str) -> tuple[tuple[str, str], ...]:
    """Every text for players: of the client, of its games, of the server, and the rules."""
    files = [
        *sorted((ROOT / "web" / "src").glob(f"texts/*/{language}.json")),
        *sorted((ROOT / "web" / "src").glob(f"games/*/texts/{language}.json")),
        ROOT / "src" / "dalapapa" / "texts" / f"{language}.json",
    ]
    found = [
        one
        for file in files
        for one in strings(json.loads(file.read_text(encoding="utf-8")), str(file.parent.name))
    ]
    rules = [(f"rules/{game}", MARKUP.sub("", page(game, language))) for game in GAMES]
    return *found, *rules


def find_flaws(flaws: dict[str, str], texts: tuple[tuple[str, str], ...]) -> list[str]:
    """Describe each place that matches one of the patterns."""
    return [
        f"{name}: {flaw}: {text[max(0, match.start() - 20) : match.end() + 20]!r}"
        for name, text in texts
        for flaw, pattern in flaws.items()
        for match in re.finditer(pattern, text)
    ]


def find_words(words: str, texts: tuple[tuple[str, str], ...]) -> list[str]:
    """Describe the texts that use one of the words."""
    return [
        f"{name}: {text!r}" for name, text in texts if re.search(rf"\b(?:{words})\b", text, re.I)
    ]


def find_percent_signs(language: str, texts: tuple[tuple[str, str], ...]) -> list[str]:
    """Describe the numbers whose percent sign does not follow as the language writes it."""
    number = re.compile(r"[\d}]([ \u00a0\u202f]?)%")
    return [
        f"{name}: {match[0]!r}"
        for name, text in texts
        for match in number.finditer(text)
        if match[1] != PERCENT[language]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_found(language: str) -> None:
    texts = all_texts(language)
    assert len(texts) > 1_500
    assert sum("%" in text for _, text in texts) >= 8
    assert len([name for name, _ in texts if name.startswith("rules/")]) == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_typography(language: str) -> None:
    assert not find_flaws(FLAWS, all_texts(language))


def test_french_marks_follow_a_narrow_space() -> None:
    assert not find_flaws(FRENCH_FLAWS, all_texts("fr"))


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"fr"}))
def test_other_marks_follow_no_space(language: str) -> None:
    flaw = {"a space before a mark": r"[ \u00a0\u202f][:;!?](?![\w/])"}
    assert not find_flaws(flaw, all_texts(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_percent_signs_are_those_of_the_language(language: str) -> None:
    assert find_percent_signs(language, all_texts(language)) == []


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"en"}))
def test_players_that_are_software_have_one_name(language: str) -> None:
    """English says “bot”; the other languages speak of programs, on every page."""
    assert find_words("bots?", all_texts(language)) == []
    assert len(find_words("program\\w*", all_texts(language))) > 10


OTHER_TERMS = {
    "fr": "groupes? fermés?|groupe est fermé|surcoût", "de": "Scheiben?", "es": "medios? discos?",
    "it": "dischi?|disco",
}  # fmt: skip
"""Words for which the author has his own: terminé, pénalité, Kreis, semidisco, cerchio."""


@pytest.mark.parametrize("language", OTHER_TERMS)
def test_texts_use_the_terms_of_the_author(language: str) -> None:
    assert find_words(OTHER_TERMS[language], all_texts(language)) == []


NAMES = ("דנה", "ليلى 2", "x" * 200, "{n} {name}", "a & <b>")
NAME_PLACES = ("name", "others")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("section", ["coach", "notices"])
def test_names_of_any_direction_and_length_leave_sentences_whole(
    section: str, language: str
) -> None:
    tried = 0
    for key, by_language in texts_of(section).items():
        text = by_language[language]
        places = set(re.findall(r"\{(\w+)\}", text)) if isinstance(text, str) else set()
        for place in places.intersection(NAME_PLACES):
            before, _, after = text.partition(f"{{{place}}}")  # type: ignore[union-attr]
            others: dict[str, Any] = {other: f"<{other}>" for other in places - {place}}
            for name in NAMES:
                shown = name if name.isascii() else f"\u2068{name}\u2069"
                expected = before.format(**others) + shown + after.format(**others)
                values = {**others, place: name}
                assert say(section, key, language, **values) == expected
                tried += 1
    assert tried >= 6 * len(NAMES)


def test_a_link_stays_as_it_is() -> None:
    link = "https://שחק.example/t/x"
    assert f"\n{link}\n" in say("notices", "mail_ask", "en", url="https://x", link=link)


@pytest.mark.parametrize("name", ["x" * 200, "א" * 200, "\u202eevil\u202c", "a\nb", ""])
def test_names_in_mails_are_one_short_line(name: str) -> None:
    short = format_mail_name(name)
    assert 0 < len(short) <= MAX_NAME_LENGTH
    assert short.isprintable()


@pytest.mark.parametrize(
    ("text", "flaws"),
    [
        ("Bravo\u202f! «\u202fOui\u202f»", 0),
        ("Bravo !", 2),
        ("Bravo!", 1),
        ("« Oui\u202f»", 1),
        ("Quoi\u202f?!", 0),
        ("--host 0:0", 0),
    ],
)
def test_french_flaws_are_found(text: str, flaws: int) -> None:
    assert len(find_flaws(FRENCH_FLAWS, (("a", text),))) == flaws


@pytest.mark.parametrize(
    "text", ["a  b", "wait...", 'the "end"', "it's", "a \nb", "one\ttwo", "one , two"]
)
def test_flaws_are_found(text: str) -> None:
    assert len(find_flaws(FLAWS, (("a", text),))) >= 1


def test_percent_signs_are_found() -> None:
    assert find_percent_signs("en", (("a", "100 %"), ("b", "100%"))) == ["a: '0 %'"]
    assert not find_percent_signs("fr", (("a", f"100{NARROW}%"), ("b", "en %")))
