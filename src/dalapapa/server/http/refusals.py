"""Refusals and failures as HTTP answers."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ...core.errors import DalapapaError, TooMany
from ...hosting.refusals import find_status
from ..monitoring import metrics
from ..schemas import Refusal
from . import static


def make_refusal_response(error: DalapapaError) -> Response:
    """The answer with a refusal, which is counted."""
    metrics.REFUSALS.add(error.code)
    headers = {}
    if isinstance(error, TooMany) and math.isfinite(error.after):
        headers["retry-after"] = str(max(1, math.ceil(error.after)))
    status = find_status(type(error))
    return make_error_response(error.code, str(error), status, headers, error.values)


def make_error_response(
    code: str,
    message: str,
    status: int,
    headers: dict[str, str] | None = None,
    values: dict[str, float | str] | None = None,
) -> Response:
    """The answer with a refusal, or with an error of HTTP or of the server itself."""
    refusal = Refusal(code, message, values or {})
    return Response(msgspec.json.encode(refusal), status, headers, "application/json")


async def _handle_refusal(_request: Request, error: DalapapaError) -> Response:
    return make_refusal_response(error)


async def _handle_http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404 and (page := static.find_missing_page(request)):
        return page
    headers = dict(error.headers) if error.headers else None
    return make_error_response("http", f"{error.detail}.", error.status_code, headers)


HANDLERS: dict[Any, Any] = {DalapapaError: _handle_refusal, HTTPException: _handle_http_error}
