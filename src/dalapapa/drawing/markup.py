"""Text that is safe inside XML."""

from __future__ import annotations

import re
from html import escape

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """`text` for content or a quoted attribute; what XML cannot hold becomes a `?`."""
    return escape(_FORBIDDEN.sub("?", text))
