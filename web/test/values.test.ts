import assert from "node:assert/strict";
import { test } from "node:test";
import { itemAt, requireValue } from "../src/values.ts";

test("a value that is missing is named in the error", () => {
  for (const value of [0, "", false]) assert.equal(requireValue(value, "a value"), value);
  for (const value of [null, undefined]) assert.throws(() => requireValue(value, "the table"), /Missing: the table/);
});

test("an item is returned even if it is undefined; an index without an item is an error", () => {
  assert.equal(itemAt(["a", "b"], 1), "b");
  assert.equal(itemAt([undefined], 0), undefined);
  for (const index of [-1, 2, Number.NaN]) assert.throws(() => itemAt(["a", "b"], index), RangeError);
});
