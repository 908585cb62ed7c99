"""Write docs/games.md: all games and their options, from where the rules declare them.

python scripts/write_games.py
"""

from __future__ import annotations

import json
from pathlib import Path

from dalapapa.games import list_entries

PAGE = Path(__file__).parents[1] / "docs" / "games.md"

HEAD = """# Games and options

This page is for programmers and hosts who set options of a game. It lists the options of each
game, generated from the code; `dalapapa games` prints the same.

Set an option with `dalapapa simulate --option NAME=VALUE`, in Python with
`Match(game, options={NAME: VALUE})`, or in `options` of a
[new table](http-api.md#settings-of-a-new-table). Values are JSON.
[The exact rules](rules.md) explain the games.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for entry in list_entries():
        least, most = entry.players
        parts.append(f"## {entry.name}\n\n{least} to {most} players.\n")
        parts.append("| option | what | allowed | default |\n| --- | --- | --- | --- |")
        parts += [
            f"| `{option.name}` | {option.description} | {option.allowed}"
            f" | `{json.dumps(option.default)}` |"
            for option in entry.options
        ]
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
