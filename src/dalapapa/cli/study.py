"""Dominoes, positions and frames: what may be laid, what it earns, how it looks."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ..interrupts import stopping
from .shared import (
    Seconds,
    in_words,
    json_option,
    leave,
    names_in,
    position_option,
    print_json,
    progress,
    read_table,
    set_option,
    text_or_input,
)

if TYPE_CHECKING:
    from ..tiles import TileSet


@click.command()
@set_option
@click.option(
    "--check", "checked", metavar="SET", help="Say which of the known facts hold for a set."
)
@json_option
def tiles(set_name: str, checked: str | None, as_json: bool) -> None:
    """List the dominoes of a set, or check one against what is known of the author's."""
    import msgspec

    from ..tiles import load

    if checked is not None:
        return _print_facts(load(checked), as_json)
    chosen = load(set_name)
    if as_json:
        return print_json(msgspec.to_builtins(chosen.tiles))
    click.echo(f"{'name':<8}{'figure':<10}{'recto':<9}{'verso':<9}pile")
    for tile in chosen.tiles:
        figure, pile = tile.figure or "-", tile.pile or "-"
        click.echo(f"{tile.name:<8}{figure:<10}{tile.recto:<9}{tile.verso:<9}{pile}")
    return None


def _print_facts(chosen: TileSet, as_json: bool) -> None:
    import msgspec

    from ..facts import check_facts

    facts = check_facts(chosen)
    if as_json:
        return print_json(msgspec.to_builtins(facts))
    verdicts = {True: "holds", False: "does not hold", None: "not known"}
    for one in facts:
        reason = f" ({one.reason})" if one.reason else ""
        click.echo(f"{one.fact}  {verdicts[one.holds]:<14} {one.says}{reason}")
    return None


@click.command()
@position_option
@click.option("--tile", "name", required=True, metavar="NAME", help="The domino to lay.")
@set_option
@json_option
def legal(position: str, name: str, set_name: str, as_json: bool) -> None:
    """Every legal laying of one domino, with its classic points."""
    found = read_table(position, set_name).scored(name)
    if as_json:
        return print_json([{"laying": str(at), **earned.to_json()} for at, earned in found])
    if not found:
        click.echo(f"{name} cannot be laid.")
    for at, earned in found:
        click.echo(f"{earned.points:>4}  {at!s:<20} {in_words(earned.to_json())}")
    return None


@click.command()
@position_option
@click.option("--hand", multiple=True, required=True, metavar="NAME [NAME]",
              help="One or two dominoes.")  # fmt: skip
@click.argument("second", nargs=-1, metavar="")
@click.option("--top", default=1, show_default=True, type=click.IntRange(1, 1_000_000),
              help="How many turns to show.")  # fmt: skip
@set_option
@json_option
def best(
    position: str, hand: tuple[str, ...], second: tuple[str, ...], top: int, set_name: str,
    as_json: bool,
) -> None:  # fmt: skip
    """The best classic turns with one or two dominoes, exactly."""
    names = names_in((*hand, *second))
    if not 1 <= len(names) <= 2:
        raise BadInput(f"A hand is one or two dominoes, not {len(names)}.", "bad_hand")
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
        charge = "  (4 for the second domino are paid)" if len(turn.layings) == 2 else ""
        click.echo(f"{turn.points:>4}  {' '.join(map(str, turn.layings))}{charge}")
    return None


@click.command()
@position_option
@set_option
@json_option
def groups(position: str, set_name: str, as_json: bool) -> None:
    """The groups of discs on the table, open and closed."""
    from ..tiles import COLOUR_NAMES

    found = read_table(position, set_name).groups()
    if as_json:
        return print_json([group.to_json() for group in found])
    if not found:
        click.echo("The table is empty.")
    for group in found:
        state = "closed" if group.closed else "open"
        discs = " ".join(f"{x},{y}" for x, y in group.discs)
        click.echo(f"{group.size:>4}  {COLOUR_NAMES[group.colour]:<7}{state:<7}{discs}")
    return None


@click.command()
@click.option("--pile", type=click.IntRange(1, 3), help="The dominoes of a pile of Arlequin.")
@click.option("--tiles", "names", metavar="NAME,...", help="The dominoes, by name.")
@click.option("--frame", "size", metavar="WxH",
              help="Cells of the frame; 8x10 for a pile of 40.")  # fmt: skip
@click.option("--position", default="", metavar="P",
              help="What lies in the frame already, or - for standard input.")  # fmt: skip
@click.option("--faces", default="both", show_default=True, type=click.Choice(["both", "recto"]),
              help="Which faces may be shown.")  # fmt: skip
@click.option("--count", default=1, show_default=True, metavar="N",
              type=click.IntRange(1, 100_000), help="How many solutions to find.")  # fmt: skip
@click.option("--seed", default="0", show_default=True, metavar="S",
              help="The same seed gives the same solutions.")  # fmt: skip
@click.option("--seconds", metavar="LIMIT", type=Seconds(0, 1e9),
              help="Give up after this time.")  # fmt: skip
@set_option
@json_option
def solve(
    pile: int | None, names: str | None, size: str | None, position: str, faces: Any, count: int,
    seed: str, seconds: float | None, set_name: str, as_json: bool,
) -> None:  # fmt: skip
    """Fill a frame with dominoes, every contact equal, or prove that it cannot be done.

    The cells of the frame are x 0 to W-1, y 0 to H-1; its border is free.
    """
    import textwrap
    import time

    from ..games.plain import plain
    from ..kernel import solver
    from ..notation import parse_position
    from ..tiles import load

    if not seed.isprintable():
        raise BadInput("A seed is printable text.", "bad_seed")
    chosen = load(set_name)
    stock = _stock(chosen, pile, names)
    frame = solver.Frame.rectangle(*_frame_size(size, pile is not None and len(stock) == 40))
    laid = parse_position(text_or_input(position))
    started = time.perf_counter()
    with progress("solve", None) as show, stopping() as wish:

        def stop(nodes: int) -> bool:
            show(nodes)
            late = seconds is not None and time.perf_counter() - started >= seconds
            return late or wish.stop

        found = solver.solve(
            frame, chosen, stock, laid, faces=faces, count=count, seed=seed, stop=stop
        )
    spent = time.perf_counter() - started
    if as_json:
        print_json({**plain(found), "seconds": round(spent, 6)})
    else:
        for layout in found.solutions:
            text = " ".join(map(str, layout))
            click.echo(textwrap.fill(text, 78, break_on_hyphens=False) + "\n")
        click.echo(_outcome(len(found.solutions), count, found.complete, found.nodes, spent))
    if wish.stop:
        leave("Interrupted.")


def _stock(chosen: TileSet, pile: int | None, names: str | None) -> list[str]:
    """The dominoes to fill a frame with: those of a pile, or those named."""
    if (pile is None) == (names is None):
        raise BadInput("Give the dominoes with either --pile or --tiles.", "bad_tiles")
    if pile is not None:
        stock = list(chosen.pile(pile))
        if not stock:
            raise BadInput(f"There is no pile {pile} in {chosen}.", "bad_tiles")
        return stock
    stock = [chosen[name].name for name in names_in([names or ""])]
    if not stock:
        raise BadInput("--tiles names no domino.", "bad_tiles")
    for name, times in Counter(stock).items():
        if times > 1:
            raise BadInput(f"--tiles names {name} {times} times.", "bad_tiles")
    return stock


def _frame_size(size: str | None, whole_pile: bool) -> tuple[int, int]:
    """The width and height of a frame written as WxH."""
    if size is None:
        if not whole_pile:
            raise BadInput("Give the frame with --frame WxH, like 8x10.", "bad_frame")
        return 8, 10
    found = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", size)
    if found is None:
        from ..notation import shortened

        raise BadInput(f"{shortened(size)} is not a frame; one looks like 8x10.", "bad_frame")
    width, height = int(found[1]), int(found[2])
    if width * height % 2:
        raise BadInput(
            f"A frame of {width} x {height} is an odd number of cells; dominoes cover two each.",
            "bad_frame",
        )
    return width, height


def _outcome(many: int, count: int, complete: bool, nodes: int, seconds: float) -> str:
    """What a search has come to, as a sentence."""
    if complete and not many:
        return "There is no solution."
    solutions = f"{many or 'No'} solution{'s' * (many != 1)}"
    if not complete:
        sentence = f"{solutions} found, but not everything was tried"
    elif many < count:
        sentence = f"There {'is' if many == 1 else 'are'} only {solutions}"
    else:
        sentence = f"{solutions} found"
    return f"{sentence} ({nodes} partial layouts in {seconds:.3f} s)."


@click.command()
@position_option
@click.option("-o", "--output", required=True, metavar="FILE.svg|.png", help="The picture.")
@click.option("--shape", default="rounds", show_default=True, help="rounds, squares or octagons.")
@click.option("--palette", default="classic", show_default=True,
              help="classic, original, red-green, blue-yellow or grey.")  # fmt: skip
@click.option("--symbols", is_flag=True, help="Draw the symbol of each colour.")
@click.option("--theme", default="light", show_default=True, help="A light or dark table.")
@click.option("--pieces", default="black", show_default=True, help="black or white dominoes.")
@click.option("--cell", default=48, show_default=True, type=int, help="Pixels of a cell, 4 to 400.")
@click.option("--names", is_flag=True, help="Write the name on each domino.")
@click.option("--numbers", is_flag=True, help="Number the layings.")
@click.option("--grid", is_flag=True, help="Draw the cells and their coordinates.")
@click.option("--groups", "show_groups", type=click.Choice(["closed", "all"]),
              help="Outline the groups with their sizes.")  # fmt: skip
@click.option("--last", default=0, metavar="N", type=click.IntRange(0, 2),
              help="Outline the last N layings.")  # fmt: skip
@click.option("--ghost", multiple=True, metavar="LAYING",
              help="Show a laying that is only considered, with its clashes.")  # fmt: skip
@set_option
def draw(
    position: str, output: str, show_groups: str | None, last: int, ghost: tuple[str, ...],
    set_name: str, **style: Any,
) -> None:  # fmt: skip
    """Draw a position as a picture."""
    from .. import drawing
    from ..files import write
    from ..notation import Laying

    table = read_table(position, set_name)
    ghosts = tuple(Laying.parse(text) for text in ghost)
    marks = drawing.Marks(
        groups=tuple(
            drawing.GroupMark(group.discs, str(group.size))
            for group in table.groups()
            if show_groups == "all" or (show_groups == "closed" and group.closed)
        ),
        last=table.layings[len(table) - min(last, len(table)) :],
        ghosts=ghosts,
        clashes=drawing.find_clashes((*table.layings, *ghosts), table.tiles),
    )
    svg = drawing.draw(table.layings, table.tiles, style=drawing.Style(**style), marks=marks)
    if output.lower().endswith(".png"):
        data = drawing.to_png(svg)
    elif output.lower().endswith(".svg"):
        data = svg.encode()
    else:
        raise BadInput(f"{output}: a picture is a .svg or a .png file.", "bad_output")
    write(output, data)
    click.echo(f"{output}: {len(table)} domino{'es' * (len(table) != 1)}")
