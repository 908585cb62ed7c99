"""Where the browsers of tests are looked for, and how missing ones are installed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import programs, provision
from tests.support.missing import Missing

WORKS, BROKEN = "#!/bin/sh\necho Chromium 1\n", "#!/bin/sh\nexit 127\n"


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a machine without browsers; the folder is where Playwright downloads to."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.delenv("FIREFOX", raising=False)
    monkeypatch.setattr(programs, "CHROMIUM_NAMES", ("chromium",))  # No absolute paths.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # Another clone may hold the lock.
    return tmp_path / "downloads"


def put_program(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_every_missing_program_is_named_with_a_remedy(empty: Path) -> None:
    for find in (
        programs.find_headless_shell,
        programs.find_chromium,
        programs.find_chromedriver,
        programs.find_firefox,
        programs.find_webkit,
        programs.find_orca,
    ):
        with pytest.raises(Missing, match=r"^This machine lacks .+ Get it with `.+`"):
            find()


def test_a_downloaded_browser_is_found_if_it_can_start(empty: Path) -> None:
    folder = empty / "chromium_headless_shell-1254" / "chrome-linux"
    broken = put_program(folder / "headless_shell", BROKEN)
    assert programs.find_shell_alone() is None
    works = put_program(Path(broken), WORKS)
    assert programs.find_headless_shell() == works
    full = put_program(empty / "chromium-1254" / "chrome-linux64" / "chrome", WORKS)
    assert programs.find_chromium() == full


def test_an_installed_browser_comes_before_a_downloaded_one(empty: Path, tmp_path: Path) -> None:
    put_program(empty / "chromium-1254" / "chrome-linux64" / "chrome", WORKS)
    installed = put_program(tmp_path / "bin" / "chromium", WORKS)
    assert programs.find_headless_shell() == programs.find_chromium() == installed


def test_a_named_browser_comes_first(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/some/where")
    assert programs.find_headless_shell() == programs.find_chromium() == "/some/where"


@pytest.mark.parametrize("root", [True, False])
def test_playwright_comes_first_and_packages_need_root(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: bool
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], timeout_s: float) -> None:
        commands.append(command)

    monkeypatch.setattr(provision, "_run", run)
    monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000)
    put_program(tmp_path / "bin" / "apt-get", WORKS)
    provision.main()
    assert commands[0][1:4] == ["-m", "playwright", "install"]
    installs = [set(command) for command in commands if "--no-install-recommends" in command]
    assert len(installs) == root
    for packages in installs:
        assert packages > {"chromium-headless-shell", "firefox-esr", "webkit2gtk-driver", "orca"}


def test_a_failing_installer_is_reported_and_does_not_stop_the_tests(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for command in (["sh", "-c", "echo no network; exit 1"], ["/does/not/exist"]):
        provision._run(command, 60)
    said = capfd.readouterr().out.splitlines()
    assert said[0].endswith("failed: no network")
    assert len(said) == 2


def test_nothing_is_installed_where_all_is_there(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(command: list[str], timeout_s: float) -> Any:
        raise AssertionError(command)

    monkeypatch.setattr(provision, "_run", refuse)
    monkeypatch.setattr(provision, "_is_missing", lambda _: False)
    provision.main()
