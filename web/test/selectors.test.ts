import assert from "node:assert/strict";
import { test } from "node:test";
import { SOURCES } from "./sources.ts";

test("what is looked for by its class is there", () => {
  const given = new Set(SOURCES.flatMap(({ text }) => [...text.matchAll(/\b(?:class|kind)=(?:"[^"]*"|\{[^\n]*)|classList[^\n]*/g)])
    .flatMap(([attribute]) => attribute.match(/[a-z][\w-]*/g) ?? []));
  const missing = SOURCES.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:querySelector(?:All)?|closest|matches)(?:<[^>]*>)?\(\s*["'`]([^"'`]*)/g)]
      .flatMap(([, selector]) => [...selector!.matchAll(/\.([a-z][\w-]*)/g)].map(([, word]) => word!))
      .filter((word) => !given.has(word)).map((word) => `${name}: .${word}`));
  assert.deepEqual(missing, []);
});
