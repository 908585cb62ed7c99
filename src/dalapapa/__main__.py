"""The entry point: `dalapapa`, or `python -m dalapapa`. Ctrl+C ends it at any moment."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

from .core.interrupts import CODE, end_at_once, end_if_interrupt_is_lost, interrupted


def main() -> None:
    """Run a command. Ctrl+C leaves no traceback, even while modules are imported."""
    signal.signal(signal.SIGINT, end_at_once)
    sys.unraisablehook = end_if_interrupt_is_lost
    use_utf8()
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


def use_utf8() -> None:
    """Start again in UTF-8 mode where Python would read arguments and file names as ASCII.

    It does that in the locale C, if its own UTF-8 mode is switched off (`PYTHONUTF8=0`).
    """
    is_ascii = sys.getfilesystemencoding() == "ascii" and not sys.flags.utf8_mode
    if is_ascii and sys.executable and sys.orig_argv:
        with suppress(OSError):
            os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


if __name__ == "__main__":
    main()
