"""Write web/src/data.json: dominoes, outlines, palettes and games, for the browser client.

python scripts/write_web_data.py

What only some pages need is in files of its own (`FILES`), so that a table loads none of it.

So that pictures of the server and of the client are the same, and no list is kept twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.bots import NICKNAMES
from dalapapa.bots.ladder import list_wins_against_anchor
from dalapapa.core.tiles import COLOURS, standard
from dalapapa.drawing.domino import DominoPart, parts
from dalapapa.drawing.outlines import Outline
from dalapapa.drawing.palettes import PALETTES, PIECES, THEMES, ink
from dalapapa.drawing.shapes import SHAPES, SYMBOLS
from dalapapa.games import REGISTRY
from dalapapa.printing import catalogue as print_catalogue
from dalapapa.printing.pages.board import spiral
from dalapapa.problems.frames import FRAME_SIZES
from dalapapa.problems.request import WEEK
from dalapapa.problems.seeded import VERSION
from dalapapa.server.http.menu import GameEntry, describe_own_game

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "web" / "src"


def data() -> dict[str, Any]:
    """Everything that the client knows before it asks."""
    return {
        "tiles": [
            {"name": tile.name, "recto": tile.recto, "verso": tile.verso, "pile": tile.pile}
            for tile in standard().tiles
        ],
        "shapes": {name: _shape(name) for name in SHAPES},
        "symbols": {colour: _outline(SYMBOLS[colour].place(0, 0, 10)) for colour in COLOURS},
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
        "games": [_without_descriptions(describe_own_game(game)) for game in REGISTRY.values()],
        "cast": NICKNAMES,
        "track": spiral(),
        "problems": {"version": VERSION, "week": WEEK, "sizes": FRAME_SIZES},
    }


def _without_descriptions(game: GameEntry) -> Any:
    """A game as plain data. The client has texts of its own for the options."""
    entry = msgspec.to_builtins(game)
    for option in entry["options"]:
        del option["description"]
    return entry


def ladder() -> dict[str, Any]:
    """How strong the levels are in each game (`docs/ladder.md`); `wins` are against the anchor."""
    figures = json.loads((ROOT / "docs" / "ladder.json").read_text())
    return {
        game: {
            **{name: ladder[name] for name in ("games", "seconds", "anchor")},
            "levels": {
                program["name"]: {
                    "elo": round(program["elo"]),
                    "wins": list_wins_against_anchor(ladder).get(program["name"]),
                }
                for program in ladder["programs"]
            },
        }
        for game, ladder in figures.items()
    }


def targets() -> dict[str, Any]:
    """Which targets bots reach (`scripts/write_targets.py`), by game, set and number of players.

    Each row has the best score of all games, and then the targets that at least 1, 2, ... 10 of 10
    games reach.
    """
    figures = json.loads((ROOT / "docs" / "targets.json").read_text())
    return {
        "games": figures["games"],
        "reached": {
            game: {
                tiles: {players: _share_reached(best) for players, best in rows.items()}
                for tiles, rows in sets.items()
            }
            for game, sets in figures["best"].items()
        },
    }


def _share_reached(best: list[int]) -> list[int]:
    falling = sorted(best, reverse=True)
    return [falling[0], *(falling[ceil(len(best) * tenths / 10) - 1] for tenths in range(1, 11))]


def _shape(name: str) -> dict[str, Any]:
    """The parts of a face lying flat: `face[i]` is the colour of `parts[i]` (C W NW NE E SE SW).

    A link joins two parts of one colour: `[part, part, outline]`.
    """
    every = parts(name)
    return {
        "parts": [_part(part) for part in every if part.kind != "link"],
        "links": [[*part.letters, _part(part)] for part in every if part.kind == "link"],
        "corner": SHAPES[name].corner,
    }


def _part(part: DominoPart) -> list[Any]:
    return _outline(part.outline.place(part.x, part.y, quarter=part.quarter))


def _outline(outline: Outline) -> list[Any]:
    """Commands, each a letter and its numbers; whole numbers without a point."""
    return [
        [letter, *(int(value) if value == int(value) else value for value in values)]
        for letter, values in outline.commands
    ]


FILES: dict[Path, Callable[[], Any]] = {
    SOURCES / "data.json": data,
    SOURCES / "lobby" / "ladder.json": ladder,
    SOURCES / "lobby" / "targets.json": targets,
    SOURCES / "state" / "prints.json": lambda: msgspec.to_builtins(print_catalogue()),
}
"""The files, and what is in each."""


def text(path: Path) -> str:
    """The whole content of a file."""
    return json.dumps(FILES[path](), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for path in FILES:
        path.write_text(text(path))
