"""Layings and positions as text (`docs/notation.md`)."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dalapapa.core.errors import DalapapaError, MalformedLaying
from dalapapa.core.notation import Laying, parse_position, print_position, shorten
from dalapapa.core.points import ClosedGroup, Earned, Group, Turn

numbers = st.integers(-999_999, 999_999)
any_laying = st.builds(
    Laying,
    tile=st.from_regex(r"[A-Za-z0-9]{1,20}", fullmatch=True),
    side=st.sampled_from(["+", "-"]),
    rotation=st.integers(0, 3),
    x=numbers,
    y=numbers,
)
texts = st.from_regex(
    r"[A-Za-z0-9]{1,20}[+-][0-3]@(0|-?[1-9][0-9]{0,5}),(0|-?[1-9][0-9]{0,5})", fullmatch=True
)
nearly = st.text(alphabet="PRYGB+-0123456789@, ²٣\n", max_size=30)


def test_the_example_of_the_notation() -> None:
    laying = Laying.parse("PRYGB+0@0,0")
    assert laying == Laying(tile="PRYGB", side="+", rotation=0, x=0, y=0)
    assert laying.cells == ((0, 0), (1, 0))
    assert str(laying) == "PRYGB+0@0,0"


def test_the_verso_and_cells_below_zero() -> None:
    laying = Laying.parse("ZBGYR-3@-12,7")
    assert laying == Laying(tile="ZBGYR", side="-", rotation=3, x=-12, y=7)
    assert laying.cells == ((-12, 7), (-12, 6))


@pytest.mark.parametrize(
    ("rotation", "second"), [(0, (1, 0)), (1, (0, 1)), (2, (-1, 0)), (3, (0, -1))]
)
def test_rotation_turns_the_second_half_clockwise(rotation: int, second: tuple[int, int]) -> None:
    assert Laying.parse(f"PRYGB+{rotation}@0,0").cells == ((0, 0), second)


@given(any_laying)
def test_value_to_text_and_back(laying: Laying) -> None:
    assert Laying.parse(str(laying)) == laying


@given(texts)
def test_text_to_value_and_back(text: str) -> None:
    assert str(Laying.parse(text)) == text


@given(any_laying)
def test_the_repr_of_a_laying_makes_it_again(laying: Laying) -> None:
    assert eval(repr(laying), {"Laying": Laying}) == laying


@given(st.lists(any_laying, max_size=4), st.integers(-50, 50))
def test_the_repr_of_points_makes_them_again(ones: list[Laying], points: int) -> None:
    names = {"Laying": Laying, "Turn": Turn, "Group": Group, "Earned": Earned}
    names["ClosedGroup"] = ClosedGroup
    values: list[object] = [
        Turn(tuple(ones), points),
        Earned(3, (ClosedGroup("R", 5), ClosedGroup("B", 1))),
        Group("G", ((1, 0), (2, 1)), True),
    ]
    for value in values:
        assert eval(repr(value), dict(names)) == value


@given(st.lists(any_laying, max_size=10))
def test_position_to_text_and_back(ones: list[Laying]) -> None:
    text = print_position(ones)
    assert parse_position(text) == ones
    assert print_position(tuple(ones)) == text


@given(st.lists(texts, max_size=10))
def test_text_to_position_and_back(words: list[str]) -> None:
    assert print_position(parse_position(" ".join(words))) == " ".join(words)


@given(
    st.lists(any_laying, min_size=1, max_size=5),
    st.text(alphabet=" \t\n\r", min_size=1, max_size=4),
    st.text(alphabet=" \t\n\r", max_size=4),
)
def test_any_white_space_separates(ones: list[Laying], between: str, around: str) -> None:
    assert parse_position(around + between.join(map(str, ones)) + around) == ones


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n"])
def test_empty_text_is_the_empty_table(text: str) -> None:
    assert parse_position(text) == []
    assert print_position([]) == ""


MALFORMED = {
    "empty": "",
    "only a name": "PRYGB",
    "no name": "+0@0,0",
    "no face": "PRYGB0@0,0",
    "no rotation": "PRYGB+@0,0",
    "no at sign": "PRYGB+00,0",
    "no cell": "PRYGB+0@",
    "no x": "PRYGB+0@,0",
    "no y": "PRYGB+0@0,",
    "no comma": "PRYGB+0@0",
    "two faces": "PRYGB+-0@0,0",
    "a face that is no sign": "PRYGBr0@0,0",
    "rotation 4": "PRYGB+4@0,0",
    "rotation of two digits": "PRYGB+00@0,0",
    "negative rotation": "PRYGB+-1@0,0",
    "x with a leading zero": "PRYGB+0@01,0",
    "y with a leading zero": "PRYGB+0@0,-01",
    "x minus zero": "PRYGB+0@-0,0",
    "y minus zero": "PRYGB+0@0,-0",
    "x with a plus": "PRYGB+0@+1,0",
    "y with two minuses": "PRYGB+0@0,--1",
    "a huge x": "PRYGB+0@1000000,0",
    "a huge y": "PRYGB+0@0,-" + "9" * 5000,
    "a fraction": "PRYGB+0@1.0,0",
    "an exponent": "PRYGB+0@1e3,0",
    "an underscore": "PRYGB+0@1_0,0",
    "a third number": "PRYGB+0@0,0,0",
    "an Arabic digit": "PRYGB+0@٣,0",
    "a fullwidth digit": "PRYGB+0@0,１",
    "a superscript rotation": "PRYGB+²@0,0",
    "an Arabic rotation": "PRYGB+٣@0,0",
    "a Unicode minus": "PRYGB\N{MINUS SIGN}0@0,0",
    "a Unicode minus in x": "PRYGB+0@\N{MINUS SIGN}1,0",
    "a fullwidth plus": "PRYGB\N{FULLWIDTH PLUS SIGN}0@0,0",
    "a Cyrillic letter": "P\N{CYRILLIC CAPITAL LETTER ER}YGB+0@0,0",
    "an accent": "PRYGÉ+0@0,0",
    "a hyphen in the name": "PR-YGB+0@0,0",
    "a name of 21 letters": "P" * 21 + "+0@0,0",
    "a space before": " PRYGB+0@0,0",
    "a space after": "PRYGB+0@0,0 ",
    "a line feed after": "PRYGB+0@0,0\n",
    "a space inside": "PRYGB+0@0, 0",
    "a null": "PRYGB+0@0,0\0",
    "two layings": "PRYGB+0@0,0 BRYGB+0@2,0",
    "more after it": "PRYGB+0@0,0x",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_layings_are_refused(text: str) -> None:
    with pytest.raises(MalformedLaying) as refusal:
        Laying.parse(text)
    assert refusal.value.code == "malformed_laying"
    assert len(str(refusal.value).splitlines()) == 1
    assert len(str(refusal.value)) < 250


def test_names_differ_by_case() -> None:
    """A laying in lower case is well formed; it names another domino (maybe one of a file)."""
    assert Laying.parse("prygb+0@0,0").tile == "prygb"
    assert Laying.parse("prygb+0@0,0") != Laying.parse("PRYGB+0@0,0")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_malformed_position_names_the_number(number: int) -> None:
    words = ["PRYGB+0@0,0", "BRYGB+0@2,0", "CRYGB+0@4,0"]
    words[number - 1] = "PRYGB+7@0,0"
    with pytest.raises(MalformedLaying) as refusal:
        parse_position(" ".join(words))
    assert re.match(rf"Laying {number}\b", str(refusal.value))
    assert "PRYGB+7@0,0" in str(refusal.value)
    assert refusal.value.code == "malformed_laying"


def laying_or_refusal(text: str) -> Laying | DalapapaError:
    try:
        return Laying.parse(text)
    except DalapapaError as refusal:
        return refusal


@settings(max_examples=200)
@given(st.text() | nearly)
@example("٣" * 3)
@example("\ud800")
def test_fuzz_a_text_is_a_laying_or_refused(text: str) -> None:
    found = laying_or_refusal(text)
    if isinstance(found, Laying):
        assert str(found) == text
    else:
        assert found.code == "malformed_laying"
        str(found).encode("utf-8")  # can be shown anywhere


@settings(max_examples=200)
@given(st.text() | nearly | st.lists(texts | nearly, max_size=4).map(" ".join))
def test_fuzz_a_text_is_a_position_or_refused(text: str) -> None:
    found = [laying_or_refusal(word) for word in text.split()]
    layings = [one for one in found if isinstance(one, Laying)]
    if len(layings) == len(found):
        assert parse_position(text) == layings
        assert print_position(layings) == " ".join(text.split())
    else:
        with pytest.raises(MalformedLaying):
            parse_position(text)


@given(st.text(max_size=200))
def test_shortened_is_one_short_line(text: str) -> None:
    quoted = shorten(text)
    assert len(quoted.splitlines()) == 1
    assert len(quoted) <= 10 * 40 + 2
    if len(text) <= 40:
        assert quoted == repr(text)
