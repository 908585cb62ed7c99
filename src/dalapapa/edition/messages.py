"""Questions of a page to its engine, and the answers: JSON texts (`docs/edition-engine.md`)."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from ..core.errors import DalapapaError, Malformed
from ..hosting.refusals import find_status
from ..record import MAX_RECORD_BYTES

T = TypeVar("T")

MAX_DEPTH = 32
"""Levels of lists and objects in JSON. Deep recursion ends the interpreter in WebAssembly, before
Python can refuse it; no record and no position has more than eight."""

MAX_QUESTION_BYTES = 2 * MAX_RECORD_BYTES
"""A record in a question has its quotation marks escaped."""

_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
"""Texts, which are skipped, and brackets."""


FAILURE = {"code": "failed", "message": "The engine failed to answer this question."}
"""What a page learns of a bug; the console has the traceback."""


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of the arguments of all methods: it refuses unknown ones."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question: a method of `methods.METHODS`, and its arguments by name."""

    method: str
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


def check_depth(data: bytes) -> None:
    """Refuse JSON with more than `MAX_DEPTH` levels, without recursion."""
    depth = 0
    for found in _STRUCTURE.finditer(data):
        first = data[found.start()]
        if first in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Malformed(
                    f"A question can have at most {MAX_DEPTH} levels of lists and objects."
                )
        elif first in b"]}":
            depth -= 1


def read_question(text: str) -> Question:
    """Read a question, whose arguments are still to be read."""
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_QUESTION_BYTES:
        raise Malformed(f"A question can have at most {MAX_QUESTION_BYTES} bytes.")
    check_depth(data)
    return read_json(data, Question)


def read_json(data: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Read JSON of this type; refuses everything else with one sentence."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0][:200]
        raise Malformed(f"This is not a question: {reason}.") from None


def write_answer(answer: Any) -> str:
    """The answer to a question, as JSON text."""
    return msgspec.json.encode({"answer": answer}).decode()


def write_refusal(error: DalapapaError) -> str:
    """A refusal, with the codes and the HTTP statuses of the server."""
    refusal = {**error.to_json(), "status": find_status(type(error))}
    return msgspec.json.encode({"error": refusal}).decode()


def write_failure() -> str:
    """The answer to a question that met a bug."""
    return msgspec.json.encode({"error": FAILURE}).decode()
