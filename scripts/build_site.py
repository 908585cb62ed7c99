"""Put the pages of the documentation together and build the site: `make docs`.

    python scripts/build_site.py            into build/site
    python scripts/build_site.py --pages    only the Markdown, into build/pages

The site shows what is in the repository and writes nothing twice: `docs/`, the pages at the root,
the rulebook for players in every language with its figures, the reference of the public names from
their docstrings, and the files that pages link to. `mkdocs.yml` has its shape.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import dalapapa
from dalapapa import rulebook
from dalapapa.drawing import Style
from dalapapa.drawing.palettes import PALETTES, PIECES, THEMES
from dalapapa.printing.figures import figure
from dalapapa.printing.sheet import Sheet
from dalapapa.printing.svg import write_svg
from dalapapa.texts import LANGUAGES

ROOT = Path(__file__).parents[1]
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
MOVED = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
    "SECURITY.md": "security.md",
    "web/README.md": "client.md",
}
"""Pages of the repository that have another place on the site."""
HIGHLIGHTED = {
    "py": "python",
    "mjs": "javascript",
    "toml": "toml",
    "json": "json",
    "md": "markdown",
}
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
FENCE = "~" * 6


def pages() -> dict[str, str | bytes]:
    """Every file of the site's sources by its path: Markdown, pictures, the style sheet."""
    made: dict[str, str | bytes] = {}
    linked: dict[str, Path] = {}
    sources = {path: _place(path) for path in _sources()}
    for path, place in sources.items():
        made[place] = _change_links(path, place, sources, linked)
    for path in (ROOT / "docs").rglob("*"):
        if path.suffix in (".svg", ".png", ".webp", ".css", ".js"):
            made[path.relative_to(ROOT / "docs").as_posix()] = path.read_bytes()
    made |= {place: _show_source(path) for place, path in linked.items()}
    made |= _rulebook()
    made["play/index.md"] = str(made["play/index.md"]).replace("<!-- games -->", _games())
    made["site/icon.svg"] = (ROOT / "web" / "public" / "icon.svg").read_bytes()
    made["reference.md"] = _reference()
    made["site/colours.css"] = _colours()
    return made


# -- the pages of the repository ---------------------------------------------------------------


def _sources() -> list[Path]:
    docs = sorted((ROOT / "docs").rglob("*.md"))
    others = [ROOT / name for name, place in MOVED.items() if place != "index.md"]
    return [*docs, *(path for path in others if path.exists())]


def _place(path: Path) -> str:
    """Where a file of the repository is on the site."""
    name = path.relative_to(ROOT).as_posix()
    return MOVED.get(name, name.removeprefix("docs/"))


def _change_links(path: Path, place: str, sources: dict[Path, str], linked: dict[str, Path]) -> str:
    """A page whose links lead to pages of the site; other files become pages, noted in `linked`."""

    def link(found: re.Match[str]) -> str:
        before, target, after = found.groups()
        address, hash_, anchor = target.partition("#")
        if "://" in target or not address:
            return found[0]
        goal = (path.parent / address).resolve()
        there = sources.get(goal) or _place(goal)
        if (
            goal not in sources
            and goal.suffix not in (".svg", ".png", ".webp")
            and goal != ROOT / "README.md"
        ):
            there = f"files/{goal.relative_to(ROOT).as_posix().strip('.')}.md"
            linked[there] = goal
        way = posixpath.relpath(there, posixpath.dirname(place) or ".")
        return f"{before}{way}{hash_}{anchor}{after}"

    text, parts, end = path.read_text(), [], 0
    for code in CODE.finditer(text):  # What is code stays as it is.
        parts += [LINK.sub(link, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(link, text[end:])])


def _show_source(path: Path) -> str:
    """A file, or a folder of them, as a page."""
    name = path.relative_to(ROOT).as_posix()
    inside = sorted(one for one in path.rglob("*") if "__pycache__" not in one.parts) or [path]
    parts = [f"# `{name}`\n"]
    for one in inside:
        if one.is_file() and not any(part.endswith(".egg-info") for part in one.parts):
            if one != path:
                parts.append(f"## `{one.relative_to(path).as_posix()}`\n")
            language = HIGHLIGHTED.get(one.suffix.strip("."), "text")
            parts.append(f"{FENCE}{language}\n{one.read_text().rstrip()}\n{FENCE}\n")
    return "\n".join(parts)


# -- for players -------------------------------------------------------------------------------


def _rulebook() -> dict[str, str | bytes]:
    """How to play: a page for each game and language, and their figures."""
    pages = {_rules_page(*key): _rules(*key) for key in product(rulebook.GAMES, LANGUAGES)}
    return {**pages, **{f"play/figures/{name}.svg": _figure(name) for name in rulebook.figures()}}


def _games() -> str:
    """The games in a list: what they are about, and who can play them."""
    rows = []
    for game in rulebook.GAMES:
        title, _, players, _, goal = rulebook.page(game, "en").splitlines()[:5]
        rows.append(f"* **[{title[2:]}]({game}.md).** {goal} {players}")
    return "\n".join(rows)


def _rules_page(game: str, language: str) -> str:
    return f"play/{game}.md" if language == "en" else f"play/{game}.{language}.md"


def _rules(game: str, language: str) -> str:
    text = rulebook.page(game, language)
    text = re.sub(
        r"!\[([^\]]+)\]\(figure:([a-z0-9-]+)\)",
        r'<figure markdown="span">![](figures/\2.svg)<figcaption>\1</figcaption></figure>',
        text,
    )
    others = " · ".join(
        f'[{NAMES[other]}]({posixpath.basename(_rules_page(game, other))}){{hreflang="{other}"}}'
        for other in LANGUAGES
        if other != language
    )
    title, rest = text.split("\n", 1)
    # Readers of English search these pages; the others find their language by its link.
    hidden = "" if language == "en" else "---\nsearch:\n  exclude: true\n---\n\n"
    page = f'<div lang="{language}" markdown>\n{rest}\n</div>\n'
    return f"{hidden}{title}\n\n{others}\n{{.languages}}\n\n{page}"


NAMES = {"fr": "Français", "en": "English", "de": "Deutsch", "nl": "Nederlands", "es": "Español",
         "it": "Italiano"}  # fmt: skip


def _figure(name: str) -> str:
    """A figure of the rulebook, without the white of a printed page behind it."""
    drawn = figure(name, Style())
    svg = write_svg(Sheet(name, drawn.width, drawn.height, drawn.items))
    return re.sub(r'<rect width="[^"]+" height="[^"]+" fill="#fff"/>', "", svg).replace('mm"', '"')


# -- for programmers ---------------------------------------------------------------------------


def _reference() -> str:
    """The public names of the library, each by its docstring; errors come last."""

    def order(name: str) -> tuple[bool, str]:
        value = getattr(dalapapa, name)
        return isinstance(value, type) and issubclass(value, Exception), name.lower()

    names = [name for name in getattr(dalapapa, "__all__", ()) if not name.startswith("_")]
    entries = [f"::: dalapapa.{name}\n" for name in sorted(names, key=order)]
    return "\n".join([(ROOT / "docs" / "reference.md").read_text(), *entries])


def _colours() -> str:
    """The colours of the game as variables of the style sheet."""
    paints, light, dark = PALETTES["classic"].paints, THEMES["light"], THEMES["dark"]
    names = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
    values = {
        **{names[letter]: paint for letter, paint in paints.items()},
        **{"cloth": light.cloth, "grid": light.grid, "dark-cloth": dark.cloth},
        **{"dark-grid": dark.grid, "dark-text": dark.text, "body": PIECES["black"].body},
    }
    return ":root {" + "".join(f"--game-{name}: {value};" for name, value in values.items()) + "}\n"


# -- the build ---------------------------------------------------------------------------------


def write(folder: Path) -> None:
    """Write all pages, and nothing else, into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for place, content in pages().items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def main() -> None:
    """Write the pages and build the site; broken links end it."""
    write(PAGES)
    if sys.argv[1:] == ["--pages"]:
        return
    shutil.rmtree(SITE, ignore_errors=True)
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    subprocess.run([*build, "-f", str(ROOT / "mkdocs.yml")], check=True)


if __name__ == "__main__":
    main()
