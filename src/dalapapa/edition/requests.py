"""Requests to the server's HTTP API that need no server: the engine answers them by the same code.

The static edition has no server, so its client asks the engine instead (docs/edition-engine.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from ..coach.encode import encode_review
from ..coach.reviewer import Progress
from ..coach.reviews import review_record
from ..core.errors import Malformed
from ..core.notation import shorten
from ..hosting import questions
from ..hosting.replays import replay_record
from ..record import load, replay
from ..texts import Language
from .messages import Arguments, read_json

SOLVER_SECONDS = 20.0
"""The time of the solver for one frame: on a device, no one else waits for it."""


class RequestArguments(Arguments, frozen=True):
    """A request to the HTTP API: its path below `/api`, its query, and its body if it has one."""

    path: str
    query: dict[str, str] = msgspec.field(default_factory=dict)
    body: msgspec.Raw = msgspec.Raw(b"{}")


class Call(NamedTuple):
    """A request, and who gets the share of the answer that is done."""

    request: RequestArguments
    report: Progress


class ReviewQuery(msgspec.Struct, frozen=True):
    """The language of a review."""

    language: Language = "en"


def answer_request(request: RequestArguments, report: Progress) -> Any:
    """Answer a request as the server would."""
    handler = ROUTES.get(request.path)
    if handler is None:
        raise Malformed(f"The engine does not answer {shorten(request.path)}.")
    return handler(Call(request, report))


def _with_body(kind: type[Any], answer: Callable[[Any], Any]) -> Callable[[Call], Any]:
    """A handler that reads the body of a request."""
    return lambda call: answer(read_json(call.request.body, kind))


def _fill_frame(question: questions.FrameQuestion) -> questions.Solutions:
    deadline = time.monotonic() + SOLVER_SECONDS
    return questions.fill_frame(question, lambda _: time.monotonic() > deadline)


def _read_query(call: Call, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(call.request.query, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Malformed(f"This is not a question: {error}.") from None


def _show_problem(call: Call) -> Any:
    return questions.show_problem(_read_query(call, questions.ShownProblemQuery))


def _judge_attempt(attempt: questions.ProblemAttempt) -> questions.Verdict:
    return questions.judge_attempt(attempt.request, attempt.layings)


def _replay(call: Call) -> msgspec.Raw:
    return msgspec.Raw(replay_record(bytes(call.request.body)))


def _review(call: Call) -> Any:
    language = _read_query(call, ReviewQuery).language
    verified = replay(load(bytes(call.request.body)))
    return encode_review(review_record(verified, progress=call.report), language)


ROUTES: Mapping[str, Callable[[Call], Any]] = {
    "/legal": _with_body(questions.LegalQuestion, questions.list_legal),
    "/groups": _with_body(questions.TableQuestion, questions.find_groups),
    "/best": _with_body(questions.BestQuestion, questions.find_best),
    "/solve": _with_body(questions.FrameQuestion, _fill_frame),
    "/coach": _with_body(questions.CoachQuestion, questions.advise),
    "/replay": _replay,
    "/review": _review,
    "/problem": _show_problem,
    "/problem/check": _with_body(questions.ProblemAttempt, _judge_attempt),
}
"""The handlers by their paths; `web/src/net/static-backend.ts` has the same list."""
