"""Hosts the tables of a device: each event becomes effects, and nothing else happens.

States leave the worker only after their entries are durable, because the worker carries out the
writes of the effects first.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec

from ...core.errors import BadInput, DalapapaError
from ..messages import FAILURE, MAX_QUESTION_BYTES, check_depth, read_json
from . import challenges as challenges  # It answers more requests.
from . import driver, requests
from .messages import (
    Answer,
    Close,
    Effects,
    Event,
    Load,
    Open,
    Request,
    RequestRefusal,
    RequestReply,
    Say,
    Tick,
    Timed,
    make_refusal,
)
from .tables import DeviceTables, NotLoaded

logger: logging.Logger = logging.getLogger("dalapapa")

FAILED = RequestRefusal(FAILURE["code"], FAILURE["message"], 500)


class DeviceHost:
    """Hosts tables; time never goes back."""

    def __init__(self) -> None:
        self.tables: DeviceTables = DeviceTables()
        self._waiting: dict[int, tuple[int, requests.Continue]] = {}
        """By question: the request that waits for it, and what makes its answer."""

    def handle(self, text: str) -> str:
        """Handle an event (`messages.Timed`) and return its effects as JSON."""
        try:
            timed = _read_event(text)
        except DalapapaError as error:
            effects = Effects(refused=make_refusal(error))
        else:
            effects = self.take(timed.event, timed.now)
        return msgspec.json.encode(effects).decode()

    def take(self, event: Event, now: int) -> Effects:
        """The effects of an event at a time."""
        tables = self.tables
        tables.effects = effects = Effects()
        tables.now = max(tables.now, now)
        try:
            self._take(event)
        except NotLoaded as missing:
            return Effects(load=missing.id)
        times = [at for table in tables.tables.values() if (at := driver.drive(tables, table))]
        effects.wake_at = min(times, default=None)
        return effects

    def _take(self, event: Event) -> None:
        tables = self.tables
        match event:
            case Request():
                self._reply(event.id, lambda: requests.answer_request(tables, event))
            case Open(session=session, table=table):
                tables.open_session(session, table)
            case Say(session=session, message=message):
                tables.receive(session, bytes(message))
            case Close(session=session):
                tables.close_session(session)
            case Load():
                tables.load(event)
            case Answer():
                self._continue(event)
            case Tick():
                pass  # The drivers look at the time after every event.

    def _continue(self, event: Answer) -> None:
        if event.id not in self._waiting:
            driver.receive_answer(self.tables, event)
            return
        request, then = self._waiting[event.id]
        answer = event.answer
        if answer:
            self._reply(request, lambda: then(answer))
        else:
            self.tables.effects.replies.append(RequestReply(request, error=event.error or FAILED))
        del self._waiting[event.id]  # Only now: the event is repeated if its table is not loaded.

    def _reply(self, id: int, make_answer: Callable[[], Any]) -> None:
        """Answer a request, now or when the other worker has answered its question."""
        replies = self.tables.effects.replies
        try:
            answer = make_answer()
        except DalapapaError as error:
            replies.append(RequestReply(id, error=make_refusal(error)))
        except NotLoaded:
            raise
        except Exception:
            logger.exception("A request about a table failed.")
            replies.append(RequestReply(id, error=FAILED))
        else:
            if isinstance(answer, requests.Later):
                self._waiting[answer.question] = id, answer.then
            else:
                replies.append(RequestReply(id, answer))


def _read_event(text: str) -> Timed:
    """Read an event. Deep recursion would end the interpreter, so its depth is limited first."""
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_QUESTION_BYTES:
        raise BadInput(f"An event can have at most {MAX_QUESTION_BYTES} bytes.", "too_long")
    check_depth(data)
    return read_json(data, Timed)
