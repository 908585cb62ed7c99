"""`dalapapa` with chance that can be repeated and a date of its own, for servers of tests.

    python tests/support/steady_play.py play --no-browser --port 0

`chance.py` says what follows from the seed. `DALAPAPA_TEST_DATE` is what the server's clock showed
when the tests began; the clock goes on from there. `DALAPAPA_TEST_START` counts the starts of one
server, so that it does not draw the same bags after each of them.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from unittest import mock

DATE = "DALAPAPA_TEST_DATE"
START_NUMBER = "DALAPAPA_TEST_START"


def milliseconds_at(date: str) -> int:
    """What a clock shows now, in milliseconds since 1970, that showed `date` as the tests began."""
    from dalapapa.server.clock import SYSTEM_CLOCK

    passed = SYSTEM_CLOCK.monotonic() - float(os.environ["DALAPAPA_TESTS_BEGAN"])
    return int(1000 * (datetime.fromisoformat(date).timestamp() + passed))


def show_date(date: str) -> None:
    """Let all clocks of this process show what `milliseconds_at` returns."""
    from dalapapa.server.clock import SystemClock

    def now(_: SystemClock) -> int:
        return milliseconds_at(date)

    mock.patch.object(SystemClock, "now", now).start()


def main() -> None:
    """Run a command of `dalapapa`."""
    sys.path[0] = str(Path(__file__).parents[2])  # It was the folder of this script.
    from dalapapa.__main__ import main as run
    from tests.support.chance import current_name, steady_chance

    start = os.environ.get(START_NUMBER, "")
    steady_chance(lambda: f"{current_name()} {start}")
    if date := os.environ.get(DATE):
        show_date(date)
    sys.path.pop(0)  # The modules of the tests are none of the server.
    run()


if __name__ == "__main__":
    main()
