"""Score pads of the page for real tables, in the middle of a turn, as the browser keeps them."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

BASE = {"id": "one", "at": 0}

PADS: dict[str, dict[str, Any]] = {
    "plain": {
        **BASE,
        "kind": "plain",
        "names": ["Ann", "Bob", "Clementine", "Dan"],
        "target": 60,
        "turns": [{"points": 12}],
        "sales": [None],
        "draft": {
            "index": 1,
            "turn": {
                "dominoes": [{"discs": 3, "groups": [5]}, {"discs": 2, "groups": []}],
            },
            "sale": None,
        },
        "marked": [[], [], [], []],
    },
    "auctions": {
        **BASE,
        "kind": "auctions",
        "names": ["Ann", "Bob", "Clementine", "Dan"],
        "target": 60,
        "turns": [{"points": 12}],
        "sales": [{"winner": 1, "bid": 6}],
        "draft": {
            "index": 1,
            "turn": {"dominoes": [{"discs": 3, "groups": []}]},
            "sale": None,
        },
        "marked": [[], [], [], []],
    },
    "announced": {
        **BASE,
        "kind": "announced",
        "names": ["Ann", "Bob", "Clementine", "Dan"],
        "end": "target",
        "target": 60,
        "seconds": 60,
        "isStopped": False,
        "rounds": [
            {
                "announced": [{"player": 0, "points": 12}, {"player": 1, "points": 14}],
                "shown": [False, True],
            }
        ],
        "draft": {
            "index": 1,
            "announced": [{"player": 2, "points": 7}],
            "shown": [],
            "isShowing": False,
        },
    },
    "tokens": {
        **BASE,
        "kind": "tokens",
        "names": ["Ann", "Bob", "Clementine", "Dan"],
        "colours": ["black", "brown", "beige", "orange"],
        "turns": [[{"contacts": 3, "marked": [4]}]],
        "draft": {"index": 1, "turn": [{"contacts": 2, "marked": []}]},
        "isStopped": False,
    },
    "ages": {
        **BASE,
        "kind": "ages",
        "names": ["Anna", "Bob", "Clementine"],
        "ages": [5, 7, 40],
        "agreed": 9,
        "steps": ["one", "two"],
    },
}
"""By kind: one of each."""


def open_pad(page: Page, kind: str, **changes: Any) -> None:
    """Open the page for real tables with such a pad."""
    book = {"pads": [{**PADS[kind], **changes}], "open": BASE["id"]}
    page.goto("/companion/count")
    page.evaluate("(book) => localStorage.setItem('dalapapa.pads', book)", json.dumps(book))
    page.goto("/companion")
    page.locator(".open-pad").wait_for()
