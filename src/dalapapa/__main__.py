"""The entry point: `dalapapa`, or `python -m dalapapa`. Ctrl+C always ends it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

from .core.interrupts import EXIT_CODE, end_if_interrupt_is_lost, end_immediately, handle_interrupt


def main() -> None:
    """Run a command. Ctrl+C leaves no traceback, even while modules are imported."""
    signal.signal(signal.SIGINT, end_immediately)
    sys.unraisablehook = end_if_interrupt_is_lost
    use_utf8()
    from .cli import main as run

    try:
        signal.signal(signal.SIGINT, handle_interrupt)
        run()
    except KeyboardInterrupt:
        end_immediately()
    except SystemExit as ended:
        if ended.code == EXIT_CODE:
            with suppress(OSError):
                sys.stdout.flush()
            end_immediately()  # Without waiting for threads that are no longer needed.
        raise
    finally:
        signal.signal(signal.SIGINT, end_immediately)


def use_utf8() -> None:
    """Restart in UTF-8 mode if Python would read arguments and file names as ASCII.

    Python does that in the locale C, if its own UTF-8 mode is switched off (`PYTHONUTF8=0`).
    """
    is_ascii = sys.getfilesystemencoding() == "ascii" and not sys.flags.utf8_mode
    if is_ascii and sys.executable and sys.orig_argv:
        with suppress(OSError):
            os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


if __name__ == "__main__":
    main()
