"""The entry point: `dalapapa`, or `python -m dalapapa`. Ctrl+C ends it at any moment."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress

from .interrupts import CODE, end_at_once, interrupted


def main() -> None:
    """Run a command. Ctrl+C leaves no traceback, even while modules are imported."""
    signal.signal(signal.SIGINT, end_at_once)
    from .cli import main as run

    try:
        signal.signal(signal.SIGINT, interrupted)
        run()
    except KeyboardInterrupt:
        end_at_once()
    except SystemExit as ended:
        if ended.code == CODE:
            with suppress(OSError):
                sys.stdout.flush()
            end_at_once()  # Without waiting for threads that nobody needs any more.
        raise
    finally:
        signal.signal(signal.SIGINT, end_at_once)


if __name__ == "__main__":
    main()
