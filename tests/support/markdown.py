"""Links and blocks of the pages of the documentation."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

BLOCK = re.compile(
    r"(?:^<!-- (?P<how>not run|run by): (?P<why>.+?) -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def find_anchors(text: str) -> set[str]:
    """Find the anchors of a page, as GitHub and the site make them from headings."""
    found = []
    for heading in HEADING.findall(BLOCK.sub("", text)):
        plain = LINK.sub("", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        found.append(re.sub(r"[\s]", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return set(found)


def find_broken_links(pages: dict[str, str], exists: Callable[[str], bool]) -> list[str]:
    """Find links that lead to no page or file, or to no heading of a page."""
    wrong = []
    for place, text in pages.items():
        for target in LINK.findall(BLOCK.sub("", text)):
            address, _, anchor = target.partition("#")
            if "://" in target or target.startswith("figure:"):
                continue
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(place), address))
            goal = goal if address else place
            there = goal in pages or exists(goal)
            if not there or (anchor and anchor not in find_anchors(pages.get(goal, ""))):
                wrong.append(f"{place}: {target}")
    return wrong
