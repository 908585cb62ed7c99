"""The pages of the documentation's site (scripts/build_site.py), before it is built."""

from __future__ import annotations

import re

import pytest
import yaml

from dalapapa.drawing.palettes import PALETTES
from dalapapa.rulebook import GAMES, figures
from dalapapa.texts import LANGUAGES
from tests.support.markdown import find_broken_links
from tests.support.paths import ROOT
from tests.support.scripting import script

SITE = script("build_site")


@pytest.fixture(scope="module")
def sources() -> dict[str, str | bytes]:
    return SITE.pages()  # type: ignore[no-any-return]


def test_every_page_of_the_docs_is_in_the_navigation(sources: dict[str, str | bytes]) -> None:
    listed = re.findall(r"^ .*?\s([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    translated = re.compile(r"play/\w+\.[a-z]{2}\.md")
    pages = {
        place
        for place in sources
        if place.endswith(".md") and not place.startswith("files/") and not translated.match(place)
    }
    assert set(listed) == pages
    assert len(listed) == len(pages)


def test_pages_for_hosts_and_programmers_say_whom_they_are_for(
    sources: dict[str, str | bytes],
) -> None:
    navigation = (ROOT / "mkdocs.yml").read_text()
    part = navigation[navigation.index("  - Host:") : navigation.index("  - Contribute:")]
    listed = re.findall(r"\s([\w/-]+\.md)$", part, re.MULTILINE)
    assert len(listed) > 20
    for place in listed:
        first = str(sources[place]).split("\n\n")[1]
        assert first.startswith("This page is for "), place


def test_links_of_the_site_lead_somewhere(sources: dict[str, str | bytes]) -> None:
    pages = {
        place: text
        for place, text in sources.items()
        if isinstance(text, str) and not place.startswith("files/")  # Which are code.
    }
    assert find_broken_links(pages, sources.__contains__) == []


def test_rules_for_players_are_those_of_the_rulebook(sources: dict[str, str | bytes]) -> None:
    for game in GAMES:
        for language in LANGUAGES:
            ending = "" if language == "en" else f".{language}"
            page = str(sources[f"play/{game}{ending}.md"])
            assert f'<div lang="{language}" markdown>' in page
            assert "figure:" not in page
    assert {f"play/figures/{name}.svg" for name in figures()} <= sources.keys()
    overview = str(sources["play/index.md"])
    assert all(f"({game}.md)" in overview for game in GAMES)


@pytest.mark.parametrize("section", ["Play", "Contribute"])
def test_pages_say_first_whom_they_are_for(section: str, sources: dict[str, str | bytes]) -> None:
    navigation = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    (entries,) = [entry[section] for entry in navigation if section in entry]
    rules = {f"play/{game}.md" for game in GAMES}
    listed = [entry if isinstance(entry, str) else next(iter(entry.values())) for entry in entries]
    pages = [page for page in listed if page not in rules]
    assert len(pages) > 8
    for page in pages:
        title, paragraph, *_ = str(sources[page]).split("\n\n")
        assert title.startswith("# "), page
        sentences = re.split(r"(?<=\.)\s", paragraph)[:2]
        assert any(text.startswith("This page is for ") for text in sentences), page


def test_lists_stand_apart(sources: dict[str, str | bytes]) -> None:
    """The site's Markdown wants an empty line before a list, and four spaces inside of one."""
    for place, text in sources.items():
        if not place.endswith(".md") or place.startswith("files/"):
            continue
        shown = re.sub(r"^(```|~~~).*?^\1.*?$", "", str(text), flags=re.MULTILINE | re.DOTALL)
        assert not re.findall(r"^(?![*\-|#<>\d\s]).+\n[*-] .+", shown, re.MULTILINE), place
        assert not re.findall(r"^ {1,3}(?:[*-]|\d\.) .+", shown, re.MULTILINE), place


def test_the_site_has_the_colours_of_the_game(sources: dict[str, str | bytes]) -> None:
    for paint in PALETTES["classic"].paints.values():
        assert paint in str(sources["site/colours.css"])
    used = re.findall(r"var\((--game-[\w-]+)\)", (ROOT / "docs/site/style.css").read_text())
    assert used
    assert all(f"{variable}:" in str(sources["site/colours.css"]) for variable in used)


def test_the_pages_of_environments_are_fresh() -> None:
    module = script("write_environments")
    figures = module.read()
    for name, text in module.pages(figures).items():
        assert (module.FOLDER / name).read_text() == text, "run `make docs`"


@pytest.mark.thorough
def test_baselines_are_what_the_seed_gives() -> None:
    module = script("write_environments")
    for game in ("classic", "gone"):
        assert module.read()[game][-1] == module.pair(game, "medium", "medium")
