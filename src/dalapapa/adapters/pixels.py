"""A picture of the table as an array of pixels."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..drawing import draw, to_png
from ..kernel.table import Table

SIDE = 512
"""Pixels of a frame, always as many: films need that."""


def picture(table: Table) -> NDArray[np.uint8]:
    """The layout in the middle of a square, as large as it can be."""
    with Image.open(BytesIO(to_png(draw(table.layings, table.tiles)))) as image:
        drawn = image.convert("RGB")
    drawn.thumbnail((SIDE, SIDE))
    frame = Image.new("RGB", (SIDE, SIDE), drawn.getpixel((0, 0)))  # The cloth.
    frame.paste(drawn, ((SIDE - drawn.width) // 2, (SIDE - drawn.height) // 2))
    return np.array(frame)
