"""The engine as `make engine` builds it: what is in it, and that it answers as it does natively."""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.engine import ask, ask_in_node, find_engine, read_manifest, run_in_node
from tests.support.engine_games import list_games, list_questions
from tests.support.paths import ROOT
from tests.support.scripting import script

pytestmark = pytest.mark.thorough

MAX_GZIP_BYTES = 7_000_000


def read_files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_the_manifest_lists_all_files() -> None:
    engine = find_engine()
    files, manifest = read_files(engine), read_manifest(engine)
    del files["manifest.json"]
    assert [entry["path"] for entry in manifest["files"]] == sorted(files)
    for entry in manifest["files"]:
        data = files[entry["path"]]
        assert entry["bytes"] == len(data)
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
        assert entry["gzip_bytes"] == len(gzip.compress(data, 9, mtime=0))
        assert re.search(r"-[0-9a-f]{12}[./]", entry["path"]), "a name changes with its content"
    assert manifest["gzip_bytes"] == sum(entry["gzip_bytes"] for entry in manifest["files"])
    assert manifest["gzip_bytes"] <= MAX_GZIP_BYTES
    for part in manifest["parts"].values():
        assert any(name.startswith(part) for name in files)


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "build_engine.py"
    again = tmp_path / "in another folder"
    subprocess.run([sys.executable, script, again], cwd=tmp_path, check=True, capture_output=True)
    first, second = read_files(find_engine()), read_files(again)
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []


def test_games_are_the_same_bytes_as_natively() -> None:
    games = list_games()
    for (_, asked), record in zip(games, ask_in_node(games), strict=True):
        assert record == ask("simulate", **asked), (asked["game"], asked["players"])


def test_other_answers_are_the_same_as_natively() -> None:
    questions = list_questions()
    assert ask_in_node(questions) == [ask(method, **asked) for method, asked in questions]


def test_the_tests_of_kernel_and_rules_pass_inside(tmp_path: Path) -> None:
    wheels = script("engine/wheels")
    wheels.unpack_wheel("hypothesis", ROOT / "requirements" / "dev.lock", tmp_path)
    tests = ROOT / "tests" / "support" / "engine_pytest.py"
    done = run_in_node(tests, f"/host{tmp_path}", whole_library=True)
    last = done.stdout.strip().splitlines()[-1:]
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", last[0])
    assert passed
    assert int(passed[1]) > 1_000, last
