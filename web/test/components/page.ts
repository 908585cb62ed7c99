/** Shows a component and finds what a user finds: by role and name, as assistive technology has them. */
import assert from "node:assert/strict";
import { computeAccessibleName, getRole } from "dom-accessibility-api";
import { type ComponentChild, render } from "preact";
import { act } from "preact/test-utils";
import { speak } from "../../src/i18n.ts";
import { voice } from "../../src/state/voice.ts";

type Name = string | RegExp;

const place = document.body.appendChild(document.createElement("div"));
const matches = (text: string, name: Name) => (typeof name === "string" ? text === name : name.test(text));

/** Show something in English, instead of what was shown before. */
export async function show(component: ComponentChild): Promise<void> {
  await act(async () => {
    render(null, place);
    await speak("en");
    render(component, place);
  });
}

/** Do something, and wait until the page shows what follows from it. */
export async function after(action: () => unknown): Promise<void> {
  await act(async () => {
    await action();
    await new Promise((done) => setImmediate(done));
  });
}

/** Check that an element has the focus. */
export function assertFocused(expected: Element | undefined): void {
  const actual = document.activeElement;
  assert.ok(actual === expected, `${actual?.outerHTML} has the focus, not ${expected?.outerHTML}`);
}

/** Whether no user perceives an element: it is hidden, or in a closed disclosure. */
function isHidden(element: Element): boolean {
  const closed = element.closest("details:not([open])");
  return (
    !!element.closest("[hidden], [aria-hidden=true]")
    || (!!closed && closed !== element && !element.closest("summary"))
    || (element as HTMLElement).style?.display === "none"
  );
}

/** All elements of a role, in the order of the page. */
export function all(role: string, name: Name = /(?:)/): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>("*")].filter(
    (element) => getRole(element) === role && !isHidden(element) && matches(computeAccessibleName(element), name),
  );
}

/** The only element of a role and name. */
export function get(role: string, name: Name = /(?:)/): HTMLElement {
  const found = all(role, name);
  const others = () => all(role).map((element) => computeAccessibleName(element) || element.textContent);
  assert.equal(found.length, 1, `one ${role} ${name}, not ${found.length}; there are: ${others().join(" | ")}`);
  return found[0]!;
}

/** The only element of a role and name, once it is there: some parts are loaded when they are opened. */
export async function find(role: string, name: Name = /(?:)/): Promise<HTMLElement> {
  for (let turns = 0; turns < 1_000 && !all(role, name).length; turns++) await after(() => undefined);
  return get(role, name);
}

/** The names of all elements of a role. */
export const names = (role: string): string[] => all(role).map((element) => computeAccessibleName(element));

/** The text of an element, or of all that is shown, with single spaces. */
export function text(element: Element = place): string {
  const seen = element.cloneNode(true) as Element;
  for (const hidden of seen.querySelectorAll("[aria-hidden=true], [hidden]")) hidden.remove();
  return (seen.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** Press an element with the mouse. */
export async function press(role: string, name: Name): Promise<void> {
  const element = get(role, name);
  assert.ok(!(element as HTMLButtonElement).disabled, `${name} can be pressed`);
  await after(() => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 })));
}

/** Type a text into a field, or choose an option of a list. */
export async function fill(element: HTMLElement, value: string): Promise<void> {
  await after(() => {
    element.focus();
    (element as HTMLInputElement).value = value;
    for (const kind of ["input", "change"]) element.dispatchEvent(new Event(kind, { bubbles: true }));
  });
}

/** Press a key where the focus is, and do what a browser does with it unless the page does something else. */
export async function key(name: string): Promise<void> {
  await after(() => {
    const target = (document.activeElement ?? document.body) as HTMLElement;
    if (!target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }))) return;
    const form = (target as HTMLInputElement).form;
    if (target instanceof HTMLButtonElement && [" ", "Enter"].includes(name)) target.click();
    else if (target instanceof HTMLInputElement && form && name === "Enter") form.requestSubmit();
    else if (name === "Escape")
      [...document.querySelectorAll("dialog")]
        .filter((dialog) => dialog.open)
        .at(-1)
        ?.close();
  });
}

/** What a screen reader is given to say from now on, line by line. */
export function listen(): string[] {
  const lines: string[] = [];
  voice.say = (line) => void (line && lines.push(line));
  return lines;
}
