"""The engine for browsers: questions to it in this process and in Node.js."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from dalapapa.edition.engine import answer
from tests.support.missing import Missing
from tests.support.paths import ROOT

BUILT = ROOT / "build" / "edition" / "engine"
"""Where `make engine` puts it."""

Question = tuple[str, dict[str, Any]]
"""A method and its arguments."""


def find_engine() -> Path:
    """The engine as `make engine` has built it."""
    if not (BUILT / "manifest.json").exists():
        raise Missing("the engine for browsers", "Build it with `make engine`.")
    return BUILT


def read_manifest(engine: Path) -> Any:
    return json.loads((engine / "manifest.json").read_text())


def ask(method: str, **arguments: Any) -> Any:
    """Ask the engine in this process; an error is its code."""
    return read_reply(json.loads(answer(write_question(method, arguments), lambda _: None)))


def write_question(method: str, arguments: dict[str, Any]) -> str:
    return json.dumps({"method": method, "arguments": arguments})


def read_reply(reply: dict[str, Any]) -> Any:
    """The answer in a reply; an error is its code."""
    return {"refused": reply["error"]["code"]} if "error" in reply else reply["answer"]


def run_in_node(
    script: Path, *words: str, whole_library: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a script in the Python of the engine."""
    node = [sys.executable, str(ROOT / "scripts" / "build_web.py"), "node", "engine/run.mjs"]
    options = ["--engine", str(find_engine()), *(["--whole-library"] if whole_library else [])]
    return subprocess.run(
        [*node, *options, str(script), *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def ask_in_node(questions: list[Question]) -> list[Any]:
    """Ask the engine in Node.js."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "questions.json"), Path(folder, "answers.json")
        asked.write_text(json.dumps([write_question(*question) for question in questions]))
        script = ROOT / "tests" / "support" / "engine_answers.py"
        done = run_in_node(script, f"/host{asked}", f"/host{answered}")
        assert done.returncode == 0, done.stderr[-2000:]
        return [read_reply(json.loads(text)) for text in json.loads(answered.read_text())]
