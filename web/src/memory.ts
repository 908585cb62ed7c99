/** The browser's memory; a browser that keeps nothing still plays. */
import { signal } from "@preact/signals";

/** What was to be kept could not be kept. */
export const full = signal(false);

/** What can be fetched again makes room for what cannot. */
const SPARE = "week";

const PREFIX = "dalapapa.";

/** What could not be kept is known for as long as the page is open: a player who has just sat down plays on. */
const held = new Map<string, string>();

export function recall<T>(name: string, missing: T): T {
  try {
    const text = held.get(name) ?? localStorage.getItem(PREFIX + name);
    return text === null ? missing : (JSON.parse(text) as T);
  } catch {
    return missing;
  }
}

/** Whether it is kept: private windows and full disks keep nothing, and nothing breaks. */
export function remember(name: string, value: unknown): boolean {
  const put = () => {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    held.delete(name);
  };
  try {
    put();
    return true;
  } catch {
    if (name === SPARE) return false;
  }
  try {
    localStorage.removeItem(PREFIX + SPARE);
    put();
    return true;
  } catch {
    full.value = true;
    if (value === null) held.delete(name);
    else held.set(name, JSON.stringify(value));
    return false;
  }
}

/** The same for a visit, as text: nothing of it is missed afterwards. */
export function recallHere(name: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function rememberHere(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // Nothing is kept, and nothing breaks.
  }
}
