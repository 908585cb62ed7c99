"""The documentation as a site (scripts/build_site.py): complete, linked, and all of it our own."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dalapapa.drawing.palettes import PALETTES
from dalapapa.rulebook import GAMES, figures
from dalapapa.texts import LANGUAGES
from scripting import script
from test_documented import broken

ROOT = Path(__file__).parents[1]
SITE = script("build_site")


@pytest.fixture(scope="module")
def sources() -> dict[str, str | bytes]:
    return SITE.pages()  # type: ignore[no-any-return]


def test_every_page_of_the_docs_is_in_the_navigation(sources: dict[str, str | bytes]) -> None:
    listed = re.findall(r"^ .*?\b([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    translated = re.compile(r"play/\w+\.[a-z]{2}\.md")
    pages = {
        place
        for place in sources
        if place.endswith(".md") and not place.startswith("files/") and not translated.match(place)
    }
    assert set(listed) == pages
    assert len(listed) == len(pages)


def test_links_of_the_site_lead_somewhere(sources: dict[str, str | bytes]) -> None:
    pages = {
        place: text
        for place, text in sources.items()
        if isinstance(text, str) and not place.startswith("files/")  # Which are code.
    }
    assert broken(pages, sources.__contains__) == []


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
    for game in module.ours():
        assert module.read()[game][-1] == module.pair(game, "medium", "medium")


class Loaded(HTMLParser):
    """The addresses that a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        link = names.get("href") if tag == "link" and names.get("rel") != "canonical" else None
        self.addresses += [one for one in (names.get("src"), link, names.get("srcset")) if one]


def test_what_a_page_loads_is_found() -> None:
    loaded = Loaded()
    loaded.feed('<a href="https://x"></a><link rel="stylesheet" href="s.css"><img src="//y/z">')
    assert loaded.addresses == ["s.css", "//y/z"]


@pytest.mark.thorough
def test_the_site_is_built_and_loads_nothing_from_elsewhere() -> None:
    """Broken links end the build; it has a search, and pages that need no other host."""
    subprocess.run([sys.executable, "scripts/build_site.py"], cwd=ROOT, check=True)
    pages = list(SITE.SITE.rglob("*.html"))
    assert len(pages) > 80
    assert (SITE.SITE / "search.js").stat().st_size > 100_000
    for page in pages:
        loaded = Loaded()
        loaded.feed(page.read_text())
        for address in loaded.addresses:
            assert not re.match(r"(https?:)?//", address), (page.name, address)
            assert address.startswith("data:") or (page.parent / address.partition("?")[0]).exists()
    for sheet in SITE.SITE.rglob("*.css"):
        assert not re.findall(r"(?:url\(|@import) *[\"']?(?:https?:)?//", sheet.read_text())
