/** Sets of one's own: files and their mistakes, the facts that hold, and dominoes that are tapped in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120, SET_72, TILES } from "../src/data.ts";
import { addDomino, deriveBack } from "../src/dominoes/tapped-domino.ts";
import { checkFacts, printSet, readSet, toTiles } from "../src/state/set-file.ts";

const reason = (text: string) => {
  const found = readSet(text);
  return "trouble" in found ? `${found.trouble.reason} ${found.trouble.line}` : "";
};
const HEAD = "name,recto,verso";
const DOMINO = "A1,YGYYRRR,BGBBRGG";

test("a file is read as the program reads it: in CSV with any order of columns, and in JSON", () => {
  const rows = [{ name: "A1", recto: "YGYYRRR", verso: "BGBBRGG" }];
  for (const text of [
    `${HEAD}\n${DOMINO}\n`,
    `\ufeff"recto";"figure";"name";"verso"\r\n"YGYYRRR";"pyramid";"A1";"BGBBRGG"\r\n\r\n`,
    JSON.stringify(rows),
    printSet(rows),
  ])
    assert.deepEqual(readSet(text), { rows }, text);
});

test("the first mistake is named with its line", () => {
  assert.equal(reason("A1,YGYYRRR,BGBBRGG"), "columns 1");
  assert.equal(reason(`${HEAD}\n${DOMINO}\n\nÉ,YGYYRRR,BGBBRGG`), "name 4");
  assert.equal(reason(`${HEAD}\n${DOMINO}\n${DOMINO}`), "twice 3");
  for (const face of ["YGYYRR", "YGYYRRRR", "YGYYRRX", "ygyyrrr", ""]) {
    assert.equal(reason(`${HEAD}\nA1,${face},BGBBRGG`), "face 2");
    assert.equal(reason(`${HEAD}\nA1,BGBBRGG,${face}`), "face 2");
  }
  for (const empty of ["", "  \n", HEAD, "[]"]) assert.equal(reason(empty), "empty 1");
  const many = Array.from({ length: 121 }, (_, i) => `A${i},YGYYRRR,BGBBRGG`);
  assert.equal(reason([HEAD, ...many].join("\n")), "many 122");
  for (const json of ["[", "[}", "[1"]) assert.equal(reason(json), "json 1");
  assert.equal(reason("[null]"), "name 1");
  assert.equal(reason('[{"name": 1}]'), "name 1");
});

test("the author's set has its piles, and all five facts hold", () => {
  const rows = TILES.map(({ name, recto, verso }) => ({ name, recto, verso }));
  assert.deepEqual(
    toTiles(rows).map(({ pile }) => pile),
    SET_120.tiles.map(({ pile }) => pile),
  );
  assert.deepEqual(checkFacts(rows), [true, true, true, true, true]);
});

test("each fact fails by itself", () => {
  const rows = TILES.map(({ name, recto, verso }) => ({ name, recto, verso }));
  const change = (index: number, recto: string, verso: string) =>
    checkFacts(rows.map((row, i) => (i === index ? { ...row, recto, verso } : row)));
  // Of 72 dominoes, neither the number nor the piles nor the figures are right.
  assert.deepEqual(checkFacts(SET_72.tiles), [false, true, true, false, false]);
  // The same domino twice, turned by half.
  const [first] = rows;
  assert.equal(change(1, first!.recto[0] + first!.recto.slice(4) + first!.recto.slice(1, 4), first!.verso)[0], false);
  // Two colours on a face.
  assert.equal(change(0, "YRRYRRR", "BGBBRGG")[1], false);
  // Five halves of red.
  assert.equal(change(0, "YGYYRRR", "BGBBRGR")[2], false);
  // Of no pile.
  assert.equal(change(0, "YRRYRRR", "BGBBRGG")[3], false);
  // A pyramid less.
  assert.equal(change(0, "YYGYRRR", "BBGBRGG")[4], false);
});

test("the usual back follows from a front", () => {
  for (const { recto, verso } of TILES) assert.equal(deriveBack(recto), verso);
  assert.equal(deriveBack("YRRRYYY"), null);
  assert.equal(deriveBack("GGYYRRR"), null);
});

test("a domino that is tapped in gets the next free number, and nothing that was typed is lost", () => {
  const one = addDomino("", "YGYYRRRBGBBRGG");
  assert.equal(one, `${HEAD}\n1,YGYYRRR,BGBBRGG`);
  assert.equal(addDomino(one.replace("1,", "2,"), "YGYYRRRBGBBRGG").split("\n").at(-1), "3,YGYYRRR,BGBBRGG");
  assert.equal(addDomino("half a line", "YGYYRRRBGBBRGG"), "half a line");
});
