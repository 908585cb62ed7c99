"""The signals of processes that tests start."""

from __future__ import annotations

import signal

_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def hear_signals() -> None:
    """Let a process that begins hear signals again: a `preexec_fn`.

    Processes inherit what is ignored or blocked, from `nohup`, cron and background jobs.
    """
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
