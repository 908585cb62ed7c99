"""Answers the questions of a page; the worker of the browser client calls `answer`."""

from __future__ import annotations

import logging
from collections.abc import Callable

from ..core.errors import DalapapaError, Malformed
from ..core.notation import shorten
from .messages import read_json, read_question, write_answer, write_failure, write_refusal
from .methods import METHODS

logger: logging.Logger = logging.getLogger("dalapapa")


def answer(text: str, report: Callable[[float], None]) -> str:
    """Answer a question (`messages.Question`): `{"answer": ...}` or `{"error": ...}`, never raised.

    `report` gets the share of long work that is done.
    """
    try:
        question = read_question(text)
        method = METHODS.get(question.method)
        if method is None:
            raise Malformed(f"The engine has no method {shorten(question.method)}.")
        arguments = read_json(question.arguments, method.arguments)
        return write_answer(method.function(arguments, report))
    except DalapapaError as error:
        return write_refusal(error)
    except Exception:
        logger.exception("A question to the engine failed.")
        return write_failure()
