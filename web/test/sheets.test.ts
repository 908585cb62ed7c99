/**
 * The style sheets: main.css for every page, play.css for tables, races.css for those of races, more.css for results and
 * the rest, packages.css for games of other packages, and one for each of our games.
 */
import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { STYLED } from "../src/games/tables.ts";
import needed from "../src/style/sheets.json";
import { SHEETS } from "./styles.ts";

const ORDER = ["main", "play", "races", "more", "packages"];
const entryOf = (sheet: string) => (ORDER.includes(sheet) ? `style/${sheet}.css` : `games/${sheet}/style.css`);
const textOf = (path: string) => SHEETS.find(({ name }) => name === path)!.text.replace(/\/\*[\s\S]*?\*\//g, "");

interface Part {
  file: string;
  /** The layer that it is imported into; a game's sheet names its layers itself. */
  layer: string | undefined;
}

/** The files that a sheet is made of. */
const partsOf = (sheet: string): Part[] =>
  [...textOf(entryOf(sheet)).matchAll(/@import "([^"]+)"(?: layer\((\w+)\))?;/g)].map(([, path, layer]) => ({
    file: posix.join(posix.dirname(entryOf(sheet)), path!),
    layer,
  }));
const layers = /@layer ([\w, ]+);/.exec(textOf("style/layers.css"))![1]!.split(", ");
const sheets = [...ORDER, ...STYLED];

test("every file of style is in one sheet", () => {
  const parts = ORDER.flatMap((sheet) => partsOf(sheet).map(({ file }) => file)).filter((file) => !/layers/.test(file));
  const files = SHEETS.map(({ name }) => name).filter((name) => name.startsWith("style/") && !/layers/.test(name));
  assert.deepEqual(parts.sort(), files.filter((name) => !ORDER.map(entryOf).includes(name)).sort());
});

test("the games with a style sheet are those that say so", () => {
  const found = SHEETS.flatMap(({ name }) => /^games\/(.+)\/style\.css$/.exec(name)?.[1] ?? []);
  assert.deepEqual(found, STYLED);
});

test("layers are declared in one order, first of all, and everything is in one of them", () => {
  for (const sheet of sheets) {
    const [first, ...others] = partsOf(sheet);
    assert.deepEqual(first, { file: "style/layers.css", layer: undefined }, sheet);
    for (const { file, layer } of others) assert.ok(layers.includes(layer!), `${sheet}: ${file}`);
  }
  for (const game of STYLED) {
    const loose = SHEETS.find(({ name }) => name === entryOf(game))!.rules.filter(
      ({ within, selector }) => !within.length && !/^@layer (game|state|contrast)$/.test(selector),
    );
    assert.deepEqual(loose, [], game);
  }
});

// Pages have one layer, because one of them is shown at a time; what a table seldom needs comes after play.css.
test("a layer is filled by one sheet, but for those of tables and pages", () => {
  const sheetsOf = (layer: string) => ORDER.filter((sheet) => partsOf(sheet).some((part) => part.layer === layer));
  const several = layers.filter((layer) => sheetsOf(layer).length > 1);
  assert.deepEqual(several, ["table", "page"]);
  assert.ok(sheetsOf("table").every((sheet) => ORDER.indexOf(sheet) >= ORDER.indexOf("play")));
});

test("the first page has the sheets below its own", () => {
  for (const [page, sheets] of Object.entries(needed)) {
    assert.deepEqual(["main", ...sheets], ORDER.slice(0, sheets.length + 1), page);
  }
});

test("motions are known where they are wanted, and have one meaning", () => {
  const known = new Map<string, number>();
  const files = sheets.flatMap((sheet) => {
    const own = ORDER.includes(sheet) ? partsOf(sheet).map(({ file }) => file) : [entryOf(sheet)];
    // Games come after tables, and know nothing of each other.
    return own.map((file) => ({
      file,
      at: ORDER.includes(sheet) ? ORDER.indexOf(sheet) : 100 + STYLED.indexOf(sheet),
    }));
  });
  for (const { file, at } of files) {
    for (const [, motion] of textOf(file).matchAll(/@keyframes ([\w-]+)/g)) {
      assert.ok(!known.has(motion!), `${motion} is there twice`);
      known.set(motion!, at);
    }
  }
  for (const { file, at } of files) {
    for (const [, value] of textOf(file).matchAll(/\banimation(?:-name)?:([^;]+);/g)) {
      for (const [word] of value!.matchAll(/[a-z][\w-]*/g)) {
        const there = known.get(word) ?? 0;
        assert.ok(there === at || there <= Math.min(at, 1), `${file}: ${word} comes with another sheet`);
      }
    }
  }
});
