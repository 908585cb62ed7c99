"""The pieces of the static edition that need no engine (`scripts/build_edition.py`)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dalapapa import rulebook
from dalapapa.printing.sheet import PAPERS
from dalapapa.texts import LANGUAGES
from tests.support.browser.static_site import make_site
from tests.support.paths import ROOT
from tests.support.scripting import script

edition: Any = script("build_edition")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("site"))


def read_files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_all_addresses_are_relative(site: Path) -> None:
    for name in edition.CLIENT_PAGES:
        path = site / name / "index.html"
        text = path.read_text()
        addresses = re.findall(r'(?:href|src|content)="([^" ]*/[^" ]*)"', text)
        assert any("/main-" in address for address in addresses)
        for address in addresses:
            assert address.startswith("../" if name else "./")
            assert (path.parent / address).exists(), address
    manifest = json.loads((site / "app.webmanifest").read_text())
    names = [manifest["start_url"], *[icon["src"] for icon in manifest["icons"]]]
    assert not any(name.startswith(("/", "http")) for name in names)
    for path in (site / "assets").glob("*.css"):
        assert not re.search(r"url\([\"']?/", path.read_text()), path


def test_the_same_sources_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    again = read_files(make_site(tmp_path / "in another folder"))
    first = read_files(site)
    assert sorted(first) == sorted(again)
    assert [name for name in first if first[name] != again[name]] == []


def test_browsers_keep_all_pages_under_a_version_of_their_own(site: Path, tmp_path: Path) -> None:
    worker = (site / "worker.js").read_text()
    kept = edition.read_kept(worker)
    assert {"", "t/", "analysis/"} <= set(kept)
    for name in kept:
        assert (site / name).exists(), name
    version = re.compile(r'const DIGEST = "(\w+)"')
    built = (edition.FOLDER / "worker.js").read_text()
    assert version.findall(worker) != version.findall(built)
    other = make_site(tmp_path)
    (other / "lesson" / "index.html").write_text("changed")
    (other / "worker.js").write_text(built)
    edition.write_worker(other)
    assert version.findall((other / "worker.js").read_text()) != version.findall(worker)


def test_rules_are_those_of_the_server(site: Path) -> None:
    for game in rulebook.GAMES:
        for language in LANGUAGES:
            data = (site / "rules" / f"{game}.{language}.json").read_bytes()
            assert data == msgspec.json.encode(rulebook.load_rules(game, language))


def test_prints_are_those_that_the_page_offers() -> None:
    text = (ROOT / "web" / "src" / "print" / "prepared.tsx").read_text()
    (prints,) = re.findall(r"CHOSEN.*?= \[(.*?)\]", text)
    assert tuple(re.findall(r'"(\w+)"', prints)) == edition.CHOSEN
    (papers,) = re.findall(r"PAPERS.*?= \[(.*?)\]", text)
    assert re.findall(r'"(\w+)"', papers) == list(PAPERS)


def test_prints_are_made_in_every_language_and_for_both_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edition, "WHAT", ("scores", "position"))
    edition.write_prints(tmp_path)
    names = sorted(path.name for path in (tmp_path / "prints").iterdir())
    assert len(names) == len(LANGUAGES) * (len(PAPERS) + 1)
    first = tmp_path / "prints" / "dalapapa-scores-letter-fr.pdf"
    assert first.read_bytes().startswith(b"%PDF")
    assert "dalapapa-scores-a4-nl.svg" in names


def test_an_edition_that_is_too_large_is_refused(site: Path, tmp_path: Path) -> None:
    edition.check_sizes(site, edition.MAX_ENGINE_GZIP_BYTES)
    with pytest.raises(SystemExit, match="gzip"):
        edition.check_sizes(site, edition.MAX_ENGINE_GZIP_BYTES + 1)
    large = make_site(tmp_path)
    (large / "engine").mkdir()
    with (large / "engine" / "large.wasm").open("wb") as file:
        file.truncate(edition.MAX_OFFLINE_BYTES)
    with pytest.raises(SystemExit, match="stores"):
        edition.check_sizes(large, 0)


def test_the_last_edition_is_removed_but_for_its_engine(tmp_path: Path) -> None:
    for name in ("engine/kept.js", "assets/old.js", "index.html"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    edition.clear(tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["engine", "kept.js"]
