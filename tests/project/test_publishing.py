"""What a public repository and its releases need: each file says what is true here."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from dalapapa import __version__
from dalapapa.cli import commands
from tests.support.paths import ROOT
from tests.support.scripting import script

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def read(name: str) -> Any:
    """A file of YAML; `on:` is True in it."""
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


# -- releases ------------------------------------------------------------------------------------


def test_this_version_may_be_published_from_its_repository() -> None:
    check = script("check_release").problems
    repository = PROJECT["urls"]["Source"].removeprefix("https://github.com/")
    first = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[0]
    if first == "Unreleased":  # Then the version is one that is being worked on.
        assert ".dev" in __version__
    else:
        assert check(f"v{__version__}", repository) == []
    assert check("v9.9.9", None)[0] == f"The tag is v9.9.9, but the version is {__version__}."
    assert "not another/owner" in check(f"v{__version__}", "another/owner")[-1]


def test_the_changelog_is_short_and_in_the_usual_form() -> None:
    """As keepachangelog.com describes it, so that tools and readers find what they know."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *versions = re.split(r"^## ", text, flags=re.M)
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for version in versions:
        title, *lines = (line for line in version.splitlines() if line)
        assert re.fullmatch(r"Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", title)
        used = [line.removeprefix("### ") for line in lines if line.startswith("#")]
        assert used == [kind for kind in kinds if kind in used], title
        assert len(lines) <= 50, f"{title} has {len(lines)} lines: say it shorter"


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert script("check_release").version() == __version__
    for name in ("setup.py", "CITATION.cff", "Dockerfile", "compose.yaml", "web/package.json"):
        assert __version__ not in (ROOT / name).read_text(encoding="utf-8"), name


def test_addresses_are_of_one_repository() -> None:
    source = PROJECT["urls"]["Source"]
    owner, name = source.split("/")[-2:]
    pages = f"https://{owner}.github.io/{name}/"
    assert all(url.startswith((source, pages)) for url in PROJECT["urls"].values())
    assert read("CITATION.cff")["repository-code"] == source
    security = read(".github/ISSUE_TEMPLATE/config.yml")["contact_links"][0]["url"]
    assert security == f"{source}/security/advisories/new"


def test_the_description_leads_somewhere_on_any_page() -> None:
    # Without building anything.
    code = """
import Cython.Build, pathlib, setuptools
Cython.Build.cythonize = lambda *_, **__: []
setuptools.setup = lambda **options: print(options["long_description"])
exec(pathlib.Path("setup.py").read_text(encoding="utf-8"))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    targets = re.findall(r"\]\(([^)]+)\)", result)
    assert targets
    assert all(target.startswith(("https://", "#")) for target in targets)


def test_wheels_are_built_for_every_python_that_is_named() -> None:
    named = {
        word.rpartition(" ")[2].replace(".", "")
        for word in PROJECT["classifiers"]
        if re.search(r":: 3\.\d+$", word)
    }
    built = {
        re.sub(r"^cp(\d+)-\*$", r"\1", one) for one in PYPROJECT["tool"]["cibuildwheel"]["build"]
    }
    assert named == built
    for settings in (PYPROJECT["tool"]["cibuildwheel"], PYPROJECT["tool"]["cibuildwheel"]["macos"]):
        assert settings["environment"]["DALAPAPA_RELEASE"] == "1"


# -- workflows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_do_little_and_call_what_is_there(path: Path) -> None:
    workflow = read(str(path.relative_to(ROOT)))
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["permissions"], name
        assert job["permissions"].get("contents", "read") == "read"
        if "uses" in job:
            assert (ROOT / job["uses"]).exists()
            continue
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            if "uses" in step:
                assert re.search(r"@v\d+\.\d+\.\d+$", step["uses"]), step["uses"]
                if "checkout" in step["uses"]:
                    assert step["with"]["persist-credentials"] is False
            else:
                check_command(step["run"])


def check_command(text: str) -> None:
    """Whether what a command names is there. No text of others ever gets into a command."""
    assert "${{" not in text
    words = shlex.split(text)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", MAKEFILE, re.MULTILINE), text
    for word in words:
        if word.startswith(("scripts/", "tests/")):
            assert (ROOT / word).exists(), word


def test_tests_and_releases_are_among_the_workflows() -> None:
    assert {path.stem for path in WORKFLOWS} == {"release", "site", "tests", "wheels"}
    publish = read(".github/workflows/release.yml")["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"


def test_the_static_edition_is_what_is_published() -> None:
    workflow = read(".github/workflows/site.yml")["jobs"]
    assert {"run": "make site"} in workflow["build"]["steps"]
    assert workflow["build"]["steps"][-1]["with"] == {"path": "build/edition"}
    assert workflow["publish"]["permissions"] == {"id-token": "write", "pages": "write"}


# -- containers ----------------------------------------------------------------------------------

DOCKERFILE = list(
    script("try_dockerfile").instructions((ROOT / "Dockerfile").read_text(encoding="utf-8"))
)


def options_of(words: list[str]) -> None:
    """Whether a command line is one that there is."""
    command = commands.commands[words[0]]
    with command.make_context(words[0], words[1:]) as made:
        assert made.params["no_browser"]
        assert made.params["port"] == 8072


def test_the_image_runs_without_rights_and_reports_its_health() -> None:
    instructions = dict(DOCKERFILE)
    assert int(instructions["USER"]) > 0
    assert (
        f"useradd --system --uid {instructions['USER']}" in instructions["RUN"]
    )  # The last of them.
    assert "/ready" in instructions["HEALTHCHECK"]
    assert yaml.safe_load(instructions["ENTRYPOINT"]) == ["dalapapa"]
    options_of(yaml.safe_load(instructions["CMD"]))


def test_the_image_is_built_from_what_it_needs() -> None:
    given = set(script("try_dockerfile").context((ROOT / ".dockerignore").read_text()))
    for name in (
        *("LICENSE", "README.md", "pyproject.toml", "setup.py", "requirements/run.lock"),
        *("scripts/build_backend.py", "src/dalapapa/__init__.py", "web/package-lock.json"),
    ):
        assert Path(name) in given, name
    assert not any(path.parts[0] in ("tests", ".git", "docs") for path in given)


def test_both_containers_are_closed_and_wait_for_each_other() -> None:
    services = read("compose.yaml")["services"]
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert services["server"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "pg_isready" in services["database"]["healthcheck"]["test"]
    words = services["server"]["command"]
    assert words == [
        word.replace("localhost", "${DALAPAPA_HOST:-localhost}").replace(
            "172.30.72.0/24", "${DALAPAPA_SUBNET:-172.30.72.0/24}"
        )
        for word in script("try_dockerfile").read_compose_command(
            "postgresql://dalapapa@database/dalapapa"
        )
    ]
    options_of(words)


@pytest.mark.thorough
def test_the_steps_of_the_dockerfile_work(postgres_database: str) -> None:
    url = postgres_database.replace("+asyncpg", "")
    words = [str(ROOT / "scripts" / "try_dockerfile.py"), "--postgres", url]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("healthy, answered and ended") == 2


# -- habits --------------------------------------------------------------------------------------


def test_pre_commit_runs_what_make_lint_runs() -> None:
    (repository,) = read(".pre-commit-config.yaml")["repos"]
    hooks = {hook["entry"].replace(".venv/bin/", "") for hook in repository["hooks"]}
    lint = re.findall(r"^lint-\w+:.*\n((?:\t.+\n)+)", MAKEFILE, re.MULTILINE)
    made = {line.strip().replace("$(BIN)/", "") for lines in lint for line in lines.splitlines()}
    assert hooks == {re.sub(r" --check \.$| \.$", "", line) for line in made}


def test_the_repository_says_how_to_report() -> None:
    for name in ("SECURITY.md", "CONTRIBUTING.md", "LICENSE", "docs/stability.md", ".editorconfig"):
        assert (ROOT / name).stat().st_size > 100
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = read(str(path.relative_to(ROOT)))
        assert path.name == "config.yml" or any(
            part.get("validations", {}).get("required") for part in form["body"]
        )
