/** What the headless parts want of a browser: an address, a page to name the language of, a memory. */
const memory = new Map<string, string>();

const localStorage = {
  getItem: (name: string) => memory.get(name) ?? null,
  setItem: (name: string, text: string) => void memory.set(name, String(text)),
  removeItem: (name: string) => void memory.delete(name),
  clear: () => memory.clear(),
};

Object.defineProperties(globalThis, {
  location: { value: new URL("http://table.test/t/abc"), configurable: true },
  localStorage: { value: localStorage, configurable: true },
  document: {
    value: {
      documentElement: { lang: "" },
      getElementById: () => null,
      addEventListener() {},
      removeEventListener() {},
      visibilityState: "visible",
    },
    configurable: true,
  },
  addEventListener: { value() {}, configurable: true },
  removeEventListener: { value() {}, configurable: true },
});

export {};
