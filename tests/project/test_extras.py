"""The engine alone, with nothing else installed; and what is missing then, in one sentence."""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import httpx
import pytest

import dalapapa
from dalapapa.client import Server
from dalapapa.core.errors import MissingExtra
from dalapapa.core.extras import MODULES, PURPOSES, require
from dalapapa.server.storage.store import Store
from dalapapa.server.workers import pool
from tests.support.paths import ROOT
from tests.support.serving import PATIENCE, in_thread

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCE = Path(dalapapa.__file__).parents[1]
POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"

RUN = """
import contextlib, io, json, sys
from dalapapa import cli
results = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["dalapapa", *words]
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main()
        except SystemExit as end:
            code = end.code or 0
    results.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""


def requirements(words: list[str]) -> set[str]:
    """The names of what is asked for, on Linux, with what extras of our own bring along."""
    found = set()
    for word in words:
        name, extras = re.match(r"([\w-]+)(?:\[([\w,]+)\])?", word).groups()  # type: ignore[union-attr]
        if name == PROJECT["name"]:
            for extra in extras.split(","):
                found |= requirements(PROJECT["optional-dependencies"][extra])
        else:
            found.add(name.lower())
    return found


def with_all_they_need(names: set[str]) -> set[str]:
    """Packages with those that they ask for themselves."""
    found: set[str] = set()
    while names:
        found |= names
        asked = {
            re.split(r"[^\w.-]", line)[0].lower()
            for name in names
            for line in distribution(name).requires or ()
            if "extra ==" not in line and "platform_system" not in line
        }
        names = {name for name in asked if name in installed()} - found
    return found


@cache
def brought() -> dict[str, set[str]]:
    """The packages that bring each module; Ray is installed nowhere here."""
    found = {"ray": ["ray"], **packages_distributions()}
    return {
        module: {name.lower().replace("_", "-") for name in names}
        for module, names in found.items()
    }


@cache
def installed() -> set[str]:
    return set().union(*brought().values())


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the path with what the engine needs, and nothing else."""
    folder = tmp_path_factory.mktemp("light")
    for name in with_all_they_need(requirements(PROJECT["dependencies"])):
        for file in distribution(name).files or ():
            top = Path(file.parts[0])
            if top.name not in ("..", "__pycache__") and not (folder / top).exists():
                (folder / top).symlink_to(distribution(name).locate_file(top))  # type: ignore[arg-type]
    return folder


def python(light: Path, *words: str) -> str:
    """What Python prints that knows the engine alone (-S: no installed packages)."""
    path = os.pathsep.join(map(str, (light, SOURCE)))
    return subprocess.run(
        [sys.executable, "-S", "-c", *words],
        cwd=light, env={"PYTHONPATH": path, "HOME": str(light)}, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip


def run(light: Path, *commands: list[str]) -> list[tuple[int, str, str]]:
    """What `dalapapa` answers to each of the commands."""
    return [tuple(answer) for answer in json.loads(python(light, RUN, json.dumps(commands)))]


def test_the_engine_alone_plays_studies_and_draws(light: Path, tmp_path: Path) -> None:
    records, picture = tmp_path / "records", tmp_path / "table.svg"
    given = ["--position", POSITION]
    result = run(
        light,
        ["tiles"],
        ["games", "classic"],
        ["legal", *given, "--tile", "DRYGB"],
        ["best", *given, "--hand", "DRYGB", "ZGBRY"],
        ["groups", *given],
        ["draw", *given, "-o", str(picture)],
        ["solve", "--pile", "1"],
        ["simulate", "--players", "greedy,random", "--games", "1", "--records", str(records)],
        ["replay", str(records / "classic-000000.json")],
    )
    assert [(code, err) for code, _, err in result] == [(0, "")] * len(result)
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert "Verified" in result[-1][1]


MISSING = {
    ("play", "--no-browser"): ("server", "missing_extra"),
    ("export", "tables.jsonl"): ("server", "missing_extra"),
    ("admin", "list"): ("server", "missing_extra"),
    ("bot", "--table", "x", "program"): ("client", "missing_extra"),
    ("print", "-o", "set.pdf"): ("print", "missing_extra"),
    ("draw", "--position", POSITION, "-o", "table.png"): ("print", "no_png"),
    ("simulate", "--players", "random,random", "--engine", "ray"): ("ray", "no_ray"),
}


def test_a_missing_extra_is_named_with_the_command_that_installs_it(light: Path) -> None:
    result = run(light, *map(list, MISSING))
    for (extra, code), (status, out, err) in zip(MISSING.values(), result, strict=True):
        assert (status, out) == (2, "")
        assert err.startswith(f"Error ({code}): ")
        assert err.endswith(
            f'needs more packages: in a checkout of Dalapapa, run pip install ".[{extra}]".\n'
        )
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "extra"),
    [("adapters.zoo", "rl"), ("adapters.observations", "rl"), ("client", "client"),
     ("server.run", "server")],
)  # fmt: skip
def test_a_library_without_its_extra_is_an_import_error_with_a_code(
    light: Path, module: str, extra: str
) -> None:
    printed = python(
        light,
        f"try:\n import dalapapa.{module}\n"
        "except ImportError as error:\n print(type(error).__name__, error.code, error)",
    )
    assert printed == (
        f"MissingExtra missing_extra {PURPOSES[extra]} needs more packages:"
        f' in a checkout of Dalapapa, run pip install ".[{extra}]".\n'
    )


def test_sqlite_needs_no_driver_of_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtra, match=r'PostgreSQL .* pip install "\.\[postgres\]"'):
        Store("postgresql+asyncpg:///tables")
    for path in (SOURCE / "dalapapa" / "server").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                assert "asyncpg" not in {name.name for name in node.names}, path
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] != "asyncpg", path


def test_a_server_without_printing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its workers are other processes: they are without it, too.
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['reportlab'] = None\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setattr(pool, "CONTEXT", multiprocessing.get_context("spawn"))
    with in_thread() as url:
        answer = httpx.get(
            f"{url}/api/print/dalapapa.pdf?what=scores", timeout=PATIENCE, verify=False
        )
    assert answer.status_code == 501
    assert answer.json() == {
        "code": "missing_extra",
        "message": "Printing needs more packages: in a checkout of Dalapapa, run"
        ' pip install ".[print]".',
    }


def test_extras_are_those_of_the_package() -> None:
    extras = PROJECT["optional-dependencies"]
    assert {*MODULES, "all"} == extras.keys()
    assert MODULES.keys() == PURPOSES.keys()
    for extra, modules in MODULES.items():
        found = set().union(*(brought()[module] for module in modules))
        assert found <= requirements(extras[extra])
        own = requirements([word for word in extras[extra] if not word.startswith("dalapapa")])
        assert own - {"uvloop"} <= found, extra  # Which is quicker, but not needed.
    assert requirements(extras["all"]) == requirements([f"dalapapa[{','.join(MODULES)}]"])


def test_installed_extras_are_not_reported_as_missing() -> None:
    for extra in MODULES.keys() - {"ray"}:
        require(extra)
    assert Server("http://127.0.0.1:8072").url == "http://127.0.0.1:8072"
