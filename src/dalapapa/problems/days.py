"""Dates and grades: a day's problem is easy on Monday and hard on Sunday."""

from __future__ import annotations

import re
from datetime import date

from ..errors import BadInput
from ..notation import shortened

GRADES = (1, 2, 3, 4, 5)
"""From problems that most people see at once to those that few find."""

WEEK = (1, 2, 2, 3, 3, 4, 5)
"""The grade of each day, Monday first."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def date_of(text: str) -> date:
    """A date written like 2026-11-15."""
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise BadInput(f"{shortened(text)} is not a date; one is written like 2026-11-15.", "bad_date")


def grade_of_day(day: date) -> int:
    """How hard the problem of a day is."""
    return WEEK[day.weekday()]
