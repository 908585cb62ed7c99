/** The style sheets: main.css for every page, play.css for tables, more.css for the rest, always in this order. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import needed from "../src/style/sheets.json";

declare const WEB: string;

const ORDER = ["main", "play", "more"];
const read = (name: string) =>
  readFileSync(join(WEB, "src", "style", `${name}.css`), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
const parts = ORDER.map((sheet) => [...read(sheet).matchAll(/@import "\.\/([\w-]+)\.css";/g)].map(([, name]) => name!));

test("every file of style is in one sheet", () => {
  const files = readdirSync(join(WEB, "src", "style"))
    .filter((name) => name.endsWith(".css"))
    .map((name) => name.slice(0, -4));
  assert.deepEqual(parts.flat().sort(), files.filter((name) => !ORDER.includes(name)).sort());
});

test("whatever page is first, sheets stand in one order", () => {
  for (const [page, sheets] of Object.entries(needed)) {
    assert.deepEqual(["main", ...sheets], ORDER.slice(0, sheets.length + 1), page);
  }
});

test("motions are known where they are wanted, and have one meaning", () => {
  const known = new Map<string, number>();
  parts.forEach((names, i) => {
    for (const name of names) {
      for (const [, motion] of read(name).matchAll(/@keyframes ([\w-]+)/g)) {
        assert.ok(!known.has(motion!), `${motion} is there twice`);
        known.set(motion!, i);
      }
    }
  });
  parts.forEach((names, i) => {
    for (const name of names) {
      for (const [, value] of read(name).matchAll(/\banimation(?:-name)?:([^;]+);/g)) {
        for (const [word] of value!.matchAll(/[a-z][\w-]*/g))
          assert.ok((known.get(word) ?? 0) <= i, `${name}: ${word} comes with a later sheet`);
      }
    }
  });
});
