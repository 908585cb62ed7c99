"""Find the fronts of the printed sheets: one solved 8 x 10 rectangle for each pile of Arlequin.

    python scripts/find_layouts.py

The answer is the same on every machine. It is kept in src/dalapapa/printing/pages/layouts.json, and
a test checks it.
"""

from __future__ import annotations

import json
from pathlib import Path

from dalapapa.core.tiles import standard
from dalapapa.kernel import solver
from dalapapa.printing.pages.dominoes import FRAME

FILE = Path(__file__).parents[1] / "src" / "dalapapa" / "printing" / "pages" / "layouts.json"


def find() -> str:
    """The text of the file."""
    tiles = standard()
    layouts = {}
    for pile in (1, 2, 3):
        names = [tile.name for tile in tiles.tiles if tile.pile == pile]
        # The rectos only: the back of the sheet then shows the versos, as the author's sheets do.
        found = solver.solve(solver.Frame.rectangle(*FRAME), tiles, names, faces="recto")
        layouts[pile] = " ".join(map(str, found.solutions[0]))
    return json.dumps(layouts, indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(find())
