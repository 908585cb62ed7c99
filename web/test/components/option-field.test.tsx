import assert from "node:assert/strict";
import { test } from "node:test";
import type { Option } from "../../src/data.ts";
import { OptionField } from "../../src/lobby/option-field.tsx";
import { fill, get, names, press, show, text } from "./page.ts";

const option = (more: Partial<Option> & Pick<Option, "name" | "kind">): Option =>
  ({ default: null, optional: false, description: "What it does.", choices: null, ...more }) as Option;

async function field(shown: Option, value?: unknown): Promise<unknown[]> {
  const changes: unknown[] = [];
  await show(
    <OptionField option={shown} value={value} seats={["Ann", "Bob"]} onChange={(to) => void changes.push(to)} />,
  );
  return changes;
}

test("a number is a field with its limits and a description", async () => {
  const changes = await field(option({ name: "pace_of_play", kind: "number", default: 5, least: 1, most: 9 }));
  const input = get("spinbutton", "pace of play") as HTMLInputElement;
  assert.deepEqual([input.value, input.min, input.max], ["5", "1", "9"]);
  assert.match(text(document.getElementById(input.getAttribute("aria-describedby")!)!), /What it does\. \(1 to 9\)/);
  await fill(input, "7");
  await fill(input, "");
  assert.deepEqual(
    changes,
    [7, 7, undefined, undefined].filter((_, i) => i % 2 === 0),
  );
});

test("a choice gives the value itself, not its text", async () => {
  const changes = await field(option({ name: "size", kind: "choice", default: 3, choices: [3, 4] }));
  assert.deepEqual(names("option"), ["3", "4"]);
  await fill(get("combobox", "size"), "4");
  assert.ok(changes.includes(4));
});

test("a seat is chosen by the name of its player, or by chance", async () => {
  const changes = await field(option({ name: "first", kind: "number", optional: true }));
  assert.deepEqual(names("option").slice(1), ["Ann", "Bob"]);
  await fill(get("combobox"), "1");
  await fill(get("combobox"), "");
  assert.ok(changes.includes(1) && changes.includes(null));
});

test("a switch is on or off", async () => {
  const changes = await field(option({ name: "open_hands", kind: "switch", default: false }));
  const box = get("switch", "open hands") as HTMLInputElement;
  assert.equal(box.checked, false);
  await press("switch", "open hands");
  assert.deepEqual(changes, [true]);
});

test("a list has a field for each seat once it is wanted", async () => {
  const handicap = option({ name: "handicap", kind: "numbers", least: 0, most: 20 });
  const changes = await field(handicap);
  await press("switch", /./);
  assert.deepEqual(changes, [[6, 6]]);
  const more = await field(handicap, [6, 6]);
  await fill(get("spinbutton", /2/), "9");
  assert.deepEqual(more.at(-1), [6, 9]);
});

test("a list of numbers begins with values that are allowed", async () => {
  for (const [least, most, expected] of [
    [1, 3, [1, 2]],
    [10, 50, [10, 10]],
    [0, 4, [4, 4]],
    [4, 120, [6, 6]],
  ] as const) {
    const changes = await field(option({ name: "sizes", kind: "numbers", default: [], least, most }));
    await press("switch", /./);
    assert.deepEqual(changes, [expected]);
  }
});

test("a text of a package is a field of text, and its pair two numbers", async () => {
  let changes = await field(option({ name: "motto", kind: "text", default: "" }));
  await fill(get("textbox", "motto"), "<b>");
  assert.ok(changes.includes("<b>"));
  changes = await field(option({ name: "stalls", kind: "pair", default: [3, 4] }), [5, 6]);
  await fill(get("spinbutton", "stalls 2"), "9");
  assert.deepEqual(changes.at(-1), [5, 9]);
});

test("an option of a package has its texts, and one of a type without a field is left to its default", async () => {
  const texts = { label: "Cost <i>", help: "In points", choices: { low: "Cheap" } };
  await show(
    <OptionField
      option={option({ name: "cost", kind: "choice", default: "low", choices: ["low", "high"] })}
      value={undefined}
      texts={texts}
      seats={["Ann"]}
      onChange={() => undefined}
    />,
  );
  assert.deepEqual(names("option"), ["Cheap", "high"]);
  assert.match(
    text(document.getElementById(get("combobox", "Cost <i>").getAttribute("aria-describedby")!)!),
    /In points/,
  );
  await field(option({ name: "deck", kind: "set" }));
  assert.deepEqual(names("combobox"), []);
});
