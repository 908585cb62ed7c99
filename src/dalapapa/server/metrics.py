"""Figures in the form that Prometheus reads. Counts only: no names, no addresses, no tables."""

from __future__ import annotations

from .calls import Questions
from .sockets import Sockets
from .tables import Tables


def metrics(tables: Tables, sockets: Sockets, questions: Questions) -> str:
    """The page `/metrics`."""
    figures = (
        ("dalapapa_tables_live", "gauge", "Tables in memory.", len(tables.live)),
        ("dalapapa_sockets", "gauge", "Open sockets.", len(sockets.open)),
        ("dalapapa_moves_total", "counter", "Moves made durable here.", tables.moves),
        ("dalapapa_refusals_total", "counter", "Refused entries.", tables.refusals),
        ("dalapapa_programs_waiting", "gauge", "Programs to think.", tables.programs.waiting),
        ("dalapapa_questions_waiting", "gauge", "Questions to answer.", questions.waiting),
    )
    lines = []
    for name, kind, help, value in figures:
        lines += [f"# HELP {name} {help}", f"# TYPE {name} {kind}", f"{name} {value}"]
    return "\n".join(lines) + "\n"
