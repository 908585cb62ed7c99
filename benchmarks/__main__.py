"""Measure everything, or some sections, beside the committed run.

    python -m benchmarks [kernel] [games] [solver] [server] [moves] [attacks] [browser]
                         [browser_edition] [line] [printing] [growth] [costs] [environment]
                         [transports] [fleet] [ray_cluster] [--save] ...

Machines are noisy, so what counts is the ratio of two lines of the same run; the last
committed run (`results.json`, written by --save) is shown for comparison.
"""

from __future__ import annotations

import argparse
import gc
import sys

from . import (
    attacks,
    browser,
    browser_edition,
    costs,
    environment,
    fleet,
    games,
    growth,
    kernel,
    line,
    moves,
    printing,
    ray_cluster,
    report,
    server,
    solver,
    transports,
)

SECTIONS = {
    "kernel": kernel.SECTION,
    "games": games.SECTION,
    "solver": solver.SECTION,
    "server": server.SECTION,
    "attacks": attacks.SECTION,
    "moves": moves.SECTION,
    "browser": browser.SECTION,
    "browser_edition": browser_edition.SECTION,
    "line": line.SECTION,
    "printing": printing.SECTION,
    "growth": growth.SECTION,
    "costs": costs.SECTION,
    "fleet": fleet.SECTION,
    "ray_cluster": ray_cluster.SECTION,
    "environment": environment.SECTION,
    "transports": transports.SECTION,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__.split("\n", maxsplit=1)[0]
    )
    parser.add_argument("sections", nargs="*", help=f"{', '.join(SECTIONS)}; default: all")
    parser.add_argument("--save", action="store_true", help="save this run as the committed one")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each rate")
    parser.add_argument("--runs", type=int, default=20, help="runs of the solver for each line")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one run of a solver")
    arguments = parser.parse_args()
    if unknown := set(arguments.sections) - SECTIONS.keys():
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    effort = report.Effort(arguments.seconds, arguments.runs, arguments.limit)
    gc.freeze()  # What other sections import would be searched for garbage again and again.
    for name in arguments.sections or SECTIONS:
        section = SECTIONS[name]
        print(f"Measuring: {name}", file=sys.stderr)
        found = section.measure(effort)
        report.show(section, found, report.read_committed(name))
        if arguments.save:
            report.save(name, found)


if __name__ == "__main__":
    main()
