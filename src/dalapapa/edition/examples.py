"""Runs the examples of the documentation in the reader's browser (`docs/site/run-examples.js`)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from traceback import format_exception_only
from typing import Annotated, Any

from msgspec import Meta

from ..coach.reviewer import Progress
from .messages import Arguments

PROMPT, CONTINUATION = ">>> ", "... "


class ExamplesArguments(Arguments, frozen=True):
    """The examples of a page up to one of them: sessions with prompts, as the page shows them."""

    sessions: Annotated[
        tuple[Annotated[str, Meta(max_length=20_000)], ...], Meta(min_length=1, max_length=100)
    ]


def run_examples(asked: ExamplesArguments, _: Progress) -> str:
    """Run examples in order, and return the last session with what it prints now.

    An example may use the names of those before it, so all are run.
    """
    names: dict[str, Any] = {}
    shown = ""
    for session in asked.sessions:
        shown = "".join(_run(session, names))
    return shown


def _run(session: str, names: dict[str, Any]) -> Iterator[str]:
    for lines in _split_statements(session):
        yield "".join(f"{line}\n" for line in lines)
        source = "\n".join(line[len(PROMPT) :] for line in lines)
        yield _execute(f"{source}\n", names)


def _split_statements(session: str) -> Iterator[list[str]]:
    """The lines of each statement; what it has printed is left out."""
    statement: list[str] = []
    for line in session.splitlines():
        if line.startswith(PROMPT):
            if statement:
                yield statement
            statement = [line]
        elif statement and line.startswith(CONTINUATION.rstrip()):
            statement.append(line)
    if statement:
        yield statement


def _execute(source: str, names: dict[str, Any]) -> str:
    """What a statement prints; an error ends only this statement, as in an interactive session."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            exec(compile(source, "<example>", "single"), names)
        except Exception as error:
            print("Traceback (most recent call last):")
            print("".join(format_exception_only(error)), end="")
    return printed.getvalue()
