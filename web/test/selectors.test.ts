import assert from "node:assert/strict";
import { test } from "node:test";
import { NAMES, SOURCES } from "./sources.ts";
import { SHEETS } from "./styles.ts";

test("what is looked for by its class is there", () => {
  const given = new Set(
    SOURCES.flatMap(({ text }) => [...text.matchAll(/\b(?:class|kind)=(?:"[^"]*"|\{[^\n]*)|classList[^\n]*/g)]).flatMap(
      ([attribute]) => attribute.match(/[a-z][\w-]*/g) ?? [],
    ),
  );
  const missing = SOURCES.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:focusFirst|focusIn|focusTargets|closest|matches)(?:<[^>]*>)?\(([^)]*)/g)]
      .flatMap(([, call]) => [...call!.matchAll(/["'`][^"'`]*["'`]/g)])
      .flatMap(([selector]) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, word]) => word!))
      .filter((word) => !given.has(word))
      .map((word) => `${name}: .${word}`),
  );
  assert.deepEqual(missing, []);
});

test("elements are looked up by selectors only to move the focus", () => {
  const found = SOURCES.filter(({ text }) => /\.querySelector|\.getElementsBy/.test(text)).map(({ name }) => name);
  assert.deepEqual(found, ["ui/focus.ts"]);
});

test("what is styled by its class is there", () => {
  const strings = SOURCES.flatMap(
    ({ text }) => text.replace(/\/\*[\s\S]*?\*\//g, "").match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g) ?? [],
  );
  const whole = new Set([...NAMES, ...strings.flatMap((text) => text.match(/[A-Za-z][\w-]*/g) ?? [])]);
  // Put together: `seat-${number}`, `race-${game}`, and with what the server says.
  const begun = strings.flatMap((text) => [...text.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, word]) => word!));
  const styled = SHEETS.flatMap(({ name, rules }) =>
    rules
      .filter(({ selector }) => !selector.startsWith("@"))
      .flatMap(({ selector }) =>
        [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, word]) => ({ name, word: word! })),
      ),
  );
  const unknown = styled.filter(({ word }) => !whole.has(word) && !begun.some((part) => word.startsWith(part)));
  assert.deepEqual([...new Set(unknown.map(({ name, word }) => `${name}: .${word}`))], []);
});
