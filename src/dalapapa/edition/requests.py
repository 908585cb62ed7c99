"""Requests to the server's HTTP API that need no server: the engine answers them by the same code.

The static edition has no server, so its client asks the engine instead (docs/edition-engine.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

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


Handler = Callable[[RequestArguments, Progress], Any]
"""Answers a request; it may report the share that is done."""


class ReviewQuery(msgspec.Struct, frozen=True):
    """The language of a review."""

    language: Language = "en"


def answer_api_request(request: RequestArguments, report: Progress) -> Any:
    """Answer a request as the server would."""
    handler = ROUTES.get(request.path)
    if handler is None:
        raise Malformed(f"The engine does not answer {shorten(request.path)}.")
    return handler(request, report)


def _with_body(kind: type[Any], answer: Callable[[Any], Any]) -> Handler:
    """A handler that reads the body of a request."""
    return lambda request, _: answer(read_json(request.body, kind))


def _solve_frame(question: questions.FrameQuestion) -> questions.Solutions:
    deadline = time.monotonic() + SOLVER_SECONDS
    return questions.solve_frame(question, lambda _: time.monotonic() > deadline)


def _read_query(request: RequestArguments, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(request.query, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Malformed(f"This is not a question: {error}.") from None


def _show_problem(request: RequestArguments, _: Progress) -> Any:
    return questions.show_problem(_read_query(request, questions.ShownProblemQuery))


def _judge_attempt(attempt: questions.ProblemAttempt) -> questions.Verdict:
    return questions.judge_attempt(attempt.request, attempt.layings)


def _replay(request: RequestArguments, _: Progress) -> msgspec.Raw:
    return msgspec.Raw(replay_record(bytes(request.body)))


def _review(request: RequestArguments, report: Progress) -> Any:
    language = _read_query(request, ReviewQuery).language
    verified = replay(load(bytes(request.body)))
    return encode_review(review_record(verified, progress=report), language)


ROUTES: Mapping[str, Handler] = {
    "/legal": _with_body(questions.LegalQuestion, questions.list_legal),
    "/groups": _with_body(questions.TableQuestion, questions.find_groups),
    "/best": _with_body(questions.BestQuestion, questions.find_best),
    "/solve": _with_body(questions.FrameQuestion, _solve_frame),
    "/coach": _with_body(questions.CoachQuestion, questions.advise_on_position),
    "/replay": _replay,
    "/review": _review,
    "/problem": _show_problem,
    "/problem/check": _with_body(questions.ProblemAttempt, _judge_attempt),
}
"""The handlers by their paths; `web/src/net/engine-paths.ts` has the same list."""
