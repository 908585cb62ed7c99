"""Soak the server: faults, liars and players, on both stores, and a table of what came out.

    python -m benchmarks.soak [--minutes 60] [--store sqlite|postgres] [--tables N] [--logs FOLDER]

Ends with 1 if anything was lost, doubled, leaked or broken.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from pathlib import Path

from . import course, figures

STORES = {"sqlite": course.run_on_sqlite, "postgres": course.run_on_postgres}


async def soak(arguments: argparse.Namespace) -> list[figures.Figures]:
    """One store after the other."""
    task = asyncio.current_task()
    assert task
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    logging.disable(logging.WARNING)  # That a database is away is no news here.
    stores = [arguments.store] if arguments.store else list(STORES)
    seconds = 60 * arguments.minutes / len(stores)
    effort = course.Effort(seconds, arguments.tables, arguments.strangers, arguments.seed)
    found = []
    for store in stores:
        print(f"Soaking: {store}, {seconds / 60:.1f} minutes", file=sys.stderr)
        found.append(await STORES[store](effort, arguments.logs))
        figures.show(found)  # The first one alone is worth having if the second is interrupted.
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description=__doc__.split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="for both stores together")
    parser.add_argument("--store", choices=STORES, help="test only this store")
    parser.add_argument("--tables", type=int, default=8, help="tables with people at the same time")
    parser.add_argument("--strangers", type=int, default=5, help="strangers at the same time")
    parser.add_argument("--seed", type=int, default=1, help="the seed of all random choices")
    parser.add_argument("--logs", type=Path, help="a folder for the output of the servers")
    try:
        found = asyncio.run(soak(parser.parse_args()))
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit("Interrupted.")
    sys.exit(not all(map(figures.is_successful, found)))


if __name__ == "__main__":
    main()
