"""The engine in the three browser engines, from static files below another path."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalapapa import __version__
from dalapapa.edition.messages import MAX_DEPTH
from tests.support.browser.engine_page import open_engine_page
from tests.support.engine import ask
from tests.support.engine_games import list_games, list_questions

pytestmark = pytest.mark.thorough

ENGINES = ("chromium", "firefox", "webkit")


@pytest.mark.parametrize("name", ENGINES)
def test_answers_are_the_same_as_natively(name: str, tmp_path: Path) -> None:
    with open_engine_page(name, tmp_path) as page:
        description = page.ask("describe")
        assert description == ask("describe")
        assert description["version"] == __version__
        assert description["compiled"]
        for method, asked in [*list_questions(), *list_games()]:
            assert page.ask(method, **asked) == ask(method, **asked), (method, asked)
        assert page.driver.troubles == []


PROGRESS = """async () => {
  const seen = { loading: [], progress: [] };
  const engine = startEngine();
  engine.onLoading = (done) => seen.loading.push(done);
  const players = ["novice", "novice"];
  const record = await engine.call("simulate", { game: "classic", players, seed: "1" });
  const onProgress = (done) => seen.progress.push(done);
  await engine.call("review", { record, seconds: 0.01 }, { onProgress });
  engine.close();
  return { ...seen, heap: engine.heapBytes };
}"""

CANCEL = """async () => {
  const engine = startEngine();
  const players = ["expert", "expert"];
  await engine.call("describe", {});
  const cancelling = new AbortController();
  const settled = (call) => call.then(() => "answer", (error) => error.name);
  const { signal } = cancelling;
  const asked = { game: "classic", players, seconds: 60 };
  const long = settled(engine.call("simulate", asked, { signal }));
  const short = settled(engine.call("describe", {}));
  cancelling.abort();
  const ended = [await long, await short];
  engine.close();
  return ended;
}"""

FATAL = """async (levels) => {
  const engine = startEngine();
  const players = ["expert", "expert"];
  await engine.call("describe", {});
  const settled = (call) => call.then(() => "answer", (error) => error.code);
  // Nothing that a page asks ends the interpreter, so its worker reports that it has.
  const first = settled(engine.call("simulate", { game: "classic", players, seconds: 60 }));
  const second = settled(engine.call("describe", {}));
  engine.worker.onmessage({ data: { type: "fatal", reason: "a test" } });
  const deep = settled(engine.call("verify", { record: "[".repeat(levels) }));
  const ended = [await first, await second, await deep];
  engine.close();
  return ended;
}"""


@pytest.mark.parametrize("name", ENGINES)
def test_workers_report_progress_end_and_start_again(name: str, tmp_path: Path) -> None:
    with open_engine_page(name, tmp_path) as page:
        seen = page.driver.run(PROGRESS)
        for shares in (seen["loading"], seen["progress"]):
            assert len(shares) > 2
            assert shares == sorted(shares)
        assert seen["heap"] > 1_000_000
        assert page.driver.run(CANCEL) == ["AbortError", "answer"]
        ended = page.driver.run(FATAL, 100 * MAX_DEPTH)
        assert ended == ["too_hard", "answer", "malformed"]


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_does_not_arrive_says_so(name: str, tmp_path: Path) -> None:
    with open_engine_page(name, tmp_path) as page:
        package = tmp_path / "files" / page.parts["package"]
        package.write_bytes(package.read_bytes()[: package.stat().st_size // 2])
        assert page.ask("describe") == {"refused": "not_loaded"}, "only half of it has arrived"
        package.unlink()
        assert page.ask("describe") == {"refused": "not_loaded"}
        (tmp_path / "files" / page.parts["worker"]).unlink()
        page.driver.run("() => { window.engine = startEngine(); }")
        assert page.ask("describe") == {"refused": "not_loaded"}
