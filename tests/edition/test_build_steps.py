"""Steps of the build of the engine that need no compiler (`scripts/engine`)."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.support.import_graph import SOURCE
from tests.support.paths import ROOT
from tests.support.scripting import script

pack = script("engine/pack")
contents = script("engine/contents")
wheels = script("engine/wheels")


def test_packing_depends_on_neither_time_nor_order(tmp_path: Path) -> None:
    texts = {"a.py": "VALUE = 42\n", "b.json": "{}"}
    packed = []
    for names in (("a.py", "b.json"), ("b.json", "a.py")):
        folder = tmp_path / names[0]
        for name in names:
            (folder / "inner").mkdir(parents=True, exist_ok=True)
            (folder / "inner" / name).write_text(texts[name])
        file = tmp_path / f"{names[0]}.zip"
        pack.pack(folder, file, 2)
        packed.append(file)
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with zipfile.ZipFile(packed[0]) as archive:
        assert archive.namelist() == ["inner/a.pyc", "inner/b.json"]
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}


def test_packed_modules_can_be_imported_without_their_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "packed_example.py").write_text('"""A docstring."""\nVALUE = 42\n')
    pack.pack(folder, tmp_path / "modules.zip", 2)
    monkeypatch.syspath_prepend(str(tmp_path / "modules.zip"))
    packed_example = importlib.import_module("packed_example")
    monkeypatch.delitem(sys.modules, "packed_example")
    assert packed_example.VALUE == 42
    assert packed_example.__doc__ is None


@pytest.mark.parametrize("damage", ["interpreted kernel", "missing import"])
def test_the_build_fails_without(damage: str, tmp_path: Path) -> None:
    """The check at the end of the build refuses an interpreted kernel, and a missing module."""
    kernel = tmp_path / "dalapapa" / "kernel"
    kernel.mkdir(parents=True)
    for path in (SOURCE / "kernel").glob("*.py"):
        (kernel / path.name).touch()
    broken = damage == "missing import"
    (kernel.parent / "__init__.py").write_text("import turtle_of_no_library" if broken else "")
    check = ROOT / "scripts" / "engine" / "check.py"
    command = [sys.executable, "-S", str(check)]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    sentence = "No module named 'turtle_of_no_library'" if broken else "it is interpreted"
    assert sentence in done.stderr


def test_the_package_leaves_out_what_it_names() -> None:
    """No pattern has lost its file, and nothing that the engine imports is left out."""
    names = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")]
    for pattern in contents.PACKAGE_LEFT_OUT:
        built = pattern == "web/*"  # Python's folder of the client has no modules.
        assert built or any(fnmatchcase(name, pattern) for name in names), pattern
    kept = list(filter(contents.is_in_package, names))
    assert {"edition/engine.py", "kernel/table.py", "games/classic/bot.py"} <= set(kept)
    assert not [name for name in kept if name.startswith(("server/", "cli/", "adapters/"))]


def test_the_library_keeps_few_encodings() -> None:
    assert not contents.is_in_library("encodings/big5.py")
    assert not contents.is_in_library("unittest/mock.py")
    assert contents.is_in_library("encodings/utf_8.py")
    assert contents.is_in_library("encodings/__init__.py")
    assert contents.is_in_library("json/decoder.py")


def test_a_requirement_is_cut_out_of_a_lock_file() -> None:
    wanted = "b==2 \\\n    --hash=sha256:11 \\\n    --hash=sha256:22\n"
    lock = f"a==1 \\\n    --hash=sha256:00\n{wanted}c==3\n"
    assert wheels.cut_requirement("b", lock) == wanted
    run = wheels.cut_requirement("msgspec", (ROOT / "requirements" / "run.lock").read_text())
    assert run.count("--hash=sha256:") > 10
    assert run.count("==") == 1


def test_modules_of_the_engine_import_only_what_its_library_has() -> None:
    """At their top: what a function imports, it needs only where it is called."""
    wrong = []
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if contents.is_in_package(name):
            for node in ast.parse(path.read_text()).body:
                modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    modules.append(node.module)
                wrong += [(name, one) for one in modules if not _is_available(one)]
    assert not wrong


def _is_available(module: str) -> bool:
    file = module.replace(".", "/")
    return module.partition(".")[0] not in sys.stdlib_module_names or (
        contents.is_in_library(f"{file}.py") and contents.is_in_library(f"{file}/__init__.py")
    )
