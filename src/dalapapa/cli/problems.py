"""The problem of a day, or of a seed."""

from __future__ import annotations

from typing import Any

import click

from ..core.errors import BadInput
from .completion import FILE, LANGUAGE
from .help import Whole, command, say
from .shared import json_option, print_json


@command()
@click.option("--date", metavar="YYYY-MM-DD", help="The day; default: today.")
@click.option(
    "--seed", metavar="S", help="A seed instead of a day; it always gives the same problem."
)
@click.option("--grade", metavar="1..5", type=Whole(),
              help="How hard it is, 1 to 5; default: as on that weekday, or 3.")  # fmt: skip
@click.option("--frame", is_flag=True, help="A frame to fill instead of a turn to find.")
@click.option("--solution", is_flag=True, help="Also show the solution.")
@click.option("-o", "--output", metavar="FILE", type=FILE,
              help="A .svg or .png picture, or a .pdf with the solution on page 2.")  # fmt: skip
@click.option("--language", default="en", show_default=True, metavar="LANGUAGE", type=LANGUAGE,
              help="The language of a PDF: en, fr, de, nl, es or it.")  # fmt: skip
@json_option
def problem(
    date: str | None, seed: str | None, grade: int | None, frame: bool, solution: bool,
    output: str | None, language: str, as_json: bool,
) -> None:  # fmt: skip
    """Show the problem of the day: find the best turn, or fill a frame."""
    import datetime

    from .. import problems

    if date is not None and seed is not None:
        raise BadInput("Give either a date or a seed, not both.", "usage")
    day = datetime.date.today().isoformat() if date is None and seed is None else date
    wanted = problems.make_request("frame" if frame else "turn", date=day, seed=seed, grade=grade)
    if output is not None:
        _problem_file(output, wanted, solution, language)
    data = problems.problem_to_json(wanted, solution)
    if as_json:
        return print_json({**data, "position": " ".join(data["position"])})
    source = f"of {wanted.date}" if wanted.date else f"with the seed {wanted.seed}"
    say(f"Problem {source}, grade {wanted.grade} of 5")
    if frame:
        columns, rows = data["frame"]
        laid = {laying.tile for laying in problems.make_problem(wanted).position}
        more = "" if laid else ", apart from turning the whole frame"
        say(f"Fill {columns} x {rows} cells with these dominoes so that every contact matches.")
        say(f"There is one solution{more}.")
        say(f"  dominoes  {' '.join(name for name in data['tiles'] if name not in laid)}")
    else:
        say("Find the turn with the most points; the second domino costs 4.")
        say(f"  hand      {' '.join(data['tiles'])}")
    if data["position"]:
        say(f"  position  {' '.join(data['position'])}")
    if solution:
        gap = "" if frame else (
            f"  ({data['points']} points, {data['gap']} more than the best turn on other cells)"
        )  # fmt: skip
        say(f"  solution  {' '.join(data['solution'])}{gap}")
    if output is not None:
        say(f"  picture   {output}")
    return None


def _problem_file(output: str, wanted: Any, solution: bool, language: str) -> None:
    from .. import drawing, problems
    from ..core.files import write

    ending = output.lower().rpartition(".")[2]
    if ending == "pdf":
        from ..printing import print_options
        from ..printing.pages.problems import problem_pdf

        data = problem_pdf(print_options({"language": language}), wanted)
    elif ending in ("svg", "png"):
        svg = problems.draw_problem(problems.make_problem(wanted), solution)
        data = svg.encode() if ending == "svg" else drawing.to_png(svg)
    else:
        raise BadInput(f"{output}: the file name must end with .svg, .png or .pdf.", "bad_output")
    write(output, data)
