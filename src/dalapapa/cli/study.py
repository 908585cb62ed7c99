"""Commands about dominoes, positions and frames."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import BadInput
from ..core.interrupts import watch_interrupts
from .completion import DOMINO, DOMINOES, PALETTE, SET, among
from .help import Choice, Whole, command, line_width, say
from .shared import (
    Kind,
    Seconds,
    describe_points,
    format_count,
    json_option,
    leave,
    picture_kind,
    picture_options,
    position_option,
    print_json,
    progress,
    read_table,
    set_option,
    split_names,
    text_or_input,
    write_picture,
)

if TYPE_CHECKING:
    from ..core.figures import FrameFigure
    from ..core.tiles import TileSet


@command()
@set_option
@click.option("--check", "set_to_check", metavar="SET", type=SET,
              help="Instead, check which of the known facts hold for a set.")  # fmt: skip
@json_option
def tiles(set_name: str, set_to_check: str | None, as_json: bool) -> None:
    """List the dominoes of a set, or check a set against the known facts about the author's set."""
    from ..core.tiles import load

    if set_to_check is not None:
        return _print_facts(load(set_to_check), as_json)
    chosen = load(set_name)
    if as_json:
        return print_json(chosen.tiles)
    click.echo(f"{'name':<8}{'figure':<10}{'recto':<9}{'verso':<9}pile")
    for tile in chosen.tiles:
        figure, pile = tile.figure or "-", tile.pile or "-"
        click.echo(f"{tile.name:<8}{figure:<10}{tile.recto:<9}{tile.verso:<9}{pile}")
    return None


def _print_facts(chosen: TileSet, as_json: bool) -> None:
    from ..facts import check_facts

    facts = check_facts(chosen)
    if as_json:
        return print_json(facts)
    verdicts = {True: "holds", False: "does not hold", None: "not known"}
    for fact in facts:
        reason = f" ({fact.reason})" if fact.reason else ""
        say(f"{fact.fact}  {verdicts[fact.holds]:<14} {fact.says}{reason}", 4)
    return None


@command()
@position_option
@click.option("--tile", "name", required=True, metavar="NAME", help="The domino to lay.",
              type=DOMINO)  # fmt: skip
@set_option
@json_option
def legal(position: str, name: str, set_name: str, as_json: bool) -> None:
    """List every legal laying of one domino, with its points in the classic game."""
    scored = read_table(position, set_name).scored(name)
    if as_json:
        return print_json([{"laying": str(at), **earned.to_json()} for at, earned in scored])
    if not scored:
        click.echo(f"{name} cannot be laid.")
    for at, earned in scored:
        say(f"{earned.points:>4}  {at!s:<20} {describe_points(earned.to_json())}")
    return None


@command()
@position_option
@click.option("--hand", multiple=True, required=True, metavar="NAME [NAME]",
              help="One or two dominoes.", type=DOMINOES)  # fmt: skip
@click.argument("second", nargs=-1, metavar="", type=DOMINOES)
@click.option("--top", default=1, show_default=True, metavar="K", type=Whole(1, 1_000_000),
              help="How many turns to show.")  # fmt: skip
@set_option
@json_option
def best(
    position: str, hand: tuple[str, ...], second: tuple[str, ...], top: int, set_name: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Find the best classic turns with one or two dominoes. The search is exact."""
    names = split_names((*hand, *second))
    if not 1 <= len(names) <= 2:
        raise BadInput(f"A hand must have one or two dominoes, not {len(names)}.", "bad_hand")
    table = read_table(position, set_name)
    if top == 1:
        turn = table.best_turn(names)
        turns = [turn] if turn else []
    else:
        turns = table.best_turns(names, top)
    if as_json:
        return print_json([turn.to_json() for turn in turns])
    if not turns:
        click.echo("Nothing can be laid.")
    for turn in turns:
        charge = "  (after paying 4 for the second domino)" if len(turn.layings) == 2 else ""
        say(f"{turn.points:>4}  {' '.join(map(str, turn.layings))}{charge}")
    return None


@command()
@position_option
@set_option
@json_option
def groups(position: str, set_name: str, as_json: bool) -> None:
    """List the groups of discs on the table, open and closed."""
    from ..core.tiles import COLOUR_NAMES

    all_groups = read_table(position, set_name).groups()
    if as_json:
        return print_json([group.to_json() for group in all_groups])
    if not all_groups:
        click.echo("The table is empty.")
    for group in all_groups:
        state = "closed" if group.closed else "open"
        discs = " ".join(f"{x},{y}" for x, y in group.discs)
        say(f"{group.size:>4}  {COLOUR_NAMES[group.colour]:<7}{state:<7}{discs}")
    return None


@command()
@click.option("--pile", metavar="1|2|3", type=Whole(1, 3), help="Use this pile of Arlequin.")
@click.option("--tiles", "names", metavar="NAME,...", help="Use these dominoes.",
              type=DOMINOES)  # fmt: skip
@click.option("--frame", "shape", metavar="WxH|FIGURE",
              help="Width and height of the frame in cells, or its figure: cross, staircase, ring,"
              " heart, or rows such as .xx./xxxx/.xx.; 8x10 for a whole pile.")  # fmt: skip
@click.option("--position", default="", metavar="P",
              help="The layings already in the frame, or - for standard input.")  # fmt: skip
@click.option("--faces", default="both", show_default=True, type=Choice(["both", "recto"]),
              help="Which faces may be up.")  # fmt: skip
@click.option("--count", default=1, show_default=True, metavar="N",
              type=Whole(1, 100_000), help="How many solutions to look for.")  # fmt: skip
@click.option("--seed", default="0", show_default=True, metavar="S",
              help="The same seed gives the same solutions.")  # fmt: skip
@click.option("--seconds", metavar="LIMIT", type=Seconds(0, 1e9),
              help="Give up after this time.")  # fmt: skip
@set_option
@json_option
def solve(
    pile: int | None, names: str | None, shape: str | None, position: str, faces: Any, count: int,
    seed: str, seconds: float | None, set_name: str, as_json: bool,
) -> None:  # fmt: skip
    """Fill a frame with dominoes so that every contact matches, or prove that it is impossible.

    The cells of the frame begin at 0,0; any colour may touch its border. Ctrl+C
    stops the search and shows what it has found.
    """
    import textwrap
    import time

    from ..core.notation import parse_position
    from ..core.tiles import load
    from ..games.plain import to_plain
    from ..kernel import solver

    if not seed.isprintable():
        raise BadInput("The seed must be printable text.", "bad_seed")
    chosen = load(set_name)
    stock = _stock(chosen, pile, names)
    frame = solver.Frame(_read_frame(shape, pile is not None and len(stock) == 40))
    laid = parse_position(text_or_input(position))
    started = time.perf_counter()
    with progress("solve", None) as show, watch_interrupts() as request:

        def stop(nodes: int) -> bool:
            show(nodes)
            late = seconds is not None and time.perf_counter() - started >= seconds
            return late or request.stop

        found = solver.solve(
            frame, chosen, stock, laid, faces=faces, count=count, seed=seed, stop=stop
        )
    spent = time.perf_counter() - started
    if as_json:
        print_json({**to_plain(found), "seconds": round(spent, 6)})
    else:
        for layout in found.solutions:
            text = " ".join(map(str, layout))
            width = min(78, line_width() or 78)
            click.echo(textwrap.fill(text, width, break_on_hyphens=False) + "\n")
        say(_describe_outcome(len(found.solutions), count, found.complete, found.nodes, spent))
    if request.stop:
        leave("Interrupted.")


def _stock(chosen: TileSet, pile: int | None, names: str | None) -> list[str]:
    """List the dominoes to fill a frame with: those of a pile, or the given names."""
    if (pile is None) == (names is None):
        raise BadInput("Give the dominoes with either --pile or --tiles.", "bad_tiles")
    if pile is not None:
        stock = list(chosen.pile(pile))
        if not stock:
            raise BadInput(
                f"There is no pile {pile} in {chosen}: name the dominoes with --tiles.", "bad_tiles"
            )
        return stock
    stock = [chosen[name].name for name in split_names([names or ""])]
    if not stock:
        raise BadInput("--tiles must name at least one domino.", "bad_tiles")
    for name, times in Counter(stock).items():
        if times > 1:
            raise BadInput(
                f"--tiles must name each domino once; it names {name} {times} times.", "bad_tiles"
            )
    return stock


def _read_frame(shape: str | None, whole_pile: bool) -> FrameFigure:
    """Read a frame: its width and height as WxH, or another figure."""
    from ..core.figures import read_figure
    from ..core.notation import shorten
    from ..kernel.solver import MAX_CELLS

    if shape is None:
        if not whole_pile:
            raise BadInput("Give the frame with --frame WxH, like 8x10.", "bad_frame")
        shape = "8x10"
    size = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", shape)
    if size is not None and not 1 <= int(size[1]) * int(size[2]) <= MAX_CELLS:
        raise BadInput(
            f"A frame must have 1 to {MAX_CELLS} cells, unlike {int(size[1])} x {int(size[2])}.",
            "bad_frame",
        )
    try:
        figure = read_figure(shape)
    except BadInput as error:
        if re.search(r"[0-9]", shape):
            text = f"A frame must look like 8x10, not {shorten(shape)}."
            raise BadInput(text, "bad_frame") from None
        raise BadInput(str(error), "bad_frame") from None
    if len(figure) % 2:
        name = f"{size[1]} x {size[2]}" if size else shorten(shape)
        raise BadInput(
            f"A frame of {name} has an odd number of cells: make it even,"
            " because a domino covers two.",
            "bad_frame",
        )
    return figure


def _describe_outcome(many: int, count: int, complete: bool, nodes: int, seconds: float) -> str:
    """Describe the result of a search in a sentence."""
    if complete and not many:
        return "There is no solution."
    solutions = format_count(many, "solution") if many else "No solutions"
    if not complete:
        sentence = f"{solutions} found, but the search did not finish"
    elif many < count:
        sentence = f"There {'is' if many == 1 else 'are'} only {solutions}"
    else:
        sentence = f"{solutions} found"
    return f"{sentence} ({nodes} partial layouts in {seconds:.3f} s)."


@command()
@position_option
@picture_options(required=True)
@click.option("--shape", default="rounds", show_default=True, metavar="SHAPE",
              help="The shape of the discs: rounds, squares or octagons.",
              type=among("rounds", "squares", "octagons"))  # fmt: skip
@click.option("--palette", default="classic", show_default=True, metavar="PALETTE", type=PALETTE,
              help="The colours: classic, original, red-green, blue-yellow or grey.")  # fmt: skip
@click.option("--symbols", is_flag=True, help="Draw a symbol for each colour.")
@click.option("--theme", default="light", show_default=True, metavar="THEME",
              help="The table: light or dark.", type=among("light", "dark"))  # fmt: skip
@click.option("--pieces", default="black", show_default=True, metavar="COLOUR",
              help="The dominoes: black or white.", type=among("black", "white"))  # fmt: skip
@click.option("--cell", default=48, show_default=True, metavar="PIXELS", type=Whole(),
              help="The size of a cell, 4 to 400 pixels.")  # fmt: skip
@click.option("--names", is_flag=True, help="Write the name of each domino on it.")
@click.option("--numbers", is_flag=True, help="Number the layings.")
@click.option("--grid", is_flag=True, help="Draw the cells and their coordinates.")
@click.option("--groups", "show_groups", type=Choice(["closed", "all"]),
              help="Outline the groups and write their sizes.")  # fmt: skip
@click.option("--last", default=0, metavar="N", type=Whole(0, 2),
              help="Outline the last N layings, at most 2.")  # fmt: skip
@click.option("--ghost", multiple=True, metavar="LAYING",
              help="Show a possible laying, and where it clashes.")  # fmt: skip
@set_option
@json_option
def draw(
    position: str, output: str, kind: Kind | None, show_groups: str | None, last: int,
    ghost: tuple[str, ...], set_name: str, as_json: bool, **style: Any,
) -> None:  # fmt: skip
    """Draw a position as an SVG or PNG picture."""
    from .. import drawing
    from ..core.notation import Laying

    kind = picture_kind(output, kind, as_json)
    table = read_table(position, set_name)
    ghosts = tuple(Laying.parse(text) for text in ghost)
    found = table.groups() if show_groups else []
    marks = drawing.Marks(
        groups=drawing.mark_sizes(one for one in found if show_groups == "all" or one.closed),
        last=table.layings[len(table) - min(last, len(table)) :],
        ghosts=ghosts,
        clashes=drawing.find_clashes((*table.layings, *ghosts), table.tiles),
    )
    svg = drawing.draw(table.layings, table.tiles, style=drawing.Style(**style), marks=marks)
    write_picture(output, kind, svg, len(table), as_json)
