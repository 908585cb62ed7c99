"""Put the static edition together, for any web host and below any path: `make site`.

    python scripts/build_edition.py [FOLDER]     into build/edition

The client, the engine and the documentation are built before. This adds what a server would send:
a page for each path of the client, the rules, and PDFs of the standard sheets. A web host cannot
answer `t/ID` with a page of another name, so each page of the client is a folder with `index.html`,
and `web/src/base.ts` writes the rest of its path into the query. The same sources give the same
bytes.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path

import msgspec

from dalapapa import rulebook
from dalapapa.printing import WHAT, make_pdf, preview
from dalapapa.printing.sheet import PAPERS
from dalapapa.server.http.static import FOLDER, PAGE_POLICY, PAGES, Preload
from dalapapa.texts import LANGUAGES

ROOT = Path(__file__).parents[1]
EDITION, SITE = ROOT / "build" / "edition", ROOT / "build" / "site"

MAX_ENGINE_GZIP_BYTES = 7_000_000
MAX_OFFLINE_BYTES = 25_000_000
"""What a browser stores for use without a connection, uncompressed."""

CHOSEN = ("position", "puzzle", "solution")
"""The prints that show what one chooses; all others are made (`web/src/print/prepared.tsx`)."""

RUNNABLE = ("library", "tutorial")
"""The pages of the documentation with examples for the engine."""

CLIENT_PAGES = ("", *PAGES)

POLICY = "; ".join(
    part for part in PAGE_POLICY.split("; ") if not part.startswith("frame-ancestors")
)
"""That of the server, but for what browsers refuse in a page."""


def main(out: Path = EDITION) -> None:
    """Build everything but the engine, which is in its folder already."""
    engine = json.loads((out / "engine" / "manifest.json").read_text())
    clear(out)
    write_client(FOLDER, out)
    write_rules(out)
    write_prints(out)
    write_docs(SITE, out / "docs")
    (out / ".nojekyll").touch()  # GitHub Pages would leave out names that begin with `_`.
    check_sizes(out, engine["gzip_bytes"])


def clear(out: Path) -> None:
    """Remove the last edition, but not its engine."""
    for path in out.iterdir():
        if path.name != "engine":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


# -- the client ----------------------------------------------------------------------------------


def write_client(build: Path, out: Path) -> None:
    """Copy the client's build, and write its pages and its service worker."""
    compressed = shutil.ignore_patterns("*.br", "*.gz", "index.html", "preload.json", "engine")
    shutil.copytree(build, out, ignore=compressed, dirs_exist_ok=True)
    preload = msgspec.json.decode((build / "preload.json").read_bytes(), type=Preload)
    page = (build / "index.html").read_text(encoding="utf-8")
    for name in CLIENT_PAGES:
        path = out / name / "index.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(render_page(page, name, preload), encoding="utf-8", newline="\n")
    write_worker(out)


def render_page(page: str, name: str, preload: Preload) -> str:
    """A page whose addresses are relative, with links to the files that it needs."""
    up = "../" if name else "./"
    files = preload.pages.get(name)
    needed = [*files.styles, *files.modules] if files else []
    links = "".join(
        f'<link rel="{"stylesheet" if file.endswith(".css") else "modulepreload"}" href="{file}" />'
        for file in needed
    )
    head = (
        f'<meta http-equiv="content-security-policy" content="{POLICY}" />'
        f'<meta id="edition" name="edition" content="{up}" />'
    )
    text = page.replace("<head>", f"<head>{head}").replace("</head>", f"{links}</head>")
    return re.sub(r'(href|src)="/', rf'\1="{up}', text)


def write_worker(out: Path) -> None:
    """Let the service worker keep all pages. Its version changes with them."""
    path = out / "worker.js"
    worker = path.read_text(encoding="utf-8")
    pages = [f"{name}/" if name else "" for name in CLIENT_PAGES]
    assets = [name for name in read_kept(worker) if name]
    digest = sha256(worker.encode())
    for page in pages:
        digest.update((out / page / "index.html").read_bytes())
    worker = re.sub(r'const DIGEST = "\w+"', f'const DIGEST = "{digest.hexdigest()[:12]}"', worker)
    files = json.dumps([*pages, *assets], separators=(",", ":"))
    worker = re.sub(r"const FILES = \[.*\]", f"const FILES = {files}", worker)
    path.write_text(worker, encoding="utf-8", newline="\n")


def read_kept(worker: str) -> list[str]:
    """The files that a service worker keeps."""
    (files,) = re.findall(r"const FILES = (\[.*\]);", worker)
    names: list[str] = json.loads(files)
    return names


# -- what a server would compute -----------------------------------------------------------------


def write_rules(out: Path) -> None:
    """The rules of all games in all languages, as the server sends them."""
    for game, language in product(rulebook.GAMES, LANGUAGES):
        path = out / "rules" / f"{game}.{language}.json"
        path.write_bytes(msgspec.json.encode(rulebook.load_rules(game, language)))


def write_prints(out: Path) -> None:
    """PDFs of the standard sheets, and pictures of their first pages."""
    folder = out / "prints"
    folder.mkdir()
    for what, paper, language in product(WHAT, PAPERS, LANGUAGES):
        if what in CHOSEN:
            continue
        options = {"what": what, "paper": paper, "language": language}
        path = folder / f"dalapapa-{what}-{paper}-{language}.pdf"
        path.write_bytes(make_pdf(options))
        if paper == "a4":
            path.with_suffix(".svg").write_text(preview(options, 1), encoding="utf-8", newline="\n")


def write_docs(site: Path, out: Path) -> None:
    """Copy the documentation, and let readers run its examples by the engine beside it."""
    shutil.copytree(site, out)
    script = '<script type="module" src="site/run-examples.js"></script></body>'
    for name in RUNNABLE:
        path = out / f"{name}.html"
        text = path.read_text(encoding="utf-8").replace("</body>", script)
        path.write_text(text, encoding="utf-8", newline="\n")


# -- checks --------------------------------------------------------------------------------------


def check_sizes(out: Path, engine_gzip_bytes: int) -> None:
    """Refuse an edition that is too large; `make engine` refuses an interpreted kernel."""
    if engine_gzip_bytes > MAX_ENGINE_GZIP_BYTES:
        raise SystemExit(
            f"The engine has {engine_gzip_bytes} bytes (gzip), but may have"
            f" {MAX_ENGINE_GZIP_BYTES}."
        )
    offline = sum(path.stat().st_size for path in list_offline_files(out))
    if offline > MAX_OFFLINE_BYTES:
        raise SystemExit(f"A browser stores {offline} bytes, but may store {MAX_OFFLINE_BYTES}.")
    print(
        f"The static edition is in {out}: {sum(1 for _ in out.rglob('*'))} files."
        f" For use without a connection, a browser stores {offline / 1e6:.1f} MB."
    )


def list_offline_files(out: Path) -> Iterator[Path]:
    """All files that browsers may store, in all languages, so that the sum is an upper limit."""
    kept = read_kept((out / "worker.js").read_text(encoding="utf-8"))
    yield from (
        out / name if name and not name.endswith("/") else out / name / "index.html"
        for name in kept
    )
    yield from (out / "rules").glob("*.json")
    yield from (path for path in (out / "engine").rglob("*") if path.is_file())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
