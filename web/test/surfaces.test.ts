/** What the table is made of: the outlines of places are seen on each, and words are read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SURFACES } from "../src/state/settings.ts";
import { SHEETS } from "./styles.ts";

const { rules } = SHEETS.find(({ name }) => name === "style/tokens.css")!;

const MORE = "@media (prefers-contrast: more)";

function colour(theme: string, surface: string, name: string, where: readonly string[] = []): string {
  const selectors = [`:root[data-theme="${theme}"]`, `:root[data-theme="${theme}"][data-table="${surface}"]`];
  return rules
    .filter(({ selector, within }) => selectors.includes(selector) && within.every((words) => where.includes(words)))
    .flatMap(({ declarations }) => declarations)
    .filter(({ property }) => property === name)
    .at(-1)!.value;
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/\w/g, "$&$&") : colour;
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

for (const theme of ["light", "dark"]) {
  for (const surface of SURFACES) {
    test(`marks are seen on ${theme} ${surface}`, () => {
      // Grain and weave change what is below a mark by less than a quarter.
      for (const ground of ["--cloth", "--cloth-edge"])
        assert.ok(contrast(colour(theme, surface, "--cloth-mark"), colour(theme, surface, ground)) >= 4.5, ground);
    });
  }
}

test("dark dominoes keep their edges on a dark table", () => {
  for (const surface of SURFACES)
    assert.ok(contrast(colour("dark", surface, "--edge"), colour("dark", surface, "--cloth-edge")) >= 3, surface);
});

for (const theme of ["light", "dark"]) {
  test(`${theme} inks and lines for those who ask for more contrast`, () => {
    const at = (name: string) => colour(theme, "", name, [MORE]);
    for (const ground of ["--ground", "--paper", "--accent-soft"]) {
      for (const ink of ["--text", "--soft", "--accent", "--warn"])
        assert.ok(contrast(at(ink), at(ground)) >= 7, `${ink} on ${ground}`);
      assert.ok(contrast(at("--line"), at(ground)) >= 3, `--line on ${ground}`);
    }
    assert.ok(contrast(at("--on-accent"), at("--accent")) >= 7);
  });
}
