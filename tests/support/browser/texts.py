"""The client's own texts, so that tests look for what people read, in any language."""

from __future__ import annotations

import json
import re
from functools import cache

from tests.support.paths import ROOT

SOURCES = ROOT / "web" / "src"
LANGUAGES = ("en", "fr", "de", "nl", "es", "it")


@cache
def texts(language: str) -> dict[str, str | dict[str, str]]:
    files = [
        *SOURCES.glob(f"texts/*/{language}.json"),
        *SOURCES.glob(f"games/*/texts/{language}.json"),
    ]
    return {name: text for path in files for name, text in json.loads(path.read_text()).items()}


def t(name: str, language: str = "en", /, **values: object) -> str:
    """A text as the page shows it; of plural forms the most general one."""
    text = texts(language)[name]
    text = text if isinstance(text, str) else text["other"]
    return re.sub(r"\{(\w+)\}", lambda match: str(values.get(match[1], match[0])), text)
