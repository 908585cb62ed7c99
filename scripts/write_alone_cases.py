"""Write web/test/alone.json: what Python says where the client answers itself, without a server.

python scripts/write_alone_cases.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.core.errors import DalapapaError
from dalapapa.core.notation import print_position
from dalapapa.core.tiles import standard
from dalapapa.games import find_game
from dalapapa.games.bag import fill_bag
from dalapapa.games.game import AnyGame
from dalapapa.games.moves import GiveUp, Lay, Take, move_from_json, move_to_json
from dalapapa.games.plain import to_plain
from dalapapa.hosting.questions import find_closed_groups, judge_attempt, score_laying
from dalapapa.kernel.solver import Frame, solve
from dalapapa.kernel.table import Table
from dalapapa.problems import TurnProblem, make_problem, make_request, problem_to_json

PAGE = Path(__file__).parents[1] / "web" / "test" / "alone.json"

RACES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("puzzle", {}),
    ("puzzle", {"width": 6, "height": 3, "set": "72"}),
    ("arlequin", {"piles": [2]}),
)
MOVES = 160
SEEDS = ("2026-11-16", "2026-11-21", "2026-11-22")
"""An easy day, and two hard ones."""


def make_legal_cases() -> list[dict[str, Any]]:
    """Positions with a hand, and everything that may be laid, in parts."""
    return [_legal(length, random.Random(length)) for length in (1, 9, 33)]


def _legal(length: int, rng: random.Random) -> dict[str, Any]:
    names = list(standard().names)
    rng.shuffle(names)
    table = Table(standard())
    while len(table) < length:
        if found := table.legal(names.pop()):
            table.lay(rng.choice(found))
    listed = []
    for laying in table.legal(names[-1]):
        after = table.copy()
        earned = after.lay(laying)
        scored = score_laying(laying, earned, find_closed_groups(after, laying))
        listed.append(msgspec.to_builtins(scored))
    return {"position": print_position(table.layings), "tile": names[-1], "legal": listed}


def make_problem_cases() -> list[dict[str, Any]]:
    """Problems with attempts, and how good these are."""
    return [_make_problem_case(kind, seed) for kind in ("turn", "frame") for seed in SEEDS]


def _make_problem_case(kind: str, date: str) -> dict[str, Any]:
    wanted = make_request(kind, date=date)
    problem, rng = make_problem(wanted), random.Random(date)
    listed = problem_to_json(wanted, solution=True)
    if isinstance(problem, TurnProblem):
        tries = [list(problem.solution.layings), list(problem.solution.layings)[::-1]]
        first, second = (problem.table.legal(name) for name in problem.hand)
        tries += [[rng.choice(first)] for _ in range(4)]
        tries += [[rng.choice(first), rng.choice(second)] for _ in range(8)]
    else:
        given = set(problem.position)
        rest = [laying for laying in problem.solution if laying not in given]
        tries = [rest, rest[:-1], [*rest[:-1], rest[0]]]
    texts = [[str(laying) for laying in one] for one in tries]
    return {"problem": listed, "tries": [[one, _answer(wanted, one)] for one in texts]}


def _answer(wanted: Any, texts: list[str]) -> Any:
    try:
        return msgspec.to_builtins(judge_attempt(wanted, tuple(texts)))
    except DalapapaError as error:
        return error.code


def make_race_cases() -> list[dict[str, Any]]:
    """Races of one player, with moves that are legal and others: one to the end, one given up."""
    return [_race(name, options, full) for name, options in RACES for full in (True, False)]


def _race(name: str, given: dict[str, Any], full: bool) -> dict[str, Any]:
    game, rng = find_game(name), random.Random(f"{name} {given} {full}")
    options = game.parse_options(given)
    state = game.start(1, options, fill_bag(game.tiles(options).names, "0")).state
    begun = to_plain(game.view(state, 0))
    listed: list[Any] = []

    def make_move(data: dict[str, Any]) -> None:
        nonlocal state
        try:
            step = game.apply(state, move_from_json(data))
        except DalapapaError as error:
            listed.append([data, error.code])
        else:
            state = step.state
            listed.append([data, to_plain(step.events)])

    for _ in range(MOVES):
        make_move(_any_move(game, game.view(state, 0), rng))
    if full:
        for data in _to_the_end(game, game.view(state, 0)):
            make_move(data)
    else:
        make_move({"player": 0, "move": "give_up"})
    make_move({"player": 0, "move": "give_up"})
    return {"game": name, "begun": begun, "moves": listed, "view": to_plain(game.view(state, 0))}


def _any_move(game: Any, view: Any, rng: random.Random) -> dict[str, Any]:
    """Now and then a wrong one."""
    names, chance = game.tiles(view.options).names, rng.random()
    tile = rng.choice(names)
    if chance < 0.25:
        kind = rng.choice(["take", "take_out", "put_back", "lay", "end"])
        laying = f"{tile}+{rng.randrange(4)}@{rng.randint(-1, 10)},{rng.randint(-1, 10)}"
        fields = {"take": {"tile": tile}, "take_out": {"tile": tile}, "lay": {"laying": laying}}
        return {"player": 0, "move": kind, **fields.get(kind, {})}
    if chance < 0.35 and getattr(view, "held", [None])[0]:
        laying = f"{view.held[0]}-{rng.randrange(4)}@{rng.randint(-1, 5)},{rng.randint(-1, 5)}"
        return {"player": 0, "move": "lay", "laying": laying}
    legal = [move for move in view.legal if not isinstance(move, GiveUp)]
    if chance < 0.9:  # Those that add to the frame, where there are some.
        legal = [move for move in legal if isinstance(move, Lay | Take)] or legal
    if len(view.frame) >= game.dominoes(view.options) - 2:
        legal = [move for move in legal if not isinstance(move, Lay)] or legal
    return move_to_json(rng.choice(legal))


def _to_the_end(game: AnyGame, view: Any) -> list[dict[str, Any]]:
    """Empty the frame, and fill it."""
    held = getattr(view, "held", [None])[0]
    moves: list[tuple[str, dict[str, str]]] = [("put_back", {})] if held else []
    for laying in view.frame:
        moves.append(("take_out", {"tile": laying.tile}))
        if hasattr(view, "held"):
            moves.append(("put_back", {}))
    piles = getattr(view, "piles", None)
    tiles = game.tiles(view.options)
    stock = tiles.pile(piles[0]) if piles else tiles.names
    size = (8, 10) if piles else (view.options.width, view.options.height)
    for laying in solve(Frame.rectangle(*size), tiles, stock).solutions[0]:
        if not piles:
            moves.append(("take", {"tile": laying.tile}))
        moves.append(("lay", {"laying": str(laying)}))
    return [{"player": 0, "move": kind, **fields} for kind, fields in moves]


def text() -> str:
    """The whole file."""
    parts = {
        "legal": make_legal_cases(),
        "judged": make_problem_cases(),
        "races": make_race_cases(),
    }
    rows = {name: ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
            for name, rows in parts.items()}  # fmt: skip
    return "{" + ",\n".join(f'"{name}":[\n{row}\n]' for name, row in rows.items()) + "}\n"


if __name__ == "__main__":
    PAGE.write_text(text())
