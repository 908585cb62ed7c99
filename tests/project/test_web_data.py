"""What the browser client knows beforehand is what Python says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dalapapa.core.tiles import standard
from dalapapa.drawing import PALETTES
from dalapapa.drawing.palettes import SEATS
from dalapapa.games import REGISTRY
from dalapapa.texts import LANGUAGES
from tests.support.paths import ROOT
from tests.support.scripting import script

SOURCES = ROOT / "web" / "src"


@pytest.mark.parametrize("name", ["write_web_cases", "write_alone_cases", "write_protocol_types"])
def test_files_generated_from_python_are_fresh(name: str) -> None:
    made = script(name)
    assert made.PAGE.read_text() == made.text(), "run `make pages`"


def test_the_data_of_the_client_is_fresh() -> None:
    made = script("write_web_data")
    for path in made.FILES:
        assert path.read_text() == made.text(path), f"{path.name}: run `make pages`"


def test_the_client_knows_every_domino_palette_and_game() -> None:
    data = json.loads((ROOT / "web" / "src" / "data.json").read_text())
    assert [tile["name"] for tile in data["tiles"]] == list(standard().names)
    assert set(data["palettes"]) == set(PALETTES)
    assert [game["name"] for game in data["games"]] == list(REGISTRY)


def test_players_have_the_same_colours_everywhere() -> None:
    style = " ".join((SOURCES / "style" / "tokens.css").read_text().split())
    for seat, colour in enumerate(SEATS):
        assert f".seat-{seat} {{ --seat: {colour}; }}" in style


@pytest.mark.parametrize(
    "folder",
    [
        ROOT / "src/dalapapa/texts",
        *(path for path in sorted((SOURCES / "texts").iterdir()) if path.is_dir()),
        *sorted(SOURCES.glob("games/*/texts")),
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_texts_are_complete(folder: Path) -> None:
    """Plural forms, placeholders and uses are the business of `web/test/i18n.test.ts`."""

    def names(value: object) -> object:
        """Those of a file, room by room, in the same order in every language."""
        if not isinstance(value, dict) or "other" in value:
            return None
        return [(name, names(inner)) for name, inner in value.items()]

    found = {path.stem: names(json.loads(path.read_text())) for path in folder.glob("*.json")}
    assert set(found) == set(LANGUAGES)
    assert all(one == found["en"] for one in found.values())


def test_lock_files_carry_no_address() -> None:
    text = (ROOT / "web" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert all("integrity" in entry for name, entry in packages.items() if name)
    assert "resolved" not in text
    assert "://" not in text.replace('"url": "https://', '"url": "')
