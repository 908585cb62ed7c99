"""From SVG to PNG, for link previews and documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from ..core.errors import BadInput
from ..core.extras import require

LARGEST_SIDE = 4096
"""Pixels of a bitmap's longer side, at most."""

_SIZE = re.compile(r'<svg [^>]*?width="([0-9]+(?:\.[0-9]+)?)" height="([0-9]+(?:\.[0-9]+)?)"')


def to_png(svg: str, scale: float = 1, fonts: Sequence[str] = ()) -> bytes:
    """PNG of a picture that this package drew, `scale` times its own size in pixels.

    `fonts` are the files of those that its texts name: no font of the machine is used.

    A picture whose longer side would have more than 4096 pixels is made smaller, with its
    proportions kept, so that it has 4096: at most 64 MB while drawing, however large the
    table is. Raises `MissingExtra` with the code `no_png` where the extra `print` is not
    installed, and `BadInput` with `bad_picture` or `bad_scale` for what cannot be drawn.
    """
    try:
        import resvg_py
    except ModuleNotFoundError:
        require("print", "A PNG picture", "no_png")
        raise
    if not 0 < scale < inf:
        raise BadInput(f"The scale of a picture is more than 0, not {scale}.", "bad_scale")
    found = _SIZE.match(svg)
    if found is None:
        raise BadInput("This is not a picture that dalapapa drew.", "bad_picture")
    width, height = (float(side) * scale for side in found.groups())
    longer = max(1, round(min(LARGEST_SIDE, max(width, height))))
    try:
        # The renderer keeps the proportions: one side says all.
        png = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=longer if width >= height else None,
            height=longer if width < height else None,
            skip_system_fonts=True,
            font_files=list(fonts),
        )
    except ValueError as error:
        raise BadInput(f"The picture cannot be drawn: {error}.", "bad_picture") from None
    return bytes(png)
