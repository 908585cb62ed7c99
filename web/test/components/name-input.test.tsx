/** The field for a name says when it is full. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { useSignal } from "@preact/signals";
import { NameInput } from "../../src/shell/name-input.tsx";
import { fill, get, listen, show } from "./page.ts";

function Field() {
  const name = useSignal("Ann");
  return <NameInput aria-label="Your name" value={name.value} onName={(typed) => (name.value = typed)} />;
}

test("a name that can become no longer has a note, which is announced", async () => {
  await show(<Field />);
  const heard = listen();
  const field = get("textbox", "Your name");
  await fill(field, "x".repeat(29));
  assert.equal(document.querySelector(".note"), null);
  await fill(field, "x".repeat(30));
  const note = "A name can have at most 30 characters.";
  assert.equal(document.querySelector(".note")?.textContent, note);
  assert.equal(field.getAttribute("aria-description"), note);
  assert.deepEqual(heard, [note]);
});
