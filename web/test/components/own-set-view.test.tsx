import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { SET_72 } from "../../src/data.ts";
import { OwnSet } from "../../src/dominoes/own-set-view.tsx";
import { OptionField } from "../../src/lobby/option-field.tsx";
import { keepOwnText, ownSet } from "../../src/state/own-set.ts";
import { printSet } from "../../src/state/set-file.ts";
import { after, all, fill, get, press, show, text } from "./page.ts";

beforeEach(() => keepOwnText(""));

test("a set is typed, its mistakes are named, and it is checked", async () => {
  await show(<OwnSet />);
  assert.equal(all("link", "Play with it").length, 0);
  await fill(get("textbox", "Your dominoes"), "name,recto,verso\nA1,YGYYRR,BGBBRGG");
  assert.match(text(), /Line 2: front and back must each have seven letters/);
  await fill(get("textbox", "Your dominoes"), printSet(SET_72.tiles));
  assert.match(text(), /Own set: 72 dominoes.*Does not hold:.*Holds:/);
  get("link", "Play with it");
  assert.equal(JSON.parse(localStorage.getItem("dalapapa.own-set")!), printSet(SET_72.tiles));
  await press("button", "Remove the set");
  assert.equal(ownSet.value, null);
});

test("a domino is tapped in with seven colours and the usual back, or with fourteen", async () => {
  await show(<OwnSet />);
  const summary = [...document.querySelectorAll("summary")].find(
    (one) => one.textContent === "Enter a domino by tapping",
  )!;
  summary.closest("details")!.open = true;
  const tap = async (...colours: string[]) => {
    for (const colour of colours) await press("button", colour);
  };
  assert.match(text(), /Front: Centre/);
  await tap("Yellow", "Green");
  assert.match(text(), /Front: Top left/);
  await press("button", "One colour back");
  assert.match(text(), /Front: Left end/);
  await tap("Green", "Yellow", "Yellow", "Red", "Red", "Red");
  assert.match(text(), /Back: Centre/);
  await press("button", "The usual back");
  assert.deepEqual(ownSet.value, [{ name: "1", recto: "YGYYRRR", verso: "BGBBRGG" }]);
  await tap(...Array<string>(14).fill("Blue"));
  assert.deepEqual(ownSet.value?.at(-1), { name: "2", recto: "BBBBBBB", verso: "BBBBBBB" });
});

test("a new game offers the own set as its dominoes", async () => {
  const option = { name: "set", kind: "set", default: "120", description: "the dominoes" } as const;
  const chosen: unknown[] = [];
  const field = () => (
    <OptionField option={option} value={chosen.at(-1)} seats={[]} onChange={(value) => chosen.push(value)} />
  );
  await show(field());
  assert.equal(all("option").length, 2);
  await after(() => keepOwnText(printSet(SET_72.tiles)));
  assert.equal(all("option", "Own set: 72 dominoes").length, 1);
  await fill(get("combobox"), "own");
  assert.deepEqual(
    chosen.at(-1),
    SET_72.tiles.map(({ name, recto, verso }) => ({ name, recto, verso })),
  );
  await show(field());
  assert.equal((get("combobox") as HTMLSelectElement).value, "own");
  await fill(get("combobox"), "72");
  assert.equal(chosen.at(-1), "72");
});
