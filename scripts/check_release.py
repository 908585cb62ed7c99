"""Whether a tag may be published: python scripts/check_release.py v0.1.0 [--repository OWNER/NAME].

The version stands in one place, `src/dalapapa/__init__.py`. The tag, the first section of
CHANGELOG.md with its date, and the addresses of pyproject.toml have to agree with it and with the
repository that is released from. Ends with 1 and a sentence for each that does not.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def read(name: str) -> str:
    """A file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def version() -> str:
    """The one that is written down."""
    return re.findall(r'^__version__ = "(.+)"$', read("src/dalapapa/__init__.py"), re.MULTILINE)[0]


def problems(tag: str, repository: str | None) -> list[str]:
    """What speaks against publishing a tag."""
    own = version()
    found = []
    if tag != f"v{own}":
        found.append(f"The tag is {tag}, but the version is {own}.")
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", own):
        found.append(f"{own} is not a version to publish.")
    first = next(line for line in read("CHANGELOG.md").splitlines() if line.startswith("## "))
    if not re.fullmatch(rf"## {re.escape(own)} - \d{{4}}-\d\d-\d\d", first):
        found.append(f"CHANGELOG.md begins with “{first}”, not with {own} and its date.")
    if repository is not None:
        source = tomllib.loads(read("pyproject.toml"))["project"]["urls"]["Source"]
        if source != f"https://github.com/{repository}":
            found.append(f"pyproject.toml says that the source is at {source}, not {repository}.")
    return found


def main() -> None:
    """Say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tag")
    parser.add_argument("--repository", metavar="OWNER/NAME")
    options = parser.parse_args()
    found = problems(options.tag, options.repository)
    print("\n".join(found) or f"{options.tag} may be published.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
