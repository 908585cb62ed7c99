"""Printing over HTTP: the same bytes as by hand, pages as pictures, and refusals with codes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import httpx
import pytest

from dalapapa.printing import WHAT, catalogue, make_pdf, make_sheets, print_options, read_texts
from tests.support.serving import in_thread
from tests.support.thoroughness import daily

pytestmark = pytest.mark.anyio

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread(slow_at_once=1000) as url:
        yield f"{url}/api/print"


def make_query(what: str, **more: str) -> dict[str, str]:
    """The options of a print, as its address has them."""
    return {"what": what, **({"position": POSITION} if what == "position" else {}), **more}


def drawn(text: str) -> ElementTree.Element:
    """A picture that is well-formed, and big enough to show something."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert len(root) > 5
    return root


@pytest.mark.parametrize("what", daily(WHAT, set(WHAT) - {"booklet", "box"}))
async def test_every_kind_of_print_is_served(http: httpx.AsyncClient, what: str) -> None:
    asked = make_query(what)
    sheets = make_sheets(print_options(asked))
    pages = await http.get("/pages", params=asked)
    assert pages.status_code == 200
    assert pages.json() == [
        {"title": sheet.title, "width": sheet.width, "height": sheet.height} for sheet in sheets
    ]
    pdf = await http.get("/dalapapa.pdf", params=asked)
    assert pdf.headers["content-type"] == "application/pdf"
    assert pdf.headers["x-content-type-options"] == "nosniff"
    assert pdf.content == make_pdf(asked, from_page=True)
    for number in {1, len(sheets)}:
        page = await http.get("/page.svg", params={**asked, "page": number})
        assert page.headers["content-type"] == "image/svg+xml"
        root = drawn(page.text)
        sheet = sheets[number - 1]
        assert root.attrib["width"] == f"{sheet.width:g}mm"
        assert root.findtext(f"{SVG}title") == sheet.title


@pytest.mark.parametrize(
    "more",
    [
        {"design": "octagons-white", "ink": "low", "names": "true", "size": "60"},
        {"size": "48x24", "flip": "short", "offset": "0.6,-1.1", "paper": "letter"},
        {"what": "solution", "pile": "3", "seed": "étoile"},
        *(
            pytest.param(more, marks=pytest.mark.thorough)
            for more in (
                {"ink": "grey", "symbols": "false", "language": "it"},
                {"what": "booklet", "pages": "half", "language": "fr"},
                {"what": "puzzle", "frame": "6x4", "seed": "7"},
            )
        ),
        {"what": "position", "position": POSITION, "design": "squares-original"},
    ],
    ids=str,
)
async def test_options_are_read_from_the_address(
    http: httpx.AsyncClient, more: dict[str, str]
) -> None:
    pdf = await http.get("/dalapapa.pdf", params=more)
    assert pdf.content == make_pdf(read_texts(more))
    again = await http.get("/dalapapa.pdf", params=more)
    assert again.content == pdf.content
    drawn((await http.get("/page.svg", params=more)).text)


async def test_every_option_is_understood(http: httpx.AsyncClient) -> None:
    """Each by itself, with its default as one types it."""
    described = (await http.get("/../openapi.json")).json()["paths"]["/api/print/pages"]["get"]
    assert [one["name"] for one in described["parameters"]] == [one.name for one in catalogue()]
    usual = (await http.get("/pages")).json()
    for option in catalogue():
        value = option.default
        text = ",".join(map(str, value)) if option.kind == "pair" else str(value)
        response = await http.get("/pages", params={option.name: text})
        assert response.json() == usual, option.name


async def test_the_flip_option_turns_the_backs(http: httpx.AsyncClient) -> None:
    edges = [(await http.get("/flip.svg", params={"edge": edge})) for edge in ("long", "short")]
    assert edges[0].text != edges[1].text
    for edge in edges:
        drawn(edge.text)
    assert (await http.get("/flip.svg")).text == edges[0].text
    wrong = await http.get("/flip.svg", params={"edge": "other"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "malformed")


REFUSED: list[tuple[dict[str, str], int, str]] = [
    ({"what": "chess"}, 422, "unknown_print"),
    ({"what": ""}, 422, "unknown_print"),
    ({"design": "stars"}, 422, "unknown_design"),
    ({"paper": "a3"}, 422, "unknown_paper"),
    ({"ink": "gold"}, 422, "unknown_ink"),
    ({"flip": "1"}, 422, "unknown_flip"),
    ({"language": "tlh"}, 422, "unknown_language"),
    ({"what": "solution", "pile": "4"}, 422, "unknown_pile"),
    ({"symbols": "perhaps"}, 422, "bad_symbols"),
    ({"names": "1"}, 422, "bad_names"),
    ({"size": "11"}, 422, "bad_size"),
    ({"size": "1e9"}, 422, "bad_size"),
    ({"size": "nan"}, 422, "bad_size"),
    ({"size": "48x48"}, 422, "bad_size"),
    ({"size": ""}, 422, "bad_size"),
    ({"size": "500"}, 422, "domino_too_large"),
    ({"what": "72", "size": "200", "paper": "letter"}, 422, "domino_too_large"),
    ({"size": "49", "arrangement": "sheet"}, 422, "bad_arrangement"),
    ({"what": "box", "size": "70", "arrangement": "sheet"}, 422, "bad_arrangement"),
    ({"offset": "10.1,0"}, 422, "bad_offset"),
    ({"offset": "1"}, 422, "bad_offset"),
    ({"offset": "inf,0"}, 422, "bad_offset"),
    ({"offset": "left"}, 422, "bad_offset"),
    ({"what": "position"}, 422, "bad_position"),
    ({"what": "position", "position": "nonsense"}, 422, "malformed_laying"),
    ({"what": "position", "position": "XXXXX+0@0,0"}, 422, "unknown_domino"),
    ({"what": "position", "position": "PRYGB+0@0,0 PRYGB+0@5,5"}, 422, "already_laid"),
    ({"what": "position", "position": "PRYGB+0@0,0 BYRGB+0@0,0"}, 409, "overlap"),
    ({"what": "position", "position": "PRYGB+0@0,0 BYRGB+0@900,0"}, 422, "position_too_large"),
    ({"what": "position", "position": "x" * 20_001}, 422, "malformed"),
    ({"what": "puzzle", "frame": "5x5"}, 422, "bad_frame"),
    ({"what": "puzzle", "frame": "9x10"}, 422, "bad_frame"),
    ({"what": "puzzle", "frame": "4 by 4"}, 422, "bad_frame"),
    ({"colour": "red"}, 422, "malformed"),
]


@pytest.mark.parametrize(("asked", "status", "code"), REFUSED, ids=lambda one: str(one)[:60])
async def test_wrong_options_are_refused_with_codes(
    http: httpx.AsyncClient, asked: dict[str, str], status: int, code: str
) -> None:
    """Alike for the file, its pages and a picture: one sentence and a code."""
    for path in ("/dalapapa.pdf", "/pages", "/page.svg"):
        response = await http.get(path, params=asked)
        assert (response.status_code, response.json()["code"]) == (status, code), response.text
        assert set(response.json()) - {"values"} == {"code", "message"}
        assert len(response.json()["message"]) < 300
        assert "\n" not in response.json()["message"]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("what", ["set", "72"])
async def test_the_size_of_dominoes_is_limited(
    http: httpx.AsyncClient, what: str, paper: str
) -> None:
    async def refused(size: float) -> Any:
        response = await http.get(
            "/pages", params={"what": what, "paper": paper, "size": f"{size:g}"}
        )
        return response.json()["values"] if response.status_code == 422 else None

    largest = (await refused(500))["most"]
    assert await refused(largest) is None
    assert await refused(largest + 0.1) == {"most": largest}


@pytest.mark.parametrize(
    ("page", "status", "code"),
    [("7", 404, "unknown_page"), ("0", 422, "malformed"), ("1001", 422, "malformed"),
     ("one", 422, "malformed"), ("1.5", 422, "malformed")],
)  # fmt: skip
async def test_pages_that_do_not_exist_are_refused(
    http: httpx.AsyncClient, page: str, status: int, code: str
) -> None:
    response = await http.get("/page.svg", params={"page": page})
    assert (response.status_code, response.json()["code"]) == (status, code)


async def test_the_page_option_is_refused_for_whole_prints(http: httpx.AsyncClient) -> None:
    for path in ("/dalapapa.pdf", "/pages"):
        assert (await http.get(path, params={"page": "1"})).json()["code"] == "malformed"


def nonsense(rng: random.Random) -> dict[str, Any]:
    """A few options with values that may be right, wrong or absurd."""
    values = ["", "0", "-1", "1e308", "true", "\0", "é" * 500, "0,0", ",", "1,2,3", "4x4", "x",
              "99x99", "\ud7ff", "PRYGB+0@0,0", "../../etc/passwd", "<svg>", "%00"]  # fmt: skip
    query = {}
    for option in rng.sample(catalogue(), rng.randint(1, 4)):
        query[option.name] = rng.choice([*values, *map(str, option.choices)])
    return query


async def test_nonsense_is_answered_or_refused(http: httpx.AsyncClient) -> None:
    rng = random.Random(6)
    asked = [nonsense(rng) for _ in range(120)]
    paths = [f"/page.svg?{urlencode(one)}" for one in asked]
    found = await asyncio.gather(*(http.get(path) for path in paths))
    for one, response in zip(asked, found, strict=True):
        if response.status_code == 200:
            drawn(response.text)
        else:
            assert response.status_code in (409, 422), one
            assert response.json()["code"] not in ("", "http"), one
    assert {response.status_code for response in found} >= {200, 422}


async def test_texts_in_pictures_are_escaped(http: httpx.AsyncClient) -> None:
    """Nothing that was sent becomes markup."""
    asked = {"what": "solution", "seed": '"><script>alert(1)</script>'}
    response = await http.get("/page.svg", params=asked)
    root = drawn(response.text)
    assert not [one for one in root.iter() if one.tag.endswith("script")]
