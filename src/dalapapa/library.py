"""The functions of the public library."""

from __future__ import annotations

import time
from collections.abc import Iterable
from os import PathLike, fspath
from typing import IO, Any, Literal, overload

from . import drawing, record
from .bots import registry
from .bots.bot import TURN_S, MoveBot, Time, check_seconds
from .core.errors import BadInput, BadOptions
from .core.files import write
from .core.notation import Laying, parse_position, shorten
from .core.points import SECOND_DOMINO_CHARGE, Turn
from .core.tiles import TileSet, load
from .games import DEFAULT, find_game
from .games.game import AnyGame, Game
from .kernel import solver
from .kernel.table import Position, Table

Path = str | PathLike[str]

PILE_FRAME = (8, 10)


def load_set(source: Path | int) -> TileSet:
    """A set of dominoes from a JSON or CSV file (`docs/tiles.md`), or by name: 120 or 72."""
    return load(source)


@overload
def best(position: Position, hand: str | Iterable[str], *, charge: int = ...) -> Turn | None: ...


@overload
def best(
    position: Position, hand: str | Iterable[str], top: int, *, charge: int = ...
) -> list[Turn]: ...


def best(
    position: Position,
    hand: str | Iterable[str],
    top: int | None = None,
    *,
    charge: int = SECOND_DOMINO_CHARGE,
) -> Turn | list[Turn] | None:
    """The best classic turn on a table with one or two dominoes, exactly (`Table.best`)."""
    table = position if isinstance(position, Table) else Table(position)
    return table.best(hand, charge=charge) if top is None else table.best(hand, top, charge=charge)


def make_bot(
    name: str, game: str | AnyGame = DEFAULT, seed: str | int = "0", seconds: float = TURN_S
) -> MoveBot[Any]:
    """Make a bot for one seat of one game: random, novice, easy, medium, strong, expert.

    `make_bot("medium").choose(match.view(0))` is its move. The same seed gives the same choices;
    `seconds` is its time for a turn, if it looks ahead.
    """
    if not isinstance(name, str):
        raise BadOptions(f"The name of a bot must be text, not {shorten(name)}.", "unknown_bot")
    rules = game if isinstance(game, Game) else find_game(game)
    return registry.make_bot(name, rules, str(seed), Time(seconds, clocked=False))


def read_record(source: Path | bytes | IO[bytes], *, game: AnyGame | None = None) -> record.Replay:
    """Read a record from a file or its bytes, play it again and verify points, draws and result.

    `for move, events, position in read_record("game.json")` iterates over it; see also
    `moves`, `positions`, `result` and `players`. Raises `BadRecord` if it is wrong. `game` has the
    rules of a game that no package registers. A game that is not over has no seed in its record:
    `Match.resume` reads that.
    """
    return record.replay(record.read_source(source), game)


def solve(
    width: int | None = None,
    height: int | None = None,
    dominoes: Iterable[str] | str | None = None,
    *,
    pile: int | None = None,
    position: Position = (),
    faces: solver.Faces = "both",
    count: int = 1,
    seed: str | int = "0",
    seconds: float | None = None,
    tiles: TileSet | str = "120",
) -> solver.Solved:
    """Fill a frame with dominoes so that every contact is equal, or prove that it cannot be done.

    The dominoes are names, a pile of Arlequin, or all of the set; the solver takes those it needs,
    unless there are just enough. `position` is what already lies in the frame. `solutions` has up
    to `count` of them, each a tuple of layings. `complete` says whether the answer is final: after
    `seconds` it may not be. `exhausted` says whether there are no other solutions. The same seed
    gives the same answer.

    >>> solved = solve(4, 4, seed="tuesday")
    >>> solved.complete, solved.exhausted
    (True, False)
    """
    chosen = tiles if isinstance(tiles, TileSet) else load(tiles)
    if width is None and height is None and pile is not None:
        width, height = PILE_FRAME
    for side in (width, height):
        if type(side) is not int:
            raise BadInput(
                f"The width and height of a frame must be whole numbers, not {side!r}.", "bad_frame"
            )
    assert width is not None
    assert height is not None
    if pile is not None:
        if dominoes is not None:
            raise BadInput("Give the dominoes either by name or as a pile, not both.", "bad_tiles")
        names = list(chosen.pile(pile))
        if not names:
            raise BadInput(f"There is no pile {pile!r} in {chosen}.", "bad_tiles")
    elif dominoes is None:
        names = list(chosen.names)
    else:
        given = dominoes.replace(",", " ").split() if isinstance(dominoes, str) else dominoes
        names = [chosen[name].name for name in given]
    frame = solver.Frame.rectangle(width, height)
    if seconds is not None:
        check_seconds(seconds)
    ends = None if seconds is None else time.monotonic() + seconds
    return solver.solve(
        frame,
        chosen,
        names,
        _layings(position),
        faces=faces,
        count=count,
        seed=str(seed),
        stop=lambda _: ends is not None and time.monotonic() >= ends,
    )


def draw(
    position: Position,
    file: Path | None = None,
    *,
    tiles: TileSet | str | None = None,
    groups: Literal["closed", "all"] | None = None,
    last: int = 0,
    **style: Any,
) -> str:
    """A position as a picture: SVG text, written to a `.svg` or `.png` file if one is named.

    The position is a table, its text, or layings such as a solution. `groups` outlines the closed
    or all groups, `last` so many of the last layings. How it looks (`drawing.Style`): `shape`,
    `palette`, `symbols`, `theme`, `pieces`, `cell`, `names`, `numbers`, `grid`.
    """
    layings = _layings(position)
    if tiles is None:
        tiles = position.tiles if isinstance(position, Table) else "120"
    chosen = tiles if isinstance(tiles, TileSet) else load(tiles)
    unknown = [name for name in style if name not in drawing.Style.__struct_fields__]
    if unknown:
        known = ", ".join(drawing.Style.__struct_fields__)
        raise BadOptions(f"A picture has no option {unknown[0]}; it has {known}.", "unknown_option")
    if groups not in (None, "closed", "all"):
        raise BadOptions(f"groups must be closed or all, not {shorten(groups)}.", "bad_groups")
    found = Table(layings, chosen).groups() if groups else []
    marks = drawing.Marks(
        groups=drawing.mark_sizes(one for one in found if groups == "all" or one.closed),
        last=tuple(layings[-last:] if last else ()),
        clashes=drawing.find_clashes(layings, chosen),
    )
    svg = drawing.draw(layings, chosen, style=drawing.Style(**style), marks=marks)
    if file is not None:
        name = _file(file, ".svg", ".png")
        write(name, drawing.to_png(svg) if name.lower().endswith(".png") else svg.encode())
    return svg


def print_pdf(
    what: str = "set",
    file: Path | None = None,
    *,
    tiles: TileSet | str | None = None,
    **options: Any,
) -> bytes:
    """Something to print, as a PDF: its bytes, written to a file if one is named.

    `what` is box, set, 72, board, scores, extras, booklet, calibration, position, puzzle or
    solution; the options are those of `dalapapa print`, such as `paper="letter"`, `design`,
    `language`, `position` or `frame`. `tiles` is a set of one's own, where one can be printed.
    """
    from . import printing

    name = None if file is None else _file(file, ".pdf")
    if "position" in options:
        options["position"] = " ".join(map(str, _layings(options["position"])))
    chosen = load(tiles) if isinstance(tiles, str) else tiles
    wanted = printing.print_options({"what": what, **options})
    data = printing.to_pdf(printing.make_sheets(wanted, chosen), wanted)
    if name is not None:
        write(name, data)
    return data


def _layings(position: object) -> list[Laying]:
    """The layings of a table, a text, or a list."""
    if isinstance(position, str):
        return parse_position(position)
    if isinstance(position, bytes) or not isinstance(position, Iterable):
        raise BadInput(
            f"A position must be a table, text or layings, not {shorten(position)}.",
            "bad_table",
        )
    return [one if isinstance(one, Laying) else Laying.parse(one) for one in position]


def _file(file: object, *endings: str) -> str:
    """The name of a file to write, which must end as it should."""
    name = fspath(file) if isinstance(file, str | PathLike) else ""
    if not isinstance(name, str) or not name.lower().endswith(endings):
        raise BadInput(
            f"{shorten(file)}: the file name must end with {' or '.join(endings)}.", "bad_output"
        )
    return name
