import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120, SET_72, TILES, tileSet } from "../src/data.ts";
import { exchangeColours, mirrorFace, pairsOf, pairsOfPile } from "../src/dominoes/backs.ts";
import { Catalogue, FIGURES } from "../src/dominoes/catalogue.ts";

const names = (catalogue: Catalogue) => catalogue.shown.value.map(({ name }) => name);

test("every back is the front in a mirror, in complementary colours", () => {
  for (const tile of TILES) assert.equal(exchangeColours(mirrorFace(tile.recto), pairsOf(tile)), tile.verso, tile.name);
});

test("all dominoes of a pile share its pairs", () => {
  const sorted = (pairs: readonly (readonly string[])[]) =>
    pairs
      .map((pair) => [...pair].sort().join(""))
      .sort()
      .join();
  for (const tile of TILES) assert.equal(sorted(pairsOf(tile)), sorted(pairsOfPile(tile.pile!)), tile.name);
  assert.deepEqual(
    [1, 2, 3].map((pile) => sorted(pairsOfPile(pile))),
    ["BY,GR", "BR,GY", "BG,RY"],
  );
});

test("the catalogue shows all, by figure, by pile or by name", () => {
  const catalogue = new Catalogue();
  assert.deepEqual(
    names(catalogue),
    TILES.map(({ name }) => name),
  );
  assert.deepEqual(FIGURES, ["P", "B", "C", "A", "D", "Z"]);
  catalogue.order.value = "pile";
  assert.deepEqual(
    catalogue.shown.value.map(({ pile }) => pile),
    [1, 2, 3].flatMap((pile) => Array(40).fill(pile)),
  );
  catalogue.order.value = "name";
  assert.deepEqual(names(catalogue), TILES.map(({ name }) => name).sort());
});

test("figure, pile and name are all asked for at once", () => {
  const catalogue = new Catalogue();
  catalogue.figure.value = "A";
  assert.equal(names(catalogue).length, 12);
  catalogue.pile.value = 1;
  assert.deepEqual(names(catalogue), ["ARYGB", "ARBGY", "AYRBG", "AYGBR"]);
  catalogue.name.value = "RYG";
  assert.deepEqual(names(catalogue), ["ARYGB"]);
});

test("a domino that is called by its back is found", () => {
  const catalogue = new Catalogue();
  catalogue.name.value = "CGBRY";
  assert.equal(catalogue.front.value, "CRYGB");
  assert.deepEqual(names(catalogue), ["CRYGB"]);
  assert.equal(SET_120.frontOf("CRYGB"), null);
  assert.equal(SET_120.frontOf("PXXXX"), null);
  assert.equal(SET_72.frontOf("PGBRY"), null);
  assert.equal(SET_72.frontOf("AGBRY"), "ARYGB");
});

test("in a set of one's own nothing is guessed", () => {
  const own = tileSet([{ name: "CRYGB", recto: "YGYYRRR", verso: "BGBBRGG" }]);
  assert.equal(own.frontOf("CGBRY"), null);
});
