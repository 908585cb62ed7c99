"""What README and docs take from the code is in them, and fresh; `test_documented.py` runs them."""

from __future__ import annotations

import ast
import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
import pytest

from dalapapa.bots import BOTS
from dalapapa.core import errors
from dalapapa.games import REGISTRY
from dalapapa.hosting import encoder, protocol
from dalapapa.hosting.requests import NewTable
from dalapapa.hosting.settings import Clock, SeatPlan, Settings
from dalapapa.hosting.state import open_table
from dalapapa.server.app import ROUTES
from dalapapa.server.http.openapi import build_openapi
from tests.support.paths import ROOT
from tests.support.scripting import script

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_the_readme_begins_with_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "```sh\nmake play\nmake test\n```" in text
    assert (ROOT / ".ci" / "run").read_text() == "make test\n"


def test_commands_in_the_docs_exist() -> None:
    from dalapapa.cli import commands

    for page in PAGES:
        for name in re.findall(r"`dalapapa ([a-z]+)", page.read_text()):
            assert name in commands.commands, f"{page.name}: dalapapa {name}"


def test_the_page_of_the_command_line_has_every_command() -> None:
    from dalapapa.cli import commands

    page = (ROOT / "docs" / "command-line.md").read_text()
    table = page[page.index("## Commands") : page.index("### Common options")]
    listed = set(re.findall(r"`(?:dalapapa )?([a-z]+)`", table))
    assert listed >= commands.commands.keys()


HOST_PAGES = (
    *("hosting", "public-server", "limits", "notifications"),
    *("operations", "monitoring", "scaling", "troubleshooting"),
)


def test_the_pages_for_hosts_have_every_option_of_a_server() -> None:
    from dalapapa.cli import commands

    text = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in HOST_PAGES)
    admin = commands.commands["admin"]
    assert isinstance(admin, click.Group)
    of_hosts = [commands.commands[name] for name in ("play", "export", "import", "check")]
    of_hosts += [commands.commands[name] for name in ("backup", "restore")]
    for command in (*of_hosts, *admin.commands.values()):
        for param in command.params:
            if isinstance(param, click.Option):
                assert param.opts[0] in text, (command.name, param.opts)


def test_the_page_of_games_is_fresh() -> None:
    """`make docs` has been run since an option changed; every option says what it is."""
    page = script("write_games").page()
    assert (ROOT / "docs" / "games.md").read_text() == page, "run `make docs`"
    assert "|  |" not in page


@pytest.mark.parametrize(
    "name",
    ["limits.md", "notifications.md", "operations.md", "protocol-fields.md", "socket.md"],
)
def test_generated_parts_of_pages_are_fresh(name: str) -> None:
    """`make docs` has been run since a view, an event, a move or a limit changed."""
    module = script("write_protocol")
    path = ROOT / "docs" / name
    assert path in module.PAGES
    assert path.read_text() == module.page(path), "run `make docs`"


# -- the protocol ----------------------------------------------------------------------------

HTTP_API, SOCKET, FIELDS, ERRORS = (
    (ROOT / "docs" / f"{name}.md").read_text()
    for name in ("http-api", "socket", "protocol-fields", "errors")
)


def cells(text: str) -> list[list[str]]:
    """The rows of the tables of a page."""
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines()
            if line.startswith("|")]  # fmt: skip


def names(text: str) -> set[str]:
    """What stands in back-quotes."""
    return set(re.findall(r"`(\w+)`", text))


def test_the_protocol_has_every_route_and_all_that_is_sent_there() -> None:
    described = build_openapi(ROUTES)
    routes = re.findall(
        r"^\* `(GET|POST|DELETE) ([^`]+)`.*(?:\n    \* Send: (.+))?", HTTP_API, re.MULTILINE
    )
    documented = {(method, path.partition("?")[0]): body for method, path, body in routes}
    assert len(documented) == len(routes)
    served = {
        (method.upper(), path): how
        for path, ways in described["paths"].items()
        for method, how in ways.items()
    }
    assert documented.keys() == served.keys()
    for route, how in served.items():
        body = how.get("requestBody", {"content": {"application/json": {"schema": {}}}})
        kind = body["content"]["application/json"]["schema"].get("$ref", "").rpartition("/")[2]
        fields = described["components"]["schemas"][kind]["properties"] if kind else {}
        assert names(documented[route]) == set(fields), route
        header = any(one["name"] == "authorization" for one in how.get("parameters", ()))
        assert ("*token*" in documented[route]) == header, route


def test_the_protocol_describes_a_new_table_as_it_is() -> None:
    shown = re.search(r"^    (\{\n      \"game\".*?^    \})", HTTP_API, re.MULTILINE | re.DOTALL)
    assert shown
    new = json.loads(shown[1])
    usual = msgspec.json.decode(msgspec.json.encode(NewTable()))
    assert new | {"options": {}, "clock": {}} == usual
    assert Clock(**new["clock"]) == Clock()


BELOW = (
    *("kernel/solver", "kernel/table", "record"),
    *("core/layout", "core/notation", "core/options", "core/tiles"),
)
OWN_COMMANDS = {"choose.py", "lockfile.py", "run.py", "takeover.py"}
"""Modules of `server/runtime` and `server/bus` that answer no request; none of `server/ops`
does."""

BY_OTHER_MEANS = {
    "same_colour", "no_review", "disk_full", "read_only", "missing_extra", "no_png",
}  # fmt: skip
"""Codes that Conquest forwards, that only the coach uses, and that name what a server lacks."""
NEVER_SENT = {
    "already_rematched", "bad_charge", "bad_count", "bad_database", "bad_faces", "bad_hands",
    "bad_host", "bad_keep", "bad_limits", "bad_notify", "bad_proxy", "bad_record", "bad_scores",
    "bad_table", "empty", "frame_full", "frozen", "illegal_move", "no_advice", "no_position",
    "no_timer", "other_game", "record_too_large", "unknown_viewer", "usage",
}  # fmt: skip
"""What no request can bring about: the server's own moves, what was checked before, and what only
a caller of the library can do."""


def test_the_protocol_has_every_refusal() -> None:
    """All codes that stand in the code behind the server, and no others."""
    source = ROOT / "src" / "dalapapa"
    below = [source / f"{name}.py" for name in BELOW]
    server = [
        path
        for path in (source / "server").rglob("*.py")
        if path.parent.name != "ops" and path.name not in OWN_COMMANDS
    ]
    raised: set[str] = set()
    printing = (source / "printing").rglob("*.py")
    problems = (source / "problems").glob("*.py")
    shared = [path for name in ("games", "hosting") for path in (source / name).rglob("*.py")]
    for path in (*shared, *below, *server, *printing, *problems):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                raised |= codes_in(node, node.func.id)
    table = ERRORS[ERRORS.index("## Codes") : ERRORS.index("## HTTP status codes")]
    listed = {code for row in cells(table) for code in names(row[0])}
    assert listed - raised == BY_OTHER_MEANS
    assert raised - listed == NEVER_SENT


def codes_in(call: ast.Call, name: str) -> set[str]:
    """The code of a refusal: its second argument, or the first one of an error response."""
    kind = getattr(errors, name, None)
    if kind is None and name != "make_error_response":
        return set()
    if kind is not None and len(call.args) == 1:
        return set() if isinstance(call.args[0], ast.Starred) else {kind.default_code}
    code = call.args[0 if kind is None else 1]
    return {str(code.value)} if isinstance(code, ast.Constant) else set()


def test_the_protocol_names_every_field_of_a_summary() -> None:
    settings = Settings("classic", (SeatPlan("greedy"),) * 2, clock=Clock("bank"))
    state = open_table(settings, "seed", 0)
    summary = msgspec.to_builtins(encoder.summarize("id", state))
    table = FIELDS[FIELDS.index("## Table summary") : FIELDS.index("## Views")]
    named = {name for row in cells(table) for name in names(row[0])}
    assert named == {*summary, "seed"}
    for field in summary["seats"][0]:
        assert f"`{field}`" in table


def test_the_protocol_names_every_field_of_every_view() -> None:
    table = FIELDS[FIELDS.index("## Views") : FIELDS.index("## Events")]
    rows = [(games.split(", "), *names(field)) for games, field, *_ in cells(table) if "`" in field]
    for game in REGISTRY.values():
        settings = Settings(game.name, (SeatPlan("greedy"),) * game.seats[-1])
        view = encoder.build_views(open_table(settings, "seed", 0), ())["spectator"]
        listed = {field for games, field, *_ in rows if games == ["all"] or game.name in games}
        assert set(view) == listed


def test_the_messages_of_the_protocol_can_be_read() -> None:
    sent = re.findall(r'^    (?:> )?(\{"type": .*\})$', SOCKET, re.MULTILINE)
    kinds = {type(protocol.read_message(text)) for text in sent}
    assert kinds == set(get_args(protocol.FromClient))


def test_the_protocol_names_every_bot() -> None:
    assert names(HTTP_API) >= set(BOTS)


def test_the_page_of_metrics_names_all_of_them() -> None:
    source = (ROOT / "src" / "dalapapa" / "server" / "monitoring" / "metrics.py").read_text()
    page = (ROOT / "docs" / "monitoring.md").read_text()
    assert set(re.findall(r"`(dalapapa_\w+)`", page)) == set(
        re.findall(r'"(dalapapa_\w+)"', source)
    )


def test_every_package_is_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    package = ROOT / "src" / "dalapapa"
    for path in package.iterdir():
        if path.suffix == ".py" and not path.name.startswith("_"):
            assert f"`{path.name}`" in text, path.name
        elif path.is_dir() and path.name != "__pycache__":
            assert f"{path.name}/" in text, path.name


def test_figures_are_drawn_from_the_scenarios_of_today(tmp_path: Path) -> None:
    script("draw_figures").main(tmp_path)
    committed = {path.name: path.read_text() for path in (ROOT / "docs" / "figures").iterdir()}
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert drawn == committed, "run `make figures`"


def test_the_picture_of_the_tutorial_is_what_its_code_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "tutorial.md").read_text()
    session = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    names_of_the_page: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(session):
        if example.exc_msg is None:
            exec(example.source, names_of_the_page)
    assert (tmp_path / "position.svg").read_text() == (ROOT / "docs/tutorial.svg").read_text()


def test_no_machine_or_registry_is_named() -> None:
    """Lock files carry versions and hashes, no addresses; nothing names a path of a machine."""
    for lock in (ROOT / "requirements").iterdir():
        text = lock.read_text()
        assert "://" not in text
        assert "--index" not in text
        assert "--hash=sha256:" in text


# -- labels of the interface -------------------------------------------------------------------


def test_labels_in_curly_quotes_are_those_of_the_interface() -> None:
    """Docs write buttons and headings of the client in curly quotes, and nothing else."""
    areas = (ROOT / "web" / "src" / "texts").glob("*/en.json")
    labels = {label for area in areas for label in all_texts(json.loads(area.read_text()))}
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    quoted = {
        (page.name, label)
        for page in pages
        for label in re.findall("“([^”]+)”", page.read_text(encoding="utf-8"))
    }
    assert ("problems.md", "Play this turn") in quoted
    unknown = {(page, label) for page, label in quoted if " ".join(label.split()) not in labels}
    assert not unknown


def all_texts(texts: Any) -> Iterator[str]:
    """Every text of a file of texts, however deep."""
    if isinstance(texts, str):
        yield texts
    else:
        for one in texts.values():
            yield from all_texts(one)
