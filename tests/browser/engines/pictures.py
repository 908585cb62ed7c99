"""How alike two pictures of the same page are, whatever each engine does to letters and edges."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

TILES = (64, 40)
"""A tile is as large as two letters: what is inside may differ, its colour on the whole not."""

NEAR = 40
"""Out of 255, in any of the three colours of a tile."""


def unlike(one: bytes, other: bytes) -> float:
    """The share of tiles that have another colour."""
    return float((np.abs(_tiles(one) - _tiles(other)).max(axis=2) > NEAR).mean())


def _tiles(picture: bytes) -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    seen = Image.open(io.BytesIO(picture)).convert("RGB")
    return np.asarray(seen.resize(TILES, Image.Resampling.BOX)).astype(np.int64)
