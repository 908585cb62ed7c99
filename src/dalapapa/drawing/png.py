"""Converts SVG to PNG, for link previews and documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from ..core.errors import BadInput
from ..core.extras import require

MAX_SIDE_PIXELS = 4096

_SIZE = re.compile(r'<svg [^>]*?width="([0-9]+(?:\.[0-9]+)?)" height="([0-9]+(?:\.[0-9]+)?)"')


def to_png(svg: str, scale: float = 1, fonts: Sequence[str] = ()) -> bytes:
    """Convert a picture of this package to PNG, `scale` times its own size in pixels.

    `fonts` are the files of the fonts in its texts: fonts of the machine are not used.

    A picture whose longer side would exceed 4096 pixels is scaled down to 4096, which limits the
    memory for drawing to 64 MB. Raises `MissingExtra` with the code `no_png` if the extra `print`
    is not installed, and `BadInput` with `bad_picture` or `bad_scale` for bad arguments.
    """
    try:
        import resvg_py
    except ModuleNotFoundError:
        require("print", "A PNG picture", "no_png")
        raise
    if not 0 < scale < inf:
        raise BadInput(f"The scale of a picture must be more than 0, not {scale}.", "bad_scale")
    size = _SIZE.match(svg)
    if size is None:
        raise BadInput("This is not a picture that dalapapa drew.", "bad_picture")
    width, height = (float(side) * scale for side in size.groups())
    longer = max(1, round(min(MAX_SIDE_PIXELS, max(width, height))))
    try:
        # The renderer keeps the proportions, so one side is enough.
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
