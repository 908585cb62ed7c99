"""Every text that a page sends gets an answer, and no text ends the interpreter."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dalapapa.core.errors import Malformed
from dalapapa.edition import methods
from dalapapa.edition.engine import answer
from dalapapa.edition.messages import MAX_DEPTH, MAX_QUESTION_BYTES, check_depth


def reply(text: str) -> Any:
    return json.loads(answer(text, lambda _: None))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"method": 1}',
        '{"method": "unknown"}',
        '{"method": "best"}',
        '{"method": "best", "arguments": []}',
        '{"method": "best", "arguments": {"hand": ["BYRGB"], "unknown": 1}}',
        '{"method": "describe", "arguments": {}, "more": 1}',
        '{"method": "describe"}\ud800',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"method": "' + "x" * MAX_QUESTION_BYTES + '"}',
    ],
    ids=range(14),
)
def test_malformed_questions_are_refused(text: str) -> None:
    error = reply(text)["error"]
    assert error["code"] == "malformed"
    assert error["message"].endswith(".")
    assert len(error["message"]) < 300


def test_depth_counts_brackets_outside_of_texts() -> None:
    check_depth(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    check_depth(b"[]" * 1000)
    check_depth(rb'"[[[[\"[[[[' + b"[" * 100 + b'"')
    check_depth(b'"' + b"[" * 100)  # A text without an end is malformed for another reason.
    with pytest.raises(Malformed, match="32 levels"):
        check_depth(b"[" * (MAX_DEPTH + 1))
    with pytest.raises(Malformed):
        check_depth(rb'"\\"' + b'{"a":' * (MAX_DEPTH + 1))


def test_deep_json_inside_a_record_is_refused() -> None:
    record = '{"moves": ' + "[" * 100_000
    question = {"method": "verify", "arguments": {"record": record}}
    assert reply(json.dumps(question))["error"]["code"] == "malformed"


def test_refusals_have_the_codes_of_the_server() -> None:
    question = {"method": "best", "arguments": {"hand": ["QQQQQ"]}}
    assert reply(json.dumps(question))["error"]["code"] == "unknown_domino"


def test_a_bug_is_an_answer_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    method = methods.METHODS["describe"]._replace(function=fail)
    monkeypatch.setitem(methods.METHODS, "describe", method)
    assert reply('{"method": "describe"}')["error"]["code"] == "failed"
    assert "ZeroDivisionError" in caplog.text
