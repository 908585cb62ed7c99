"""Write docs/games.md: all games and their options, from where the rules declare them.

python scripts/write_games.py
"""

from __future__ import annotations

import json
from pathlib import Path

from dalapapa.games import catalogue

PAGE = Path(__file__).parents[1] / "docs" / "games.md"

HEAD = """# Games and options

Made from the code by `make docs`; the same as `dalapapa games`. Set an option with
`dalapapa simulate --option NAME=VALUE`; values are JSON. What the games are about is in
[rules.md](rules.md).
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for entry in catalogue():
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
