"""Write web/src/data.json: dominoes, outlines, palettes and games, for the browser client.

python scripts/write_web_data.py

So that pictures of the server and of the client are the same, and no list is kept twice.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.bots import LEVELS
from dalapapa.bots.ladder import against_anchor
from dalapapa.drawing.palettes import PALETTES, PIECES, THEMES, ink
from dalapapa.drawing.paths import HALF, UNIT, place
from dalapapa.drawing.shapes import SHAPES, Shape
from dalapapa.drawing.symbols import symbol
from dalapapa.games import catalogue
from dalapapa.geometry import SLOT_SIDES, edge
from dalapapa.printing import catalogue as print_catalogue
from dalapapa.printing.board import spiral
from dalapapa.problems.frames import SIZES
from dalapapa.problems.request import WEEK
from dalapapa.problems.seeded import VERSION
from dalapapa.tiles import COLOURS, standard

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "web" / "src" / "data.json"


def data() -> dict[str, Any]:
    """Everything that the client knows before it asks."""
    return {
        "tiles": [
            {"name": tile.name, "recto": tile.recto, "verso": tile.verso, "pile": tile.pile}
            for tile in standard().tiles
        ],
        "shapes": {name: _shape(shape) for name, shape in SHAPES.items()},
        "symbols": {colour: symbol(colour, 0, 0, 10) for colour in COLOURS},
        "palettes": {
            name: {
                "paints": palette.paints,
                "inks": {colour: ink(paint) for colour, paint in palette.paints.items()},
                "needs_symbols": palette.needs_symbols,
            }
            for name, palette in PALETTES.items()
        },
        "pieces": msgspec.to_builtins(PIECES),
        "themes": msgspec.to_builtins(THEMES),
        "games": msgspec.to_builtins(catalogue()),
        "levels": list(LEVELS),
        "ladder": _ladder(),
        "print": msgspec.to_builtins(print_catalogue()),
        "track": spiral(),
        "problems": {"version": VERSION, "week": WEEK, "sizes": SIZES},
    }


def _ladder() -> dict[str, Any]:
    """How strong the levels are in each game (`docs/ladder.md`); `wins` are against the anchor."""
    figures = json.loads((ROOT / "docs" / "ladder.json").read_text())
    return {
        game: {
            **{name: told[name] for name in ("games", "seconds", "anchor")},
            "levels": {
                program["name"]: {
                    "elo": round(program["elo"]),
                    "wins": against_anchor(told).get(program["name"]),
                }
                for program in told["programs"]
            },
        }
        for game, told in figures.items()
    }


def _shape(shape: Shape) -> dict[str, Any]:
    """The parts of a face lying flat: `face[i]` is the colour of `parts[i]` (C W NW NE E SE SW).

    A link joins two parts of one colour: `[part, part, path]`.
    """
    parts = [place(shape.disc, UNIT, HALF)]
    slots = {(0, 1): 0, (1, 3): 0}  # The side of a cell, and the part that lies there.
    for slot, (half, direction) in enumerate(SLOT_SIDES):
        x, y = edge(half, 0, direction)
        parts.append(place(shape.half, x * HALF, y * HALF, quarter=direction))
        slots[half, direction] = 1 + slot
    links = []
    for cell in (0, 1):
        for direction in range(4):
            path = place(shape.link, cell * UNIT + HALF, HALF, quarter=direction)
            links.append([slots[cell, direction], slots[cell, (direction + 1) % 4], path])
    return {"parts": parts, "links": links, "corner": shape.corner}


def text() -> str:
    """The whole file."""
    return json.dumps(data(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text())
