import assert from "node:assert/strict";
import { test } from "node:test";
import { useSignal } from "@preact/signals";
import { LanguageChoice } from "../../src/shell/language-choice.tsx";
import { Radios } from "../../src/shell/radios.tsx";
import { settings } from "../../src/state/settings.ts";
import { SoundSwitch } from "../../src/tables/sound-switch.tsx";
import { fill, get, names, press, show } from "./page.ts";

function Palette() {
  const chosen = useSignal("plain");
  return (
    <Radios
      legend="Colours"
      name="colours"
      of={["plain", "bright"]}
      value={chosen.value}
      word={(one) => one.toUpperCase()}
      onChoose={(one) => (chosen.value = one)}
    />
  );
}

const isChecked = (name: string) => (get("radio", name) as HTMLInputElement).checked;

test("one of several is chosen, in a group with a name", async () => {
  await show(<Palette />);
  get("group", "Colours");
  assert.deepEqual(names("radio"), ["PLAIN", "BRIGHT"]);
  assert.deepEqual([isChecked("PLAIN"), isChecked("BRIGHT")], [true, false]);
  await press("radio", "BRIGHT");
  assert.deepEqual([isChecked("PLAIN"), isChecked("BRIGHT")], [false, true]);
});

test("languages are named in their own words", async () => {
  await show(<LanguageChoice />);
  assert.deepEqual(names("option"), ["Deutsch", "English", "Español", "Français", "Italiano", "Nederlands"]);
  await fill(get("combobox"), "fr");
  assert.equal(settings.language.value, "fr");
  settings.language.value = "en";
});

test("sounds are switched on and off", async () => {
  settings.sound.value = true;
  await show(<SoundSwitch />);
  const state = () => get("switch", /ound/).getAttribute("aria-checked");
  assert.equal(state(), "true");
  await press("switch", /ound/);
  assert.equal(state(), "false");
  assert.equal(settings.sound.value, false);
});
