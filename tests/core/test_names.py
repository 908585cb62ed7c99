"""Names of people: composed characters stay whole, and nothing invisible is left."""

from __future__ import annotations

import pytest

from dalapapa.core.names import make_line, shorten_name
from dalapapa.hosting.state import MAX_NAME_LENGTH, clean_name
from dalapapa.record import make_printable
from dalapapa.server.notify.mail import format_mail_name

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"
RAINBOW = "\N{WAVING WHITE FLAG}\ufe0f\u200d\N{RAINBOW}"
PERSIAN = "می\u200cخواهم"


@pytest.mark.parametrize("name", [FAMILY, RAINBOW, PERSIAN, f"Ann {FAMILY}"])
def test_joiners_stay_everywhere(name: str) -> None:
    assert clean_name(name) == make_printable(name) == format_mail_name(name) == name


@pytest.mark.parametrize(
    ("name", "line"),
    [("A\u200dnn", "A nn"), ("\u200dAnn", " Ann"), ("é\u200d", "é "), ("é\u200d\u200dé", "é  é")],
)
def test_joiners_that_join_nothing_go(name: str, line: str) -> None:
    assert make_line(name) == line


def test_a_long_name_ends_after_a_whole_character() -> None:
    assert clean_name(5 * FAMILY) == 4 * FAMILY
    assert shorten_name("e\u0301" * 20, 5) == "e\u0301" * 2
    assert shorten_name("\N{WAVING HAND SIGN}\U0001f3fd", 1) == "\N{WAVING HAND SIGN}"
    assert len(clean_name("\u0301" * 50)) == MAX_NAME_LENGTH
