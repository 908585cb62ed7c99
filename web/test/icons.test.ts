/** Icons are of one hand: no sign of some font stands for one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SOURCES, TEXTS } from "./sources.ts";
import { SHEETS } from "./styles.ts";

/** Arrows, technical signs, shapes, dingbats, emoji; a minus is none. */
const SIGN = /[\u2190-\u2211\u2213-\u2bff\u{1f000}-\u{1ffff}]/u;

/**
 * What is printed on keys is a sign there, too; a title of a tab and a message to friends are text, and have no icons.
 */
const isText = (line: string) => /\bkeys[=:]|<kbd>|document\.title|useTitle|const stars/.test(line);

test("no letter is used as an icon", () => {
  const code = SOURCES.flatMap(({ name, text }) =>
    text
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .split("\n")
      .filter((line) => SIGN.test(line) && !isText(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  const styles = SHEETS.flatMap(({ name, rules }) =>
    rules.flatMap(({ selector, declarations }) =>
      declarations.filter(({ value }) => SIGN.test(value)).map(() => `${name}: ${selector}`),
    ),
  );
  const texts = TEXTS.flatMap(({ name, languages }) =>
    Object.entries(languages)
      .filter(([, text]) => SIGN.test(JSON.stringify(text)))
      .map(([language]) => `${language}: ${name}`),
  );
  assert.deepEqual([...code, ...styles, ...texts], []);
});
