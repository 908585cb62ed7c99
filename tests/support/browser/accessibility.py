"""What axe finds in a page."""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Page

from tests.support.paths import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


CHECK = """async (rules) => {
  const options = { resultTypes: ["violations"], elementRef: true };
  const { violations } = await axe.run(document, rules ? { ...options, runOnly: rules } : options);
  // What is out of sight and left out of drawing has the colours of when it was last drawn.
  const drawn = ({ element }) => element.checkVisibility({ contentVisibilityAuto: true });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.filter(drawn).map(({ target, failureSummary }) =>
      `${id}: ${target.join(" ")}: ${failureSummary.split("\\n")[1]?.trim()}`));
}"""


@cache
def load_axe() -> str:
    return AXE.read_text()


def find_barriers(page: Page) -> list[str]:
    page.evaluate(load_axe())
    found: list[str] = page.evaluate(CHECK)
    return found
