import assert from "node:assert/strict";
import { test } from "node:test";
import { PRINT } from "../src/state/prints.ts";
import { GROUPS } from "../src/print/fields.tsx";
import {
  completeRequest,
  isComplete,
  optionsOf,
  positionLink,
  PRINTS,
  readPair,
  readSearch,
  usualPaper,
  workOf,
  writeSearch,
} from "../src/state/prints.ts";

test("paper is what is usual in the browser's region", () => {
  for (const language of ["en-US", "en-CA", "fr-CA", "es-MX", "en-Latn-US", "EN-us"])
    assert.equal(usualPaper([language]), "letter", language);
  for (const language of ["en", "en-GB", "de-AT", "es-ES", "pt-BR", "zh-Hans", ""])
    assert.equal(usualPaper([language]), "a4", language);
  assert.equal(usualPaper(["de", "en-US"]), "a4", "the first language counts");
  assert.equal(usualPaper([]), "a4");
});

test("an address says what is not as usual, and always paper and language", () => {
  assert.equal(writeSearch(completeRequest({}, "a4", "de")), "?what=set&paper=a4&language=de");
  const options = completeRequest(
    { what: "72", design: "squares-white", flip: "short", names: "true" },
    "letter",
    "en",
  );
  assert.equal(
    writeSearch(options),
    "?what=72&design=squares-white&names=true&paper=letter&language=en",
    "fold-and-glue has no flip",
  );
});

test("a print may have its own default", () => {
  assert.equal(completeRequest({}, "a4", "en").size, "48");
  assert.equal(completeRequest({ what: "72" }, "a4", "en").size, "60");
  assert.equal(
    writeSearch(completeRequest({ what: "72", size: "48" }, "a4", "en")),
    "?what=72&paper=a4&size=48&language=en",
  );
});

test("a link gives the same print to everybody", () => {
  const position = "PRYGB+0@0,0 BYRGB+0@0,-1";
  for (const what of PRINTS) {
    const all = completeRequest(
      { what, position, offset: "0.6,-1.1", ink: "low", seed: "a b&c", pile: "2" },
      "letter",
      "fr",
    );
    const read = readSearch(writeSearch(all));
    assert.ok(isComplete(read));
    const elsewhere = completeRequest(read, "a4", "en");
    for (const { name } of optionsOf(what)) assert.equal(elsewhere[name], all[name], `${what}: ${name}`);
  }
});

test("nonsense in an address is passed over, what is merely wrong is left to the server", () => {
  assert.deepEqual(readSearch("?what=chess&design=stars&names=perhaps&colour=red&size=9999&offset=x&pile=4"), {
    size: "9999",
    offset: "x",
  });
  assert.deepEqual(readSearch("?what=72&pile=3&symbols=false"), { what: "72", symbols: "false", pile: "3" });
  assert.deepEqual(readSearch(""), {});
});

test("a link to a position leaves the rest to the browser's memory", () => {
  const read = readSearch(positionLink("PRYGB+0@0,0 BYRGB+0@0,-1").replace("/print", ""));
  assert.deepEqual(read, { what: "position", position: "PRYGB+0@0,0 BYRGB+0@0,-1" });
  assert.equal(isComplete(read), false);
});

test("what the printer has to do", () => {
  assert.deepEqual(workOf("set", 6), { pages: 6, sheets: 3, both: true, exact: true });
  assert.deepEqual(workOf("booklet", 11), { pages: 11, sheets: 6, both: true, exact: false });
  assert.deepEqual(workOf("72", 7), { pages: 7, sheets: 7, both: false, exact: true });
  assert.deepEqual(workOf("box", 26), { pages: 26, sheets: 13, both: true, exact: true });
});

test("two numbers as they are typed", () => {
  assert.deepEqual(readPair("0.6,-1.1"), ["0.6", "-1.1"]);
  assert.deepEqual(readPair("0.6"), ["0.6", ""]);
});

test("every option of the server has a place on the page", () => {
  assert.deepEqual(PRINT.map(({ name }) => name).sort(), ["what", ...Object.values(GROUPS).flat()].sort());
});
