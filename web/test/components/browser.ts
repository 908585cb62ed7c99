/** A browser without a screen for tests of components: happy-dom's window as that of Node. Loaded before all else. */
import assert from "node:assert/strict";
import { Window } from "happy-dom";

const window = new Window({ url: "http://table.test/t/abc", width: 1280, height: 800 });

/** What Node has, too, but of another kind than the events and addresses of a page. */
const REPLACED = [
  "addEventListener",
  "CustomEvent",
  "dispatchEvent",
  "document",
  "Event",
  "EventTarget",
  "localStorage",
  "location",
  "navigator",
  "removeEventListener",
];

for (const name of new Set([...Object.getOwnPropertyNames(window), ...REPLACED])) {
  if (name in globalThis && !REPLACED.includes(name)) continue;
  const value = (window as unknown as Record<string, unknown>)[name];
  const bound = /^[a-z]/.test(name) && typeof value === "function" ? value.bind(window) : value;
  Object.defineProperty(globalThis, name, { value: bound, configurable: true, writable: true });
}

// A failed comparison of elements would print all that their properties lead to, which takes all memory of the machine.
const equal = new Proxy(assert.equal, {
  apply(compare, self, values: unknown[]) {
    const elements = values.some((value) => value instanceof Node);
    if (elements) throw new TypeError("Compare elements by assertFocused.");
    Reflect.apply(compare, self, values);
  },
});
Object.assign(assert, { equal });

// Its own method also finds what is not in the page any more.
document.getElementById = (id: string) => document.querySelector<HTMLElement>(`[id="${id}"]`);
