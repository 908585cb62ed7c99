"""What a screen shows, and how alike two pictures of the same page are, from any engine."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

TILES = (64, 40)
"""A tile is as large as two letters: what is inside may differ, its colour on the whole not."""

NEAR = 40
"""Out of 255, in any of the three colours of a tile."""


def unlike(one: bytes, other: bytes) -> float:
    """The share of tiles whose colour is not there in the other picture, nor right beside it.

    Letters are wider in one engine and lines higher in another, and what follows is moved by that.
    """
    first, second = _tiles(one), _tiles(other)
    return max(_missing(first, second), _missing(second, first))


def _missing(these: Pixels, those: Pixels) -> float:
    rows, columns, _ = these.shape
    around = np.pad(those, ((1, 1), (1, 1), (0, 0)), mode="edge")
    far = [
        np.abs(these - around[y : y + rows, x : x + columns]).max(axis=2)
        for y in range(3)
        for x in range(3)
    ]
    return float((np.min(far, axis=0) > NEAR).mean())


def _tiles(picture: bytes) -> Pixels:
    seen = Image.open(io.BytesIO(picture)).convert("RGB")
    return np.asarray(seen.resize(TILES, Image.Resampling.BOX)).astype(np.int64)


def on_screen(file: Path, left: int, top: int, width: int, height: int) -> bytes:
    """A part of what Xvfb shows, which it keeps in a file (XWD) if it is asked to."""
    data = file.read_bytes()
    head = np.frombuffer(data, ">u4", 25)
    begin, rows, line = int(head[0] + 12 * head[19]), int(head[5]), int(head[12])
    pixels = np.frombuffer(data, np.uint8, rows * line, begin).reshape(rows, line // 4, 4)
    part = pixels[top : top + height, left : left + width, 2::-1]  # Blue, green, red, nothing.
    made = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(part)).save(made, "png")
    return made.getvalue()
